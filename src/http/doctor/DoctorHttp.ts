import { Effect, Layer } from "effect"
import { AvailabilityRule } from "../../schemas/scheduling/Availability.ts"
import { Idempotency } from "../../services/Idempotency.ts"
import { AppointmentLists } from "../../services/scheduling/appointments/AppointmentLists.ts"
import { Appointments } from "../../services/scheduling/appointments/Appointments.ts"
import { publicAppointment } from "../../services/scheduling/appointments/StoredAppointment.ts"
import { Meetings } from "../../services/scheduling/joining/Meetings.ts"
import { AvailabilityRules } from "../../services/scheduling/practice/AvailabilityRules.ts"
import { Conditional } from "../conditional.ts"
import { group } from "../group.ts"
import { holders, idempotent } from "../idempotent.ts"
import { inData } from "../inData.ts"
import { currentRuleTags, ruleListTags, ruleTags } from "../management/practice/versions.ts"
import { asDoctor, existing } from "./asDoctor.ts"

export const DoctorHttp = group("doctor", (handlers) =>
  Effect.gen(function* () {
    const lists = yield* AppointmentLists
    const appointments = yield* Appointments
    const meetings = yield* Meetings
    const rules = yield* AvailabilityRules
    const { changeIfMatch } = yield* Conditional
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
        asDoctor(({ organisation_uid, doctor_uid }) => rules.list(organisation_uid, doctor_uid, urlParams)).pipe(
          existing,
          inData,
          (answer) => ruleListTags.tagged(answer, urlParams)
        )
      )
      .handle("create_rule", (request) =>
        idempotent(
          request,
          { name: "rules", answer: AvailabilityRule, by: holders.doctor },
          asDoctor(({ organisation_uid, doctor_uid }) =>
            rules.create(organisation_uid, doctor_uid, request.payload)
          ).pipe(existing)
        ).pipe(ruleTags.tagged)
      )
      .handle("change_rule", ({ path: { rule_uid: uid }, payload, headers }) =>
        asDoctor(({ organisation_uid: owner, doctor_uid: doctor }) =>
          changeIfMatch(headers, currentRuleTags(rules, owner, doctor, uid), rules.update(owner, doctor, uid, payload))
        ).pipe(ruleTags.tagged)
      )
      .handle("remove_rule", ({ path: { rule_uid: uid }, headers }) =>
        asDoctor(({ organisation_uid: owner, doctor_uid: doctor }) =>
          changeIfMatch(headers, currentRuleTags(rules, owner, doctor, uid), rules.remove(owner, doctor, uid))
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
