/** Contract: the calendar of a practice, and previews of changes of hours and resources (Rules 7.2.9, 7.6.6 and 18.1.5). */
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { CostClass } from "../../../../http/admission/costClasses.ts"
import { Recorded } from "../../../../http/annotations.ts"
import { apiGroup } from "../../../../http/apiGroup.ts"
import { OrganisationKey } from "../../../../http/credentials/credentials.ts"
import { GroupPermissions } from "../../../../http/credentials/requiredPermissions.ts"
import { UsesKey } from "../../../../http/idempotent.ts"
import { problem } from "../../../../http/problems.ts"
import { DoctorUid, ResourceUid } from "../../../../schemas/ids.ts"
import { Invalid } from "../../../../schemas/problems.ts"
import {
  AppointmentTypeNotFound,
  DateOverrideNotFound,
  DoctorNotFound,
  ResourceNotFound
} from "../../../../schemas/scheduling/errors.ts"
import { Calendar, CalendarQuery } from "../../../shared/schemas/Calendar.ts"
import { DateOverrideEffects, DateOverridePreview, ResourceEffects, ResourcePreview } from "../../schemas/Previews.ts"

const doctor = Schema.Struct({ doctor_uid: DoctorUid })
const resource = Schema.Struct({ resource_uid: ResourceUid })

export class PracticeApi extends apiGroup(
  "management.practice",
  HttpApiEndpoint.get("calendar", "/calendar")
    .setUrlParams(CalendarQuery)
    .addSuccess(Calendar)
    .addError(problem(Invalid, DoctorNotFound))
    .annotate(OpenApi.Identifier, "getCalendar")
    .annotate(Recorded, "hours and identifiers, no patients")
    .annotate(OpenApi.Summary, "Read the calendar of all doctors and resources")
    .annotate(
      OpenApi.Description,
      "Open hours, busy times, days off and holidays of at most 32 days, for a calendar in columns, and the patients who are " +
        "waiting or in a call now. Appointments and free times are in their own lists."
    ),
  HttpApiEndpoint.post("preview_override", "/doctors/:doctor_uid/availability-date-overrides/preview")
    .setPath(doctor)
    .setPayload(DateOverridePreview)
    .addSuccess(DateOverrideEffects)
    .addError(problem(Invalid, DoctorNotFound, DateOverrideNotFound, AppointmentTypeNotFound))
    .annotate(CostClass, "report")
    .annotate(OpenApi.Identifier, "previewDateOverride")
    .annotate(OpenApi.Summary, "Preview the effects of a date override")
    .annotate(UsesKey, "again")
    .annotate(
      OpenApi.Description,
      "Changes nothing. The slots are those that a search would find before and after, of up to 100 bookable types."
    ),
  HttpApiEndpoint.post("preview_resource", "/resources/:resource_uid/preview")
    .setPath(resource)
    .setPayload(ResourcePreview)
    .addSuccess(ResourceEffects)
    .addError(problem(ResourceNotFound, Invalid))
    .annotate(OpenApi.Identifier, "previewResourceChange")
    .annotate(OpenApi.Summary, "Preview which appointments a change or the deletion of a resource hits")
    .annotate(UsesKey, "again")
    .annotate(OpenApi.Description, "Changes nothing."),
  HttpApiEndpoint.post("preview_resource_override", "/resources/:resource_uid/availability-date-overrides/preview")
    .setPath(resource)
    .setPayload(DateOverridePreview)
    .addSuccess(ResourceEffects)
    .addError(problem(Invalid, ResourceNotFound, DateOverrideNotFound, AppointmentTypeNotFound))
    .annotate(OpenApi.Identifier, "previewResourceDateOverride")
    .annotate(OpenApi.Summary, "Preview which appointments a date override of a resource hits")
    .annotate(UsesKey, "again")
    .annotate(OpenApi.Description, "Changes nothing.")
)
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotate(GroupPermissions, { read: ["scheduling:read"], change: ["scheduling:admin"] })
  .annotate(OpenApi.Title, "Management: the practice's calendar")
  .annotate(OpenApi.Description, "The calendar of all doctors and resources, and previews of changes of their hours") {}
