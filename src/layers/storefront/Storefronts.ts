import { Effect, Layer, Redacted } from "effect"
import { Settings } from "../../config.ts"
import { StorefrontUnavailable } from "../../schemas/checkout/storefrontProblems.ts"
import { EmbeddedShop } from "../../services/checkout/embedded/EmbeddedShop.ts"
import { type Shop, Shops } from "../../services/checkout/Shops.ts"
import { type Storefront, Storefronts } from "../../services/checkout/Storefront.ts"
import { Mailer } from "../../services/notifications/Mailer.ts"
import { outsideTransactions } from "../../services/remoteCalls.ts"
import { guardedClient } from "../outgoing/guardedClient.ts"
import { makeEmbedded } from "./Embedded.ts"
import { makeShopify } from "./Shopify.ts"

const unavailable = () =>
  Effect.fail(new StorefrontUnavailable({ detail: "the embedded storefront works in development only" }))

/** The embedded storefront outside of development: disabled, since it sells without payment. */
const disabled: Storefront = {
  createDraftOrder: unavailable,
  sendInvoice: unavailable,
  readDraftOrder: unavailable,
  updateDraftOrder: unavailable,
  discardDraftOrder: unavailable,
  createCart: unavailable,
  lineGroups: unavailable
}

/** Selects the storefront from a shop's provisioning. */
export const StorefrontsLive = Layer.effect(
  Storefronts,
  Effect.gen(function* () {
    const shops = yield* Shops
    const embedded = yield* EmbeddedShop
    const mailer = yield* Mailer
    const { development, webhookAllowPrivate } = yield* Settings
    // Port 443, the only one that the API accepts, or the port in the operator's provisioning
    const client = guardedClient({ allowPrivate: webhookAllowPrivate })
    const of = (shop: Shop) =>
      shops.settings(shop).pipe(
        Effect.map((settings) =>
          settings.kind === "embedded"
            ? development
              ? makeEmbedded(shop, embedded, mailer)
              : disabled
            : makeShopify(client, {
                shop_domain: settings.shop_domain,
                admin_access_token: Redacted.make(settings.admin_access_token),
                storefront_access_token: Redacted.make(settings.storefront_access_token)
              })
        ),
        Effect.map((storefront) => outsideTransactions("Storefront", storefront))
      )
    return Storefronts.of({ of })
  })
).pipe(Layer.provide([Shops.Default, EmbeddedShop.Default]))
