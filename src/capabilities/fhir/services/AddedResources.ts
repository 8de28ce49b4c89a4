/** Resources that are records of other capabilities. */
import { Effect } from "effect"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import { Extensions } from "../../../services/Extensions.ts"
import { Service } from "../../../services/Service.ts"
import type { Exchanged } from "../../shared/services/addedExtension.ts"
import { addedTypes, type ResourceType, resourceTypes } from "../schemas/rights.ts"
import { FhirPatients } from "./FhirPatients.ts"
import { instant, type Resource } from "./forms.ts"
import { fhirId, namedBy } from "./ids.ts"
import type { Interactions, Page } from "./kinds.ts"
import { textOf } from "./parameters.ts"
import { badParameter, notFound } from "./refused.ts"

const addressOf = (type: string, uid: string) => `${type}/${fhirId(uid)}`

export class AddedResources extends Service<AddedResources>()("fhir/AddedResources", {
  effect: Effect.gen(function* () {
    const extensions = yield* Extensions
    const patients = yield* FhirPatients

    const offeredTypes = Effect.map(extensions.having("exchanged"), (all) =>
      resourceTypes.filter(
        (type) => !addedTypes.has(type) || all.some(({ exchanged }) => exchanged?.[type] !== undefined)
      )
    )

    const recordsOf = (type: ResourceType) => (owner: OrganisationUid, of: Parameters<Exchanged>[1]) =>
      Effect.flatMap(extensions.having("exchanged"), (all) => {
        const read = all.map(({ exchanged }) => exchanged?.[type]).find((one) => one !== undefined)
        return Effect.map(read?.(owner, of, addressOf) ?? Effect.succeed([]), (found) =>
          found.map(({ uid, updated_at, content }): Resource => {
            const meta = { lastUpdated: instant(updated_at) }
            return { resourceType: type, id: fhirId(uid), meta, ...content }
          })
        )
      })

    const byId = (type: ResourceType, owner: OrganisationUid, id: string) => {
      const named = namedBy(id)
      return named !== undefined && "uid" in named ? recordsOf(type)(owner, named) : Effect.succeed([])
    }

    const reading = (type: ResourceType): Interactions["read"] =>
      Effect.fnUntraced(function* ({ organisation_uid: owner }, id) {
        const [found] = yield* byId(type, owner, id)
        return found ?? (yield* notFound(type, id))
      })

    const searching = (type: ResourceType): Interactions["search"] =>
      Effect.fnUntraced(function* ({ organisation_uid: owner }, { given, count, after }) {
        const named = (name: string) => given.filter((one) => one.name === name)
        const ids = named("_id").flatMap(({ values }) => values.map(textOf))
        const targets = named("patient").flatMap((one) => one.targets)
        if (ids.length + targets.length === 0) return yield* badParameter("_id", "or `patient` is required", "required")
        const found =
          targets.length === 0
            ? yield* Effect.forEach(ids, (id) => byId(type, owner, id))
            : yield* Effect.forEach(targets, ({ id }) =>
                Effect.flatMap(patients.find(owner, id), (patient) =>
                  patient === undefined ? Effect.succeed([]) : recordsOf(type)(owner, { patient_uid: patient.uid })
                )
              )
        const all = found.flat().filter(({ id }) => targets.length === 0 || ids.length === 0 || ids.includes(id))
        const from = Number(after?.[0] ?? 0)
        const page: Page = {
          resources: all.slice(from, from + count),
          total: all.length,
          next: from + count < all.length ? [from + count] : undefined
        }
        return page
      })

    const interactions = (type: ResourceType): Interactions => ({ read: reading(type), search: searching(type) })
    return {
      offeredTypes,
      Questionnaire: interactions("Questionnaire"),
      QuestionnaireResponse: interactions("QuestionnaireResponse")
    } as const
  }),
  dependencies: [FhirPatients.Default]
}) {}
