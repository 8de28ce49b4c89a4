/** Contract: an organisation's patients (Rules 12.1.4 to 12.1.8). */
import { OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Noun, Recorded } from "../../../../http/annotations.ts"
import { apiGroup } from "../../../../http/apiGroup.ts"
import { OrganisationKey } from "../../../../http/credentials/credentials.ts"
import { GroupPermissions } from "../../../../http/credentials/requiredPermissions.ts"
import { recordEndpoints } from "../../../../http/recordEndpoints.ts"
import { AlreadyUsed, PatientMerged, PatientNotFound, ShopNotFound } from "../../../../schemas/access/errors.ts"
import { NewPatient, Patient, PatientChanges, PatientQuery } from "../../../../schemas/access/Patient.ts"
import { PatientUid } from "../../../../schemas/ids.ts"
import { Paged } from "../../../../schemas/paging.ts"

const uid = Schema.Struct({ patient_uid: PatientUid })
const patients = recordEndpoints("/patients/:patient_uid", uid, Patient, PatientNotFound)

export class PatientsApi extends apiGroup(
  "organisation.patients",
  patients.list("list", "List patients, newest first", PatientQuery, Paged(Patient)),
  patients
    .create("create", "Create a patient", NewPatient, ShopNotFound, AlreadyUsed)
    .annotate(
      OpenApi.Description,
      "A booking token and a booking by API key create the patient automatically; this is for patients who are needed " +
        "earlier."
    ),
  patients
    .read("one", "Read a patient", PatientMerged)
    .annotate(
      OpenApi.Description,
      "A record that was merged into another is 404 as well; its `merged_into` is the uid of the record that stays."
    ),
  patients
    .update("update", "Change a patient; only sent fields change", PatientChanges, AlreadyUsed)
    .annotate(
      OpenApi.Description,
      "Fields of `profile` that are sent replace the stored ones; null removes one. For a key without `patients:read` the " +
        "response has only those profile fields that were sent."
    )
)
  .middleware(OrganisationKey)
  .prefix("/v1/management")
  .annotate(GroupPermissions, { read: ["patients:read"], change: ["patients:write"] })
  .annotate(Noun, "Patient")
  .annotate(Recorded, true)
  .annotate(OpenApi.Title, "Organisation: patients")
  .annotate(OpenApi.Description, "Patients and their profiles") {}
