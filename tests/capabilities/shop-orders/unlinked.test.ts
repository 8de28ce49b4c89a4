/** Rule 11.2.5: a prescription that no line names gets the lines that can only be its own. */
import { describe, expect, test } from "bun:test"
import { ADDRESS, makeShop, pdf, type ShopWorld } from "../../checkout/support/shop.ts"
import { testServer } from "../../support/server.ts"

const server = testServer()

/** A shop, and checkouts of prescriptions with these ids. */
const scene = async () => {
  const shop = await makeShop(server.current)
  const { drops, gel, advice } = shop.skus
  const line = ({ uid }: { readonly uid: string }, quantity = 1, prescription_id?: string) => ({
    sku_uid: uid,
    quantity,
    ...(prescription_id !== undefined && { prescription_id })
  })
  const checkout = (ids: ReadonlyArray<string>, lines: unknown, fields: object = {}) =>
    shop.prescribe({ prescriptions: ids.map((id) => ({ id, pdf_base64: pdf(id) })), lines, ...fields })
  const reserved = async (...lines: ReadonlyArray<object>) => ({
    reserved_draft_order_id: (await shop.reserve({ lines })).body.reserved_draft_order_id
  })
  const lines = { drops: line(drops), gel: line(gel), advice: line(advice) }
  return { shop, line, lines, checkout, reserved }
}
/** The articles and quantities of each prescription. */
const itemsOf = async (shop: ShopWorld, { body }: Awaited<ReturnType<ShopWorld["prescribe"]>>) => {
  const all = await Promise.all(body.prescriptions.map(({ prescription_uid }) => shop.prescription(prescription_uid)))
  return all.map(({ items }) => items.map(({ sku_uid, quantity }) => [sku_uid, quantity]))
}
const attributesOf = async (shop: ShopWorld, { reserved_draft_order_id }: { reserved_draft_order_id: string }) => {
  const [order] = await shop.sql<{ lines: ReadonlyArray<{ attributes: object }> }>`
    SELECT lines FROM embedded_orders WHERE id = ${reserved_draft_order_id}`
  return order?.lines.map(({ attributes }) => attributes)
}

describe("in an ordinary checkout", () => {
  test("the only prescription gets every physical line, and no second one waits for a doctor", async () => {
    const { shop, line, lines, checkout } = await scene()
    const { drops, gel } = shop.skus
    const done = await checkout(["a"], [line(drops, 2), lines.gel, lines.advice])
    expect(await itemsOf(shop, done)).toEqual([
      [
        [drops.uid, 2],
        [gel.uid, 1]
      ]
    ])
    expect((await shop.pay(done.body.draft_order_id)).status).toBe(200)
    const [{ prescription_uid }] = done.body.prescriptions
    expect(await shop.pharmacyOrders()).toMatchObject([{ prescription_uid, paid: true }])
    const all = await shop.sql`SELECT status FROM prescriptions WHERE organisation_uid = ${shop.organisation_uid}`
    expect(all).toEqual([{ status: "DISPATCHED" }])
  })

  test("the one prescription that no line names gets the lines that name no prescription", async () => {
    const { shop, line, lines, checkout } = await scene()
    const { drops, gel } = shop.skus
    const done = await checkout(["a", "b"], [line(drops, 1, "a"), lines.gel])
    expect(await itemsOf(shop, done)).toEqual([[[drops.uid, 1]], [[gel.uid, 1]]])
  })

  test("a line without a prescription stays without if every prescription is named by a line", async () => {
    const { shop, line, lines, checkout } = await scene()
    const done = await checkout(["a"], [line(shop.skus.drops, 1, "a"), lines.gel])
    await shop.pay(done.body.draft_order_id)
    expect(await shop.pharmacyOrders()).toHaveLength(2)
  })

  test("with several prescriptions that no line names, such lines are taken without a prescription", async () => {
    const { shop, lines, checkout } = await scene()
    const done = await checkout(["a", "b"], [lines.advice, lines.drops])
    expect(await itemsOf(shop, done)).toEqual([[], []])
    expect((await shop.pay(done.body.draft_order_id)).status).toBe(200)
    const waiting = await shop.sql`SELECT status FROM prescriptions
      WHERE organisation_uid = ${shop.organisation_uid} AND status = 'WAITING_FOR_DOCTOR'`
    expect(waiting).toHaveLength(1)
  })

  test("prescriptions alone are accepted, without a checkout; Rule 11.2.2", async () => {
    const { shop, checkout } = await scene()
    for (const [i, lines] of [undefined, [], null].entries()) {
      const done = await checkout([`a${i}`, `b${i}`], lines)
      expect(done).toMatchObject({ status: 200, body: { status: "success", checkout_url: null, draft_order_id: null } })
      expect(await itemsOf(shop, done)).toEqual([[], []])
      expect((await checkout([`a${i}`], lines)).status).toBe(409)
    }
  })
})

