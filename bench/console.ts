/**
 * `bun bench/console.ts`: the practice's calendar with 10,000 appointments in one week, page by page as a browser gets it.
 * Prints processor time of the service for a page, PostgreSQL's not included, and the page's size.
 */
import { gzipSync } from "node:zlib"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { signedIn } from "../tests/support/console.ts"
import { startServer } from "../tests/support/server.ts"
import { inDays, makeWorld } from "../tests/support/world.ts"

const APPOINTMENTS = 10_000
const DOCTORS = 50
const SLOT = 1_200
const ROUNDS = 30
const DAY = 86_400

const server = await startServer({ ROLE: "http" })
const world = await makeWorld(server, { doctors: DOCTORS })
const today = inDays(7)
const monday = today - ((Math.floor(today / DAY) + 3) % 7) * DAY
await world.booked(inDays(30, 9))

/** Forty a doctor and day, on five days, copied from one that was booked. */
await server.run(
  Effect.flatMap(
    SqlClient.SqlClient,
    (
      sql
    ) => sql`INSERT INTO appointments (organisation_uid, uid, doctor_uid, patient_uid, appointment_type_uid, slot_group,
        status, meeting_type, meeting_format, start_date, end_date, room_name, created_at, updated_at, confirmed_at)
      SELECT a.organisation_uid, 'apt_' || i, d.uid, a.patient_uid, a.appointment_type_uid, 'apt_' || i, 'confirmed',
        a.meeting_type, a.meeting_format, s.start, s.start + make_interval(secs => ${SLOT}), a.room_name,
        a.created_at, a.updated_at, a.confirmed_at
      FROM appointments a, generate_series(0, ${APPOINTMENTS - 1}::int) i,
        LATERAL (SELECT uid FROM doctors WHERE organisation_uid = a.organisation_uid ORDER BY uid
          OFFSET i % ${DOCTORS} LIMIT 1) d,
        LATERAL (SELECT to_timestamp(${monday} + (i / ${DOCTORS} / 40) * ${DAY} + (i / ${DOCTORS} % 40) * ${SLOT}) AS start) s
      WHERE a.organisation_uid = ${world.organisation_uid}`
  )
)

const browser = await signedIn(server, ["admin", world.organisation_uid, world.organisation_uid])
const week = new Date(monday * 1000).toISOString().slice(0, 10)
const spent: Array<number> = []
let bytes = 0
let wire = 0
for (let round = 0; round < ROUNDS; round++) {
  const doctor = world.doctors[round % DOCTORS] ?? ""
  const before = process.cpuUsage()
  const { status, text } = await browser.ask(`/console/practice?week=${week}&doctor=${doctor}`)
  const { user, system } = process.cpuUsage(before)
  if (status !== 200) throw new Error(`${status} ${text.slice(0, 500)}`)
  bytes = Buffer.byteLength(text)
  wire = gzipSync(text).byteLength
  spent.push((user + system) / 1000)
}
// the first pages are compiled while they are made
const settled = spent.slice(ROUNDS / 3).sort((a, b) => a - b)
const at = (part: number) => settled[Math.floor(part * (settled.length - 1))]?.toFixed(1)
console.log(
  `${APPOINTMENTS} appointments of ${DOCTORS} doctors in a week; a page of ${bytes} bytes, ${wire} on the wire`
)
console.log(`processor time: median ${at(0.5)} ms, most ${at(1)} ms, the first page ${spent[0]?.toFixed(1)} ms`)
await server.stop()
