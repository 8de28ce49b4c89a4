/** Contract: an organisation with its doctors, shops, patients, consents, events and keys. */
import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Noun, Recorded } from "../../../../http/annotations.ts"
import { apiGroup } from "../../../../http/apiGroup.ts"
import { IfMatch } from "../../../../http/conditional.ts"
import { AdminToken, OrganisationKey } from "../../../../http/credentials/credentials.ts"
import { GroupPermissions, RequiredPermissions } from "../../../../http/credentials/requiredPermissions.ts"
import { UsesKey } from "../../../../http/idempotent.ts"
import { problem } from "../../../../http/problems.ts"
import { recordEndpoints } from "../../../../http/recordEndpoints.ts"
import { ListedApiKey } from "../../../../schemas/access/ApiKey.ts"
import {
  AdministratorNotFound,
  AlreadyUsed,
  ApiKeyNotFound,
  OrganisationNotFound,
  PatientMerged,
  PatientNotFound,
  ShopNotFound
} from "../../../../schemas/access/errors.ts"
import { Patient, PatientQuery } from "../../../../schemas/access/Patient.ts"
import { EventFeed, EventFeedQuery } from "../../../../schemas/events/EventFeed.ts"
import { AdminUid, ApiKeyUid, ConsentUid, DoctorUid, PatientUid, ShopUid } from "../../../../schemas/ids.ts"
import { Listed, ListQuery, Paged } from "../../../../schemas/paging.ts"
import { Consent, NewConsent } from "../../../../schemas/patients/Consent.ts"
import { ConsentNotFound } from "../../../../schemas/patients/errors.ts"
import { Invalid, PreconditionFailed } from "../../../../schemas/problems.ts"
import { Doctor, DoctorChanges, DoctorQuery, NewDoctor } from "../../../../schemas/scheduling/Doctor.ts"
import { DoctorHasAppointments, DoctorNotFound } from "../../../../schemas/scheduling/errors.ts"
import { CreatedApiKey, NewApiKey } from "../../schemas/ApiKeys.ts"
import { WholeOrganisation, WholeOrganisationChanges } from "../../schemas/Organisation.ts"
import { NewPatient, PatientChanges } from "../../schemas/PatientBodies.ts"
import { NewShop, Shop, ShopChanges, ShopQuery } from "../../schemas/Shop.ts"

/** The organisation itself (Rule 12.1.3). */
export class OrganisationApi extends apiGroup(
  "organisation.settings",
  HttpApiEndpoint.get("one", "/organisation")
    .addSuccess(WholeOrganisation)
    .addError(problem(OrganisationNotFound))
    .annotate(OpenApi.Summary, "Read the organisation"),
  HttpApiEndpoint.patch("update", "/organisation")
    .setHeaders(IfMatch)
    .setPayload(WholeOrganisationChanges)
    .addSuccess(WholeOrganisation)
    .addError(problem(Invalid, OrganisationNotFound, PreconditionFailed))
    .annotate(OpenApi.Summary, "Change the organisation; only sent fields change"),
  HttpApiEndpoint.del("remove_admin", "/organisation/admins/:admin_uid")
    .setPath(Schema.Struct({ admin_uid: AdminUid }))
    .addSuccess(HttpApiSchema.NoContent)
    .addError(problem(AdministratorNotFound))
    .annotate(OpenApi.Identifier, "deleteAdministrator")
    .annotate(OpenApi.Summary, "Remove an administrator: they get no more reminders")
)
  .annotateEndpoints(RequiredPermissions, ["organisation:admin"])
  .middleware(OrganisationKey)
  .prefix("/v1/management")
  .annotate(Noun, "Organisation")
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Organisation: settings")
  .annotate(OpenApi.Description, "Name, zone, origins, messages, limits, consent and administrators") {}

/** An organisation's doctors (Rule 12.1.1). */
const doctorUid = Schema.Struct({ doctor_uid: DoctorUid })
const doctors = recordEndpoints("/doctors/:doctor_uid", doctorUid, Doctor, DoctorNotFound)

