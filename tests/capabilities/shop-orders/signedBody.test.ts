/** Rules 11.7.2 to 11.7.4: a storefront order's status is taken from the signed body, not from unsigned headers. */
import { expect, test } from "bun:test"
import { makeShop } from "../../checkout/support/shop.ts"
import { testServer } from "../../support/server.ts"
import { random } from "../../support/world.ts"

const server = testServer()
const shopWorld = () => makeShop(server.current)

// Shows: a shop's signed webhook replayed with other headers
// Shows: a shop's webhook replayed with another topic
test("a pending body that is replayed as orders/paid or orders/cancelled changes nothing", async () => {
  const shop = await shopWorld()
  const pending = shop.order({ financial_status: "pending", cancelled_at: null })
  await shop.sendWebhook("orders/create", pending)
  for (const topic of ["orders/paid", "orders/cancelled"])
    expect((await shop.sendWebhook(topic, pending)).status).toBe(200)
  expect(await shop.pharmacyOrders()).toMatchObject([{ paid: false, status: "new" }])
})

test("a new body is not paid by its topic either, and not cancelled if it says that it is not", async () => {
  const shop = await shopWorld()
  for (const financial_status of ["pending", "authorized", "partially_paid", "voided", null])
    await shop.sendWebhook("orders/paid", shop.order({ financial_status, cancelled_at: null }))
  const order = shop.order({ financial_status: "paid", cancelled_at: null })
  await shop.sendWebhook("orders/cancelled", order)
  const orders = await shop.pharmacyOrders()
  expect(orders.map(({ paid }) => paid).sort()).toEqual([false, false, false, false, false, true])
  expect(orders.every(({ status }) => status === "new")).toBe(true)
})

test("a body that says paid is paid, whatever its topic; without a cancellation field it is cancelled by its topic", async () => {
  const shop = await shopWorld()
  const order = shop.order({ financial_status: "paid" })
  for (const [topic, status] of [
    ["orders/create", "new"],
    ["orders/cancelled", "cancelled"]
  ] as const) {
    await shop.sendWebhook(topic, order)
    expect(await shop.pharmacyOrders()).toMatchObject([{ paid: true, status }])
  }
})

// Shows: a shop's signed webhook replayed with other headers
test("a body replayed under another webhook id does nothing, even after the order has changed", async () => {
  const shop = await shopWorld()
  const order = shop.order()
  await shop.sendWebhook("orders/create", order)
  const [{ uid }] = await shop.pharmacyOrders()
  await shop.sendWebhook("orders/paid", order)
  await shop.sendWebhook("orders/create", order)
  expect(await shop.pharmacyOrders()).toMatchObject([{ uid, paid: true }])
})

test("a body whose time cannot be stored counts as one without a time", async () => {
  const shop = await shopWorld()
  for (const updated_at of ["-271821-04-20T00:00:00Z", "+275760-09-13T00:00:00Z"]) {
    const order = shop.order({ updated_at })
    expect((await shop.sendWebhook("orders/create", order)).status).toBe(200)
  }
  expect(await shop.pharmacyOrders()).toHaveLength(2)
})

test("a webhook of another Shopify shop that is signed with the same secret is refused; Rule 11.7.14", async () => {
  const storefront = { kind: "shopify", shop_domain: "own.myshopify.com", webhook_secret: random("whs") }
  const tokens = { admin_access_token: "a", storefront_access_token: "b" }
  const shop = await makeShop(server.current, { storefront: { ...storefront, ...tokens } })
  const from = (domain: string) => shop.sendWebhook("orders/paid", shop.order(), { "x-shopify-shop-domain": domain })
  expect((await from("other.myshopify.com")).status).toBe(401)
  expect(await shop.pharmacyOrders()).toEqual([])
  expect((await from("Own.myshopify.com")).status).toBe(200)
  expect(await shop.pharmacyOrders()).toHaveLength(1)
})
