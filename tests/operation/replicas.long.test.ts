import { afterAll, beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { eventually } from "../support/eventually.ts"
import { type Nginx, startNginx } from "../support/nginx.ts"
import { freePort } from "../support/ports.ts"
import { freshDatabase } from "../support/postgres.ts"
import { type Service, startService, temporaryFolder } from "../support/processes.ts"
import { migrated, startServer, type TestServer } from "../support/server.ts"
import { accessToken } from "../support/staff.ts"
import { inDays, makeWorld, type World } from "../support/world.ts"

const folder = temporaryFolder()
const port = freePort()
const base = `http://127.0.0.1:${port}`
const replicas: Array<Service> = []
const indices = Array.from({ length: 3 }, (_, index) => index)
let database: string
let admin: TestServer
let world: World
let nginx: Nginx

const env = (index: number) => ({ DATABASE_URL: database, DATA_DIR: join(folder.path, `data-${index}`), ROLE: "all" })

beforeAll(async () => {
  database = (await freshDatabase(migrated)).url
  admin = await startServer({ ROLE: "http" }, database)
  world = await makeWorld(admin, { doctors: 8 })
  for (const index of indices) replicas.push(await startService(env(index)))
  nginx = await startNginx(folder.path, port, replicas)
})
afterAll(async () => {
  await nginx?.stop()
  await Promise.all(replicas.map((replica) => replica.stop()))
  await admin?.stop()
  folder.remove()
})

interface Tally {
  readonly statuses: Map<number | string, number>
  readonly faults: Array<string>
}

const sendRequest = async (
  tally: Tally,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown
) => {
  try {
    const response = await fetch(base + path, {
      method,
      keepalive: false,
      headers: {
        ...headers,
        connection: "close",
        ...(body === undefined ? {} : { "content-type": "application/json" })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    tally.statuses.set(response.status, (tally.statuses.get(response.status) ?? 0) + 1)
    if (response.status >= 500) tally.faults.push(`${method} ${response.status} ${text}`)
    return { status: response.status, body: JSON.parse(text) }
  } catch (cause) {
    tally.faults.push(`${method} ${path}: ${cause}`)
    return { status: 0, body: {} }
  }
}

/** Books separate times sequentially until stopped; returns the confirmed ones. */
const patients = async (tally: Tally, lane: number, going: () => boolean) => {
  const confirmed: Array<string> = []
  for (let turn = 0; going(); turn++) {
    const sessions = "/v1/scheduling/booking-sessions"
    const token = { "x-service-booking-token": await world.token(`lane-${lane}`) }
    const range = { appointment_type_uid: world.type_uid, from: inDays(1), to: inDays(30) }
    const session = await sendRequest(tally, "POST", sessions, token, { mode: "booking", ...range })
    const code = session.body.booking_launch_code
    await sendRequest(tally, "GET", `/v1/scheduling/appointment-types?shop_uid=${world.shop_uid}`, {})
    const held = await sendRequest(
      tally,
      "POST",
      `${sessions}/${code}/holds`,
      { "idempotency-key": `${lane}-${turn}` },
      {
        doctor_uid: world.doctors[lane],
        appointment_type_uid: world.type_uid,
        start_date: inDays(1) + turn * 1200
      }
    )
    const done = await sendRequest(tally, "POST", `${sessions}/${code}/holds/${held.body.hold_uid}/confirm`, {}, {})
    if (done.body.uid !== undefined) confirmed.push(done.body.uid)
  }
  return confirmed
}

test("an operator sees every process, current and earlier ones; Rule 8.5.1", async () => {
  const bearer = await accessToken(admin, { role: "operator", ttlSeconds: 300 })
  const status = await eventually(
    () => admin.api("GET", "/v1/operator/status", { bearer }),
    ({ body }) => body.replicas.length === indices.length + 1
  )
  const roles = status.body.replicas.map(({ role }: { role: string }) => role).sort()
  expect(roles).toEqual([...indices.map(() => "all"), "http"])
})

test("a rolling replacement of all replicas under load fails no request", async () => {
  const tally: Tally = { statuses: new Map(), faults: [] }
  let going = true
  const lanes = Array.from({ length: 6 }, (_, lane) => patients(tally, lane, () => going))
  await eventually(
    async () => tally.statuses.get(200) ?? 0,
    (count) => count > 100
  )
  const before = replicas.map(({ pid }) => pid)
  for (const index of indices) {
    await nginx.exchange(index)
    expect(await replicas[index]?.stop("SIGTERM")).toBe(0)
    replicas[index] = await startService(env(index))
    await nginx.exchange()
  }
  going = false
  const confirmed = (await Promise.all(lanes)).flat()
  expect(tally.faults).toEqual([])
  expect([...tally.statuses.keys()]).toEqual([200])
  expect(replicas.map(({ pid }) => pid).some((pid) => before.includes(pid))).toBe(false)
  const listed = await admin.api("GET", "/v1/management/scheduling/appointments?status=confirmed", { key: world.key })
  expect(listed.body.totalRegistries).toBe(confirmed.length)
})
