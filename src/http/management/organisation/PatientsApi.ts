/** Contract: an organisation's patients (Rules 12.1.4 to 12.1.8). */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import {
  AlreadyUsed,
  IdempotencyKeyReused,
  PatientMerged,
  PatientNotFound,
  ShopNotFound
} from "../../../schemas/access/errors.ts"
import { NewPatient, Patient, PatientChanges, PatientQuery } from "../../../schemas/access/Patient.ts"
import { PatientUid } from "../../../schemas/ids.ts"
import { Paged } from "../../../schemas/paging.ts"
import { Invalid, PreconditionFailed } from "../../../schemas/problems.ts"
import { Noun, Recorded } from "../../annotations.ts"
import { IfMatch } from "../../conditional.ts"
import { OrganisationKey } from "../../credentials/credentials.ts"
import { GroupPermissions } from "../../credentials/requiredPermissions.ts"
import { IdempotencyKey } from "../../idempotent.ts"
import { problem } from "../../problems.ts"

const uid = Schema.Struct({ patient_uid: PatientUid })

export class PatientsApi extends HttpApiGroup.make("organisation.patients")
  .add(
    HttpApiEndpoint.get("list", "/patients")
      .setUrlParams(PatientQuery)
      .addSuccess(Paged(Patient))
      .addError(problem(Invalid))
      .annotate(OpenApi.Summary, "List patients, newest first")
  )
  .add(
    HttpApiEndpoint.post("create", "/patients")
      .setHeaders(IdempotencyKey)
      .setPayload(NewPatient)
      .addSuccess(Patient, { status: 201 })
      .addError(problem(IdempotencyKeyReused, Invalid, ShopNotFound, AlreadyUsed))
      .annotate(OpenApi.Summary, "Create a patient")
      .annotate(
        OpenApi.Description,
        "A booking token and a booking by API key create the patient automatically; this is for patients who are needed " +
          "earlier."
      )
  )
  .add(
    HttpApiEndpoint.get("one", "/patients/:patient_uid")
      .setPath(uid)
      .addSuccess(Patient)
      .addError(problem(PatientNotFound, PatientMerged))
      .annotate(OpenApi.Summary, "Read a patient")
      .annotate(
        OpenApi.Description,
        "A record that was merged into another is 404 as well; its `merged_into` is the uid of the record that stays."
      )
  )
  .add(
    HttpApiEndpoint.patch("update", "/patients/:patient_uid")
      .setPath(uid)
      .setHeaders(IfMatch)
      .setPayload(PatientChanges)
      .addSuccess(Patient)
      .addError(problem(Invalid, PatientNotFound, AlreadyUsed, PreconditionFailed))
      .annotate(OpenApi.Summary, "Change a patient; only sent fields change")
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
