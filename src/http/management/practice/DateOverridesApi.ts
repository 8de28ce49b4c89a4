/** Contract: a doctor's date overrides (Rule 7.6). */
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { DoctorUid, OverrideUid } from "../../../schemas/ids.ts"
import { Paged } from "../../../schemas/paging.ts"
import { Invalid } from "../../../schemas/problems.ts"
import {
  DateOverride,
  DateOverrideChanges,
  DateOverrideEffects,
  DateOverridePreview,
  DateOverrideQuery,
  NewDateOverride
} from "../../../schemas/scheduling/DateOverride.ts"
import { AppointmentTypeNotFound, DateOverrideNotFound, DoctorNotFound } from "../../../schemas/scheduling/errors.ts"
import { CostClass } from "../../admission/costClasses.ts"
import { Noun, Recorded } from "../../annotations.ts"
import { apiGroup } from "../../apiGroup.ts"
import { OrganisationKey } from "../../credentials/credentials.ts"
import { GroupPermissions } from "../../credentials/requiredPermissions.ts"
import { UsesKey } from "../../idempotent.ts"
import { problem } from "../../problems.ts"
import { recordEndpoints } from "../../recordEndpoints.ts"

const path = "/doctors/:doctor_uid/availability-date-overrides"
const doctor = Schema.Struct({ doctor_uid: DoctorUid })
const one = Schema.Struct({ doctor_uid: DoctorUid, override_uid: OverrideUid })
const overrides = recordEndpoints(`${path}/:override_uid`, one, DateOverride, DateOverrideNotFound)

export class DateOverridesApi extends apiGroup(
  "management.date_overrides",
  overrides
    .list("list", "List a doctor's date overrides", DateOverrideQuery, Paged(DateOverride), DoctorNotFound)
    .setPath(doctor)
    .annotate(
      OpenApi.Description,
      "At most 184 dates, both ends included; a longer range is cut at its end. Without bounds: from today (UTC)."
    ),
  overrides
    .create("create", "Create a date override", NewDateOverride, DoctorNotFound, AppointmentTypeNotFound)
    .setPath(doctor)
    .annotate(
      OpenApi.Description,
      "A day off deletes the date's windows (a day off of one type: that type's windows); a window deletes the day off of its scope."
    ),
  HttpApiEndpoint.post("preview", `${path}/preview`)
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
  overrides
    .update("update", "Change a date override; only sent fields change", DateOverrideChanges, AppointmentTypeNotFound)
    .annotate(OpenApi.Description, "`day_off: true` makes it a day off and clears its window."),
  overrides.remove("remove", "Delete a date override")
)
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotate(GroupPermissions, { read: ["scheduling:read"], change: ["scheduling:admin"] })
  .annotate(Noun, "DateOverride")
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Management: date overrides")
  .annotate(OpenApi.Description, "Windows and days off on single dates, which replace the weekly rules") {}
