/** A worker is killed at each point of routing a payout, and another one starts. */
import { afterAll, expect, test } from "bun:test"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { ComponentType } from "../../src/schemas/pharmacy/Payout.ts"
import { Routing } from "../../src/services/pharmacy/Routing.ts"
import { eventually } from "../support/eventually.ts"
import { run } from "../support/processes.ts"
import { someOf } from "../support/scale.ts"
import { ownServer } from "../support/server.ts"
import { random } from "../support/world.ts"
import { type Fault, mollieStandIn } from "./mollieStandIn.ts"
import { makePharmacy, type PharmacyWorld } from "./pharmacyWorld.ts"

const folder = await mkdtemp(join(tmpdir(), "sprechstunde-doomed-"))
afterAll(() => rm(folder, { recursive: true }))
/** Bundled, the worker starts several times as fast. */
const built = await Bun.build({
  entrypoints: [`${import.meta.dir}/doomedRouter.ts`],
  target: "bun",
  minify: true,
  outdir: folder
})
const program = built.outputs[0]?.path ?? ""

const server = ownServer({ SANDBOX: "true", ROLE: "http" })
let fault: Fault = "none"
const mollie = mollieStandIn(() => fault)
afterAll(() => mollie.stop())

/** A separate worker, killed at `DIE_AT` if that is set. */
const startWorker = (dieAt = "") =>
  run([process.execPath, "--no-install", program], {
    env: {
      DATABASE_URL: server.current.databaseUrl,
      DATA_DIR: server.current.dataDir,
      MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
      ROLE: "worker",
      SANDBOX: "true",
      DATABASE_POOL_SIZE: "3",
      LOG_LEVEL: "none",
      MOLLIE_API_KEY: "test_key",
      MOLLIE_API_ENDPOINT: mollie.apiEndpoint,
      DIE_AT: dieAt
    }
  })

/** A completed order with a payout of every component, with a job to route it. */
const completed = async ({ order, call, line, skus }: PharmacyWorld) => {
  const payment_id = random("tr").replace("tr_", "tr_x")
  mollie.pay(payment_id, 3_090)
  const lines = [line(skus.drops, 2, 1_300)]
  const uid = await order({ status: "shipped", payment_id, shipping_price: 490, lines })
  expect((await call("PATCH", `/pharmacy_orders/${uid}/complete_order`)).status).toBe(200)
  return { uid, payment_id }
}

/** Points at which the worker kills itself, the routes that Mollie then has, and those that are stored. */
const OWN_HAND: ReadonlyArray<readonly [point: string, made: number, stored: number]> = [
  ["after route 1", 1, 0],
  ["before route 1", 0, 0],
  ["after route 3", 3, 2],
  ["before route 2", 1, 1],
  ["all routed", 3, 3]
]
/** Whether Mollie executes a request that it does not answer, and how often the order is then routed. */
const AT_MOLLIE: ReadonlyArray<readonly [Fault, number]> = [
  ["silent", 0],
  ["silent_kept", 1]
]

// Shows: a double booking or a double payout after a race or a crash
test("after a worker is killed at any point, each component is routed exactly once", async () => {
  const world = await makePharmacy(server.current)
  const orders: Array<Awaited<ReturnType<typeof completed>>> = []
  const points = someOf(OWN_HAND, 2)
  for (const [point] of points) {
    orders.push(await completed(world))
    await startWorker(point).ended
  }
  for (const [silence, kept] of AT_MOLLIE) {
    const order = await completed(world)
    orders.push(order)
    fault = silence
    const requested = mollie.requests.length
    const victim = startWorker()
    await eventually(
      async () => [mollie.requests.length - requested, mollie.routes(order.payment_id).length],
      ([requests, routes]) => requests === 1 && routes === kept
    )
    await victim.stop("SIGKILL")
    mollie.release()
    fault = "none"
  }
  expect(orders.map(({ payment_id }) => mollie.routes(payment_id).length)).toEqual(
    [...points, ...AT_MOLLIE].map(([, made]) => made)
  )

  const routed = async () => (await world.call("GET", "/payouts?status=routed&limit=500")).body
  expect((await routed()).totalRegistries).toBe(points.reduce((sum, [, , stored]) => sum + stored, 0))

  mollie.forgetKeys()
  // The leases of the killed workers expire, and the sweep queues their intents again.
  await server.current.advance(901)
  expect(await server.current.run(Effect.flatMap(Routing, ({ sweep }) => sweep()))).toBe(orders.length - 1)
  const survivor = startWorker()
  await eventually(routed, ({ totalRegistries }) => totalRegistries === orders.length * ComponentType.literals.length)
  await survivor.stop()

  const rows: ReadonlyArray<{ readonly pharmacy_order_uid: string; readonly provider_route_id: string }> = (
    await routed()
  ).data
  for (const { uid, payment_id } of orders) {
    const routes = mollie.routes(payment_id)
    expect(routes.map(({ amount }) => amount.value).toSorted()).toEqual(["18.00", "3.00", "3.92"])
    expect(rows.flatMap((row) => (row.pharmacy_order_uid === uid ? [row.provider_route_id] : [])).toSorted()).toEqual(
      routes.map(({ id }) => id).toSorted()
    )
  }
})
