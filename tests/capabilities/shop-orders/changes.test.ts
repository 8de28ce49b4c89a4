/** Rules 10.4.14 to 10.4.18, 10.5.14 and 11.7.15 to 11.7.18: a shop's order that is edited, refunded or cancelled after its first webhook. */
import { describe, expect, test } from "bun:test"
import { makeShop, type ShopWorld } from "../../checkout/support/shop.ts"
import { present } from "../../support/body.ts"
import { testServer } from "../../support/server.ts"

const server = testServer({ ROLE: "http" })
const shopWorld = () => makeShop(server.current)

const at = (minute: number) => new Date(Date.UTC(2026, 9, 1, 12, minute)).toISOString()
/** An order of so many drops, and the same line for its later forms. */
const orderOf = (shop: ShopWorld, quantity: number) => {
  const line = shop.line(shop.skus.drops, {}, { quantity })
  const order = shop.order({ line_items: [line], updated_at: at(0), financial_status: "pending", refunds: [] })
  const later = (minute: number, fields: Readonly<Record<string, unknown>>, pieces = quantity) => ({
    ...order,
    updated_at: at(minute),
    line_items: [{ ...line, current_quantity: pieces }],
    ...fields
  })
  return { line, order, later }
}
const paid = { financial_status: "paid" }
/** The answer to a step of an order that waits for its change to be accepted. */
const waits = { status: 409, body: { code: "order_changed" } }

const only = async (shop: ShopWorld) => {
  const [order] = await shop.pharmacyOrders()
  return order
}
const sign = (shop: ShopWorld, uid: string) =>
  shop.sql`UPDATE prescriptions SET status = 'EXTERNALLY_SIGNED' WHERE uid = ${uid} AND status = 'WAITING_FOR_DOCTOR'`
const payouts = async (shop: ShopWorld) => (await shop.asPharmacy("GET", "payouts")).body.data
/** Gives the pharmacy a payment account, and its articles this price. */
const account = async (shop: ShopWorld, price = 800) => {
  const payout_terms = { payment_account: "org_1" }
  await shop.provision({ pharmacies: [{ uid: shop.pharmacy_uid, name: "Apotheke", payout_terms }] })
  await shop.sql`UPDATE pharmacy_skus SET price = ${price} WHERE pharmacy_uid = ${shop.pharmacy_uid}`
}

