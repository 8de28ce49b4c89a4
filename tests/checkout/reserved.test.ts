import { describe, expect, test } from "bun:test"
import { testServer } from "../support/server.ts"
import { ADDRESS, makeShop, type ShopWorld } from "./support/shop.ts"

const server = testServer()
const shopWorld = () => makeShop(server.current)

const reservation = async (shop: ShopWorld, ...skus: ReadonlyArray<{ readonly uid: string }>) => {
  const answer = await shop.reserve({ lines: skus.map(({ uid }) => ({ sku_uid: uid, quantity: 1 })) })
  expect(answer.status).toBe(201)
  return answer.body.reserved_draft_order_id as string
}

const stored = async (shop: ShopWorld, id: string) => {
  const [order] = await shop.sql`
    SELECT lines, email, phone, billing_address, shipping_address, attributes FROM embedded_orders WHERE id = ${id}`
  return order
}

describe("a reservation", () => {
  test("holds lines for a day", async () => {
    const shop = await shopWorld()
    const now = Math.floor(Date.now() / 1000)
    const { body } = await shop.reserve({ lines: [{ sku_uid: shop.skus.drops.uid, quantity: 3 }] })
    expect(body.expires_at).toBeWithin(now + 86_300, now + 86_500)
    for (const lines of [undefined, []])
      expect((await shop.reserve({ lines })).body.error).toEqual(["lines: is required"])
    expect((await shop.reserve({ lines: [{ sku_uid: "no", quantity: 0 }] })).status).toBe(400)
  })
})

describe("a checkout for a reserved draft order", () => {
  test("adds the prescription to its lines, and contact and addresses to the order, and creates no other draft order", async () => {
    const shop = await shopWorld()
    const { drops, gel } = shop.skus
    const id = await reservation(shop, drops, gel)
    const done = await shop.prescribe({
      id: "rx-1",
      reserved_draft_order_id: id,
      lines: [{ sku_uid: drops.uid, quantity: 1, prescription_id: "rx-1" }],
      buyerIdentity: { email: "new@example.org", phone: "" },
      checkout_type: "draft_order_without_checkout_request",
      external_order_id: "not here",
      billing_address: ADDRESS,
      shipping_address: { ...ADDRESS, last_name: "Nachbar" }
    })
    const [{ prescription_uid }] = done.body.prescriptions
    expect([done.status, done.body.checkout_url, done.body.draft_order_id]).toEqual([200, null, id])
    expect(await stored(shop, id)).toMatchObject({
      lines: [
        { sku_uid: drops.uid, attributes: { _prescription_uid: prescription_uid } },
        { sku_uid: gel.uid, attributes: {} }
      ],
      attributes: {},
      email: "new@example.org",
      phone: null,
      billing_address: { first_name: "Zoë", last_name: "Żółć", city: "Berlin" },
      shipping_address: { last_name: "Nachbar" }
    })
    expect(await shop.sql`SELECT FROM embedded_orders WHERE shop_uid = ${shop.shop_uid}`).toHaveLength(1)
    await shop.pay(id)
    expect((await shop.ordersOf(prescription_uid)).orders).toHaveLength(1)
    expect(await shop.pharmacyOrders()).toHaveLength(2)
  })

  test("is refused with a fault for every line that does not match", async () => {
    const shop = await shopWorld()
    const { drops, gel } = shop.skus
    const id = await reservation(shop, drops)
    const line = (sku: { readonly uid: string }) => ({ sku_uid: sku.uid, quantity: 1, prescription_id: "rx" })
    const sent = (lines: ReadonlyArray<object>) => shop.prescribe({ id: "rx", reserved_draft_order_id: id, lines })
    const twice = [expect.stringMatching(/^lines\[1\]\.sku_uid: appears more than once/)]
    expect(await sent([line(drops), line(drops)])).toMatchObject({ status: 400, body: { error: twice } })
    const absent = ["lines[1].sku_uid: is not on the reserved draft order"]
    expect(await sent([line(drops), line(gel)])).toMatchObject({ status: 400, body: { error: absent } })
    expect((await shop.prescribe({ id: "rx", reserved_draft_order_id: id })).status).toBe(200)
  })

  test("blank text is no reservation: the checkout type that is sent counts; Rule 2.2.12", async () => {
    const shop = await shopWorld()
    const lines = [{ sku_uid: shop.skus.drops.uid, quantity: 1 }]
    const opened = await shop.prescribe({
      id: "rx",
      reserved_draft_order_id: "",
      checkout_type: "checkout_link",
      lines
    })
    expect(opened).toMatchObject({ status: 200, body: { draft_order_id: null, checkout_url: expect.any(String) } })
    const silent = { checkout_type: "draft_order_without_checkout_request", buyerIdentity: null, lines }
    expect((await shop.prescribe({ reserved_draft_order_id: "", ...silent })).status).toBe(400)
  })

  test("is 404 if it was not reserved, or by another owner", async () => {
    const [shop, other] = [await shopWorld(), await shopWorld()]
    const theirs = await reservation(other, other.skus.drops)
    const { body } = await shop.prescribe()
    for (const id of [theirs, body.draft_order_id, "123"])
      expect((await shop.prescribe({ reserved_draft_order_id: id })).status).toBe(404)
  })

  test("is 409 once it is paid, expired or already has a prescription; the id rule applies here too", async () => {
    const shop = await shopWorld()
    const refused = async (reserved_draft_order_id: string, id: string, code: string) =>
      expect(await shop.prescribe({ id, reserved_draft_order_id })).toMatchObject({ status: 409, body: { code } })
    const made = () => reservation(shop, shop.skus.drops)
    const [paid, old, once] = await Promise.all([made(), made(), made()])
    await shop.pay(paid)
    await refused(paid, "rx-0", "draft_order_completed")
    await shop.sql`UPDATE reservations SET expires_at = to_timestamp(1) WHERE draft_order_id = ${old}`
    await refused(old, "rx-0", "reservation_expired")
    expect((await shop.prescribe({ id: "rx-1", reserved_draft_order_id: once })).status).toBe(200)
    await refused(once, "rx-2", "line_already_prescribed")
    await refused(once, "rx-1", "prescription_already_accepted")
  })
})

