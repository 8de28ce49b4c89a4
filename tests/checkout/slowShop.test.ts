/** A slow shop: a limited number of its organisation's requests wait for it. Rule 11.8.4. */
import { expect, test } from "bun:test"
import { Cause, Deferred, Effect, Exit, Fiber, Layer, Schema } from "effect"
import { TreatmentCheckout } from "../../src/schemas/checkout/Checkout.ts"
import { OrganisationUid } from "../../src/schemas/ids.ts"
import { type Storefront, Storefronts } from "../../src/services/checkout/Storefront.ts"
import { Treatments } from "../../src/services/checkout/Treatments.ts"
import { isOverload } from "../../src/services/database/SqlErrors.ts"
import { testServer } from "../support/server.ts"
import { makeShop, type ShopWorld } from "./support/shop.ts"

const server = testServer()

test("an organisation's requests that wait for its shops are limited: one more is refused, another organisation's is not", async () => {
  const [slow, other] = [await makeShop(server.current), await makeShop(server.current)]
  let requested = 0
  await server.current.run(
    Effect.gen(function* () {
      const answer = yield* Deferred.make<void>()
      const refused = yield* Deferred.make<Cause.Cause<unknown>>()
      const opened = { draft_order_id: "1", checkout_url: null }
      const storefrontOf = (shop_uid: string) =>
        ({
          createDraftOrder: () =>
            shop_uid === other.shop_uid
              ? Effect.succeed(opened)
              : Effect.suspend(() => {
                  requested++
                  return Effect.as(Deferred.await(answer), opened)
                })
        }) as unknown as Storefront // nothing else is called
      const treatments = Layer.provide(
        Layer.fresh(Treatments.Default),
        Layer.succeed(Storefronts, { of: ({ shop_uid }) => Effect.sync(() => storefrontOf(shop_uid)) })
      )
      yield* Effect.gen(function* () {
        const { open } = yield* Treatments
        const treat = ({ organisation_uid, shop_identifier, skus }: ShopWorld) =>
          open(
            OrganisationUid.make(organisation_uid),
            shop_identifier,
            Schema.decodeUnknownSync(TreatmentCheckout)({ lines: [{ sku_uid: skus.drops.uid, quantity: 1 }] })
          )
        const reportRefusal = Effect.tapErrorCause((cause: Cause.Cause<unknown>) => Deferred.succeed(refused, cause))
        const fibers = yield* Effect.replicateEffect(Effect.fork(Effect.exit(reportRefusal(treat(slow)))), 129)
        expect(isOverload(Cause.squash(yield* Deferred.await(refused)))).toBe(true)
        expect(requested).toBe(64)
        expect(yield* treat(other)).toMatchObject({ draft_order_id: "1" })
        yield* Deferred.succeed(answer, undefined)
        const exits = yield* Effect.forEach(fibers, Fiber.join)
        expect(exits.filter(Exit.isFailure)).toHaveLength(1)
      }).pipe(Effect.provide(treatments))
    })
  )
  expect(requested).toBe(128)
})
