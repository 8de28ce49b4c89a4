/** Rule 9.6: a prescription is dispensed only in its articles and quantities, whatever the order says. */
import { describe, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { IntakeRepo } from "../../../src/capabilities/shared/services/intake/IntakeRepo.ts"
import { pharmacyPermissions } from "../../../src/schemas/access/permissions.ts"
import { OrganisationUid } from "../../../src/schemas/ids.ts"
import { makeShop, PATIENT, type ShopWorld } from "../../checkout/support/shop.ts"
import { present } from "../../support/body.ts"
import { seeingAll, waitingForLocks } from "../../support/citus.ts"
import { eventually } from "../../support/eventually.ts"
import { using } from "../../support/postgres.ts"
import { sized } from "../../support/scale.ts"
import { testServer } from "../../support/server.ts"
import { recording } from "../../support/statements.ts"
import { transaction } from "../../support/transaction.ts"
import { random } from "../../support/world.ts"

const server = testServer()
const shopWorld = () => makeShop(server.current)

/** A signed prescription of two packs of drops. */
const signed = async (shop: ShopWorld): Promise<string> =>
  (await shop.prescribe()).body.prescriptions[0].prescription_uid

const orderOf = (shop: ShopWorld, prescription_uid: string, { sku = shop.skus.drops, quantity = 1 } = {}) =>
  shop.order({ line_items: [shop.line(sku, { _prescription_uid: prescription_uid }, { quantity })] })
const buy = (shop: ShopWorld, ...of: [prescription_uid: string, what?: Parameters<typeof orderOf>[2]]) =>
  shop.sendWebhook("orders/paid", orderOf(shop, ...of))
/** An order without a prescription, and what becomes of it. */
const unsignedOrder = async (shop: ShopWorld) => {
  const order = shop.order()
  await shop.sendWebhook("orders/paid", order)
  return { order, made: present((await shop.pharmacyOrders())[0]) }
}
const cancelInShop = (shop: ShopWorld, order: object) =>
  shop.sendWebhook("orders/cancelled", { ...order, cancelled_at: "2026-11-20T10:00:00Z" })
const cancelPrescription = async (shop: ShopWorld, uid: string) =>
  expect(await shop.api("POST", `/v1/management/prescriptions/${uid}/cancel`, { reason: "wrong dose" })).toMatchObject({
    status: 200
  })
const statusOf = async (shop: ShopWorld, uid: string) => (await shop.prescription(uid)).status

describe("a prescription that a buyer's line names", () => {
  // Shows: a buyer who uses a prescription for other articles, for more of them, or repeatedly
  // Shows: one prescription for many orders, for other articles, or after it was cancelled
  test("fills no more than its quantity with many orders at once", async () => {
    const shop = await shopWorld()
    const uid = await signed(shop)
    const orders = sized(8, 20)
    await Promise.all(Array.from({ length: orders }, () => buy(shop, uid)))
    expect((await shop.pharmacyOrders()).map((order) => order.prescription_uid)).toEqual([uid, uid])
    const unusable = { reason: "prescription_not_usable" }
    expect(await shop.waiting()).toMatchObject(Array.from({ length: orders - 2 }, () => unusable))
    const triedAtOnce = await server.current.run(
      Effect.flatMap(IntakeRepo, ({ waitingNames }) =>
        waitingNames(OrganisationUid.make(shop.organisation_uid), 5)
      ).pipe(Effect.provide(IntakeRepo.Default))
    )
    expect(triedAtOnce).toHaveLength(5)
    const items = await shop.sql`SELECT quantity, dispensed FROM prescription_items WHERE prescription_uid = ${uid}`
    expect(items).toEqual([{ quantity: 2, dispensed: 2 }])
  })

  // Shows: one prescription for many orders, for other articles, or after it was cancelled
  test("does not fill an order of another article, or of more than is prescribed; an unknown one fills none", async () => {
    const shop = await shopWorld()
    const uid = await signed(shop)
    await buy(shop, uid, { sku: shop.skus.gel })
    await buy(shop, uid, { quantity: 3 })
    await buy(shop, "prs_of_nobody")
    expect(await shop.pharmacyOrders()).toEqual([])
    expect((await shop.waiting()).map(({ reason }) => reason)).toEqual(Array(3).fill("prescription_not_usable"))
    expect(await statusOf(shop, uid)).toBe("signed")
  })

  test("is one of at most fifty in an order: an order with more waits", async () => {
    const shop = await shopWorld()
    const { organisation_uid, shop_uid, skus } = shop
    const items = [{ sku_uid: skus.drops.uid, quantity: 1 }]
    const prescription = { organisation_uid, shop_uid, status: "SIGNED", patient: PATIENT, items }
    const prescriptions = Array.from({ length: 51 }, () => ({ uid: random("prx"), ...prescription }))
    await shop.provision({ prescriptions })
    const line_items = prescriptions.map(({ uid }) => shop.line(skus.drops, { _prescription_uid: uid }))
    await shop.sendWebhook("orders/paid", shop.order({ line_items }))
    expect(await shop.pharmacyOrders()).toEqual([])
    expect(await shop.waiting()).toMatchObject([{ reason: "prescription_not_usable" }])
    await shop.sendWebhook("orders/paid", shop.order({ line_items: line_items.slice(1) }))
    expect(await shop.pharmacyOrders()).toHaveLength(50)
  })

  // Shows: a buyer who uses a prescription for other articles, for more of them, or repeatedly
  // Shows: one prescription for many orders, for other articles, or after it was cancelled
  test("fills no order once it is cancelled or completed, or while it waits for a doctor", async () => {
    const shop = await shopWorld()
    const cancelled = await signed(shop)
    await cancelPrescription(shop, cancelled)
    await buy(shop, cancelled)
    const completed = await signed(shop)
    await buy(shop, completed)
    const [{ uid }] = await shop.pharmacyOrders()
    await shop.proceed(uid, "accepted", "in_preparation")
    await shop.complete(uid)
    expect(await statusOf(shop, completed)).toBe("completed")
    await buy(shop, completed)
    const { made } = await unsignedOrder(shop)
    await buy(shop, made.prescription_uid)
    expect(await shop.pharmacyOrders()).toHaveLength(2)
    expect(await shop.waiting()).toHaveLength(3)
  })

  test("regains the quantity of a cancelled order, and the waiting order is created", async () => {
    const shop = await shopWorld()
    const uid = await signed(shop)
    for (const _ of [1, 2]) await buy(shop, uid, { quantity: 2 })
    expect(await shop.waiting()).toHaveLength(1)
    await shop.proceed((await shop.pharmacyOrders())[0].uid, "rejected")
    await Promise.all([shop.retryWaiting(), shop.retryWaiting()])
    expect(await shop.waiting()).toEqual([])
    expect((await shop.pharmacyOrders()).map(({ status }) => status).sort()).toEqual(["new", "rejected"])
  })

  test("does not regain what was shipped when the shop cancels, but when the pharmacy does; Rule 9.6.6", async () => {
    const shop = await shopWorld()
    const shipped = async () => {
      const uid = await signed(shop)
      const order = orderOf(shop, uid, { quantity: 2 })
      await shop.sendWebhook("orders/paid", order)
      const [made] = await shop.pharmacyOrders()
      await shop.proceed(made.uid, "accepted", "in_preparation", "shipped")
      return { uid, order, made: made.uid }
    }
    const inShop = await shipped()
    await cancelInShop(shop, inShop.order)
    await buy(shop, inShop.uid)
    expect(await shop.waiting()).toMatchObject([{ reason: "prescription_not_usable" }])
    expect((await shop.pharmacyOrders()).map(({ status }) => status)).toEqual(["cancelled"])
    const cameBack = await shipped()
    await shop.proceed(cameBack.made, "cancelled")
    await buy(shop, cameBack.uid, { quantity: 2 })
    expect(await shop.waiting()).toHaveLength(1)
  })
})

test("a checkout's prescription fills its own order; once it is cancelled it fills none, and nothing is paid", async () => {
  const shop = await shopWorld()
  const { body } = await shop.prescribe()
  await cancelPrescription(shop, body.prescriptions[0].prescription_uid)
  const refused = await shop.pay(body.draft_order_id)
  expect([refused.status, (await refused.json()).code]).toEqual([409, "prescription_not_usable"])
  expect(await shop.pharmacyOrders()).toEqual([])
})

describe("an order whose prescription waits for a doctor", () => {
  test("cancels the prescription when it is cancelled by the pharmacy or the shop, but not when it is rejected", async () => {
    const shop = await shopWorld()
    const byPharmacy = (status: string) => (_: object, uid: string) => shop.proceed(uid, status)
    for (const [end, status] of [
      [byPharmacy("cancelled"), "cancelled"],
      [(order: object) => cancelInShop(shop, order), "cancelled"],
      [byPharmacy("rejected"), "waiting_for_doctor"]
    ] as const) {
      const { order, made } = await unsignedOrder(shop)
      await end(order, made.uid)
      expect(await statusOf(shop, made.prescription_uid)).toBe(status)
    }
  })

  test("and another pharmacy's order cancel the prescription when both are cancelled at once", async () => {
    const shop = await shopWorld()
    const { organisation_uid, shop_uid, skus } = shop
    const [prescription_uid, pharmacy_uid, key] = [random("prx"), random("pha"), random("spr_key_that_is_long_enough")]
    const carried = [shop.pharmacy_uid, pharmacy_uid].map((owner) => ({
      uid: random("pho"),
      name: "#1",
      pharmacy_uid: owner,
      shop_uid,
      prescription_uid,
      lines: [{ sku_uid: skus.drops.uid, quantity: 1, unit_price: 1_990 }]
    }))
    const items = [{ sku_uid: skus.drops.uid, quantity: 2 }]
    const waiting = { organisation_uid, shop_uid, status: "WAITING_FOR_DOCTOR", patient: PATIENT, items }
    await shop.provision({
      pharmacies: [{ uid: pharmacy_uid, name: "Other" }],
      api_keys: [{ key, name: "other", permissions: pharmacyPermissions, pharmacy_uid }],
      prescriptions: [{ uid: prescription_uid, ...waiting }],
      pharmacy_orders: carried
    })
    const keys = [shop.pharmacy_key, key]
    const cancelling = await server.current.run(
      transaction(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`SELECT FROM prescriptions
            WHERE organisation_uid = ${organisation_uid} AND uid = ${prescription_uid} FOR NO KEY UPDATE`
          const answers = carried.map(({ uid }, i) =>
            server.current.api("PATCH", `/v1/external_pharmacy_api/pharmacy_orders/${uid}/status`, {
              key: keys[i] ?? "",
              body: { status: "cancelled" }
            })
          )
          // The first waits for the test, the second for the first
          yield* Effect.promise(() =>
            using(seeingAll(server.current.databaseUrl), (observer) =>
              eventually(
                () => waitingForLocks(observer),
                (waiting) => waiting === 2
              )
            )
          )
          return answers
        })
      )
    )
    for (const { status } of await Promise.all(cancelling)) expect(status).toBe(200)
    expect(await statusOf(shop, prescription_uid)).toBe("cancelled")
  })
})

