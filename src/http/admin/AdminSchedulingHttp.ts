import { HttpApiBuilder } from "@effect/platform"
import { Effect, Layer } from "effect"
import type { OrganisationUid } from "../../schemas/ids.ts"
import { AppointmentLists } from "../../services/scheduling/appointments/AppointmentLists.ts"
import { Appointments } from "../../services/scheduling/appointments/Appointments.ts"
import { AvailabilityRules } from "../../services/scheduling/practice/AvailabilityRules.ts"
import { Reminders } from "../../services/scheduling/practice/Reminders.ts"
import { Api } from "../Api.ts"
import { CurrentAdmin } from "../credentials.ts"

const own = <A, E, R>(use: (owner: OrganisationUid) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(CurrentAdmin, ({ organisation_uid }) => use(organisation_uid))
const inData = <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.map(self, (data) => ({ data }))

export const AdminSchedulingHttp = HttpApiBuilder.group(Api, "admin.scheduling", (handlers) =>
  Effect.gen(function* () {
    const lists = yield* AppointmentLists
    const appointments = yield* Appointments
    const reminders = yield* Reminders
    const rules = yield* AvailabilityRules
    return handlers
      .handle("appointments", ({ urlParams }) => own((owner) => lists.list(owner, urlParams)))
      .handle("cancel", ({ path, payload }) =>
        Effect.flatMap(CurrentAdmin, (admin) => appointments.cancel(admin, path.appointment_uid, payload.reason))
      )
      .handle("reminders", ({ path }) => inData(own((owner) => reminders.list(owner, path.appointment_type_uid))))
      .handle("create_reminder", ({ path, payload }) =>
        own((owner) => reminders.create(owner, path.appointment_type_uid, payload))
      )
      .handle("change_reminder", ({ path, payload }) =>
        own((owner) => reminders.update(owner, path.appointment_type_uid, path.reminder_uid, payload))
      )
      .handle("remove_reminder", ({ path }) =>
        own((owner) => reminders.remove(owner, path.appointment_type_uid, path.reminder_uid))
      )
      .handle("rules", ({ path }) => inData(own((owner) => rules.list(owner, path.doctor_uid))))
  })
).pipe(Layer.provide([AppointmentLists.Default, Appointments.Default, AvailabilityRules.Default, Reminders.Default]))
