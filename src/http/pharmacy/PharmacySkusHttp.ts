import { HttpApiBuilder } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Skus } from "../../services/pharmacy/Skus.ts"
import { Api } from "../Api.ts"
import { resultsOf, validateRows, validRows } from "./bulk.ts"
import { scoped } from "./scope.ts"

export const PharmacySkusHttp = HttpApiBuilder.group(Api, "pharmacy.skus", (handlers) =>
  Effect.gen(function* () {
    const skus = yield* Skus
    const within = yield* scoped
    return handlers
      .handle("products", ({ urlParams }) => within(urlParams, (pharmacy) => skus.products(pharmacy, urlParams)))
      .handle("list", ({ urlParams }) => within(urlParams, (pharmacy) => skus.list(pharmacy, urlParams)))
      .handle("updateAll", ({ urlParams, payload }) => {
        const rows = validateRows(payload.data)
        return within(urlParams, (pharmacy) =>
          Effect.map(skus.changeAll(pharmacy, validRows(rows)), (changed) => resultsOf(rows, changed))
        )
      })
      .handle("update", ({ path, urlParams, payload }) =>
        within(urlParams, (pharmacy) => skus.change(pharmacy, path.pharmacy_sku_uid, payload))
      )
      .handle("updateStock", ({ path, urlParams, payload }) =>
        within(urlParams, (pharmacy) => skus.change(pharmacy, path.pharmacy_sku_uid, payload))
      )
      .handle("updateExternalId", ({ path, urlParams, payload }) =>
        within(urlParams, (pharmacy) => skus.change(pharmacy, path.pharmacy_sku_uid, payload))
      )
  })
).pipe(Layer.provide(Skus.Default))
