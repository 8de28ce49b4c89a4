/** A shop's order that no pharmacy can fill yet is kept as it was told, to be made as soon as one can. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const waitingOrders = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE storefront_orders ADD COLUMN waiting jsonb, ADD COLUMN waiting_since timestamptz,
    ADD CHECK ((waiting IS NULL) = (waiting_since IS NULL))`
  yield* sql`CREATE INDEX storefront_orders_waiting ON storefront_orders (waiting_since) WHERE waiting IS NOT NULL`
})
