/** Rule 9.6: a prescription is dispensed only in its articles and quantities, whatever the order says. */
import { describe, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { pharmacyPermissions } from "../../src/schemas/access/permissions.ts"
import { OrganisationUid } from "../../src/schemas/ids.ts"
import { IntakeRepo } from "../../src/services/checkout/intake/IntakeRepo.ts"
import { eventually } from "../support/eventually.ts"
import { sized } from "../support/scale.ts"
import { testServer } from "../support/server.ts"
import { recording } from "../support/statements.ts"
import { transaction } from "../support/transaction.ts"
import { random } from "../support/world.ts"
import { makeShop, PATIENT, type ShopWorld } from "./support/shop.ts"

const server = testServer()
const shopWorld = () => makeShop(server.current)

/** A signed prescription of two packs of drops. */
const signed = async (shop: ShopWorld): Promise<string> =>
  (await shop.prescribe()).body.prescriptions[0].prescription_uid

const buy = (
  shop: ShopWorld,
  prescription_uid: string,
  { sku = shop.skus.drops, quantity = 1, topic = "orders/paid" } = {}
) =>
  shop.sendWebhook(
    topic,
    shop.order({ line_items: [shop.line(sku, { _prescription_uid: prescription_uid }, { quantity })] })
  )

const statusOf = async (shop: ShopWorld, uid: string) => (await shop.prescription(uid)).status

const setStatus = (shop: ShopWorld, uid: string, status: string) =>
  server.current.api("PATCH", `/v1/external_pharmacy_api/pharmacy_orders/${uid}/status`, {
    key: shop.pharmacy_key,
    body: { status }
  })

describe("a prescription that a buyer's line names", () => {
  test("fills orders up to its quantity; the next order waits", async () => {
    const shop = await shopWorld()
    const uid = await signed(shop)
    for (const _ of [1, 2]) await buy(shop, uid)
    expect((await shop.pharmacyOrders()).map((order) => order.prescription_uid)).toEqual([uid, uid])
    expect((await buy(shop, uid)).status).toBe(200)
    expect(await shop.pharmacyOrders()).toHaveLength(2)
    expect(await shop.waiting()).toMatchObject([{ reason: "prescription_not_usable" }])
  })

  // Shows: a buyer who uses a prescription for other articles, for more of them, or repeatedly
  // Shows: one prescription for many orders, for other articles, or after it was cancelled
  test("fills no more than its quantity with many orders at once", async () => {
    const shop = await shopWorld()
    const uid = await signed(shop)
    const orders = sized(8, 20)
    await Promise.all(Array.from({ length: orders }, () => buy(shop, uid)))
    expect(await shop.pharmacyOrders()).toHaveLength(2)
    expect(await shop.waiting()).toHaveLength(orders - 2)
    const triedAtOnce = await server.current.run(
      Effect.flatMap(IntakeRepo, ({ waitingNames }) =>
        waitingNames(OrganisationUid.make(shop.organisation_uid), 5)
      ).pipe(Effect.provide(IntakeRepo.Default))
    )
    expect(triedAtOnce).toHaveLength(5)
    const items = await shop.sql`SELECT quantity, dispensed FROM prescription_items WHERE prescription_uid = ${uid}`
    expect(items).toEqual([{ quantity: 2, dispensed: 2 }])
  })

  test.each([
    ["another article", { sku: "gel" as const }],
    ["more than is prescribed", { quantity: 3 }]
  ])(
    "does not fill an order of %s",
    async (_, { sku = "drops", quantity = 1 }: { sku?: "drops" | "gel"; quantity?: number }) => {
      const shop = await shopWorld()
      const uid = await signed(shop)
      await buy(shop, uid, { sku: shop.skus[sku], quantity })
      expect(await shop.pharmacyOrders()).toEqual([])
      expect(await shop.waiting()).toMatchObject([{ reason: "prescription_not_usable" }])
      expect(await statusOf(shop, uid)).toBe("signed")
    }
  )

  test("is one of at most fifty in an order: an order with more waits", async () => {
    const shop = await shopWorld()
    const prescriptions = Array.from({ length: 51 }, () => ({
      uid: random("prx"),
      organisation_uid: shop.organisation_uid,
      shop_uid: shop.shop_uid,
      status: "SIGNED",
      patient: PATIENT,
      items: [{ sku_uid: shop.skus.drops.uid, quantity: 1 }]
    }))
    await shop.provision({ prescriptions })
    const line_items = prescriptions.map(({ uid }) => shop.line(shop.skus.drops, { _prescription_uid: uid }))
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
    await shop.api("POST", `/v1/management/prescriptions/${cancelled}/cancel`, { reason: "wrong patient" })
    await buy(shop, cancelled)
    const completed = await signed(shop)
    await buy(shop, completed)
    const [{ uid }] = await shop.pharmacyOrders()
    for (const status of ["accepted", "in_preparation"]) await setStatus(shop, uid, status)
    await server.current.api("PATCH", `/v1/external_pharmacy_api/pharmacy_orders/${uid}/complete_order`, {
      key: shop.pharmacy_key
    })
    expect(await statusOf(shop, completed)).toBe("completed")
    await buy(shop, completed)
    await shop.sendWebhook("orders/paid", shop.order({ line_items: [shop.line(shop.skus.gel)] }))
    const [{ prescription_uid: unsigned }] = await shop.pharmacyOrders()
    await buy(shop, unsigned, { sku: shop.skus.gel })
    expect(await shop.pharmacyOrders()).toHaveLength(2)
    expect(await shop.waiting()).toHaveLength(3)
  })

  test("regains the quantity of a cancelled order, and the waiting order is created", async () => {
    const shop = await shopWorld()
    const uid = await signed(shop)
    await buy(shop, uid, { quantity: 2 })
    await buy(shop, uid, { quantity: 2 })
    expect(await shop.waiting()).toHaveLength(1)
    const [{ uid: order }] = await shop.pharmacyOrders()
    expect((await setStatus(shop, order, "rejected")).status).toBe(200)
    await Promise.all([shop.retryWaiting(), shop.retryWaiting()])
    expect(await shop.waiting()).toEqual([])
    expect((await shop.pharmacyOrders()).map(({ status }) => status).sort()).toEqual(["new", "rejected"])
  })

  test("does not regain what was shipped when the shop cancels, but when the pharmacy does; Rule 9.6.6", async () => {
    const shop = await shopWorld()
    const shipped = async () => {
      const uid = await signed(shop)
      const line = shop.line(shop.skus.drops, { _prescription_uid: uid }, { quantity: 2 })
      const order = shop.order({ line_items: [line] })
      await shop.sendWebhook("orders/paid", order)
      const [made] = await shop.pharmacyOrders()
      for (const status of ["accepted", "in_preparation", "shipped"]) await setStatus(shop, made.uid, status)
      return { uid, order, made: made.uid }
    }
    const inShop = await shipped()
    await shop.sendWebhook("orders/cancelled", { ...inShop.order, cancelled_at: "2026-11-20T10:00:00Z" })
    await buy(shop, inShop.uid)
    expect(await shop.waiting()).toMatchObject([{ reason: "prescription_not_usable" }])
    expect((await shop.pharmacyOrders()).map(({ status }) => status)).toEqual(["cancelled"])
    const cameBack = await shipped()
    expect((await setStatus(shop, cameBack.made, "cancelled")).status).toBe(200)
    await buy(shop, cameBack.uid, { quantity: 2 })
    expect(await shop.waiting()).toHaveLength(1)
  })

  // Shows: one prescription for many orders, for other articles, or after it was cancelled
  test("is counted by the gauge of waiting orders", async () => {
    const shop = await shopWorld()
    await buy(shop, "prs_of_nobody")
    expect(await shop.waiting()).toMatchObject([{ reason: "prescription_not_usable" }])
  })
})

test("a checkout's prescription fills its own order; once it is cancelled it fills none, and nothing is paid", async () => {
  const shop = await shopWorld()
  const { body } = await shop.prescribe()
  const [{ prescription_uid }] = body.prescriptions
  await shop.api("POST", `/v1/management/prescriptions/${prescription_uid}/cancel`, { reason: "called back" })
  const refused = await shop.pay(body.draft_order_id)
  expect([refused.status, (await refused.json()).code]).toEqual([409, "prescription_not_usable"])
  expect(await shop.pharmacyOrders()).toEqual([])
})

describe("an order whose prescription waits for a doctor", () => {
  const unsignedOrder = async (shop: ShopWorld) => {
    await shop.sendWebhook("orders/paid", shop.order())
    const [order] = await shop.pharmacyOrders()
    return order
  }
  const complete = (shop: ShopWorld, uid: string) =>
    server.current.api("PATCH", `/v1/external_pharmacy_api/pharmacy_orders/${uid}/complete_order`, {
      key: shop.pharmacy_key
    })

  test("cannot be completed", async () => {
    const shop = await shopWorld()
    const { uid, prescription_uid } = await unsignedOrder(shop)
    for (const status of ["accepted", "in_preparation"]) await setStatus(shop, uid, status)
    const refused = await complete(shop, uid)
    expect([refused.status, refused.body.code]).toEqual([409, "prescription_not_signed"])
    expect(await statusOf(shop, prescription_uid)).toBe("waiting_for_doctor")
  })

  test("cancels the prescription when it is cancelled by the pharmacy or the shop, but not when it is rejected", async () => {
    const shop = await shopWorld()
    const byPharmacy = await unsignedOrder(shop)
    await setStatus(shop, byPharmacy.uid, "cancelled")
    expect(await statusOf(shop, byPharmacy.prescription_uid)).toBe("cancelled")
    const order = shop.order()
    await shop.sendWebhook("orders/paid", order)
    const [inShop] = await shop.pharmacyOrders()
    await shop.sendWebhook("orders/cancelled", { ...order, cancelled_at: "2026-11-20T10:00:00Z" })
    expect(await statusOf(shop, inShop.prescription_uid)).toBe("cancelled")
    const rejected = await unsignedOrder(shop)
    await setStatus(shop, rejected.uid, "rejected")
    expect(await statusOf(shop, rejected.prescription_uid)).toBe("waiting_for_doctor")
  })

  test("and another pharmacy's order cancel the prescription when both are cancelled at once", async () => {
    const shop = await shopWorld()
    const prescription_uid = random("prx")
    const other = { pharmacy_uid: random("pha"), key: random("spr_key_that_is_long_enough") }
    const carried = [shop.pharmacy_uid, other.pharmacy_uid].map((pharmacy_uid) => ({
      uid: random("pho"),
      name: "#1",
      pharmacy_uid,
      shop_uid: shop.shop_uid,
      prescription_uid,
      lines: [{ sku_uid: shop.skus.drops.uid, quantity: 1, unit_price: 1_990 }]
    }))
    await shop.provision({
      pharmacies: [{ uid: other.pharmacy_uid, name: "Other" }],
      api_keys: [{ key: other.key, name: "other", permissions: pharmacyPermissions, pharmacy_uid: other.pharmacy_uid }],
      prescriptions: [
        {
          uid: prescription_uid,
          organisation_uid: shop.organisation_uid,
          shop_uid: shop.shop_uid,
          status: "WAITING_FOR_DOCTOR",
          patient: PATIENT,
          items: [{ sku_uid: shop.skus.drops.uid, quantity: 2 }]
        }
      ],
      pharmacy_orders: carried
    })
    const keys = [shop.pharmacy_key, other.key]
    const cancelling = await server.current.run(
      transaction(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const [own] = yield* sql<{ readonly pid: number }>`SELECT pg_backend_pid() AS pid FROM prescriptions
            WHERE uid = ${prescription_uid} FOR NO KEY UPDATE`
          const answers = carried.map(({ uid }, i) =>
            server.current.api("PATCH", `/v1/external_pharmacy_api/pharmacy_orders/${uid}/status`, {
              key: keys[i] ?? "",
              body: { status: "cancelled" }
            })
          )
          // The first waits for the test, the second for the first
          const waiting = () =>
            shop.sql<{
              readonly pid: number
            }>`WITH RECURSIVE behind AS (SELECT ${own?.pid ?? 0}::integer AS pid
                UNION SELECT a.pid FROM behind b JOIN pg_stat_activity a ON b.pid = ANY (pg_blocking_pids(a.pid)))
                SELECT pid FROM behind`
          yield* Effect.promise(() => eventually(waiting, (pids) => pids.length === 3))
          return answers
        })
      )
    )
    for (const { status } of await Promise.all(cancelling)) expect(status).toBe(200)
    expect(await statusOf(shop, prescription_uid)).toBe("cancelled")
  })
})