describe("an order whose prescription is cancelled after it was made, Rule 9.6.5", () => {
  const notSigned = { status: 409, body: { code: "prescription_not_signed" } }
  /** A paid order after these transitions, and its signed prescription, which is then cancelled. */
  const cancelledAt = async (shop: ShopWorld, steps: ReadonlyArray<string>) => {
    const prescription = await signed(shop)
    await buy(shop, prescription)
    const orders: ReadonlyArray<{ uid: string; prescription_uid: string }> = await shop.pharmacyOrders()
    const { uid } = present(orders.find(({ prescription_uid }) => prescription_uid === prescription))
    await shop.proceed(uid, ...steps)
    await cancelPrescription(shop, prescription)
    return uid
  }

  test("is neither prepared, handed over nor completed, and can be rejected or cancelled", async () => {
    const shop = await shopWorld()
    const walk = ["accepted", "in_preparation", "ready_for_pickup"]
    const refused = [["in_preparation"], ["ready_for_pickup", "shipped"], []]
    for (const [i, next] of refused.entries()) {
      const uid = await cancelledAt(shop, walk.slice(0, i + 1))
      const error = expect.stringContaining("was cancelled")
      for (const status of next)
        expect(await shop.setStatus(uid, status)).toMatchObject({ status: 409, body: { ...notSigned.body, error } })
      if (i > 0) expect(await shop.complete(uid)).toMatchObject(notSigned)
      await shop.proceed(uid, walk[i] ?? "", "cancelled")
    }
    await shop.proceed(await cancelledAt(shop, []), "rejected")
  })

  test("is completed and paid out if it was already shipped, but not if it was shipped before the signature", async () => {
    const shop = await shopWorld()
    const routings = (uid: string) => shop.sql`SELECT DISTINCT routing FROM payouts WHERE pharmacy_order_uid = ${uid}`
    const shipped = await cancelledAt(shop, ["accepted", "in_preparation", "shipped"])
    expect(await shop.complete(shipped)).toMatchObject({ status: 200, body: { status: "completed" } })
    const { made } = await unsignedOrder(shop)
    await shop.proceed(made.uid, "accepted", "in_preparation", "shipped")
    await cancelPrescription(shop, made.prescription_uid)
    expect(await shop.complete(made.uid)).toMatchObject(notSigned)
    expect(await routings(made.uid)).toEqual([{ routing: "none" }])
    expect(await routings(shipped)).not.toEqual([])
    expect(await routings(shipped)).not.toContainEqual({ routing: "none" })
    await shop.proceed(made.uid, "cancelled")
  })

  test("is either stopped or shipped when both happen concurrently", async () => {
    const shop = await shopWorld()
    const prescriptions = await Promise.all(Array.from({ length: 6 }, () => signed(shop)))
    for (const prescription of prescriptions) await buy(shop, prescription)
    const orders: ReadonlyArray<{ uid: string }> = await shop.pharmacyOrders()
    expect(orders).toHaveLength(6)
    for (const { uid } of orders) await shop.proceed(uid, "accepted", "in_preparation")
    const [shipped] = await Promise.all([
      Promise.all(orders.map(({ uid }) => shop.setStatus(uid, "shipped"))),
      Promise.all(prescriptions.map((uid) => cancelPrescription(shop, uid)))
    ])
    const completed = await Promise.all(orders.map(({ uid }) => shop.complete(uid)))
    expect(completed.map(({ status }) => status)).toEqual(shipped.map(({ status }) => status))
  })
})

test("an order reads what is left of its prescriptions, and decrypts none of their items", async () => {
  const shop = await shopWorld()
  const prescription_uid = await signed(shop)
  const order = orderOf(shop, prescription_uid)
  for (const topic of ["orders/create", "orders/paid", "orders/cancelled"]) {
    const { result, statements } = await recording(() => shop.sendWebhook(topic, order), server.current.databaseUrl)
    const reading = statements.filter(({ text }) => /SELECT .*dosage_encrypted/s.test(text))
    expect([topic, result.status, reading]).toEqual([topic, 200, []])
  }
  expect(await shop.pharmacyOrders()).toMatchObject([{ prescription_uid, status: "cancelled" }])
})
