import { Schema } from "effect"
import { described, EXAMPLE_TIME, oneOf, UnixSeconds } from "../fields.ts"
import { DoctorUid } from "../ids.ts"

/** The action that a link permits on its appointment. */
export const LinkAction = oneOf("join", "rebook", "cancel")
export type LinkAction = typeof LinkAction.Type

/**
 * What a code was issued for. The three actions: codes of reminder events, of `POST …/action-links` and of a booking's page. `page`: codes
 * of the service's own messages to the patient.
 */
export const codeKinds = ["page", "join", "rebook", "cancel"] as const
export const CodeKind = oneOf(...codeKinds)
export type CodeKind = typeof CodeKind.Type

/** One request that a code may make: its kinds, its route below the interface's code, and the form or path of its page. */
interface CodePower {
  /** Kinds that permit it. Every other kind is answered as an unknown code. */
  readonly kinds: ReadonlyArray<CodeKind>
  /** Method and path after `/v1/scheduling/appointment-actions/{code}`; null: not in the interface. */
  readonly route: readonly ["GET" | "POST", string] | null
  /** Path after `{meetings_url}/appointment/{code}`, or the value of the form's field `action`; null: not on the page. */
  readonly page: { readonly path: string } | { readonly form: string } | null
}

/** Everything that a code can be used for. A code permits what its kind permits, by the interface and on the page alike. Rule 5.4.14. */
export const codePowers = {
  read: { kinds: codeKinds, route: ["GET", ""], page: { path: "" } },
  calendar: { kinds: codeKinds, route: null, page: { path: "/appointment.ics" } },
  join: { kinds: ["page", "join"], route: ["POST", "/join"], page: { form: "join" } },
  cancel: { kinds: ["page", "cancel"], route: ["POST", "/cancel"], page: { form: "cancel" } },
  rebook: { kinds: ["page", "rebook"], route: ["POST", "/rebook-session"], page: { form: "rebook" } },
  devices: { kinds: ["page", "join"], route: null, page: { path: "/devices" } },
  late: { kinds: ["page"], route: null, page: { form: "late" } },
  /** Waits for an earlier time (section 19), or no longer. */
  sooner: { kinds: ["page"], route: null, page: { form: "sooner" } },
  stay: { kinds: ["page"], route: null, page: { form: "stay" } },
  agree: { kinds: ["page"], route: null, page: { form: "agree" } },
  withdraw: { kinds: ["page"], route: null, page: { form: "withdraw" } },
  /** Mails the patient a link that books; the page itself leads to no other appointment. */
  again: { kinds: ["page"], route: null, page: { form: "again" } }
} as const satisfies Record<string, CodePower>
export type CodePowerName = keyof typeof codePowers

export const permits = (kind: CodeKind, power: CodePowerName) =>
  codePowers[power].kinds.some((permitted) => permitted === kind)

/** A new link: the only response that contains its code. */
export const IssuedActionLink = Schema.Struct({
  action: described(LinkAction, "The action that the link permits"),
  code: Schema.String.annotations({
    description: "`aac_…`: the only credential of the link",
    examples: ["aac_example"]
  }),
  url: described(Schema.String, "The hosted page of the link"),
  expires_at: described(UnixSeconds, "7 days after the appointment's end")
})
export type IssuedActionLink = typeof IssuedActionLink.Type

export const JoinWindow = Schema.Struct({
  state: described(oneOf("too_early", "open", "too_late"), "Whether the room can be entered now"),
  opens_at: described(UnixSeconds, "When the room opens, Unix seconds: 10 minutes before the start")
})

/** The context of a link, for the page behind it (Rule 5.4.5). */
export const ActionLinkContext = Schema.Struct({
  action: described(LinkAction, "The action that the link permits"),
  appointment_start: UnixSeconds,
  appointment_end: UnixSeconds.annotations({ examples: [UnixSeconds.make(EXAMPLE_TIME + 1200)] }),
  doctor_display_name: described(Schema.String, "Name of the doctor"),
  appointment_type_name: Schema.String.annotations({
    description: "Name of the appointment type; the kind of meeting where it has none"
  }),
  join_window: described(JoinWindow, "Whether the room can be entered, and when it opens"),
  rebook_allowed: described(Schema.Boolean, "Whether the appointment can be moved now"),
  cancel_allowed: described(Schema.Boolean, "Whether the appointment can be cancelled now"),
  already_actioned: described(Schema.Boolean, "Whether what the link is for has been done"),
  doctor_uid: described(Schema.optional(DoctorUid), "Only of a rebook link"),
  rebooking_mode: Schema.optional(oneOf("same_doctor_only", "any_doctor_same_organisation")).annotations({
    description: "Only of a rebook link"
  })
})
export type ActionLinkContext = typeof ActionLinkContext.Type
