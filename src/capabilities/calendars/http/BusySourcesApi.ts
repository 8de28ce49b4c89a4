/** Contract: calendars kept elsewhere whose events make a doctor busy, for keys and for the doctor (Rule 3.12). */
import { HttpApi, HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Noun, Recorded } from "../../../http/annotations.ts"
import { apiGroup } from "../../../http/apiGroup.ts"
import { DoctorToken, OrganisationKey } from "../../../http/credentials/credentials.ts"
import { GroupPermissions } from "../../../http/credentials/requiredPermissions.ts"
import { UsesKey } from "../../../http/idempotent.ts"
import { addProblems, problem } from "../../../http/problems.ts"
import { recordEndpoints } from "../../../http/recordEndpoints.ts"
import { DoctorUid } from "../../../schemas/ids.ts"
import { ListedWhole, ListQuery } from "../../../schemas/paging.ts"
import { DoctorNotFound } from "../../../schemas/scheduling/errors.ts"
import {
  BusySource,
  BusySourceChanges,
  BusySourceNotFound,
  BusySourceUid,
  NewBusySource
} from "../schemas/BusySource.ts"
import { ConnectionsOfDoctor, ConnectionsOfPractice } from "./connections/ConnectionsApi.ts"

addProblems(404, BusySourceNotFound)

const summaries = {
  list: "List calendars kept elsewhere",
  create: "Add a calendar kept elsewhere; it is read at once",
  get: "Read a calendar kept elsewhere",
  update: "Change a calendar kept elsewhere; only sent fields change",
  remove: "Remove a calendar kept elsewhere, with its busy times",
  refresh: "Read the calendar now"
}
const description = "Read every 10 minutes; only times are kept, no titles. An address in a private network is 400."
const title = "Calendars kept elsewhere, whose events make a doctor busy"

const path = "/doctors/:doctor_uid/busy-sources"
const doctor = Schema.Struct({ doctor_uid: DoctorUid })
const one = Schema.Struct({ doctor_uid: DoctorUid, busy_source_uid: BusySourceUid })
const sources = recordEndpoints(`${path}/:busy_source_uid`, one, BusySource, BusySourceNotFound)

class BusySourcesOfPractice extends apiGroup(
  "management.busy_sources",
  sources.list("list", summaries.list, ListQuery, ListedWhole(BusySource), DoctorNotFound).setPath(doctor),
  sources
    .create("create", summaries.create, NewBusySource, DoctorNotFound)
    .annotate(UsesKey, "before")
    .setPath(doctor)
    .annotate(OpenApi.Description, description),
  sources.read("get", summaries.get),
  sources.update("update", summaries.update, BusySourceChanges),
  sources.remove("remove", summaries.remove),
  HttpApiEndpoint.post("refresh", `${path}/:busy_source_uid/refresh`)
    .setPath(one)
    .addSuccess(BusySource, { status: 202 })
    .addError(problem(BusySourceNotFound))
    .annotate(OpenApi.Summary, summaries.refresh)
)
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotate(GroupPermissions, { read: ["scheduling:read"], change: ["scheduling:admin"] })
  .annotate(Noun, "BusySource")
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Management: busy sources")
  .annotate(OpenApi.Description, title) {}

const own = "/busy-sources"
const ownOne = Schema.Struct({ busy_source_uid: BusySourceUid })
const ownSources = recordEndpoints(`${own}/:busy_source_uid`, ownOne, BusySource, BusySourceNotFound)

class BusySourcesOfDoctor extends apiGroup(
  "doctor.busy_sources",
  ownSources.list("list", summaries.list, ListQuery, ListedWhole(BusySource)),
  ownSources
    .create("create", summaries.create, NewBusySource)
    .annotate(UsesKey, "before")
    .annotate(OpenApi.Description, description),
  ownSources.read("get", summaries.get),
  ownSources.update("update", summaries.update, BusySourceChanges),
  ownSources.remove("remove", summaries.remove),
  HttpApiEndpoint.post("refresh", `${own}/:busy_source_uid/refresh`)
    .setPath(ownOne)
    .addSuccess(BusySource, { status: 202 })
    .addError(problem(BusySourceNotFound))
    .annotate(OpenApi.Summary, summaries.refresh)
)
  .middleware(DoctorToken)
  .prefix("/v1/doctor")
  .annotate(Noun, "OwnBusySource")
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Doctor portal: busy sources")
  .annotate(OpenApi.Description, title) {}

/** All endpoints of the capability. */
export class CalendarsApi extends HttpApi.make("sprechstunde")
  .add(BusySourcesOfPractice)
  .add(BusySourcesOfDoctor)
  .add(ConnectionsOfPractice)
  .add(ConnectionsOfDoctor) {}
