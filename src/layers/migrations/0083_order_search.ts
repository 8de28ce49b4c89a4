/** Part of an order's uid, name or prescription is found without reading every order that the pharmacy ever had. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const orderSearch = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // the very expression of OrdersRepo's search
  yield* sql`CREATE INDEX pharmacy_orders_search ON pharmacy_orders USING gin
    (lower(uid || E'\n' || name || E'\n' || coalesce(prescription_uid, '')) gin_trgm_ops)`
})
