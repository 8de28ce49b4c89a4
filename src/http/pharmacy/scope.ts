/** The pharmacy of a request: the key's own, or the one of its group that the query names. */
import { Effect, Schema } from "effect"
import { PharmacyUid } from "../../schemas/ids.ts"
import { Pharmacies, type Pharmacy } from "../../services/pharmacy/Pharmacies.ts"
import { CurrentPharmacyKey } from "../credentials/credentials.ts"

/** Query parameter of every route of the pharmacy API. */
export const pharmacyScope = {
  pharmacy_uid: Schema.optional(PharmacyUid).annotations({
    description: "The pharmacy; required for group-wide keys, others are bound to their own"
  })
}

/** Runs `go` with the query's pharmacy. Fails with `Invalid` or `PharmacyNotFound`, like `Pharmacies.inScope`. */
export const scoped = Effect.map(
  Pharmacies,
  (pharmacies) =>
    <A, E, R>(
      urlParams: { readonly pharmacy_uid?: PharmacyUid | undefined },
      go: (pharmacy: Pharmacy) => Effect.Effect<A, E, R>
    ) =>
      Effect.flatMap(CurrentPharmacyKey, (key) => Effect.flatMap(pharmacies.inScope(key, urlParams.pharmacy_uid), go))
)
