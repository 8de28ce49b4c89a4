/** Requests payment from customers by a job, so that accepting a checkout does not depend on the shop being reachable. */
import { Clock, Effect } from "effect"
import { StorefrontUnavailable } from "../../schemas/checkout/storefrontProblems.ts"
import { Database } from "../database/Database.ts"
import { Jobs } from "../queue/Jobs.ts"
import type { Payload } from "../queue/queues.ts"
import { type Shop, Shops } from "./Shops.ts"
import { Storefronts } from "./Storefront.ts"

type Invoice = Payload<"storefront.invoice">

/** For all calls of one request to pay. A shop that answers later holds up those of other organisations. */
const LONGEST = "10 seconds"
/** A shop that did not answer is not asked again in this process before, milliseconds. */
const REST_MILLIS = 60_000
/** Where an organisation has a request under way, the others get places one after the other, so far apart. */
const PLACE_SECONDS = 2
/** Times that a job is put back while its shop rests, after 5 seconds, 10, 20 and so on up to an hour: about three hours together. */
const PUT_BACK_MAX = 12
const putBackSeconds = (times: number) => Math.min(3_600, 5 * 2 ** times)

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

    // Of one organisation one request is under way in a process, so that its shops cannot hold all places of the queue
    const underWay = new Set<string>()
    const lastPlace = new Map<string, number>()
    /** Seconds until the organisation's next place. */
    const nextPlace = (organisation_uid: string, now: number) => {
      for (const [organisation, at] of lastPlace) if (at <= now) lastPlace.delete(organisation)
      const at = (lastPlace.get(organisation_uid) ?? now) + PLACE_SECONDS * 1000
      lastPlace.set(organisation_uid, at)
      return Math.ceil((at - now) / 1000)
    }
    const failedAt = new Map<string, number>()
    const rest = (shop_uid: string) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        for (const [shop, at] of failedAt) if (at <= now - REST_MILLIS) failedAt.delete(shop)
        failedAt.set(shop_uid, now)
      })

    const again = (invoice: Invoice, startAfterSeconds: number) =>
      transaction(jobs.send("storefront.invoice", invoice, { startAfterSeconds }))

    const putBack = (invoice: Invoice) => {
      const { put_back = 0 } = invoice
      return put_back < PUT_BACK_MAX
        ? again({ ...invoice, put_back: put_back + 1 }, putBackSeconds(put_back))
        : Effect.fail(new StorefrontUnavailable({ detail: "put back too often" }))
    }

    /**
     * Sends the request once. Where the organisation has one under way in this process the job gets a later place; where the shop did
     * not answer within the last minute it is put back, so many times at most. Fails with `ShopNotFound`, `StorefrontRefused` or
     * `StorefrontUnavailable`.
     */
    const send = Effect.fn("Invoices.send")(function* (invoice: Invoice) {
      const shop = yield* shops.byIdentifier(invoice.shop_identifier)
      const now = yield* Clock.currentTimeMillis
      const isResting = (failedAt.get(shop.shop_uid) ?? Number.NEGATIVE_INFINITY) > now - REST_MILLIS
      if (isResting) return yield* putBack(invoice)
      const { organisation_uid } = shop
      if (underWay.has(organisation_uid)) return yield* again(invoice, nextPlace(organisation_uid, now))
      const asked = storefronts.of(shop).pipe(
        Effect.flatMap((storefront) => storefront.sendInvoice(invoice.draft_order_id)),
        Effect.timeoutFail({
          duration: LONGEST,
          onTimeout: () => new StorefrontUnavailable({ detail: "no answer in time" })
        }),
        Effect.tapErrorTag("StorefrontUnavailable", () => rest(shop.shop_uid))
      )
      yield* Effect.acquireUseRelease(
        Effect.sync(() => underWay.add(organisation_uid)),
        () => asked,
        () => Effect.sync(() => underWay.delete(organisation_uid))
      )
    })

    return { request, send } as const
  }),
  dependencies: [Database.Default, Jobs.Default, Shops.Default]
}) {}
