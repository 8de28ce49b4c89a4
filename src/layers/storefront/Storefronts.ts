import { Effect, Layer } from "effect"
import type { StorefrontSettings } from "../../schemas/checkout/StorefrontSettings.ts"
import { StorefrontUnavailable } from "../../schemas/checkout/storefrontProblems.ts"
import { type Shop, Shops } from "../../services/checkout/Shops.ts"
import { type Storefront, Storefronts } from "../../services/checkout/Storefront.ts"
import { Extensions } from "../../services/Extensions.ts"
import { outsideTransactions } from "../../services/remoteCalls.ts"

const unavailable = () => Effect.fail(new StorefrontUnavailable({ detail: "there is no storefront of this kind" }))

/** The storefront of a kind that this installation does not have. */
const none: Storefront = {
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
    const { having } = yield* Extensions
    const of = Effect.fnUntraced(function* (shop: Shop) {
      const settings = yield* shops.settings(shop)
      const added = (yield* having("storefronts")).flatMap(({ storefronts }) => storefronts[settings.kind] ?? [])
      // The cast: it is of the settings' kind
      const make = added[0] as ((shop: Shop, of: StorefrontSettings) => Storefront) | undefined
      return outsideTransactions("Storefront", make?.(shop, settings) ?? none)
    })
    return Storefronts.of({ of })
  })
).pipe(Layer.provide(Shops.Default))
