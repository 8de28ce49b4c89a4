/** Contract: connections of doctors to their own calendars (Rule 3.15). */
import { OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Noun, Recorded } from "../../../../http/annotations.ts"
import { apiGroup } from "../../../../http/apiGroup.ts"
import { DoctorToken, OrganisationKey } from "../../../../http/credentials/credentials.ts"
import { GroupPermissions } from "../../../../http/credentials/requiredPermissions.ts"
import { addProblems } from "../../../../http/problems.ts"
import { recordEndpoints } from "../../../../http/recordEndpoints.ts"
import { InProgress } from "../../../../schemas/access/errors.ts"
import { DoctorUid } from "../../../../schemas/ids.ts"
import { ListedWhole, ListQuery } from "../../../../schemas/paging.ts"
import { DoctorNotFound } from "../../../../schemas/scheduling/errors.ts"
import {
  CalendarConnection,
  CalendarConnectionChanges,
  CalendarConnectionNotFound,
  CalendarConnectionUid,
  CreatedConnection,
  NewCalendarConnection
} from "../../schemas/connections/CalendarConnection.ts"

addProblems(404, CalendarConnectionNotFound)

const title = "Doctors' own calendars, read and written"
const records = "settings and stock, no patients and no secrets"
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
  .annotate(Recorded, records)
  .annotate(OpenApi.Title, "Management: calendar connections")
  .annotate(OpenApi.Description, title) {}

const own = Schema.Struct({ connection_uid: CalendarConnectionUid })
const path = "/calendar-connections/:connection_uid"
const ofDoctor = recordEndpoints(path, own, CalendarConnection, CalendarConnectionNotFound)
const creating = recordEndpoints(path, own, CreatedConnection, CalendarConnectionNotFound)
export class ConnectionsOfDoctor extends apiGroup(
  "doctor.calendar_connections",
  ofDoctor.list("list", "List your connected calendars", ListQuery, ListedWhole(CalendarConnection)),
  creating
    .create("create", "Connect a calendar", NewCalendarConnection, InProgress)
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
  ofDoctor.remove("remove", "Disconnect; written entries stay")
)
  .middleware(DoctorToken)
  .prefix("/v1/doctor")
  .annotate(Noun, "OwnCalendarConnection")
  .annotate(Recorded, records)
  .annotate(OpenApi.Title, "Doctor portal: calendar connections")
  .annotate(OpenApi.Description, title) {}
