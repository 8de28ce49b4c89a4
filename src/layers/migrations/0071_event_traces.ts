/** An event remembers the trace that it comes from, so that its webhooks join it. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const eventTraces = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE events ADD COLUMN traceparent text`
})
