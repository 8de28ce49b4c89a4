import { Schema } from "effect"
import { listOf, truncate } from "../../../schemas/fields.ts"
import type { Operation } from "./graphql.ts"

/** API versions of these documents. */
export const ADMIN_VERSION = "2026-10"
export const STOREFRONT_VERSION = "2026-04"

/** Attributes, or components, of a line: more than shops accept. */
const ATTRIBUTES = 500
/** Page size of lines; a response with more is invalid. */
const LINES = 100

/** Identifiers, URLs and cursors, which are stored and forwarded. */
const Name = Schema.String.pipe(Schema.maxLength(2_048))
const Id = Schema.Struct({ id: Name })
/** A shop's error messages, truncated before they are forwarded. */
const ErrorText = Schema.transform(Schema.String, Schema.String, {
  strict: true,
  decode: truncate,
  encode: (text) => text
})
const ERRORS_MAX = 100
const UserErrors = listOf(
  Schema.Struct({ field: Schema.NullOr(listOf(ErrorText, { max: ERRORS_MAX })), message: ErrorText }),
  {
    max: ERRORS_MAX
  }
)
const Money = Schema.Struct({ amount: Schema.Union(Schema.String, Schema.Number), currencyCode: Schema.String })
const Attribute = Schema.Struct({ key: Schema.String, value: Schema.NullOr(Schema.String) })
const PageInfo = Schema.Struct({ hasNextPage: Schema.Boolean, endCursor: Schema.NullOr(Name) })

const MadeDraftOrder = Schema.Struct({ id: Name, invoiceUrl: Schema.NullOr(Name) })
export const Made = Schema.Struct({ draftOrder: Schema.NullOr(MadeDraftOrder), userErrors: UserErrors })

const operation = <A, I>(answer: Schema.Schema<A, I>, document: string): Operation<A, I> => ({ document, answer })

export const draftOrderCreate = operation(
  Schema.Struct({ draftOrderCreate: Schema.NullOr(Made) }),
  `mutation draftOrderCreate($input: DraftOrderInput!) {
    draftOrderCreate(input: $input) {
      draftOrder { id invoiceUrl }
      userErrors { field message }
    }
  }`
)

export const draftOrderUpdate = operation(
  Schema.Struct({ draftOrderUpdate: Schema.NullOr(Made) }),
  `mutation draftOrderUpdate($id: ID!, $input: DraftOrderInput!) {
    draftOrderUpdate(id: $id, input: $input) {
      draftOrder { id invoiceUrl }
      userErrors { field message }
    }
  }`
)

export const draftOrderInvoiceSend = operation(
  Schema.Struct({
    draftOrderInvoiceSend: Schema.NullOr(Schema.Struct({ draftOrder: Schema.NullOr(Id), userErrors: UserErrors }))
  }),
  `mutation draftOrderInvoiceSend($id: ID!) {
    draftOrderInvoiceSend(id: $id) {
      draftOrder { id }
      userErrors { field message }
    }
  }`
)

export const draftOrderDelete = operation(
  Schema.Struct({
    draftOrderDelete: Schema.NullOr(Schema.Struct({ deletedId: Schema.NullOr(Name), userErrors: UserErrors }))
  }),
  `mutation draftOrderDelete($input: DraftOrderDeleteInput!) {
    draftOrderDelete(input: $input) {
      deletedId
      userErrors { field message }
    }
  }`
)

const FoundDraftOrder = Schema.Struct({ ...MadeDraftOrder.fields, status: Schema.String })

export const draftOrderByTag = operation(
  Schema.Struct({ draftOrders: Schema.Struct({ nodes: listOf(FoundDraftOrder, { max: 1 }) }) }),
  `query draftOrderByTag($query: String!) {
    draftOrders(first: 1, query: $query) {
      nodes { id invoiceUrl status }
    }
  }`
)

export const draftOrderInvoice = operation(
  Schema.Struct({
    draftOrder: Schema.NullOr(
      Schema.Struct({
        status: Schema.String,
        invoiceUrl: Schema.NullOr(Schema.String),
        invoiceSentAt: Schema.NullOr(Schema.String)
      })
    )
  }),
  `query draftOrderInvoice($id: ID!) {
    draftOrder(id: $id) { status invoiceUrl invoiceSentAt }
  }`
)

export const DraftLine = Schema.Struct({
  uuid: Schema.String,
  quantity: Schema.Number,
  variant: Schema.NullOr(Id),
  customAttributes: listOf(Attribute, { max: ATTRIBUTES }),
  appliedDiscount: Schema.NullOr(
    Schema.Struct({
      title: Schema.NullOr(Schema.String),
      description: Schema.String,
      value: Schema.Number,
      valueType: Schema.String,
      amountSet: Schema.Struct({ presentmentMoney: Money })
    })
  ),
  priceOverride: Schema.NullOr(Money),
  components: listOf(Schema.Struct({ uuid: Schema.String, quantity: Schema.Number, variant: Schema.NullOr(Id) }), {
    max: ATTRIBUTES
  }),
  title: Schema.String,
  sku: Schema.NullOr(Schema.String),
  taxable: Schema.Boolean,
  requiresShipping: Schema.Boolean,
  originalUnitPriceWithCurrency: Schema.NullOr(Money),
  weight: Schema.NullOr(Schema.Struct({ unit: Schema.String, value: Schema.Number }))
})
export type DraftLine = typeof DraftLine.Type

export const draftOrderLines = operation(
  Schema.Struct({
    draftOrder: Schema.NullOr(
      Schema.Struct({
        lineItems: Schema.Struct({ pageInfo: PageInfo, nodes: listOf(DraftLine, { max: LINES }) })
      })
    )
  }),
  `query draftOrderLines($id: ID!, $after: String) {
    draftOrder(id: $id) {
      lineItems(first: ${LINES}, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes {
          uuid
          quantity
          variant { id }
          customAttributes { key value }
          appliedDiscount { title description value valueType amountSet { presentmentMoney { amount currencyCode } } }
          priceOverride { amount currencyCode }
          components { uuid quantity variant { id } }
          title
          sku
          taxable
          requiresShipping
          originalUnitPriceWithCurrency { amount currencyCode }
          weight { unit value }
        }
      }
    }
  }`
)

export const orderLineGroups = operation(
  Schema.Struct({
    order: Schema.NullOr(
      Schema.Struct({
        lineItems: Schema.Struct({
          pageInfo: PageInfo,
          nodes: listOf(
            Schema.Struct({
              id: Schema.String,
              lineItemGroup: Schema.NullOr(Schema.Struct({ customAttributes: listOf(Attribute, { max: ATTRIBUTES }) }))
            }),
            { max: LINES }
          )
        })
      })
    )
  }),
  `query orderLineGroups($id: ID!, $after: String) {
    order(id: $id) {
      lineItems(first: ${LINES}, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { id lineItemGroup { customAttributes { key value } } }
      }
    }
  }`
)

export const cartCreate = operation(
  Schema.Struct({
    cartCreate: Schema.NullOr(
      Schema.Struct({
        cart: Schema.NullOr(Schema.Struct({ checkoutUrl: Name })),
        userErrors: UserErrors,
        warnings: listOf(Schema.Struct({ code: ErrorText, message: ErrorText }), { max: ERRORS_MAX })
      })
    )
  }),
  `mutation cartCreate($input: CartInput!) {
    cartCreate(input: $input) {
      cart { checkoutUrl }
      userErrors { field message }
      warnings { code message }
    }
  }`
)
