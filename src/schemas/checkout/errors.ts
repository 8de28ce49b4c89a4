/** Errors of checkouts and of the storefront. */
import { DomainError, NotFoundError } from "../DomainError.ts"

export class DraftOrderNotFound extends NotFoundError("DraftOrderNotFound", "Reserved draft order") {}
export class WaitingOrderNotFound extends NotFoundError("WaitingOrderNotFound", "Order that waits for an anamnesis") {}
export class CheckoutNotFound extends NotFoundError("CheckoutNotFound", "Checkout") {}

export class PrescriptionAlreadyAccepted extends DomainError(
  "PrescriptionAlreadyAccepted",
  "A `prescriptions[].id` was accepted before; `error` names ids and prescriptions"
)<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

export class LineAlreadyPrescribed extends DomainError(
  "LineAlreadyPrescribed",
  "A line of the reserved draft order already has another accepted prescription"
) {}

export class DraftOrderCompleted extends DomainError(
  "DraftOrderCompleted",
  "The reserved draft order has become an order already"
) {}

export class ReservationExpired extends DomainError(
  "ReservationExpired",
  "The reservation has expired: reserve again, or send the checkout without it"
) {}

export class PrescriptionNotUsable extends DomainError(
  "PrescriptionNotUsable",
  "Nothing was paid: a prescription of the order is not signed, is completed or cancelled, or does not hold the articles"
) {}

export class NoPharmacy extends DomainError(
  "NoPharmacy",
  "Nothing was paid: no pharmacy carries every line. Give the shop a default pharmacy, or one pharmacy all of the SKUs"
) {}

export class AnamnesisRequired extends DomainError(
  "AnamnesisRequired",
  "Nothing was paid: the shop demands an anamnesis for an article of the order, and its line has none"
) {}
