/**
 * A storefront's order in a webhook: the fields of Shopify's JSON that pharmacy orders are created from. Others are
 * ignored.
 */
import { Predicate, Schema } from "effect"
import { MOST_LINES } from "../../../schemas/checkout/Checkout.ts"
import { isText, listOf, onOneLine, truncate } from "../../../schemas/fields.ts"

const maybe = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(Schema.NullOr(schema), { default: () => null })
/** Maximum entries of any list of an order, far above what shops allow; lines as in a checkout. Longer lists are not decoded. */
const MOST = 1_000
const some = <A, I>(schema: Schema.Schema<A, I>) => listOf(schema, { max: MOST })
const list = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(Schema.NullOr(some(schema)), { default: () => null })

/** Text that PostgreSQL can store. Other text is rejected here; a later failure would make the shop retry for days. */
const Text = Schema.String.pipe(Schema.filter(isText))
const text = maybe(Text)
/** Text entered by a buyer or the shop, as people read it, truncated to 255 characters. */
export const asLine = (text: string) => onOneLine(truncate(onOneLine(text)))
const Line = Schema.transform(Text, Schema.String, { strict: true, decode: asLine, encode: (line) => line })
const line = maybe(Line)

/** Above any real order. */
const AMOUNT_MAX = 100_000_000
/** Decimal number as text. */
const Amount = Schema.NumberFromString.pipe(Schema.between(0, AMOUNT_MAX))
const Quantity = Schema.Int.pipe(Schema.between(0, 100_000))
/** Maximum amount of a line: sums of such lines, and the payouts computed from them, are exact integers. */
const LINE_MAX = 10_000_000_000
/** Maximum pieces of an order: at a pharmacy's highest price they still amount to an exact integer of cents. */
const PIECES_MAX = 900_000

/** An identifier. A number above 2^53 has lost digits, so the text form in another field is preferred. */
const IdText = Text.pipe(Schema.maxLength(255))
const Id = Schema.Union(Schema.Number, IdText)

/**
 * A list of an order that may hold a thousand small records in each line. Its records are checked by one function: as schemas, those of
 * a body of 1 MiB took 100 ms. `keep` copies their known fields.
 */
const smallRecords = <A extends object, I extends object>(
  isRecord: (record: unknown) => record is I,
  keep: (record: I) => A,
  encode: (record: A) => I
) => {
  const isList = (all: unknown): all is ReadonlyArray<I> =>
    Array.isArray(all) && all.length <= MOST && all.every(isRecord)
  const Kept = Schema.declare((all: unknown): all is ReadonlyArray<A> => Array.isArray(all))
  const known = Schema.transform(Schema.declare(isList), Kept, {
    strict: true,
    decode: (all) => all.map(keep),
    encode: (all) => all.map(encode)
  })
  return maybe(known)
}

/** `{name, value}` of the shop. Some apps write numbers and booleans. */
export interface Property {
  readonly name: string
  readonly value: string | number | boolean | null
}
const isValue = (value: unknown): value is Property["value"] =>
  value === null ||
  (typeof value === "string" ? isText(value) : typeof value === "number" || typeof value === "boolean")
const isProperty = (record: unknown): record is Property =>
  Predicate.hasProperty(record, "name") &&
  Predicate.hasProperty(record, "value") &&
  typeof record.name === "string" &&
  isText(record.name) &&
  isValue(record.value)
const copied = ({ name, value }: Property): Property => ({ name, value })
const properties = smallRecords(isProperty, copied, copied)

const isDiscount = (record: unknown): record is { readonly amount: string } =>
  Predicate.hasProperty(record, "amount") &&
  typeof record.amount === "string" &&
  record.amount.trim() !== "" &&
  Number(record.amount) >= 0 &&
  Number(record.amount) <= AMOUNT_MAX
const discounts = smallRecords(
  isDiscount,
  ({ amount }): { readonly amount: number } => ({ amount: Number(amount) }),
  ({ amount }) => ({ amount: String(amount) })
)

const WebhookAddress = Schema.Struct({
  first_name: line,
  last_name: line,
  company: line,
  address1: line,
  address2: line,
  city: line,
  zip: line,
  province: line,
  country_code: line,
  phone: line
})

