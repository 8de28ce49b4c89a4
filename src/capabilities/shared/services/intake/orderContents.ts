/** Pure functions that read a storefront's order: ids, names, and the lines that a pharmacy can fill. */

import { LATEST, truncate, UnixSeconds } from "../../../../schemas/fields.ts"
import { PrescriptionUid, type SkuUid } from "../../../../schemas/ids.ts"
import type { Attributes } from "../../../../services/checkout/Storefront.ts"
import { skuFinderOf, spellings } from "../../../../services/checkout/variants.ts"
import type { OrderNotice, OrderWebhook, ShopRefund, WebhookLine } from "../../schemas/OrderWebhook.ts"
import { asLine } from "../../schemas/OrderWebhook.ts"
import { hasFlag, skipsValidation, toAttributes, toBirthDate, toGender } from "./properties.ts"

/** The shop's numeric id of a record: from its global id if there is one, since JSON numbers lose digits. */
export const numberOf = ({ id, admin_graphql_api_id }: Pick<OrderWebhook, "id" | "admin_graphql_api_id">): string =>
  admin_graphql_api_id === null ? String(id) : admin_graphql_api_id.slice(admin_graphql_api_id.lastIndexOf("/") + 1)

/** Whether the order is paid, according to its signed body only (Rule 11.7.4). */
export const isPaid = ({ financial_status }: OrderWebhook): boolean =>
  financial_status === "paid" || financial_status === "partially_refunded"

const PROGRESS: ReadonlyArray<string | null> = ["partially_paid", "paid", "partially_refunded", "refunded"]

/**
 * How far the payment has come, according to the body: decides between two bodies of one time, or without a time. An order that is paid
 * is not replaced by its earlier, unpaid form.
 */
export const progressOf = ({ financial_status }: OrderWebhook): number => PROGRESS.indexOf(financial_status) + 1

/** Whether the order is cancelled: according to the signed body if it says so, else the topic. */
export const isCancelled = ({ topic, order: { cancelled_at } }: Pick<OrderNotice, "topic" | "order">): boolean =>
  cancelled_at === undefined ? topic === "orders/cancelled" : cancelled_at !== null

/** The shop's time of the order's last change, in Unix seconds; null if the body has none, or an invalid one. */
export const updatedAt = ({ updated_at }: OrderWebhook): UnixSeconds | null => {
  const seconds = Math.floor(Date.parse(updated_at ?? "") / 1000)
  return seconds >= 0 && seconds <= LATEST ? UnixSeconds.make(seconds) : null
}

/** A decimal amount in whole cents. */
const cents = (amount: number) => Math.round(amount * 100)

/** Amount paid for all pieces of a line, in cents: its price minus its discounts, at least 0. */
export const totalPrice = ({ price, quantity, discount_allocations }: WebhookLine): number => {
  const discount = (discount_allocations ?? []).reduce((sum, { amount }) => sum + cents(amount), 0)
  return Math.max(0, cents(price) * quantity - discount)
}

/** Pieces of a line left after edits and refunds. */
const piecesLeft = (line: WebhookLine, refunds: ReadonlyArray<ShopRefund>): number => {
  if (line.current_quantity !== null) return Math.min(line.current_quantity, line.quantity)
  const returned = refunds
    .flatMap(({ refund_line_items }) => refund_line_items ?? [])
    .filter(({ line_item_id }) => String(line_item_id) === String(line.id))
    .reduce((sum, { quantity }) => sum + quantity, 0)
  return Math.max(0, line.quantity - returned)
}

/** The share of the line's amount for the pieces left, rounded down. */
const priceOf = (line: WebhookLine, pieces: number): number =>
  pieces === line.quantity ? totalPrice(line) : Math.floor((totalPrice(line) * pieces) / line.quantity)

/** Money given back by a refund, in cents. A transfer that failed gave nothing back. */
const refundedBy = ({ transactions }: ShopRefund): number =>
  (transactions ?? [])
    .filter(({ kind, status }) => kind === "refund" && status !== "failure" && status !== "error")
    .reduce((sum, { amount }) => sum + cents(amount), 0)

/** A refund by the shop's id of it: its amount in cents, and whether it returns pieces. */
export const refundOf = (refund: ShopRefund) => ({
  refund_id: numberOf(refund),
  amount: refundedBy(refund),
  returnsPieces: (refund.refund_line_items ?? []).some(({ quantity }) => quantity > 0)
})

const sumOf = (amounts: ReadonlyArray<number>) => amounts.reduce((sum, amount) => sum + amount, 0)

/**
 * What the buyer has paid for the whole order before refunds, in cents: by the shop's totals, else by its lines. 0 where the signed
 * body does not say that it is paid.
 */
