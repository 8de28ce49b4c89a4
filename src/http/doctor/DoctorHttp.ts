import { Effect, Layer } from "effect"
import { Idempotency } from "../../services/Idempotency.ts"
import { AppointmentLists } from "../../services/scheduling/appointments/AppointmentLists.ts"
import { Appointments } from "../../services/scheduling/appointments/Appointments.ts"
import { publicAppointment } from "../../services/scheduling/appointments/StoredAppointment.ts"
import { Meetings } from "../../services/scheduling/joining/Meetings.ts"
import { AvailabilityRules } from "../../services/scheduling/practice/AvailabilityRules.ts"
import { Conditional } from "../conditional.ts"
import { group } from "../group.ts"
import { holders } from "../idempotent.ts"
import { ruleHandling } from "../management/practice/kinds.ts"
import { asDoctor, existing } from "./asDoctor.ts"

export const DoctorHttp = group("doctor", (handlers) =>
  Effect.gen(function* () {
    const lists = yield* AppointmentLists
    const appointments = yield* Appointments
    const meetings = yield* Meetings
    const rules = ruleHandling(yield* AvailabilityRules, yield* Conditional, holders.doctor)
    return handlers
      .handle("appointments", ({ urlParams }) =>
        asDoctor(({ organisation_uid, doctor_uid }) =>
          lists.list(organisation_uid, { ...urlParams, day_of: doctor_uid })
        )
      )
      .handle("appointment", ({ path }) =>
        asDoctor((doctor) => Effect.map(appointments.find(doctor, path.appointment_uid), publicAppointment))
      )
      .handle("join", ({ path }) => asDoctor((doctor) => meetings.join(doctor, path.appointment_uid)))
      .handle("complete", ({ path }) =>
        asDoctor((doctor) => appointments.finish(doctor, path.appointment_uid, "complete"))
      )
      .handle("no_show", ({ path }) =>
        asDoctor((doctor) => appointments.finish(doctor, path.appointment_uid, "no_show"))
      )
      .handle("rules", ({ urlParams }) =>
        asDoctor(({ organisation_uid, doctor_uid }) => existing(rules.list([organisation_uid, doctor_uid], urlParams)))
      )
      .handle("create_rule", (request) =>
        asDoctor(({ organisation_uid, doctor_uid }) => existing(rules.create([organisation_uid, doctor_uid], request)))
      )
      .handle("change_rule", ({ path, ...request }) =>
        asDoctor(({ organisation_uid, doctor_uid }) =>
          rules.update([organisation_uid, doctor_uid], path.rule_uid, request)
        )
      )
      .handle("remove_rule", ({ path, ...request }) =>
        asDoctor(({ organisation_uid, doctor_uid }) =>
          rules.remove([organisation_uid, doctor_uid], path.rule_uid, request)
        )
      )
  })
).pipe(
  Layer.provide([
    Idempotency.Default,
    AppointmentLists.Default,
    Appointments.Default,
    AvailabilityRules.Default,
    Conditional.Default,
    Meetings.Default
  ])
)
