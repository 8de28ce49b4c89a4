/** DATABASE_URL with several hosts: connections lead to the one that accepts writes, also after a switchover (Rule 14.2.25). */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { Client } from "pg"
import { connectionTo } from "../../src/layers/postgres/hosts.ts"
import { startReceiver } from "../events/receiver.ts"
import { arrived, eventually } from "../support/eventually.ts"
import { rowsAt } from "../support/postgres.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { startPrimaryAndStandby } from "../support/standby.ts"
import { inDays, makeWorld, type World } from "../support/world.ts"

let pair: Awaited<ReturnType<typeof startPrimaryAndStandby>>
let receiver: Awaited<ReturnType<typeof startReceiver>>
let server: TestServer
let world: World

beforeAll(async () => {
  pair = await startPrimaryAndStandby()
  receiver = await startReceiver()
  server = await startServer({ DATABASE_URL_DIRECT: pair.url }, pair.url)
  world = await makeWorld(server)
  await server.api("POST", "/v1/management/notification-subscriptions", {
    key: world.key,
    body: { notification_type: "PATIENT_DOCTOR_MEETING_UPDATED", url: receiver.url("/hook") }
  })
})
afterAll(async () => {
  await server?.stop()
  receiver?.stop()
  pair?.stop()
})

/** The service's LISTEN connections to a host. */
const listening = (role: "primary" | "standby") =>
  rowsAt(
    pair.urlOf(role),
    `SELECT DISTINCT application_name AS name FROM pg_stat_activity
     WHERE query ILIKE '%listen%' AND application_name LIKE 'sprechstunde%' ORDER BY 1`
  )

const book = async (day: number) => {
  const answer = await world.bookByKey({ start_date: inDays(day, 9) })
  expect(answer.status).toBe(201)
  return answer.body.uid
}
const delivered = (uid: string) =>
  eventually(
    async () => receiver.all.some(({ text }) => text.includes(uid)),
    (is) => is
  )

test("connections, jobs and notifications use the primary, even if the standby is first in the list", async () => {
  await delivered(await book(1))
  expect(await listening("primary")).toEqual([{ name: "sprechstunde jobs" }, { name: "sprechstunde sessions" }])
  expect(
    await rowsAt(pair.urlOf("standby"), "SELECT FROM pg_stat_activity WHERE application_name LIKE 'sprechstunde%'")
  ).toEqual([])
})

test("a switch-over under load delays requests but fails none, and jobs and notifications use the new primary", async () => {
  let going = true
  const statuses: Array<number> = []
  const load = Promise.all([
    ...[1, 2, 3, 4].map(async () => {
      while (going) statuses.push((await world.search()).status)
    }),
    (async () => {
      for (let day = 2; going && day < 28; day++) await book(day)
    })()
  ])
  await eventually(
    async () => statuses.length,
    (count) => count > 40
  )
  const former = pair.urlOf("primary")
  await pair.switchOver()
  expect(pair.urlOf("primary")).not.toBe(former)
  const before = statuses.length
  await eventually(
    async () => statuses.length,
    (count) => count > before + 40
  )
  going = false
  await load
  expect(new Set(statuses)).toEqual(new Set([200]))
  await delivered(await book(29))
  await arrived(() => listening("primary"), 2)
  expect((await server.api("GET", "/readyz")).status).toBe(200)
})

test("an address with one host is unchanged; a certificate may name any host", () => {
  const single = "postgresql://u:p@db:5433/name?sslmode=require&options=-c%20x%3D1"
  expect(connectionTo(single)).toEqual({ connectionString: single })
  const { connectionString, ssl, stream } = connectionTo(
    "postgresql://u:p%40@db1:5433,db2,[::1]:6000/name?target_session_attrs=primary&sslmode=verify-full&application_name=x"
  )
  expect(connectionString).toBe("postgresql://u:p%40@db1:5433/name?application_name=x")
  expect(stream).toBeFunction()
  const verify = (name: string) =>
    // what a certificate consists of and is verified by here
    ssl?.checkServerIdentity?.("db1", { subject: { CN: name }, subjectaltname: `DNS:${name}` } as never)
  expect([verify("db1"), verify("db2")]).toEqual([undefined, undefined])
  expect(verify("elsewhere")).toBeInstanceOf(Error)
})

test("without a writable host the error says so, and is transient", async () => {
  const alone = connectionTo(`${pair.urlOf("standby")}?target_session_attrs=read-write`)
  const client = new Client(alone)
  client.on("error", () => undefined)
  await expect(client.connect()).rejects.toMatchObject({
    code: "25006",
    message: expect.stringContaining("takes writes")
  })
})
