/**
 * `bun bench/waitlist.ts`: what a cancellation costs PostgreSQL for the waiting list, where nobody waits, with 10,000 entries that wait, and
 * with 10,000 for other doctors.
 * EXPLAIN ANALYZE of the statements that the service sends, planning included.
 */

import { rowsAt } from "../tests/support/postgres.ts"
import { startServer } from "../tests/support/server.ts"
import { recording } from "../tests/support/statements.ts"
import { DAY, HOUR, makeWorld, random } from "../tests/support/world.ts"
import { median } from "./harness/measure.ts"

const ENTRIES = 10_000
const [ROUNDS, TIMES] = [9, 12]

const server = await startServer({ ROLE: "http", SANDBOX: "true" })
const world = await makeWorld(server, { doctors: 8 })
const owner = world.organisation_uid
const patient = random("pat")
await world.provision({
  patients: [{ uid: patient, organisation_uid: owner, shop_uid: world.shop_uid, shop_customer_id: "1", profile: {} }]
})
const day = Math.floor((await server.now()) / DAY + 20) * DAY

interface Plan {
  readonly "Planning Time": number
  readonly "Execution Time": number
}
/** Milliseconds of a statement, planning and execution: the least of some, since the machine may do other work. */
const explained = async (text: string, values: ReadonlyArray<unknown>) => {
  let least = { planning: Number.POSITIVE_INFINITY, execution: Number.POSITIVE_INFINITY }
  for (let time = 0; time < TIMES; time++) {
    const [row] = await server.query<{ "QUERY PLAN": ReadonlyArray<Plan> }>(
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
      values as Array<never>
    )
    const plan = row?.["QUERY PLAN"][0]
    if (plan === undefined) continue
    least = {
      planning: Math.min(least.planning, plan["Planning Time"]),
      execution: Math.min(least.execution, plan["Execution Time"])
    }
  }
  return least
}

/** Books a time and cancels it: the milliseconds of each statement of the waiting list, measured again afterwards. */
const cancelled = async (at: number) => {
  const start_date = day + Math.floor(at / 8) * DAY + 8 * HOUR + (at % 8) * HOUR
  const booked = await world.api("POST", "/v1/management/scheduling/appointments", {
    shop_uid: world.shop_uid,
    patient_uid: patient,
    doctor_uid: world.doctors[at % 8],
    appointment_type_uid: world.type_uid,
    start_date
  })
  const path = `/v1/scheduling/appointments/${booked.body.uid}/cancel`
  const { statements } = await recording(() => world.api("POST", path, { reason: null }), server.databaseUrl)
  const own = statements.filter(({ text }) => /waitlist_|limited_period/.test(text) && /^\s*(SELECT|WITH)/.test(text))
  let [milliseconds, planned] = [0, 0]
  for (const { text, values } of own) {
    const { planning, execution } = await explained(text, values)
    milliseconds += execution
    planned += planning
  }
  return { statements: own.length, milliseconds, planned }
}
const measured = async (name: string, first: number) => {
  const all: Array<Awaited<ReturnType<typeof cancelled>>> = []
  for (let round = 0; round < ROUNDS; round++) all.push(await cancelled(first + round))
  const milliseconds = median(all.map((one) => one.milliseconds))
  const statements = median(all.map((one) => one.statements))
  const planned = median(all.map((one) => one.planned))
  console.log(
    `${name}: ${statements} statements, ${milliseconds.toFixed(2)} ms of execution, ${planned.toFixed(2)} of planning`
  )
}

/** As autovacuum does: by the server's owner, since the service's role may not. */
const analysed = () => {
  const address = new URL(process.env.TEST_POSTGRES_URL ?? server.databaseUrl)
  address.pathname = new URL(server.databaseUrl).pathname
  return rowsAt(address.href, "VACUUM ANALYZE waitlist_entries")
}

await measured("nobody waits", 0)
await server.query(
  `INSERT INTO waitlist_entries (organisation_uid, uid, patient_uid, appointment_type_uid, doctor_uids, starts_from, starts_to, weekdays,
      times, minutes, need, need_since, status, actor_kind, actor_uid, wish, created_at, updated_at)
    SELECT $1, 'wle_' || n, $2, $3, CASE h % 3 WHEN 0 THEN ARRAY[($4::text[])[1 + (h / 3) % 8]] ELSE '{}' END,
      to_timestamp($5), to_timestamp($5 + 100 * 86400),
      (ARRAY['{}', '{0,1,2}', '{3,4}', '{5}'])[1 + (h / 100) % 4]::smallint[],
      (ARRAY['[]', '[{"from": 480, "to": 720}]', '[{"from": 900, "to": 1080}]'])[1 + (h / 1000) % 3]::jsonb,
      (ARRAY['{[0,1440)}', '{[480,720)}', '{[900,1080)}'])[1 + (h / 1000) % 3]::int4multirange,
      (ARRAY['routine', 'routine', 'soon', 'urgent'])[1 + (h / 10000) % 4], to_timestamp($5), 'waiting', 'api_key', 'key', n::text,
      to_timestamp($5 + n), to_timestamp($5 + n)
    FROM generate_series(1, ${ENTRIES}) n, LATERAL (SELECT abs(hashint4(n)) AS h) hash`,
  [owner, patient, world.type_uid, world.doctors, day - 10 * DAY] as Array<never>
)
await analysed()
await measured(`${ENTRIES} entries wait`, 100)
await server.query("UPDATE waitlist_entries SET doctor_uids = ARRAY['other']")
await analysed()
await measured(`${ENTRIES} entries wait for another doctor`, 200)
await server.stop()
process.exit(0)
