/** Shops of Shopify: draft orders and carts of checkouts. Rule 11.8. */
import { Effect, Redacted } from "effect"
import { capability } from "../../capability.ts"
import { ConfiguredAddresses } from "../../services/addresses.ts"
import { extension } from "../../services/Extensions.ts"
import { makeShopify } from "./services/Shopify.ts"

export const shopifyCapability = capability({
  name: "shopify",
  switched: false,
  // Port 443, the only one that the API accepts, or the port in the operator's provisioning
  extension: Effect.map(ConfiguredAddresses, ({ client }) =>
    extension({
      storefronts: {
        shopify: (_shop, { shop_domain, admin_access_token, storefront_access_token }) =>
          makeShopify(client, {
            shop_domain,
            admin_access_token: Redacted.make(admin_access_token),
            storefront_access_token: Redacted.make(storefront_access_token)
          })
      }
    })
  )
})
