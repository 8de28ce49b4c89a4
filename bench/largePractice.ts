/**
 * `bun bench/largePractice.ts [rounds]`: what a bulk move and an anonymous slot search cost in a practice of the largest allowed size
 * (2,000 doctors), and in one of 20 doctors beside 100,000 appointments (`BENCH_HISTORY`). Milliseconds of processor time, service + PostgreSQL.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Client } from "pg"
import { runFolder, startTestServer } from "../tests/support/postgres.ts"
import { startServer } from "../tests/support/server.ts"
import { recording } from "../tests/support/statements.ts"
import { inDays, makeWorld, random, type World } from "../tests/support/world.ts"
import { familyProcessorOf, median } from "./harness/measure.ts"

const OTHERS = Number(process.env.BENCH_HISTORY ?? 100_000)
const [rounds = "5", only] = process.argv.slice(2)
const ROUNDS = Number(rounds)
const MINUTES = 20

await startTestServer()
const postmaster = Number(readFileSync(join(runFolder(), "data", "postmaster.pid"), "utf8").split("\n")[0])
const server = await startServer({ ROLE: "http", RATE_LIMIT_PER_SECOND: "0" })
const database = new Client({ connectionString: server.databaseUrl })
await database.connect()

const costOf = async <A>(work: () => Promise<A>) => {
  const [own, postgres] = [process.cpuUsage(), familyProcessorOf(postmaster)]
  const result = await work()
  const { user, system } = process.cpuUsage(own)
  return { result, service: (user + system) / 1000, postgres: familyProcessorOf(postmaster) - postgres }
}
type Cost = Omit<Awaited<ReturnType<typeof costOf>>, "result">
const report = (name: string, costs: ReadonlyArray<Cost>, times = 1) => {
  const of = (one: (cost: Cost) => number) => median(costs.map(one)) / times
  const [service, postgres] = [of((cost) => cost.service), of((cost) => cost.postgres)]
  const all = costs.map((cost) => ((cost.service + cost.postgres) / times).toFixed(1)).join(" ")
  console.log(
    `${name}: ${service.toFixed(1)} + ${postgres.toFixed(1)} = ${(service + postgres).toFixed(1)} ms (${all})`
  )
}

/** Confirmed appointments: `count` of each of `doctors`, one after the other from `start` on, each with a patient of its own. */
const fill = async (world: World, doctors: ReadonlyArray<string>, count: number, start: number, patients: number) => {
  const { organisation_uid, shop_uid, type_uid } = world
  const prefix = random("x")
  // without triggers, which count and audit each row
  await database.query("SET session_replication_role = replica")
  await database.query(
    `INSERT INTO patients (organisation_uid, uid, shop_uid, shop_customer_id, profile, created_at, updated_at)
     SELECT $1, 'pat_' || $2 || i, $3, $2 || i, '{"first_name": "A", "last_name": "B", "email": "a@example.org"}', now(), now()
     FROM generate_series(0, $4::int - 1) i`,
    [organisation_uid, prefix, shop_uid, patients]
  )
  await database.query(
    `INSERT INTO appointments (organisation_uid, uid, doctor_uid, patient_uid, appointment_type_uid, slot_group, status,
       meeting_type, meeting_format, start_date, end_date, room_name, created_at, updated_at, confirmed_at)
     SELECT $1, 'apt_' || $2 || d.place || '_' || i, d.uid, 'pat_' || $2 || i % $8::int, $3, 'apt_' || $2 || d.place || '_' || i, 'confirmed',
       'CONSULTATION', 'DIGITAL', to_timestamp($4::float8 + i * $5::int), to_timestamp($4::float8 + (i + 1) * $5::int), 'room',
       now(), now(), now()
     FROM generate_series(0, $6::int - 1) i, unnest($7::text[]) WITH ORDINALITY d (uid, place)`,
    [organisation_uid, prefix, type_uid, start, MINUTES * 60, count, doctors, patients]
  )
  await database.query("RESET session_replication_role")
  await database.query("ANALYZE appointments, patients")
}

const MOVE = "/v1/management/scheduling/appointments/bulk-move"
/** One figure for each request: those that a request leaves are requested again. */
const moves = async (name: string, world: World, count: number) => {
  const costs: Array<Cost> = []
  for (let round = 0; round <= ROUNDS; round++) {
    const from = inDays(2 + round * 6)
    await fill(world, [world.doctor], count, from, count)
    const body = { doctor_uid: world.doctor, from, to: from + Math.max(86_400, count * MINUTES * 60) }
    for (let moved = 0; moved < count; ) {
      const { result, ...cost } = await costOf(() => server.api("POST", MOVE, { key: world.key, body }))
      if (result.status !== 200 || result.body.moved.length === 0) throw new Error(`${name}: ${result.status}`)
      moved += result.body.moved.length
      if (round > 0) costs.push(cost)
    }
  }
  report(`${name}, ${count} in ${(costs.length / ROUNDS).toFixed(1)} requests`, costs)
}

