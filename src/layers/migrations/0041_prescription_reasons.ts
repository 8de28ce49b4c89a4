/** Why a prescription was called off, beside who did it and when. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const prescriptionReasons = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE prescription_log ADD COLUMN reason text`
})
