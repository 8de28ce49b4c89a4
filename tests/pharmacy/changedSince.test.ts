/** What counts as a change of a SKU or an order for `updated_after` (Rule 2.5.6); every list's filter is in http/lists.test.ts. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { OrderQuery } from "../../src/schemas/pharmacy/PharmacyOrder.ts"
import { SkuQuery } from "../../src/schemas/pharmacy/PharmacySku.ts"
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
const ordersIn = async (world: LayeredPharmacy, query: Query) =>
  uidsOf(await world.orders((orders, own) => orders.list(own, asked(OrderQuery)(query))))

test("a SKU and an order that have changed since, together with the other filters", async () => {
  const world = await layeredPharmacy(layers.current)
  const [first, second] = [await world.order({ created_at: PAST }), await world.order({ created_at: PAST + 1 })]
  await layers.current
    .sql`UPDATE pharmacy_skus SET updated_at = to_timestamp(${PAST}) WHERE pharmacy_uid = ${world.pharmacy_uid}`
  const { uid } = world.skus.gel
  await world.stock((skus, own) => skus.change(own, uid, { stock: 3 }))
  const changed = asked(SkuQuery)({ updated_after: PAST })
  expect(uidsOf(await world.stock((skus, own) => skus.list(own, changed)))).toEqual([uid])
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
