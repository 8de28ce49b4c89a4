/** The SKUs sold by shops, independent of pharmacies. */
import { Effect, Schema } from "effect"
import { SkuUid } from "../../schemas/ids.ts"
import { articleName } from "../../schemas/pharmacy/articleName.ts"
import { Article } from "../../schemas/prescriptions/Article.ts"
import type { Product, Sku as SkuEntry } from "../../schemas/provisioning/pharmacy.ts"
import { likePattern } from "../database/likePattern.ts"
import { columnsOf, rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"

export const Sku = Schema.Struct({
  sku_uid: SkuUid,
  product_name: Schema.String,
  display_name: Schema.String,
  digital: Schema.Boolean,
  /** Whether every shop demands an anamnesis for it. */
  needs_anamnesis: Schema.Boolean,
  /** Price of one unit in the shop, in cents. */
  selling_price: Schema.Number,
  /** Identifier of the storefront's variant; null where the storefront uses the SKU's uid. */
  storefront_variant_id: Schema.NullOr(Schema.String)
})
export type Sku = typeof Sku.Type

export class Catalogue extends Effect.Service<Catalogue>()("pharmacy/Catalogue", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const skus = rowsOf(Sku)
    const found = rowsOf(Schema.Struct({ ...Article.fields, product_name: Schema.String }))

    /** The SKUs with one of these uids or storefront variants, in no order; unknown names are left out. */
    const named = Effect.fn("Catalogue.named")((names: ReadonlyArray<string>) =>
      skus.all(sql`SELECT p.display_name AS product_name, ${sql.literal(columnsOf(Sku.omit("product_name"), "s"))}
        FROM skus s JOIN products p ON p.product_uid = s.product_uid
        WHERE ${sql.or([sql.in("s.sku_uid", names), sql.in("s.storefront_variant_id", names)])}`)
    )

    const namesOf = (uids: ReadonlyArray<string>) =>
      Effect.map(
        named(uids),
        (all) =>
          new Map(
            all.map(({ sku_uid, product_name, display_name }) => [sku_uid, articleName(product_name, display_name)])
          )
      )

    /**
     * Articles for a prescription whose name, with the product's, or pharmaceutical number fits, by product and name; at most `limit`.
     * Commas do not count: a name is shown with one after the product.
     */
    const articles = Effect.fn("Catalogue.articles")((search: string, limit: number) =>
      Effect.map(
        found.all(sql`SELECT s.sku_uid, p.display_name AS product_name, s.display_name AS name, s.pzn
          FROM skus s JOIN products p ON p.product_uid = s.product_uid
          WHERE NOT s.digital
            AND (replace(lower(p.display_name || ' ' || s.display_name), ',', '') LIKE ${likePattern(search.replaceAll(",", ""))}
              OR s.pzn = ${search})
          ORDER BY p.display_name, s.display_name, s.sku_uid LIMIT ${limit}`),
        (all) =>
          all.map(({ product_name, name, ...one }): Article => ({ ...one, name: articleName(product_name, name) }))
      )
    )

    /** Creates or replaces a product of a provisioning file. */
    const provisionProduct = Effect.fn("Catalogue.provisionProduct")(
      ({ uid, ...fields }: Product) =>
        sql`INSERT INTO products ${sql.insert({ product_uid: uid, ...fields })}
          ON CONFLICT (product_uid) DO UPDATE SET ${sql.update(fields)}`
    )

    /** Creates or replaces a SKU of a provisioning file. */
    const provisionSku = Effect.fn("Catalogue.provisionSku")(
      ({ uid, ...fields }: SkuEntry) =>
        sql`INSERT INTO skus ${sql.insert({ sku_uid: uid, ...fields })}
          ON CONFLICT (sku_uid) DO UPDATE SET ${sql.update(fields)}`
    )
    return { named, namesOf, articles, provisionProduct, provisionSku } as const
  })
}) {}
