/** Contract: absences (Rule 3.14). */
import { HttpApi, HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { CostClass } from "../../../http/admission/costClasses.ts"
import { Noun, Recorded } from "../../../http/annotations.ts"
import { apiGroup } from "../../../http/apiGroup.ts"
import { OrganisationKey } from "../../../http/credentials/credentials.ts"
import { GroupPermissions, RequiredPermissions } from "../../../http/credentials/requiredPermissions.ts"
import { addProblems, problem } from "../../../http/problems.ts"
import { recordEndpoints } from "../../../http/recordEndpoints.ts"
import { Listed, ListedWhole } from "../../../schemas/paging.ts"
import { Invalid } from "../../../schemas/problems.ts"
import { DoctorNotFound, ResourceNotFound } from "../../../schemas/scheduling/errors.ts"
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
import { BulkMove, BulkMoved } from "../schemas/BulkMove.ts"

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

class Moves extends apiGroup(
  "management.moves",
  HttpApiEndpoint.post("bulk_move", "/appointments/bulk-move")
    .setPayload(BulkMove)
    .addSuccess(BulkMoved)
    .addError(problem(Invalid, DoctorNotFound, ResourceNotFound))
    .annotate(CostClass, "report")
    .annotate(OpenApi.Identifier, "moveAppointments")
    .annotate(OpenApi.Summary, "Move many appointments")
    .annotate(
      OpenApi.Description,
      "Confirmed appointments that start in `[from, to)`, of one doctor or of all: a request looks at the first 200 by start and " +
        "moves at most 50; send it again for those `left` with `too_many_requests`. Each gets the first time that is free up to " +
        "31 days after `to`. If its type allows any doctor: with another doctor, from its own start on; otherwise " +
        "with the same doctor, from `to` on. With `resource_uid` those that take it keep their time where another is free. Each appointment is moved separately, with its own event and message."
    )
)
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotateEndpoints(RequiredPermissions, ["scheduling:admin"])
  .annotate(OpenApi.Title, "Management: moving many appointments")
  .annotate(OpenApi.Description, "Moving the appointments of a range to other times") {}

export class AbsencesApi extends HttpApi.make("sprechstunde").add(PracticeAbsences).add(Moves) {}
