/** Contract: recalls (Rule 3.13). */
import { OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { PatientNotFound } from "../../../schemas/access/errors.ts"
import { RecallUid } from "../../../schemas/ids.ts"
import { Paged } from "../../../schemas/paging.ts"
import { AppointmentTypeNotFound, DoctorNotFound, RecallNotFound } from "../../../schemas/scheduling/errors.ts"
import { NewRecall, Recall, RecallChanges, RecallQuery } from "../../../schemas/scheduling/Recall.ts"
import { Noun, Recorded } from "../../annotations.ts"
import { apiGroup } from "../../apiGroup.ts"
import { OrganisationKey } from "../../credentials/credentials.ts"
import { GroupPermissions } from "../../credentials/requiredPermissions.ts"
import { recordEndpoints } from "../../recordEndpoints.ts"

const one = Schema.Struct({ recall_uid: RecallUid })
const recalls = recordEndpoints("/recalls/:recall_uid", one, Recall, RecallNotFound)

export class RecallsApi extends apiGroup(
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