describe("a treatment checkout", () => {
  test("becomes an order whose prescription waits for a doctor, with the questionnaire", async () => {
    const shop = await shopWorld()
    const done = await shop.treat({
      lines: [
        { sku_uid: shop.skus.drops.uid, quantity: 1, anamnesis_id: "ana-1" },
        { sku_uid: shop.skus.gel.uid, quantity: 2 }
      ],
      buyerIdentity: { email: "kim@example.org" }
    })
    expect([done.status, Object.keys(done.body).sort()]).toEqual([200, ["checkout_url", "draft_order_id", "status"]])
    await shop.pay(done.body.draft_order_id)
    const [order] = await shop.pharmacyOrders()
    expect(order.paid).toBe(true)
    expect(await shop.prescription(order.prescription_uid)).toMatchObject({
      status: "waiting_for_doctor",
      items: [
        { sku_uid: shop.skus.drops.uid, quantity: 1, anamnesis_uid: "ana-1" },
        { sku_uid: shop.skus.gel.uid, quantity: 2, anamnesis_uid: null }
      ]
    })
  })

  test("needs lines, known SKUs, a buyer for a draft order without a checkout request, and its own permission", async () => {
    const shop = await shopWorld()
    const line = { sku_uid: shop.skus.drops.uid, quantity: 1 }
    const unsent = { checkout_type: "draft_order_without_checkout_request" }
    const text = ["lines[0].anamnesis_id: must be text"]
    for (const [body, error] of [
      [
        { checkout_type: "sale" },
        [expect.stringContaining("lines: is required"), expect.stringMatching(/^checkout_type: /)]
      ],
      [{ lines: [], ...unsent }, ["lines: is required", `buyerIdentity: is required for ${unsent.checkout_type}`]],
      [{ lines: [{ ...line, anamnesis_id: "\u0000" }] }, text],
      [{ lines: [{ ...line, anamnesis_id: "\ud800" }] }, text],
      [{ lines: [{ ...line, sku_uid: "no" }] }, ["lines[0].sku_uid: is not a known SKU"]]
    ] as const)
      expect(await shop.treat(body)).toMatchObject({ status: 400, body: { error: [...error] } })
    const key = await shop.keyWith("create_prescription_checkout")
    const body = { lines: [line] }
    expect((await shop.call("POST", `/treatments/${shop.shop_identifier}`, body, key)).status).toBe(403)
    const link = await shop.treat({ ...body, checkout_type: "checkout_link" })
    expect([link.body.draft_order_id, (await fetch(link.body.checkout_url)).status]).toEqual([null, 200])
  })
})

test("an unknown checkout page is 404, for reading and for paying", async () => {
  const shop = await shopWorld()
  expect((await fetch(`${server.current.url}/storefront/checkout/nothing`)).status).toBe(404)
  expect((await shop.pay("nothing")).status).toBe(404)
})
