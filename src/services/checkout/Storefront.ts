import { Context, type Effect, type Option } from "effect"
import type { StorefrontRefused, StorefrontUnavailable } from "../../schemas/checkout/storefrontProblems.ts"

import type { Shop } from "./Shops.ts"

/** What a storefront keeps with a line or an order for us, text to text. Names with a leading `_` stay hidden from buyers. */
export type Attributes = Readonly<Record<string, string>>

export interface StorefrontAddress {
  readonly first_name?: string | undefined
  readonly last_name?: string | undefined
  /** Street with house number. */
  readonly address1?: string | undefined
  readonly city?: string | undefined
  readonly province?: string | undefined
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country_code?: string | undefined
  readonly zip?: string | undefined
}

export interface StorefrontLine {
  readonly variant_id: string
  readonly quantity: number
  readonly attributes: Attributes
}

/** Who buys. Absent means that nothing is said, or nothing is changed. */
export interface Contact {
  readonly email?: string | undefined
  readonly phone?: string | undefined
}

export interface Addresses {
  readonly billing_address?: StorefrontAddress | undefined
  readonly shipping_address?: StorefrontAddress | undefined
}

export interface DraftOrderRequest extends Contact, Addresses {
  /** Names this draft order for good: the same key never makes a second one. At most 40 characters. */
  readonly key: string
  /** An earlier attempt may have got through without our learning of it, so look before making. */
  readonly repeated: boolean
  readonly lines: ReadonlyArray<StorefrontLine>
  readonly attributes: Attributes
  /** Unix seconds until which the stock is kept for this draft order. */
  readonly reserve_until?: number | undefined
}

export interface CartRequest extends Contact {
  readonly key: string
  readonly lines: ReadonlyArray<StorefrontLine>
  readonly attributes: Attributes
  readonly countryCode?: string | undefined
  /** Puts the cart into a customer's account; carts alone can do so. */
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
  /** An order has come of it; it cannot be changed any more. */
  readonly completed: boolean
  readonly checkout_url: string | null
  readonly lines: ReadonlyArray<DraftOrderLine>
}

export interface DraftOrderChange extends Contact, Addresses {
  /** Added to the attributes that the named lines have; every other line and attribute stays as it is. */
  readonly line_attributes: ReadonlyArray<{ readonly uuid: string; readonly attributes: Attributes }>
}

export type StorefrontProblem = StorefrontRefused | StorefrontUnavailable
type Asked<A> = Effect.Effect<A, StorefrontProblem>

/** One shop, as far as checkouts need it (specification §4.6). Every operation may be a remote call: none belongs in a transaction. */
export interface Storefront {
  /** Makes the draft order of this key; a repeated one is found and brought up to this request. */
  readonly createDraftOrder: (request: DraftOrderRequest) => Asked<Omit<DraftOrder, "lines" | "completed">>
  /** Sends the customer the request to check out, unless that has been done. */
  readonly sendInvoice: (draft_order_id: string) => Asked<void>
  readonly readDraftOrder: (draft_order_id: string) => Asked<Option.Option<DraftOrder>>
  readonly updateDraftOrder: (draft_order_id: string, change: DraftOrderChange) => Asked<void>
  /** Removes what an abandoned attempt under this key may have left behind; an order that came of it stays. */
  readonly discardDraftOrder: (key: string) => Asked<void>
  readonly createCart: (request: CartRequest) => Asked<{ readonly checkout_url: string }>
  /** The attributes of each line's group (a bundle), by the line's number in the order's webhook. */
  readonly lineGroups: (order_id: string) => Effect.Effect<ReadonlyMap<string, Attributes>, StorefrontUnavailable>
}

/** Opens the storefront behind one of our shops. */
export class Storefronts extends Context.Tag("checkout/Storefronts")<
  Storefronts,
  { readonly of: (shop: Shop) => Effect.Effect<Storefront> }
>() {}
