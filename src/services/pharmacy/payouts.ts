/**
 * Calculates the payout of an order to its pharmacy, in integer cents (Rules 10.5.3 to 10.5.5). Pure: projected rows, frozen routes and
 * statements all use this calculation.
 */
import { createHash } from "node:crypto"
import { Schema } from "effect"
import type { ComponentType } from "../../schemas/pharmacy/Payout.ts"

/** A pharmacy's agreed shares, in basis points of 10,000. */
export const PayoutTerms = Schema.Struct({
  /** Share of the pharmacy's own prices kept by the platform. */
  commission_bps: Schema.Number,
  /** Share of the amount paid above the pharmacy's prices that the pharmacy gets. */
  markup_share_bps: Schema.Number,
  /** Share of the shipping price that the pharmacy gets. */
  shipping_share_bps: Schema.Number
})
export type PayoutTerms = typeof PayoutTerms.Type

export const PayoutLine = Schema.Struct({
  /** The pharmacy's own price for the whole quantity, in cents. */
  pharmacy_price: Schema.Number,
  /** Amount paid by the patient for the whole quantity after discounts, in cents. */
  total_price: Schema.Number,
  /** Digital lines are not part of the payout. */
  digital: Schema.Boolean
})
export type PayoutLine = typeof PayoutLine.Type

export const PayoutOrder = Schema.Struct({
  lines: Schema.Array(PayoutLine),
  /** Cents. */
  shipping_price: Schema.Number
})
export type PayoutOrder = typeof PayoutOrder.Type

export interface PayoutComponent {
  readonly component_type: ComponentType
  /** Cents, above 0. */
  readonly amount: number
}

const WHOLE = 10_000

/**
 * `bps` basis points of `cents`, rounded half up. Quotient and remainder are multiplied separately, so that the product stays an exact
 * integer for every safe amount.
 */
export const share = (cents: number, bps: number): number =>
  Math.floor(cents / WHOLE) * bps + Math.floor(((cents % WHOLE) * bps + WHOLE / 2) / WHOLE)

const total = (lines: ReadonlyArray<PayoutLine>, each: (line: PayoutLine) => number): number =>
  lines.reduce((sum, line) => sum + each(line), 0)

/**
 * The payout of one order; the platform keeps the rest of what the patient paid. Components of 0 are left out; an order without a physical
 * line has none.
 */
export const payout = (terms: PayoutTerms, order: PayoutOrder): ReadonlyArray<PayoutComponent> => {
  const lines = order.lines.filter((line) => !line.digital)
  if (lines.length === 0) return []
  const prices = total(lines, (line) => line.pharmacy_price)
  const markup = total(lines, (line) => Math.max(line.total_price - line.pharmacy_price, 0))
  const components: ReadonlyArray<PayoutComponent> = [
    { component_type: "item_rest", amount: prices - share(prices, terms.commission_bps) },
    { component_type: "item_markup", amount: share(markup, terms.markup_share_bps) },
    { component_type: "shipping", amount: share(order.shipping_price, terms.shipping_share_bps) }
  ]
  return components.filter(({ amount }) => amount > 0)
}

const words: Record<ComponentType, string> = {
  item_rest: "items",
  item_markup: "item markup",
  shipping: "shipping"
}

/** Maximum length of a route's description at the payment provider. */
const DESCRIPTION_MAX = 255

/**
 * The description of a route in the provider's reports. It ends in the order's uid and the component, so that a route found at the
 * provider belongs to exactly one component of one order.
 */
export const routingDescription = (order: { readonly uid: string; readonly name: string }, type: ComponentType) => {
  const suffix = `: ${words[type]} [${order.uid}]`
  return order.name.slice(0, Math.max(0, DESCRIPTION_MAX - suffix.length)).toWellFormed() + suffix
}

/**
 * Idempotency key of one component of one order, the same for every attempt. A digest, since a uid may contain characters that a header
 * must not.
 */
export const idempotencyKey = (pharmacy_order_uid: string, type: ComponentType): string =>
  createHash("sha256").update(`payout ${type} ${pharmacy_order_uid}`).digest("hex")
