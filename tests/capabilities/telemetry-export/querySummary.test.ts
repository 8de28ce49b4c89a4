import { expect, test } from "bun:test"
import { querySummary } from "../../../src/capabilities/telemetry-export/layers/querySummary.ts"

const statements: ReadonlyArray<[string, string]> = [
  ["INSERT INTO appointments (uid) VALUES ($1) RETURNING *", "INSERT appointments"],
  ['insert into "appointments" ("uid") values ($1)', "INSERT appointments"],
  ["UPDATE appointments SET status = 'expired' WHERE uid = $1", "UPDATE appointments"],
  ["INSERT INTO a (x) VALUES ($1) ON CONFLICT (x) DO UPDATE SET x = a.x", "INSERT a"],
  ["DELETE FROM events WHERE (owner_uid) IN (SELECT owner_uid FROM events FOR UPDATE SKIP LOCKED)", "DELETE events"],
  ["SELECT * FROM appointments a JOIN doctors d ON true WHERE a.uid = $1", "SELECT appointments"],
  ["SELECT (SELECT count(*) FROM inner_one) FROM outer_one", "SELECT outer_one"],
  ["SELECT EXISTS (SELECT 1 FROM events WHERE owner_uid = $1) AS unplaced", "SELECT events"],
  ["SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", "SELECT pg_advisory_xact_lock"],
  ["SELECT CASE WHEN pg_try_advisory_xact_lock($1) THEN true END AS locked", "SELECT pg_try_advisory_xact_lock"],
  ["SELECT 'UPDATE patients' AS text -- DELETE FROM doctors\n", "SELECT"],
  ["WITH found AS (SELECT uid FROM doctors) SELECT * FROM found JOIN rules ON true", "SELECT rules"],
  [
    "WITH appended AS (INSERT INTO events (id) VALUES ($1) RETURNING *) INSERT INTO webhook_deliveries SELECT * FROM appended",
    "INSERT events INSERT webhook_deliveries"
  ],
  ["SET LOCAL lock_timeout = '3s'", "SET"]
]

test.each(statements)("%s", (statement, summary) => {
  expect(querySummary(statement).summary).toBe(summary)
})

test("operation and collection come from the first part", () => {
  expect(querySummary("SELECT * FROM appointments")).toEqual({
    operation: "SELECT",
    collection: "appointments",
    summary: "SELECT appointments"
  })
})
