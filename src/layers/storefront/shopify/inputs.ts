import type {
  Attributes,
  DraftOrderRequest,
  StorefrontAddress,
  StorefrontLine
} from "../../../services/checkout/Storefront.ts"
import type { DraftLine } from "./documents.ts"

/** Our text-to-text attributes as Shopify's list. */
export const attributeList = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value }))

export const attributesOf = (list: ReadonlyArray<{ readonly key: string; readonly value: string | null }>) =>
  Object.fromEntries(list.map(({ key, value }) => [key, value ?? ""]))

/** Shopify's global id of a number or of a global id. */
export const globalId = (kind: "ProductVariant" | "DraftOrder" | "Order", id: string): string =>
  id.startsWith("gid://") ? id : `gid://shopify/${kind}/${id}`

/** The number at the end of a global id. */
export const localId = (id: string): string => id.slice(id.lastIndexOf("/") + 1)

const given = <A extends Record<string, unknown>>(fields: A) =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== "")
  )

/** Shopify takes a province's code ("BE"), not its name. A name is kept as an order attribute. */
const isProvinceCode = (province: string | undefined) => province !== undefined && /^[A-Z0-9]{1,3}$/.test(province)

export const mailingAddress = (address: StorefrontAddress) =>
  given({
    firstName: address.first_name,
    lastName: address.last_name,
    address1: address.address1,
    city: address.city,
    provinceCode: isProvinceCode(address.province) ? address.province : undefined,
    countryCode: address.country_code,
    zip: address.zip
  })

export const contactInput = (
  request: Pick<DraftOrderRequest, "email" | "phone" | "billing_address" | "shipping_address">
) =>
  given({
    email: request.email,
    phone: request.phone,
    billingAddress: request.billing_address && mailingAddress(request.billing_address),
    shippingAddress: request.shipping_address && mailingAddress(request.shipping_address)
  })

/** Names of provinces that Shopify's address cannot hold. */
const provinceNames = ({ billing_address, shipping_address }: DraftOrderRequest): Attributes =>
  Object.fromEntries(
    Object.entries({
      billing_province: billing_address?.province,
      shipping_province: shipping_address?.province
    }).flatMap(([key, name]) => (name && !isProvinceCode(name) ? [[key, name]] : []))
  )

const newLine = (line: StorefrontLine) => ({
  variantId: globalId("ProductVariant", line.variant_id),
  quantity: line.quantity,
  customAttributes: attributeList(line.attributes)
})

export const draftOrderInput = (request: DraftOrderRequest) => ({
  ...contactInput(request),
  tags: [request.key],
  lineItems: request.lines.map(newLine),
  customAttributes: attributeList({ ...request.attributes, ...provinceNames(request) }),
  ...(request.reserve_until === undefined
    ? {}
    : { reserveInventoryUntil: new Date(request.reserve_until * 1000).toISOString() })
})

const discountInput = ({ amountSet, title, ...discount }: NonNullable<DraftLine["appliedDiscount"]>) => ({
  ...discount,
  ...given({ title }),
  amountWithCurrency: amountSet.presentmentMoney
})

/** What identifies a line: its variant, or without one everything that the merchant entered. */
const substance = (line: DraftLine) =>
  line.variant
    ? { variantId: line.variant.id }
    : given({
        title: line.title,
        sku: line.sku,
        taxable: line.taxable,
        requiresShipping: line.requiresShipping,
        originalUnitPriceWithCurrency: line.originalUnitPriceWithCurrency,
        weight: line.weight
      })

/**
 * A line that was read, in the form of an update. An update replaces the whole list: what is left out here (discount,
 * price, the parts of a bundle) would be lost.
 */
export const sameLine = (line: DraftLine, added: Attributes) => ({
  uuid: line.uuid,
  quantity: line.quantity,
  ...substance(line),
  customAttributes: attributeList({ ...attributesOf(line.customAttributes), ...added }),
  ...given({
    appliedDiscount: line.appliedDiscount && discountInput(line.appliedDiscount),
    priceOverride: line.priceOverride
  }),
  ...(line.components.length === 0
    ? {}
    : {
        components: line.components.map(({ uuid, quantity, variant }) => ({
          uuid,
          quantity,
          ...given({ variantId: variant?.id })
        }))
      })
})
