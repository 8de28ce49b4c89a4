import { afterAll, describe, expect, test } from "bun:test"
import { Effect, Either, Option, Redacted } from "effect"
import { EmbeddedPayments } from "../../src/layers/payments/Embedded.ts"
import { type MollieOptions, molliePayments } from "../../src/layers/payments/Mollie.ts"
import { Payments, type RouteRequest } from "../../src/services/pharmacy/Payments.ts"
import { eventually } from "../support/eventually.ts"
import { type Fault, mollieStandIn } from "./mollieStandIn.ts"

const faults: Array<Fault> = []
const mollie = mollieStandIn(() => faults.shift() ?? "none")
afterAll(() => mollie.stop())

const options: MollieOptions = {
  apiKey: Redacted.make("test_key"),
  apiEndpoint: mollie.apiEndpoint,
  timeout: "1 minute"
}
const payments = molliePayments(options)
const impatient = molliePayments({ ...options, timeout: "100 millis" })

let count = 0
const request = (over: Partial<RouteRequest> = {}): RouteRequest => {
  count += 1
  const payment_id = `tr_payment${count}`
  mollie.pay(payment_id, 10_000)
  return {
    payment_id,
    payment_account: "org_1234567",
    amount: 1_205,
    currency: "EUR",
    description: `#1001: items [pho_${count}]`,
    idempotency_key: `key-${count}`,
    ...over
  }
}
const outcome = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(Effect.either(effect))
const left = async <E>(effect: Effect.Effect<unknown, E>) => Either.getOrThrow(Either.flip(await outcome(effect)))

describe("Mollie", () => {
  test("creates a route with a decimal amount, the account and the idempotency key", async () => {
    const wanted = request()
    const route = Either.getOrThrow(await outcome(payments.route(wanted)))
    expect(route.provider_route_id).toMatch(/^crt_/)
    expect(mollie.routes(wanted.payment_id ?? "")).toMatchObject([
      {
        id: route.provider_route_id,
        amount: { value: "12.05", currency: "EUR" },
        description: wanted.description,
        destination: { type: "organization", organizationId: "org_1234567" }
      }
    ])
    expect(mollie.requests.at(-1)).toEqual({ method: "POST", key: wanted.idempotency_key })
  })

  test("amounts below one unit keep their zeros", async () => {
    const wanted = request({ amount: 7 })
    await outcome(payments.route(wanted))
    expect(mollie.routes(wanted.payment_id ?? "")[0]?.amount.value).toBe("0.07")
  })

  test("a repetition with the same key returns the same route", async () => {
    const wanted = request()
    const first = Either.getOrThrow(await outcome(payments.route(wanted)))
    expect(Either.getOrThrow(await outcome(payments.route(wanted)))).toEqual(first)
    expect(mollie.routes(wanted.payment_id ?? "")).toHaveLength(1)
  })

  test("an amount above the payment is refused permanently, with Mollie's message", async () => {
    const error = await left(payments.route(request({ amount: 10_001 })))
    expect(error._tag).toBe("RouteRefused")
    expect(error.reason).toBe("Mollie 422: The amount is higher than the remaining amount")
  })

  test("an unknown payment, a missing one and one of another provider are refused permanently", async () => {
    for (const payment_id of ["tr_unknown", null, "pay_elsewhere"])
      expect(await left(payments.route({ ...request(), payment_id }))).toMatchObject({ _tag: "RouteRefused" })
  })

  test.each<[Fault, number]>([
    ["unavailable", 3],
    ["unavailable_kept", 3],
    ["busy", 1],
    ["silent", 1],
    ["silent_kept", 1]
  ])("%s is an unknown outcome", async (fault, times) => {
    const wanted = request()
    faults.push(...Array.from({ length: times }, () => fault))
    const requested = fault.startsWith("silent") ? impatient : payments
    expect(await left(requested.route(wanted))).toMatchObject({ _tag: "PaymentsUnavailable" })
    await eventually(
      async () => faults.length,
      (pending) => pending === 0
    )
    const keptThere = fault.endsWith("_kept") ? 1 : 0
    expect(mollie.routes(wanted.payment_id ?? "")).toHaveLength(keptThere)
    expect(Option.isSome(Either.getOrThrow(await outcome(payments.find(wanted))))).toBe(keptThere === 1)
  })

  test("a closed port is an unknown outcome", async () => {
    const stopped = mollieStandIn()
    stopped.stop()
    const error = await left(molliePayments({ ...options, apiEndpoint: stopped.apiEndpoint }).route(request()))
    expect(error).toMatchObject({ _tag: "PaymentsUnavailable" })
  })

  test("find reads every page and returns only the component's own route", async () => {
    const wanted = request()
    mollie.pay(wanted.payment_id ?? "", 1_000_000)
    for (let n = 0; n < 130; n += 1)
      await outcome(
        payments.route({ ...wanted, amount: 1, description: `other ${n}`, idempotency_key: `${count}-${n}` })
      )
    expect(Either.getOrThrow(await outcome(payments.find(wanted)))).toEqual(Option.none())
    const route = Either.getOrThrow(await outcome(payments.route(wanted)))
    expect(Either.getOrThrow(await outcome(payments.find(wanted)))).toEqual(Option.some(route))
  })
})

describe("the embedded provider", () => {
  test("gives every key its own route, the same one each time", async () => {
    const ids = await Effect.runPromise(
      Effect.gen(function* () {
        const { route } = yield* Payments
        const first = yield* route(request({ idempotency_key: "a" }))
        const again = yield* route(request({ idempotency_key: "a" }))
        const other = yield* route(request({ idempotency_key: "b" }))
        return [first, again, other].map(({ provider_route_id }) => provider_route_id)
      }).pipe(Effect.provide(EmbeddedPayments))
    )
    expect(ids[0]).toMatch(/^crt_[A-Za-z0-9_-]{22}$/)
    expect(ids[1]).toBe(ids[0] ?? "")
    expect(ids[2]).not.toBe(ids[0] ?? "")
  })
})
