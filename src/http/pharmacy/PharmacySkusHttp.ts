import { Effect, Layer } from "effect"
import type { PharmacySkuUid, PharmacyUid } from "../../schemas/ids.ts"
import { Paged } from "../../schemas/paging.ts"
import { PharmacySku, type SkuChanges, SkuQuery } from "../../schemas/pharmacy/PharmacySku.ts"
import { Database } from "../../services/database/Database.ts"
import type { Pharmacy } from "../../services/pharmacy/Pharmacies.ts"
import { Skus } from "../../services/pharmacy/Skus.ts"
import { Conditional, type IfMatch, listTags, recordTags } from "../conditional.ts"
import { group } from "../group.ts"
import { resultsOf, type ValidatedRows, validateRows, validRows } from "./bulk.ts"
import { scoped } from "./scope.ts"

const one = recordTags(PharmacySku)
const listed = listTags(Paged(PharmacySku), SkuQuery)

interface Change {
  readonly path: { readonly pharmacy_sku_uid: PharmacySkuUid }
  readonly urlParams: { readonly pharmacy_uid?: PharmacyUid | undefined }
  readonly payload: SkuChanges
  readonly headers: IfMatch
}

export const PharmacySkusHttp = group("pharmacy.skus", (handlers) =>
  Effect.gen(function* () {
    const skus = yield* Skus
    const within = yield* scoped
    const { changeIfMatch } = yield* Conditional
    const { transaction } = yield* Database
    const currentTags = (pharmacy: Pharmacy, uid: PharmacySkuUid) => ({
      record: Effect.map(skus.findForChange(pharmacy, uid), one.tagOf),
      isListed: listed.isCurrent((query) => skus.list(pharmacy, query))
    })
    const change = ({ path: { pharmacy_sku_uid: uid }, urlParams, payload, headers }: Change) =>
      within(urlParams, (pharmacy) =>
        changeIfMatch(headers, currentTags(pharmacy, uid), skus.change(pharmacy, uid, payload))
      ).pipe(one.tagged)
    /** Changes the valid rows whose SKU still has the tag that the row names. */
    const changeAll = (pharmacy: Pharmacy, rows: ValidatedRows) =>
      transaction(
        Effect.gen(function* () {
          const valid = validRows(rows)
          const tags = new Map(valid.flatMap(({ uid, if_match }) => (if_match === undefined ? [] : [[uid, if_match]])))
          const named = tags.size === 0 ? [] : yield* skus.findAllForChange(pharmacy, [...tags.keys()])
          const stale = new Set(named.filter((sku) => one.tagOf(sku) !== tags.get(sku.uid)).map(({ uid }) => uid))
          const changed = yield* skus.changeAll(
            pharmacy,
            valid.filter(({ uid }) => !stale.has(uid))
          )
          return resultsOf(rows, changed, stale)
        })
      )
    return handlers
      .handle("products", ({ urlParams }) => within(urlParams, (pharmacy) => skus.products(pharmacy, urlParams)))
      .handle("list", ({ urlParams }) =>
        listed.tagged(
          within(urlParams, (pharmacy) => skus.list(pharmacy, urlParams)),
          urlParams
        )
      )
      .handle("updateAll", ({ urlParams, payload }) => {
        const rows = validateRows(payload.data)
        return within(urlParams, (pharmacy) => changeAll(pharmacy, rows))
      })
      .handle("update", change)
      .handle("updateStock", change)
      .handle("updateExternalId", change)
  })
).pipe(Layer.provide([Conditional.Default, Database.Default, Skus.Default]))
