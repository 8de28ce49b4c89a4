import { afterAll, describe, expect, test } from "bun:test"
import { FetchHttpClient } from "@effect/platform"
import { Effect, Option, Redacted } from "effect"
import { EmbeddedPayments } from "../../src/capabilities/embedded-shop/layers/EmbeddedPayments.ts"
import { molliePayments } from "../../src/capabilities/mollie/layers/Mollie.ts"
import { Payments, type RouteRequest } from "../../src/services/pharmacy/Payments.ts"
import { mollieStandIn } from "./mollieStandIn.ts"

const mollie = mollieStandIn()
afterAll(() => mollie.stop())

const paymentsAt = (apiEndpoint: string) =>
  molliePayments({ apiKey: Redacted.make("test_key"), apiEndpoint }).pipe(
    Effect.provide(FetchHttpClient.layer),
    Effect.runSync
  )
const payments = paymentsAt(mollie.apiEndpoint)

let count = 0
const request = (over: Partial<RouteRequest> = {}) => {
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
const failure = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(Effect.flip(effect))

// How each fault of Mollie ends is in routing.test.ts
describe("Mollie", () => {
  test("creates a route with a decimal amount, the account and the idempotency key", async () => {
    for (const [amount, value] of [
      [1_205, "12.05"],
      [7, "0.07"]
    ] as const) {
      const wanted = request({ amount })
      const { provider_route_id: id } = await Effect.runPromise(payments.route(wanted))
      const { description, payment_id, idempotency_key: key } = wanted
      const destination = { type: "organization", organizationId: "org_1234567" } as const
      expect(mollie.routes(payment_id ?? "")).toMatchObject([
        { id, amount: { value, currency: "EUR" }, description, destination }
      ])
      expect(mollie.requests.at(-1)).toEqual({ method: "POST", key })
    }
  })

  test("an unknown payment, a missing one and one of another provider are refused permanently", async () => {
    for (const payment_id of ["tr_unknown", null, "pay_elsewhere"])
      expect(await failure(payments.route({ ...request(), payment_id }))).toMatchObject({ _tag: "RouteRefused" })
  })

  test("a closed port is an unknown outcome", async () => {
    const stopped = mollieStandIn()
    stopped.stop()
    const error = await failure(paymentsAt(stopped.apiEndpoint).route(request()))
    expect(error).toMatchObject({ _tag: "PaymentsUnavailable" })
  })

  test("find reads every page and returns only the component's own route", async () => {
    const wanted = request()
    const found = await Effect.runPromise(
      Effect.gen(function* () {
        const others = Array.from({ length: 130 }, (_, n) => ({
          amount: 1,
          description: `${n}`,
          idempotency_key: `${n}`
        }))
        yield* Effect.forEach(others, (other) => payments.route({ ...wanted, ...other }))
        const before = yield* payments.find(wanted)
        return { before, route: yield* payments.route(wanted), after: yield* payments.find(wanted) }
      })
    )
    expect(found).toEqual({ before: Option.none(), route: found.route, after: Option.some(found.route) })
  })
})

test("the embedded provider gives every key its own route, the same one each time", async () => {
  const routes = Effect.flatMap(Payments, ({ route }) =>
    Effect.forEach(["a", "a", "b"], (idempotency_key) => route(request({ idempotency_key })))
  )
  const ids = await Effect.runPromise(Effect.provide(routes, EmbeddedPayments))
  const [first, , other] = ids.map(({ provider_route_id }) => provider_route_id)
  expect(first).toMatch(/^crt_[A-Za-z0-9_-]{22}$/)
  expect(other).not.toBe(first)
  expect(ids.map(({ provider_route_id }) => provider_route_id)).toEqual([first, first, other])
})
