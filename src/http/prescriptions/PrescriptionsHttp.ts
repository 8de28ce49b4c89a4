import { Effect, Layer } from "effect"
import type { PrescriptionUid } from "../../schemas/ids.ts"
import { Catalogue } from "../../services/pharmacy/Catalogue.ts"
import { PrescriptionRendering } from "../../services/prescriptions/PrescriptionRendering.ts"
import { PrescriptionSigner } from "../../services/prescriptions/PrescriptionSigner.ts"
import { Prescriptions } from "../../services/prescriptions/Prescriptions.ts"
import { CurrentOrganisationKey, currentOrganisation } from "../credentials/credentials.ts"
import { group } from "../group.ts"

/** The path's prescription within the key's organisation, and the key's actor. */
const named = ({ prescription_uid }: { readonly prescription_uid: PrescriptionUid }) =>
  Effect.map(CurrentOrganisationKey, ({ organisation_uid, actor }) => ({
    ref: { organisation_uid, prescription_uid },
    actor
  }))

export const PrescriptionsHttp = group("management.prescriptions", (handlers) =>
  Effect.gen(function* () {
    const prescriptions = yield* Prescriptions
    const rendering = yield* PrescriptionRendering
    const signer = yield* PrescriptionSigner
    const catalogue = yield* Catalogue
    return handlers
      .handle("list", ({ urlParams }) =>
        Effect.gen(function* () {
          const page = yield* prescriptions.list(yield* currentOrganisation, urlParams)
          const names = yield* catalogue.namesOf(page.data.flatMap(({ items }) => items.map(({ sku_uid }) => sku_uid)))
          const data = page.data.map((one) => ({
            ...one,
            items: one.items.map((item) => ({ ...item, article: names.get(item.sku_uid) ?? null }))
          }))
          return { ...page, data }
        })
      )
      .handle("get", ({ path }) => Effect.flatMap(named(path), ({ ref }) => prescriptions.get(ref)))
      .handle("render", ({ path }) => Effect.flatMap(named(path), ({ ref, actor }) => rendering.start(ref, actor)))
      .handle("external_sign", ({ path }) =>
        Effect.flatMap(named(path), ({ ref, actor }) => signer.externalSign(ref, actor))
      )
      .handle("cancel", ({ path, payload }) =>
        Effect.flatMap(named(path), ({ ref, actor }) => prescriptions.cancel(ref, payload.reason, actor))
      )
  })
).pipe(
  Layer.provide([PrescriptionRendering.Default, PrescriptionSigner.Default, Prescriptions.Default, Catalogue.Default])
)
