/** Contract: absences (Rule 3.14). */
import { HttpApi, HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { CostClass } from "../../../http/admission/costClasses.ts"
import { Noun, Recorded } from "../../../http/annotations.ts"
import { apiGroup } from "../../../http/apiGroup.ts"
import { OrganisationKey } from "../../../http/credentials/credentials.ts"
import { GroupPermissions } from "../../../http/credentials/requiredPermissions.ts"
import { addProblems, problem } from "../../../http/problems.ts"
import { recordEndpoints } from "../../../http/recordEndpoints.ts"
import { Listed, ListedWhole } from "../../../schemas/paging.ts"
import { Invalid } from "../../../schemas/problems.ts"
import { DoctorNotFound } from "../../../schemas/scheduling/errors.ts"
import {
  Absence,
  AbsenceChanges,
  AbsenceNotFound,
  AbsenceQuery,
  AbsenceUid,
  AskAgain,
  NewAbsence,
  NumberChanged,
  SettledAppointment
} from "../schemas/Absence.ts"

addProblems(404, AbsenceNotFound)
addProblems(409, NumberChanged)

const one = Schema.Struct({ absence_uid: AbsenceUid })
const absences = recordEndpoints("/absences/:absence_uid", one, Absence, AbsenceNotFound)

class PracticeAbsences extends apiGroup(
  "management.absences",
  absences
    .list("list", "List absences, by start", AbsenceQuery, ListedWhole(Absence))
    .annotate(Recorded, "times and numbers, no patients")
    .annotate(OpenApi.Description, "Those that have not ended, unless `from` says otherwise; at most 500."),
  absences
    .create("create", "Enter an absence, and settle what is booked in it", NewAbsence, NumberChanged, DoctorNotFound)
    .annotate(CostClass, "report")
    .annotate(
      OpenApi.Description,
      "In one transaction the time is closed for search and holds, and every held and confirmed appointment that starts in it is put " +
        "down to be moved, cancelled or kept. They are settled afterwards, one by one; read the absence again to see how far."
    ),
  absences.read("get", "Read an absence").annotate(Recorded, "times and numbers, no patients"),
  HttpApiEndpoint.get("appointments", "/absences/:absence_uid/appointments")
    .setPath(one)
    .addSuccess(Listed(SettledAppointment))
    .addError(problem(AbsenceNotFound))
    .annotate(OpenApi.Identifier, "listAbsenceAppointments")
    .annotate(Recorded, true)
    .annotate(OpenApi.Summary, "List the appointments that an absence settles")
    .annotate(OpenApi.Description, "Those that were left first, with the reason; at most 1,000."),
  absences
    .act(
      "ask_again",
      "Ask those again who have not answered the offer of another time",
      Absence,
      NumberChanged,
      Invalid
    )
    .setPayload(AskAgain)
    .annotate(CostClass, "report")
    .annotate(OpenApi.Identifier, "askAgainForAbsence")
    .annotate(
      OpenApi.Description,
      "Patients with the step `offer` whose appointment is still confirmed and to come get the message once more; those who moved or " +
        "cancelled it do not. They are asked afterwards, one by one."
    ),
  absences
    .update("update", "Change the time of an absence; only sent fields change", AbsenceChanges)
    .annotate(OpenApi.Description, "A doctor is back earlier: `to`. Appointments stay as they are."),
  absences
    .remove("remove", "End an absence")
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

export class AbsencesApi extends HttpApi.make("sprechstunde").add(PracticeAbsences) {}
