/**
 * Turns intents into routes at the payment provider, each exactly once (Rules 10.5.6 and 10.5.8). The intent is committed before the
 * provider is called; only the worker that holds its lease calls; a retry first looks for the route of the previous attempt; and every
 * attempt has the same idempotency key. So a crash, a timeout or an error at any point neither loses nor duplicates a route.
 */
import { Effect, Option } from "effect"
import type { UnixSeconds } from "../../schemas/fields.ts"
import type { PharmacyOrderUid, PharmacyUid } from "../../schemas/ids.ts"
import { DAY } from "../../schemas/seconds.ts"
import { DomainClock } from "../DomainClock.ts"
import { Database } from "../database/Database.ts"
import { Jobs } from "../queue/Jobs.ts"
import { Service } from "../Service.ts"
import { Owners } from "../tenancy/Owners.ts"
import { OrdersRepo, type RoutedOrder } from "./OrdersRepo.ts"
import { Payments, type PaymentsShape, RouteRefused, type RouteRequest } from "./Payments.ts"
import { NO_ACCOUNT, NOT_COVERED } from "./PayoutProjector.ts"
import { type Intent, PayoutsRepo } from "./PayoutsRepo.ts"
import { idempotencyKey } from "./payouts.ts"

/**
 * Longer than the attempts for one order's three components, each a search and a route of 20 seconds at most: a lease only expires if its
 * worker died.
 */
const LEASE_SECONDS = 180
/** An intent not attempted for this long has lost its job, or used up its attempts. */
const STALE_SECONDS = 900
/** Orders of a pharmacy that one sweep takes; the next one takes further ones. */
const BATCH = 1_000

const requestOf = (order: RoutedOrder, payment_account: string, intent: Intent): RouteRequest => ({
  payment_id: order.payment_id,
  payment_account,
  amount: intent.amount,
  currency: intent.currency,
  description: intent.routing_description,
  idempotency_key: idempotencyKey(intent.pharmacy_order_uid, intent.component_type)
})

/** Why the order's payouts cannot be routed; undefined if they can. */
const beyondLimits = ({ limits }: PaymentsShape, order: RoutedOrder, now: number): string | undefined => {
  if (limits.days !== null && now - order.paid_at > limits.days * DAY)
    return `payments can be routed for ${limits.days} days, and this one is older`
  return order.payout_amount > order.paid_amount ? NOT_COVERED : undefined
}

export class Routing extends Service<Routing>()("pharmacy/Routing", {
  effect: Effect.gen(function* () {
    const repo = yield* PayoutsRepo
    const orders = yield* OrdersRepo
    const payments = yield* Payments
    const jobs = yield* Jobs
    const owners = yield* Owners
    const clock = yield* DomainClock
    const { transaction } = yield* Database

    const requestRoute = Effect.fnUntraced(function* (order: RoutedOrder, intent: Intent, now: number) {
      if (order.payment_account === null) return yield* new RouteRefused({ reason: NO_ACCOUNT })
      const request = requestOf(order, order.payment_account, intent)
      // An attempt before the limit was exceeded may have created the route.
      const left = intent.attempts > 1 ? yield* payments.find(request) : Option.none()
      if (Option.isSome(left)) return left.value
      const limit = beyondLimits(payments, order, now)
      if (limit !== undefined) return yield* new RouteRefused({ reason: limit })
      return yield* payments.route(request)
    })

    /** Parks an intent. The order shows parked payouts, so `updated_at` changes too. */
    const park = Effect.fnUntraced(function* (intent: Intent, reason: string, now: UnixSeconds) {
      yield* orders.update(intent.pharmacy_uid, intent.pharmacy_order_uid, {}, now)
      yield* repo.park(intent, reason)
      yield* Effect.logWarning("payout parked for an operator", { reason, order: intent.pharmacy_order_uid })
    }, transaction)

    /** One attempt for one intent. Fails with `PaymentsUnavailable` if the outcome is unknown. */
    const attempt = Effect.fn("Routing.attempt")(function* (intent: Intent) {
      const now = yield* clock.now
      const order = yield* orders.routed(intent.pharmacy_uid, intent.pharmacy_order_uid) // a refund may have come since the last
      yield* requestRoute(order, intent, now).pipe(
        Effect.flatMap(({ provider_route_id }) => repo.settle(intent, provider_route_id, now)),
        Effect.catchTag("RouteRefused", ({ reason }) => park(intent, reason, now)),
        Effect.tapErrorTag("PaymentsUnavailable", () => repo.release(intent))
      )
    })

    /**
     * Routes an order's pending intents. Idempotent and safe to run concurrently. After attempting every component, fails with the first
     * `PaymentsUnavailable`.
     */
    const routeOrder = Effect.fn("Routing.routeOrder")(function* (pharmacy: PharmacyUid, uid: PharmacyOrderUid) {
      const now = yield* clock.now
      const intents = yield* repo.lease(pharmacy, uid, now, LEASE_SECONDS)
      if (intents.length === 0) return
      const [[failure]] = yield* Effect.partition(intents, attempt)
      if (failure !== undefined) return yield* failure
    })

    const sendAll = (waiting: ReadonlyArray<{ pharmacy_uid: PharmacyUid; pharmacy_order_uid: PharmacyOrderUid }>) =>
      jobs.sendAll("payout.route", waiting)

    /** Queues the routing of an order, in the transaction that created its intents. */
    const start = (pharmacy_uid: PharmacyUid, pharmacy_order_uid: PharmacyOrderUid) =>
      sendAll([{ pharmacy_uid, pharmacy_order_uid }])

    /** Re-queues intents that have lost their job. Returns the number of orders. */
    const sweep = Effect.fn("Routing.sweep")(function* () {
      const before = (yield* clock.now) - STALE_SECONDS
      return yield* owners.eachDue("payouts", before, (pharmacy) =>
        Effect.flatMap(repo.stale(pharmacy, before, BATCH), (waiting) =>
          Effect.as(transaction(sendAll(waiting)), waiting.length)
        )
      )
    })

    /** Re-queues parked intents once an operator has resolved the cause. Returns the affected orders. */
    const resume = Effect.fn("Routing.resume")(function* (
      pharmacy_uid: PharmacyUid,
      only: Parameters<typeof repo.unpark>[1]
    ) {
      const now = yield* clock.now
      const uids = yield* repo.unpark(pharmacy_uid, only)
      yield* Effect.forEach(uids, (uid) => orders.update(pharmacy_uid, uid, {}, now))
      yield* sendAll(uids.map((pharmacy_order_uid) => ({ pharmacy_uid, pharmacy_order_uid })))
      return uids
    }, transaction)

    /** Parked intents, at most 1,000. */
    const parked = repo.parked(1_000)

    return { routeOrder, start, sweep, resume, parked } as const
  }),
  dependencies: [PayoutsRepo.Default, OrdersRepo.Default]
}) {}
