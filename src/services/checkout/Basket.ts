/** Checks the lines of a body against the catalogue. */
import { Effect } from "effect"
import type { SkuUid } from "../../schemas/ids.ts"
import { Catalogue } from "../pharmacy/Catalogue.ts"
import { type SkuLine, skuFaults, variantOf } from "./checkoutPlan.ts"
import type { Shop } from "./Shops.ts"

export class Basket extends Effect.Service<Basket>()("checkout/Basket", {
  effect: Effect.gen(function* () {
    const catalogue = yield* Catalogue

    /** The faults of the lines, and the variant under which the shop sells each SKU. */
    const check = Effect.fn("Basket.check")(function* (shop: Shop, lines: ReadonlyArray<SkuLine>) {
      const uids = new Set(lines.map(({ sku_uid }) => sku_uid))
      const found = yield* catalogue.named([...uids])
      const skus = new Map(found.filter(({ sku_uid }) => uids.has(sku_uid)).map((sku) => [sku.sku_uid, sku]))
      const variant = (uid: SkuUid) => {
        const sku = skus.get(uid)
        return (sku && variantOf(sku, shop.storefront_kind)) ?? uid
      }
      return { faults: skuFaults(lines, skus, shop.storefront_kind), variant }
    })
    return { check } as const
  }),
  dependencies: [Catalogue.Default]
}) {}
