import { afterAll, expect, test } from "bun:test"
import { Webhook } from "standardwebhooks"
import { BASE, makePharmacy } from "../pharmacy/pharmacyWorld.ts"
import { arrived, eventually } from "../support/eventually.ts"
import { testServer } from "../support/server.ts"
import { random } from "../support/world.ts"
import { startReceiver } from "./receiver.ts"

const server = testServer()
const receiver = await startReceiver()
afterAll(() => receiver.stop())

const request = (method: string, path: string, key: string, body?: unknown) =>
  server.current.api(method, BASE + path, { key, ...(body === undefined ? {} : { body }) })

test("a pharmacy gets signed events of its own changes, and none that it did not subscribe to", async () => {
  const { key, pharmacy_uid, skus, keyWith } = await makePharmacy(server.current)
  const path = `/${random("hook")}`
  const body = { url: receiver.url(path), event_types: ["pharmacy_sku.updated", "pharmacy_order.created"] }
  const created = await request("POST", "/webhooks/", key, body)
  const { uid, secret } = created.body
  expect(created).toMatchObject({ status: 201, body: { ...body, active: true } })
  expect(secret).toMatch(/^whsec_/)
  const changed = await request("PATCH", `/pharmacy_skus/${skus.drops.uid}`, key, { stock: 17 })
  expect(changed.status).toBe(200)
  const [delivery] = await arrived(() => receiver.at(path))
  if (delivery === undefined) throw new Error("nothing came")
  expect(new Webhook(secret).verify(delivery.text, delivery.headers)).toEqual(delivery.event)
  expect(delivery.event).toMatchObject({ type: "pharmacy_sku.updated", pharmacy_uid })
  expect(delivery.event.organisation_uid).toBeUndefined()
  const tested = await request("POST", `/webhooks/${uid}/test`, key)
  expect(tested.status).toBe(202)
  await eventually(
    async () => receiver.at(path),
    (all) => all.some(({ event }) => event.data.example === true)
  )
  const listed = await eventually(
    () => request("GET", `/webhooks/${uid}/deliveries`, key),
    ({ body }) => body.data.every((one) => one.status === "delivered")
  )
  expect(listed.body).toMatchObject({ totalRegistries: 2, totalPages: 1 })
  expect((await request("POST", `/webhooks/${uid}/rotate-secret`, key)).body.secret).toMatch(/^whsec_/)
  // Rule 6.4.9: the payload only for keys that may read its subject
  const one = listed.body.data.find(({ event_id }) => event_id === delivery.id)
  const payloadFor = async (...permissions: ReadonlyArray<string>) =>
    (await request("GET", `/webhooks/${uid}/deliveries/${one?.uid}`, await keyWith(...permissions))).body.payload
  expect(await payloadFor("webhooks_read", "stock_read")).toEqual(delivery.event)
  expect(await payloadFor("webhooks_read", "orders_read")).toBeNull()
})

test("a pharmacy pages through its events, each key only those that it may read (Rule 6.5.4)", async () => {
  const { key, group_key, pharmacy_uid, skus, keyWith } = await makePharmacy(server.current)
  for (const stock of [17, 18])
    expect((await request("PATCH", `/pharmacy_skus/${skus.drops.uid}`, key, { stock })).status).toBe(200)
  const all = await request("GET", "/events", key)
  expect(all).toMatchObject({ status: 200, body: { next: null } })
  const stocks = (body: { data: ReadonlyArray<{ data: { pharmacy_sku: { stock: number } } }> }) =>
    body.data.map(({ data }) => data.pharmacy_sku.stock)
  expect(stocks(all.body)).toEqual([17, 18])
  expect(stocks((await request("GET", `/events?after=${all.body.data[0].id}`, key)).body)).toEqual([18])
  expect(stocks((await request("GET", `/events?pharmacy_uid=${pharmacy_uid}`, group_key)).body)).toEqual([17, 18])
  expect((await request("GET", "/events", group_key)).status).toBe(400)
  expect((await request("GET", "/events", await keyWith("webhooks_read", "orders_read"))).body.data).toEqual([])
  expect((await request("GET", "/events", await keyWith("stock_read"))).status).toBe(403)
})

test("paths work with and without a trailing slash; group-wide keys name their pharmacy", async () => {
  const { key, group_key, pharmacy_uid } = await makePharmacy(server.current)
  const other = await makePharmacy(server.current)
  const body = { url: receiver.url("/group"), event_types: ["pharmacy_order.completed"] }
  const unnamed = await request("POST", "/webhooks/", group_key, body)
  expect(unnamed).toMatchObject({ status: 400, body: { error: ["pharmacy_uid: required for group-wide keys"] } })
  expect((await request("POST", `/webhooks?pharmacy_uid=${other.pharmacy_uid}`, group_key, body)).status).toBe(404)
  const made = await request("POST", `/webhooks?pharmacy_uid=${pharmacy_uid}`, group_key, body)
  expect(made.status).toBe(201)
  for (const path of ["/webhooks", "/webhooks/"])
    expect((await request("GET", path, key)).body.data).toMatchObject([{ uid: made.body.uid }])
  const { secret: _, ...shown } = made.body
  expect(await request("GET", `/webhooks/${made.body.uid}`, key)).toMatchObject({ status: 200, body: shown })
  expect((await request("GET", `/webhooks/${made.body.uid}`, key)).body.secret).toBeUndefined()
  expect((await request("GET", `/webhooks/${made.body.uid}`, other.key)).status).toBe(404)
  expect((await request("DELETE", `/webhooks/${made.body.uid}`, other.key)).status).toBe(404)
  expect((await request("DELETE", `/webhooks/${made.body.uid}`, key)).status).toBe(204)
  expect((await request("DELETE", `/webhooks/${made.body.uid}`, key)).status).toBe(404)
  expect((await request("GET", `/webhooks/${made.body.uid}`, key)).status).toBe(404)
})

test("a bad body is answered with the faults of each field", async () => {
  const { key } = await makePharmacy(server.current)
  const none = await request("POST", "/webhooks/", key, { url: "http://example.org", event_types: [] })
  expect([none.status, none.body.error[0]]).toEqual([400, expect.stringMatching(/^event_types/)])
  const wrong = await request("POST", "/webhooks/", key, { url: "nowhere", event_types: ["rebooked"] })
  expect([wrong.status, wrong.body.error[0]]).toEqual([400, expect.stringMatching(/^event_types/)])
  expect((await request("POST", "/webhooks/", key, { event_types: ["pharmacy_sku.updated"] })).status).toBe(400)
})
