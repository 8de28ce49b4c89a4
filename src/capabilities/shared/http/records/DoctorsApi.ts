/** Contract: doctors and their settings for appointment types. */
import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Recorded } from "../../../../http/annotations.ts"
import { apiGroup } from "../../../../http/apiGroup.ts"
import { IfMatch } from "../../../../http/conditional.ts"
import { OrganisationKey } from "../../../../http/credentials/credentials.ts"
import { GroupPermissions } from "../../../../http/credentials/requiredPermissions.ts"
import { problem } from "../../../../http/problems.ts"
import { AppointmentTypeUid, DoctorUid } from "../../../../schemas/ids.ts"
import { Listed, ListQuery } from "../../../../schemas/paging.ts"
import { Invalid, PreconditionFailed } from "../../../../schemas/problems.ts"
import { DoctorSetting, DoctorSettingBody, DoctorSummary } from "../../../../schemas/scheduling/DoctorSetting.ts"
import {
  AppointmentTypeNotFound,
  DoctorNotFound,
  DoctorSettingNotFound
} from "../../../../schemas/scheduling/errors.ts"

const path = "/doctors/:doctor_uid/appointment-type-settings"
const doctor = Schema.Struct({ doctor_uid: DoctorUid })
const one = Schema.Struct({ doctor_uid: DoctorUid, appointment_type_uid: AppointmentTypeUid })

export class DoctorsApi extends apiGroup(
  "management.doctors",
  HttpApiEndpoint.get("list", "/doctors")
    .setUrlParams(ListQuery)
    .addSuccess(Listed(DoctorSummary))
    .addError(problem(Invalid))
    .annotate(OpenApi.Identifier, "listBookableDoctors")
    .annotate(OpenApi.Summary, "List doctors"),
  HttpApiEndpoint.get("settings", path)
    .setPath(doctor)
    .setUrlParams(ListQuery)
    .addSuccess(Listed(DoctorSetting))
    .addError(problem(Invalid, DoctorNotFound))
    .annotate(OpenApi.Identifier, "listDoctorSettings")
    .annotate(OpenApi.Summary, "List a doctor's settings for appointment types"),
  HttpApiEndpoint.put("put_setting", `${path}/:appointment_type_uid`)
    .setPath(one)
    .setHeaders(IfMatch)
    .setPayload(DoctorSettingBody)
    .addSuccess(DoctorSetting)
    .addError(problem(Invalid, DoctorNotFound, AppointmentTypeNotFound, PreconditionFailed))
    .annotate(OpenApi.Identifier, "putDoctorSetting")
    .annotate(OpenApi.Summary, "Set a doctor's own values for an appointment type")
    .annotate(
      OpenApi.Description,
      "An active setting offers a `selected_doctors_only` type with this doctor; an inactive one withdraws the doctor from the type in either mode."
    ),
  HttpApiEndpoint.del("remove_setting", `${path}/:appointment_type_uid`)
    .setPath(one)
    .setHeaders(IfMatch)
    .addSuccess(HttpApiSchema.NoContent)
    .addError(problem(DoctorNotFound, AppointmentTypeNotFound, DoctorSettingNotFound, PreconditionFailed))
    .annotate(OpenApi.Identifier, "deleteDoctorSetting")
    .annotate(OpenApi.Summary, "Delete a doctor's setting for an appointment type")
)
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotate(GroupPermissions, { read: ["scheduling:read"], change: ["scheduling:admin"] })
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Management: doctors")
  .annotate(OpenApi.Description, "Doctors and their settings for each appointment type") {}
