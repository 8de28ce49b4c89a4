/** Routed rows of a range of days, sorted by what they are not filtered by, are read from the index alone. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const payoutRanges = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP INDEX payouts_by_route`
  yield* sql`CREATE INDEX payouts_by_route ON payouts
    (pharmacy_uid, status, routing_created_at NULLS FIRST, pharmacy_order_uid, component_type)
    INCLUDE (pharmacy_order_created_at, amount)`
})