describe("an order that the pharmacy has not accepted", () => {
  test("that is edited from five pieces to one before it is paid is paid with one", async () => {
    const shop = await shopWorld()
    await account(shop)
    const { order, later } = orderOf(shop, 5)
    await shop.sendWebhook("orders/create", order)
    const first = await only(shop)
    await shop.sendWebhook("orders/updated", later(1, {}, 1))
    await shop.sendWebhook("orders/paid", later(2, paid, 1))
    const now = await only(shop)
    expect(now).toMatchObject({ uid: first.uid, paid: true, paid_amount: 2_480, shop_change: null })
    expect(now.lines).toMatchObject([{ quantity: 1, total_price: 1_990 }])
    expect((await shop.prescription(now.prescription_uid)).items).toMatchObject([{ quantity: 1 }])
    expect((await shop.prescription(first.prescription_uid)).status).toBe("cancelled")
    expect((await payouts(shop)).map(({ amount }: { amount: number }) => amount).sort()).toEqual([490, 800])
    expect(await shop.sql`SELECT stock FROM pharmacy_skus WHERE sku_uid = ${shop.skus.drops.uid}`).toEqual([
      { stock: 99 }
    ])
  })

  test("is the newest one, whatever the order of its webhooks", async () => {
    const shop = await shopWorld()
    const { order, later } = orderOf(shop, 5)
    await shop.sendWebhook("orders/paid", later(3, paid, 2))
    await shop.sendWebhook("orders/updated", later(1, {}, 4))
    await shop.sendWebhook("orders/create", order)
    expect(await only(shop)).toMatchObject({ paid: true, lines: [{ quantity: 2 }] })
    // at one time, an unpaid form does not replace a paid one
    await shop.sendWebhook("orders/updated", later(3, {}, 5))
    expect(await only(shop)).toMatchObject({ paid: true, lines: [{ quantity: 2 }] })
  })

  test("gets articles that were added, and loses those that were removed; without any it is cancelled", async () => {
    const shop = await shopWorld()
    const { line, order, later } = orderOf(shop, 1)
    const gel = shop.line(shop.skus.gel)
    await shop.sendWebhook("orders/create", order)
    await shop.sendWebhook("orders/updated", later(1, { line_items: [line, gel] }))
    const { drops, gel: added } = shop.skus
    expect((await only(shop)).lines).toMatchObject([drops, added].map(({ uid }) => ({ sku_uid: uid })))
    const line_items = [line, gel].map((one) => ({ ...one, current_quantity: 0 }))
    await shop.sendWebhook("orders/updated", later(2, { line_items }))
    expect(await only(shop)).toMatchObject({ status: "cancelled" })
    await shop.sendWebhook("orders/updated", later(3, { line_items: [gel] }))
    const orders = await shop.pharmacyOrders()
    expect(orders.map(({ status }) => status).sort()).toEqual(["cancelled", "new"])
  })

  test("is unpaid again once more is ordered than was paid for", async () => {
    const shop = await shopWorld()
    const { order, later } = orderOf(shop, 1)
    await shop.sendWebhook("orders/paid", { ...order, ...paid })
    const more = { financial_status: "partially_paid", line_items: [shop.line(shop.skus.drops, {}, { quantity: 3 })] }
    await shop.sendWebhook("orders/updated", later(1, more))
    expect(await only(shop)).toMatchObject({ paid: false, paid_amount: 0, lines: [{ quantity: 3 }] })
    expect(await payouts(shop)).toEqual([])
  })

  test("that is refunded whole is cancelled, and one that arrives refunded is not made", async () => {
    const shop = await shopWorld()
    const { order, later } = orderOf(shop, 1)
    await shop.sendWebhook("orders/paid", { ...order, ...paid })
    await shop.sendWebhook("refunds/create", shop.refundOf(order, "24.80"))
    expect(await only(shop)).toMatchObject({ status: "cancelled", refunded_amount: 2_480, paid_amount: 0 })
    await shop.sendWebhook("orders/updated", later(1, { financial_status: "refunded" }))
    await shop.sendWebhook("orders/updated", shop.order({ financial_status: "refunded" }))
    expect(await shop.pharmacyOrders()).toHaveLength(1)
  })

  test("waits after a refund of pieces until the order says what is left", async () => {
    const shop = await shopWorld()
    const { line, order, later } = orderOf(shop, 2)
    await shop.sendWebhook("orders/paid", { ...order, ...paid })
    const refund = shop.refundOf(order, "19.90", [{ line_item_id: line.id, quantity: 1 }])
    await shop.sendWebhook("refunds/create", refund)
    const { uid, shop_change } = await only(shop)
    expect(shop_change).toMatchObject({ reason: "refunded", lines: null })
    expect(await shop.setStatus(uid, "accepted")).toMatchObject(waits)
    await shop.sendWebhook("orders/updated", later(1, { financial_status: "partially_refunded", refunds: [refund] }, 1))
    expect(await only(shop)).toMatchObject({ shop_change: null, paid_amount: 2_480, lines: [{ quantity: 1 }] })
    // the refund arrives before the order's first body, which does not know of it
    const { line: early, order: late, later: latest } = orderOf(shop, 2)
    const before = shop.refundOf(late, "19.90", [{ line_item_id: early.id, quantity: 1 }])
    await shop.sendWebhook("refunds/create", before)
    await shop.sendWebhook("orders/paid", { ...late, ...paid })
    expect((await shop.pharmacyOrders())[0].shop_change).toMatchObject({ reason: "refunded", lines: null })
    const known = { financial_status: "partially_refunded", refunds: [before] }
    await shop.sendWebhook("orders/updated", latest(1, known, 1))
    expect((await shop.pharmacyOrders())[0]).toMatchObject({ shop_change: null, lines: [{ quantity: 1 }] })
    // a body without `current_quantity` says it by its refunds
    const { line: other, order: second } = orderOf(shop, 3)
    const back = shop.refundOf(second, "19.90", [{ line_item_id: other.id, quantity: 2 }])
    await shop.sendWebhook("orders/paid", { ...second, ...paid, refunds: [back] })
    expect((await shop.pharmacyOrders())[0]).toMatchObject({ lines: [{ quantity: 1 }] })
  })

  test("of which money alone was given back waits for a person", async () => {
    const shop = await shopWorld()
    const { order } = orderOf(shop, 1)
    await shop.sendWebhook("orders/paid", { ...order, ...paid })
    await shop.sendWebhook("refunds/create", shop.refundOf(order, "5.00"))
    const { uid, shop_change } = await only(shop)
    expect(shop_change).toMatchObject({ reason: "refunded", lines: null })
    const accepted = { shop_change: null, paid_amount: 1_980, refunded_amount: 500 }
    expect(await shop.acceptChange(uid, shop_change.uid)).toMatchObject({ status: 200, body: accepted })
    await shop.proceed(uid, "accepted")
  })
})

