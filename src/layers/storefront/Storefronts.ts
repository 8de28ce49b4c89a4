import { HttpClient } from "@effect/platform"
import { Effect, Layer, Redacted } from "effect"
import { EmbeddedShop } from "../../services/checkout/embedded/EmbeddedShop.ts"
import { type Shop, Shops } from "../../services/checkout/Shops.ts"
import { Storefronts } from "../../services/checkout/Storefront.ts"
import { Mailer } from "../../services/notifications/Mailer.ts"
import { makeEmbedded } from "./Embedded.ts"
import { makeShopify } from "./Shopify.ts"

/** Opens the storefront that a shop's provisioning names. */
export const StorefrontsLive = Layer.effect(
  Storefronts,
  Effect.gen(function* () {
    const shops = yield* Shops
    const embedded = yield* EmbeddedShop
    const mailer = yield* Mailer
    const client = yield* HttpClient.HttpClient
    const of = (shop: Shop) =>
      Effect.map(shops.settings(shop), (settings) =>
        settings.kind === "embedded"
          ? makeEmbedded(shop, embedded, mailer)
          : makeShopify(client, {
              shop_domain: settings.shop_domain,
              admin_access_token: Redacted.make(settings.admin_access_token),
              storefront_access_token: Redacted.make(settings.storefront_access_token)
            })
      )
    return Storefronts.of({ of })
  })
).pipe(Layer.provide([Shops.Default, EmbeddedShop.Default]))
