/** Contract: consents of patients (section 12.5). */
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Recorded } from "../../../../http/annotations.ts"
import { apiGroup } from "../../../../http/apiGroup.ts"
import { OrganisationKey } from "../../../../http/credentials/credentials.ts"
import { RequiredPermissions } from "../../../../http/credentials/requiredPermissions.ts"
import { UsesKey } from "../../../../http/idempotent.ts"
import { problem } from "../../../../http/problems.ts"
import { PatientNotFound } from "../../../../schemas/access/errors.ts"
import { ConsentUid, PatientUid } from "../../../../schemas/ids.ts"
import { Listed, ListQuery } from "../../../../schemas/paging.ts"
import { Consent, NewConsent } from "../../../../schemas/patients/Consent.ts"
import { ConsentNotFound } from "../../../../schemas/patients/errors.ts"
import { Invalid } from "../../../../schemas/problems.ts"

const ofPatient = Schema.Struct({ patient_uid: PatientUid })

export class ConsentsApi extends apiGroup(
  "organisation.consents",
  HttpApiEndpoint.get("list", "/patients/:patient_uid/consents")
    .setPath(ofPatient)
    .setUrlParams(ListQuery)
    .addSuccess(Listed(Consent))
    .addError(problem(PatientNotFound, Invalid))
    .annotate(RequiredPermissions, ["patients:read"])
    .annotate(OpenApi.Identifier, "listConsents")
    .annotate(OpenApi.Summary, "List a patient's consents, the oldest first"),
  HttpApiEndpoint.post("give", "/patients/:patient_uid/consents")
    .setPath(ofPatient)
    .annotate(UsesKey, "transaction")
    .setPayload(NewConsent)
    .addSuccess(Consent, { status: 201 })
    .addError(problem(Invalid, PatientNotFound))
    .annotate(RequiredPermissions, ["patients:write"])
    .annotate(OpenApi.Identifier, "giveConsents")
    .annotate(OpenApi.Summary, "Record a consent that the patient gave elsewhere")
    .annotate(
      OpenApi.Description,
      "To a current or earlier version of a text of the organisation. A consent that is still in force is returned unchanged."
    ),
  HttpApiEndpoint.post("withdraw", "/patients/:patient_uid/consents/:consent_uid/withdraw")
    .setPath(Schema.Struct({ ...ofPatient.fields, consent_uid: ConsentUid }))
    .addSuccess(Consent)
    .addError(problem(ConsentNotFound))
    .annotate(RequiredPermissions, ["patients:admin"])
    .annotate(OpenApi.Identifier, "withdrawConsents")
    .annotate(OpenApi.Summary, "Record that a patient withdrew a consent")
    .annotate(OpenApi.Description, "The consent is kept with `withdrawn_at`. A repetition changes nothing.")
)
  .middleware(OrganisationKey)
  .prefix("/v1/management")
  .annotate(Recorded, true)
  .annotate(OpenApi.Title, "Organisation: consents")
  .annotate(OpenApi.Description, "Consents of patients: text, version and time") {}
