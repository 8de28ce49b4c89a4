/** Contract: a doctor's weekly availability (Rule 7.5). */
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
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
import { apiGroup } from "../../apiGroup.ts"
import { IfMatch } from "../../conditional.ts"
import { OrganisationKey } from "../../credentials/credentials.ts"
import { GroupPermissions } from "../../credentials/requiredPermissions.ts"
import { problem } from "../../problems.ts"
import { recordEndpoints } from "../../recordEndpoints.ts"

const path = "/doctors/:doctor_uid/availability-rules"
const doctor = Schema.Struct({ doctor_uid: DoctorUid })
const one = Schema.Struct({ doctor_uid: DoctorUid, rule_uid: RuleUid })
const rules = recordEndpoints(`${path}/:rule_uid`, one, AvailabilityRule, AvailabilityRuleNotFound)

export class AvailabilityRulesApi extends apiGroup(
  "management.availability_rules",
  rules
    .list("list", "List a doctor's availability rules", ListQuery, Listed(AvailabilityRule), DoctorNotFound)
    .setPath(doctor),
  rules
    .create("create", "Create an availability rule", NewAvailabilityRule, DoctorNotFound, AppointmentTypeNotFound)
    .setPath(doctor)
    .annotate(OpenApi.Description, "A weekly window on the doctor's wall clock, for one appointment type or for all."),
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
    ),
  rules
    .update(
      "update",
      "Change an availability rule; only sent fields change",
      AvailabilityRuleChanges,
      AppointmentTypeNotFound
    )
    .annotate(OpenApi.Description, "A bound or the scope is removed by its clear flag, never by null."),
  rules.remove("remove", "Delete an availability rule")
)
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotate(GroupPermissions, { read: ["scheduling:read"], change: ["scheduling:admin"] })
  .annotate(Noun, "AvailabilityRule")
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Management: availability rules")
  .annotate(OpenApi.Description, "Weekly windows in which a doctor can be booked") {}
