/** Rule 11.2.5: a prescription that no line names gets the lines that can only be its own. */
import { describe, expect, test } from "bun:test"
import { present } from "../support/body.ts"
import { testServer } from "../support/server.ts"
import { ADDRESS, makeShop, pdf, type ShopWorld } from "./support/shop.ts"

const server = testServer()
const shopWorld = () => makeShop(server.current)

type Article = "drops" | "gel" | "advice"
const line = (shop: ShopWorld, article: Article, prescription_id?: string, quantity = 1) => ({
  sku_uid: shop.skus[article].uid,
  quantity,
  ...(prescription_id === undefined ? {} : { prescription_id })
})
const prescriptions = (...ids: ReadonlyArray<string>) => ids.map((id) => ({ id, pdf_base64: pdf(id) }))
const itemsOf = async (shop: ShopWorld, uid: string) =>
  (await shop.prescription(uid)).items.map((item: { sku_uid: string; quantity: number }) => [
    item.sku_uid,
    item.quantity
  ])

const reserve = async (shop: ShopWorld, ...lines: ReadonlyArray<object>): Promise<string> =>
  (await shop.reserve({ lines })).body.reserved_draft_order_id

const attributesOf = async (shop: ShopWorld, id: string) => {
  const [order] = await shop.sql<{
    lines: ReadonlyArray<{ attributes: object }>
  }>`SELECT lines FROM embedded_orders WHERE id = ${id}`
  return order?.lines.map(({ attributes }) => attributes)
}

describe("in an ordinary checkout", () => {
  test("the only prescription gets every physical line, and no second one waits for a doctor", async () => {
    const shop = await shopWorld()
    const done = await shop.prescribe({
      prescriptions: prescriptions("a"),
      lines: [line(shop, "drops", undefined, 2), line(shop, "gel"), line(shop, "advice")]
    })
    const [{ prescription_uid }] = done.body.prescriptions
    expect(await itemsOf(shop, prescription_uid)).toEqual([
      [shop.skus.drops.uid, 2],
      [shop.skus.gel.uid, 1]
    ])
    expect((await shop.pay(done.body.draft_order_id)).status).toBe(200)
    expect(await shop.pharmacyOrders()).toMatchObject([{ prescription_uid, paid: true }])
    const all = await shop.sql`SELECT status FROM prescriptions WHERE organisation_uid = ${shop.organisation_uid}`
    expect(all).toEqual([{ status: "DISPATCHED" }])
  })

  test("the one prescription that no line names gets the lines that name no prescription", async () => {
    const shop = await shopWorld()
    const done = await shop.prescribe({
      prescriptions: prescriptions("a", "b"),
      lines: [line(shop, "drops", "a"), line(shop, "gel")]
    })
    const [, second] = done.body.prescriptions
    expect(await itemsOf(shop, present(second).prescription_uid)).toEqual([[shop.skus.gel.uid, 1]])
  })

  test("a line without a prescription stays without if every prescription is named by a line", async () => {
    const shop = await shopWorld()
    const done = await shop.prescribe({
      prescriptions: prescriptions("a"),
      lines: [line(shop, "drops", "a"), line(shop, "gel")]
    })
    await shop.pay(done.body.draft_order_id)
    expect(await shop.pharmacyOrders()).toHaveLength(2)
  })

  test("with several prescriptions that no line names, such lines are taken without a prescription", async () => {
    const shop = await shopWorld()
    const done = await shop.prescribe({
      prescriptions: prescriptions("a", "b"),
      lines: [line(shop, "advice"), line(shop, "drops")]
    })
    expect(done.status).toBe(200)
    for (const { prescription_uid } of done.body.prescriptions)
      expect(await itemsOf(shop, prescription_uid)).toEqual([])
    expect((await shop.pay(done.body.draft_order_id)).status).toBe(200)
    const waiting = await shop.sql`SELECT status FROM prescriptions
      WHERE organisation_uid = ${shop.organisation_uid} AND status = 'WAITING_FOR_DOCTOR'`
    expect(waiting).toHaveLength(1)
  })

  test("prescriptions alone are accepted, without a checkout; Rule 11.2.2", async () => {
    const shop = await shopWorld()
    for (const [i, lines] of [undefined, [], null].entries()) {
      const done = await shop.prescribe({ prescriptions: prescriptions(`a${i}`, `b${i}`), lines })
      expect(done).toMatchObject({ status: 200, body: { status: "success", checkout_url: null, draft_order_id: null } })
      const [{ prescription_uid }, ...more] = done.body.prescriptions
      expect(more).toHaveLength(1)
      expect(await shop.prescription(prescription_uid)).toMatchObject({ status: "signed", items: [] })
      expect((await shop.prescribe({ prescriptions: prescriptions(`a${i}`), lines })).status).toBe(409)
    }
  })
})

