/** The whole service with a shop on Shopify, over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { makeShop } from "../../checkout/support/shop.ts"
import { eventually } from "../../support/eventually.ts"
import { testServer } from "../../support/server.ts"
import { random } from "../../support/world.ts"
import { adminSchema, storefrontSchema } from "./schemas.ts"
import { ShopStandIn } from "./standIn.ts"

// Ports of webhooks, which do not apply to storefronts
const server = testServer({ WEBHOOK_PORTS: "8443" })
let schemas: [Awaited<ReturnType<typeof adminSchema>>, Awaited<ReturnType<typeof storefrontSchema>>]
const opened: Array<ShopStandIn> = []
beforeAll(async () => {
  schemas = [await adminSchema(), await storefrontSchema()]
})
afterAll(() => Promise.all(opened.map((shop) => shop.stop())))

const shopWorld = async () => {
  const shopify = new ShopStandIn(...schemas)
  opened.push(shopify)
  const webhook_secret = random("whs")
  const shop = await makeShop(server.current, { storefront: { ...shopify.settings, webhook_secret } })
  return { shopify, shop, draft: () => [...shopify.drafts.values()][0] }
}

describe("a prescription checkout on Shopify", () => {
  test("creates one draft order with the prescription, and sends the customer one invoice", async () => {
    const { shopify, shop, draft } = await shopWorld()
    const done = await shop.prescribe()
    expect([done.status, done.body.draft_order_id]).toEqual([200, "gid://shopify/DraftOrder/1"])
    const [{ prescription_uid }] = done.body.prescriptions
    const customAttributes = [{ key: "_prescription_uid", value: prescription_uid }]
    expect(draft()?.input).toMatchObject({ lineItems: [{ quantity: 2, customAttributes }] })
    await eventually(
      async () => shopify.invoices.length,
      (sent) => sent > 0
    )
    expect(shopify.invoices).toEqual(["gid://shopify/DraftOrder/1"])

    const line_items = [shop.line(shop.skus.drops, { _prescription_uid: prescription_uid })]
    await shop.sendWebhook("orders/paid", shop.order({ line_items }))
    expect((await shop.ordersOf(prescription_uid)).orders).toMatchObject([{ paid: true }])
  })

  test("returns a cart's link if requested", async () => {
    const { shopify, shop } = await shopWorld()
    const done = await shop.prescribe({ checkout_type: "checkout_link" })
    expect(done.body).toMatchObject({ checkout_url: `${shopify.origin}/cart/c/1?key=1`, draft_order_id: null })
    expect(shopify.operations).toEqual(["cartCreate"])
  })

  test("of a SKU without a variant in the shop is 400", async () => {
    const { shop } = await shopWorld()
    const uid = random("sku")
    const sku = { uid, product_uid: shop.product_uid, display_name: "Rare", standard_selling_unit: 1, unit: "g" }
    await shop.provision({ skus: [{ ...sku, selling_price: 1 }] })
    expect((await shop.prescribe({ lines: [{ sku_uid: uid, quantity: 1 }] })).body.error).toEqual([
      "lines[0].sku_uid: is not sold in this shop"
    ])
  })
})

// Shows: one prescription for many orders, for other articles, or after it was cancelled
test("a reserved draft order gets one prescription, also from concurrent requests that spell its id in both ways", async () => {
  const { shop, draft } = await shopWorld()
  const { body } = await shop.reserve({ lines: [{ sku_uid: shop.skus.drops.uid, quantity: 1 }] })
  const spellings = [body.reserved_draft_order_id, "1"]
  const answers = await Promise.all(spellings.map((id) => shop.prescribe({ id, reserved_draft_order_id: id })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const accepted = answers.find(({ status }) => status === 200)
  expect(draft()?.input.lineItems).toMatchObject([
    { customAttributes: [{ key: "_prescription_uid", value: accepted?.body.prescriptions[0].prescription_uid }] }
  ])
})

test("a reserved draft order keeps everything it has and gets the prescription", async () => {
  const { shopify, shop, draft } = await shopWorld()
  const { body } = await shop.reserve({ lines: [{ sku_uid: shop.skus.drops.uid, quantity: 1 }] })
  expect(body.reserved_draft_order_id).toBe("gid://shopify/DraftOrder/1")
  expect(draft()?.input.reserveInventoryUntil).toBe(new Date(body.expires_at * 1000).toISOString())
  const done = await shop.prescribe({ reserved_draft_order_id: "1", buyerIdentity: { email: "", phone: "" } })
  expect([done.status, done.body.draft_order_id]).toEqual([200, "gid://shopify/DraftOrder/1"])
  const { prescription_uid } = done.body.prescriptions[0]
  expect(draft()?.lines).toMatchObject([
    { uuid: "uuid-0", quantity: 1, customAttributes: [{ key: "_prescription_uid", value: prescription_uid }] }
  ])
  expect(draft()?.input).not.toHaveProperty("email")
  expect(shopify.drafts.size).toBe(1)
})

test("a group's flag that the webhook leaves out is read from Shopify", async () => {
  const { shopify, shop } = await shopWorld()
  const { drops, gel } = shop.skus
  const line_items = [
    shop.line(drops, { _anamnesis_uid: "skipped" }, { id: 11, sales_line_item_group_id: 1 }),
    shop.line(gel, { _anamnesis_uid: "kept" }, { id: 12 })
  ]
  const order = shop.order({ line_items })
  const customAttributes = [{ key: "_skip_validation", value: "true" }]
  shopify.orders.set(`gid://shopify/Order/${order.id}`, [
    { id: "gid://shopify/LineItem/11", lineItemGroup: { customAttributes } },
    { id: "gid://shopify/LineItem/12", lineItemGroup: null }
  ])
  shopify.faults.push({ kind: "status", status: 500 })
  expect((await shop.sendWebhook("orders/paid", order)).status).toBe(503)
  expect((await shop.sendWebhook("orders/paid", order)).status).toBe(200)
  const [{ prescription_uid }] = await shop.pharmacyOrders()
  const anamneses = (await shop.prescription(prescription_uid)).items.map(({ anamnesis_uid }) => anamnesis_uid)
  expect(anamneses).toEqual([null, "kept"])
})

test("a client that hangs up while the shop is asked: the answer is stored, and replayed to its next try", async () => {
  const { shopify, shop } = await shopWorld()
  const released = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  shopify.passing = async (_operation, moment) => {
    if (moment !== "asked") return
    asked.resolve()
    await released.promise
  }
  const body = JSON.stringify({ lines: [{ sku_uid: shop.skus.drops.uid, quantity: 1 }] })
  const ask = (signal?: AbortSignal) =>
    fetch(`${server.current.url}/v2/public-api/reservations/${shop.shop_identifier}`, {
      method: "POST",
      headers: {
        "x-api-key": shop.key,
        "content-type": "application/json",
        "idempotency-key": "one-basket"
      },
      body,
      ...(signal !== undefined && { signal })
    })
  const client = new AbortController()
  const gone = ask(client.signal).then(
    () => "answered",
    () => "hung up"
  )
  await Promise.race([asked.promise, gone])
  client.abort()
  expect(await gone).toBe("hung up")
  released.resolve()
  const again = await eventually(
    () => ask(),
    ({ status }) => status !== 409
  ) // until then the first one is in progress
  expect(again.status).toBe(201)
  expect(again.headers.get("idempotency-replayed")).toBe("true")
  expect((await again.json()).reserved_draft_order_id).toBe("gid://shopify/DraftOrder/1")
  expect(shopify.drafts.size).toBe(1)
})
