/** A network to the database that drops packets silently, and one that is slow. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { Effect } from "effect"
import { type Way, wayTo } from "../../script/chaos/ways.ts"
import { type Cluster, ensureRunning, openCluster, stop } from "../../src/capabilities/postgres/layers/Cluster.ts"
import { isTransientCause } from "../../src/services/database/SqlErrors.ts"
import { eventually } from "../support/eventually.ts"
import { freePort } from "../support/ports.ts"
import { run, temporaryFolder } from "../support/processes.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { inDays, makeWorld, type World } from "../support/world.ts"

const folder = temporaryFolder()
let cluster: Cluster
let bridge: ReturnType<typeof run>
let way: Way
let server: TestServer
let world: World

beforeAll(async () => {
  cluster = await Effect.runPromise(openCluster({ folder: `${folder.path}/database`, settings: { fsync: "off" } }))
  await Effect.runPromise(ensureRunning(cluster))
  const port = freePort()
  await Bun.write(
    `${folder.path}/haproxy.cfg`,
    `defaults\n  mode tcp\n  timeout connect 5s\n  timeout client 1h\n  timeout server 1h\nlisten database\n  bind *:${port}\n  server socket unix@${cluster.socket}/.s.PGSQL.5432\n`
  )
  bridge = run(["/usr/sbin/haproxy", "-db", "-f", `${folder.path}/haproxy.cfg`])
  way = await wayTo(port)
  server = await startServer({ ROLE: "http" }, `postgresql://postgres@${way.host}:${way.port}/postgres`)
  world = await makeWorld(server)
})
afterAll(async () => {
  way?.mend()
  await server?.stop()
  way?.stop()
  await bridge?.stop("SIGKILL")
  await Effect.runPromise(stop(cluster))
  folder.remove()
})

const book = (minute: number) => world.bookByKey({ start_date: inDays(1) + minute * 60 }, `minute-${minute}`)

test("a cut delays requests: running ones are answered after it, refused ones have Retry-After", async () => {
  let going = true
  const statuses: Array<number> = []
  const load = Promise.all(
    [0, 1, 2, 3].map(async (lane) => {
      for (let count = 0; going; count++) statuses.push((await book((lane + count * 4) * 20)).status)
    })
  )
  await eventually(
    async () => statuses.length,
    (count) => count > 8
  )
  way.cut()
  await eventually(
    () => server.api("GET", "/readyz"),
    ({ status }) => status === 503
  )
  way.mend()
  const before = statuses.length
  await eventually(
    async () => statuses.length,
    (count) => count > before + 8
  )
  going = false
  await load
  expect([...new Set(statuses)].filter((status) => status !== 201 && status !== 503)).toEqual([])
  await eventually(
    () => server.api("GET", "/readyz"),
    ({ status }) => status === 200
  )
})

test.each(["EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN"])(
  "%s is transient, and not an internal error",
  (code) => {
    expect(isTransientCause(Object.assign(new Error("connect"), { code }))).toBe(true)
  }
)

test("a slow network only delays requests", async () => {
  way.slow()
  const answers = await Promise.all([world.search(), world.search(), world.search()])
  way.mend()
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
})
