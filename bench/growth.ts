/**
 * `bun run bench:growth [doctors] [days] [bookings] [history]`: how the cost of a request grows with doctors, days, bookings and history, as SVG in `docs/growth`.
 * `BENCH_HISTORY` is the longest history, in appointments (1,000,000).
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Client } from "pg"
import { runFolder, startTestServer } from "../tests/support/postgres.ts"
import { startServer } from "../tests/support/server.ts"
import { inDays, makeWorld, random } from "../tests/support/world.ts"
import { familyProcessorOf } from "./harness/measure.ts"

const HISTORY = Number(process.env.BENCH_HISTORY ?? 1_000_000)
/** The plots that are wanted; all without an argument. */
const wanted = process.argv.slice(2)
const FOLDER = join(import.meta.dir, "../docs/growth")

interface Point {
  readonly size: number
  /** milliseconds of processor time, of this process and PostgreSQL */
  readonly cost: number
}

interface Plot {
  readonly file: string
  readonly title: string
  readonly axis: string
  readonly points: ReadonlyArray<Point>
}

const number = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(2))

/** Both axes logarithmic: a straight line that rises one for one is proportional, a level one costs the same. */
const svgOf = ({ title, axis, points }: Plot) => {
  const [width, height, left, bottom] = [640, 320, 70, 50]
  const low = Math.min(...points.map(({ cost }) => cost)) / 2
  const high = Math.max(...points.map(({ cost }) => cost)) * 2
  const last = Math.log(Math.max(...points.map(({ size }) => size + 1)))
  const x = (size: number) => left + (Math.log(size + 1) / last) * (width - left - 30)
  const y = (cost: number) => 30 + (1 - Math.log(cost / low) / Math.log(high / low)) * (height - 30 - bottom)
  const marks = points.map(
    ({ size, cost }) => `<circle cx="${x(size).toFixed(1)}" cy="${y(cost).toFixed(1)}" r="3"/>
  <text x="${x(size).toFixed(1)}" y="${(y(cost) - 8).toFixed(1)}" text-anchor="middle">${number(cost)}</text>
  <text x="${x(size).toFixed(1)}" y="${height - bottom + 18}" text-anchor="middle">${size.toLocaleString("en")}</text>`
  )
  const line = points.map(({ size, cost }) => `${x(size).toFixed(1)},${y(cost).toFixed(1)}`).join(" ")
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11" fill="#555">
  <title>${title}</title>
  <text x="${left}" y="16" font-size="13">${title}: milliseconds of processor time</text>
  <path d="M${left} 24V${height - bottom}H${width - 20}" fill="none" stroke="#999"/>
  <polyline points="${line}" fill="none" stroke="#2563eb" stroke-width="2"/>
  ${marks.join("\n  ")}
  <text x="${width - 20}" y="${height - 8}" text-anchor="end">${axis}</text>
</svg>
`
}

await startTestServer()
const postmaster = Number(readFileSync(join(runFolder(), "data", "postmaster.pid"), "utf8").split("\n")[0])
const server = await startServer({ ROLE: "http" })
const database = new Client({ connectionString: server.databaseUrl })
await database.connect()

const costOf = async (times: number, request: () => Promise<{ readonly status: number }>) => {
  for (let warm = 0; warm < 6; warm++) await request()
  const before = [process.cpuUsage(), familyProcessorOf(postmaster)] as const
  for (let turn = 0; turn < times; turn++)
    if ((await request()).status !== 200) throw new Error("the request that is measured fails")
  const { user, system } = process.cpuUsage(before[0])
  return ((user + system) / 1000 + familyProcessorOf(postmaster) - before[1]) / times
}

const searchIn = async (doctors: number, days: number, times: number) => {
  const world = await makeWorld(server, { doctors })
  return costOf(times, () => world.search({ to: inDays(1 + days) }))
}

/** Appointments of an organisation of its own, one after the other, of 20 doctors: ended ones, or confirmed ones to come. */
const filled = async (count: number, status: "completed" | "confirmed") => {
  const world = await makeWorld(server, { doctors: 20 })
  const patient = random("pat")
  const { organisation_uid, shop_uid } = world
  await world.provision({
    patients: [{ uid: patient, organisation_uid, shop_uid, shop_customer_id: "1", profile: {} }]
  })
  await database.query("ALTER TABLE appointments DISABLE TRIGGER ALL")
  await database.query(
    `INSERT INTO appointments (organisation_uid, uid, doctor_uid, patient_uid, appointment_type_uid, slot_group, status,
       meeting_type, meeting_format, start_date, end_date, room_name, created_at, updated_at, confirmed_at)
     SELECT $1, $1 || i, ($2::text[])[1 + i % 20], $3, $4, $1 || i, $5, 'CONSULTATION', 'DIGITAL',
       to_timestamp($6::float8 + (i / 20) * 1200), to_timestamp($6::float8 + (i / 20) * 1200 + 1200), 'room', to_timestamp(0),
       to_timestamp(0), to_timestamp(0)
     FROM generate_series(0, $7::int - 1) i`,
    [
      organisation_uid,
      world.doctors,
      patient,
      world.type_uid,
      status,
      status === "completed" ? inDays(-1) - (count / 20 + 1) * 1200 : inDays(32),
      count
    ]
  )
  await database.query("ALTER TABLE appointments ENABLE TRIGGER ALL")
  await database.query(
    `INSERT INTO appointment_counts SELECT a.organisation_uid, d, a.status, (a.start_date AT TIME ZONE 'UTC')::date, count(*)
     FROM appointments a, LATERAL (VALUES (''), (a.doctor_uid)) doctors (d)
     WHERE a.organisation_uid = $1 AND is_final(a.status) GROUP BY 1, 2, 3, 4`,
    [organisation_uid]
  )
  await database.query("VACUUM ANALYZE appointments")
  await database.query("CHECKPOINT") // or its work falls into the measurement
  return world
}

const series = async (sizes: ReadonlyArray<number>, cost: (size: number) => Promise<number>) => {
  const points: Array<Point> = []
  for (const size of sizes) {
    points.push({ size, cost: await cost(size) })
    process.stderr.write(`${size}: ${points.at(-1)?.cost.toFixed(2)} ms\n`)
  }
  return points
}

const listIn = async (size: number) => {
  const world = await filled(size, "completed")
  const path = "/v1/management/scheduling/appointments?status=all&from=0&limit=50"
  return costOf(60, () => server.api("GET", path, { key: world.key }))
}

const plots: ReadonlyArray<Omit<Plot, "points"> & { readonly points: () => Promise<ReadonlyArray<Point>> }> = [
  {
    file: "doctors",
    title: "Search of one day",
    axis: "doctors",
    points: () => series([1, 10, 100, 1000], (size) => searchIn(size, 1, size > 100 ? 5 : 20))
  },
  {
    file: "days",
    title: "Search of 8 doctors",
    axis: "days",
    points: () => series([1, 7, 14, 31], (size) => searchIn(8, size, 15))
  },
  {
    file: "bookings",
    title: "Search of one day, 20 doctors, beside other bookings",
    axis: "confirmed appointments of the organisation on later days",
    points: () =>
      series([0, 1000, 10_000, 100_000], async (size) => {
        const world = await filled(size, "confirmed")
        return costOf(60, () => world.search())
      })
  },
  {
    file: "history",
    title: "First page of all appointments, with its total",
    axis: "ended appointments",
    points: () =>
      series(
        [0, 1000, 10_000, 100_000, 1_000_000, 10_000_000].filter((size) => size <= HISTORY),
        listIn
      )
  }
]
mkdirSync(FOLDER, { recursive: true })
for (const { points, ...plot } of plots)
  if (wanted.length === 0 || wanted.includes(plot.file))
    writeFileSync(join(FOLDER, `${plot.file}.svg`), svgOf({ ...plot, points: await points() }))
await database.end()
await server.stop()
process.exit(0)
