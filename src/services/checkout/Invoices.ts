/** Requests payment from customers by a job, so that accepting a checkout does not depend on the shop being reachable. */
import { Effect } from "effect"
import { Database } from "../Database.ts"
import { Jobs } from "../Jobs.ts"
import { type Shop, Shops } from "./Shops.ts"
import { Storefronts } from "./Storefront.ts"

export class Invoices extends Effect.Service<Invoices>()("checkout/Invoices", {
  effect: Effect.gen(function* () {
    const jobs = yield* Jobs
    const shops = yield* Shops
    const storefronts = yield* Storefronts
    const { transaction } = yield* Database

    /** Queues the request to the customer of a draft order. */
    const request = Effect.fn("Invoices.request")(
      ({ shop_identifier }: Shop, draft_order_id: string) =>
        jobs.send("storefront.invoice", { shop_identifier, draft_order_id }),
      transaction
    )

    /** Sends the request once. Fails with `ShopNotFound`, `StorefrontRefused` or `StorefrontUnavailable`. */
    const send = Effect.fn("Invoices.send")(function* (shop_identifier: string, draft_order_id: string) {
      const shop = yield* shops.byIdentifier(shop_identifier)
      const storefront = yield* storefronts.of(shop)
      yield* storefront.sendInvoice(draft_order_id)
    })

    return { request, send } as const
  }),
  dependencies: [Database.Default, Jobs.Default, Shops.Default]
}) {}
