/** What a storefront's order comes to for us: numbers, names, and the lines that a pharmacy can fill. */
import type { OrderWebhook, WebhookLine } from "../../../schemas/checkout/OrderWebhook.ts"
import type { Attributes } from "../Storefront.ts"
import { saysItself, skipsValidation, toAttributes, toBirthDate, toGender } from "./properties.ts"

/** The shop's number for a thing: the one in its global id where there is one, since JSON numbers lose digits. */
export const numberOf = ({ id, admin_graphql_api_id }: Pick<OrderWebhook, "id" | "admin_graphql_api_id">): string =>
  admin_graphql_api_id === null ? String(id) : admin_graphql_api_id.slice(admin_graphql_api_id.lastIndexOf("/") + 1)

/** Decimal text has been read as a number; its cents are whole again. */
const cents = (amount: number) => Math.round(amount * 100)

/** What was paid for one unit, in cents: the price less the line's share of discounts, never below 0. */
export const unitPrice = ({ price, quantity, discount_allocations }: WebhookLine): number => {
  const discount = (discount_allocations ?? []).reduce((sum, { amount }) => sum + cents(amount), 0)
  return Math.max(0, Math.round((cents(price) * quantity - discount) / Math.max(1, quantity)))
}

/** What was paid for shipping, in cents. */
export const shippingPrice = ({ total_shipping_price_set, shipping_lines }: OrderWebhook): number =>
  total_shipping_price_set === null
    ? (shipping_lines ?? []).reduce((sum, { price, discounted_price }) => sum + cents(discounted_price ?? price), 0)
    : cents(total_shipping_price_set.shop_money.amount)

interface Names {
  readonly first_name?: string | null
  readonly last_name?: string | null
}

const namesOf = (one: Names | null) => ({
  first_name: one?.first_name?.trim() || null,
  last_name: one?.last_name?.trim() || null
})

/**
 * Whom the order is for: the patient whom its attributes name, as a checkout writes them, else who is named on the order:
 * where it goes to, else whose account it is, else who pays. What nobody says is null.
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
  readonly sku_uid: string
  readonly digital: boolean
  readonly storefront_variant_id: string | null
}

export interface OrderedLine {
  readonly sku_uid: string
  readonly digital: boolean
  readonly quantity: number
  /** Cents paid for one unit. */
  readonly unit_price: number
  /** What the line says: the prescription that it fills, as yet unchecked. */
  readonly prescription_uid: string | null
  /** The questionnaire that a doctor has to look at; null when none was filled in or none is needed. */
  readonly anamnesis_uid: string | null
}

const localId = (id: string | number) => {
  const text = String(id)
  return text.slice(text.lastIndexOf("/") + 1)
}

/** Finds our SKU by the shop's variant, whether provisioned as a number or as a global id, else by the SKU's own uid. */
const finder = (catalogue: ReadonlyArray<CatalogueSku>) => {
  const byVariant = new Map(
    catalogue.flatMap((sku) => (sku.storefront_variant_id === null ? [] : [[localId(sku.storefront_variant_id), sku]]))
  )
  const byUid = new Map(catalogue.map((sku) => [sku.sku_uid, sku]))
  return ({ variant_id, sku }: WebhookLine) =>
    (variant_id === null ? undefined : (byVariant.get(localId(variant_id)) ?? byUid.get(String(variant_id)))) ??
    (sku === null ? undefined : byUid.get(sku))
}

/** The order's lines that are SKUs of ours, in order. `groups` has the properties of line groups that the webhook left out. */
export const orderedLines = (
  order: OrderWebhook,
  catalogue: ReadonlyArray<CatalogueSku>,
  groups: ReadonlyMap<string, Attributes>
): ReadonlyArray<OrderedLine> => {
  const find = finder(catalogue)
  const details = toAttributes(order.note_attributes)
  return order.line_items.flatMap((line) => {
    const sku = find(line)
    if (sku === undefined || line.quantity === 0) return []
    const own = toAttributes(line.properties)
    const group = groups.get(numberOf(line)) ?? toAttributes(line.line_item_group?.properties ?? null)
    return [
      {
        sku_uid: sku.sku_uid,
        digital: sku.digital,
        quantity: line.quantity,
        unit_price: unitPrice(line),
        prescription_uid: own._prescription_uid || null,
        anamnesis_uid: skipsValidation([own, group, details]) ? null : own._anamnesis_uid || null
      }
    ]
  })
}

/** The variants and SKUs that an order names, to look up in the catalogue. */
export const namedIn = ({ line_items }: OrderWebhook): ReadonlyArray<string> => [
  ...new Set(
    line_items.flatMap(({ variant_id, sku }) => [
      ...(variant_id === null ? [] : [String(variant_id), `gid://shopify/ProductVariant/${variant_id}`]),
      ...(sku === null ? [] : [sku])
    ])
  )
]

/** Lines whose group is known by its id alone and could decide: the webhook has to be completed from the shop. */
export const needsGroups = ({ line_items }: OrderWebhook): boolean =>
  line_items.some(({ properties, line_item_group, sales_line_item_group_id }) => {
    const own = toAttributes(properties)
    const grouped = sales_line_item_group_id !== null || (line_item_group?.id ?? null) !== null
    return grouped && !line_item_group?.properties && !own._prescription_uid && !saysItself(own)
  })
