import { Effect, Layer } from "effect"
import { Doctor, DoctorQuery } from "../../../schemas/scheduling/Doctor.ts"
import { Doctors } from "../../../services/scheduling/practice/Doctors.ts"
import { Conditional } from "../../conditional.ts"
import { group } from "../../group.ts"
import { byKey, pagedRecords } from "../../records.ts"

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
