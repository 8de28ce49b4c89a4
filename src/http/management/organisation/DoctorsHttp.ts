import { Effect, Layer } from "effect"
import { Doctor, DoctorQuery } from "../../../schemas/scheduling/Doctor.ts"
import { Idempotency } from "../../../services/Idempotency.ts"
import { Doctors } from "../../../services/scheduling/practice/Doctors.ts"
import { Conditional } from "../../conditional.ts"
import { currentOrganisation } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { holders } from "../../idempotent.ts"
import { pagedRecords } from "../../records.ts"

const doctorHandling = pagedRecords("doctors", Doctor, DoctorQuery)

export const OrganisationDoctorsHttp = group("organisation.doctors", (handlers) =>
  Effect.zipWith(Doctors, Conditional, (service, conditional) => {
    const doctors = doctorHandling({ ...service, list: service.page }, conditional, holders.key)
    return handlers
      .handle("list", ({ urlParams }) =>
        Effect.flatMap(currentOrganisation, (owner) => doctors.list([owner], urlParams))
      )
      .handle("create", (request) => Effect.flatMap(currentOrganisation, (owner) => doctors.create([owner], request)))
      .handle("one", ({ path }) =>
        Effect.flatMap(currentOrganisation, (owner) => service.find(owner, path.doctor_uid)).pipe(doctors.tagged)
      )
      .handle("update", ({ path, ...request }) =>
        Effect.flatMap(currentOrganisation, (owner) => doctors.update([owner], path.doctor_uid, request))
      )
      .handle("remove", ({ path, ...request }) =>
        Effect.flatMap(currentOrganisation, (owner) => doctors.remove([owner], path.doctor_uid, request))
      )
  })
).pipe(Layer.provide([Idempotency.Default, Doctors.Default, Conditional.Default]))
