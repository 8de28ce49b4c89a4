/** Contract: export, erasure and restriction (section 12.2). */
import { HttpApi, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { CostClass } from "../../../http/admission/costClasses.ts"
import { apiGroup } from "../../../http/apiGroup.ts"
import { OrganisationKey } from "../../../http/credentials/credentials.ts"
import { RequiredPermissions } from "../../../http/credentials/requiredPermissions.ts"
import { UsesKey } from "../../../http/idempotent.ts"
import { addProblems } from "../../../http/problems.ts"
import { recordEndpoints } from "../../../http/recordEndpoints.ts"
import { PatientNotFound } from "../../../schemas/access/errors.ts"
import { Patient } from "../../../schemas/access/Patient.ts"
import { PatientUid } from "../../../schemas/ids.ts"
import { Invalid } from "../../../schemas/problems.ts"
import { PatientRestricted } from "../../../schemas/scheduling/errors.ts"
import { BothHaveAccounts, Merged, NewMerge } from "../schemas/Merge.ts"
import { Erased, NewErasure, PatientExport, Restriction } from "../schemas/PatientRights.ts"

const uid = Schema.Struct({ patient_uid: PatientUid })
const patients = recordEndpoints("/patients/:patient_uid", uid, Patient, PatientNotFound)

addProblems(409, BothHaveAccounts)

class Rights extends apiGroup(
  "organisation.patient_rights",
  patients
    .act("export", "Export all data of a patient", PatientExport, Invalid)
    .annotate(CostClass, "report")
    .annotate(UsesKey, "again")
    .annotate(OpenApi.Identifier, "exportPatientRights")
    .annotate(OpenApi.Description, "URLs of files are valid for five minutes. Publishes one `patient.exported` event."),
  patients
    .act(
      "export_document",
      "Export all data of a patient as a printable page",
      HttpApiSchema.Text({ contentType: "text/html" }),
      Invalid
    )
    .annotate(CostClass, "report")
    .annotate(UsesKey, "again")
    .annotate(OpenApi.Identifier, "exportDocumentPatientRights")
    .annotate(OpenApi.Description, "The same as `export`, in HTML without scripts, links to files included."),
  patients
    .act("erase", "Erase a patient", Erased, Invalid)
    .setPayload(NewErasure)
    .annotate(CostClass, "report")
    .annotate(OpenApi.Identifier, "erasePatientRights")
    .annotate(
      OpenApi.Description,
      "Cancels future appointments. Records that the law requires are kept encrypted; the response lists them with reason " +
        "and retention. It cannot be undone. A repetition is 404. Publishes one `patient.erased` event."
    ),
  patients
    .act(
      "merge",
      "Merge a patient into another record of the same person",
      Merged,
      Invalid,
      PatientRestricted,
      BothHaveAccounts
    )
    .setPayload(NewMerge)
    .annotate(CostClass, "report")
    .annotate(OpenApi.Identifier, "mergePatient")
    .annotate(
      OpenApi.Description,
      "Appointments, prescriptions, orders, consents and all else belong to `into` afterwards; its values count, and those that " +
        "it lacks are taken over. The record is gone. `dry_run` shows the result. It cannot be undone. Publishes one " +
        "`patient.merged` event."
    ),
  patients
    .act("restrict", "Restrict the processing of a patient's data, or lift the restriction", Patient, Invalid)
    .setPayload(Restriction)
    .annotate(OpenApi.Identifier, "restrictPatientRights")
    .annotate(
      OpenApi.Description,
      "While restricted, nothing is booked for the patient, nothing is sent to the patient, booking tokens do not change " +
        "the profile, and retention does not delete it. Reading, correcting and erasing stay possible."
    )
)
  .middleware(OrganisationKey)
  .prefix("/v1/management")
  .annotateEndpoints(RequiredPermissions, ["patients:admin"])
  .annotate(OpenApi.Title, "Organisation: a patient's rights")
  .annotate(OpenApi.Description, "Export, erasure and restriction of a patient's data") {}

export class PatientRightsApi extends HttpApi.make("sprechstunde").add(Rights) {}
