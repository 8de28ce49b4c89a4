/**
 * `bun run bench:appointments`: the first and the last page of 100,000 appointments on an embedded database, as the
 * management list reads them, with the plan that the database makes for each.
 */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { AppointmentLists } from "../src/services/scheduling/appointments/AppointmentLists.ts"
import { startServer } from "../tests/support/server.ts"
import { makeWorld, random } from "../tests/support/world.ts"

const COUNT = 100_000
const BATCH = 5_000
const ROUNDS = 101
const FROM = 1_800_000_000

// Without workers: an open snapshot of theirs would keep the vacuum below from what the counting stands on.
const server = await startServer({ ROLE: "http" })
const world = await makeWorld(server, { doctors: 20 })
const patient = random("pat")
const { organisation_uid, shop_uid } = world
await world.provision({ patients: [{ uid: patient, organisation_uid, shop_uid, shop_customer_id: "1", profile: {} }] })

/** One in ten is cancelled; the others are confirmed, 5,000 a doctor, one after the other. */
const batch = (from: number, to: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`INSERT INTO appointments (organisation_uid, uid, doctor_uid, patient_uid, appointment_type_uid,
      slot_group, status, meeting_type, meeting_format, start_date, end_date, room_name, created_at, updated_at, confirmed_at,
      cancelled_at)
    SELECT ${organisation_uid}, 'apt_' || i, (${world.doctors}::text[])[1 + i % 20], ${patient}, ${world.type_uid},
      'apt_' || i, CASE WHEN i % 10 = 0 THEN 'cancelled' ELSE 'confirmed' END, 'CONSULTATION', 'DIGITAL',
      to_timestamp(${FROM} + (i / 20) * 1200), to_timestamp(${FROM} + (i / 20) * 1200 + 1200), 'room',
      to_timestamp(0), to_timestamp(0), to_timestamp(0), CASE WHEN i % 10 = 0 THEN to_timestamp(0) END
    FROM generate_series(${from}::int, ${to - 1}::int) i`
  )
const fill = Effect.gen(function* () {
  for (let from = 0; from < COUNT; from += BATCH) yield* batch(from, from + BATCH)
  yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`VACUUM ANALYZE appointments`)
})
await server.run(fill)

const median = (times: ReadonlyArray<number>) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN

const cases = [
  ["status=all, page 0", { status: "all" as const, page: 0 }],
  ["status=all, the last page", { status: "all" as const, page: COUNT / 50 - 1 }],
  ["held and confirmed, page 0", { page: 0 }],
  ["held and confirmed, the last page", { page: (COUNT * 0.9) / 50 - 1 }],
  ["one doctor, the last page", { doctor_uid: world.doctors[1] as never, page: 99 }]
] as const

const rows = []
for (const [what, query] of cases) {
  const program = Effect.flatMap(AppointmentLists, ({ list }) =>
    list(organisation_uid as never, { limit: 50, ...query })
  )
  const times: Array<number> = []
  let shown = 0
  for (let i = 0; i < ROUNDS; i++) {
    const begun = performance.now()
    shown = (await server.run(program)).data.length
    times.push(performance.now() - begun)
  }
  rows.push({
    list: what,
    rows: shown,
    "median (ms)": +median(times).toFixed(2),
    "fastest (ms)": +Math.min(...times).toFixed(2)
  })
}
console.table(rows)

const plans = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const within = sql`organisation_uid = ${organisation_uid} AND start_date >= to_timestamp(${FROM})`
  const page = sql`SELECT uid FROM appointments WHERE ${within} AND status = 'confirmed'`
  for (const query of [
    sql`SELECT count(*) FROM appointments WHERE ${within} AND status = 'confirmed'`,
    sql`${page} ORDER BY start_date, uid COLLATE "C" LIMIT 50`,
    sql`${page} ORDER BY start_date DESC, uid COLLATE "C" DESC LIMIT 50`
  ]) {
    const plan = yield* sql<{ "QUERY PLAN": string }>`EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ${query}`
    yield* Effect.sync(() => console.log(plan.map((line) => line["QUERY PLAN"]).join("\n"), "\n"))
  }
})
await server.run(plans)
await server.stop()
process.exit(0)
