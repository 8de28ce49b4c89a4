/** Contract: actions of an organisation on its appointments (Rules 7.2 and 4.11). */
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { body, described } from "../../schemas/fields.ts"
import { AppointmentUid } from "../../schemas/ids.ts"
import { Invalid } from "../../schemas/problems.ts"
import { IssuedActionLink, LinkAction } from "../../schemas/scheduling/ActionLink.ts"
import { describeTrigger } from "../../schemas/scheduling/AppointmentStates.ts"
import { FinishedAppointment, StaffCancelled } from "../../schemas/scheduling/appointmentAnswers.ts"
import { BulkCancellation, BulkCancelled, ReasonedCancellation } from "../../schemas/scheduling/Cancellation.ts"
import {
  AppointmentNotFound,
  CancellationTooLate,
  DoctorNotFound,
  refusalsOf
} from "../../schemas/scheduling/errors.ts"
import { CostClass } from "../admission/costClasses.ts"
import { apiGroup } from "../apiGroup.ts"
import { OrganisationKey } from "../credentials/credentials.ts"
import { RequiredPermissions } from "../credentials/requiredPermissions.ts"
import { UsesKey } from "../idempotent.ts"
import { outcomeEndpoints } from "../outcomeEndpoints.ts"
import { problem } from "../problems.ts"
import { recordEndpoints } from "../recordEndpoints.ts"

const path = "/appointments/:meeting_uid"
const uid = Schema.Struct({ meeting_uid: AppointmentUid })
const appointments = recordEndpoints(path, uid, FinishedAppointment, AppointmentNotFound)

export class AppointmentActionsApi extends apiGroup(
  "management.appointment_actions",
  appointments
    .act("cancel", "Cancel an appointment", StaffCancelled, Invalid, CancellationTooLate, ...refusalsOf("cancel"))
    .setPayload(ReasonedCancellation)
    .annotate(OpenApi.Identifier, "cancelAppointment")
    .annotate(OpenApi.Description, `${describeTrigger("cancel")} The cancellation notice does not apply.`),
  HttpApiEndpoint.post("bulk_cancel", "/appointments/bulk-cancel")
    .setPayload(BulkCancellation)
    .addSuccess(BulkCancelled)
    .addError(problem(Invalid, DoctorNotFound))
    .annotate(CostClass, "report")
    .annotate(OpenApi.Identifier, "cancelAppointments")
    .annotate(OpenApi.Summary, "Cancel many appointments")
    .annotate(
      OpenApi.Description,
      "Every held and confirmed appointment that starts in `[from, to)`, of one doctor or of all, at most 1,000 by " +
        "start. `skipped` lists those that have changed in the meantime. `dry_run` changes nothing and lists what would be cancelled."
    ),
  ...outcomeEndpoints(path, uid, FinishedAppointment),
  HttpApiEndpoint.post("issue_link", "/appointments/:meeting_uid/action-links")
    .annotate(UsesKey, "transaction")
    .setPath(uid)
    .setPayload(body({ action: described(LinkAction, "The action that the link offers to the patient") }))
    .addSuccess(IssuedActionLink, { status: 201 })
    .addError(problem(Invalid, AppointmentNotFound))
    .annotate(OpenApi.Identifier, "createActionLink")
    .annotate(OpenApi.Summary, "Create a link for the patient, for your own mails")
    .annotate(
      OpenApi.Description,
      "The code is shown only in this response and is valid until 7 days after the appointment's end."
    )
)
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotateEndpoints(RequiredPermissions, ["scheduling:admin"])
  .annotate(OpenApi.Title, "Management: what becomes of an appointment")
  .annotate(
    OpenApi.Description,
    "Cancelling, completing and missing appointments, and links for partners' own mails"
  ) {}
