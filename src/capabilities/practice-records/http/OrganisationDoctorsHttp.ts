import { Effect, Layer } from "effect"
import { Conditional } from "../../../http/conditional.ts"
import { byKey, pagedRecords } from "../../../http/records.ts"
import { Doctor, DoctorQuery } from "../../../schemas/scheduling/Doctor.ts"
import { Doctors } from "../../../services/scheduling/practice/Doctors.ts"
import { group } from "./group.ts"

const doctorHandling = pagedRecords(Doctor, DoctorQuery)

export const OrganisationDoctorsHttp = group("organisation.doctors", (handlers) =>
  Effect.zipWith(Doctors, Conditional, (service, conditional) => {
    const doctors = doctorHandling({ ...service, list: service.page }, conditional, byKey, "doctor_uid")
    return handlers
      .handle("list", doctors.list)
      .handle("create", doctors.create(service.create))
      .handle("one", doctors.read(service.find))
      .handle("update", doctors.update(service.update))
      .handle("remove", doctors.remove(service.remove))
  })
).pipe(Layer.provide([Doctors.Default]))
