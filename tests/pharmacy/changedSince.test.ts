/** `updated_after` on the lists of SKUs and orders (Rule 2.5.6), by which a pharmacy's system keeps up to date. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { PharmacyOrderUid, PharmacyUid } from "../../src/schemas/ids.ts"
import { Routing } from "../../src/services/pharmacy/Routing.ts"
import { testServer } from "../support/server.ts"
import { makePharmacy, type PharmacyWorld } from "./pharmacyWorld.ts"

const server = testServer({ ROLE: "http" })
const PAST = 1_700_000_000

const uidsIn = async ({ call }: PharmacyWorld, path: string) => {
  const { status, body } = await call("GET", path)
  expect(status).toBe(200)
  const rows = body.data as ReadonlyArray<{ uid: string; updated_at: number }>
  expect(body.totalRegistries).toBe(rows.length)
  return rows.map(({ uid }) => uid)
}

test("SKUs that have changed since", async () => {
  const world = await makePharmacy(server.current)
  await server.current
    .sql`UPDATE pharmacy_skus SET updated_at = to_timestamp(${PAST}) WHERE pharmacy_uid = ${world.pharmacy_uid}`
  expect(await uidsIn(world, `/pharmacy_skus/?updated_after=${PAST - 1}`)).toHaveLength(3)
  expect(await uidsIn(world, `/pharmacy_skus/?updated_after=${PAST}`)).toEqual([])
  await world.call("PATCH", `/pharmacy_skus/${world.skus.gel.uid}`, { body: { stock: 3 } })
  expect(await uidsIn(world, `/pharmacy_skus/?updated_after=${PAST}`)).toEqual([world.skus.gel.uid])
  expect((await world.call("GET", "/pharmacy_skus/?updated_after=soon")).status).toBe(400)

  const products = async (query: string) => (await world.call("GET", `/pharmacy_products/?limit=1${query}`)).body
  const { totalRegistries: total } = await products("")
  expect((await products(`&updated_after=${PAST - 1}`)).totalRegistries).toBe(total)
  const changed = await products(`&updated_after=${PAST}`)
  expect([changed.totalRegistries, changed.data.length]).toEqual([1, 1])
})

test("orders that have changed since, together with the other filters", async () => {
  const world = await makePharmacy(server.current)
  const uids = [await world.order({ created_at: PAST }), await world.order({ created_at: PAST + 1 })] as const
  expect(await uidsIn(world, `/pharmacy_orders/?updated_after=${PAST - 1}`)).toEqual(uids.toReversed())
  expect(await uidsIn(world, `/pharmacy_orders/?updated_after=${PAST}`)).toEqual([uids[1]])
  await world.call("PATCH", `/pharmacy_orders/${uids[0]}/status`, { body: { status: "accepted" } })
  expect(await uidsIn(world, `/pharmacy_orders/?updated_after=${PAST + 1}`)).toEqual([uids[0]])
  expect(await uidsIn(world, `/pharmacy_orders/?updated_after=${PAST}&status=new`)).toEqual([uids[1]])
})

test("an order counts as changed when one of its payouts is parked or resumed", async () => {
  const world = await makePharmacy(server.current)
  const uid = await world.order({ created_at: PAST, status: "in_preparation" })
  await world.call("PATCH", `/pharmacy_orders/${uid}/complete_order`)
  const order = PharmacyOrderUid.make(uid)
  const pharmacy = PharmacyUid.make(world.pharmacy_uid)
  const age = () => server.current.sql`UPDATE pharmacy_orders SET updated_at = to_timestamp(${PAST}) WHERE uid = ${uid}`
  await age()
  await world.provision({ pharmacies: [{ ...world.entry, payout_terms: {} }] })
  await server.current.run(Effect.flatMap(Routing, (routing) => routing.routeOrder(pharmacy, order)))
  expect((await world.call("GET", `/pharmacy_orders/${uid}`)).body.parked_payouts).not.toEqual([])
  expect(await uidsIn(world, `/pharmacy_orders/?updated_after=${PAST}`)).toEqual([uid])
  await age()
  await server.current.run(Effect.flatMap(Routing, (routing) => routing.resume(pharmacy, { order })))
  expect(await uidsIn(world, `/pharmacy_orders/?updated_after=${PAST}`)).toEqual([uid])
})

test("totals agree with full pages, partial ones and the one past the end", async () => {
  const world = await makePharmacy(server.current)
  for (let i = 0; i < 4; i += 1) await world.order({ created_at: PAST + i })
  for (const [limit, page] of [
    [2, 0],
    [2, 1],
    [2, 2],
    [3, 1],
    [4, 0],
    [5, 0],
    [5, 3]
  ]) {
    const { body } = await world.call("GET", `/pharmacy_orders/?limit=${limit}&page=${page}`)
    expect([limit, page, body.totalRegistries]).toEqual([limit, page, 4])
  }
})
