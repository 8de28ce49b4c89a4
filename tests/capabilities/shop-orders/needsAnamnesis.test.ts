/** Rules 11.7.19 and 11.7.20: articles that a shop sells only with an anamnesis. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { OrderIntake } from "../../../src/capabilities/shared/services/intake/OrderIntake.ts"
import { makeShop, type ShopWorld } from "../../checkout/support/shop.ts"
import { testServer } from "../../support/server.ts"
import { random } from "../../support/world.ts"

const server = testServer()

/** A shop that demands an anamnesis for its drops, set by its organisation. */
const strictShop = async () => {
  const shop = await makeShop(server.current)
  const key = random("spr_key_that_is_long_enough")
  await shop.provision({
    api_keys: [{ key, name: "admin", permissions: ["organisation:admin"], organisation_uid: shop.organisation_uid }]
  })
  const change = (anamnesis_sku_uids: ReadonlyArray<string>) =>
    server.current.api("PATCH", `/v1/management/shops/${shop.shop_uid}`, { key, body: { anamnesis_sku_uids } })
  expect(await change([shop.skus.drops.uid])).toMatchObject({
    status: 200,
    body: { anamnesis_sku_uids: [shop.skus.drops.uid] }
  })
  return { ...shop, change }
}

const buy = (shop: ShopWorld, properties: Readonly<Record<string, string>>, fields = {}) =>
  shop.sendWebhook("orders/paid", shop.order({ line_items: [shop.line(shop.skus.drops, properties)], ...fields }))

test("an order whose line has none, or a flag that skips it, waits; with one it is made", async () => {
  const shop = await strictShop()
  await buy(shop, {})
  await buy(shop, { _skip_validation: "true", _anamnesis_uid: "ana_1" })
  await buy(shop, { _anamnesis_uid: "ana_1" }, { note_attributes: [{ name: "_service_skip_validation", value: "1" }] })
  expect(await shop.pharmacyOrders()).toEqual([])
  expect((await shop.waiting()).map(({ reason }) => reason)).toEqual(Array(3).fill("anamnesis_required"))
  await buy(shop, { _anamnesis_uid: "ana_1" })
  expect(await shop.pharmacyOrders()).toHaveLength(1)
})

test("other articles, and lines of a signed prescription, need none; nor does any where nothing is set", async () => {
  const [shop, lax] = [await strictShop(), await makeShop(server.current)]
  const gel = shop.line(shop.skus.gel, { _skip_validation: "1" })
  await shop.sendWebhook("orders/paid", shop.order({ line_items: [gel] }))
  const { body } = await shop.prescribe()
  await buy(shop, { _prescription_uid: body.prescriptions[0].prescription_uid })
  expect(await shop.pharmacyOrders()).toHaveLength(2)
  expect(await shop.waiting()).toEqual([])
  await buy(lax, { _skip_validation: "true" })
  expect(await lax.pharmacyOrders()).toHaveLength(1)
})

test("an article of the catalogue may need one in every shop", async () => {
  const shop = await makeShop(server.current)
  await shop.sql`UPDATE skus SET needs_anamnesis = true WHERE sku_uid = ${shop.skus.drops.uid}`
  await buy(shop, {})
  expect(await shop.waiting()).toMatchObject([{ reason: "anamnesis_required" }])
})

test("an order that gets such an article waits for an anamnesis, also after a refund", async () => {
  const shop = await strictShop()
  const gel = shop.line(shop.skus.gel)
  const order = shop.order({ line_items: [gel], updated_at: "2026-10-01T12:00:00Z", refunds: [] })
  await shop.sendWebhook("orders/paid", order)
  const line_items = [gel, shop.line(shop.skus.drops)]
  await shop.sendWebhook("orders/updated", { ...order, line_items, updated_at: "2026-10-01T12:01:00Z" })
  const hold = { reason: "anamnesis_required", lines: [{ quantity: 1 }, { sku_uid: shop.skus.drops.uid }] }
  expect((await shop.pharmacyOrders())[0].shop_change).toMatchObject(hold)
  for (const pieces of [[], [{ line_item_id: gel.id, quantity: 1 }]]) {
    await shop.sendWebhook("refunds/create", shop.refundOf(order, "1.00", pieces))
    expect((await shop.pharmacyOrders())[0].shop_change).toMatchObject(hold)
  }
})

test("a person releases the order; one that does not wait for an anamnesis cannot be released", async () => {
  const shop = await strictShop()
  await buy(shop, {})
  const [{ order_id } = { order_id: "" }] = await shop.waiting()
  const release = (id: string) =>
    server.current.run(Effect.flatMap(OrderIntake, (intake) => Effect.either(intake.release(shop.shop_identifier, id))))
  expect(await release("1")).toMatchObject({ _tag: "Left", left: { _tag: "WaitingOrderNotFound" } })
  expect((await release(order_id))._tag).toBe("Right")
  expect(await shop.pharmacyOrders()).toHaveLength(1)
  expect(await shop.waiting()).toEqual([])
})

test("the embedded shop takes no payment without", async () => {
  const shop = await strictShop()
  const checkout = async (anamnesis_id?: string) =>
    (await shop.treat({ lines: [{ sku_uid: shop.skus.drops.uid, quantity: 1, anamnesis_id }] })).body.draft_order_id
  const refused = await shop.pay(await checkout())
  expect([refused.status, (await refused.json()).code]).toEqual([409, "anamnesis_required"])
  expect((await shop.pay(await checkout("ana_1"))).status).toBe(200)
})

test("an unknown article is refused", async () => {
  const shop = await strictShop()
  const { status, body } = await shop.change([shop.skus.drops.uid, "sku_nowhere"])
  expect([status, body.error]).toEqual([400, ["anamnesis_sku_uids[1]: refers to something that does not exist"]])
})
