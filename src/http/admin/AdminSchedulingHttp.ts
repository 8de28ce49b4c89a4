import { Effect, Layer } from "effect"
import type { OrganisationUid } from "../../schemas/ids.ts"
import { Reminder } from "../../schemas/scheduling/Reminder.ts"
import { Idempotency } from "../../services/Idempotency.ts"
import { AppointmentLists } from "../../services/scheduling/appointments/AppointmentLists.ts"
import { Appointments } from "../../services/scheduling/appointments/Appointments.ts"
import { AvailabilityRules } from "../../services/scheduling/practice/AvailabilityRules.ts"
import { Reminders } from "../../services/scheduling/practice/Reminders.ts"
import { Conditional } from "../conditional.ts"
import { CurrentAdmin } from "../credentials/credentials.ts"
import { group } from "../group.ts"
import { holders, idempotent } from "../idempotent.ts"
import { inData } from "../inData.ts"
import { currentReminderTags, reminderListTags, reminderTags, ruleListTags } from "../management/practice/versions.ts"

const own = <A, E, R>(use: (owner: OrganisationUid) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(CurrentAdmin, ({ organisation_uid }) => use(organisation_uid))

export const AdminSchedulingHttp = group("admin.scheduling", (handlers) =>
  Effect.gen(function* () {
    const lists = yield* AppointmentLists
    const appointments = yield* Appointments
    const reminders = yield* Reminders
    const rules = yield* AvailabilityRules
    const { changeIfMatch } = yield* Conditional
    return handlers
      .handle("appointments", ({ urlParams }) => own((owner) => lists.list(owner, urlParams)))
      .handle("cancel", ({ path, payload }) =>
        Effect.flatMap(CurrentAdmin, (admin) => appointments.cancel(admin, path.appointment_uid, payload.reason))
      )
      .handle("reminders", ({ path, urlParams }) =>
        reminderListTags.tagged(
          inData(own((owner) => reminders.list(owner, path.appointment_type_uid, urlParams))),
          urlParams
        )
      )
      .handle("create_reminder", (request) =>
        idempotent(
          request,
          { name: "reminders", answer: Reminder, by: holders.admin },
          own((owner) => reminders.create(owner, request.path.appointment_type_uid, request.payload))
        ).pipe(reminderTags.tagged)
      )
      .handle("change_reminder", ({ path: { appointment_type_uid: type, reminder_uid: uid }, payload, headers }) =>
        own((owner) =>
          changeIfMatch(
            headers,
            currentReminderTags(reminders, owner, type, uid),
            reminders.update(owner, type, uid, payload)
          )
        ).pipe(reminderTags.tagged)
      )
      .handle("remove_reminder", ({ path: { appointment_type_uid: type, reminder_uid: uid }, headers }) =>
        own((owner) =>
          changeIfMatch(headers, currentReminderTags(reminders, owner, type, uid), reminders.remove(owner, type, uid))
        )
      )
      .handle("rules", ({ path, urlParams }) =>
        ruleListTags.tagged(inData(own((owner) => rules.list(owner, path.doctor_uid, urlParams))), urlParams)
      )
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
