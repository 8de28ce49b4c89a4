import { Effect } from "effect"
import type { CheckoutType } from "../../schemas/checkout/Checkout.ts"
import type { CartRequest, DraftOrderRequest, Storefront, StorefrontProblem } from "./Storefront.ts"

export type OpeningRequest = DraftOrderRequest & Pick<CartRequest, "countryCode" | "customerAccessToken">

/** What has been opened at the storefront, and whether the customer is still to be asked to pay. */
export interface Opened {
  readonly checkout_url: string | null
  readonly draft_order_id: string | null
  readonly invoice: boolean
}

/** Addresses are the draft orders' alone (Rule 11.3.2): a cart's customer gives them at the checkout. */
const cartOf = ({ billing_address: _, shipping_address: __, ...cart }: OpeningRequest): CartRequest => cart

/**
 * Opens a checkout of the given type. Nobody is told of it here: the customer hears of it once it is accepted, and then
 * by a job, so that what a broken-off request leaves behind is in nobody's hands. Without an e-mail address there is
 * nobody to send the request to, and the partner passes the address on.
 */
export const openCheckout = (
  storefront: Storefront,
  type: CheckoutType,
  request: OpeningRequest
): Effect.Effect<Opened, StorefrontProblem> =>
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
