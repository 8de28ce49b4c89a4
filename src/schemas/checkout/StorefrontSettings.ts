/** What the service knows of a shop's storefront. */
import { Schema } from "effect"
import { described, Opaque, withDefault } from "../fields.ts"

const webhook_secret = described(Opaque(1024), "Signs the storefront's order webhooks")

const Embedded = Schema.Struct({
  kind: described(Schema.Literal("embedded"), "The service's own checkout page"),
  webhook_secret: withDefault(
    Schema.NullOr(webhook_secret).annotations({
      description: "Signs the storefront's order webhooks; null: the present one stays, or one is generated"
    }),
    null
  )
})
const Shopify = Schema.Struct({
  kind: described(Schema.Literal("shopify"), "A Shopify shop"),
  shop_domain: described(Opaque(255), "e.g. example.myshopify.com"),
  admin_access_token: described(Opaque(1024), "Of the Admin API"),
  storefront_access_token: described(Opaque(1024), "Of the Storefront API"),
  webhook_secret
})
/** With the secrets, which no response contains. */
export const StorefrontSettings = Schema.Union(Embedded, Shopify)
export type StorefrontSettings = typeof StorefrontSettings.Type
