/** Data keys wrapped by a key service: the transit engine of Vault and OpenBao. Rules 15.1.6 to 15.1.8. */
import { afterAll, expect, test } from "bun:test"
import { Effect } from "effect"
import { MasterKeyRotation } from "../../src/capabilities/key-rotation/services/MasterKeyRotation.ts"
import { eventually } from "../support/eventually.ts"
import { ownServer, startServer, type TestServer } from "../support/server.ts"
import { startTransit } from "../support/transit.ts"
import { inDays, makeWorld, type World } from "../support/world.ts"

const TOKEN = "token-of-the-service"
const transit = startTransit(TOKEN, "sprechstunde")
const vault = { ROLE: "http", VAULT_ADDR: transit.url, VAULT_TOKEN: TOKEN, VAULT_TRANSIT_KEY: "sprechstunde" }
const server = ownServer({ ROLE: "http" })
afterAll(() => transit.stop())

const wrapped = async ({ sql }: TestServer) =>
  (await sql`SELECT wrapped FROM data_keys`).map((row) => String(row.wrapped))

const book = (on: TestServer, { bookByKey }: World, hour: number) =>
  bookByKey({ start_date: inDays(2, hour), visit_reason: "Husten" }, undefined, on)
const register = (on: TestServer, { key, shop_uid }: World) =>
  on.api("POST", "/v1/management/patients", { key, body: { shop_uid, profile: { first_name: "Ada" } } })
const reasonOf = async (on: TestServer, { key }: World, uid: string) => {
  const { status, body } = await on.api("GET", `/v1/management/scheduling/appointments/${uid}`, { key })
  return status === 200 ? body.visit_reason : status
}
const rotate = (on: TestServer) => on.run(Effect.flatMap(MasterKeyRotation, ({ resealAll }) => resealAll()))

test("keys move from the master key to each version of the key service and back, without resealing values", async () => {
  const database = server.current.databaseUrl
  const world = await makeWorld(server.current)
  const before = await book(server.current, world, 9)
  expect(before.status).toBe(201)
  await server.current.stop()

  const served = await startServer(vault, database)
  expect(await reasonOf(served, world, before.body.uid)).toBe("Husten")
  expect(transit.asked).toEqual([])
  const other = await makeWorld(served)
  const made = await book(served, other, 9)
  expect(made.status).toBe(201)
  // a process caches a key only after the transaction that created it
  expect(transit.asked[0]).toBe("/v1/transit/encrypt/sprechstunde")
  expect(await rotate(served)).toBeGreaterThanOrEqual(2)
  expect((await wrapped(served)).filter((text) => !text.startsWith("vault:v1:"))).toEqual([])
  transit.rotate()
  expect(await rotate(served)).toBeGreaterThanOrEqual(2)
  expect((await wrapped(served)).filter((text) => !text.startsWith("vault:v2:"))).toEqual([])

  // a key that was moved to another owner's row cannot be unwrapped
  const robbed = await makeWorld(served)
  const lost = await book(served, robbed, 9)
  const [row] = await served.sql`SELECT wrapped FROM data_keys WHERE owner_uid = ${world.organisation_uid}`
  await served.sql`UPDATE data_keys SET wrapped = ${row?.wrapped} WHERE owner_uid = ${robbed.organisation_uid}`
  await served.stop()

  // keys that the process has not read yet are unavailable with the key service; cached ones still work
  const again = await startServer(vault, database)
  expect(await reasonOf(again, world, before.body.uid)).toBe("Husten")
  transit.seal(true)
  expect(await reasonOf(again, other, made.body.uid)).toBe(503)
  expect(await reasonOf(again, world, before.body.uid)).toBe("Husten")
  transit.seal(false)
  expect(await reasonOf(again, other, made.body.uid)).toBe("Husten")
  expect(await reasonOf(again, robbed, lost.body.uid)).toBe(503)
  await again.stop()

  // without the key service's settings, its wrapped keys are not decrypted with the master key
  const without = await startServer({ ROLE: "http" }, database)
  expect(await reasonOf(without, world, before.body.uid)).toBe(503)
  await without.stop()
})

test("a key service that never answers holds no connection: other tenants are answered meanwhile", async () => {
  const database = server.current.databaseUrl
  const first = await startServer(vault, database)
  const [slow, quick] = [await makeWorld(first), await makeWorld(first)]
  expect((await book(first, slow, 9)).status).toBe(201)
  expect((await book(first, quick, 9)).status).toBe(201)
  await first.stop()

  const served = await startServer({ ...vault, DATABASE_POOL_SIZE: "2" }, database)
  expect((await book(served, quick, 10)).status).toBe(201)
  transit.silence(true)
  const asked = transit.asked.length
  const ended: Array<number> = []
  const waiting = Array.from({ length: 20 }, async () => {
    const { status } = await register(served, slow)
    ended.push(status)
  })
  await eventually(
    async () => transit.asked.length,
    (length) => length > asked
  )
  for (const hour of [11, 12, 13]) expect((await book(served, quick, hour)).status).toBe(201)
  expect(ended).toEqual([])
  await Promise.all(waiting)
  expect(new Set(ended)).toEqual(new Set([503]))

  transit.silence(false)
  expect((await book(served, slow, 17)).status).toBe(201)
  await served.stop()
})
