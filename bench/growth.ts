/**
 * `bun run bench:growth [doctors] [days] [bookings] [history] [events] [deliveries]`: how the cost of a request grows with each of
 * these, as SVG in `docs/growth`. `BENCH_HISTORY`: maximum number of appointments, events and deliveries (default 1,000,000).
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { Client } from "pg"
import { DeliveryRunner } from "../src/services/events/DeliveryRunner.ts"
import { EventLog } from "../src/services/events/EventLog.ts"
import { meetingEvent } from "../tests/events/meetingEvent.ts"
import { runFolder, startTestServer } from "../tests/support/postgres.ts"
import { startServer } from "../tests/support/server.ts"
import { transaction } from "../tests/support/transaction.ts"
import { inDays, makeWorld, random } from "../tests/support/world.ts"
import { familyProcessorOf } from "./harness/measure.ts"

const HISTORY = Number(process.env.BENCH_HISTORY ?? 1_000_000)
/** The selected plots; default: all. */
const wanted = process.argv.slice(2)
const FOLDER = join(import.meta.dir, "../docs/growth")

interface Point {
  readonly size: number
  /** milliseconds of processor time, of this process and PostgreSQL, by the request's name; "" if the plot has one line */
  readonly costs: Readonly<Record<string, number>>
}

interface Plot {
  readonly file: string
  readonly title: string
  readonly axis: string
  readonly points: ReadonlyArray<Point>
}

const SIZES = [0, 1000, 10_000, 100_000, 1_000_000, 10_000_000].filter((size) => size <= HISTORY)
const COLOURS = ["#2563eb", "#c2410c", "#15803d"]

const number = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(2))

