/**
 * A storefront's order as its webhooks tell it: the part of Shopify's JSON that a pharmacy order is made of. Whatever else
 * a version of that JSON brings is ignored.
 */
import { Schema } from "effect"
import { isText } from "../fields.ts"

const maybe = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(Schema.NullOr(schema), { default: () => null })
const list = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(Schema.NullOr(Schema.Array(schema)), { default: () => null })

/** What cannot be kept is refused: a fault of ours would have the shop send the same again for days. */
const Text = Schema.String.pipe(Schema.filter(isText))
const text = maybe(Text)

/** Decimal text. Cents and counts beyond these bounds are no real order's. */
const Amount = Schema.NumberFromString.pipe(Schema.between(0, 100_000_000))
const Quantity = Schema.Int.pipe(Schema.between(0, 100_000))

/** A number that is an identifier. Beyond 2^53 it has lost digits in any case, so the text form elsewhere is preferred. */
const Id = Schema.Union(Schema.Number, Text)

/** `{name, value}` as the shop keeps it; values other than text come from apps that write numbers and booleans. */
const Property = Schema.Struct({
  name: Text,
  value: Schema.NullOr(Schema.Union(Text, Schema.Number, Schema.Boolean))
})
export type Property = typeof Property.Type

const WebhookAddress = Schema.Struct({
  first_name: text,
  last_name: text,
  company: text,
  address1: text,
  address2: text,
  city: text,
  zip: text,
  province: text,
  country_code: text,
  phone: text
})

const Group = Schema.Struct({ id: maybe(Id), properties: list(Property) })

export const WebhookLine = Schema.Struct({
  id: Id,
  admin_graphql_api_id: text,
  variant_id: maybe(Id),
  sku: text,
  quantity: Quantity,
  /** Decimal text in the shop's currency, for one unit, before discounts. */
  price: Amount,
  properties: list(Property),
  discount_allocations: list(Schema.Struct({ amount: Amount })),
  line_item_group: maybe(Group),
  sales_line_item_group_id: maybe(Id)
})
export type WebhookLine = typeof WebhookLine.Type

export const OrderWebhook = Schema.Struct({
  id: Id,
  admin_graphql_api_id: text,
  name: Text,
  cancel_reason: text,
  note_attributes: list(Property),
  line_items: Schema.Array(WebhookLine),
  shipping_address: maybe(WebhookAddress),
  billing_address: maybe(WebhookAddress),
  customer: maybe(Schema.Struct({ first_name: text, last_name: text })),
  total_shipping_price_set: maybe(Schema.Struct({ shop_money: Schema.Struct({ amount: Amount }) })),
  /** What older versions tell of shipping, and every version in more detail. */
  shipping_lines: list(Schema.Struct({ price: Amount, discounted_price: maybe(Amount) }))
})
export type OrderWebhook = typeof OrderWebhook.Type
export type OrderWebhookJson = typeof OrderWebhook.Encoded

/** The topics that make, pay and call off orders. */
export const OrderTopic = Schema.Literal("orders/create", "orders/paid", "orders/cancelled")
export type OrderTopic = typeof OrderTopic.Type

/** A webhook that is known to come from the shop, with what it leaves out of line groups, by the line's number. */
export const Told = Schema.Struct({
  topic: OrderTopic,
  webhook_id: Schema.String,
  order: OrderWebhook,
  groups: Schema.ReadonlyMap({
    key: Schema.String,
    value: Schema.Record({ key: Schema.String, value: Schema.String })
  })
})
export type Told = typeof Told.Type