describe("an order that the pharmacy has begun", () => {
  test("waits with the difference, and goes on once that is accepted", async () => {
    const shop = await shopWorld()
    const { order, later } = orderOf(shop, 5)
    await shop.sendWebhook("orders/create", order)
    const { uid } = await only(shop)
    await shop.proceed(uid, "accepted")
    await shop.sendWebhook("orders/paid", later(1, paid, 1))
    const { shop_change, lines } = await only(shop)
    expect(lines).toMatchObject([{ quantity: 5 }])
    expect(shop_change).toMatchObject({
      reason: "edited",
      shipping_price: 490,
      lines: [{ sku_uid: shop.skus.drops.uid, display_name: "Drops", quantity: 1, total_price: 1_990 }]
    })
    expect(await shop.setStatus(uid, "in_preparation")).toMatchObject(waits)
    expect(await shop.acceptChange(uid, "chg_other")).toMatchObject(waits)
    const accepted = { shop_change: null, lines: [{ quantity: 1 }] }
    for (const _ of [1, 2])
      expect(await shop.acceptChange(uid, shop_change.uid)).toMatchObject({ status: 200, body: accepted })
    await shop.proceed(uid, "in_preparation")
    // the same state again changes nothing
    await shop.sendWebhook("orders/updated", later(2, paid, 1))
    expect(await only(shop)).toMatchObject({ shop_change: null })
  })

  test("waits for its change still after a refund that says nothing of it", async () => {
    const shop = await shopWorld()
    const { order, later } = orderOf(shop, 5)
    await shop.sendWebhook("orders/paid", { ...order, ...paid })
    await shop.proceed((await only(shop)).uid, "accepted")
    await shop.sendWebhook("orders/updated", later(1, paid, 1))
    await shop.sendWebhook("refunds/create", shop.refundOf(order, "5.00"))
    expect(await only(shop)).toMatchObject({ refunded_amount: 500, shop_change: { lines: [{ quantity: 1 }] } })
  })

  test("goes on once the shop has taken its change back", async () => {
    const shop = await shopWorld()
    const { order, later } = orderOf(shop, 2)
    await shop.sendWebhook("orders/create", order)
    await shop.proceed((await only(shop)).uid, "accepted")
    await shop.sendWebhook("orders/updated", later(1, {}, 1))
    expect((await only(shop)).shop_change).not.toBeNull()
    await shop.sendWebhook("orders/updated", later(2, {}, 2))
    expect((await only(shop)).shop_change).toBeNull()
  })

  test("of which nothing was left: what is bought later goes to another order, at whichever time the pharmacy accepts", async () => {
    for (const acceptsFirst of [true, false]) {
      const shop = await shopWorld()
      const { line, order, later } = orderOf(shop, 5)
      await shop.sendWebhook("orders/create", order)
      const { uid } = await only(shop)
      await shop.proceed(uid, "accepted", "in_preparation")
      await shop.sendWebhook("orders/updated", later(1, {}, 0))
      const { shop_change } = await only(shop)
      expect(shop_change).toMatchObject({ reason: "edited", lines: [] })
      const lines = [{ ...line, current_quantity: 0 }, shop.line(shop.skus.gel)]
      const buy = () => shop.sendWebhook("orders/updated", later(2, { ...paid, line_items: lines }))
      if (acceptsFirst) {
        await shop.acceptChange(uid, shop_change.uid)
        await buy()
        const orders = await shop.pharmacyOrders()
        expect(orders.map(({ status }) => status).sort()).toEqual(["cancelled", "new"])
        expect(orders.find(({ status }) => status === "new")).toMatchObject({
          paid: true,
          lines: [{ sku_uid: shop.skus.gel.uid, quantity: 1 }]
        })
      } else {
        await buy()
        expect(await only(shop)).toMatchObject({
          status: "in_preparation",
          shop_change: { lines: [{ sku_uid: shop.skus.gel.uid }] }
        })
        // the pharmacy's own cancellation is not undone by a later webhook
        await shop.proceed(uid, "cancelled")
        await shop.sendWebhook("orders/updated", later(3, { ...paid, line_items: lines, note: "ring twice" }))
        expect((await shop.pharmacyOrders()).map(({ status }) => status)).toEqual(["cancelled"])
      }
    }
  })

  test("waits when it is refunded whole; accepting cancels it. A cancellation cancels it at once", async () => {
    const shop = await shopWorld()
    const [one, two] = [orderOf(shop, 1), orderOf(shop, 1)]
    for (const { order } of [one, two]) await shop.sendWebhook("orders/paid", { ...order, ...paid })
    const found = await shop.pharmacyOrders()
    for (const { uid } of found) await shop.proceed(uid, "accepted")
    await shop.sendWebhook("orders/updated", one.later(1, { financial_status: "refunded" }))
    await shop.sendWebhook("orders/cancelled", two.later(1, { cancelled_at: at(1), financial_status: "paid" }))
    const after = await shop.pharmacyOrders()
    expect(after.map(({ status }) => status).sort()).toEqual(["accepted", "cancelled"])
    const begun = present(after.find(({ status }) => status === "accepted"))
    expect(begun.shop_change).toMatchObject({ reason: "refunded", lines: [] })
    await shop.acceptChange(begun.uid, begun.shop_change.uid)
    expect((await shop.pharmacyOrders()).map(({ status }) => status)).toEqual(["cancelled", "cancelled"])
  })
})

