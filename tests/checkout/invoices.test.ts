/** Payment requests: a slow shop does not delay those of other shops. */
import { expect, test } from "bun:test"
import { Deferred, Effect, Either, Fiber, Layer } from "effect"
import { StorefrontUnavailable } from "../../src/schemas/checkout/storefrontProblems.ts"
import { Invoices } from "../../src/services/checkout/Invoices.ts"
import { type Storefront, Storefronts } from "../../src/services/checkout/Storefront.ts"
import { testServer } from "../support/server.ts"
import { makeShop } from "./support/shop.ts"

const server = testServer({ ROLE: "http" })

// Shows: a shop that responds late or endlessly, or sends endless orders
test("an organisation has one running request and an unresponsive shop a minute's pause: jobs are deferred, and no healthy shop's job is dropped", async () => {
  const [slow, other] = [await makeShop(server.current), await makeShop(server.current)]
  const requested: Array<string> = []
  await server.current.run(
    Effect.gen(function* () {
      const isRequested = yield* Deferred.make<void>()
      const answer = yield* Deferred.make<void, StorefrontUnavailable>()
      const sendInvoice = (id: string) => {
        requested.push(id)
        return id === "first"
          ? Effect.zipRight(Deferred.succeed(isRequested, undefined), Deferred.await(answer))
          : Effect.void
      }
      const storefront = { sendInvoice } as unknown as Storefront // nothing else is called
      const invoices = Layer.provide(
        Layer.fresh(Invoices.Default),
        Layer.succeed(Storefronts, { of: () => Effect.succeed(storefront) })
      )
      yield* Effect.gen(function* () {
        const { send } = yield* Invoices
        const sendRequest = (
          { shop_identifier }: { readonly shop_identifier: string },
          draft_order_id: string,
          put_back?: number
        ) => send({ shop_identifier, draft_order_id, ...(put_back !== undefined && { put_back }) })
        const first = yield* Effect.fork(Effect.either(sendRequest(slow, "first")))
        yield* Deferred.await(isRequested)
        yield* sendRequest(slow, "second", 12)
        yield* sendRequest(slow, "next")
        yield* sendRequest(other, "other")
        yield* Deferred.fail(answer, new StorefrontUnavailable({ detail: "no answer" }))
        expect(Either.isLeft(yield* Fiber.join(first))).toBe(true)
        yield* sendRequest(slow, "third", 3)
        const last = yield* Effect.flip(sendRequest(slow, "last", 12))
        expect(last).toMatchObject({ _tag: "StorefrontUnavailable" })
      }).pipe(Effect.provide(invoices))
    })
  )
  expect(requested).toEqual(["first", "other"])
  const jobs = await slow.sql`SELECT data->'data'->>'draft_order_id' AS id, data->'data'->'put_back' AS put_back,
      extract(epoch FROM start_after - created_on)::int AS after, start_after
    FROM pgboss.job WHERE name = 'storefront.invoice' AND data->'data'->>'shop_identifier' = ${slow.shop_identifier}
    ORDER BY created_on`
  const { second, next, third } = Object.fromEntries(jobs.map(({ id, ...job }) => [id, job]))
  expect([second, next, third]).toMatchObject([
    { put_back: 12, after: 2 },
    { put_back: null },
    { put_back: 4, after: 40 }
  ])
  expect(next?.start_after).toBeGreaterThan(second?.start_after)
})
