/** Contract: reminders of an appointment type (Rule 7.4). */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { IdempotencyKeyReused } from "../../../schemas/access/errors.ts"
import { AppointmentTypeUid, ReminderUid } from "../../../schemas/ids.ts"
import { Listed, ListQuery } from "../../../schemas/paging.ts"
import { Invalid, PreconditionFailed } from "../../../schemas/problems.ts"
import { AppointmentTypeNotFound, ReminderExists, ReminderNotFound } from "../../../schemas/scheduling/errors.ts"
import { NewReminder, Reminder, ReminderChanges } from "../../../schemas/scheduling/Reminder.ts"
import { Noun, Recorded } from "../../annotations.ts"
import { IfMatch } from "../../conditional.ts"
import { OrganisationKey } from "../../credentials/credentials.ts"
import { GroupPermissions } from "../../credentials/requiredPermissions.ts"
import { IdempotencyKey } from "../../idempotent.ts"
import { problem } from "../../problems.ts"

const path = "/appointment-types/:appointment_type_uid/reminders"
const type = Schema.Struct({ appointment_type_uid: AppointmentTypeUid })
const one = Schema.Struct({ appointment_type_uid: AppointmentTypeUid, reminder_uid: ReminderUid })

export class RemindersApi extends HttpApiGroup.make("management.reminders")
  .add(
    HttpApiEndpoint.get("list", path)
      .setPath(type)
      .setUrlParams(ListQuery)
      .addSuccess(Listed(Reminder))
      .addError(problem(Invalid, AppointmentTypeNotFound))
      .annotate(OpenApi.Summary, "List reminders of an appointment type")
  )
  .add(
    HttpApiEndpoint.post("create", path)
      .setHeaders(IdempotencyKey)
      .setPath(type)
      .setPayload(NewReminder)
      .addSuccess(Reminder, { status: 201 })
      .addError(problem(IdempotencyKeyReused, Invalid, AppointmentTypeNotFound, ReminderExists))
      .annotate(OpenApi.Summary, "Create a reminder")
      .annotate(OpenApi.Description, "409 if the role already has a reminder with the same minutes_before.")
  )
  .add(
    HttpApiEndpoint.patch("update", `${path}/:reminder_uid`)
      .setPath(one)
      .setHeaders(IfMatch)
      .setPayload(ReminderChanges)
      .addSuccess(Reminder)
      .addError(problem(PreconditionFailed, Invalid, AppointmentTypeNotFound, ReminderNotFound, ReminderExists))
      .annotate(OpenApi.Summary, "Change a reminder; only sent fields change")
  )
  .add(
    HttpApiEndpoint.del("remove", `${path}/:reminder_uid`)
      .setPath(one)
      .setHeaders(IfMatch)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(problem(PreconditionFailed, AppointmentTypeNotFound, ReminderNotFound))
      .annotate(OpenApi.Summary, "Delete a reminder")
  )
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotate(GroupPermissions, { read: ["scheduling:read"], change: ["scheduling:admin"] })
  .annotate(Noun, "Reminder")
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Management: reminders")
  .annotate(OpenApi.Description, "When and how participants are reminded of appointments") {}
