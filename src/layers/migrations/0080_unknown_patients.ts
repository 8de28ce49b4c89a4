/** A shop's order need not say whom it is for: an unknown name is none, as an unknown date of birth is. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const unknownPatients = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE prescriptions ALTER COLUMN first_name DROP NOT NULL, ALTER COLUMN last_name DROP NOT NULL`
  yield* sql`UPDATE prescriptions SET first_name = nullif(first_name, ''), last_name = nullif(last_name, '')
    WHERE '' IN (first_name, last_name)`
})
