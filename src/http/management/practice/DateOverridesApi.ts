/** Contract: a doctor's date overrides (Rule 7.6). */
import { OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { DoctorUid, OverrideUid } from "../../../schemas/ids.ts"
import { Paged } from "../../../schemas/paging.ts"
import {
  DateOverride,
  DateOverrideChanges,
  DateOverrideQuery,
  NewDateOverride
} from "../../../schemas/scheduling/DateOverride.ts"
import { AppointmentTypeNotFound, DateOverrideNotFound, DoctorNotFound } from "../../../schemas/scheduling/errors.ts"
import { Noun, Recorded } from "../../annotations.ts"
import { apiGroup } from "../../apiGroup.ts"
import { OrganisationKey } from "../../credentials/credentials.ts"
import { GroupPermissions } from "../../credentials/requiredPermissions.ts"
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
