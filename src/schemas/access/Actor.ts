/** Who did something; stands in events and logs. */
import { Schema } from "effect"

export const Actor = Schema.Struct({
  kind: Schema.Literal("patient", "api_key", "action_link", "doctor", "admin", "system").annotations({
    description: "By which credential it was done; `system` for the service itself"
  }),
  uid: Schema.String.annotations({ description: "Identifier of the patient, key, link, doctor or administrator" })
})
export type Actor = typeof Actor.Type

export const system: Actor = { kind: "system", uid: "sprechstunde" }
