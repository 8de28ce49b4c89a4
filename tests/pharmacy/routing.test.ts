import { afterAll, describe, expect, test } from "bun:test"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { mollieLayer } from "../../src/capabilities/mollie/layers/Mollie.ts"
import type { PharmacyOrderUid } from "../../src/schemas/ids.ts"
import { NO_ACCOUNT } from "../../src/services/pharmacy/PayoutProjector.ts"
import { Routing } from "../../src/services/pharmacy/Routing.ts"
import { type Services, sandboxLayers } from "../support/server.ts"
import { random } from "../support/world.ts"
import { type Fault, mollieStandIn } from "./mollieStandIn.ts"
import { type LayeredPharmacy, layeredPharmacy } from "./pharmacyWorld.ts"

const layers = sandboxLayers()
const faults: Array<Fault> = []
const mollie = mollieStandIn(() => faults.shift() ?? "none")
afterAll(() => mollie.stop())

const onMollie = (seconds: number) =>
  Routing.Default.pipe(
    Layer.provide(mollieLayer({ apiKey: Redacted.make("test_key"), apiEndpoint: mollie.apiEndpoint, seconds }))
  )
/** No test depends on speed; only unanswered attempts time out sooner. */
const Patient = onMollie(60)
const Impatient = onMollie(2)

const routing = <A, E>(use: (routing: Routing) => Effect.Effect<A, E, Services>, layer = Patient) =>
  layers.current.run(Effect.provide(Effect.flatMap(Routing, use), layer))
const attempt = ({ pharmacy_uid }: LayeredPharmacy, uid: PharmacyOrderUid) =>
  routing(
    (one) => Effect.exit(one.routeOrder(pharmacy_uid, uid)),
    faults[0]?.startsWith("silent") ? Impatient : Patient
  )

/** A completed order with a payment at Mollie; by default 1,000 cents for goods and 500 for shipping. */
const completed = async (world: LayeredPharmacy, over: Readonly<Record<string, unknown>> = {}) => {
  const payment_id = random("tr").replace("tr_", "tr_x")
  mollie.pay(payment_id, 1_500)
  const uid = await world.order({ status: "shipped", payment_id, shipping_price: 500, ...over })
  await complete(world, uid)
  return { uid, payment_id }
}
const complete = (world: LayeredPharmacy, uid: PharmacyOrderUid) =>
  world.orders((orders, own) => orders.complete(own, uid))
const payoutsOf = async (world: LayeredPharmacy, uid: string) =>
  (await world.payouts({ search: uid, sort_by: "amount" })).data
const parkedOf = async (world: LayeredPharmacy, uid: PharmacyOrderUid) =>
  (await world.orders((orders, own) => orders.get(own, uid))).parked_payouts
const amounts = (payment_id: string) => mollie.routes(payment_id).map(({ amount }) => amount.value)

