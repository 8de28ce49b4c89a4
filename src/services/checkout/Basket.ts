/** Lines of a body against the SKUs that there are. */
import { Effect } from "effect"
import { Catalogue, type Sku } from "../pharmacy/Catalogue.ts"
import { type SkuLine, skuFaults, variantOf } from "./checkoutPlan.ts"
import type { Shop } from "./Shops.ts"

export class Basket extends Effect.Service<Basket>()("checkout/Basket", {
  effect: Effect.gen(function* () {
    const catalogue = yield* Catalogue

    /** What is wrong with the lines, and under which variant the shop sells each SKU that is right. */
    const check = Effect.fn("Basket.check")(function* (shop: Shop, lines: ReadonlyArray<SkuLine>) {
      const uids = [...new Set(lines.map(({ sku_uid }) => sku_uid))]
      const found = yield* catalogue.named(uids)
      const skus = new Map<string, Sku>(
        found.filter(({ sku_uid }) => uids.includes(sku_uid)).map((sku) => [sku.sku_uid, sku])
      )
      const variants = new Map(
        [...skus.values()].map((sku) => [sku.sku_uid as string, variantOf(sku, shop.storefront_kind)])
      )
      return {
        faults: skuFaults(lines, skus, shop.storefront_kind),
        variant: (uid: string) => variants.get(uid) ?? uid
      }
    })
    return { check } as const
  }),
  dependencies: [Catalogue.Default]
}) {}
