/** Answers while the database or the process itself is unavailable (Rules 14.4). */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Deferred, Effect, Fiber } from "effect"
import { installed } from "../../src/capabilities/index.ts"
import {
  type Cluster,
  ensureRunning,
  openCluster,
  stop,
  urlOf
} from "../../src/capabilities/postgres/layers/Cluster.ts"
import { singleFlight } from "../../src/services/bulkhead.ts"
import { commit, version } from "../../src/version.ts"
import { makeShop } from "../checkout/support/shop.ts"
import { eventually } from "../support/eventually.ts"
import { freePort } from "../support/ports.ts"
import { rowsAt } from "../support/postgres.ts"
import { isLong } from "../support/scale.ts"
import { type Answer, ownServer, startServer, type TestServer } from "../support/server.ts"
import { inDays, makeWorld } from "../support/world.ts"

const METRICS_PORT = String(freePort())
/** With one connection to the database, and the metrics on a port of their own. */
const apart = ownServer({
  ROLE: "http",
  DATABASE_POOL_SIZE: "1",
  METRICS_PORT,
  RATE_LIMIT_PER_SECOND: "1000000",
  TRUSTED_PROXIES: "127.0.0.1/32, ::1"
})
const folder = mkdtempSync(join(tmpdir(), "sprechstunde-away-"))
let cluster: Cluster
let server: TestServer
let types: string

beforeAll(async () => {
  cluster = await Effect.runPromise(openCluster({ folder, settings: { fsync: "off" } }))
  await Effect.runPromise(ensureRunning(cluster))
  server = await startServer({ ROLE: "http", RATE_LIMIT_PER_SECOND: "0" }, urlOf(cluster, "postgres"))
  const world = await makeWorld(server)
  types = `/v1/scheduling/appointment-types?shop_uid=${world.shop_uid}`
})
afterAll(async () => {
  await server?.stop()
  await Effect.runPromise(stop(cluster))
  rmSync(folder, { recursive: true, force: true })
})

const UNAVAILABLE = { status: 503, code: "unavailable", retries: true }
const seen = ({ status, headers, body }: Answer) => ({
  status,
  code: body.code,
  retries: Number(headers.get("retry-after")) > 0
})

test("an unavailable database is 503 with Retry-After, for reads, keys and changes", async () => {
  await Effect.runPromise(stop(cluster))
  const answers = await Promise.all([
    server.api("GET", types),
    server.api("GET", "/v1/management/scheduling/doctors", { key: "x".repeat(40) }),
    server.api("POST", "/v1/management/scheduling/appointment-types", { key: "x".repeat(40), body: {} }),
    server.api("GET", "/readyz")
  ])
  for (const answer of answers.slice(0, 3)) expect(seen(answer)).toEqual(UNAVAILABLE)
  expect(answers[3]).toMatchObject({ status: 503, body: { code: "not_ready" } })
  expect((await server.api("GET", "/healthz")).status).toBe(200)
  await Effect.runPromise(ensureRunning(cluster))
  await eventually(
    () => server.api("GET", types),
    ({ status }) => status === 200
  )
})

// Shows: an address that exhausts database connections or the memory for bodies
// Shows: hundreds of connections from one address that send far more than its limit
test("a flood from one address delays no other caller, and the process stays ready; Rule 2.12.1", async () => {
  const small = apart.current
  const world = await makeWorld(small)
  const path = `/v1/scheduling/appointment-types?shop_uid=${world.shop_uid}`
  let isOver = false
  const flood = Promise.all(Array.from({ length: 400 }, () => small.api("GET", path))).finally(() => {
    isOver = true
  })
  const headers = { "x-forwarded-for": "203.0.113.1" }
  const answers = [await small.api("GET", path, { headers }), await small.api("GET", path, { headers })]
  expect([answers.map(({ status }) => status), isOver]).toEqual([[200, 200], false])
  expect((await small.api("GET", "/readyz")).status).toBe(200)
  expect(new Set((await flood).map(({ status }) => status))).toEqual(new Set([200]))
})

