/** Contract: reminders of an appointment type (Rule 7.4). */
import { OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { AppointmentTypeUid, ReminderUid } from "../../../schemas/ids.ts"
import { Listed, ListQuery } from "../../../schemas/paging.ts"
import { AppointmentTypeNotFound, ReminderExists, ReminderNotFound } from "../../../schemas/scheduling/errors.ts"
import { NewReminder, Reminder, ReminderChanges } from "../../../schemas/scheduling/Reminder.ts"
import { Noun, Recorded } from "../../annotations.ts"
import { apiGroup } from "../../apiGroup.ts"
import { OrganisationKey } from "../../credentials/credentials.ts"
import { GroupPermissions } from "../../credentials/requiredPermissions.ts"
import { recordEndpoints } from "../../recordEndpoints.ts"

const path = "/appointment-types/:appointment_type_uid/reminders"
const type = Schema.Struct({ appointment_type_uid: AppointmentTypeUid })
const one = Schema.Struct({ appointment_type_uid: AppointmentTypeUid, reminder_uid: ReminderUid })
const reminders = recordEndpoints(`${path}/:reminder_uid`, one, Reminder, ReminderNotFound)

export class RemindersApi extends apiGroup(
  "management.reminders",
  reminders
    .list("list", "List reminders of an appointment type", ListQuery, Listed(Reminder), AppointmentTypeNotFound)
    .setPath(type),
  reminders
    .create("create", "Create a reminder", NewReminder, AppointmentTypeNotFound, ReminderExists)
    .setPath(type)
    .annotate(OpenApi.Description, "409 if the role already has a reminder with the same minutes_before."),
  reminders.update(
    "update",
    "Change a reminder; only sent fields change",
    ReminderChanges,
    AppointmentTypeNotFound,
    ReminderExists
  ),
  reminders.remove("remove", "Delete a reminder", AppointmentTypeNotFound)
)
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotate(GroupPermissions, { read: ["scheduling:read"], change: ["scheduling:admin"] })
  .annotate(Noun, "Reminder")
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Management: reminders")
  .annotate(OpenApi.Description, "When and how participants are reminded of appointments") {}
