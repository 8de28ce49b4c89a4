/** Contract: bookable doctors with their settings, and resources with their hours. */
import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Noun, Recorded } from "../../../../http/annotations.ts"
import { apiGroup } from "../../../../http/apiGroup.ts"
import { IfMatch } from "../../../../http/conditional.ts"
import { OrganisationKey } from "../../../../http/credentials/credentials.ts"
import { GroupPermissions } from "../../../../http/credentials/requiredPermissions.ts"
import { problem } from "../../../../http/problems.ts"
import { recordEndpoints } from "../../../../http/recordEndpoints.ts"
import { AppointmentTypeUid, DoctorUid, OverrideUid, ResourceUid, RuleUid } from "../../../../schemas/ids.ts"
import { Listed, ListedWhole, ListQuery, Paged } from "../../../../schemas/paging.ts"
import { Invalid, PreconditionFailed } from "../../../../schemas/problems.ts"
import {
  AvailabilityRuleChanges,
  NewAvailabilityRule,
  ResourceRule
} from "../../../../schemas/scheduling/Availability.ts"
import {
  DateOverrideChanges,
  DateOverrideQuery,
  NewDateOverride,
  ResourceOverride
} from "../../../../schemas/scheduling/DateOverride.ts"
import { DoctorSummary } from "../../../../schemas/scheduling/DoctorSummary.ts"
import {
  AppointmentTypeNotFound,
  AvailabilityRuleNotFound,
  DateOverrideNotFound,
  DoctorNotFound,
  DoctorSettingNotFound,
  ResourceNotFound
} from "../../../../schemas/scheduling/errors.ts"
import { NewResource, Resource, ResourceChanges } from "../../../../schemas/scheduling/Resource.ts"
import { DoctorSetting, DoctorSettingBody } from "../../schemas/DoctorSetting.ts"

/** Doctors and their settings for appointment types. */
const settingsPath = "/doctors/:doctor_uid/appointment-type-settings"
const doctor = Schema.Struct({ doctor_uid: DoctorUid })
const setting = Schema.Struct({ doctor_uid: DoctorUid, appointment_type_uid: AppointmentTypeUid })

