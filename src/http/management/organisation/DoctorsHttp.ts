import { Effect, Layer } from "effect"
import type { DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import { Paged } from "../../../schemas/paging.ts"
import { Doctor, DoctorQuery } from "../../../schemas/scheduling/Doctor.ts"
import { Idempotency } from "../../../services/Idempotency.ts"
import { Doctors } from "../../../services/scheduling/practice/Doctors.ts"
import { Conditional, listTags, recordTags } from "../../conditional.ts"
import { currentOrganisation } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { holders, idempotent } from "../../idempotent.ts"

const single = recordTags(Doctor)
const listed = listTags(Paged(Doctor), DoctorQuery)

export const OrganisationDoctorsHttp = group("organisation.doctors", (handlers) =>
  Effect.zipWith(Doctors, Conditional, (doctors, { changeIfMatch }) => {
    const currentTags = (owner: OrganisationUid, uid: DoctorUid) => ({
      record: Effect.map(doctors.findForChange(owner, uid), single.tagOf),
      isListed: listed.isCurrent((query) => doctors.page(owner, query))
    })
    return handlers
      .handle("list", ({ urlParams }) =>
        listed.tagged(
          Effect.flatMap(currentOrganisation, (owner) => doctors.page(owner, urlParams)),
          urlParams
        )
      )
      .handle("create", (request) =>
        idempotent(
          request,
          { name: "doctors", answer: Doctor, by: holders.key },
          Effect.flatMap(currentOrganisation, (owner) => doctors.create(owner, request.payload))
        ).pipe(single.tagged)
      )
      .handle("one", ({ path }) =>
        Effect.flatMap(currentOrganisation, (owner) => doctors.find(owner, path.doctor_uid)).pipe(single.tagged)
      )
      .handle("update", ({ path: { doctor_uid: uid }, payload, headers }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          changeIfMatch(headers, currentTags(owner, uid), doctors.update(owner, uid, payload))
        ).pipe(single.tagged)
      )
      .handle("remove", ({ path: { doctor_uid: uid }, headers }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          changeIfMatch(headers, currentTags(owner, uid), doctors.remove(owner, uid))
        )
      )
  })
).pipe(Layer.provide([Idempotency.Default, Doctors.Default, Conditional.Default]))
