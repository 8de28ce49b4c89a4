/** Contract: the doctor's portal, which accesses only the doctor's own records (Rule 8.2). */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { IdempotencyKeyReused } from "../../schemas/access/errors.ts"
import { AppointmentUid, RuleUid } from "../../schemas/ids.ts"
import { Listed, ListQuery, Paged } from "../../schemas/paging.ts"
import { Invalid, PreconditionFailed } from "../../schemas/problems.ts"
import { Appointment } from "../../schemas/scheduling/Appointment.ts"
import { OwnAppointmentQuery } from "../../schemas/scheduling/AppointmentQuery.ts"
import { describeTrigger } from "../../schemas/scheduling/AppointmentStates.ts"
import {
  AvailabilityRule,
  AvailabilityRuleChanges,
  NewAvailabilityRule
} from "../../schemas/scheduling/Availability.ts"
import {
  AppointmentNotFound,
  AppointmentNotStarted,
  AppointmentTypeNotFound,
  AvailabilityRuleNotFound,
  refusalsOf
} from "../../schemas/scheduling/errors.ts"
import { JoinToken } from "../../schemas/scheduling/JoinToken.ts"
import { Recorded } from "../annotations.ts"
import { IfMatch } from "../conditional.ts"
import { DoctorToken } from "../credentials/credentials.ts"
import { IdempotencyKey, NotReplayed } from "../idempotent.ts"
import { problem } from "../problems.ts"

const appointment = Schema.Struct({ appointment_uid: AppointmentUid })
const rule = Schema.Struct({ rule_uid: RuleUid })

export class DoctorApi extends HttpApiGroup.make("doctor")
  .add(
    HttpApiEndpoint.get("appointments", "/appointments")
      .setUrlParams(OwnAppointmentQuery)
      .addSuccess(Paged(Appointment))
      .addError(problem(Invalid))
      .annotate(OpenApi.Identifier, "listOwnAppointments")
      .annotate(Recorded, true)
      .annotate(OpenApi.Summary, "List your appointments")
      .annotate(OpenApi.Description, "Without filters: held and confirmed from now on; history is `status=all&from=0`.")
  )
  .add(
    HttpApiEndpoint.get("appointment", "/appointments/:appointment_uid")
      .setPath(appointment)
      .addSuccess(Appointment)
      .addError(problem(AppointmentNotFound))
      .annotate(OpenApi.Identifier, "getOwnAppointment")
      .annotate(Recorded, true)
      .annotate(OpenApi.Summary, "Read one of your appointments")
  )
  .add(
    HttpApiEndpoint.post("join", "/appointments/:appointment_uid/join")
      .setPath(appointment)
      .addSuccess(JoinToken)
      .addError(problem(Invalid, AppointmentNotFound))
      .annotate(NotReplayed, true)
      .annotate(OpenApi.Identifier, "joinOwnAppointment")
      .annotate(OpenApi.Summary, "Join as the moderator")
      .annotate(OpenApi.Description, "From 10 minutes before the start to 60 minutes after the end; otherwise 400.")
  )
  .add(
    HttpApiEndpoint.post("complete", "/appointments/:appointment_uid/complete")
      .setPath(appointment)
      .addSuccess(Appointment)
      .addError(problem(AppointmentNotFound, AppointmentNotStarted, ...refusalsOf("complete")))
      .annotate(OpenApi.Identifier, "completeOwnAppointment")
      .annotate(OpenApi.Summary, "Mark an appointment as completed")
      .annotate(OpenApi.Description, describeTrigger("complete"))
  )
  .add(
    HttpApiEndpoint.post("no_show", "/appointments/:appointment_uid/no-show")
      .setPath(appointment)
      .addSuccess(Appointment)
      .addError(problem(AppointmentNotFound, AppointmentNotStarted, ...refusalsOf("no_show")))
      .annotate(OpenApi.Identifier, "markOwnAppointmentNoShow")
      .annotate(OpenApi.Summary, "Mark an appointment as missed by the patient")
      .annotate(OpenApi.Description, describeTrigger("no_show"))
  )
  .add(
    HttpApiEndpoint.get("rules", "/availability-rules")
      .setUrlParams(ListQuery)
      .addSuccess(Listed(AvailabilityRule))
      .addError(problem(Invalid))
      .annotate(OpenApi.Identifier, "listOwnAvailabilityRules")
      .annotate(Recorded, "settings and stock, no patients and no secrets")
      .annotate(OpenApi.Summary, "List your availability rules")
  )
  .add(
    HttpApiEndpoint.post("create_rule", "/availability-rules")
      .setHeaders(IdempotencyKey)
      .setPayload(NewAvailabilityRule)
      .addSuccess(AvailabilityRule, { status: 201 })
      .addError(problem(IdempotencyKeyReused, Invalid, AppointmentTypeNotFound))
      .annotate(OpenApi.Identifier, "createOwnAvailabilityRule")
      .annotate(OpenApi.Summary, "Create an availability rule")
  )
  .add(
    HttpApiEndpoint.patch("change_rule", "/availability-rules/:rule_uid")
      .setPath(rule)
      .setHeaders(IfMatch)
      .setPayload(AvailabilityRuleChanges)
      .addSuccess(AvailabilityRule)
      .addError(problem(PreconditionFailed, Invalid, AvailabilityRuleNotFound, AppointmentTypeNotFound))
      .annotate(OpenApi.Identifier, "updateOwnAvailabilityRule")
      .annotate(OpenApi.Summary, "Change an availability rule; only sent fields change")
  )
  .add(
    HttpApiEndpoint.del("remove_rule", "/availability-rules/:rule_uid")
      .setPath(rule)
      .setHeaders(IfMatch)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(problem(PreconditionFailed, AvailabilityRuleNotFound))
      .annotate(OpenApi.Identifier, "deleteOwnAvailabilityRule")
      .annotate(OpenApi.Summary, "Delete an availability rule")
  )
  .middleware(DoctorToken)
  .prefix("/v1/doctor")
  .annotate(OpenApi.Title, "Doctor portal")
  .annotate(OpenApi.Description, "A doctor's own appointments and availability, by the identity provider's token") {}
