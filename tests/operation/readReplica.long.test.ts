/** DATABASE_URL_READ: reads on a standby see everything that was written before (Rule 14.2.28). */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { eventually } from "../support/eventually.ts"
import { rowsAt } from "../support/postgres.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { startPrimaryAndStandby } from "../support/standby.ts"
import { inDays, makeWorld, type World } from "../support/world.ts"

let pair: Awaited<ReturnType<typeof startPrimaryAndStandby>>
let server: TestServer
/** A second process of the same installation, used for writes. */
let other: TestServer
let world: World

const at = (role: "primary" | "standby", text: string) => rowsAt(pair.urlOf(role), text)

beforeAll(async () => {
  pair = await startPrimaryAndStandby()
  other = await startServer({ ROLE: "http" }, pair.urlOf("primary"))
  server = await startServer({ ROLE: "http", DATABASE_URL_READ: pair.urlOf("standby") }, pair.urlOf("primary"))
  world = await makeWorld(server)
})
afterAll(async () => {
  await server?.stop()
  await other?.stop()
  pair?.stop()
})

/** Rows of free times read at the standby, by its own statistics. */
const scans = async (role: "primary" | "standby") => {
  const [row] = await at(
    role,
    "SELECT coalesce(sum(seq_scan + idx_scan), 0)::int AS scans FROM pg_stat_user_tables WHERE relname = 'availability_rules'"
  )
  return Number(row?.scans)
}

test("searches use the standby, holds and confirmations the primary", async () => {
  const before = await scans("standby")
  await eventually(
    async () => {
      expect((await world.search()).status).toBe(200)
      return scans("standby")
    },
    (now) => now > before
  )
  const code = await world.session()
  const held = await world.hold(code, inDays(1, 9))
  expect(held.status).toBe(200)
  expect((await world.confirm(code, held.body.hold_uid)).status).toBe(200)
})

test("every process's writes are visible, whatever the replica lag", async () => {
  const startsOf = async () =>
    (await world.search()).body.slots
      .filter((slot: { doctor_uid: string }) => slot.doctor_uid === world.doctor)
      .map(({ start_date }: { start_date: number }) => start_date)
  const book = async (hour: number) => {
    const code = await world.session("other")
    const body = { doctor_uid: world.doctor, appointment_type_uid: world.type_uid, start_date: inDays(1, hour) }
    const held = await other.api("POST", `/v1/scheduling/booking-sessions/${code}/holds`, { body })
    expect(held.status).toBe(200)
    return inDays(1, hour)
  }
  for (const hour of [10, 11, 12]) {
    const taken = await book(hour)
    expect(await startsOf()).not.toContain(taken)
  }
  await at("standby", "SELECT pg_wal_replay_pause()")
  const taken = await book(13)
  expect(await startsOf()).not.toContain(taken)
  await at("standby", "SELECT pg_wal_replay_resume()")
  expect(await startsOf()).not.toContain(taken)
})

test("without the standby, the primary serves reads", async () => {
  pair.stopStandby()
  expect((await world.search()).status).toBe(200)
  const listed = await server.api("GET", "/v1/management/scheduling/appointments", { key: world.key })
  expect(listed.status).toBe(200)
})
