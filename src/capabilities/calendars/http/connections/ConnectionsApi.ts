/** Contract: connections of doctors to their own calendars (Rule 3.15). */
import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Noun, Recorded } from "../../../../http/annotations.ts"
import { apiGroup } from "../../../../http/apiGroup.ts"
import { DoctorToken, OrganisationKey } from "../../../../http/credentials/credentials.ts"
import { GroupPermissions } from "../../../../http/credentials/requiredPermissions.ts"
import { UsesKey } from "../../../../http/idempotent.ts"
import { addProblems, problem } from "../../../../http/problems.ts"
import { recordEndpoints } from "../../../../http/recordEndpoints.ts"
import { AppointmentUid, DoctorUid } from "../../../../schemas/ids.ts"
import { Listed, ListedWhole, ListQuery } from "../../../../schemas/paging.ts"
import { DoctorNotFound } from "../../../../schemas/scheduling/errors.ts"
import {
  CalendarConnection,
  CalendarConnectionChanges,
  CalendarConnectionNotFound,
  CalendarConnectionUid,
  CalendarEntryNotFound,
  CreatedConnection,
  DifferingEntry,
  NewCalendarConnection,
  OfferedProvider
} from "../../schemas/connections/CalendarConnection.ts"

addProblems(404, CalendarConnectionNotFound)
addProblems(404, CalendarEntryNotFound)

const title = "Doctors' own calendars, read and written"
export const RECORDED = "settings and stock, no patients and no secrets"
const ofPractice = recordEndpoints(
  "/doctors/:doctor_uid/calendar-connections/:connection_uid",
  Schema.Struct({ doctor_uid: DoctorUid, connection_uid: CalendarConnectionUid }),
  CalendarConnection,
  CalendarConnectionNotFound
)
export class ConnectionsOfPractice extends apiGroup(
  "management.calendar_connections",
  ofPractice
    .list("list", "List a doctor's connected calendars", ListQuery, ListedWhole(CalendarConnection), DoctorNotFound)
    .setPath(Schema.Struct({ doctor_uid: DoctorUid })),
  ofPractice.read("get", "Read a doctor's connected calendars")
)
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotate(GroupPermissions, { read: ["scheduling:read"], change: ["scheduling:admin"] })
  .annotate(Noun, "CalendarConnection")
  .annotate(Recorded, RECORDED)
  .annotate(OpenApi.Title, "Management: calendar connections")
  .annotate(OpenApi.Description, title) {}

const own = Schema.Struct({ connection_uid: CalendarConnectionUid })
const path = "/calendar-connections/:connection_uid"
const ofDoctor = recordEndpoints(path, own, CalendarConnection, CalendarConnectionNotFound)
/** A union's status is that of its members. */
const [record, attempt] = CreatedConnection.members
const Created = Schema.Union(
  record.annotations(HttpApiSchema.annotations({ status: 201 })),
  attempt.annotations(HttpApiSchema.annotations({ status: 201 }))
)
const creating = recordEndpoints(path, own, Created, CalendarConnectionNotFound)
export class ConnectionsOfDoctor extends apiGroup(
  "doctor.calendar_connections",
  ofDoctor.list("list", "List your connected calendars", ListQuery, ListedWhole(CalendarConnection)),
  creating
    .create("create", "Connect a calendar", NewCalendarConnection)
    .annotate(UsesKey, "before")
    .annotate(
      OpenApi.Description,
      "For `microsoft` and `google` the answer has the address of the provider's page; a console session of the doctor finishes it."
    ),
  ofDoctor.read("get", "Read a connected account"),
  ofDoctor.update(
    "update",
    "Choose the calendars that are read, and the one that is written",
    CalendarConnectionChanges
  ),
  ofDoctor.remove("remove", "Disconnect; written entries stay"),
  HttpApiEndpoint.get("providers", "/calendar-providers")
    .addSuccess(Listed(OfferedProvider))
    .annotate(OpenApi.Identifier, "listCalendarProviders")
    .annotate(OpenApi.Summary, "List the providers whose calendars can be connected on a page of theirs")
    .annotate(OpenApi.Description, "Those that the service has settings for. CalDAV servers can always be connected."),
  HttpApiEndpoint.get("entries", "/calendar-entries")
    .addSuccess(Listed(DifferingEntry))
    .annotate(OpenApi.Identifier, "listDifferingCalendarEntries")
    .annotate(OpenApi.Summary, "List your appointments that your own calendar has otherwise")
    .annotate(
      OpenApi.Description,
      "Removed there, at another time there, or not written for an hour; not over, by start. The appointments stay as they are."
    ),
  HttpApiEndpoint.post("restore", "/calendar-entries/:appointment_uid/restore")
    .setPath(Schema.Struct({ appointment_uid: AppointmentUid }))
    .addSuccess(HttpApiSchema.NoContent)
    .addError(problem(CalendarEntryNotFound))
    .annotate(UsesKey, "again")
    .annotate(OpenApi.Identifier, "restoreCalendarEntry")
    .annotate(OpenApi.Summary, "Put an appointment's entry back into your own calendar")
)
  .middleware(DoctorToken)
  .prefix("/v1/doctor")
  .annotate(Noun, "OwnCalendarConnection")
  .annotate(Recorded, RECORDED)
  .annotate(OpenApi.Title, "Doctor portal: calendar connections")
  .annotate(OpenApi.Description, title) {}
