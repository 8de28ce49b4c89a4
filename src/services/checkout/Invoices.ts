/** Sends payment requests to customers in a job, so that accepting a checkout does not depend on the shop's availability. */
import { Clock, Effect } from "effect"
import { StorefrontUnavailable } from "../../schemas/checkout/storefrontProblems.ts"
import { HOUR, MINUTE } from "../../schemas/seconds.ts"
import { Database } from "../database/Database.ts"
import { within } from "../outgoing.ts"
import { Jobs } from "../queue/Jobs.ts"
import type { Payload } from "../queue/queues.ts"
import { Service } from "../Service.ts"
import { type Shop, Shops } from "./Shops.ts"
import { Storefronts } from "./Storefront.ts"

type Invoice = Payload<"storefront.invoice">

/** Timeout for all calls of one payment request, so that a slow shop does not delay other organisations. */
const TIMEOUT_SECONDS = 10
/** A shop that did not answer is not called again by this process for this long, milliseconds. */
const BACK_OFF_MILLIS = MINUTE * 1_000
/** Interval at which an organisation's further jobs are scheduled while one of its requests is running. */
const SLOT_SECONDS = 2
/** Maximum delays of a job while its shop is in back-off, after 5 seconds, 10, 20 and so on up to an hour: about three hours in all. */
const DELAYS_MAX = 12
const delaySeconds = (times: number) => Math.min(HOUR, 5 * 2 ** times)

export class Invoices extends Service<Invoices>()("checkout/Invoices", {
  effect: Effect.gen(function* () {
    const jobs = yield* Jobs
    const shops = yield* Shops
    const storefronts = yield* Storefronts
    const { transaction } = yield* Database

    /** Queues the payment request to the customer of a draft order. */
    const request = Effect.fn("Invoices.request")(
      ({ shop_identifier }: Shop, draft_order_id: string) =>
        jobs.send("storefront.invoice", { shop_identifier, draft_order_id }),
      transaction
    )

    // At most one request per organisation in this process, so that its shops cannot occupy all workers of the queue
    const running = new Set<string>()
    const lastSlot = new Map<string, number>()
    /** Seconds until the organisation's next slot. */
    const nextSlot = (organisation_uid: string, now: number) => {
      for (const [organisation, at] of lastSlot) if (at <= now) lastSlot.delete(organisation)
      const at = (lastSlot.get(organisation_uid) ?? now) + SLOT_SECONDS * 1000
      lastSlot.set(organisation_uid, at)
      return Math.ceil((at - now) / 1000)
    }
    const failedAt = new Map<string, number>()
    const startBackOff = (shop_uid: string) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        for (const [shop, at] of failedAt) if (at <= now - BACK_OFF_MILLIS) failedAt.delete(shop)
        failedAt.set(shop_uid, now)
      })

    const reschedule = (invoice: Invoice, startAfterSeconds: number) =>
      transaction(jobs.send("storefront.invoice", invoice, { startAfterSeconds }))

    const delay = (invoice: Invoice) => {
      const { put_back = 0 } = invoice
      return put_back < DELAYS_MAX
        ? reschedule({ ...invoice, put_back: put_back + 1 }, delaySeconds(put_back))
        : Effect.fail(new StorefrontUnavailable({ detail: "put back too often" }))
    }

    /**
     * Sends the request once. If the organisation has one running in this process the job is rescheduled; if the shop failed to answer
     * within the last minute it is delayed, up to `DELAYS_MAX` times. Fails with `ShopNotFound`, `StorefrontRefused` or
     * `StorefrontUnavailable`.
     */
    const send = Effect.fn("Invoices.send")(function* (invoice: Invoice) {
      const shop = yield* shops.byIdentifier(invoice.shop_identifier)
      const now = yield* Clock.currentTimeMillis
      const isInBackOff = (failedAt.get(shop.shop_uid) ?? Number.NEGATIVE_INFINITY) > now - BACK_OFF_MILLIS
      if (isInBackOff) return yield* delay(invoice)
      const { organisation_uid } = shop
      if (running.has(organisation_uid)) return yield* reschedule(invoice, nextSlot(organisation_uid, now))
      const sent = storefronts.of(shop).pipe(
        Effect.flatMap((storefront) => storefront.sendInvoice(invoice.draft_order_id)),
        within(TIMEOUT_SECONDS, () => new StorefrontUnavailable({ detail: "no answer in time" })),
        Effect.tapErrorTag("StorefrontUnavailable", () => startBackOff(shop.shop_uid))
      )
      yield* Effect.acquireUseRelease(
        Effect.sync(() => running.add(organisation_uid)),
        () => sent,
        () => Effect.sync(() => running.delete(organisation_uid))
      )
    })

    return { request, send } as const
  }),
  dependencies: [Shops.Default]
}) {}
