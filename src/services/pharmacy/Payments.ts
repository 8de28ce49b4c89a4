import { Context, type Effect, type Option, Schema } from "effect"

/** A request to route one component of an order's payout. */
export interface RouteRequest {
  /** The provider's id of the patient's payment; null if the order has none. */
  readonly payment_id: string | null
  /** The pharmacy's account with the provider. */
  readonly payment_account: string
  /** Cents. */
  readonly amount: number
  /** ISO 4217. */
  readonly currency: string
  /** Unique per order and component: `find` identifies a route by it. */
  readonly description: string
  /** The same for every attempt for this component of this order. */
  readonly idempotency_key: string
}

export interface Route {
  readonly provider_route_id: string
}

/** The provider rejects this request permanently: an operator has to resolve it. */
export class RouteRefused extends Schema.TaggedError<RouteRefused>()("RouteRefused", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}

/** No usable answer: a timeout, a broken connection, a provider error. The route may exist; call `find` before the next attempt. */
export class PaymentsUnavailable extends Schema.TaggedError<PaymentsUnavailable>()("PaymentsUnavailable", {
  reason: Schema.String
}) {
  override get message() {
    return this.reason
  }
}

/** The provider's limits; requests beyond them would be rejected. */
export interface PaymentsLimits {
  /** Days after the payment in which it can be routed; null: unlimited. */
  readonly days: number | null
}

export interface PaymentsShape {
  readonly limits: PaymentsLimits
  /** Routes part of a payment to the pharmacy. Idempotent by key: a repeat returns the first route. */
  readonly route: (request: RouteRequest) => Effect.Effect<Route, RouteRefused | PaymentsUnavailable>
  /** The route created at the provider by an earlier attempt of the same request, if any. */
  readonly find: (request: RouteRequest) => Effect.Effect<Option.Option<Route>, RouteRefused | PaymentsUnavailable>
}

/** The port to the payment provider that splits patients' payments (Rule 10.5). */
export class Payments extends Context.Tag("pharmacy/Payments")<Payments, PaymentsShape>() {}