describe("routing a completed order", () => {
  test("creates one route per component, and marks the rows as routed", async () => {
    const world = await layeredPharmacy(layers.current)
    const { uid, payment_id } = await completed(world)
    expect((await payoutsOf(world, uid)).map(({ status }) => status)).toEqual(["projected", "projected"])
    await attempt(world, uid)
    const routes = mollie.routes(payment_id)
    const destination = { organizationId: "org_pharmacy" }
    expect(routes).toMatchObject([
      { amount: { value: "9.00", currency: "EUR" }, destination },
      { amount: { value: "4.00", currency: "EUR" }, destination }
    ])
    const routed = { status: "routed", routing_created_at: expect.any(Number) }
    const [rest, shipping] = routes.map(({ id, description }) => ({
      ...routed,
      provider_route_id: id,
      routing_description: description
    }))
    expect(await payoutsOf(world, uid)).toMatchObject([
      { component_type: "item_rest", amount: 900, ...rest },
      { component_type: "shipping", amount: 400, ...shipping }
    ])
    await attempt(world, uid)
    expect(mollie.routes(payment_id)).toHaveLength(2)
  })

  test.each<Fault>(["unavailable", "unavailable_kept", "silent", "silent_kept", "busy"])(
    "%s is retried and never doubled, even when Mollie has forgotten the key",
    async (fault) => {
      const world = await layeredPharmacy(layers.current)
      const { uid, payment_id } = await completed(world, { shipping_price: 0 })
      faults.push(fault)
      expect((await attempt(world, uid))._tag).toBe("Failure")
      expect((await payoutsOf(world, uid)).map(({ status }) => status)).toEqual(["projected"])
      mollie.forgetKeys()
      expect((await attempt(world, uid))._tag).toBe("Success")
      expect(amounts(payment_id)).toEqual(["9.00"])
      expect(await payoutsOf(world, uid)).toMatchObject([
        { status: "routed", provider_route_id: mollie.routes(payment_id)[0]?.id }
      ])
    }
  )

  test("one component's failure does not delay another", async () => {
    const world = await layeredPharmacy(layers.current)
    const { uid, payment_id } = await completed(world)
    faults.push("silent")
    expect((await attempt(world, uid))._tag).toBe("Failure")
    expect(amounts(payment_id)).toEqual(["4.00"])
    await attempt(world, uid)
    expect(amounts(payment_id)).toEqual(["4.00", "9.00"])
  })

  test("a worker that dies during Mollie's call leaves a lease; another takes over when it has expired", async () => {
    const world = await layeredPharmacy(layers.current)
    const { uid, payment_id } = await completed(world, { shipping_price: 0 })
    faults.push("silent_kept")
    const requested = mollie.requests.length
    await routing((one) =>
      Effect.gen(function* () {
        const dying = yield* Effect.fork(one.routeOrder(world.pharmacy_uid, uid))
        yield* Effect.promise(async () => {
          while (mollie.requests.length === requested) await Bun.sleep(2)
        })
        yield* Fiber.interrupt(dying)
      })
    )
    expect(amounts(payment_id)).toEqual(["9.00"])
    await attempt(world, uid)
    expect((await payoutsOf(world, uid)).map(({ status }) => status)).toEqual(["projected"])
    mollie.forgetKeys()
    await layers.current.advance(181)
    await attempt(world, uid)
    expect(amounts(payment_id)).toEqual(["9.00"])
    expect((await payoutsOf(world, uid)).map(({ status }) => status)).toEqual(["routed"])
  })

  test("concurrent workers of one order call Mollie once", async () => {
    const world = await layeredPharmacy(layers.current)
    const { uid, payment_id } = await completed(world, { shipping_price: 0 })
    const requested = mollie.requests.length
    await Promise.all(Array.from({ length: 10 }, () => attempt(world, uid)))
    expect(mollie.requests.length - requested).toBe(1)
    expect(amounts(payment_id)).toEqual(["9.00"])
  })
})

