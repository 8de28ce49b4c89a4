/** Contract: recalls (Rule 3.13). */
import { HttpApi, HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { CostClass } from "../../../http/admission/costClasses.ts"
import { Noun, Recorded } from "../../../http/annotations.ts"
import { apiGroup } from "../../../http/apiGroup.ts"
import { DoctorToken, OrganisationKey } from "../../../http/credentials/credentials.ts"
import { GroupPermissions, RequiredPermissions } from "../../../http/credentials/requiredPermissions.ts"
import { UsesKey } from "../../../http/idempotent.ts"
import { addProblems, problem } from "../../../http/problems.ts"
import { recordEndpoints } from "../../../http/recordEndpoints.ts"
import { PatientNotFound } from "../../../schemas/access/errors.ts"
import { Listed, Paged } from "../../../schemas/paging.ts"
import { Invalid } from "../../../schemas/problems.ts"
import { AppointmentTypeNotFound, DoctorNotFound } from "../../../schemas/scheduling/errors.ts"
import { WeeksQuery } from "../../shared/schemas/Weeks.ts"
import {
  NewRecall,
  OwnRecall,
  Recall,
  RecallChanges,
  RecallNotFound,
  RecallQuery,
  RecallsWeek,
  RecallUid
} from "../schemas/Recall.ts"

addProblems(404, RecallNotFound)

const one = Schema.Struct({ recall_uid: RecallUid })
const recalls = recordEndpoints("/recalls/:recall_uid", one, Recall, RecallNotFound)

class PracticeRecalls extends apiGroup(
  "management.recalls",
  recalls.list("list", "List recalls, by date", RecallQuery, Paged(Recall)),
  recalls
    .create(
      "create",
      "Ask a patient to come again",
      NewRecall,
      PatientNotFound,
      AppointmentTypeNotFound,
      DoctorNotFound
    )
    .annotate(
      OpenApi.Description,
      "`lead_days` before the date, at 9:00 of the patient's zone, the patient gets a mail or SMS with a link that books."
    ),
  recalls.read("get", "Read a recall"),
  recalls
    .update("update", "Change a recall; only sent fields change", RecallChanges, DoctorNotFound)
    .annotate(OpenApi.Description, "A new date waits again. `status` may be set to `cancelled`."),
  recalls.remove("remove", "Delete a recall")
)
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotate(GroupPermissions, { read: ["scheduling:read"], change: ["scheduling:admin"] })
  .annotate(Noun, "Recall")
  .annotate(Recorded, true)
  .annotate(OpenApi.Title, "Management: recalls")
  .annotate(OpenApi.Description, "Patients who are asked to come again") {}

class RecallStatistics extends apiGroup(
  "management.recall_statistics",
  HttpApiEndpoint.get("statistics", "/statistics/recalls")
    .setUrlParams(WeeksQuery)
    .addSuccess(Listed(RecallsWeek))
    .addError(problem(Invalid))
    .annotate(CostClass, "report")
    .annotate(OpenApi.Identifier, "getRecallStatistics")
    .annotate(Recorded, "numbers, no patients")
    .annotate(OpenApi.Summary, "Read what became of recalls, by week")
    .annotate(OpenApi.Description, "Recalls count in the week in which they were due.")
)
  .middleware(OrganisationKey)
  .prefix("/v1/management")
  .annotateEndpoints(RequiredPermissions, ["scheduling:read"])
  .annotate(OpenApi.Title, "Management: what became of recalls")
  .annotate(OpenApi.Description, "Weekly statistics of recalls") {}

class DoctorsRecalls extends apiGroup(
  "doctor.recalls",
  HttpApiEndpoint.post("create", "/recalls")
    .annotate(UsesKey, "transaction")
    .setPayload(OwnRecall)
    .addSuccess(Recall, { status: 201 })
    .addError(problem(Invalid, PatientNotFound, AppointmentTypeNotFound))
    .annotate(OpenApi.Identifier, "createOwnRecall")
    .annotate(OpenApi.Summary, "Ask one of your patients to come again")
    .annotate(OpenApi.Description, "As a recall of the practice, with you as the doctor to book.")
)
  .middleware(DoctorToken)
  .prefix("/v1/doctor")
  .annotate(Recorded, true)
  .annotate(OpenApi.Title, "Doctor portal: recalls")
  .annotate(OpenApi.Description, "The doctor's patients who are asked to come again") {}

export class RecallsApi extends HttpApi.make("sprechstunde")
  .add(PracticeRecalls)
  .add(RecallStatistics)
  .add(DoctorsRecalls) {}
