import { Effect, Layer } from "effect"
import { AppointmentLists } from "../../services/scheduling/appointments/AppointmentLists.ts"
import { Appointments } from "../../services/scheduling/appointments/Appointments.ts"
import { AvailabilityRules } from "../../services/scheduling/practice/AvailabilityRules.ts"
import { Reminders } from "../../services/scheduling/practice/Reminders.ts"
import { Conditional } from "../conditional.ts"
import { CurrentAdmin } from "../credentials/credentials.ts"
import { group } from "../group.ts"
import { doctorOf, reminderHandling, ruleHandling, typeOf } from "../management/practice/kinds.ts"
import { below, byAdmin } from "../records.ts"

export const AdminSchedulingHttp = group("admin.scheduling", (handlers) =>
  Effect.gen(function* () {
    const lists = yield* AppointmentLists
    const appointments = yield* Appointments
    const conditional = yield* Conditional
    const service = yield* Reminders
    const reminders = reminderHandling(service, conditional, below(byAdmin, typeOf), "reminder_uid")
    const rules = ruleHandling(yield* AvailabilityRules, conditional, below(byAdmin, doctorOf), "rule_uid")
    return handlers
      .handle("appointments", ({ urlParams }) =>
        Effect.flatMap(CurrentAdmin, (admin) => lists.list(admin.organisation_uid, urlParams))
      )
      .handle("cancel", ({ path, payload }) =>
        Effect.flatMap(CurrentAdmin, (admin) => appointments.cancel(admin, path.appointment_uid, payload.reason))
      )
      .handle("reminders", reminders.list)
      .handle("create_reminder", reminders.create(service.create))
      .handle("change_reminder", reminders.update(service.update))
      .handle("remove_reminder", reminders.remove(service.remove))
      .handle("rules", rules.list)
  })
).pipe(Layer.provide([AppointmentLists.Default, Appointments.Default, AvailabilityRules.Default, Reminders.Default]))
