/** Contract: scheduling for an organisation's administrators (Rule 8.3). */
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { AppointmentTypeUid, AppointmentUid, DoctorUid, ReminderUid } from "../../schemas/ids.ts"
import { Listed, ListQuery, Paged } from "../../schemas/paging.ts"
import { Invalid } from "../../schemas/problems.ts"
import { AppointmentQuery } from "../../schemas/scheduling/AppointmentQuery.ts"
import { describeTrigger } from "../../schemas/scheduling/AppointmentStates.ts"
import { AvailabilityRule } from "../../schemas/scheduling/Availability.ts"
import { StaffAppointment, StaffCancelled } from "../../schemas/scheduling/appointmentAnswers.ts"
import { ReasonedCancellation } from "../../schemas/scheduling/Cancellation.ts"
import {
  AppointmentNotFound,
  AppointmentTypeNotFound,
  CancellationTooLate,
  DoctorNotFound,
  ReminderExists,
  ReminderNotFound,
  refusalsOf
} from "../../schemas/scheduling/errors.ts"
import { NewReminder, Reminder, ReminderChanges } from "../../schemas/scheduling/Reminder.ts"
import { Recorded } from "../annotations.ts"
import { apiGroup } from "../apiGroup.ts"
import { AdminToken } from "../credentials/credentials.ts"
import { problem } from "../problems.ts"
import { recordEndpoints } from "../recordEndpoints.ts"

const reminders = "/appointment-types/:appointment_type_uid/reminders"
const type = Schema.Struct({ appointment_type_uid: AppointmentTypeUid })
const reminder = Schema.Struct({ appointment_type_uid: AppointmentTypeUid, reminder_uid: ReminderUid })
const reminderEndpoints = recordEndpoints(`${reminders}/:reminder_uid`, reminder, Reminder, ReminderNotFound)

export class AdminSchedulingApi extends apiGroup(
  "admin.scheduling",
  HttpApiEndpoint.get("appointments", "/appointments")
    .setUrlParams(AppointmentQuery)
    .addSuccess(Paged(StaffAppointment))
    .addError(problem(Invalid))
    .annotate(OpenApi.Identifier, "listAdminAppointments")
    .annotate(Recorded, true)
    .annotate(OpenApi.Summary, "List the organisation's appointments")
    .annotate(OpenApi.Description, "Without filters: held and confirmed from now on; history is `status=all&from=0`."),
  HttpApiEndpoint.post("cancel", "/appointments/:appointment_uid/cancel")
    .setPath(Schema.Struct({ appointment_uid: AppointmentUid }))
    .setPayload(ReasonedCancellation)
    .addSuccess(StaffCancelled)
    .addError(problem(Invalid, CancellationTooLate, AppointmentNotFound, ...refusalsOf("cancel")))
    .annotate(OpenApi.Identifier, "cancelAdminAppointment")
    .annotate(OpenApi.Summary, "Cancel an appointment")
    .annotate(OpenApi.Description, `${describeTrigger("cancel")} The cancellation notice does not apply.`),
  reminderEndpoints
    .list("reminders", "List reminders of an appointment type", ListQuery, Listed(Reminder), AppointmentTypeNotFound)
    .setPath(type)
    .annotate(OpenApi.Identifier, "listAdminReminders")
    .annotate(Recorded, "settings and stock, no patients and no secrets"),
  reminderEndpoints
    .create("create_reminder", "Create a reminder", NewReminder, AppointmentTypeNotFound, ReminderExists)
    .setPath(type)
    .annotate(OpenApi.Identifier, "createAdminReminder"),
  reminderEndpoints
    .update(
      "change_reminder",
      "Change a reminder; only sent fields change",
      ReminderChanges,
      AppointmentTypeNotFound,
      ReminderExists
    )
    .annotate(OpenApi.Identifier, "updateAdminReminder"),
  reminderEndpoints
    .remove("remove_reminder", "Delete a reminder", AppointmentTypeNotFound)
    .annotate(OpenApi.Identifier, "deleteAdminReminder"),
  HttpApiEndpoint.get("rules", "/doctors/:doctor_uid/availability-rules")
    .setPath(Schema.Struct({ doctor_uid: DoctorUid }))
    .setUrlParams(ListQuery)
    .addSuccess(Listed(AvailabilityRule))
    .addError(problem(Invalid, DoctorNotFound))
    .annotate(OpenApi.Identifier, "listAdminAvailabilityRules")
    .annotate(Recorded, "settings and stock, no patients and no secrets")
    .annotate(OpenApi.Summary, "Read a doctor's availability rules")
)
  .middleware(AdminToken)
  .prefix("/v1/admin/scheduling")
  .annotate(OpenApi.Title, "Admin: scheduling")
  .annotate(
    OpenApi.Description,
    "Appointments, reminders and availability of the organisation, by an administrator's token"
  ) {}