export class DoctorsApi extends apiGroup(
  "management.doctors",
  HttpApiEndpoint.get("list", "/doctors")
    .setUrlParams(ListQuery)
    .addSuccess(Listed(DoctorSummary))
    .addError(problem(Invalid))
    .annotate(OpenApi.Identifier, "listBookableDoctors")
    .annotate(OpenApi.Summary, "List doctors"),
  HttpApiEndpoint.get("settings", settingsPath)
    .setPath(doctor)
    .setUrlParams(ListQuery)
    .addSuccess(Listed(DoctorSetting))
    .addError(problem(Invalid, DoctorNotFound))
    .annotate(OpenApi.Identifier, "listDoctorSettings")
    .annotate(OpenApi.Summary, "List a doctor's settings for appointment types"),
  HttpApiEndpoint.put("put_setting", `${settingsPath}/:appointment_type_uid`)
    .setPath(setting)
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
  HttpApiEndpoint.del("remove_setting", `${settingsPath}/:appointment_type_uid`)
    .setPath(setting)
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

/** Rooms, devices and other persons that appointments take (section 18.1). */
const resourceUid = Schema.Struct({ resource_uid: ResourceUid })
const resources = recordEndpoints("/resources/:resource_uid", resourceUid, Resource, ResourceNotFound)

export class ResourcesApi extends apiGroup(
  "management.resources",
  resources.list("list", "List resources, by name", ListQuery, ListedWhole(Resource)),
  resources
    .create("create", "Create a resource", NewResource)
    .annotate(
      OpenApi.Description,
      "Appointments take it once a type names it in `requirements`. With `always_available: false` it is free within its own availability rules and date overrides alone."
    ),
  resources.read("one", "Read a resource"),
  resources
    .update("update", "Change a resource; only sent fields change", ResourceChanges)
    .annotate(OpenApi.Description, "Cancels nothing: appointments that took it keep it."),
  resources
    .remove("remove", "Delete a resource")
    .annotate(
      OpenApi.Description,
      "Cancels nothing: appointments that took it keep it. Nothing new takes it, also where a type still names it."
    )
)
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotate(GroupPermissions, { read: ["scheduling:read"], change: ["scheduling:admin"] })
  .annotate(Noun, "Resource")
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Management: resources")
  .annotate(OpenApi.Description, "Rooms, devices and other persons that appointments take beside their doctor") {}

/** The hours of a resource, as those of a doctor (Rule 18.1.3). */
const rules = "/resources/:resource_uid/availability-rules"
const overrides = "/resources/:resource_uid/availability-date-overrides"
const resource = Schema.Struct({ resource_uid: ResourceUid })
const rule = Schema.Struct({ resource_uid: ResourceUid, rule_uid: RuleUid })
const resourceRules = recordEndpoints(`${rules}/:rule_uid`, rule, ResourceRule, AvailabilityRuleNotFound)
const override = Schema.Struct({ resource_uid: ResourceUid, override_uid: OverrideUid })
const resourceOverrides = recordEndpoints(
  `${overrides}/:override_uid`,
  override,
  ResourceOverride,
  DateOverrideNotFound
)

export class ResourceHoursApi extends apiGroup(
  "management.resource_hours",
  resourceRules
    .list("rules", "List a resource's availability rules", ListQuery, ListedWhole(ResourceRule), ResourceNotFound)
    .setPath(resource)
    .annotate(OpenApi.Identifier, "listResourceAvailabilityRules"),
  resourceRules
    .create(
      "create_rule",
      "Create an availability rule of a resource",
      NewAvailabilityRule,
      ResourceNotFound,
      AppointmentTypeNotFound
    )
    .setPath(resource)
    .annotate(OpenApi.Identifier, "createResourceAvailabilityRule")
    .annotate(
      OpenApi.Description,
      "A weekly window on the organisation's wall clock. It counts while the resource has `always_available: false`; `buffer_minutes` is stored and has no effect."
    ),
  resourceRules
    .update(
      "change_rule",
      "Change an availability rule of a resource; only sent fields change",
      AvailabilityRuleChanges,
      AppointmentTypeNotFound
    )
    .annotate(OpenApi.Identifier, "updateResourceAvailabilityRule"),
  resourceRules
    .remove("remove_rule", "Delete an availability rule of a resource")
    .annotate(OpenApi.Identifier, "deleteResourceAvailabilityRule"),
  resourceOverrides
    .list("overrides", "List a resource's date overrides", DateOverrideQuery, Paged(ResourceOverride), ResourceNotFound)
    .setPath(resource)
    .annotate(OpenApi.Identifier, "listResourceDateOverrides")
    .annotate(
      OpenApi.Description,
      "At most 184 dates, both ends included; a longer range is cut at its end. Without bounds: from today (UTC)."
    ),
  resourceOverrides
    .create(
      "create_override",
      "Create a date override of a resource",
      NewDateOverride,
      ResourceNotFound,
      AppointmentTypeNotFound
    )
    .setPath(resource)
    .annotate(OpenApi.Identifier, "createResourceDateOverride")
    .annotate(
      OpenApi.Description,
      "A day off closes the resource on the date and cancels nothing. It counts while the resource has `always_available: false`."
    ),
  resourceOverrides
    .update(
      "change_override",
      "Change a date override of a resource; only sent fields change",
      DateOverrideChanges,
      AppointmentTypeNotFound
    )
    .annotate(OpenApi.Identifier, "updateResourceDateOverride"),
  resourceOverrides
    .remove("remove_override", "Delete a date override of a resource")
    .annotate(OpenApi.Identifier, "deleteResourceDateOverride")
)
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotate(GroupPermissions, { read: ["scheduling:read"], change: ["scheduling:admin"] })
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Management: hours of resources")
  .annotate(OpenApi.Description, "Weekly windows and single dates of a resource that is not always available") {}
