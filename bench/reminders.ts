/**
 * `bun run bench:reminders`: the rows that a run of the reminder task reads, with 1,000,000 confirmed appointments of which 100
 * have a due reminder, and the plan.
 */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { OrganisationUid } from "../src/schemas/ids.ts"
import { DueRepo } from "../src/services/scheduling/reminders/DueRepo.ts"
import { Owners } from "../src/services/tenancy/Owners.ts"
import { startServer } from "../tests/support/server.ts"
import { makeWorld, random, type World } from "../tests/support/world.ts"

const ORGANISATIONS = 50
const DOCTORS = 20
const COUNT = 1_000_000
const EACH = COUNT / ORGANISATIONS
const DUE = 100
const ROUNDS = 51
const SLOT = 1200
const MINUTES = [1440, 120]
const NOW = Math.floor(Date.now() / 1000)

const server = await startServer({ ROLE: "http" })

/** 20,000 appointments, consecutive for each doctor, starting a day ago; reminders before now are sent. */
const fill = ({ organisation_uid, doctors, type_uid }: World, patient: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`INSERT INTO appointments (organisation_uid, uid, doctor_uid, patient_uid, appointment_type_uid,
      slot_group, status, meeting_type, meeting_format, start_date, end_date, room_name, created_at, updated_at, confirmed_at)
    SELECT ${organisation_uid}, ${organisation_uid} || i, (${doctors as never}::text[])[1 + i % ${DOCTORS}], ${patient},
      ${type_uid}, ${organisation_uid} || i, 'confirmed', 'CONSULTATION', 'DIGITAL', t.start,
      t.start + make_interval(secs => ${SLOT}), 'room', to_timestamp(0), to_timestamp(0), to_timestamp(0)
    FROM generate_series(0, ${EACH - 1}::int) i,
      LATERAL (SELECT to_timestamp(${NOW} - 86400 + 600 + (i / ${DOCTORS}) * ${SLOT})) AS t (start)`
  )

/** The task does not depend on the overlap constraint, and checking it a million times takes longer than the benchmark. */
await server.run(
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`ALTER TABLE claims DROP CONSTRAINT claims_no_overlap`)
)

for (let n = 0; n < ORGANISATIONS; n++) {
  const world = await makeWorld(server, { doctors: DOCTORS })
  const { organisation_uid, shop_uid, type_uid } = world
  const patient = random("pat")
  await world.provision({
    patients: [{ uid: patient, organisation_uid, shop_uid, shop_customer_id: "1", profile: {} }],
    reminders: MINUTES.map((minutes_before) => ({
      uid: random("rem"),
      appointment_type_uid: type_uid,
      recipient_role: "patient",
      minutes_before
    }))
  })
  await server.run(fill(world, patient))
}

/** All reminders are published except those of `DUE` appointments, which become due in this minute. */
const settle = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const moment = sql.literal("a.start_date - make_interval(mins => r.minutes_before)")
  yield* sql`UPDATE reminders SET effective_from = to_timestamp(0)`
  yield* sql`INSERT INTO published_reminders
    SELECT r.organisation_uid, a.uid, r.uid, r.minutes_before, a.start_date FROM reminders r JOIN appointments a
      ON a.organisation_uid = r.organisation_uid AND a.appointment_type_uid = r.appointment_type_uid
    WHERE ${moment} <= to_timestamp(${NOW})`
  yield* sql`DELETE FROM published_reminders WHERE (organisation_uid, appointment_uid, reminder_uid) IN (
    SELECT p.organisation_uid, p.appointment_uid, p.reminder_uid FROM published_reminders p
    JOIN reminders r ON r.organisation_uid = p.organisation_uid AND r.uid = p.reminder_uid
    WHERE p.start_date > to_timestamp(${NOW}) AND r.minutes_before = 120
    ORDER BY p.start_date DESC, p.appointment_uid LIMIT ${DUE})`
  yield* sql`INSERT INTO reminder_watermarks SELECT organisation_uid, uid, minutes_before, to_timestamp(${NOW - 700})
    FROM reminders`
  for (const table of ["appointments", "reminders", "published_reminders", "reminder_watermarks"])
    yield* sql`VACUUM ANALYZE ${sql(table)}`
})
await server.run(settle)

const times: Array<number> = []
let found = 0
const tick = Effect.gen(function* () {
  const repo = yield* DueRepo
  const owners = yield* (yield* Owners).found(repo.dueOwners(NOW))
  const taken = yield* Effect.forEach(owners, (owner) => repo.take(OrganisationUid.make(owner), NOW, 200))
  return taken.flat()
}).pipe(Effect.provide([DueRepo.Default, Owners.Default]))
for (let i = 0; i < ROUNDS; i++) {
  const begun = performance.now()
  found = (await server.run(tick)).length
  times.push(performance.now() - begun)
}
const sorted = times.toSorted((a, b) => a - b)
console.table([
  {
    appointments: COUNT,
    reminders: ORGANISATIONS * MINUTES.length,
    due: found,
    "median (ms)": +(sorted[ROUNDS >> 1] ?? Number.NaN).toFixed(2),
    "slowest (ms)": +(sorted.at(-1) ?? Number.NaN).toFixed(2)
  }
])

const plan = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [text, parameters] = (yield* DueRepo).dueOwners(NOW).compile()
  const rows = yield* sql.unsafe<{ "QUERY PLAN": string }>(`EXPLAIN (ANALYZE, BUFFERS) ${text}`, [...parameters])
  return rows.map((row) => row["QUERY PLAN"]).join("\n")
}).pipe(Effect.provide(DueRepo.Default))
console.log(await server.run(plan))
await server.stop()
process.exit(0)
