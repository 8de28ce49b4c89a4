/** A shop in the service's own database, for development, with a page that pays its orders. Rules 11.8.1 and 11.8.2. */
import { Effect, Layer } from "effect"
import { capability } from "../../capability.ts"
import { Settings } from "../../config.ts"
import { extension } from "../../services/Extensions.ts"
import { Mailer } from "../../services/notifications/Mailer.ts"
import { ownKind } from "../shared/schemas/retention.ts"
import { CheckoutPageHttp } from "./http/CheckoutPageHttp.ts"
import { EmbeddedPayments } from "./layers/EmbeddedPayments.ts"
import { EmbeddedCheckout } from "./services/EmbeddedCheckout.ts"
import { EmbeddedShop } from "./services/EmbeddedShop.ts"
import { makeEmbedded } from "./services/embeddedStorefront.ts"

const orders = { table: "embedded_orders", key: ["organisation_uid", "id"] } as const

export const embeddedShopCapability = capability({
  name: "embedded-shop",
  switched: false,
  services: Layer.merge(EmbeddedShop.Default, EmbeddedCheckout.Default),
  http: CheckoutPageHttp,
  retention: [
    { ...orders, since: "created_at", after: ownKind("drafts"), unless: "r.paid_at IS NOT NULL" },
    {
      ...orders,
      since: "paid_at",
      after: ownKind("orders"),
      unless: "num_nonnulls(r.email, r.phone, r.billing_address, r.shipping_address) = 0 AND r.attributes = '{}'",
      set: "email = NULL, phone = NULL, billing_address = NULL, shipping_address = NULL, attributes = '{}'"
    }
  ],
  payments: ({ development, mollieApiKey }) =>
    development && mollieApiKey === undefined ? EmbeddedPayments : undefined,
  extension: Effect.map(Effect.all([EmbeddedShop, Mailer, Settings]), ([shop, mailer, { development }]) =>
    // Outside of development none: it sells without payment
    extension({ storefronts: development ? { embedded: (of) => makeEmbedded(of, shop, mailer) } : {} })
  )
})
