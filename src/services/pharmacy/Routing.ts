/**
 * Turns intents into routes at the payment provider, each exactly once. The intent is committed before the provider is
 * asked; whoever has leased it asks; a second attempt first looks whether the one before has left a route; and every
 * attempt carries the same key. So a crash, a time-out or an error at any point neither loses a route nor doubles one.
 */

import { Effect, Option } from "effect"
import type { PharmacyOrderUid, PharmacyUid } from "../../schemas/ids.ts"
import { DAY } from "../../schemas/seconds.ts"
import { DomainClock } from "../DomainClock.ts"
import { Jobs } from "../Jobs.ts"
import { transaction } from "../transaction.ts"
import { OrdersRepo, type RoutedOrder } from "./OrdersRepo.ts"
import { Payments, type PaymentsShape, RouteRefused, type RouteRequest } from "./Payments.ts"
import { NO_ACCOUNT } from "./PayoutProjector.ts"
import { type Intent, PayoutsRepo } from "./PayoutsRepo.ts"
import { idempotencyKey } from "./payouts.ts"

/**
 * Longer than the attempts at one order's three components, each a search and a route of 20 seconds at most: only a worker
 * that died leaves a lease to run out.
 */
const LEASE_SECONDS = 180
/** An intent that was not tried for this long has lost its job, or used up its attempts. */
const NEGLECTED_SECONDS = 900
const SWEEP = 1_000

const requestOf = (order: RoutedOrder, payment_account: string, intent: Intent): RouteRequest => ({
  payment_id: order.payment_id,
  payment_account,
  amount: intent.amount,
  currency: intent.currency,
  description: intent.routing_description,
  idempotency_key: idempotencyKey(intent.pharmacy_order_uid, intent.component_type)
})

/** What the provider would refuse anyway, told apart before it is asked. */
const beyondLimits = ({ limits }: PaymentsShape, order: RoutedOrder, now: number): string | undefined => {
  if (limits.days !== null && now - order.paid_at > limits.days * DAY)
    return `payments can be routed for ${limits.days} days, and this one is older`
  if (limits.withinPaid && order.owed_amount > order.paid_amount)
    return "the pharmacy is owed more than the patient paid"
  return undefined
}

export class Routing extends Effect.Service<Routing>()("pharmacy/Routing", {
  effect: Effect.gen(function* () {
    const repo = yield* PayoutsRepo
    const orders = yield* OrdersRepo
    const payments = yield* Payments
    const jobs = yield* Jobs
    const clock = yield* DomainClock

    const ask = Effect.fnUntraced(function* (order: RoutedOrder, intent: Intent, now: number) {
      if (order.payment_account === null) return yield* new RouteRefused({ reason: NO_ACCOUNT })
      const request = requestOf(order, order.payment_account, intent)
      // An attempt that was made before a limit was reached may have left its route.
      const left = intent.attempts > 1 ? yield* payments.find(request) : Option.none()
      if (Option.isSome(left)) return left.value
      const limit = beyondLimits(payments, order, now)
      if (limit !== undefined) return yield* new RouteRefused({ reason: limit })
      return yield* payments.route(request)
    })

    /** One attempt at one intent. Fails when its outcome is unknown. */
    const attempt = Effect.fn("Routing.attempt")(function* (order: RoutedOrder, intent: Intent) {
      const now = yield* clock.now
      yield* ask(order, intent, now).pipe(
        Effect.flatMap(({ provider_route_id }) => repo.settle(intent, provider_route_id, now)),
        Effect.catchTag("RouteRefused", ({ reason }) =>
          Effect.zipRight(
            Effect.logWarning("payout parked for an operator", { reason, order: intent.pharmacy_order_uid }),
            repo.park(intent, reason)
          )
        ),
        Effect.tapErrorTag("PaymentsUnavailable", () => repo.release(intent))
      )
    })

    /** Routes what is pending of an order. Fails with the first unknown outcome, once every component has been tried. */
    const routeOrder = Effect.fn("Routing.routeOrder")(function* (pharmacy: PharmacyUid, uid: PharmacyOrderUid) {
      const now = yield* clock.now
      const intents = yield* repo.lease(pharmacy, uid, now, LEASE_SECONDS)
      if (intents.length === 0) return
      const order = yield* orders.routed(pharmacy, uid)
      const [[failure]] = yield* Effect.partition(intents, (intent) => attempt(order, intent))
      if (failure !== undefined) return yield* failure
    })

    const sendAll = (waiting: ReadonlyArray<{ pharmacy_uid: PharmacyUid; pharmacy_order_uid: PharmacyOrderUid }>) =>
      jobs.sendAll("payout.route", waiting)

    /** Sends an order's intents on their way, within the transaction that made them. */
    const start = (pharmacy_uid: PharmacyUid, pharmacy_order_uid: PharmacyOrderUid) =>
      sendAll([{ pharmacy_uid, pharmacy_order_uid }])

    /** Nothing is forgotten: intents whose jobs are gone get new ones. Answers how many orders there were. */
    const sweep = Effect.fn("Routing.sweep")(function* () {
      const waiting = yield* repo.neglected((yield* clock.now) - NEGLECTED_SECONDS, SWEEP)
      yield* sendAll(waiting)
      return waiting.length
    }, transaction)

    /** An operator has mended what was in the way: what was parked is tried again. Answers the orders concerned. */
    const resume = Effect.fn("Routing.resume")(function* (
      pharmacy_uid: PharmacyUid,
      only: Parameters<typeof repo.unpark>[1]
    ) {
      const uids = yield* repo.unpark(pharmacy_uid, only)
      yield* sendAll(uids.map((pharmacy_order_uid) => ({ pharmacy_uid, pharmacy_order_uid })))
      return uids
    }, transaction)

    /** What waits for an operator, at most 1,000 rows. */
    const parked = repo.parked(1_000)

    return { routeOrder, start, sweep, resume, parked } as const
  }),
  dependencies: [Jobs.Default, PayoutsRepo.Default, OrdersRepo.Default, DomainClock.Default]
}) {}
