import { Effect, Layer } from "effect"
import type { PharmacyUid } from "../../schemas/ids.ts"
import { PharmacySku, SkuQuery } from "../../schemas/pharmacy/PharmacySku.ts"
import { Database } from "../../services/database/Database.ts"
import type { Pharmacy } from "../../services/pharmacy/Pharmacies.ts"
import { Skus } from "../../services/pharmacy/Skus.ts"
import { Conditional } from "../conditional.ts"
import { group } from "../group.ts"
import { pagedRecords } from "../records.ts"
import { resultsOf, type ValidatedRows, validateRows, validRows } from "./bulk.ts"
import { scoped } from "./scope.ts"

const skuHandling = pagedRecords(PharmacySku, SkuQuery)

export const PharmacySkusHttp = group("pharmacy.skus", (handlers) =>
  Effect.gen(function* () {
    const service = yield* Skus
    const within = yield* scoped
    const { transaction } = yield* Database
    const ofPharmacy = ({ urlParams }: { readonly urlParams: { readonly pharmacy_uid?: PharmacyUid | undefined } }) =>
      within(urlParams, (pharmacy) => Effect.succeed<[Pharmacy]>([pharmacy]))
    const skus = skuHandling(service, yield* Conditional, ofPharmacy, "pharmacy_sku_uid")
    const update = skus.update(service.change)
    /** Changes the valid rows whose SKU still has the tag that the row names. */
    const changeAll = (pharmacy: Pharmacy, rows: ValidatedRows) =>
      transaction(
        Effect.gen(function* () {
          const valid = validRows(rows)
          const tags = new Map(valid.flatMap(({ uid, if_match }) => (if_match === undefined ? [] : [[uid, if_match]])))
          const named = tags.size === 0 ? [] : yield* service.findAllForChange(pharmacy, [...tags.keys()])
          const stale = new Set(named.filter((sku) => skus.tagOf(sku) !== tags.get(sku.uid)).map(({ uid }) => uid))
          const changed = yield* service.changeAll(
            pharmacy,
            valid.filter(({ uid }) => !stale.has(uid))
          )
          return resultsOf(rows, changed, stale)
        })
      )
    return handlers
      .handle("products", ({ urlParams }) => within(urlParams, (pharmacy) => service.products(pharmacy, urlParams)))
      .handle("list", skus.list)
      .handle("updateAll", ({ urlParams, payload }) => {
        const rows = validateRows(payload.data)
        return within(urlParams, (pharmacy) => changeAll(pharmacy, rows))
      })
      .handle("update", update)
      .handle("updateStock", update)
      .handle("updateExternalId", update)
  })
).pipe(Layer.provide([Skus.Default]))
