/** What can go wrong with events, subscriptions and deliveries. */
import { DomainError, NotFoundError } from "../DomainError.ts"

export class SubscriptionNotFound extends NotFoundError("SubscriptionNotFound", "Subscription") {}
export class DeliveryNotFound extends NotFoundError("DeliveryNotFound", "Delivery") {}

export class SubscriptionInactive extends DomainError(
  "SubscriptionInactive",
  "This subscription is not active: PATCH it with active true first"
) {}