describe("payouts that wait for an operator", () => {
  test("a refused payout is parked, stays projected, and the order shows the reason", async () => {
    const world = await layeredPharmacy(layers.current)
    const { uid, payment_id } = await completed(world)
    mollie.pay(payment_id, 950)
    expect((await attempt(world, uid))._tag).toBe("Success")
    expect(amounts(payment_id)).toEqual(["9.00"])
    expect(await payoutsOf(world, uid)).toMatchObject([
      { component_type: "item_rest", status: "routed" },
      { component_type: "shipping", status: "projected" }
    ])
    expect(await parkedOf(world, uid)).toMatchObject([
      { component_type: "shipping", reason: "Mollie 422: The amount is higher than the remaining amount" }
    ])
  })

  test("a pharmacy without an account, until it has one", async () => {
    const world = await layeredPharmacy(layers.current, { terms: { payment_account: null } })
    const { uid, payment_id } = await completed(world)
    await attempt(world, uid)
    expect((await parkedOf(world, uid)).map(({ reason }) => reason)).toEqual([NO_ACCOUNT, NO_ACCOUNT])
    expect((await payoutsOf(world, uid)).every(({ status }) => status === "projected")).toBe(true)
    const payout_terms = { ...world.entry.payout_terms, payment_account: "org_late" }
    await world.provision({ pharmacies: [{ ...world.entry, payout_terms }] })
    expect(await parkedOf(world, uid)).toEqual([])
    await attempt(world, uid)
    expect(mollie.routes(payment_id).map(({ destination }) => destination.organizationId)).toEqual([
      "org_late",
      "org_late"
    ])
  })

  test("a payment that is older than 90 days, one of less than the payouts, and none at all", async () => {
    const world = await layeredPharmacy(layers.current, { terms: { commission_bps: 0 } })
    const now = await layers.current.now()
    const sold = { lines: [world.line(world.skus.drops, 1, 500)], shipping_price: 0 }
    for (const [over, made, reason] of [
      [{ created_at: now - 90 * 86_400 - 60 }, 0, "90 days"],
      [{ created_at: now - 90 * 86_400 + 3_600 }, 2, undefined],
      [sold, 0, "more than the patient paid"],
      [{ payment_id: null }, 0, "the order has no payment"]
    ] as const) {
      const { uid, payment_id } = await completed(world, over)
      await attempt(world, uid)
      expect([reason, amounts(payment_id).length]).toEqual([reason, made])
      if (reason === undefined) expect(await parkedOf(world, uid)).toEqual([])
      else expect((await parkedOf(world, uid))[0]?.reason).toContain(reason)
    }
  })

  test("a parked payout is retried on the operator's command", async () => {
    const world = await layeredPharmacy(layers.current)
    const { uid, payment_id } = await completed(world, { shipping_price: 0 })
    mollie.pay(payment_id, 1)
    await attempt(world, uid)
    mollie.pay(payment_id, 1_000)
    await attempt(world, uid)
    expect(amounts(payment_id)).toEqual([])
    const waiting = await routing((one) => one.parked)
    expect(waiting.filter(({ pharmacy_order_uid }) => pharmacy_order_uid === uid)).toMatchObject([
      { pharmacy_uid: world.pharmacy_uid, component_type: "item_rest", amount: 900, currency: "EUR" }
    ])
    const resumed = await routing((one) => one.resume(world.pharmacy_uid, { order: uid }))
    expect(resumed).toEqual([uid])
    await attempt(world, uid)
    expect(amounts(payment_id)).toEqual(["9.00"])
  })
})

describe("a payout whose job is lost", () => {
  const jobsFor = (uid: string) =>
    layers.current.sql`SELECT id FROM pgboss.job WHERE name = 'payout.route'
      AND data->'data'->>'pharmacy_order_uid' = ${uid}`

  test("completing sends the job, and an intent without a job gets another", async () => {
    const world = await layeredPharmacy(layers.current)
    const { uid, payment_id } = await completed(world, { shipping_price: 0 })
    expect(await jobsFor(uid)).toHaveLength(1)
    faults.push("silent")
    await attempt(world, uid)
    await routing((one) => one.sweep())
    expect(await jobsFor(uid)).toHaveLength(1)
    await layers.current.advance(901)
    await routing((one) => one.sweep())
    expect(await jobsFor(uid)).toHaveLength(2)
    await attempt(world, uid)
    await layers.current.advance(901)
    await routing((one) => one.sweep())
    expect(await jobsFor(uid)).toHaveLength(2)
    expect(amounts(payment_id)).toEqual(["9.00"])
  })

  test("a provisioned completed order is not routed", async () => {
    const world = await layeredPharmacy(layers.current)
    const uid = await world.order({ status: "completed" })
    await complete(world, uid)
    expect(await jobsFor(uid)).toEqual([])
    expect((await payoutsOf(world, uid)).map(({ status }) => status)).toEqual(["projected"])
  })
})
