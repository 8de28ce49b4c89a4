import { Schema } from "effect"
import { described, UnixSeconds } from "../../../schemas/fields.ts"

/** A process of the service, as it reports itself. */
export const Replica = Schema.Struct({
  uid: described(Schema.String, "Identifier of the process, made at its start"),
  host: described(Schema.String, "Name of its machine or container"),
  role: described(Schema.Literal("all", "http", "worker"), "Its `ROLE`"),
  version: described(Schema.String, "Version of the service that it runs"),
  started_at: UnixSeconds,
  seen_at: described(UnixSeconds, "When it last reported itself; it does so once a minute")
}).annotations({ identifier: "Replica" })
export type Replica = typeof Replica.Type
