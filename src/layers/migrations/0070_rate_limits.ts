/** Buckets of the shared rate limiter. Worth nothing after a crash, so nothing of it is written ahead. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const rateLimits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE UNLOGGED TABLE rate_limit_buckets (
    key text PRIMARY KEY,
    full_at double precision NOT NULL)`
})
