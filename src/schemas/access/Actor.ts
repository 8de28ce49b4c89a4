/** Who did something; stands in events and logs. */
import { Schema } from "effect"

export const Actor = Schema.Struct({
  kind: Schema.Literal("patient", "api_key", "action_link", "doctor", "admin", "system"),
  uid: Schema.String
})
export type Actor = typeof Actor.Type

export const system: Actor = { kind: "system", uid: "sprechstunde" }