describe("an order that was shipped", () => {
  const shipped = async (shop: ShopWorld) => {
    const made = orderOf(shop, 1)
    await shop.sendWebhook("orders/paid", { ...made.order, ...paid })
    const { uid, prescription_uid } = await only(shop)
    await shop.proceed(uid, "accepted", "in_preparation", "shipped")
    await sign(shop, prescription_uid)
    return { ...made, uid }
  }

  test("shows a refund, and its payouts are parked for a person", async () => {
    const shop = await shopWorld()
    await account(shop)
    const { order, later, uid } = await shipped(shop)
    const refund = shop.refundOf(order, "24.80")
    await shop.sendWebhook("refunds/create", refund)
    await shop.sendWebhook("orders/updated", later(1, { financial_status: "refunded", refunds: [refund] }))
    const seen = await only(shop)
    expect(seen).toMatchObject({ status: "shipped", paid: true, paid_amount: 0, refunded_amount: 2_480 })
    expect(await shop.complete(uid)).toMatchObject(waits)
    await shop.acceptChange(uid, seen.shop_change.uid)
    expect(await shop.complete(uid)).toMatchObject({ status: 200 })
    const { parked_payouts } = await only(shop)
    expect(parked_payouts.map(({ reason }: { reason: string }) => reason)).toContain(
      "the payouts are more than the patient paid, less refunds"
    )
    expect((await payouts(shop)).every((row) => row.status === "projected")).toBe(true)
  })

  test("and completed shows a cancellation, too, and stays completed", async () => {
    const shop = await shopWorld()
    const { later, uid } = await shipped(shop)
    await shop.complete(uid)
    await shop.sendWebhook("orders/cancelled", later(1, { ...paid, cancelled_at: at(1) }))
    expect(await only(shop)).toMatchObject({ status: "completed", shop_change: { reason: "cancelled" } })
  })
})

describe("no more is routed than was paid", () => {
  test("of an order that was sold below the pharmacy's price: its payouts are parked", async () => {
    const shop = await shopWorld()
    await account(shop, 5_000)
    const { order } = orderOf(shop, 1)
    await shop.sendWebhook("orders/paid", { ...order, ...paid })
    const { uid, prescription_uid } = await only(shop)
    await shop.proceed(uid, "accepted", "in_preparation")
    await sign(shop, prescription_uid)
    await shop.complete(uid)
    expect((await only(shop)).parked_payouts).toHaveLength(2)
  })

  test("whatever the code does: the database refuses it", async () => {
    const shop = await shopWorld()
    await account(shop, 5_000)
    const { order } = orderOf(shop, 1)
    await shop.sendWebhook("orders/paid", { ...order, ...paid })
    const { uid } = await only(shop)
    const routed = shop.sql`UPDATE payouts SET routing = 'pending', routing_description = 'x'
      WHERE pharmacy_uid = ${shop.pharmacy_uid} AND pharmacy_order_uid = ${uid}`
    expect(await routed.then(() => "routed", Bun.inspect)).toContain("are more than was paid for it")
  })
})
