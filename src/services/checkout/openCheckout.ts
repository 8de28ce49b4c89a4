import { Effect } from "effect"
import type { CheckoutType } from "../../schemas/checkout/Checkout.ts"
import type { CurrentTenant } from "../tenancy/Tenancy.ts"
import type { CartRequest, DraftOrderRequest, Storefront, StorefrontProblem } from "./Storefront.ts"

export type CheckoutRequest = DraftOrderRequest & Pick<CartRequest, "countryCode" | "customerAccessToken">

/** A checkout at the storefront. */
export interface OpenedCheckout {
  readonly checkout_url: string | null
  readonly draft_order_id: string | null
  /** The customer is to be sent a payment request. */
  readonly invoice: boolean
}

/** A cart has no addresses (Rule 11.3.2): its customer enters them at the checkout. */
const cartOf = ({ billing_address: _, shipping_address: __, ...cart }: CheckoutRequest): CartRequest => cart

/**
 * Opens a checkout of the given type (Rule 11.3). Sends nothing: the payment request is a job queued when the checkout is accepted, so
 * that an aborted checkout is never announced. Without an e-mail address none is sent.
 */
export const openCheckout = (
  storefront: Storefront,
  type: CheckoutType,
  request: CheckoutRequest
): Effect.Effect<OpenedCheckout, StorefrontProblem, CurrentTenant> =>
  type === "checkout_link"
    ? Effect.map(storefront.createCart(cartOf(request)), ({ checkout_url }) => ({
        checkout_url,
        draft_order_id: null,
        invoice: false
      }))
    : Effect.map(storefront.createDraftOrder(request), ({ draft_order_id, checkout_url }) => ({
        checkout_url: type === "draft_order" ? checkout_url : null,
        draft_order_id,
        invoice: type === "draft_order" && Boolean(request.email)
      }))
