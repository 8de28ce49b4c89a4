/** Contract: a doctor's weekly availability (Rule 7.5). */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { IdempotencyKeyReused } from "../../../schemas/access/errors.ts"
import { DoctorUid, RuleUid } from "../../../schemas/ids.ts"
import { Listed, ListQuery } from "../../../schemas/paging.ts"
import { Invalid, PreconditionFailed } from "../../../schemas/problems.ts"
import {
  AvailabilityRule,
  AvailabilityRuleChanges,
  NewAvailabilityRule,
  WeeklyHours
} from "../../../schemas/scheduling/Availability.ts"
import {
  AppointmentTypeNotFound,
  AvailabilityRuleNotFound,
  DoctorNotFound
} from "../../../schemas/scheduling/errors.ts"
import { Noun, Recorded } from "../../annotations.ts"
import { IfMatch } from "../../conditional.ts"
import { OrganisationKey } from "../../credentials/credentials.ts"
import { GroupPermissions } from "../../credentials/requiredPermissions.ts"
import { IdempotencyKey } from "../../idempotent.ts"
import { problem } from "../../problems.ts"

const path = "/doctors/:doctor_uid/availability-rules"
const doctor = Schema.Struct({ doctor_uid: DoctorUid })
const one = Schema.Struct({ doctor_uid: DoctorUid, rule_uid: RuleUid })

export class AvailabilityRulesApi extends HttpApiGroup.make("management.availability_rules")
  .add(
    HttpApiEndpoint.get("list", path)
      .setPath(doctor)
      .setUrlParams(ListQuery)
      .addSuccess(Listed(AvailabilityRule))
      .addError(problem(Invalid, DoctorNotFound))
      .annotate(OpenApi.Summary, "List a doctor's availability rules")
  )
  .add(
    HttpApiEndpoint.post("create", path)
      .setHeaders(IdempotencyKey)
      .setPath(doctor)
      .setPayload(NewAvailabilityRule)
      .addSuccess(AvailabilityRule, { status: 201 })
      .addError(problem(IdempotencyKeyReused, Invalid, DoctorNotFound, AppointmentTypeNotFound))
      .annotate(OpenApi.Summary, "Create an availability rule")
      .annotate(OpenApi.Description, "A weekly window on the doctor's wall clock, for one appointment type or for all.")
  )
  .add(
    HttpApiEndpoint.put("replace", path)
      .setPath(doctor)
      .setHeaders(IfMatch)
      .setPayload(WeeklyHours)
      .addSuccess(Listed(AvailabilityRule))
      .addError(problem(PreconditionFailed, Invalid, DoctorNotFound, AppointmentTypeNotFound))
      .annotate(OpenApi.Identifier, "replaceAvailabilityRules")
      .annotate(OpenApi.Summary, "Replace a doctor's weekly hours")
      .annotate(
        OpenApi.Description,
        "The rules for all types and without bounds become these, in one step; rules for one type, and those with a bound, stay."
      )
  )
  .add(
    HttpApiEndpoint.patch("update", `${path}/:rule_uid`)
      .setPath(one)
      .setHeaders(IfMatch)
      .setPayload(AvailabilityRuleChanges)
      .addSuccess(AvailabilityRule)
      .addError(problem(PreconditionFailed, Invalid, AvailabilityRuleNotFound, AppointmentTypeNotFound))
      .annotate(OpenApi.Summary, "Change an availability rule; only sent fields change")
      .annotate(OpenApi.Description, "A bound or the scope is removed by its clear flag, never by null.")
  )
  .add(
    HttpApiEndpoint.del("remove", `${path}/:rule_uid`)
      .setPath(one)
      .setHeaders(IfMatch)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(problem(PreconditionFailed, AvailabilityRuleNotFound))
      .annotate(OpenApi.Summary, "Delete an availability rule")
  )
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotate(GroupPermissions, { read: ["scheduling:read"], change: ["scheduling:admin"] })
  .annotate(Noun, "AvailabilityRule")
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Management: availability rules")
  .annotate(OpenApi.Description, "Weekly windows in which a doctor can be booked") {}
