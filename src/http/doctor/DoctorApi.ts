/** Contract: the doctor's portal, which accesses only the doctor's own records (Rule 8.2). */
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { AppointmentUid, RuleUid } from "../../schemas/ids.ts"
import { Listed, ListQuery, Paged } from "../../schemas/paging.ts"
import { Article, ArticleQuery } from "../../schemas/prescriptions/Article.ts"
import { Invalid } from "../../schemas/problems.ts"
import { OwnAppointmentQuery } from "../../schemas/scheduling/AppointmentQuery.ts"
import {
  AvailabilityRule,
  AvailabilityRuleChanges,
  NewAvailabilityRule
} from "../../schemas/scheduling/Availability.ts"
import { StaffAppointment } from "../../schemas/scheduling/appointmentAnswers.ts"
import {
  AppointmentNotFound,
  AppointmentTypeNotFound,
  AvailabilityRuleNotFound
} from "../../schemas/scheduling/errors.ts"
import { JoinToken } from "../../schemas/scheduling/JoinToken.ts"
import { Recorded } from "../annotations.ts"
import { apiGroup } from "../apiGroup.ts"
import { DoctorToken } from "../credentials/credentials.ts"
import { UsesKey } from "../idempotent.ts"
import { outcomeEndpoints } from "../outcomeEndpoints.ts"
import { problem } from "../problems.ts"
import { recordEndpoints } from "../recordEndpoints.ts"

const appointment = Schema.Struct({ appointment_uid: AppointmentUid })
const path = "/appointments/:appointment_uid"
const appointments = recordEndpoints(path, appointment, StaffAppointment, AppointmentNotFound)
const rule = Schema.Struct({ rule_uid: RuleUid })
const rules = recordEndpoints("/availability-rules/:rule_uid", rule, AvailabilityRule, AvailabilityRuleNotFound)

export class DoctorApi extends apiGroup(
  "doctor",
  appointments
    .list("appointments", "List your appointments", OwnAppointmentQuery, Paged(StaffAppointment))
    .annotate(OpenApi.Identifier, "listOwnAppointments")
    .annotate(Recorded, true)
    .annotate(OpenApi.Description, "Without filters: held and confirmed from now on; history is `status=all&from=0`."),
  appointments
    .read("appointment", "Read one of your appointments")
    .annotate(OpenApi.Identifier, "getOwnAppointment")
    .annotate(Recorded, true),
  appointments
    .act("join", "Join as the moderator", JoinToken, Invalid)
    .annotate(UsesKey, "again")
    .annotate(OpenApi.Identifier, "joinOwnAppointment")
    .annotate(OpenApi.Description, "From 10 minutes before the start to 60 minutes after the end; otherwise 400."),
  ...outcomeEndpoints(path, appointment, StaffAppointment, "Own"),
  rules
    .list("rules", "List your availability rules", ListQuery, Listed(AvailabilityRule))
    .annotate(OpenApi.Identifier, "listOwnAvailabilityRules")
    .annotate(Recorded, "settings and stock, no patients and no secrets"),
  rules
    .create("create_rule", "Create an availability rule", NewAvailabilityRule, AppointmentTypeNotFound)
    .annotate(OpenApi.Identifier, "createOwnAvailabilityRule"),
  rules
    .update(
      "change_rule",
      "Change an availability rule; only sent fields change",
      AvailabilityRuleChanges,
      AppointmentTypeNotFound
    )
    .annotate(OpenApi.Identifier, "updateOwnAvailabilityRule"),
  rules.remove("remove_rule", "Delete an availability rule").annotate(OpenApi.Identifier, "deleteOwnAvailabilityRule"),
  HttpApiEndpoint.get("articles", "/articles")
    .setUrlParams(ArticleQuery)
    .addSuccess(Listed(Article))
    .addError(problem(Invalid))
    .annotate(OpenApi.Identifier, "listArticles")
    .annotate(Recorded, "articles, no patients")
    .annotate(OpenApi.Summary, "Find articles for a prescription")
    .annotate(OpenApi.Description, "By name; at most 50.")
)
  .middleware(DoctorToken)
  .prefix("/v1/doctor")
  .annotate(OpenApi.Title, "Doctor portal")
  .annotate(OpenApi.Description, "A doctor's own appointments and availability, by the identity provider's token") {}
