/** A discount on a line of a storefront's order, in the pharmacy's order and payouts. */
import { expect, test } from "bun:test"
import { testServer } from "../support/server.ts"
import { makeShop } from "./support/shop.ts"

const server = testServer()

test("three at 10.00 less 1.00 count 29.00: the line's price is exact, its unit price rounded", async () => {
  const shop = await makeShop(server.current)
  const { pharmacy_uid: uid, skus } = shop
  await shop.provision({ pharmacies: [{ uid, name: "Apotheke", payout_terms: { markup_share_bps: 10_000 } }] })
  const line = shop.line(skus.drops, {}, { quantity: 3, price: "10.00", discount_allocations: [{ amount: "1.00" }] })
  await shop.sendWebhook("orders/paid", shop.order({ line_items: [line] }))
  const [order] = await shop.pharmacyOrders()
  expect(order.lines).toMatchObject([{ quantity: 3, unit_price: 967, total_price: 2_900 }])
  const payouts = await server.current.api("GET", "/v1/external_pharmacy_api/payouts", { key: shop.pharmacy_key })
  const amounts = payouts.body.data.map((row) => [row.component_type, row.amount] as const)
  expect(new Map(amounts)).toEqual(
    new Map([
      ["item_rest", 3 * 800],
      ["item_markup", 2_900 - 3 * 800],
      ["shipping", 490]
    ])
  )
})
