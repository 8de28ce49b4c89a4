/** Contract: export, erasure and restriction (section 12.2). */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { PatientNotFound } from "../../../schemas/access/errors.ts"
import { Patient } from "../../../schemas/access/Patient.ts"
import { PatientUid } from "../../../schemas/ids.ts"
import { BothHaveAccounts } from "../../../schemas/patients/errors.ts"
import { Merged, NewMerge } from "../../../schemas/patients/Merge.ts"
import { Erased, NewErasure, PatientExport, Restriction } from "../../../schemas/patients/PatientRights.ts"
import { Invalid } from "../../../schemas/problems.ts"
import { PatientRestricted } from "../../../schemas/scheduling/errors.ts"
import { CostClass } from "../../admission/costClasses.ts"
import { OrganisationKey } from "../../credentials/credentials.ts"
import { RequiredPermissions } from "../../credentials/requiredPermissions.ts"
import { NotReplayed } from "../../idempotent.ts"
import { problem } from "../../problems.ts"

const uid = Schema.Struct({ patient_uid: PatientUid })

export class PatientRightsApi extends HttpApiGroup.make("organisation.patient_rights")
  .add(
    HttpApiEndpoint.post("export", "/patients/:patient_uid/export")
      .setPath(uid)
      .addSuccess(PatientExport)
      .addError(problem(Invalid, PatientNotFound))
      .annotate(CostClass, "report")
      .annotate(NotReplayed, true)
      .annotate(OpenApi.Identifier, "exportPatientRights")
      .annotate(OpenApi.Summary, "Export all data of a patient")
      .annotate(
        OpenApi.Description,
        "URLs of files are valid for five minutes. Publishes one `patient.exported` event."
      )
  )
  .add(
    HttpApiEndpoint.post("export_document", "/patients/:patient_uid/export-document")
      .setPath(uid)
      .addSuccess(HttpApiSchema.Text({ contentType: "text/html" }))
      .addError(problem(Invalid, PatientNotFound))
      .annotate(CostClass, "report")
      .annotate(NotReplayed, true)
      .annotate(OpenApi.Identifier, "exportDocumentPatientRights")
      .annotate(OpenApi.Summary, "Export all data of a patient as a printable page")
      .annotate(OpenApi.Description, "The same as `export`, in HTML without scripts, links to files included.")
  )
  .add(
    HttpApiEndpoint.post("erase", "/patients/:patient_uid/erase")
      .setPath(uid)
      .setPayload(NewErasure)
      .addSuccess(Erased)
      .addError(problem(Invalid, PatientNotFound))
      .annotate(CostClass, "report")
      .annotate(OpenApi.Identifier, "erasePatientRights")
      .annotate(OpenApi.Summary, "Erase a patient")
      .annotate(
        OpenApi.Description,
        "Cancels future appointments. Records that the law requires are kept encrypted; the response lists them with reason " +
          "and retention. It cannot be undone. A repetition is 404. Publishes one `patient.erased` event."
      )
  )
  .add(
    HttpApiEndpoint.post("merge", "/patients/:patient_uid/merge")
      .setPath(uid)
      .setPayload(NewMerge)
      .addSuccess(Merged)
      .addError(problem(Invalid, PatientRestricted, PatientNotFound, BothHaveAccounts))
      .annotate(CostClass, "report")
      .annotate(OpenApi.Identifier, "mergePatient")
      .annotate(OpenApi.Summary, "Merge a patient into another record of the same person")
      .annotate(
        OpenApi.Description,
        "Appointments, prescriptions, orders, consents and all else belong to `into` afterwards; its values count, and those that " +
          "it lacks are taken over. The record is gone. `dry_run` shows the result. It cannot be undone. Publishes one " +
          "`patient.merged` event."
      )
  )
  .add(
    HttpApiEndpoint.post("restrict", "/patients/:patient_uid/restrict")
      .setPath(uid)
      .setPayload(Restriction)
      .addSuccess(Patient)
      .addError(problem(Invalid, PatientNotFound))
      .annotate(OpenApi.Identifier, "restrictPatientRights")
      .annotate(OpenApi.Summary, "Restrict the processing of a patient's data, or lift the restriction")
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