if (isLong)
  test("a database that has become a standby is 503 for changes, and still serves reads", async () => {
    const own = await startServer({ ROLE: "http" })
    const world = await makeWorld(own)
    const code = await world.session()
    const address = new URL(own.databaseUrl)
    const name = address.pathname.slice(1)
    address.pathname = "/postgres"
    const asStandby = async (on: boolean) => {
      await rowsAt(address.href, `ALTER DATABASE ${name} SET default_transaction_read_only = ${on}`)
      await rowsAt(address.href, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [name])
    }
    await asStandby(true)
    expect(seen(await world.hold(code, inDays(1)))).toEqual(UNAVAILABLE)
    expect((await world.search()).status).toBe(200)
    await asStandby(false)
    expect((await world.hold(code, inDays(1))).status).toBe(200)
    await own.stop()
  })

test("a failing file store is 503 for requests that need it, and the same request succeeds later", async () => {
  const shop = await makeShop(server)
  const body = shop.bodyOf()
  const files = join(server.dataDir, "files")
  writeFileSync(files, "no folder")
  expect(seen(await shop.prescribe(body))).toEqual(UNAVAILABLE)
  rmSync(files)
  expect((await shop.prescribe(body)).status).toBe(200)
})

// Shows: endless bodies, and thousands of requests to `/readyz`, without a credential
test("shared work runs once for all concurrent callers, even if the first one disconnects", async () => {
  let begun = 0
  const gate = await Effect.runPromise(Deferred.make<void>())
  const work = singleFlight(
    Effect.suspend(() => {
      begun += 1
      return Deferred.await(gate)
    })
  )
  await Effect.runPromise(
    Effect.gen(function* () {
      const first = yield* Effect.fork(work)
      const others = yield* Effect.forEach(Array(20), () => Effect.fork(work))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(gate, undefined)
      yield* Effect.forEach(others, Fiber.join)
      expect(begun).toBe(1)
      yield* work
    })
  )
  expect(begun).toBe(2)
})

// Shows: caching and content sniffing by proxies and browsers
// Shows: caches, downgrades and sniffing
test("every answer names its trace, and JSON is not cacheable", async () => {
  for (const path of [types, "/v1/none", "/healthz"]) {
    const { headers, body } = await server.api("GET", path)
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f]{32}$/)
    if (body.trace_id !== undefined) expect(headers.get("x-request-id")).toBe(body.trace_id)
    expect([headers.get("cache-control"), headers.get("x-content-type-options")]).toEqual(["no-store", "nosniff"])
  }
})

// Shows: public metrics
// Shows: metrics through the proxy
test("metrics and version are served to direct local callers, or on their own port", async () => {
  const metrics = await server.api("GET", "/metrics")
  expect([metrics.status, metrics.headers.get("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8"
  ])
  expect(metrics.text).toMatch(/^sprechstunde_http_requests_total\{method="GET",route="[^"]+",status="200"} [1-9]/m)
  expect((await server.api("GET", "/version")).body).toEqual({
    version,
    commit,
    bun: Bun.version,
    capabilities: installed.flatMap(({ name, switched }) => (switched ? name : []))
  })
  for (const headers of [{ "x-forwarded-for": "203.0.113.9" }, { forwarded: "for=203.0.113.9" }])
    for (const path of ["/metrics", "/version", "/metrics/", "//metrics", "/Metrics", "/metrics;x", "/metrics%2f"])
      expect([path, (await server.api("GET", path, { headers })).status]).toEqual([path, 404])
  for (const path of ["/metrics", "/version"]) expect((await apart.current.api("GET", path)).status).toBe(404)
  for (const path of ["/metrics", "/version", "/healthz", "/readyz"])
    expect((await fetch(`http://127.0.0.1:${METRICS_PORT}${path}`)).status).toBe(200)
})
