/** Two replicas behind nginx as shipped: what one request does must not cost others their answer. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { chmodSync } from "node:fs"
import { cuttable } from "../support/cuttable.ts"
import { type Nginx, startNginx } from "../support/nginx.ts"
import { freePort } from "../support/ports.ts"
import { temporaryFolder } from "../support/processes.ts"
import { ownServer, startServer, type TestServer } from "../support/server.ts"
import { makeWorld, type World } from "../support/world.ts"

const folder = temporaryFolder()
// The identity provider is down: a bearer token with an unknown key cannot be verified
const settings = { ROLE: "http", OIDC_ISSUER: `http://127.0.0.1:${freePort()}` }
const first = ownServer(settings)
let second: TestServer
/** To the first replica. */
let way: Awaited<ReturnType<typeof cuttable>>
let world: World
let nginx: Nginx

beforeAll(async () => {
  chmodSync(folder.path, 0o755)
  second = await startServer(settings, first.current.databaseUrl)
  world = await makeWorld(second)
  way = await cuttable(Number(new URL(first.current.url).port))
  nginx = await startNginx(folder.path, freePort(), [way, { port: Number(new URL(second.url).port) }])
})
afterAll(async () => {
  await nginx?.stop()
  way?.stop()
  await second?.stop()
  folder.remove()
})

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
const token = `${encoded({ alg: "RS256", kid: "none", typ: "at+jwt" })}.${encoded({ sub: "x" })}.${"A".repeat(342)}`

const types = () => fetch(`${nginx.url}/v1/scheduling/appointment-types?shop_uid=${world.shop_uid}`)

test("a response of 503 takes no replica out, and reaches its caller", async () => {
  const others: Array<number> = []
  for (let turn = 0; turn < 10; turn++) {
    const refused = await fetch(`${nginx.url}/v1/admin/scheduling/booking-token-secrets`, {
      headers: { authorization: `Bearer ${token}` }
    })
    expect([refused.status, refused.headers.get("retry-after") !== null]).toEqual([503, true])
    for (let other = 0; other < 5; other++) others.push((await types()).status)
  }
  expect(others.filter((status) => status !== 200)).toEqual([])
})

test("while a replica is gone the other one answers everything", async () => {
  way.stop()
  const statuses: Array<number> = []
  for (let turn = 0; turn < 40; turn++) statuses.push((await types()).status)
  expect(statuses.filter((status) => status !== 200)).toEqual([])
})
