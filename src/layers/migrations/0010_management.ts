/** What the management of scheduling needs: rules that make sense, and lists that are walked along an index. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const management = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE availability_rules ADD CONSTRAINT availability_rules_validity CHECK (valid_from < valid_until)`

  // The order of lists. Uids go by their bytes, whatever the database's own collation is.
  yield* sql`DROP INDEX appointments_by_start`
  yield* sql`CREATE INDEX appointments_by_start ON appointments (organisation_uid, start_date, uid COLLATE "C")`
  // For counting them: few distinct values, so that the index is small, and no row is read.
  yield* sql`CREATE INDEX appointments_by_status ON appointments (organisation_uid, status, start_date)`
  yield* sql`CREATE INDEX appointments_by_doctor ON appointments (organisation_uid, doctor_uid, start_date)`
})
