/** Articles that a prescription can name. */
import { Schema } from "effect"
import { described, omittable, query } from "../fields.ts"
import { SkuUid } from "../ids.ts"
import { SearchText } from "../SearchText.ts"

export const Article = Schema.Struct({
  sku_uid: SkuUid,
  name: described(Schema.String, "Name of the article"),
  pzn: described(Schema.NullOr(Schema.String), "Pharmaceutical number; null without one")
}).annotations({ identifier: "Article" })
export type Article = typeof Article.Type

export const ArticleQuery = query({
  search: omittable(SearchText("Part of the name, or the pharmaceutical number"))
})
