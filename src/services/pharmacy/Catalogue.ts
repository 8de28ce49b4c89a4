/** The SKUs that shops sell: everybody's, whichever pharmacy fills them. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { SkuUid } from "../../schemas/ids.ts"

export interface Sku {
  readonly sku_uid: SkuUid
  readonly display_name: string
  readonly digital: boolean
  /** Cents asked for one unit. */
  readonly selling_price: number
  /** The storefront's variant; null where it goes by the SKU's uid. */
  readonly storefront_variant_id: string | null
}

export class Catalogue extends Effect.Service<Catalogue>()("pharmacy/Catalogue", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** The SKUs among these, each named by its uid or by its storefront variant; unknown names are left out. */
    const named = Effect.fn("Catalogue.named")(
      (names: ReadonlyArray<string>) =>
        sql<Sku>`SELECT sku_uid, display_name, digital, selling_price, storefront_variant_id FROM skus
          WHERE sku_uid = ANY (ARRAY(SELECT jsonb_array_elements_text(${JSON.stringify(names)}::jsonb)))
            OR storefront_variant_id = ANY (ARRAY(SELECT jsonb_array_elements_text(${JSON.stringify(names)}::jsonb)))`,
      Effect.orDie
    )
    return { named } as const
  })
}) {}
