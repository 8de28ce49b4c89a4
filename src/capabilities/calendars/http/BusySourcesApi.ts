/** Contract: calendars kept elsewhere whose events make a doctor busy, for keys and for the doctor (Rule 3.12). */
import { HttpApi, type HttpApiEndpoint, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Noun, Recorded } from "../../../http/annotations.ts"
import { apiGroup } from "../../../http/apiGroup.ts"
import { DoctorToken, OrganisationKey } from "../../../http/credentials/credentials.ts"
import { GroupPermissions } from "../../../http/credentials/requiredPermissions.ts"
import { UsesKey } from "../../../http/idempotent.ts"
import { addProblems, type ErrorClass } from "../../../http/problems.ts"
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
import { ConnectionsOfDoctor, ConnectionsOfPractice, RECORDED } from "./connections/ConnectionsApi.ts"

addProblems(404, BusySourceNotFound)

const title = "Calendars kept elsewhere, whose events make a doctor busy"

/** At `path`, which ends with the uid; `errors` of the list and of a new one. */
const endpointsAt = <P extends Schema.Schema.Any, const E extends ReadonlyArray<ErrorClass>>(
  path: `/${string}`,
  uids: P & HttpApiEndpoint.HttpApiEndpoint.ValidatePath<P>,
  ...errors: E
) => {
  const sources = recordEndpoints(path, uids, BusySource, BusySourceNotFound)
  return {
    list: sources.list("list", "List calendars kept elsewhere", ListQuery, ListedWhole(BusySource), ...errors),
    create: sources
      .create("create", "Add a calendar kept elsewhere; it is read at once", NewBusySource, ...errors)
      .annotate(UsesKey, "before")
      .annotate(
        OpenApi.Description,
        "Read every 10 minutes; only times are kept, no titles. An address in a private network is 400."
      ),
    ofOne: [
      sources.read("get", "Read a calendar kept elsewhere"),
      sources.update("update", "Change a calendar kept elsewhere; only sent fields change", BusySourceChanges),
      sources.remove("remove", "Remove a calendar kept elsewhere, with its busy times"),
      sources.act(
        "refresh",
        "Read the calendar now",
        BusySource.annotations(HttpApiSchema.annotations({ status: 202 }))
      )
    ]
  } as const
}

const doctor = Schema.Struct({ doctor_uid: DoctorUid })
const ofPractice = endpointsAt(
  "/doctors/:doctor_uid/busy-sources/:busy_source_uid",
  Schema.Struct({ doctor_uid: DoctorUid, busy_source_uid: BusySourceUid }),
  DoctorNotFound
)
class BusySourcesOfPractice extends apiGroup(
  "management.busy_sources",
  ofPractice.list.setPath(doctor),
  ofPractice.create.setPath(doctor),
  ...ofPractice.ofOne
)
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotate(GroupPermissions, { read: ["scheduling:read"], change: ["scheduling:admin"] })
  .annotate(Noun, "BusySource")
  .annotate(Recorded, RECORDED)
  .annotate(OpenApi.Title, "Management: busy sources")
  .annotate(OpenApi.Description, title) {}

const ofDoctor = endpointsAt("/busy-sources/:busy_source_uid", Schema.Struct({ busy_source_uid: BusySourceUid }))
class BusySourcesOfDoctor extends apiGroup("doctor.busy_sources", ofDoctor.list, ofDoctor.create, ...ofDoctor.ofOne)
  .middleware(DoctorToken)
  .prefix("/v1/doctor")
  .annotate(Noun, "OwnBusySource")
  .annotate(Recorded, RECORDED)
  .annotate(OpenApi.Title, "Doctor portal: busy sources")
  .annotate(OpenApi.Description, title) {}

/** All endpoints of the capability. */
export class CalendarsApi extends HttpApi.make("sprechstunde")
  .add(BusySourcesOfPractice)
  .add(BusySourcesOfDoctor)
  .add(ConnectionsOfPractice)
  .add(ConnectionsOfDoctor) {}
