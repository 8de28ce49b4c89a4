/** Errors of pharmacies, their SKUs and their orders. */
import { DomainError, NotFoundError } from "../DomainError.ts"
import type { PharmacyOrderStatus, Undispensable } from "./PharmacyOrderStates.ts"

export class PharmacyNotFound extends NotFoundError("PharmacyNotFound", "Pharmacy") {}
export class PharmacySkuNotFound extends NotFoundError("PharmacySkuNotFound", "Pharmacy SKU") {}
export class PharmacyOrderNotFound extends NotFoundError("PharmacyOrderNotFound", "Order") {}

export class OrderNotPaid extends DomainError("OrderNotPaid", "Only a paid order can be completed") {}

export class PrescriptionNotSigned extends DomainError(
  "PrescriptionNotSigned",
  "The order's prescription waits for a doctor: complete the order once it is signed, or cancel it. Or it was cancelled: reject or cancel the order"
)<{ readonly prescription: Undispensable }> {
  override get message() {
    return this.prescription === "waiting"
      ? "The order's prescription waits for a doctor: complete the order once it is signed, or cancel it"
      : "The order's prescription was cancelled: it is not dispensed; reject or cancel the order"
  }
}

export class StatusNotAllowed extends DomainError(
  "StatusNotAllowed",
  "The order cannot take this step; `error` says from where to where"
)<{ readonly status: PharmacyOrderStatus; readonly to: PharmacyOrderStatus }> {
  override get message() {
    return `An order that is ${this.status} cannot become ${this.to}`
  }
}

export class OrderNotShipped extends DomainError(
  "OrderNotShipped",
  "Only an order that was shipped has a tracking number: ship it first"
) {}

export class NothingToUndo extends DomainError(
  "NothingToUndo",
  "The last step cannot be undone: it has effects outside of the pharmacy, or is more than ten seconds ago"
) {}

export class OrderChanged extends DomainError(
  "OrderChanged",
  "The shop has changed, refunded or cancelled the order: accept its `shop_change` first, or cancel the order"
)<{ readonly reason?: string }> {
  override get message() {
    return this.reason ?? OrderChanged.meaning
  }
}
