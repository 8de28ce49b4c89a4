import type { HttpClient } from "@effect/platform"
import { Redacted } from "effect"
import type { Storefront } from "../../../services/checkout/Storefront.ts"
import { makeCarts } from "./carts.ts"
import { ADMIN_VERSION, STOREFRONT_VERSION } from "./documents.ts"
import { makeDraftOrders } from "./draftOrders.ts"
import { makeAsk } from "./graphql.ts"

export interface ShopifyShop {
  /** `example.myshopify.com`, or a full URL with its scheme. */
  readonly shop_domain: string
  readonly admin_access_token: Redacted.Redacted
  readonly storefront_access_token: Redacted.Redacted
}

/** Private Storefront tokens have a separate header; public ones are hexadecimal. */
const storefrontHeader = (token: Redacted.Redacted) =>
  Redacted.value(token).startsWith("shpat_") ? "shopify-storefront-private-token" : "x-shopify-storefront-access-token"

/** A Shopify shop: draft orders by the Admin API, carts by the Storefront API. */
export const makeShopify = (client: HttpClient.HttpClient, shop: ShopifyShop): Storefront => {
  const origin = shop.shop_domain.includes("://") ? shop.shop_domain : `https://${shop.shop_domain}`
  return {
    ...makeDraftOrders(
      makeAsk(client, {
        url: `${origin}/admin/api/${ADMIN_VERSION}/graphql.json`,
        token_header: "x-shopify-access-token",
        token: shop.admin_access_token
      })
    ),
    ...makeCarts(
      makeAsk(client, {
        url: `${origin}/api/${STOREFRONT_VERSION}/graphql.json`,
        token_header: storefrontHeader(shop.storefront_access_token),
        token: shop.storefront_access_token
      })
    )
  }
}