describe("an order whose prescription is cancelled after it was made, Rule 9.6.5", () => {
  const cancelPrescription = (shop: ShopWorld, uid: string) =>
    shop.api("POST", `/v1/management/prescriptions/${uid}/cancel`, { reason: "wrong dose" })
  const complete = (shop: ShopWorld, uid: string) =>
    server.current.api("PATCH", `/v1/external_pharmacy_api/pharmacy_orders/${uid}/complete_order`, {
      key: shop.pharmacy_key
    })

  /** A paid order after these transitions, and its signed prescription, which is then cancelled. */
  const cancelledAt = async (shop: ShopWorld, steps: ReadonlyArray<string>) => {
    const prescription = await signed(shop)
    await buy(shop, prescription)
    const orders: ReadonlyArray<{ uid: string; prescription_uid: string }> = await shop.pharmacyOrders()
    const uid = orders.find(({ prescription_uid }) => prescription_uid === prescription)?.uid ?? ""
    for (const status of steps) expect((await setStatus(shop, uid, status)).status).toBe(200)
    expect((await cancelPrescription(shop, prescription)).status).toBe(200)
    return uid
  }

  test("is neither prepared, handed over nor completed, and can be rejected or cancelled", async () => {
    const shop = await shopWorld()
    const walk = ["accepted", "in_preparation", "ready_for_pickup"]
    const refused = [["in_preparation"], ["ready_for_pickup", "shipped"], []]
    for (const [i, next] of refused.entries()) {
      const uid = await cancelledAt(shop, walk.slice(0, i + 1))
      for (const status of next) {
        const { status: answered, body } = await setStatus(shop, uid, status)
        expect([answered, body.code]).toEqual([409, "prescription_not_signed"])
        expect(body.error).toContain("was cancelled")
      }
      if (i > 0)
        expect(await complete(shop, uid)).toMatchObject({ status: 409, body: { code: "prescription_not_signed" } })
      expect((await setStatus(shop, uid, walk[i] ?? "")).status).toBe(200)
      expect((await setStatus(shop, uid, "cancelled")).status).toBe(200)
    }
    const rejected = await cancelledAt(shop, [])
    expect((await setStatus(shop, rejected, "rejected")).status).toBe(200)
  })

  test("is completed and paid out if it was already shipped", async () => {
    const shop = await shopWorld()
    const uid = await cancelledAt(shop, ["accepted", "in_preparation", "shipped"])
    expect(await complete(shop, uid)).toMatchObject({ status: 200, body: { status: "completed" } })
    const payouts = await shop.sql`SELECT routing FROM payouts WHERE pharmacy_order_uid = ${uid}`
    expect(payouts.length).toBeGreaterThan(0)
    expect(payouts).not.toContainEqual({ routing: "none" })
  })

  test("is neither completed nor paid out if it was shipped before the signature", async () => {
    const shop = await shopWorld()
    await shop.sendWebhook("orders/paid", shop.order())
    const [{ uid, prescription_uid }] = await shop.pharmacyOrders()
    for (const status of ["accepted", "in_preparation", "shipped"])
      expect((await setStatus(shop, uid, status)).status).toBe(200)
    expect((await cancelPrescription(shop, prescription_uid)).status).toBe(200)
    expect(await complete(shop, uid)).toMatchObject({ status: 409, body: { code: "prescription_not_signed" } })
    const payouts = await shop.sql`SELECT DISTINCT routing FROM payouts WHERE pharmacy_order_uid = ${uid}`
    expect(payouts).toEqual([{ routing: "none" }])
    expect((await setStatus(shop, uid, "cancelled")).status).toBe(200)
  })

  test("is either stopped or shipped when both happen concurrently", async () => {
    const shop = await shopWorld()
    const prescriptions = await Promise.all(Array.from({ length: 6 }, () => signed(shop)))
    for (const prescription of prescriptions) await buy(shop, prescription)
    const orders: ReadonlyArray<{ uid: string }> = await shop.pharmacyOrders()
    for (const { uid } of orders)
      for (const status of ["accepted", "in_preparation"]) await setStatus(shop, uid, status)
    const [shipped] = await Promise.all([
      Promise.all(orders.map(({ uid }) => setStatus(shop, uid, "shipped"))),
      Promise.all(prescriptions.map((uid) => cancelPrescription(shop, uid)))
    ])
    for (const [i, { uid }] of orders.entries())
      expect((await complete(shop, uid)).status).toBe(shipped[i]?.status ?? 0)
    expect(orders).toHaveLength(6)
  })
})

test("an order reads what is left of its prescriptions, and decrypts none of their items", async () => {
  const shop = await makeShop(server.current)
  const [{ prescription_uid }] = (await shop.prescribe()).body.prescriptions
  const order = shop.order({ line_items: [shop.line(shop.skus.drops, { _prescription_uid: prescription_uid })] })
  for (const topic of ["orders/create", "orders/paid", "orders/cancelled"]) {
    const { result, statements } = await recording(() => shop.sendWebhook(topic, order), server.current.databaseUrl)
    const reading = statements.filter(({ text }) => /SELECT .*dosage_encrypted/s.test(text))
    expect([topic, result.status, reading]).toEqual([topic, 200, []])
  }
  expect(await shop.pharmacyOrders()).toMatchObject([{ prescription_uid, status: "cancelled" }])
})
