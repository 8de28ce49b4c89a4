/** A worker is killed at each request that routes a payout, before or after Mollie executes it, and another one starts. */
import { afterAll, expect, test } from "bun:test"
import { Effect } from "effect"
import { ComponentType } from "../../src/schemas/pharmacy/Payout.ts"
import { Routing } from "../../src/services/pharmacy/Routing.ts"
import { eventually } from "../support/eventually.ts"
import { startService } from "../support/processes.ts"
import { someOf } from "../support/scale.ts"
import { ownServer } from "../support/server.ts"
import { random } from "../support/world.ts"
import { type Fault, mollieStandIn } from "./mollieStandIn.ts"
import { makePharmacy } from "./pharmacyWorld.ts"

const server = ownServer({ SANDBOX: "true", ROLE: "http" })
/** Of the next requests; the last is that at which the worker is killed. */
const faults: Array<Fault> = []
const mollie = mollieStandIn(() => faults.shift() ?? "none")
afterAll(() => mollie.stop())

const startWorker = () =>
  startService({
    DATABASE_URL: server.current.databaseUrl,
    DATA_DIR: server.current.dataDir,
    ROLE: "worker",
    SANDBOX: "true",
    DATABASE_POOL_SIZE: "3",
    LOG_LEVEL: "none",
    MOLLIE_API_KEY: "test_key",
    MOLLIE_API_ENDPOINT: mollie.apiEndpoint
  })

/** The request, from 1, that Mollie does not answer, and whether it executes it. The short run has one of each. */
const POINTS = [1, 2, 3].flatMap((request) => (["silent", "silent_kept"] as const).map((fault) => ({ request, fault })))

// Shows: a double booking or a double payout after a race or a crash
test("after a worker is killed at any point, each component is routed exactly once", async () => {
  const { call, order, line, skus } = await makePharmacy(server.current)
  const routed = async () => {
    const { totalRegistries, data } = (await call("GET", "/payouts?status=routed&limit=500")).body
    return { total: totalRegistries, rows: data.map((row) => [row.pharmacy_order_uid, row.provider_route_id]) }
  }
  const orders: Array<{ readonly uid: string; readonly payment_id: string }> = []
  let stored = 0
  for (const { request, fault } of someOf(POINTS, 3)) {
    const payment_id = random("tr").replace("tr_", "tr_x")
    mollie.pay(payment_id, 3_090)
    const uid = await order({ status: "shipped", payment_id, shipping_price: 490, lines: [line(skus.drops, 2, 1_300)] })
    orders.push({ uid, payment_id })
    faults.push(...Array.from({ length: request - 1 }, (): Fault => "none"), fault)
    const before = mollie.requests.length
    const victim = await startWorker()
    expect((await call("PATCH", `/pharmacy_orders/${uid}/complete_order`)).status).toBe(200)
    const made = request - (fault === "silent" ? 1 : 0)
    await eventually(
      async () => [mollie.requests.length - before, mollie.routes(payment_id).length],
      (seen) => Bun.deepEquals(seen, [request, made])
    )
    await victim.stop("SIGKILL")
    mollie.release()
    stored += request - 1
    expect((await routed()).total).toBe(stored)
  }

  mollie.forgetKeys()
  // The leases of the killed workers expire, and the sweep queues their intents again.
  await server.current.advance(901)
  expect(await server.current.run(Effect.flatMap(Routing, ({ sweep }) => sweep()))).toBe(orders.length)
  const survivor = await startWorker()
  await eventually(routed, ({ total }) => total === orders.length * ComponentType.literals.length)
  await survivor.stop()

  const { rows } = await routed()
  for (const { uid, payment_id } of orders) {
    const routes = mollie.routes(payment_id)
    expect(routes.map(({ amount }) => amount.value).toSorted()).toEqual(["18.00", "3.00", "3.92"])
    const own = rows.flatMap(([order_uid, route_id]) => (order_uid === uid ? [route_id] : []))
    expect(own.toSorted()).toEqual(routes.map(({ id }) => id).toSorted())
  }
})
