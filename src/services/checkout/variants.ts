/** A shop's variants, by which its orders and drafts name what is sold. */
import type { SkuUid } from "../../schemas/ids.ts"

interface CatalogueSku {
  readonly sku_uid: SkuUid
  readonly storefront_variant_id: string | null
}

interface NamedSku {
  readonly variant_id: string | number | null
  readonly sku: string | null
}

const numericId = (id: string | number) => {
  const text = String(id)
  return text.slice(text.lastIndexOf("/") + 1)
}

/** Finds a SKU by the shop's variant, provisioned as a number or as a global id, else by the SKU's uid. */
export const skuFinderOf = <S extends CatalogueSku>(catalogue: ReadonlyArray<S>) => {
  const byVariant = new Map(
    catalogue.flatMap((sku) =>
      sku.storefront_variant_id === null ? [] : [[numericId(sku.storefront_variant_id), sku]]
    )
  )
  const byUid = new Map<string, S>(catalogue.map((sku) => [sku.sku_uid, sku]))
  return ({ variant_id, sku }: NamedSku) =>
    (variant_id === null ? undefined : (byVariant.get(numericId(variant_id)) ?? byUid.get(String(variant_id)))) ??
    (sku === null ? undefined : byUid.get(sku))
}

/** All forms in which a variant can be provisioned: as given, as a number, and as a global id. */
export const spellings = (variant_id: string | number): ReadonlyArray<string> => {
  const number = numericId(variant_id)
  return [String(variant_id), number, `gid://shopify/ProductVariant/${number}`]
}
