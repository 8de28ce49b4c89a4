/** Contract: the hours of a resource, as those of a doctor (Rule 18.1.3). */
import { OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Recorded } from "../../../../http/annotations.ts"
import { apiGroup } from "../../../../http/apiGroup.ts"
import { OrganisationKey } from "../../../../http/credentials/credentials.ts"
import { GroupPermissions } from "../../../../http/credentials/requiredPermissions.ts"
import { recordEndpoints } from "../../../../http/recordEndpoints.ts"
import { OverrideUid, ResourceUid, RuleUid } from "../../../../schemas/ids.ts"
import { ListedWhole, ListQuery, Paged } from "../../../../schemas/paging.ts"
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
import {
  AppointmentTypeNotFound,
  AvailabilityRuleNotFound,
  DateOverrideNotFound,
  ResourceNotFound
} from "../../../../schemas/scheduling/errors.ts"

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
