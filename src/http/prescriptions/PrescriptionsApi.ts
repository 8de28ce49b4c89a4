/** Contract: prescription management (Rules 9.2 to 9.4). */
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { body, Reason } from "../../schemas/fields.ts"
import { PrescriptionUid } from "../../schemas/ids.ts"
import { Paged } from "../../schemas/paging.ts"
import {
  HasAnamnesis,
  NotRendered,
  PrescriptionNotCancellable,
  PrescriptionNotFound,
  PrescriptionNotWaiting,
  RenderedAgain
} from "../../schemas/prescriptions/errors.ts"
import {
  ExternallySigned,
  ListedPrescription,
  Prescription,
  PrescriptionCancelled,
  PrescriptionQuery,
  RenderingAccepted
} from "../../schemas/prescriptions/Prescription.ts"
import { Invalid } from "../../schemas/problems.ts"
import { Noun, Recorded } from "../annotations.ts"
import { apiGroup } from "../apiGroup.ts"
import { OrganisationKey } from "../credentials/credentials.ts"
import { GroupPermissions } from "../credentials/requiredPermissions.ts"
import { problem } from "../problems.ts"
import { recordEndpoints } from "../recordEndpoints.ts"

const uid = Schema.Struct({ prescription_uid: PrescriptionUid })
const prescriptions = recordEndpoints("/prescriptions/:prescription_uid", uid, Prescription, PrescriptionNotFound)

export class PrescriptionsApi extends apiGroup(
  "management.prescriptions",
  prescriptions.list("list", "List prescriptions, newest first", PrescriptionQuery, Paged(ListedPrescription)),
  prescriptions
    .read("get", "Read a prescription")
    .annotate(OpenApi.Description, "`file.url` is a signed URL of the PDF, valid for 5 minutes."),
  HttpApiEndpoint.post("render", "/prescriptions/:prescription_uid/render")
    .setPath(uid)
    .addSuccess(RenderingAccepted, { status: 202 })
    .addError(problem(PrescriptionNotFound))
    .annotate(OpenApi.Summary, "Render the unsigned PDF")
    .annotate(
      OpenApi.Description,
      "Starts a job and returns at once; poll the prescription until `rendered`, or subscribe to PRESCRIPTION_RENDERED. " +
        "A prescription is rendered once: a call during or after rendering, or for a prescription that is not waiting for a " +
        "doctor, starts nothing, and `message` says so. A rendering without a result can be requested again after an hour."
    ),
  HttpApiEndpoint.post("external_sign", "/prescriptions/:prescription_uid/external-sign")
    .setPath(uid)
    .addSuccess(ExternallySigned)
    .addError(problem(PrescriptionNotFound, PrescriptionNotWaiting, HasAnamnesis, NotRendered, RenderedAgain))
    .annotate(OpenApi.Identifier, "signPrescriptionExternally")
    .annotate(OpenApi.Summary, "Register a prescription as signed outside the service")
    .annotate(
      OpenApi.Description,
      "Copies the rendered PDF to the signed store and sends the prescription to the pharmacy. 409 unless it is waiting " +
        "for a doctor, no item has an anamnesis and its PDF has been rendered."
    ),
  HttpApiEndpoint.post("cancel", "/prescriptions/:prescription_uid/cancel")
    .setPath(uid)
    .setPayload(body({ reason: Reason }))
    .addSuccess(PrescriptionCancelled)
    .addError(problem(Invalid, PrescriptionNotFound, PrescriptionNotCancellable))
    .annotate(OpenApi.Summary, "Cancel a prescription")
    .annotate(OpenApi.Description, "From every status except `COMPLETED`; 409 if it is completed or already cancelled.")
)
  .middleware(OrganisationKey)
  .prefix("/v1/management")
  .annotate(GroupPermissions, { read: ["prescription:read"], change: ["prescription:external_sign"] })
  .annotate(Noun, "Prescription")
  .annotate(Recorded, true)
  .annotate(OpenApi.Title, "Management: prescriptions")
  .annotate(OpenApi.Description, "Reading, rendering and external signing of prescriptions") {}
