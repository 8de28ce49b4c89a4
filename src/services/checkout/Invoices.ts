/** Asks customers to pay: by a job, so that a checkout is accepted whether or not the shop can be reached just then. */
import { Effect } from "effect"
import { Jobs } from "../Jobs.ts"
import { transaction } from "../transaction.ts"
import { type Shop, Shops } from "./Shops.ts"
import { Storefronts } from "./Storefront.ts"

export class Invoices extends Effect.Service<Invoices>()("checkout/Invoices", {
  effect: Effect.gen(function* () {
    const jobs = yield* Jobs
    const shops = yield* Shops
    const storefronts = yield* Storefronts

    /** Has the customer of a draft order asked. Part of the caller's transaction, if there is one. */
    const request = Effect.fn("Invoices.request")(
      ({ shop_identifier }: Shop, draft_order_id: string) =>
        jobs.send("storefront.invoice", { shop_identifier, draft_order_id }),
      transaction
    )

    /** Sends the request, unless it was sent. Safe to run twice. */
    const send = Effect.fn("Invoices.send")(function* (shop_identifier: string, draft_order_id: string) {
      const shop = yield* shops.byIdentifier(shop_identifier)
      const storefront = yield* storefronts.of(shop)
      yield* storefront.sendInvoice(draft_order_id)
    })

    return { request, send } as const
  }),
  dependencies: [Jobs.Default, Shops.Default]
}) {}
