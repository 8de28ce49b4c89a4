/** Who did something, in events and logs. */
import { Schema } from "effect"

/** Roles that an access token may carry. Rule 1.9.7. */
export const Role = Schema.Literal("doctor", "admin", "pharmacy", "operator")
export type Role = typeof Role.Type

export const Actor = Schema.Struct({
  kind: Schema.Literal("patient", "api_key", "action_link", ...Role.literals, "system").annotations({
    description: "By which credential it was done; `system` for the service itself"
  }),
  uid: Schema.String.annotations({ description: "Identifier of the patient, key, link, doctor or administrator" })
})
export type Actor = typeof Actor.Type

export const system: Actor = { kind: "system", uid: "sprechstunde" }

/** Whether it is the patient who acts: rules of notice bind patients, not those who run the practice. */
export const isPatientSide = ({ kind }: { readonly kind: string }) => kind === "patient" || kind === "action_link"
