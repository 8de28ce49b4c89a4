/** Contract: doctors, and their own settings for appointment types. */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { AppointmentTypeUid, DoctorUid } from "../../../schemas/ids.ts"
import { Invalid, NotFound } from "../../../schemas/problems.ts"
import { Doctor, DoctorSetting, DoctorSettingBody } from "../../../schemas/scheduling/DoctorSetting.ts"
import { OrganisationKey } from "../../credentials.ts"
import { problem } from "../../problems.ts"
import { RequiredPermissions } from "../../requiredPermissions.ts"

const path = "/doctors/:doctor_uid/appointment-type-settings"
const doctor = Schema.Struct({ doctor_uid: DoctorUid })
const one = Schema.Struct({ doctor_uid: DoctorUid, appointment_type_uid: AppointmentTypeUid })

export class DoctorsApi extends HttpApiGroup.make("management.doctors")
  .add(
    HttpApiEndpoint.get("list", "/doctors")
      .addSuccess(Schema.Struct({ data: Schema.Array(Doctor) }))
      .annotate(RequiredPermissions, ["scheduling:read"])
      .annotate(OpenApi.Summary, "List doctors")
  )
  .add(
    HttpApiEndpoint.get("settings", path)
      .setPath(doctor)
      .addSuccess(Schema.Struct({ data: Schema.Array(DoctorSetting) }))
      .addError(problem(NotFound))
      .annotate(RequiredPermissions, ["scheduling:read"])
      .annotate(OpenApi.Summary, "List a doctor's settings for appointment types")
  )
  .add(
    HttpApiEndpoint.put("put_setting", `${path}/:appointment_type_uid`)
      .setPath(one)
      .setPayload(DoctorSettingBody)
      .addSuccess(DoctorSetting)
      .addError(problem(Invalid))
      .addError(problem(NotFound))
      .annotate(RequiredPermissions, ["scheduling:admin"])
      .annotate(OpenApi.Summary, "Set what a doctor makes of an appointment type")
      .annotate(
        OpenApi.Description,
        "An active setting selects the doctor for types of selected doctors; an inactive one takes the doctor out of any."
      )
  )
  .add(
    HttpApiEndpoint.del("remove_setting", `${path}/:appointment_type_uid`)
      .setPath(one)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(problem(NotFound))
      .annotate(RequiredPermissions, ["scheduling:admin"])
      .annotate(OpenApi.Summary, "Delete a doctor's setting for an appointment type")
  )
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotate(OpenApi.Title, "Management: doctors") {}
