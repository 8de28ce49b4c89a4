/** Contract: calendars kept elsewhere whose events make a doctor busy, for keys and for the doctor (Rule 3.12). */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { IdempotencyKeyReused, InProgress } from "../../../schemas/access/errors.ts"
import { BusySourceUid, DoctorUid } from "../../../schemas/ids.ts"
import { Listed, ListQuery } from "../../../schemas/paging.ts"
import { Invalid, PreconditionFailed } from "../../../schemas/problems.ts"
import { BusySource, BusySourceChanges, NewBusySource } from "../../../schemas/scheduling/BusySource.ts"
import { BusySourceNotFound, DoctorNotFound } from "../../../schemas/scheduling/errors.ts"
import { Noun, Recorded } from "../../annotations.ts"
import { IfMatch } from "../../conditional.ts"
import { DoctorToken, OrganisationKey } from "../../credentials/credentials.ts"
import { GroupPermissions } from "../../credentials/requiredPermissions.ts"
import { IdempotencyKey } from "../../idempotent.ts"
import { problem } from "../../problems.ts"

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

export class BusySourcesApi extends HttpApiGroup.make("management.busy_sources")
  .add(
    HttpApiEndpoint.get("list", path)
      .setPath(doctor)
      .setUrlParams(ListQuery)
      .addSuccess(Listed(BusySource))
      .addError(problem(Invalid, DoctorNotFound))
      .annotate(OpenApi.Summary, summaries.list)
  )
  .add(
    HttpApiEndpoint.post("create", path)
      .setHeaders(IdempotencyKey)
      .setPath(doctor)
      .setPayload(NewBusySource)
      .addSuccess(BusySource, { status: 201 })
      .addError(problem(IdempotencyKeyReused, InProgress, Invalid, DoctorNotFound))
      .annotate(OpenApi.Summary, summaries.create)
      .annotate(OpenApi.Description, description)
  )
  .add(
    HttpApiEndpoint.get("get", `${path}/:busy_source_uid`)
      .setPath(one)
      .addSuccess(BusySource)
      .addError(problem(BusySourceNotFound))
      .annotate(OpenApi.Summary, summaries.get)
  )
  .add(
    HttpApiEndpoint.patch("update", `${path}/:busy_source_uid`)
      .setPath(one)
      .setHeaders(IfMatch)
      .setPayload(BusySourceChanges)
      .addSuccess(BusySource)
      .addError(problem(PreconditionFailed, Invalid, BusySourceNotFound))
      .annotate(OpenApi.Summary, summaries.update)
  )
  .add(
    HttpApiEndpoint.del("remove", `${path}/:busy_source_uid`)
      .setPath(one)
      .setHeaders(IfMatch)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(problem(PreconditionFailed, BusySourceNotFound))
      .annotate(OpenApi.Summary, summaries.remove)
  )
  .add(
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

export class DoctorBusySourcesApi extends HttpApiGroup.make("doctor.busy_sources")
  .add(
    HttpApiEndpoint.get("list", own)
      .setUrlParams(ListQuery)
      .addSuccess(Listed(BusySource))
      .addError(problem(Invalid))
      .annotate(OpenApi.Summary, summaries.list)
  )
  .add(
    HttpApiEndpoint.post("create", own)
      .setHeaders(IdempotencyKey)
      .setPayload(NewBusySource)
      .addSuccess(BusySource, { status: 201 })
      .addError(problem(IdempotencyKeyReused, InProgress, Invalid))
      .annotate(OpenApi.Summary, summaries.create)
      .annotate(OpenApi.Description, description)
  )
  .add(
    HttpApiEndpoint.get("get", `${own}/:busy_source_uid`)
      .setPath(ownOne)
      .addSuccess(BusySource)
      .addError(problem(BusySourceNotFound))
      .annotate(OpenApi.Summary, summaries.get)
  )
  .add(
    HttpApiEndpoint.patch("update", `${own}/:busy_source_uid`)
      .setPath(ownOne)
      .setHeaders(IfMatch)
      .setPayload(BusySourceChanges)
      .addSuccess(BusySource)
      .addError(problem(PreconditionFailed, Invalid, BusySourceNotFound))
      .annotate(OpenApi.Summary, summaries.update)
  )
  .add(
    HttpApiEndpoint.del("remove", `${own}/:busy_source_uid`)
      .setPath(ownOne)
      .setHeaders(IfMatch)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(problem(PreconditionFailed, BusySourceNotFound))
      .annotate(OpenApi.Summary, summaries.remove)
  )
  .add(
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
