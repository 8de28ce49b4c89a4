/** Checks the lines of a request against the catalogue. */
import { Effect } from "effect"
import type { SkuUid } from "../../schemas/ids.ts"
import { Catalogue } from "../pharmacy/Catalogue.ts"
import { Service } from "../Service.ts"
import { type SkuLine, skuFaults, variantOf } from "./checkoutPlan.ts"
import type { Shop } from "./Shops.ts"
import { skuFinderOf, spellings } from "./variants.ts"

export class Basket extends Service<Basket>()("checkout/Basket", {
  effect: Effect.gen(function* () {
    const catalogue = yield* Catalogue

    /** The faults of the lines, and look-ups of each SKU's variant in the shop and whether it is digital. */
    const check = Effect.fn("Basket.check")(function* (shop: Shop, lines: ReadonlyArray<SkuLine>) {
      const uids = new Set(lines.map(({ sku_uid }) => sku_uid))
      const found = yield* catalogue.named([...uids])
      const skus = new Map(found.filter(({ sku_uid }) => uids.has(sku_uid)).map((sku) => [sku.sku_uid, sku]))
      const variant = (uid: SkuUid) => {
        const sku = skus.get(uid)
        return (sku && variantOf(sku, shop.storefront_kind)) ?? uid
      }
      const isDigital = (uid: SkuUid) => skus.get(uid)?.digital ?? false
      return { faults: skuFaults(lines, skus, shop.storefront_kind), variant, isDigital }
    })

    /** Finds the SKU that a shop sells under a variant. */
    const skuFinder = Effect.fn("Basket.skuFinder")(function* (variants: ReadonlyArray<string>) {
      const find = skuFinderOf(yield* catalogue.named(variants.flatMap(spellings)))
      return (variant_id: string | null) => find({ variant_id, sku: null })?.sku_uid
    })
    return { check, skuFinder } as const
  }),
  dependencies: [Catalogue.Default]
}) {}