const searches = async (name: string, world: World, body: Readonly<Record<string, unknown>>) => {
  const times = 10
  const costs: Array<Cost> = []
  for (let round = 0; round <= ROUNDS; round++) {
    const cost = await costOf(async () => {
      for (let turn = 0; turn < times; turn++) {
        const { status } = await world.search(body)
        if (status !== 200) throw new Error(`${name}: ${status}`)
      }
    })
    if (round > 0) costs.push(cost)
  }
  report(name, costs, times)
}

const only_ = (name: string) => only === undefined || only.split(",").includes(name)

if (only_("small")) {
  const small = await makeWorld(server, { doctors: 20, organisation: { messages: ["rebooking"] } })
  await fill(small, small.doctors, OTHERS / 20, inDays(400), 10_000)
  await moves("20 doctors, many appointments, any doctor", small, 50)
  await moves("20 doctors, many appointments, any doctor", small, 200)
  const { statements } = await recording(async () => {
    const from = inDays(300)
    await fill(small, [small.doctor], 10, from, 10)
    await server.api("POST", MOVE, { key: small.key, body: { doctor_uid: small.doctor, from, to: from + 86_400 } })
  })
  const texts = Map.groupBy(statements, ({ text }) => text.replaceAll(/\s+/g, " ").slice(0, 110))
  for (const [text, some] of [...texts].toSorted(([, a], [, b]) => b.length - a.length)) console.log(some.length, text)
}
if (only_("cancel")) {
  // Each cancellation has an event, two deliveries and a mail
  const world = await makeWorld(server, { doctors: 50, organisation: { messages: ["cancellation"] } })
  await fill(world, world.doctors, OTHERS / 50, inDays(400), 10_000)
  for (const receiver of [1, 2]) {
    const body = {
      url: `https://receiver${receiver}.example/events`,
      notification_type: "PATIENT_DOCTOR_MEETING_UPDATED"
    }
    const { status } = await server.api("POST", "/v1/management/notification-subscriptions", { key: world.key, body })
    if (status !== 201) throw new Error(`subscription: ${status}`)
  }
  const costs: Array<Cost> = []
  for (let round = 0; round <= ROUNDS; round++) {
    const from = inDays(2 + round)
    await fill(world, world.doctors, 20, from, 1_000)
    const body = { from, to: from + 86_400, reason: "The practice is closed" }
    const { result, ...cost } = await costOf(() =>
      server.api("POST", "/v1/management/scheduling/appointments/bulk-cancel", { key: world.key, body })
    )
    if (result.status !== 200 || result.body.cancelled.length !== 1_000) throw new Error(`cancel: ${result.status}`)
    if (round > 0) costs.push(cost)
  }
  report("bulk-cancel of 1,000", costs)
}
if (only_("large")) {
  const large = await makeWorld(server, { doctors: 2_000 })
  await fill(large, large.doctors, 10, inDays(1), 1_000)
  await searches("search of 2,000 doctors, one day, limit 10", large, { limit: 10 })
  await searches("search of 2,000 doctors, one day, limit 200", large, { limit: 200 })
  await searches("search of 2,000 doctors, 31 days, limit 10", large, { limit: 10, to: inDays(32) })
  await searches("search of 2,000 doctors, one hour", large, { to: inDays(1, 1) })
  await moves("2,000 doctors, any doctor", large, 50)
  await moves("2,000 doctors, any doctor", large, 200)
  // A closed day before one whose mornings are booked: every doctor's calendar is looked at for each of 200 appointments
  const closed = await makeWorld(server, { doctors: 2_000 })
  await fill(closed, closed.doctors.slice(0, 200), 1, inDays(2), 200)
  await fill(closed, closed.doctors, 36, inDays(3), 1_000)
  const body = { from: inDays(2), to: inDays(3), dry_run: true }
  const costs: Array<Cost> = []
  for (let round = 0; round < ROUNDS; round++) {
    const { result, ...cost } = await costOf(() => server.api("POST", MOVE, { key: closed.key, body }))
    if (result.status !== 200) throw new Error(`dry run: ${result.status}`)
    costs.push(cost)
  }
  report("2,000 doctors, dry run for 200", costs)
}
await database.end()
await server.stop()
process.exit(0)
