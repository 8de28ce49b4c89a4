/** Contract: recalls (Rule 3.13). */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { IdempotencyKeyReused, PatientNotFound } from "../../../schemas/access/errors.ts"
import { RecallUid } from "../../../schemas/ids.ts"
import { Paged } from "../../../schemas/paging.ts"
import { Invalid, PreconditionFailed } from "../../../schemas/problems.ts"
import { AppointmentTypeNotFound, DoctorNotFound, RecallNotFound } from "../../../schemas/scheduling/errors.ts"
import { NewRecall, Recall, RecallChanges, RecallQuery } from "../../../schemas/scheduling/Recall.ts"
import { Noun, Recorded } from "../../annotations.ts"
import { IfMatch } from "../../conditional.ts"
import { OrganisationKey } from "../../credentials/credentials.ts"
import { GroupPermissions } from "../../credentials/requiredPermissions.ts"
import { IdempotencyKey } from "../../idempotent.ts"
import { problem } from "../../problems.ts"

const one = Schema.Struct({ recall_uid: RecallUid })

export class RecallsApi extends HttpApiGroup.make("management.recalls")
  .add(
    HttpApiEndpoint.get("list", "/recalls")
      .setUrlParams(RecallQuery)
      .addSuccess(Paged(Recall))
      .addError(problem(Invalid))
      .annotate(OpenApi.Summary, "List recalls, by date")
  )
  .add(
    HttpApiEndpoint.post("create", "/recalls")
      .setHeaders(IdempotencyKey)
      .setPayload(NewRecall)
      .addSuccess(Recall, { status: 201 })
      .addError(problem(IdempotencyKeyReused, Invalid, PatientNotFound, AppointmentTypeNotFound, DoctorNotFound))
      .annotate(OpenApi.Summary, "Ask a patient to come again")
      .annotate(
        OpenApi.Description,
        "`lead_days` before the date, at 9:00 of the patient's zone, the patient gets a mail or SMS with a link that books."
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/recalls/:recall_uid")
      .setPath(one)
      .addSuccess(Recall)
      .addError(problem(RecallNotFound))
      .annotate(OpenApi.Summary, "Read a recall")
  )
  .add(
    HttpApiEndpoint.patch("update", "/recalls/:recall_uid")
      .setPath(one)
      .setHeaders(IfMatch)
      .setPayload(RecallChanges)
      .addSuccess(Recall)
      .addError(problem(PreconditionFailed, Invalid, RecallNotFound, DoctorNotFound))
      .annotate(OpenApi.Summary, "Change a recall; only sent fields change")
      .annotate(OpenApi.Description, "A new date waits again. `status` may be set to `cancelled`.")
  )
  .add(
    HttpApiEndpoint.del("remove", "/recalls/:recall_uid")
      .setPath(one)
      .setHeaders(IfMatch)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(problem(PreconditionFailed, RecallNotFound))
      .annotate(OpenApi.Summary, "Delete a recall")
  )
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotate(GroupPermissions, { read: ["scheduling:read"], change: ["scheduling:admin"] })
  .annotate(Noun, "Recall")
  .annotate(Recorded, true)
  .annotate(OpenApi.Title, "Management: recalls")
  .annotate(OpenApi.Description, "Patients who are asked to come again") {}
