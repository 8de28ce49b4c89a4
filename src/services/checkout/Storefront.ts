import { Context, type Effect, type Option, Schema } from "effect"
import type { StorefrontRefused, StorefrontUnavailable } from "../../schemas/checkout/storefrontProblems.ts"
import type { CurrentTenant } from "../tenancy/Tenancy.ts"
import type { Shop } from "./Shops.ts"

/** Texts that a storefront stores with a line or an order. Names with a leading `_` are hidden from buyers. */
export const Attributes = Schema.Record({ key: Schema.String, value: Schema.String })
export type Attributes = typeof Attributes.Type

const text = Schema.optional(Schema.String)

export const StorefrontAddress = Schema.Struct({
  first_name: text,
  last_name: text,
  /** Street with house number. */
  address1: text,
  city: text,
  province: text,
  /** ISO 3166-1 alpha-2, upper case. */
  country_code: text,
  zip: text
})
export type StorefrontAddress = typeof StorefrontAddress.Type

export const StorefrontLine = Schema.Struct({
  variant_id: Schema.String,
  quantity: Schema.Number,
  attributes: Attributes
})
export type StorefrontLine = typeof StorefrontLine.Type

/** The buyer. An absent field is not set, or not changed. */
export interface Contact {
  readonly email?: string | undefined
  readonly phone?: string | undefined
}

export interface Addresses {
  readonly billing_address?: StorefrontAddress | undefined
  readonly shipping_address?: StorefrontAddress | undefined
}

export interface DraftOrderRequest extends Contact, Addresses {
  /** Idempotency key: one key creates at most one draft order. At most 40 characters. */
  readonly key: string
  /** An earlier attempt may have created it, so look it up first. */
  readonly repeated: boolean
  readonly lines: ReadonlyArray<StorefrontLine>
  readonly attributes: Attributes
  /** Unix seconds until which stock is reserved for this draft order. */
  readonly reserve_until?: number | undefined
}

export interface CartRequest extends Contact {
  readonly key: string
  readonly lines: ReadonlyArray<StorefrontLine>
  readonly attributes: Attributes
  readonly countryCode?: string | undefined
  /** Links the cart to a customer's account (Rule 11.3.4). */
  readonly customerAccessToken?: string | undefined
}

export interface DraftOrderLine {
  readonly uuid: string
  readonly variant_id: string | null
  readonly quantity: number
  readonly attributes: Attributes
}

export interface DraftOrder {
  readonly draft_order_id: string
  /** It has become an order and cannot be changed. */
  readonly completed: boolean
  readonly checkout_url: string | null
  readonly lines: ReadonlyArray<DraftOrderLine>
}

export interface DraftOrderChange extends Contact, Addresses {
  /** Added to the attributes of the named lines; all other lines and attributes are unchanged. */
  readonly line_attributes: ReadonlyArray<{ readonly uuid: string; readonly attributes: Attributes }>
}

export type StorefrontProblem = StorefrontRefused | StorefrontUnavailable
type Requested<A> = Effect.Effect<A, StorefrontProblem, CurrentTenant>

/** The port to one shop (Rule 11.8). Every operation can be a remote call: none belongs in a transaction. */
export interface Storefront {
  /** Creates the draft order of this key, or updates it if the request is repeated. */
  readonly createDraftOrder: (request: DraftOrderRequest) => Requested<Omit<DraftOrder, "lines" | "completed">>
  /** Sends the customer the payment request, once. */
  readonly sendInvoice: (draft_order_id: string) => Requested<void>
  readonly readDraftOrder: (draft_order_id: string) => Requested<Option.Option<DraftOrder>>
  readonly updateDraftOrder: (draft_order_id: string, change: DraftOrderChange) => Requested<void>
  /** Deletes the draft order of this key, if it exists and has not become an order. */
  readonly discardDraftOrder: (key: string) => Requested<void>
  readonly createCart: (request: CartRequest) => Requested<{ readonly checkout_url: string }>
  /** The attributes of each line's group (a bundle), by the line's id in the order's webhook. Rule 11.7.11. */
  readonly lineGroups: (order_id: string) => Effect.Effect<ReadonlyMap<string, Attributes>, StorefrontUnavailable>
}

export class Storefronts extends Context.Tag("checkout/Storefronts")<
  Storefronts,
  { readonly of: (shop: Shop) => Effect.Effect<Storefront, never, CurrentTenant> }
>() {}
