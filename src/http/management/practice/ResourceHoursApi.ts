/** Contract: the hours of a resource, as those of a doctor (Rule 18.1.3). */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { IdempotencyKeyReused } from "../../../schemas/access/errors.ts"
import { OverrideUid, ResourceUid, RuleUid } from "../../../schemas/ids.ts"
import { Listed, ListQuery, Paged } from "../../../schemas/paging.ts"
import { Invalid, PreconditionFailed } from "../../../schemas/problems.ts"
import { AvailabilityRuleChanges, NewAvailabilityRule, ResourceRule } from "../../../schemas/scheduling/Availability.ts"
import {
  DateOverrideChanges,
  DateOverridePreview,
  DateOverrideQuery,
  NewDateOverride,
  ResourceOverride
} from "../../../schemas/scheduling/DateOverride.ts"
import {
  AppointmentTypeNotFound,
  AvailabilityRuleNotFound,
  DateOverrideNotFound,
  ResourceNotFound
} from "../../../schemas/scheduling/errors.ts"
import { ResourceEffects } from "../../../schemas/scheduling/Resource.ts"
import { Recorded } from "../../annotations.ts"
import { IfMatch } from "../../conditional.ts"
import { OrganisationKey } from "../../credentials/credentials.ts"
import { GroupPermissions } from "../../credentials/requiredPermissions.ts"
import { IdempotencyKey, NotReplayed } from "../../idempotent.ts"
import { problem } from "../../problems.ts"

const rules = "/resources/:resource_uid/availability-rules"
const overrides = "/resources/:resource_uid/availability-date-overrides"
const resource = Schema.Struct({ resource_uid: ResourceUid })
const rule = Schema.Struct({ resource_uid: ResourceUid, rule_uid: RuleUid })
const override = Schema.Struct({ resource_uid: ResourceUid, override_uid: OverrideUid })

export class ResourceHoursApi extends HttpApiGroup.make("management.resource_hours")
  .add(
    HttpApiEndpoint.get("rules", rules)
      .setPath(resource)
      .setUrlParams(ListQuery)
      .addSuccess(Listed(ResourceRule))
      .addError(problem(Invalid, ResourceNotFound))
      .annotate(OpenApi.Identifier, "listResourceAvailabilityRules")
      .annotate(OpenApi.Summary, "List a resource's availability rules")
  )
  .add(
    HttpApiEndpoint.post("create_rule", rules)
      .setHeaders(IdempotencyKey)
      .setPath(resource)
      .setPayload(NewAvailabilityRule)
      .addSuccess(ResourceRule, { status: 201 })
      .addError(problem(IdempotencyKeyReused, Invalid, ResourceNotFound, AppointmentTypeNotFound))
      .annotate(OpenApi.Identifier, "createResourceAvailabilityRule")
      .annotate(OpenApi.Summary, "Create an availability rule of a resource")
      .annotate(
        OpenApi.Description,
        "A weekly window on the organisation's wall clock. It counts while the resource has `always_available: false`; `buffer_minutes` is stored and has no effect."
      )
  )
  .add(
    HttpApiEndpoint.patch("change_rule", `${rules}/:rule_uid`)
      .setPath(rule)
      .setHeaders(IfMatch)
      .setPayload(AvailabilityRuleChanges)
      .addSuccess(ResourceRule)
      .addError(problem(PreconditionFailed, Invalid, AvailabilityRuleNotFound, AppointmentTypeNotFound))
      .annotate(OpenApi.Identifier, "updateResourceAvailabilityRule")
      .annotate(OpenApi.Summary, "Change an availability rule of a resource; only sent fields change")
  )
  .add(
    HttpApiEndpoint.del("remove_rule", `${rules}/:rule_uid`)
      .setPath(rule)
      .setHeaders(IfMatch)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(problem(PreconditionFailed, AvailabilityRuleNotFound))
      .annotate(OpenApi.Identifier, "deleteResourceAvailabilityRule")
      .annotate(OpenApi.Summary, "Delete an availability rule of a resource")
  )
  .add(
    HttpApiEndpoint.get("overrides", overrides)
      .setPath(resource)
      .setUrlParams(DateOverrideQuery)
      .addSuccess(Paged(ResourceOverride))
      .addError(problem(Invalid, ResourceNotFound))
      .annotate(OpenApi.Identifier, "listResourceDateOverrides")
      .annotate(OpenApi.Summary, "List a resource's date overrides")
      .annotate(
        OpenApi.Description,
        "At most 184 dates, both ends included; a longer range is cut at its end. Without bounds: from today (UTC)."
      )
  )
  .add(
    HttpApiEndpoint.post("create_override", overrides)
      .setHeaders(IdempotencyKey)
      .setPath(resource)
      .setPayload(NewDateOverride)
      .addSuccess(ResourceOverride, { status: 201 })
      .addError(problem(IdempotencyKeyReused, Invalid, ResourceNotFound, AppointmentTypeNotFound))
      .annotate(OpenApi.Identifier, "createResourceDateOverride")
      .annotate(OpenApi.Summary, "Create a date override of a resource")
      .annotate(
        OpenApi.Description,
        "A day off closes the resource on the date and cancels nothing. It counts while the resource has `always_available: false`."
      )
  )
  .add(
    HttpApiEndpoint.post("preview_override", `${overrides}/preview`)
      .setPath(resource)
      .setPayload(DateOverridePreview)
      .addSuccess(ResourceEffects)
      .addError(problem(Invalid, ResourceNotFound, DateOverrideNotFound, AppointmentTypeNotFound))
      .annotate(OpenApi.Identifier, "previewResourceDateOverride")
      .annotate(OpenApi.Summary, "Preview which appointments a date override of a resource hits")
      .annotate(NotReplayed, true)
      .annotate(OpenApi.Description, "Changes nothing.")
  )
  .add(
    HttpApiEndpoint.patch("change_override", `${overrides}/:override_uid`)
      .setPath(override)
      .setHeaders(IfMatch)
      .setPayload(DateOverrideChanges)
      .addSuccess(ResourceOverride)
      .addError(problem(PreconditionFailed, Invalid, DateOverrideNotFound, AppointmentTypeNotFound))
      .annotate(OpenApi.Identifier, "updateResourceDateOverride")
      .annotate(OpenApi.Summary, "Change a date override of a resource; only sent fields change")
  )
  .add(
    HttpApiEndpoint.del("remove_override", `${overrides}/:override_uid`)
      .setPath(override)
      .setHeaders(IfMatch)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(problem(PreconditionFailed, DateOverrideNotFound))
      .annotate(OpenApi.Identifier, "deleteResourceDateOverride")
      .annotate(OpenApi.Summary, "Delete a date override of a resource")
  )
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotate(GroupPermissions, { read: ["scheduling:read"], change: ["scheduling:admin"] })
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Management: hours of resources")
  .annotate(OpenApi.Description, "Weekly windows and single dates of a resource that is not always available") {}
