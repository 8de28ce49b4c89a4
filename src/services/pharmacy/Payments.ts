import { Context, type Effect, type Option, Schema } from "effect"

/** One component of one order's payout, as the payment provider is asked to route it. */
export interface RouteRequest {
  /** The provider's id of the payment that the patient made; null when the order came without one. */
  readonly payment_id: string | null
  /** The pharmacy's account with the provider. */
  readonly payment_account: string
  /** Cents. */
  readonly amount: number
  /** ISO 4217. */
  readonly currency: string
  /** Unique per order and component: what `find` recognises a route by. */
  readonly description: string
  /** The same for every attempt at this component of this order. */
  readonly idempotency_key: string
}

/** A route that the provider holds. */
export interface Route {
  readonly provider_route_id: string
}

/** The provider will never take this request: an operator has to look at it. */
export class RouteRefused extends Schema.TaggedError<RouteRefused>()("RouteRefused", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}

/**
 * No usable answer: a time-out, a broken connection, an error of the provider's. The route may be there or not; ask
 * `find` before the next attempt.
 */
export class PaymentsUnavailable extends Schema.TaggedError<PaymentsUnavailable>()("PaymentsUnavailable", {
  reason: Schema.String
}) {
  override get message() {
    return this.reason
  }
}

/** What the provider allows; beyond it there is no point in asking. */
export interface PaymentsLimits {
  /** For how many days after the payment it can be routed; null without end. */
  readonly days: number | null
  /** Whether no more can be routed than was paid. */
  readonly withinPaid: boolean
}

export interface PaymentsShape {
  readonly limits: PaymentsLimits
  /** Moves part of a payment to the pharmacy. A repeat with the same key gives the first one's route. */
  readonly route: (request: RouteRequest) => Effect.Effect<Route, RouteRefused | PaymentsUnavailable>
  /** The route that an earlier attempt at the same request has left with the provider, if any. */
  readonly find: (request: RouteRequest) => Effect.Effect<Option.Option<Route>, RouteRefused | PaymentsUnavailable>
}

/** The payment provider that splits what patients paid (Rule 10.5). */
export class Payments extends Context.Tag("pharmacy/Payments")<Payments, PaymentsShape>() {}
