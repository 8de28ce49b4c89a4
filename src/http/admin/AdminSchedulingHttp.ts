import { Effect, Layer } from "effect"
import type { OrganisationUid } from "../../schemas/ids.ts"
import { Idempotency } from "../../services/Idempotency.ts"
import { AppointmentLists } from "../../services/scheduling/appointments/AppointmentLists.ts"
import { Appointments } from "../../services/scheduling/appointments/Appointments.ts"
import { AvailabilityRules } from "../../services/scheduling/practice/AvailabilityRules.ts"
import { Reminders } from "../../services/scheduling/practice/Reminders.ts"
import { Conditional } from "../conditional.ts"
import { CurrentAdmin } from "../credentials/credentials.ts"
import { group } from "../group.ts"
import { holders } from "../idempotent.ts"
import { reminderHandling, ruleHandling } from "../management/practice/kinds.ts"

const own = <A, E, R>(use: (owner: OrganisationUid) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(CurrentAdmin, ({ organisation_uid }) => use(organisation_uid))

export const AdminSchedulingHttp = group("admin.scheduling", (handlers) =>
  Effect.gen(function* () {
    const lists = yield* AppointmentLists
    const appointments = yield* Appointments
    const conditional = yield* Conditional
    const reminders = reminderHandling(yield* Reminders, conditional, holders.admin)
    const rules = ruleHandling(yield* AvailabilityRules, conditional, holders.admin)
    return handlers
      .handle("appointments", ({ urlParams }) => own((owner) => lists.list(owner, urlParams)))
      .handle("cancel", ({ path, payload }) =>
        Effect.flatMap(CurrentAdmin, (admin) => appointments.cancel(admin, path.appointment_uid, payload.reason))
      )
      .handle("reminders", ({ path, urlParams }) =>
        own((owner) => reminders.list([owner, path.appointment_type_uid], urlParams))
      )
      .handle("create_reminder", (request) =>
        own((owner) => reminders.create([owner, request.path.appointment_type_uid], request))
      )
      .handle("change_reminder", ({ path: { appointment_type_uid: type, reminder_uid: uid }, ...request }) =>
        own((owner) => reminders.update([owner, type], uid, request))
      )
      .handle("remove_reminder", ({ path: { appointment_type_uid: type, reminder_uid: uid }, ...request }) =>
        own((owner) => reminders.remove([owner, type], uid, request))
      )
      .handle("rules", ({ path, urlParams }) => own((owner) => rules.list([owner, path.doctor_uid], urlParams)))
  })
).pipe(
  Layer.provide([
    Idempotency.Default,
    AppointmentLists.Default,
    Appointments.Default,
    AvailabilityRules.Default,
    Conditional.Default,
    Reminders.Default
  ])
)