describe("on a reserved draft order", () => {
  test("the only prescription gets the lines of the body, and no others", async () => {
    const shop = await shopWorld()
    const id = await reserve(shop, line(shop, "drops"), line(shop, "gel"))
    const done = await shop.prescribe({
      reserved_draft_order_id: id,
      prescriptions: prescriptions("a"),
      lines: [line(shop, "drops")]
    })
    const [{ prescription_uid }] = done.body.prescriptions
    expect(await attributesOf(shop, id)).toEqual([{ _prescription_uid: prescription_uid }, {}])
    expect(await itemsOf(shop, prescription_uid)).toEqual([[shop.skus.drops.uid, 1]])
    await shop.pay(id)
    expect(await shop.pharmacyOrders()).toHaveLength(2)
  })

  test("a prescription without lines holds what the draft order does, at least what its line does", async () => {
    const shop = await shopWorld()
    const whole = await reserve(shop, line(shop, "drops", undefined, 3), line(shop, "gel"))
    const { body } = await shop.prescribe({
      reserved_draft_order_id: whole,
      prescriptions: prescriptions("a"),
      lines: []
    })
    expect(await itemsOf(shop, body.prescriptions[0].prescription_uid)).toEqual([
      [shop.skus.drops.uid, 3],
      [shop.skus.gel.uid, 1]
    ])
    expect((await shop.pay(whole)).status).toBe(200)
    const more = await reserve(shop, line(shop, "drops", undefined, 3))
    const done = await shop.prescribe({
      reserved_draft_order_id: more,
      prescriptions: prescriptions("b"),
      lines: [line(shop, "drops", "b")]
    })
    expect(await itemsOf(shop, done.body.prescriptions[0].prescription_uid)).toEqual([[shop.skus.drops.uid, 3]])
    expect((await shop.pay(more)).status).toBe(200)
  })

  test("several prescriptions that no line names get no line", async () => {
    const shop = await shopWorld()
    const id = await reserve(shop, line(shop, "drops"), line(shop, "gel"))
    for (const lines of [[line(shop, "drops"), line(shop, "gel")], undefined]) {
      const names = lines === undefined ? ["c", "d"] : ["a", "b"]
      const done = await shop.prescribe({ reserved_draft_order_id: id, prescriptions: prescriptions(...names), lines })
      expect(done.status).toBe(200)
      expect(await attributesOf(shop, id)).toEqual([{}, {}])
    }
  })
})

describe("what a checkout ignores", () => {
  test("is not validated: any checkout_type on a reserved draft order", async () => {
    const shop = await shopWorld()
    for (const checkout_type of ["sale", 7, null, { a: 1 }]) {
      const id = await reserve(shop, line(shop, "drops"))
      const done = await shop.prescribe({ reserved_draft_order_id: id, checkout_type })
      expect([done.status, done.body.checkout_url]).toEqual([200, null])
    }
    expect((await shop.prescribe({ checkout_type: "sale" })).status).toBe(400)
  })

  test("is not validated: any address with checkout_link, but on a reserved draft order addresses are used", async () => {
    const shop = await shopWorld()
    for (const address of [{ country_code: "Deutschland" }, "Lindenstraße 5", 7, { ...ADDRESS, zip: 10_115 }]) {
      const addresses = { billing_address: address, shipping_address: address }
      expect((await shop.prescribe({ checkout_type: "checkout_link", ...addresses })).status).toBe(200)
      expect((await shop.prescribe(addresses)).status).toBe(400)
      const id = await reserve(shop, line(shop, "drops"))
      const body = { reserved_draft_order_id: id, checkout_type: "checkout_link", ...addresses }
      expect((await shop.prescribe(body)).status).toBe(400)
    }
  })
})

test("lists of a checkout have a maximum length, checked before their entries", async () => {
  const shop = await shopWorld()
  const lines = Array.from({ length: 501 }, () => ({}))
  const many = Array.from({ length: 21 }, () => ({}))
  const done = await shop.prescribe({ lines, prescriptions: many })
  expect([done.status, done.body.error.toSorted()]).toEqual([
    400,
    ["lines: must have at most 500 entries", "prescriptions: must have at most 20 entries"]
  ])
  expect((await shop.treat({ lines })).body.error).toEqual(["lines: must have at most 500 entries"])
  expect((await shop.reserve({ lines })).body.error).toEqual(["lines: must have at most 500 entries"])
})
