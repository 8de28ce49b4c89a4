import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { PharmacyOrderUid } from "../../src/schemas/ids.ts"
import { payout } from "../../src/services/pharmacy/payouts.ts"
import type { SkuChange } from "../../src/services/pharmacy/SkusRepo.ts"
import { sized } from "../support/scale.ts"
import { testLayers } from "../support/server.ts"
import { random } from "../support/world.ts"
import { type LayeredPharmacy, layeredPharmacy } from "./pharmacyWorld.ts"

const layers = testLayers()

const rowsOf = async ({ payouts }: LayeredPharmacy, uid: string) =>
  Object.fromEntries((await payouts({ limit: 500, search: uid })).data.map((row) => [row.component_type, row.amount]))

const complete = (world: LayeredPharmacy, uid: PharmacyOrderUid) =>
  world.orders((orders, own) => orders.complete(own, uid))

/** Changes the pharmacy's SKUs; returns them. */
const change = (world: LayeredPharmacy, ...changes: ReadonlyArray<SkuChange>) =>
  world.stock((skus, own) => skus.changeAll(own, changes))

describe("projected payouts", () => {
  test("include a paid order with a physical line, without its digital lines, with all shipping", async () => {
    const world = await layeredPharmacy(layers.current)
    const { skus, line } = world
    const uid = await world.order({
      shipping_price: 500,
      lines: [line(skus.drops, 2, 1_201), line(skus.consult, 3, 5_000)]
    })
    // 2,000 − 10 % · half of 2 × 201 · 80 % of 500
    expect(await rowsOf(world, uid)).toEqual({ item_rest: 1_800, item_markup: 201, shipping: 400 })
  })

  test("exclude unpaid, purely digital, rejected and cancelled orders, and components of 0", async () => {
    const world = await layeredPharmacy(layers.current)
    const { skus, line } = world
    for (const over of [
      { paid: false },
      { lines: [line(skus.consult)], shipping_price: 500 },
      { status: "rejected" },
      { status: "cancelled" }
    ])
      expect(await rowsOf(world, await world.order(over))).toEqual({})
    expect(await rowsOf(world, await world.order())).toEqual({ item_rest: 900 })
    expect(await rowsOf(world, await world.order({ status: "completed" }))).toEqual({ item_rest: 900 })
  })

  test("end when the order is rejected or cancelled", async () => {
    const world = await layeredPharmacy(layers.current)
    const uid = await world.order()
    await world.orders((orders, own) => orders.changeStatus(own, uid, { status: "cancelled" }))
    expect((await world.payouts()).totalRegistries).toBe(0)
  })

  test("follow the price until the order is completed", async () => {
    const world = await layeredPharmacy(layers.current)
    const { skus } = world
    const open = await world.order({ status: "shipped" })
    const done = await world.order({ status: "shipped" })
    const elsewhere = await world.order({ lines: [world.line(skus.gel)] })
    await complete(world, done)
    await change(world, { uid: skus.drops.uid, price: 400 })
    expect(await rowsOf(world, open)).toEqual({ item_rest: 360, item_markup: 300 })
    expect(await rowsOf(world, done)).toEqual({ item_rest: 900 })
    expect(await rowsOf(world, elsewhere)).toEqual({ item_rest: 2_295 })
    await change(world, { uid: skus.drops.uid, price: 0 })
    expect(await rowsOf(world, open)).toEqual({ item_markup: 500 })
  })

  test("follow the pharmacy's terms", async () => {
    const world = await layeredPharmacy(layers.current)
    const uid = await world.order({ shipping_price: 100 })
    const terms = { commission_bps: 0, markup_share_bps: 0, shipping_share_bps: 0, payment_account: "org_pharmacy" }
    await world.provision({ pharmacies: [{ ...world.entry, payout_terms: terms }] })
    expect(await rowsOf(world, uid)).toEqual({ item_rest: 1_000 })
  })

  test("count a line that the pharmacy does not carry at the price paid", async () => {
    const world = await layeredPharmacy(layers.current)
    const other = await layeredPharmacy(layers.current)
    const uid = await world.order({ lines: [other.line(other.skus.drops, 1, 1_300)] })
    expect(await rowsOf(world, uid)).toEqual({ item_rest: 1_170 })
  })

  test("use the last price after concurrent price changes and new orders", async () => {
    const world = await layeredPharmacy(layers.current)
    const { uid: drops } = world.skus.drops
    const orders = await Promise.all(
      Array.from({ length: sized(12, 30) }, async (_, i) => {
        if (i % 3 === 0) await change(world, { uid: drops, price: 100 + i })
        return world.order()
      })
    )
    const [{ price } = { price: 0 }] = await change(world, { uid: drops, stock: 2 })
    for (const uid of orders) expect((await rowsOf(world, uid)).item_rest).toBe(price - Math.floor(price / 10 + 0.5))
  })
})

describe("the database and the calculation", () => {
  const share = fc.integer({ min: 0, max: 10_000 })
  const cents = fc.integer({ min: 0, max: 1_000_000 })
  const scene = fc.record({
    terms: fc.record({ commission_bps: share, markup_share_bps: share, shipping_share_bps: share }),
    prices: fc.tuple(cents, cents, cents),
    orders: fc.array(
      fc.record({
        shipping_price: cents,
        lines: fc.array(fc.record({ which: fc.nat(2), quantity: fc.integer({ min: 1, max: 50 }), unit_price: cents }), {
          minLength: 1,
          maxLength: 4
        })
      }),
      { minLength: 1, maxLength: 4 }
    )
  })

  test("agree for any order, projected and frozen alike", async () => {
    await fc.assert(
      fc.asyncProperty(scene, async ({ terms, prices, orders }) => {
        const world = await layeredPharmacy(layers.current, { terms })
        const carried = Object.values(world.skus)
        await change(world, ...carried.map(({ uid }, i) => ({ uid, price: prices[i] ?? 0 })))
        for (const { shipping_price, lines } of orders) {
          const uid = await world.order({
            name: random("order"),
            status: "shipped",
            shipping_price,
            lines: lines.map(({ which, ...line }) => ({ sku_uid: carried[which]?.sku, ...line }))
          })
          const components = payout(terms, {
            shipping_price,
            lines: lines.map(({ which, quantity, unit_price }) => ({
              pharmacy_price: (prices[which] ?? 0) * quantity,
              total_price: unit_price * quantity,
              digital: carried[which]?.digital ?? false
            }))
          })
          const wanted = Object.fromEntries(components.map((one) => [one.component_type, one.amount]))
          expect(await rowsOf(world, uid)).toEqual(wanted)
          await complete(world, uid)
          expect(await rowsOf(world, uid)).toEqual(wanted)
        }
      }),
      { numRuns: sized(5, 25) }
    )
  })
})
