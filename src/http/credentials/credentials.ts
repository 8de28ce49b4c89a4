/** Credentials accepted by each group of endpoints, and the context that they provide to handlers (Rules of section 1). */
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "@effect/platform"
import { Context, Effect, Schema } from "effect"
import type { Actor } from "../../schemas/access/Actor.ts"
import {
  PatientOperationNotFound,
  TokenAudience,
  TokenExpired,
  TokenKeyUnknown,
  TokenMalformed,
  TokenNotYetValid,
  TokenShopUnknown,
  TokenSignature,
  TokenTooLong
} from "../../schemas/access/errors.ts"
import type { Permission } from "../../schemas/access/permissions.ts"
import type { DoctorUid, OrganisationUid, PharmacyGroupUid, PharmacyUid } from "../../schemas/ids.ts"
import { Forbidden, Invalid, TooManyRequests, Unauthenticated, Unavailable } from "../../schemas/problems.ts"
import type { Patient } from "../../services/patients/Patients.ts"
import { problem } from "../problems.ts"

export const apiKey = HttpApiSecurity.apiKey({ in: "header", key: "X-API-Key" }).pipe(
  HttpApiSecurity.annotate(OpenApi.Description, "API key of an organisation, a pharmacy or a pharmacy group: `spr_…`")
)
const bookingToken = HttpApiSecurity.apiKey({ in: "header", key: "X-Service-Booking-Token" }).pipe(
  HttpApiSecurity.annotate(OpenApi.Description, "JWT (HS256) that the partner's back end mints for one patient")
)
const bearer = HttpApiSecurity.bearer.pipe(
  HttpApiSecurity.annotate(
    OpenApi.Description,
    "Access token of the identity provider, for doctors, administrators and operators"
  )
)

export const refusal = problem(Unauthenticated, Forbidden, TooManyRequests)
/** For staff also 503, when the identity provider is unreachable. */
const staffRefusal = problem(Unauthenticated, Forbidden, TooManyRequests, Unavailable)
/** Of booking tokens. Rule 1.5.10. */
const tokenRefusal = Schema.Union(
  problem(
    Unauthenticated,
    TokenAudience,
    TokenExpired,
    TokenKeyUnknown,
    TokenMalformed,
    TokenNotYetValid,
    TokenShopUnknown,
    TokenSignature,
    TokenTooLong
  ),
  problem(Invalid, TooManyRequests)
)
/** The patient interface answers 404 instead of 403. Rule 2.4.12. */
const patientRefusal = problem(Unauthenticated, PatientOperationNotFound, TooManyRequests)

export interface OrganisationAccess {
  readonly organisation_uid: OrganisationUid
  readonly actor: Actor
}
export interface OrganisationKeyAccess extends OrganisationAccess {
  /** Everything that the key may do. */
  readonly permissions: ReadonlyArray<Permission>
}
export class CurrentOrganisationKey extends Context.Tag("http/CurrentOrganisationKey")<
  CurrentOrganisationKey,
  OrganisationKeyAccess
>() {}

/** The organisation that owns the key. */
export const currentOrganisation = Effect.map(CurrentOrganisationKey, ({ organisation_uid }) => organisation_uid)
/** For handlers: as the holder of the API key, and in its organisation. */
export const asKey = <A, E, R>(use: (caller: OrganisationKeyAccess) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(CurrentOrganisationKey, use)
export const inOrganisation = <A, E, R>(use: (owner: OrganisationUid) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(currentOrganisation, use)

/** Whether a key may see action links, which let their holder act as the patient. Rule 6.5.3. */
export const mayActForPatients = (permissions: ReadonlyArray<Permission>) =>
  permissions.includes("scheduling:write") || permissions.includes("scheduling:admin")

/** An organisation's API key with the permission that the endpoint needs. */
export class OrganisationKey extends HttpApiMiddleware.Tag<OrganisationKey>()("http/OrganisationKey", {
  failure: refusal,
  provides: CurrentOrganisationKey,
  security: { apiKey }
}) {}

/** The same for the patient interface, where a key without the permission gets 404. */
export class WriteKey extends HttpApiMiddleware.Tag<WriteKey>()("http/WriteKey", {
  failure: patientRefusal,
  provides: CurrentOrganisationKey,
  security: { apiKey }
}) {}

/** Exactly one of the two is set: the key's own pharmacy, or the group whose pharmacies it may name. */
export interface PharmacyAccess {
  /** Everything that the key may do. */
  readonly permissions: ReadonlyArray<Permission>
  readonly pharmacy_uid: PharmacyUid | null
  readonly pharmacy_group_uid: PharmacyGroupUid | null
  readonly actor: Actor
}
export class CurrentPharmacyKey extends Context.Tag("http/CurrentPharmacyKey")<CurrentPharmacyKey, PharmacyAccess>() {}

/** A pharmacy's or a pharmacy group's API key. */
export class PharmacyKey extends HttpApiMiddleware.Tag<PharmacyKey>()("http/PharmacyKey", {
  failure: refusal,
  provides: CurrentPharmacyKey,
  security: { apiKey }
}) {}

/** Any API key. */
export class AnyKey extends HttpApiMiddleware.Tag<AnyKey>()("http/AnyKey", {
  failure: refusal,
  security: { apiKey }
}) {}

export class CurrentPatient extends Context.Tag("http/CurrentPatient")<CurrentPatient, Patient>() {}

export class BookingToken extends HttpApiMiddleware.Tag<BookingToken>()("http/BookingToken", {
  failure: tokenRefusal,
  provides: CurrentPatient,
  security: { bookingToken }
}) {}

/** The same for opening a session: without the header the token may be in the body. */
export class OpeningToken extends HttpApiMiddleware.Tag<OpeningToken>()("http/OpeningToken", {
  failure: tokenRefusal,
  provides: CurrentPatient
}) {}

/** A patient, for their own records, or an organisation's key, for all its records. */
export interface Caller extends OrganisationAccess {
  readonly patient: Patient | null
}
export class CurrentCaller extends Context.Tag("http/CurrentCaller")<CurrentCaller, Caller>() {}

/**
 * A booking token, or an API key with `scheduling:write`.
 *
 * @effect-expect-leaking HttpServerRequest | ParsedSearchParams | RouteContext
 */
export class PatientOrKey extends HttpApiMiddleware.Tag<PatientOrKey>()("http/PatientOrKey", {
  failure: Schema.Union(tokenRefusal, problem(PatientOperationNotFound)),
  provides: CurrentCaller,
  security: { bookingToken, apiKey }
}) {}

export interface DoctorAccess extends OrganisationAccess {
  readonly doctor_uid: DoctorUid
}
export class CurrentDoctor extends Context.Tag("http/CurrentDoctor")<CurrentDoctor, DoctorAccess>() {}

/** The identity provider's token of a doctor. */
export class DoctorToken extends HttpApiMiddleware.Tag<DoctorToken>()("http/DoctorToken", {
  failure: staffRefusal,
  provides: CurrentDoctor,
  security: { bearer }
}) {}

export class CurrentAdmin extends Context.Tag("http/CurrentAdmin")<CurrentAdmin, OrganisationAccess>() {}

/** The identity provider's token of an organisation's administrator. */
export class AdminToken extends HttpApiMiddleware.Tag<AdminToken>()("http/AdminToken", {
  failure: staffRefusal,
  provides: CurrentAdmin,
  security: { bearer }
}) {}

/** The identity provider's token of an operator, who belongs to no tenant. */
export class OperatorToken extends HttpApiMiddleware.Tag<OperatorToken>()("http/OperatorToken", {
  failure: staffRefusal,
  security: { bearer }
}) {}
