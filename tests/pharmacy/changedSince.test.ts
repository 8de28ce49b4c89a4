/** `updated_after` on the lists of SKUs and orders (Rule 2.5.6), by which a pharmacy's system keeps up to date. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { OrderQuery } from "../../src/schemas/pharmacy/PharmacyOrder.ts"
import { ProductQuery, SkuQuery } from "../../src/schemas/pharmacy/PharmacySku.ts"
import { Routing } from "../../src/services/pharmacy/Routing.ts"
import { testLayers } from "../support/server.ts"
import { asked, type LayeredPharmacy, layeredPharmacy } from "./pharmacyWorld.ts"

const layers = testLayers()
const PAST = 1_700_000_000

type Query = Readonly<Record<string, string | number>>
const uidsOf = (page: { readonly data: ReadonlyArray<{ readonly uid: string }>; readonly totalRegistries: number }) => {
  expect(page.totalRegistries).toBe(page.data.length)
  return page.data.map(({ uid }) => uid)
}
const listed = (world: LayeredPharmacy, query: Query) =>
  world.orders((orders, own) => orders.list(own, asked(OrderQuery)(query)))
const ordersIn = async (world: LayeredPharmacy, query: Query) => uidsOf(await listed(world, query))

test("SKUs that have changed since", async () => {
  const world = await layeredPharmacy(layers.current)
  const skusIn = async (updated_after: number) =>
    uidsOf(await world.stock((skus, own) => skus.list(own, asked(SkuQuery)({ updated_after }))))
  await layers.current
    .sql`UPDATE pharmacy_skus SET updated_at = to_timestamp(${PAST}) WHERE pharmacy_uid = ${world.pharmacy_uid}`
  expect(await skusIn(PAST - 1)).toHaveLength(3)
  expect(await skusIn(PAST)).toEqual([])
  const { uid } = world.skus.gel
  await world.stock((skus, own) => skus.change(own, uid, { stock: 3 }))
  expect(await skusIn(PAST)).toEqual([uid])
  expect(() => asked(SkuQuery)({ updated_after: "soon" })).toThrow("updated_after")

  const products = (query: Query = {}) =>
    world.stock((skus, own) => skus.products(own, asked(ProductQuery)({ limit: 1, ...query })))
  const { totalRegistries: total } = await products()
  expect((await products({ updated_after: PAST - 1 })).totalRegistries).toBe(total)
  const changed = await products({ updated_after: PAST })
  expect([changed.totalRegistries, changed.data.length]).toEqual([1, 1])
})

test("orders that have changed since, together with the other filters", async () => {
  const world = await layeredPharmacy(layers.current)
  const first = await world.order({ created_at: PAST })
  const second = await world.order({ created_at: PAST + 1 })
  expect(await ordersIn(world, { updated_after: PAST - 1 })).toEqual([second, first])
  expect(await ordersIn(world, { updated_after: PAST })).toEqual([second])
  await world.orders((orders, own) => orders.changeStatus(own, first, { status: "accepted" }))
  expect(await ordersIn(world, { updated_after: PAST + 1 })).toEqual([first])
  expect(await ordersIn(world, { updated_after: PAST, status: "new" })).toEqual([second])
})

test("an order counts as changed when one of its payouts is parked or resumed", async () => {
  const world = await layeredPharmacy(layers.current)
  const { pharmacy_uid } = world
  const order = await world.order({ created_at: PAST, status: "in_preparation" })
  await world.orders((orders, own) => orders.complete(own, order))
  const age = () =>
    layers.current.sql`UPDATE pharmacy_orders SET updated_at = to_timestamp(${PAST}) WHERE uid = ${order}`
  await age()
  await world.provision({ pharmacies: [{ ...world.entry, payout_terms: {} }] })
  await layers.current.run(Effect.flatMap(Routing, (routing) => routing.routeOrder(pharmacy_uid, order)))
  expect((await world.orders((orders, own) => orders.get(own, order))).parked_payouts).not.toEqual([])
  expect(await ordersIn(world, { updated_after: PAST })).toEqual([order])
  await age()
  await layers.current.run(Effect.flatMap(Routing, (routing) => routing.resume(pharmacy_uid, { order })))
  expect(await ordersIn(world, { updated_after: PAST })).toEqual([order])
})
