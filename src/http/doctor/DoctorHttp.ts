import { Effect, flow, Layer } from "effect"
import { Catalogue } from "../../services/pharmacy/Catalogue.ts"
import { AppointmentLists } from "../../services/scheduling/appointments/AppointmentLists.ts"
import { Appointments } from "../../services/scheduling/appointments/Appointments.ts"
import { publicAppointment } from "../../services/scheduling/appointments/StoredAppointment.ts"
import { Meetings } from "../../services/scheduling/joining/Meetings.ts"
import { AvailabilityRules } from "../../services/scheduling/practice/AvailabilityRules.ts"
import { Conditional } from "../conditional.ts"
import { group } from "../group.ts"
import { inData } from "../inData.ts"
import { ruleHandling } from "../management/practice/kinds.ts"
import { byDoctor } from "../records.ts"
import { asDoctor, existing } from "./asDoctor.ts"

/** Articles found at once. */
const ARTICLES = 50

export const DoctorHttp = group("doctor", (handlers) =>
  Effect.gen(function* () {
    const lists = yield* AppointmentLists
    const appointments = yield* Appointments
    const meetings = yield* Meetings
    const catalogue = yield* Catalogue
    const service = yield* AvailabilityRules
    const rules = ruleHandling(service, yield* Conditional, byDoctor, "rule_uid")
    return handlers
      .handle("appointments", ({ urlParams }) =>
        asDoctor((doctor) => lists.list(doctor.organisation_uid, { ...urlParams, day_of: doctor.doctor_uid }))
      )
      .handle("appointment", ({ path }) =>
        asDoctor((doctor) => Effect.map(appointments.find(doctor, path.appointment_uid), publicAppointment))
      )
      .handle("join", ({ path }) =>
        asDoctor((doctor) =>
          Effect.catchTag(meetings.join(doctor, path.appointment_uid), "PreparationMissing", Effect.die)
        )
      )
      .handle("complete", ({ path }) =>
        asDoctor((doctor) => appointments.finish(doctor, path.appointment_uid, "complete"))
      )
      .handle("no_show", ({ path }) =>
        asDoctor((doctor) => appointments.finish(doctor, path.appointment_uid, "no_show"))
      )
      .handle("reopen", ({ path }) => asDoctor((doctor) => appointments.reopen(doctor, path.appointment_uid)))
      .handle("rules", flow(rules.list, existing))
      .handle("create_rule", flow(rules.create(service.create), existing))
      .handle("change_rule", rules.update(service.update))
      .handle("remove_rule", rules.remove(service.remove))
      .handle("articles", ({ urlParams }) => inData(catalogue.articles(urlParams.search ?? "", ARTICLES)))
  })
).pipe(
  Layer.provide([
    AppointmentLists.Default,
    Appointments.Default,
    AvailabilityRules.Default,
    Catalogue.Default,
    Meetings.Default
  ])
)
