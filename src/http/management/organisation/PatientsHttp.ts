import { Effect, Layer } from "effect"
import { Patient, PatientQuery, writtenOf } from "../../../schemas/access/Patient.ts"
import type { OrganisationUid, PatientUid } from "../../../schemas/ids.ts"
import { Paged } from "../../../schemas/paging.ts"
import { Idempotency } from "../../../services/Idempotency.ts"
import { PatientRecords } from "../../../services/patients/PatientRecords.ts"
import { Rectification } from "../../../services/rights/Rectification.ts"
import { Conditional, listTags, recordTags } from "../../conditional.ts"
import { CurrentOrganisationKey, currentOrganisation } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { holders, idempotent } from "../../idempotent.ts"

const single = recordTags(Patient)
const listed = listTags(Paged(Patient), PatientQuery)

export const PatientsHttp = group("organisation.patients", (handlers) =>
  Effect.map(
    Effect.all([PatientRecords, Rectification, Conditional]),
    ([patients, rectification, { changeIfMatch }]) => {
      const currentTags = (owner: OrganisationUid, uid: PatientUid) => ({
        record: Effect.map(patients.findForChange(owner, uid), single.tagOf),
        isListed: listed.isCurrent((query) => patients.list(owner, query))
      })
      return handlers
        .handle("list", ({ urlParams }) =>
          listed.tagged(
            Effect.flatMap(currentOrganisation, (owner) => patients.list(owner, urlParams)),
            urlParams
          )
        )
        .handle("create", (request) =>
          idempotent(
            request,
            { name: "patients", answer: Patient, by: holders.key },
            Effect.flatMap(CurrentOrganisationKey, ({ organisation_uid, actor }) =>
              patients.create(organisation_uid, actor, request.payload)
            )
          ).pipe(single.tagged)
        )
        .handle("one", ({ path }) =>
          Effect.flatMap(currentOrganisation, (owner) => patients.read(owner, path.patient_uid)).pipe(single.tagged)
        )
        .handle("update", ({ path: { patient_uid: uid }, payload, headers }) =>
          Effect.flatMap(CurrentOrganisationKey, ({ organisation_uid: owner, permissions }) => {
            const change = rectification.update(owner, uid, payload)
            if (permissions.includes("patients:read"))
              return single.tagged(changeIfMatch(headers, currentTags(owner, uid), change))
            // Neither an ETag nor a match: it is a hash of the whole record, so a guess of hidden fields could be verified with it
            const hidden = {
              record: Effect.as(patients.findForChange(owner, uid), ""),
              isListed: () => Effect.succeed(false)
            }
            return Effect.map(changeIfMatch(headers, hidden, change), (patient) => writtenOf(patient, payload))
          })
        )
    }
  )
).pipe(Layer.provide([Idempotency.Default, PatientRecords.Default, Rectification.Default, Conditional.Default]))
