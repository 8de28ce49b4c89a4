/** Contract: appointment types of an organisation (Rule 7.3). */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { IdempotencyKeyReused } from "../../../schemas/access/errors.ts"
import { AppointmentTypeUid } from "../../../schemas/ids.ts"
import { Listed, ListQuery } from "../../../schemas/paging.ts"
import { Invalid, PreconditionFailed } from "../../../schemas/problems.ts"
import {
  AppointmentType,
  AppointmentTypeChanges,
  NewAppointmentType
} from "../../../schemas/scheduling/AppointmentType.ts"
import { AppointmentTypeNotFound } from "../../../schemas/scheduling/errors.ts"
import { Noun, Recorded } from "../../annotations.ts"
import { IfMatch } from "../../conditional.ts"
import { OrganisationKey } from "../../credentials/credentials.ts"
import { GroupPermissions } from "../../credentials/requiredPermissions.ts"
import { IdempotencyKey } from "../../idempotent.ts"
import { problem } from "../../problems.ts"

const uid = Schema.Struct({ appointment_type_uid: AppointmentTypeUid })

export class AppointmentTypesApi extends HttpApiGroup.make("management.appointment_types")
  .add(
    HttpApiEndpoint.get("list", "/appointment-types")
      .setUrlParams(ListQuery)
      .addSuccess(Listed(AppointmentType))
      .addError(problem(Invalid))
      .annotate(OpenApi.Summary, "List appointment types")
  )
  .add(
    HttpApiEndpoint.post("create", "/appointment-types")
      .setHeaders(IdempotencyKey)
      .setPayload(NewAppointmentType)
      .addSuccess(AppointmentType, { status: 201 })
      .addError(problem(IdempotencyKeyReused, Invalid))
      .annotate(OpenApi.Summary, "Create an appointment type")
  )
  .add(
    HttpApiEndpoint.patch("update", "/appointment-types/:appointment_type_uid")
      .setPath(uid)
      .setHeaders(IfMatch)
      .setPayload(AppointmentTypeChanges)
      .addSuccess(AppointmentType)
      .addError(problem(PreconditionFailed, Invalid, AppointmentTypeNotFound))
      .annotate(OpenApi.Summary, "Change an appointment type; only sent fields change")
  )
  .add(
    HttpApiEndpoint.del("remove", "/appointment-types/:appointment_type_uid")
      .setPath(uid)
      .setHeaders(IfMatch)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(problem(PreconditionFailed, AppointmentTypeNotFound))
      .annotate(OpenApi.Summary, "Delete an appointment type")
      .annotate(OpenApi.Description, "It can no longer be booked; existing appointments keep its name.")
  )
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotate(GroupPermissions, { read: ["scheduling:read"], change: ["scheduling:admin"] })
  .annotate(Noun, "AppointmentType")
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Management: appointment types")
  .annotate(OpenApi.Description, "What patients can book") {}
