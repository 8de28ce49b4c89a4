import { Schema } from "effect"
import { oneOf, UnixSeconds } from "../fields.ts"
import { DoctorUid } from "../ids.ts"

/** What a link lets its holder do with its appointment. */
export const LinkAction = oneOf("join", "rebook", "cancel")
export type LinkAction = typeof LinkAction.Type

/** A link as it is made: the only time that its code is told. */
export const IssuedActionLink = Schema.Struct({
  action: LinkAction,
  code: Schema.String.annotations({ description: "`aac_…`: the only credential of the link" }),
  url: Schema.String.annotations({ description: "The hosted page of the link" }),
  expires_at: UnixSeconds.annotations({ description: "7 days after the appointment's end" })
})
export type IssuedActionLink = typeof IssuedActionLink.Type

export const JoinWindow = Schema.Struct({
  state: oneOf("too_early", "open", "too_late"),
  opens_at: UnixSeconds
})

/** What the page behind a link shows (Rule 5.4.5). */
export const ActionLinkContext = Schema.Struct({
  action: LinkAction,
  appointment_start: UnixSeconds,
  appointment_end: UnixSeconds,
  doctor_display_name: Schema.String,
  appointment_type_name: Schema.NullOr(Schema.String),
  join_window: JoinWindow,
  rebook_allowed: Schema.Boolean,
  cancel_allowed: Schema.Boolean,
  already_actioned: Schema.Boolean,
  doctor_uid: Schema.optional(DoctorUid).annotations({ description: "Only of a rebook link" }),
  rebooking_mode: Schema.optional(oneOf("same_doctor_only", "any_doctor_same_organisation")).annotations({
    description: "Only of a rebook link"
  })
})
export type ActionLinkContext = typeof ActionLinkContext.Type
