/** Errors of events, subscriptions and deliveries. */
import { DomainError, NotFoundError } from "../DomainError.ts"

export class SubscriptionNotFound extends NotFoundError("SubscriptionNotFound", "Subscription") {}
export class DeliveryNotFound extends NotFoundError("DeliveryNotFound", "Delivery") {}

/** Maximum subscriptions per organisation or pharmacy. */
export const SUBSCRIPTIONS_MAX = 20

export class TooManySubscriptions extends DomainError(
  "TooManySubscriptions",
  `There are ${SUBSCRIPTIONS_MAX} subscriptions already: remove one first`
) {}

export class SubscriptionInactive extends DomainError(
  "SubscriptionInactive",
  "This subscription is not active: PATCH it with active true first"
) {}