describe("on a reserved draft order", () => {
  test("the only prescription gets the lines of the body, and no others", async () => {
    const { shop, lines, checkout, reserved } = await scene()
    const order = await reserved(lines.drops, lines.gel)
    const done = await checkout(["a"], [lines.drops], order)
    const [{ prescription_uid }] = done.body.prescriptions
    expect(await attributesOf(shop, order)).toEqual([{ _prescription_uid: prescription_uid }, {}])
    expect(await itemsOf(shop, done)).toEqual([[[shop.skus.drops.uid, 1]]])
    await shop.pay(order.reserved_draft_order_id)
    expect(await shop.pharmacyOrders()).toHaveLength(2)
  })

  test("a prescription without lines holds what the draft order does, at least what its line does, and needs no buyer", async () => {
    const { shop, line, lines, checkout, reserved } = await scene()
    const { drops, gel } = shop.skus
    for (const { held, sent, items } of [
      {
        held: [line(drops, 3), lines.gel],
        sent: [],
        items: [
          [drops.uid, 3],
          [gel.uid, 1]
        ]
      },
      { held: [line(drops, 3)], sent: [line(drops, 1, "1")], items: [[drops.uid, 3]] }
    ]) {
      const order = await reserved(...held)
      const fields = {
        ...order,
        buyerIdentity: undefined,
        checkout_type: "draft_order_without_checkout_request"
      }
      expect(await itemsOf(shop, await checkout([String(sent.length)], sent, fields))).toEqual([items])
      expect((await shop.pay(order.reserved_draft_order_id)).status).toBe(200)
    }
  })

  test("several prescriptions that no line names get no line", async () => {
    const { shop, lines, checkout, reserved } = await scene()
    const order = await reserved(lines.drops, lines.gel)
    for (const [i, sent] of [[lines.drops, lines.gel], undefined].entries()) {
      expect((await checkout([`a${i}`, `b${i}`], sent, order)).status).toBe(200)
      expect(await attributesOf(shop, order)).toEqual([{}, {}])
    }
  })
})

describe("what a checkout ignores is not validated:", () => {
  test("any checkout_type on a reserved draft order", async () => {
    const { shop, lines, reserved } = await scene()
    for (const checkout_type of ["sale", 7, null, { a: 1 }]) {
      const done = await shop.prescribe({ ...(await reserved(lines.drops)), checkout_type })
      expect([done.status, done.body.checkout_url]).toEqual([200, null])
    }
    expect((await shop.prescribe({ checkout_type: "sale" })).status).toBe(400)
  })

  test("any address with checkout_link, but on a reserved draft order addresses are used", async () => {
    const { shop, lines, reserved } = await scene()
    for (const address of [{ country_code: "Deutschland" }, "Lindenstraße 5", 7, { ...ADDRESS, zip: 10_115 }]) {
      const addresses = { billing_address: address, shipping_address: address }
      const link = { checkout_type: "checkout_link", ...addresses }
      const bodies = [link, addresses, { ...link, ...(await reserved(lines.drops)) }]
      const answers = await Promise.all(bodies.map((body) => shop.prescribe(body)))
      expect(answers.map(({ status }) => status)).toEqual([200, 400, 400])
    }
  })
})

test("lists of a checkout have a maximum length, checked before their entries", async () => {
  const { shop } = await scene()
  const many = (length: number) => Array.from({ length }, () => ({}))
  const lines = many(501)
  const fault = "lines: must have at most 500 entries"
  const done = await shop.prescribe({ lines, prescriptions: many(21) })
  const faults = [fault, "prescriptions: must have at most 20 entries"]
  expect([done.status, done.body.error.toSorted()]).toEqual([400, faults])
  expect((await shop.treat({ lines })).body.error).toEqual([fault])
  expect((await shop.reserve({ lines })).body.error).toEqual([fault])
})