const Group = Schema.Struct({ id: maybe(Id), properties })

export const WebhookLine = Schema.Struct({
  id: Id,
  admin_graphql_api_id: maybe(IdText),
  variant_id: maybe(Id),
  sku: text,
  quantity: Quantity,
  /** Pieces left after edits and refunds. Null: the body does not say. */
  current_quantity: maybe(Quantity),
  /** Decimal number as text, in the shop's currency: the price of one unit before discounts. */
  price: Amount,
  properties,
  discount_allocations: discounts,
  line_item_group: maybe(Group),
  sales_line_item_group_id: maybe(Id)
}).pipe(Schema.filter(({ price, quantity }) => price * quantity <= LINE_MAX))
export type WebhookLine = typeof WebhookLine.Type

/** An identifier of a record that a body refers to by its number only. */
const Refunded = Schema.Struct({ line_item_id: Id, quantity: Quantity })
const Transaction = Schema.Struct({ kind: text, status: text, amount: Amount })

/** A refund, in an order or in a webhook of its own. It may return pieces, money, or both. */
export const ShopRefund = Schema.Struct({
  id: Id,
  admin_graphql_api_id: maybe(IdText),
  refund_line_items: list(Refunded),
  transactions: list(Transaction)
})
export type ShopRefund = typeof ShopRefund.Type

/** The body of `refunds/create`. */
export const RefundWebhook = Schema.Struct({ ...ShopRefund.fields, order_id: Id })
export type RefundWebhook = typeof RefundWebhook.Type

export const OrderWebhook = Schema.Struct({
  id: Id,
  admin_graphql_api_id: maybe(IdText),
  name: Line,
  cancel_reason: line,
  /** Null: not cancelled. Absent: unknown. */
  cancelled_at: Schema.optional(Schema.NullOr(Text)),
  financial_status: text,
  /** ISO 8601. */
  updated_at: text,
  /** What the order costs after edits and refunds. */
  current_total_price: maybe(Amount),
  total_price: maybe(Amount),
  /** What remains to be paid; negative where the buyer has paid too much. */
  total_outstanding: maybe(Schema.NumberFromString.pipe(Schema.between(-AMOUNT_MAX, AMOUNT_MAX))),
  refunds: list(ShopRefund),
  note_attributes: properties,
  line_items: listOf(WebhookLine, { max: MOST_LINES }).pipe(
    Schema.filter((lines) => lines.reduce((sum, { quantity }) => sum + quantity, 0) <= PIECES_MAX)
  ),
  shipping_address: maybe(WebhookAddress),
  billing_address: maybe(WebhookAddress),
  customer: maybe(Schema.Struct({ first_name: line, last_name: line })),
  total_shipping_price_set: maybe(Schema.Struct({ shop_money: Schema.Struct({ amount: Amount }) })),
  /** Shipping as a single field in older versions, in more detail in every version. */
  shipping_lines: list(Schema.Struct({ price: Amount, discounted_price: maybe(Amount) }))
})
export type OrderWebhook = typeof OrderWebhook.Type
export type OrderWebhookJson = typeof OrderWebhook.Encoded

/** Reasons why a storefront's order cannot become a pharmacy order yet. */
export const WaitingReason = Schema.Literal("no_pharmacy", "prescription_not_usable", "anamnesis_required")
export type WaitingReason = typeof WaitingReason.Type

/** The topics whose body is an order. */
export const OrderTopic = Schema.Literal("orders/create", "orders/updated", "orders/paid", "orders/cancelled")
export type OrderTopic = typeof OrderTopic.Type

/** The topic whose body is a refund. */
export const REFUND_TOPIC = "refunds/create"

/** A verified webhook, with the properties of line-item groups that it lacks, by line id. */
export const OrderNotice = Schema.Struct({
  topic: OrderTopic,
  webhook_id: Schema.String,
  /** Hash of the signed body, hexadecimal. */
  body_sha256: Schema.String,
  order: OrderWebhook,
  groups: Schema.ReadonlyMap({
    key: Schema.String,
    value: Schema.Record({ key: Schema.String, value: Schema.String })
  })
})
export type OrderNotice = typeof OrderNotice.Type