export const receivedFor = (order: OrderWebhook): number => {
  if (!isPaid(order) && order.financial_status !== "refunded") return 0
  const refunded = sumOf((order.refunds ?? []).map(refundedBy))
  const { current_total_price, total_price, total_outstanding } = order
  if (current_total_price !== null)
    return Math.max(0, cents(current_total_price) - cents(total_outstanding ?? 0)) + refunded
  if (total_price !== null) return Math.max(0, cents(total_price) - Math.max(0, cents(total_outstanding ?? 0)))
  return sumOf(order.line_items.map(totalPrice)) + shippingPrice(order)
}

/** Amount paid for shipping, in cents. */
export const shippingPrice = ({ total_shipping_price_set, shipping_lines }: OrderWebhook): number =>
  total_shipping_price_set === null
    ? (shipping_lines ?? []).reduce((sum, { price, discounted_price }) => sum + cents(discounted_price ?? price), 0)
    : cents(total_shipping_price_set.shop_money.amount)

/** The payment id in the order's attributes; null if it is longer than an idempotency key may be, which no provider's is. */
export const paymentOf = ({ note_attributes }: Pick<OrderWebhook, "note_attributes">): string | null => {
  const named = toAttributes(note_attributes).transaction_id ?? ""
  return named !== "" && truncate(named) === named ? named : null
}

const namesOf = (one: { readonly first_name?: string | null; readonly last_name?: string | null } | null) => ({
  first_name: asLine(one?.first_name ?? "") || null,
  last_name: asLine(one?.last_name ?? "") || null
})

/**
 * The patient: named by the order's attributes, as written by a checkout, else by its shipping address, the customer's account or its
 * billing address. Unknown values are null.
 */
export const patientOf = ({ note_attributes, shipping_address, customer, billing_address }: OrderWebhook) => {
  const attributes = toAttributes(note_attributes)
  const named = [attributes, shipping_address, customer, billing_address]
    .map(namesOf)
    .find(({ first_name, last_name }) => first_name !== null || last_name !== null)
  return {
    ...(named ?? namesOf(null)),
    date_of_birth: toBirthDate(attributes.date_of_birth),
    gender: toGender(attributes.gender)
  }
}

export interface CatalogueSku {
  readonly sku_uid: SkuUid
  readonly display_name: string
  readonly digital: boolean
  readonly needs_anamnesis: boolean
  readonly storefront_variant_id: string | null
}

export interface OrderedLine {
  readonly sku_uid: SkuUid
  readonly digital: boolean
  readonly quantity: number
  /** Cents paid for the whole quantity. */
  readonly total_price: number
  /** The line's `_prescription_uid`, unchecked. */
  readonly prescription_uid: PrescriptionUid | null
  /** The questionnaire for the doctor; null if there is none or none is needed. */
  readonly anamnesis_uid: string | null
  readonly needs_anamnesis: boolean
  readonly display_name: string
}

/** The order's lines with a known SKU, in order. `groups` contains properties of line groups that the webhook lacks. */
export const orderedLines = (
  order: OrderWebhook,
  catalogue: ReadonlyArray<CatalogueSku>,
  groups: ReadonlyMap<string, Attributes>
): ReadonlyArray<OrderedLine> => {
  const find = skuFinderOf(catalogue)
  const details = toAttributes(order.note_attributes)
  return order.line_items.flatMap((line) => {
    const sku = find(line)
    const quantity = piecesLeft(line, order.refunds ?? [])
    if (sku === undefined || quantity === 0) return []
    const own = toAttributes(line.properties)
    const group = groups.get(numberOf(line)) ?? toAttributes(line.line_item_group?.properties ?? null)
    return [
      {
        sku_uid: sku.sku_uid,
        display_name: sku.display_name,
        needs_anamnesis: sku.needs_anamnesis,
        digital: sku.digital,
        quantity,
        total_price: priceOf(line, quantity),
        prescription_uid: own._prescription_uid ? PrescriptionUid.make(own._prescription_uid) : null,
        anamnesis_uid: skipsValidation([own, group, details]) ? null : truncate(own._anamnesis_uid ?? "") || null
      }
    ]
  })
}

/** The variants and SKUs of an order, for the catalogue look-up. */
export const namedIn = ({ line_items }: OrderWebhook): ReadonlyArray<string> => [
  ...new Set(
    line_items.flatMap(({ variant_id, sku }) => [
      ...(variant_id === null ? [] : spellings(variant_id)),
      ...(sku === null ? [] : [sku])
    ])
  )
]

/** Whether a line has a group with an id only that can decide: its properties must be read from the shop. */
export const needsGroups = ({ line_items }: OrderWebhook): boolean =>
  line_items.some(({ properties, line_item_group, sales_line_item_group_id }) => {
    const own = toAttributes(properties)
    const grouped = sales_line_item_group_id !== null || (line_item_group?.id ?? null) !== null
    return grouped && !line_item_group?.properties && !own._prescription_uid && !hasFlag(own)
  })
