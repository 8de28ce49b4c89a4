/** A key bound to a pharmacy, or to a group of them, is bound to one that exists. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const pharmacyKeys = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE api_keys ADD FOREIGN KEY (pharmacy_uid) REFERENCES pharmacies`
  yield* sql`ALTER TABLE api_keys ADD FOREIGN KEY (pharmacy_group_uid) REFERENCES pharmacy_groups`
})