/** Both axes are logarithmic: a slope of one is a proportional cost, a horizontal line a constant one. */
const svgOf = ({ title, axis, points }: Plot) => {
  const [width, height, left, bottom] = [640, 320, 70, 50]
  const all = points.flatMap(({ costs }) => Object.values(costs))
  const low = Math.min(...all) / 2
  const high = Math.max(...all) * 2
  const last = Math.log(Math.max(...points.map(({ size }) => size + 1)))
  const x = (size: number) => (left + (Math.log(size + 1) / last) * (width - left - 30)).toFixed(1)
  const y = (cost: number) => 30 + (1 - Math.log(cost / low) / Math.log(high / low)) * (height - 30 - bottom)
  const sizes = points.map(
    ({ size }) =>
      `<text x="${x(size)}" y="${height - bottom + 18}" text-anchor="middle">${size.toLocaleString("en")}</text>`
  )
  const lines = Object.keys(points[0]?.costs ?? {}).map((name, index) => {
    const colour = COLOURS[index] ?? "#555"
    const of = points.map(({ size, costs }) => ({ size, cost: costs[name] ?? Number.NaN }))
    const marks = of.map(
      ({ size, cost }) => `<circle cx="${x(size)}" cy="${y(cost).toFixed(1)}" r="3" fill="${colour}"/>
  <text x="${x(size)}" y="${(y(cost) - 8).toFixed(1)}" text-anchor="middle" fill="${colour}">${number(cost)}</text>`
    )
    const path = of.map(({ size, cost }) => `${x(size)},${y(cost).toFixed(1)}`).join(" ")
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>
  ${marks.join("\n  ")}
  <text x="${width - 20}" y="${40 + index * 14}" text-anchor="end" fill="${colour}">${name}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11" fill="#555">
  <title>${title}</title>
  <text x="${left}" y="16" font-size="13">${title}: milliseconds of processor time</text>
  <path d="M${left} 24V${height - bottom}H${width - 20}" fill="none" stroke="#999"/>
  ${[...sizes, ...lines].join("\n  ")}
  <text x="${width - 20}" y="${height - 8}" text-anchor="end">${axis}</text>
</svg>
`
}

await startTestServer()
const postmaster = Number(readFileSync(join(runFolder(), "data", "postmaster.pid"), "utf8").split("\n")[0])
const server = await startServer({ ROLE: "http" })
const receiver = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })
const database = new Client({ connectionString: server.databaseUrl })
await database.connect()

/** Milliseconds of processor time that `work` takes. */
const processorFor = async (work: () => Promise<unknown>) => {
  const before = [process.cpuUsage(), familyProcessorOf(postmaster)] as const
  await work()
  const { user, system } = process.cpuUsage(before[0])
  return (user + system) / 1000 + familyProcessorOf(postmaster) - before[1]
}

const costOf = async (times: number, request: () => Promise<{ readonly status: number }>) => {
  for (let warm = 0; warm < 6; warm++) await request()
  const cost = await processorFor(async () => {
    for (let turn = 0; turn < times; turn++)
      if ((await request()).status !== 200) throw new Error("the request that is measured fails")
  })
  return cost / times
}

const searchIn = async (doctors: number, days: number, times: number) => {
  const world = await makeWorld(server, { doctors })
  return costOf(times, () => world.search({ to: inDays(1 + days) }))
}

/**
 * Fills a table by `insert`, without triggers and without indexes other than those of constraints. Creating these indexes
 * afterwards is faster.
 */
const filling = async (table: string, insert: () => Promise<unknown>) => {
  const { rows: indexes } = await database.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index i
     WHERE indrelid = $1::regclass AND NOT indisprimary AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`,
    [table]
  )
  for (const { name } of indexes) await database.query(`DROP INDEX ${name}`)
  await database.query(`ALTER TABLE ${table} DISABLE TRIGGER ALL`)
  await insert()
  await database.query(`ALTER TABLE ${table} ENABLE TRIGGER ALL`)
  for (const { definition } of indexes) await database.query(definition)
  await database.query(`VACUUM ANALYZE ${table}`)
  await database.query("CHECKPOINT") // not during the measurement
}

/** Consecutive appointments of 20 doctors in a separate organisation: past ones, or confirmed future ones. */
const filled = async (count: number, status: "completed" | "confirmed") => {
  const world = await makeWorld(server, { doctors: 20 })
  const patient = random("pat")
  const { organisation_uid, shop_uid } = world
  await world.provision({
    patients: [{ uid: patient, organisation_uid, shop_uid, shop_customer_id: "1", profile: {} }]
  })
  const insert = `INSERT INTO appointments (organisation_uid, uid, doctor_uid, patient_uid, appointment_type_uid, slot_group, status,
       meeting_type, meeting_format, start_date, end_date, room_name, created_at, updated_at, confirmed_at)
     SELECT $1, $1 || i, ($2::text[])[1 + i % 20], $3, $4, $1 || i, $5, 'CONSULTATION', 'DIGITAL',
       to_timestamp($6::float8 + (i / 20) * 1200), to_timestamp($6::float8 + (i / 20) * 1200 + 1200), 'room', to_timestamp(0),
       to_timestamp(0), to_timestamp(0)
     FROM generate_series(0, $7::int - 1) i`
  await filling("appointments", () =>
    database.query(insert, [
      organisation_uid,
      world.doctors,
      patient,
      world.type_uid,
      status,
      status === "completed" ? inDays(-1) - (count / 20 + 1) * 1200 : inDays(32),
      count
    ])
  )
  // what the triggers write, which do not run here
  if (status === "confirmed")
    await filling("claims", () =>
      database.query(
        `INSERT INTO claims (organisation_uid, claimed_by, subject_kind, subject_uid, slot_group, during, appointment_type_uid)
          SELECT organisation_uid, uid, 'doctor', doctor_uid, slot_group, tstzrange(start_date, end_date), appointment_type_uid
          FROM appointments WHERE organisation_uid = $1`,
        [organisation_uid]
      )
    )
  await database.query(
    `INSERT INTO appointment_counts SELECT a.organisation_uid, d, a.status, (a.start_date AT TIME ZONE 'UTC')::date, count(*)
     FROM appointments a, LATERAL (VALUES (''), (a.doctor_uid)) doctors (d)
     WHERE a.organisation_uid = $1 AND is_final(a.status) GROUP BY 1, 2, 3, 4`,
    [organisation_uid]
  )
  return world
}

const seriesOf = async (sizes: ReadonlyArray<number>, costs: (size: number) => Promise<Point["costs"]>) => {
  const points: Array<Point> = []
  for (const size of sizes) {
    const point = { size, costs: await costs(size) }
    points.push(point)
    const summary = Object.entries(point.costs).map(([name, cost]) => `${name} ${cost.toFixed(2)} ms`)
    process.stderr.write(`${size}: ${summary.join(", ")}\n`)
  }
  return points
}
const series = (sizes: ReadonlyArray<number>, cost: (size: number) => Promise<number>) =>
  seriesOf(sizes, async (size) => ({ "": await cost(size) }))

const append = (owner: string, count: number) =>
  server.run(
    Effect.flatMap(EventLog, (log) =>
      transaction(log.appendAll(Array.from({ length: count }, (_, n) => meetingEvent(owner, random("apt"), n))))
    )
  )

/** Only the events at both ends of a feed are read and decrypted; the others fill the table. */
const ENDS = 60

const feedIn = async (size: number) => {
  const { organisation_uid: owner, key } = await makeWorld(server, { doctors: 1 })
  const feed = (query: string) => server.api("GET", `/v1/management/events?limit=50${query}`, { key })
  const placed = async () => {
    await append(owner, ENDS)
    return (await feed("")).body.data
  }
  await placed()
  await filling("events", () =>
    database.query(
      `INSERT INTO events (owner_uid, id, owner_kind, type, subject, data_encrypted, feed_position, created_at)
       SELECT $1, 'evt_' || lpad(i::text, 32, '0'), 'organisation', 'patient_doctor_meeting_updated', 'apt_' || md5($1 || i / 4),
         repeat(md5(i::text), 12), i + $2::int, now() - ($3::int - i) * (interval '29 days' / greatest($3::int, 1))
       FROM generate_series(1, $3::int) i`,
      [owner, ENDS, size]
    )
  )
  await placed()
  const { rows } = await database.query<{ id: string }>(
    "SELECT id FROM events WHERE owner_uid = $1 ORDER BY feed_position DESC OFFSET 50 LIMIT 1",
    [owner]
  )
  return {
    "the newest page": await costOf(60, () => feed(`&after=${rows[0]?.id}`)),
    "the oldest page": await costOf(60, () => feed(""))
  }
}

const deliveriesIn = async (size: number) => {
  const { organisation_uid: owner, key } = await makeWorld(server, { doctors: 1 })
  const base = "/v1/management/notification-subscriptions"
  const subscribed = await server.api("POST", base, {
    key,
    body: { notification_type: "PATIENT_DOCTOR_MEETING_UPDATED", url: receiver.url.href }
  })
  const { uid } = subscribed.body
  await filling("webhook_deliveries", () =>
    database.query(
      `INSERT INTO webhook_deliveries (owner_uid, uid, subscription_uid, event_id, event_type, subject, position, status, attempts,
         failed_attempts, created_at, updated_at)
       SELECT $1, 'dlv_' || lpad(i::text, 32, '0'), $2, 'evt_' || md5($1 || i), 'patient_doctor_meeting_updated', 'apt_' || md5($1 || i / 4),
         i, 'delivered', '[{"at": 1, "status_code": 200, "latency_ms": 12, "error": null}]', 0, at, at
       FROM generate_series(1, $3::int) i, LATERAL (SELECT now() - ($3::int - i) * (interval '29 days' / greatest($3::int, 1)) AS at) t`,
      [owner, uid, size]
    )
  )
  await database.query(
    `INSERT INTO webhook_delivery_counts SELECT owner_uid, subscription_uid, status, date_trunc('month', created_at AT TIME ZONE 'UTC'), count(*)
     FROM webhook_deliveries WHERE owner_uid = $1 GROUP BY 1, 2, 3, 4`,
    [owner]
  )
  const deliver = async () => {
    await append(owner, ENDS)
    return processorFor(() => server.run(Effect.flatMap(DeliveryRunner, ({ runDue }) => runDue())))
  }
  await deliver()
  return {
    "a delivery": (await deliver()) / ENDS,
    "first page of the list, with its total": await costOf(20, () =>
      server.api("GET", `${base}/${uid}/deliveries?limit=50`, { key })
    )
  }
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
    points: () => series(SIZES, listIn)
  },
  {
    file: "events",
    title: "A page of 50 of the feed of events",
    axis: "events of the organisation",
    points: () => seriesOf(SIZES, feedIn)
  },
  {
    file: "deliveries",
    title: "Deliveries",
    axis: "deliveries to the subscriber before",
    points: () => seriesOf(SIZES, deliveriesIn)
  }
]
mkdirSync(FOLDER, { recursive: true })
for (const { points, ...plot } of plots)
  if (wanted.length === 0 || wanted.includes(plot.file))
    writeFileSync(join(FOLDER, `${plot.file}.svg`), svgOf({ ...plot, points: await points() }))
await database.end()
await server.stop()
await receiver.stop()
process.exit(0)
