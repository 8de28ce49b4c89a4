import { Effect, Layer } from "effect"
import type { PharmacySkuUid, PharmacyUid } from "../../schemas/ids.ts"
import { Paged } from "../../schemas/paging.ts"
import { PharmacySku, type SkuChanges, SkuQuery } from "../../schemas/pharmacy/PharmacySku.ts"
import type { Pharmacy } from "../../services/pharmacy/Pharmacies.ts"
import { Skus } from "../../services/pharmacy/Skus.ts"
import { Conditional, type IfMatch, listTags, recordTags } from "../conditional.ts"
import { group } from "../group.ts"
import { resultsOf, validateRows, validRows } from "./bulk.ts"
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
    const currentTags = (pharmacy: Pharmacy, uid: PharmacySkuUid) => ({
      record: Effect.map(skus.findForChange(pharmacy, uid), one.tagOf),
      isListed: listed.isCurrent((query) => skus.list(pharmacy, query))
    })
    const change = ({ path: { pharmacy_sku_uid: uid }, urlParams, payload, headers }: Change) =>
      within(urlParams, (pharmacy) =>
        changeIfMatch(headers, currentTags(pharmacy, uid), skus.change(pharmacy, uid, payload))
      ).pipe(one.tagged)
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
        return within(urlParams, (pharmacy) =>
          Effect.map(skus.changeAll(pharmacy, validRows(rows)), (changed) => resultsOf(rows, changed))
        )
      })
      .handle("update", change)
      .handle("updateStock", change)
      .handle("updateExternalId", change)
  })
).pipe(Layer.provide([Conditional.Default, Skus.Default]))