export class OrganisationDoctorsApi extends apiGroup(
  "organisation.doctors",
  doctors.list("list", "List the records of doctors, by name", DoctorQuery, Paged(Doctor)),
  doctors
    .create("create", "Create a doctor", NewDoctor)
    .annotate(OpenApi.Description, "Nothing can be booked until the doctor has availability rules."),
  doctors.read("one", "Read a doctor"),
  doctors.update("update", "Change a doctor; only sent fields change", DoctorChanges),
  doctors
    .remove("remove", "Delete a doctor", DoctorHasAppointments)
    .annotate(
      OpenApi.Description,
      "Removes the doctor from all lists and searches and blocks the sign-in; past appointments keep the name. 409 " +
        "while a hold or a confirmed appointment has not ended: cancel them (`bulk-cancel`) or move them first."
    )
)
  .middleware(OrganisationKey)
  .prefix("/v1/management")
  .annotateEndpoints(RequiredPermissions, ["organisation:admin"])
  .annotate(Noun, "Doctor")
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Organisation: doctors")
  .annotate(OpenApi.Description, "Doctors, the same records as in provisioning") {}

/** An organisation's shops (Rule 12.1.2). */
const shopUid = Schema.Struct({ shop_uid: ShopUid })
const shops = recordEndpoints("/shops/:shop_uid", shopUid, Shop, ShopNotFound)

export class ShopsApi extends apiGroup(
  "organisation.shops",
  shops.list("list", "List shops, by identifier", ShopQuery, Paged(Shop)),
  shops.create("create", "Create a shop", NewShop, AlreadyUsed),
  shops.read("one", "Read a shop"),
  shops.update("update", "Change a shop; only sent fields change", ShopChanges, AlreadyUsed)
)
  .middleware(OrganisationKey)
  .prefix("/v1/management")
  .annotateEndpoints(RequiredPermissions, ["organisation:admin"])
  .annotate(Noun, "Shop")
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Organisation: shops")
  .annotate(
    OpenApi.Description,
    "Shops, the same records as in provisioning; responses never contain the secrets of their storefronts"
  ) {}

/** An organisation's patients (Rules 12.1.4 to 12.1.8). */
const patientUid = Schema.Struct({ patient_uid: PatientUid })
const patients = recordEndpoints("/patients/:patient_uid", patientUid, Patient, PatientNotFound)

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

/** Consents of patients (section 12.5). */
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

/** The feed of an organisation's events (Rule 6.5). */
export class EventsApi extends apiGroup(
  "management.events",
  HttpApiEndpoint.get("feed", "/events")
    .setUrlParams(EventFeedQuery)
    .addSuccess(EventFeed)
    .addError(problem(Invalid))
    .annotate(RequiredPermissions, ["scheduling:read"])
    .annotate(OpenApi.Identifier, "listEvents")
    .annotate(OpenApi.Summary, "Read events in order")
    .annotate(
      OpenApi.Description,
      "The organisation's events, the same as webhooks deliver, kept for 30 days: also those that a webhook has missed. For the next page send `after` with the last id; an unknown or deleted id is 400."
    )
)
  .middleware(OrganisationKey)
  .prefix("/v1/management")
  .annotate(Recorded, true)
  .annotate(OpenApi.Title, "Management: events")
  .annotate(OpenApi.Description, "The feed of the organisation's events, kept for 30 days") {}

/** An organisation's own API keys (Rules 8.3.9 to 8.3.11); provisioned keys are listed too. */
export class ApiKeysApi extends apiGroup(
  "admin.api_keys",
  HttpApiEndpoint.get("list", "/")
    .addSuccess(Listed(ListedApiKey))
    .annotate(OpenApi.Identifier, "listApiKeys")
    .annotate(OpenApi.Summary, "List the organisation's API keys"),
  HttpApiEndpoint.post("create", "/")
    .annotate(UsesKey, "transaction")
    .setPayload(NewApiKey)
    .addSuccess(CreatedApiKey, { status: 201 })
    .addError(problem(Invalid))
    .annotate(OpenApi.Summary, "Create an API key; only this response shows it"),
  HttpApiEndpoint.del("revoke", "/:uid")
    .setPath(Schema.Struct({ uid: ApiKeyUid }))
    .addSuccess(HttpApiSchema.NoContent)
    .addError(problem(ApiKeyNotFound))
    .annotate(OpenApi.Summary, "Revoke an API key immediately")
)
  .middleware(AdminToken)
  .prefix("/v1/admin/api-keys")
  .annotate(Noun, "ApiKey")
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Admin: API keys")
  .annotate(OpenApi.Description, "API keys of the organisation, by an administrator's token") {}
