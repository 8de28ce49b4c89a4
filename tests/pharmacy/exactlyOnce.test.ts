import { afterAll, expect, test } from "bun:test"
import { Effect, Layer, Redacted } from "effect"
import { mollieLayer } from "../../src/capabilities/mollie/layers/Mollie.ts"
import { ComponentType } from "../../src/schemas/pharmacy/Payout.ts"
import { Routing } from "../../src/services/pharmacy/Routing.ts"
import { present } from "../support/body.ts"
import { sized } from "../support/scale.ts"
import { testLayers } from "../support/server.ts"
import { random } from "../support/world.ts"
import { type Fault, mollieStandIn } from "./mollieStandIn.ts"
import { eventsIn, layeredPharmacy } from "./pharmacyWorld.ts"

const layers = testLayers()
/** A third fails and a third gets no response; half of each is executed nevertheless. */
const faultsInTurn: ReadonlyArray<Fault> = ["none", "none", "unavailable", "unavailable_kept", "silent", "silent_kept"]
let call = 0
const mollie = mollieStandIn(() => {
  call += 1
  // Determined by the count: every run has the same mixture, independent of the order of calls.
  return present(faultsInTurn[Math.floor((((call * 2_654_435_761) % 2 ** 32) / 2 ** 32) * faultsInTurn.length)])
})
afterAll(() => mollie.stop())

const OnMollie = Routing.Default.pipe(
  Layer.provide(mollieLayer({ apiKey: Redacted.make("test_key"), apiEndpoint: mollie.apiEndpoint, seconds: 0.25 }))
)
const ORDERS = sized(10, 100)
const COMPLETES = 10 * ORDERS
const WORKERS = 24

// Shows: a double booking or a double payout after a race or a crash
test(`${COMPLETES} concurrent completions of ${ORDERS} orders, with a provider that mostly fails, route each component exactly once`, async () => {
  const world = await layeredPharmacy(layers.current)
  const { pharmacy_uid, skus, line } = world
  const payments = Array.from({ length: ORDERS }, () => random("tr").replace("tr_", "tr_x"))
  for (const payment_id of payments) mollie.pay(payment_id, 3_090)
  const lines = [line(skus.drops, 2, 1_300)]
  const uids = await world.ordersWith(
    payments.map((payment_id) => ({ status: "shipped", payment_id, shipping_price: 490, lines }))
  )

  const completed = await Promise.all(
    Array.from({ length: COMPLETES }, (_, i) =>
      world.orders((orders, own) => orders.complete(own, present(uids[(i * 37) % ORDERS])))
    )
  )
  expect(new Set(completed.map(({ uid, completed_at }) => `${uid} ${completed_at}`)).size).toBe(ORDERS)
  const events = await eventsIn(layers.current, pharmacy_uid)
  expect(events.filter(({ type }) => type === "pharmacy_order.completed")).toHaveLength(ORDERS)

  // Concurrent workers on the same orders, until nothing is left to route.
  let rounds = 0
  for (let open: ReadonlyArray<(typeof uids)[number]> = uids; open.length > 0; rounds++) {
    const routed = Effect.flatMap(Routing, ({ routeOrder }) =>
      Effect.forEach(
        open.flatMap((uid) => [uid, uid]),
        (uid) => Effect.exit(routeOrder(pharmacy_uid, uid)),
        { concurrency: WORKERS }
      )
    )
    await layers.current.run(Effect.provide(routed, OnMollie))
    mollie.release()
    const waiting = (await world.payouts({ status: "projected", limit: 500 })).data
    open = open.filter((uid) => waiting.some((row) => row.pharmacy_order_uid === uid))
  }
  expect(rounds).toBeGreaterThan(1)

  const { data, totalRegistries } = await world.payouts({ status: "routed", limit: 500 })
  expect(totalRegistries).toBe(ORDERS * ComponentType.literals.length)
  for (const [at, uid] of uids.entries()) {
    const routes = mollie.routes(present(payments[at]))
    const rows = data.filter((row) => row.pharmacy_order_uid === uid)
    expect(routes.map(({ amount }) => amount.value).toSorted()).toEqual(["18.00", "3.00", "3.92"])
    expect(rows.map((row) => row.provider_route_id).toSorted()).toEqual(routes.map(({ id }) => id).toSorted())
  }
})
