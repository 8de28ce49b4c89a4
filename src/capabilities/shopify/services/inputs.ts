import type {
  Attributes,
  DraftOrderRequest,
  StorefrontAddress,
  StorefrontLine
} from "../../../services/checkout/Storefront.ts"
import type { DraftLine } from "./documents.ts"

/** Converts attributes to Shopify's list. */
export const attributeList = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value }))

export const attributesOf = (list: ReadonlyArray<{ readonly key: string; readonly value: string | null }>) =>
  Object.fromEntries(list.map(({ key, value }) => [key, value ?? ""]))

/** Converts a numeric or global id to Shopify's global id. */
export const globalId = (kind: "ProductVariant" | "DraftOrder" | "Order", id: string): string =>
  id.startsWith("gid://") ? id : `gid://shopify/${kind}/${id}`

/** The numeric id at the end of a global id. */
export const localId = (id: string): string => id.slice(id.lastIndexOf("/") + 1)

const given = <A extends Record<string, unknown>>(fields: A) =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== "")
  )

/** Shopify accepts a province's code ("BE"), not its name. A name is sent as an order attribute. */
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

/** Names of provinces, which Shopify's address does not support. */
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

/** The identity of a line: its variant, otherwise all fields that the merchant entered. */
const identityFields = (line: DraftLine) =>
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
 * Converts a line that was read to the input of an update. An update replaces the whole list, so a field missing here
 * (discount, price, components of a bundle) would be lost.
 */
export const sameLine = (line: DraftLine, added: Attributes) => ({
  uuid: line.uuid,
  quantity: line.quantity,
  ...identityFields(line),
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
