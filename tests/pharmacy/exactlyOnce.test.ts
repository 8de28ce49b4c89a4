import { afterAll, describe, expect, test } from "bun:test"
import { Effect, Layer, Redacted } from "effect"
import { mollieLayer } from "../../src/layers/payments/Mollie.ts"
import type { PharmacyOrderUid, PharmacyUid } from "../../src/schemas/ids.ts"
import { ComponentType } from "../../src/schemas/pharmacy/Payout.ts"
import { Routing } from "../../src/services/pharmacy/Routing.ts"
import { sized } from "../support/scale.ts"
import { ownServer } from "../support/server.ts"
import { random } from "../support/world.ts"
import { type Fault, mollieStandIn } from "./mollieStandIn.ts"
import { eventsIn, makePharmacy } from "./pharmacyWorld.ts"

const server = ownServer({ ROLE: "http", DATABASE_POOL_SIZE: "16" })
/** A third fails and a third gets no response; half of each is executed nevertheless. */
const faultsInTurn: ReadonlyArray<Fault> = ["none", "none", "unavailable", "unavailable_kept", "silent", "silent_kept"]
let call = 0
const mollie = mollieStandIn(() => {
  call += 1
  // Determined by the count: every run has the same mixture, independent of the order of calls.
  return (
    faultsInTurn[Math.floor(((call * 2_654_435_761) % 4_294_967_296) / (4_294_967_296 / faultsInTurn.length))] ?? "none"
  )
})
afterAll(() => mollie.stop())

const ORDERS = sized(10, 100)
const COMPLETES = 10 * ORDERS
const WORKERS = 24

describe(`${COMPLETES} concurrent completions of ${ORDERS} orders, with a provider that mostly fails`, () => {
  // Shows: a double booking or a double payout after a race or a crash
  test("route each component exactly once", async () => {
    const world = await makePharmacy(server.current)
    const { pharmacy_uid, skus, line } = world
    const entries = Array.from({ length: ORDERS }, (_, i) => ({
      uid: random("pho"),
      name: `#${i}`,
      pharmacy_uid,
      shop_uid: world.shop_uid,
      status: "shipped",
      payment_id: random("tr").replace("tr_", "tr_x"),
      shipping_price: 490,
      lines: [line(skus.drops, 2, 1_300)]
    }))
    for (const { payment_id } of entries) mollie.pay(payment_id, 3_090)
    await world.provision({ pharmacy_orders: entries })

    const answers = await Promise.all(
      Array.from({ length: COMPLETES }, (_, i) =>
        world.call("PATCH", `/pharmacy_orders/${entries[(i * 37) % ORDERS]?.uid}/complete_order`)
      )
    )
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    const events = await eventsIn(server.current, pharmacy_uid)
    expect(events.filter(({ type }) => type === "pharmacy_order.completed")).toHaveLength(ORDERS)

    const OnMollie = Routing.Default.pipe(
      Layer.provide(
        mollieLayer({ apiKey: Redacted.make("test_key"), apiEndpoint: mollie.apiEndpoint, timeout: "250 millis" })
      )
    )
    // Concurrent workers on the same orders, until nothing is left to route.
    let rounds = 0
    let open: ReadonlyArray<{ readonly uid: string }> = entries
    while (open.length > 0) {
      rounds += 1
      const twice = open.flatMap(({ uid }) => [uid, uid])
      await server.current.run(
        Effect.forEach(
          twice,
          (uid) =>
            Effect.flatMap(Routing, (routing) =>
              Effect.exit(routing.routeOrder(pharmacy_uid as PharmacyUid, uid as PharmacyOrderUid))
            ),
          { concurrency: WORKERS }
        ).pipe(Effect.provide(OnMollie))
      )
      mollie.release()
      const { body } = await world.call("GET", "/payouts?status=projected&limit=500")
      const waiting = new Set(body.data.map((row: { pharmacy_order_uid: string }) => row.pharmacy_order_uid))
      open = open.filter(({ uid }) => waiting.has(uid))
    }

    const { body } = await world.call("GET", "/payouts?status=routed&limit=500")
    expect(body.totalRegistries).toBe(ORDERS * ComponentType.literals.length)
    for (const { uid, payment_id } of entries) {
      const routes = mollie.routes(payment_id)
      const rows = body.data.filter((row: { pharmacy_order_uid: string }) => row.pharmacy_order_uid === uid)
      expect(routes.map(({ amount }) => amount.value).toSorted()).toEqual(["18.00", "3.00", "3.92"])
      expect(rows.map((row: { provider_route_id: string }) => row.provider_route_id).toSorted()).toEqual(
        routes.map(({ id }) => id).toSorted()
      )
    }
    expect(rounds).toBeGreaterThan(1)
  })
})
