/** Servers of others that never answer, asked by many requests: the service answers everybody else, and ends when told to. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { fhirWorld, smartClient } from "../capabilities/fhir/support.ts"
import { makeShop } from "../checkout/support/shop.ts"
import { type BrokenServer, brokenServer } from "../support/brokenServers.ts"
import { eventually } from "../support/eventually.ts"
import { freshDatabase } from "../support/postgres.ts"
import { startService, temporaryFolder } from "../support/processes.ts"
import { migrated, ownServer } from "../support/server.ts"
import { random } from "../support/world.ts"

const server = ownServer({ ROLE: "http", OUTGOING_TIMEOUT_SECONDS: "3" })
let broken: BrokenServer
beforeAll(async () => {
  broken = await brokenServer("silent")
})
afterAll(() => broken.stop())

const MANY = 64
const many = <A>(one: () => Promise<A>) => Array.from({ length: MANY }, one)
/** Requests of somebody else during this; each must be answered. */
const othersMeanwhile = async (pending: Promise<unknown>, ask: () => Promise<{ readonly status: number }>) => {
  let isOver = false
  void pending.then(() => {
    isOver = true
  })
  const statuses = new Set<number>()
  do statuses.add((await ask()).status)
  while (!isOver)
  return [...statuses]
}

// Shows: a system of somebody else that never answers, or endlessly
test("64 token requests that name keys at a silent address delay no request with an API key", async () => {
  const [made, other] = [await fhirWorld(server.current), await makeShop(server.current)]
  const client = await smartClient(server.current, made, ["system/Slot.rs"])
  const { jwks: _, ...entry } = client.entry
  await made.provision({ fhir_clients: [{ ...entry, jwks_uri: `${broken.url}/keys` }] })
  const assertion = await client.assertion()
  const pending = Promise.all(many(() => client.exchange(assertion)))
  const ask = () => server.current.api("GET", "/v1/management/patients", { key: other.key })
  expect(await othersMeanwhile(pending, ask)).toEqual([200])
  expect(new Set((await pending).map(({ status }) => status))).toEqual(new Set([401]))
  expect((await ask()).status).toBe(200)
  await eventually(
    async () => broken.open(),
    (open) => open === 0
  )
})

// Shows: a shop that responds late or endlessly, or sends endless orders
test("64 checkouts of a silent shop end, delay nobody else's, and the shop's next one is answered once it is back", async () => {
  const settings = { kind: "shopify", shop_domain: broken.url, admin_access_token: "a", storefront_access_token: "b" }
  const [dead, other] = [
    await makeShop(server.current, { storefront: { ...settings, webhook_secret: random("whs") } }),
    await makeShop(server.current)
  ]
  const lines = [{ sku_uid: dead.skus.drops.uid, quantity: 1 }]
  const pending = Promise.all(many(() => dead.reserve({ lines })))
  const ask = () => other.reserve({ lines: [{ sku_uid: other.skus.drops.uid, quantity: 1 }] })
  const own = othersMeanwhile(pending, () => dead.api("GET", "/v1/management/patients"))
  expect(await othersMeanwhile(pending, ask)).toEqual([201])
  expect(await own).toEqual([200])
  const ended = new Set((await pending).map(({ status }) => status))
  expect([...ended].filter((status) => status < 500)).toEqual([])
  const { shop_uid: uid, shop_identifier, organisation_uid, webhook_secret } = dead
  const storefront = { kind: "embedded", webhook_secret }
  await dead.provision({ shops: [{ uid, shop_identifier, organisation_uid, name: "Laden", storefront }] })
  expect((await dead.reserve({ lines })).status).toBe(201)
  await eventually(
    async () => broken.open(),
    (open) => open === 0
  )
})

test("SIGTERM ends a process whose requests wait for a silent server", async () => {
  const [folder, { url }] = [temporaryFolder(), await freshDatabase(migrated)]
  // Whoever sends a token makes the service ask the identity provider
  const service = await startService({
    DATABASE_URL: url,
    DATA_DIR: folder.path,
    PROVISION_FILE: join(import.meta.dir, "../support/nothing.json"),
    OIDC_ISSUER: broken.url
  })
  const before = broken.accepted()
  const token = `${btoa(JSON.stringify({ alg: "RS256", kid: "a" }))}.${btoa("{}")}.AAAA`.replaceAll("=", "")
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const waiting = Promise.all(
    many(() =>
      fetch(`${service.url}/v1/doctor/late`, { method: "POST", headers, body: '{"minutes": 5}' }).then(
        ({ status }) => status,
        () => 0
      )
    )
  )
  await eventually(
    async () => broken.accepted(),
    (accepted) => accepted > before
  )
  expect(await service.stop("SIGTERM")).toBe(0)
  // One question to the provider is shared by all: they do not wait for each other's in turn
  expect(new Set(await waiting)).toEqual(new Set([503]))
  folder.remove()
})
