/** The actor of an operation, in events and logs. */
import { Schema } from "effect"
import { described } from "../fields.ts"

/** Roles in an access token. Rule 1.9.7. */
export const Role = Schema.Literal("doctor", "admin", "pharmacy", "operator")
export type Role = typeof Role.Type

export const Actor = Schema.Struct({
  kind: Schema.Literal("patient", "api_key", "action_link", ...Role.literals, "system").annotations({
    description: "By which credential it was done; `system` for the service itself"
  }),
  uid: described(Schema.String, "Identifier of the patient, key, link, doctor or administrator")
})
export type Actor = typeof Actor.Type

export const system: Actor = { kind: "system", uid: "sprechstunde" }

/** A caller without credentials, in the audit log. */
export const anonymous = { kind: "anonymous", uid: "anonymous" }

/** Whether the actor is the patient: notice periods apply to patients, not to the practice. */
export const isPatientSide = ({ kind }: { readonly kind: string }) => kind === "patient" || kind === "action_link"
