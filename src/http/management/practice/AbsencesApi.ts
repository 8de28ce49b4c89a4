/** Contract: absences (Rule 3.14). */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { IdempotencyKeyReused } from "../../../schemas/access/errors.ts"
import { AbsenceUid } from "../../../schemas/ids.ts"
import { Listed } from "../../../schemas/paging.ts"
import { Invalid, PreconditionFailed } from "../../../schemas/problems.ts"
import {
  Absence,
  AbsenceChanges,
  AbsenceQuery,
  AskAgain,
  NewAbsence,
  SettledAppointment
} from "../../../schemas/scheduling/Absence.ts"
import { AbsenceNotFound, DoctorNotFound, NumberChanged } from "../../../schemas/scheduling/errors.ts"
import { CostClass } from "../../admission/costClasses.ts"
import { Noun, Recorded } from "../../annotations.ts"
import { IfMatch } from "../../conditional.ts"
import { OrganisationKey } from "../../credentials/credentials.ts"
import { GroupPermissions } from "../../credentials/requiredPermissions.ts"
import { IdempotencyKey } from "../../idempotent.ts"
import { problem } from "../../problems.ts"

const one = Schema.Struct({ absence_uid: AbsenceUid })

export class AbsencesApi extends HttpApiGroup.make("management.absences")
  .add(
    HttpApiEndpoint.get("list", "/absences")
      .setUrlParams(AbsenceQuery)
      .addSuccess(Listed(Absence))
      .addError(problem(Invalid))
      .annotate(Recorded, "times and numbers, no patients")
      .annotate(OpenApi.Summary, "List absences, by start")
      .annotate(OpenApi.Description, "Those that have not ended, unless `from` says otherwise; at most 500.")
  )
  .add(
    HttpApiEndpoint.post("create", "/absences")
      .setHeaders(IdempotencyKey)
      .setPayload(NewAbsence)
      .addSuccess(Absence, { status: 201 })
      .addError(problem(IdempotencyKeyReused, NumberChanged, Invalid, DoctorNotFound))
      .annotate(CostClass, "report")
      .annotate(OpenApi.Summary, "Enter an absence, and settle what is booked in it")
      .annotate(
        OpenApi.Description,
        "In one transaction the time is closed for search and holds, and every held and confirmed appointment that starts in it is put " +
          "down to be moved, cancelled or kept. They are settled afterwards, one by one; read the absence again to see how far."
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/absences/:absence_uid")
      .setPath(one)
      .addSuccess(Absence)
      .addError(problem(AbsenceNotFound))
      .annotate(Recorded, "times and numbers, no patients")
      .annotate(OpenApi.Summary, "Read an absence")
  )
  .add(
    HttpApiEndpoint.get("appointments", "/absences/:absence_uid/appointments")
      .setPath(one)
      .addSuccess(Listed(SettledAppointment))
      .addError(problem(AbsenceNotFound))
      .annotate(OpenApi.Identifier, "listAbsenceAppointments")
      .annotate(Recorded, true)
      .annotate(OpenApi.Summary, "List the appointments that an absence settles")
      .annotate(OpenApi.Description, "Those that were left first, with the reason; at most 1,000.")
  )
  .add(
    HttpApiEndpoint.post("ask_again", "/absences/:absence_uid/ask-again")
      .setPath(one)
      .setPayload(AskAgain)
      .addSuccess(Absence)
      .addError(problem(NumberChanged, Invalid, AbsenceNotFound))
      .annotate(CostClass, "report")
      .annotate(OpenApi.Identifier, "askAgainForAbsence")
      .annotate(OpenApi.Summary, "Ask those again who have not answered the offer of another time")
      .annotate(
        OpenApi.Description,
        "Patients with the step `offer` whose appointment is still confirmed and to come get the message once more; those who moved or " +
          "cancelled it do not. They are asked afterwards, one by one."
      )
  )
  .add(
    HttpApiEndpoint.patch("update", "/absences/:absence_uid")
      .setPath(one)
      .setHeaders(IfMatch)
      .setPayload(AbsenceChanges)
      .addSuccess(Absence)
      .addError(problem(PreconditionFailed, Invalid, AbsenceNotFound))
      .annotate(OpenApi.Summary, "Change the time of an absence; only sent fields change")
      .annotate(OpenApi.Description, "A doctor is back earlier: `to`. Appointments stay as they are.")
  )
  .add(
    HttpApiEndpoint.del("remove", "/absences/:absence_uid")
      .setPath(one)
      .setHeaders(IfMatch)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(problem(PreconditionFailed, AbsenceNotFound))
      .annotate(OpenApi.Summary, "End an absence")
      .annotate(
        OpenApi.Description,
        "Its time is open again. Appointments that were moved or cancelled stay so; those that wait are kept."
      )
  )
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotate(GroupPermissions, { read: ["scheduling:read"], change: ["scheduling:admin"] })
  .annotate(Noun, "Absence")
  .annotate(OpenApi.Title, "Management: absences")
  .annotate(OpenApi.Description, "Times in which doctors are away, and what becomes of their appointments") {}
