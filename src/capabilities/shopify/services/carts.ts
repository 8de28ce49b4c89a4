import { Effect } from "effect"
import type { CartRequest, Storefront } from "../../../services/checkout/Storefront.ts"
import { cartCreate } from "./documents.ts"
import type { Ask } from "./graphql.ts"
import { attributeList, globalId } from "./inputs.ts"
import { accepted, made, refusedFor } from "./outcomes.ts"

const cartInput = ({ lines, attributes, email, phone, countryCode, customerAccessToken }: CartRequest) => ({
  lines: lines.map((line) => ({
    merchandiseId: globalId("ProductVariant", line.variant_id),
    quantity: line.quantity,
    attributes: attributeList(line.attributes)
  })),
  attributes: attributeList(attributes),
  buyerIdentity: Object.fromEntries(
    Object.entries({ email, phone, countryCode, customerAccessToken }).filter(([, value]) => value)
  )
})

/** The operations of a storefront by the Storefront API. A warning (out of stock, fewer than requested) counts as a rejection. */
export const makeCarts = (ask: Ask): Pick<Storefront, "createCart"> => ({
  createCart: Effect.fn("Shopify.createCart")(function* (request: CartRequest) {
    const data = yield* ask(cartCreate, { input: cartInput(request) })
    const { cart, warnings } = yield* accepted(data.cartCreate)
    yield* refusedFor(warnings.map(({ code, message }) => `${code}: ${message}`))
    const { checkoutUrl } = yield* made(cart)
    return { checkout_url: checkoutUrl }
  })
})
