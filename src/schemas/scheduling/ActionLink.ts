import { Schema } from "effect"
import { EXAMPLE_TIME, oneOf, UnixSeconds } from "../fields.ts"
import { DoctorUid } from "../ids.ts"

/** The action that a link permits on its appointment. */
export const LinkAction = oneOf("join", "rebook", "cancel")
export type LinkAction = typeof LinkAction.Type

/** A new link: the only response that contains its code. */
export const IssuedActionLink = Schema.Struct({
  action: LinkAction.annotations({ description: "The action that the link permits" }),
  code: Schema.String.annotations({
    description: "`aac_…`: the only credential of the link",
    examples: ["aac_example"]
  }),
  url: Schema.String.annotations({ description: "The hosted page of the link" }),
  expires_at: UnixSeconds.annotations({ description: "7 days after the appointment's end" })
})
export type IssuedActionLink = typeof IssuedActionLink.Type

export const JoinWindow = Schema.Struct({
  state: oneOf("too_early", "open", "too_late").annotations({ description: "Whether the room can be entered now" }),
  opens_at: UnixSeconds.annotations({ description: "When the room opens, Unix seconds: 10 minutes before the start" })
})

/** The context of a link, for the page behind it (Rule 5.4.5). */
export const ActionLinkContext = Schema.Struct({
  action: LinkAction.annotations({ description: "The action that the link permits" }),
  appointment_start: UnixSeconds,
  appointment_end: UnixSeconds.annotations({ examples: [UnixSeconds.make(EXAMPLE_TIME + 1200)] }),
  doctor_display_name: Schema.String.annotations({ description: "Name of the doctor" }),
  appointment_type_name: Schema.String.annotations({
    description: "Name of the appointment type; the kind of meeting where it has none"
  }),
  join_window: JoinWindow.annotations({ description: "Whether the room can be entered, and when it opens" }),
  rebook_allowed: Schema.Boolean.annotations({ description: "Whether the appointment can be moved now" }),
  cancel_allowed: Schema.Boolean.annotations({ description: "Whether the appointment can be cancelled now" }),
  already_actioned: Schema.Boolean.annotations({ description: "Whether what the link is for has been done" }),
  doctor_uid: Schema.optional(DoctorUid).annotations({ description: "Only of a rebook link" }),
  rebooking_mode: Schema.optional(oneOf("same_doctor_only", "any_doctor_same_organisation")).annotations({
    description: "Only of a rebook link"
  })
})
export type ActionLinkContext = typeof ActionLinkContext.Type
