/**
 * The payout of an order to its pharmacy, in integer cents (Rules 10.5.3 to 10.5.5). Pure: projected rows, frozen routes
 * and statements all come from this one calculation.
 */
import { createHash } from "node:crypto"
import { Schema } from "effect"
import type { ComponentType } from "../../schemas/pharmacy/Payout.ts"

/** A pharmacy's agreed shares, in basis points: 10,000 is the whole. */
export const PayoutTerms = Schema.Struct({
  /** Of the pharmacy's own prices, kept by the platform. */
  commission_bps: Schema.Number,
  /** Of what was paid above the pharmacy's prices, paid to the pharmacy. */
  markup_share_bps: Schema.Number,
  /** Of the shipping price, paid to the pharmacy. */
  shipping_share_bps: Schema.Number
})
export type PayoutTerms = typeof PayoutTerms.Type

export const PayoutLine = Schema.Struct({
  /** The pharmacy's own price for the whole quantity, in cents. */
  pharmacy_price: Schema.Number,
  /** What the patient paid for the whole quantity after discounts, in cents. */
  total_price: Schema.Number,
  /** Digital lines do not count for the pharmacy. */
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

/** How a paid order is split: the pharmacy gets its components, the platform the rest. Cents. */
export interface PayoutSplit {
  /** All that the patient paid: every line, digital ones included, and shipping. */
  readonly paid: number
  readonly components: ReadonlyArray<PayoutComponent>
  /** `paid` less the components. Below 0 when a line was sold under the pharmacy's price: such a payout is not covered. */
  readonly platform: number
}

const WHOLE = 10_000

/**
 * `bps` basis points of `cents`, rounded half up. Whole and remainder are taken apart, so that the product stays an
 * exact integer for every safe amount.
 */
export const share = (cents: number, bps: number): number =>
  Math.floor(cents / WHOLE) * bps + Math.floor(((cents % WHOLE) * bps + WHOLE / 2) / WHOLE)

const total = (lines: ReadonlyArray<PayoutLine>, each: (line: PayoutLine) => number): number =>
  lines.reduce((sum, line) => sum + each(line), 0)

/** The payout of one order. Components of 0 are left out; an order without a physical line has none. */
export const payout = (terms: PayoutTerms, { lines, shipping_price }: PayoutOrder): PayoutSplit => {
  const paid = total(lines, (line) => line.total_price) + shipping_price
  const physical = lines.filter((line) => !line.digital)
  const components = physical.length === 0 ? [] : componentsOf(terms, physical, shipping_price)
  return { paid, components, platform: components.reduce((rest, { amount }) => rest - amount, paid) }
}

const componentsOf = (
  terms: PayoutTerms,
  lines: ReadonlyArray<PayoutLine>,
  shippingPrice: number
): ReadonlyArray<PayoutComponent> => {
  const prices = total(lines, (line) => line.pharmacy_price)
  const markup = total(lines, (line) => Math.max(line.total_price - line.pharmacy_price, 0))
  const components: ReadonlyArray<PayoutComponent> = [
    { component_type: "item_rest", amount: prices - share(prices, terms.commission_bps) },
    { component_type: "item_markup", amount: share(markup, terms.markup_share_bps) },
    { component_type: "shipping", amount: share(shippingPrice, terms.shipping_share_bps) }
  ]
  return components.filter(({ amount }) => amount > 0)
}

const words: Record<ComponentType, string> = {
  item_rest: "items",
  item_markup: "item markup",
  shipping: "shipping"
}

/** The longest text that a payment provider takes as a route's description. */
const DESCRIPTION = 255

/**
 * The text that goes with a route. It stands in the provider's reports, and ends in the order's uid and the component,
 * so that a route found in the provider's list belongs to exactly one component of one order.
 */
export const routingDescription = (order: { readonly uid: string; readonly name: string }, type: ComponentType) => {
  const suffix = `: ${words[type]} [${order.uid}]`
  return order.name.slice(0, Math.max(0, DESCRIPTION - suffix.length)).toWellFormed() + suffix
}

/**
 * The provider sees this key with every attempt at one component of one order, so that a second attempt is a repeat.
 * A digest, since a uid may hold characters that a header may not.
 */
export const idempotencyKey = (pharmacy_order_uid: string, type: ComponentType): string =>
  createHash("sha256").update(`payout ${type} ${pharmacy_order_uid}`).digest("hex")
