/** Authentication of every kind of credential, then authorisation of API keys by the endpoint's required permissions. */
import { HttpRouter, HttpServerRequest } from "@effect/platform"
import { Effect, FiberRef, Layer, Option, Predicate, Redacted } from "effect"
import { Capabilities } from "../../declarations.ts"
import type { Actor } from "../../schemas/access/Actor.ts"
import { PatientOperationNotFound } from "../../schemas/access/errors.ts"
import type { PracticeRole } from "../../schemas/access/PracticeRole.ts"
import { type Permission, pharmacyPermissions } from "../../schemas/access/permissions.ts"
import type { StaffMember } from "../../schemas/access/StaffMember.ts"
import { Forbidden } from "../../schemas/problems.ts"
import { type ApiKey, ApiKeys } from "../../services/access/ApiKeys.ts"
import { Staff } from "../../services/access/Staff.ts"
import { Patients } from "../../services/patients/Patients.ts"
import { type CurrentTenant, enter } from "../../services/tenancy/Tenancy.ts"
import { admitAddress, admitCredential, type Credential } from "../admission/Admission.ts"
import { inClass } from "../admission/costClasses.ts"
import { inRequest } from "../inRequest.ts"
import { operationsOf } from "../operations.ts"
import { ServedApi } from "../ServedApi.ts"
import {
  AdminToken,
  AnyKey,
  BookingToken,
  DoctorToken,
  OpeningToken,
  OperatorToken,
  OrganisationKey,
  PatientOrKey,
  PharmacyKey,
  WriteKey
} from "./credentials.ts"
import { mayCall, practiceRights } from "./practiceRights.ts"
import { requiredPermissionsTable } from "./requiredPermissions.ts"
import { signedInStaff } from "./signedInStaff.ts"

/** The owner and permissions of an API key; staff have them by their role. */
type Holder = Pick<ApiKey, "organisation_uid" | "pharmacy_uid" | "pharmacy_group_uid" | "permissions"> & {
  readonly actor: Actor
  /** Of staff of a practice: single operations are allowed by it, too. */
  readonly practice_role?: PracticeRole | null
}

/** People of a practice have the permissions of their role, a pharmacy's staff all of a pharmacy's keys. Rule 17.2.1. */
const permissionsOf = ({ role, practice_role }: StaffMember): ReadonlyArray<Permission> => {
  if (role === "pharmacy") return pharmacyPermissions
  return practice_role === null ? [] : practiceRights[practice_role].permissions
}

/** As whom a key or a member of staff is admitted. */
type Owner = Parameters<typeof enter>[0]

const partnerOf = ({ actor, organisation_uid, pharmacy_uid }: Owner & { readonly actor: Actor }): Credential => ({
  id: `${actor.kind === "api_key" ? "key" : actor.kind}:${actor.uid}`,
  kind: "partner",
  owner: organisation_uid ?? pharmacy_uid ?? actor.uid
})

/** False for an endpoint without required permissions: it accepts no key. */
const hasAny = (key: Holder, permissions: ReadonlyArray<Permission>) =>
  permissions.some((permission) => key.permissions.includes(permission))

const wrongKind = (kind: string) => new Forbidden({ reason: `This needs ${kind} API key` })
const missing = (permissions: ReadonlyArray<Permission>) =>
  new Forbidden({ reason: `This API key lacks the permission ${permissions.join(" or ")}` })

/** Authorisation of the keys of organisations and pharmacies, by the permissions that the endpoints require. */
const authorisation = Effect.zipWith(ServedApi, Capabilities, (api, { on }) => {
  const ofDesk = on.flatMap(({ deskOperations }) => deskOperations)
  const permissionsFor = requiredPermissionsTable(api)
  const { names } = operationsOf(api)
  const required = Effect.map(
    HttpRouter.RouteContext,
    ({ route }): ReadonlyArray<Permission> => permissionsFor.get(`${route.method} ${route.path}`) ?? []
  )

  /** Whether the role of a person of the practice allows this single operation. */
  const isAllowed = ({ practice_role }: Holder) =>
    Effect.map(
      HttpRouter.RouteContext,
      ({ route }) =>
        practice_role !== undefined &&
        practice_role !== null &&
        mayCall(practice_role, names.get(`${route.method} ${route.path}`) ?? "", ofDesk)
    )

  const organisationOf = Effect.fnUntraced(function* (key: Holder) {
    const permissions = yield* required
    if (key.organisation_uid === null) return yield* wrongKind("an organisation's")
    if (!hasAny(key, permissions) && !(yield* isAllowed(key))) return yield* missing(permissions)
    return { organisation_uid: key.organisation_uid, actor: key.actor, permissions: key.permissions }
  })

  const pharmacyOf = Effect.fnUntraced(function* (key: Holder) {
    const permissions = yield* required
    if (key.organisation_uid !== null) return yield* wrongKind("a pharmacy's")
    if (!hasAny(key, permissions)) return yield* missing(permissions)
    const { pharmacy_uid, pharmacy_group_uid } = key
    return { pharmacy_uid, pharmacy_group_uid, actor: key.actor, permissions: key.permissions }
  })

  return { organisationOf, pharmacyOf } as const
})

/** Of keys, not of people: no role has these operations. */
const anyKey = (key: Holder) => (key.actor.kind === "api_key" ? Effect.void : wrongKind("an"))

/** The signed-in member of staff if the request comes from their page, otherwise the caller that the header authenticates. */
const staffOr = <A, E, R>(otherwise: Effect.Effect<A, E, R>) =>
  Effect.filterOrElse(
    FiberRef.get(signedInStaff),
    (staff): staff is StaffMember => staff !== null,
    () => otherwise
  )

const keyed = <A, E, R>(accept: (key: Holder) => Effect.Effect<A, E, R>) =>
  Effect.map(ApiKeys, (keys) => ({
    apiKey: (text: Redacted.Redacted<string>) =>
      staffOr(inClass("admission")(keys.authenticate(Redacted.value(text)))).pipe(
        Effect.map(
          (found): Holder =>
            "role" in found
              ? { ...found, permissions: permissionsOf(found) }
              : { ...found, actor: { kind: "api_key", uid: found.uid } }
        ),
        Effect.tap(enter),
        Effect.tap((holder) => admitCredential(partnerOf(holder))),
        Effect.flatMap(accept),
        inRequest
      )
  }))

/** Accepts any API key with one of these permissions. */
export const keyWith = (...permissions: ReadonlyArray<Permission>) =>
  keyed((key) => Effect.zipRight(anyKey(key), hasAny(key, permissions) ? Effect.void : missing(permissions)))

const patientOf = Effect.map(
  Patients,
  ({ authenticate }) =>
    (token: string) =>
      inClass("admission")(authenticate(token)).pipe(
        Effect.tap(({ patient_uid, ...owner }) => enter({ ...owner, actor: { kind: "patient", uid: patient_uid } })),
        Effect.tap(({ patient_uid, organisation_uid }) =>
          admitCredential({ id: `patient:${patient_uid}`, kind: "patient", owner: organisation_uid })
        ),
        inRequest
      )
)

const permitted = (key: Holder) =>
  key.organisation_uid !== null && key.permissions.includes("scheduling:write")
    ? Effect.succeed({ organisation_uid: key.organisation_uid, actor: key.actor, permissions: key.permissions })
    : Effect.fail(new PatientOperationNotFound())

/** The framework tries the second credential if the first fails, and returns the second one's error. */
const patientOrKey = Effect.gen(function* () {
  const authenticate = yield* patientOf
  const keys = yield* keyed((key) => Effect.map(permitted(key), (access) => ({ ...access, patient: null })))
  const bookingToken = (token: Redacted.Redacted<string>) =>
    Effect.map(authenticate(Redacted.value(token)), (patient) => ({
      organisation_uid: patient.organisation_uid,
      actor: { kind: "patient" as const, uid: patient.patient_uid },
      patient
    }))
  return {
    bookingToken,
    apiKey: Effect.fnUntraced(function* (key: Redacted.Redacted<string>) {
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      const token = headers["x-service-booking-token"]
      if (Redacted.value(key) === "" && token !== undefined) return yield* bookingToken(Redacted.make(token))
      return yield* keys.apiKey(key)
    })
  }
})

const bookingToken = Effect.map(patientOf, (authenticate) => ({
  bookingToken: (token: Redacted.Redacted<string>) => authenticate(Redacted.value(token))
}))

/** A body of this length is read before its token is verified; a longer one, or one of unknown length, counts by address first. Bytes. */
const READ_AT_ONCE = 16_384

/** An unreadable body yields no token; errors of the body are shown only to callers with a token. */
const tokenInBody = HttpServerRequest.HttpServerRequest.pipe(
  Effect.tap(({ headers }) => (Number(headers["content-length"]) <= READ_AT_ONCE ? Effect.void : admitAddress)),
  Effect.flatMap(({ json }) => json),
  Effect.orElseSucceed(() => null),
  Effect.map((body) =>
    Predicate.hasProperty(body, "booking_token") && Predicate.isString(body.booking_token) ? body.booking_token : ""
  )
)

const openingToken = Effect.map(patientOf, (authenticate) =>
  HttpServerRequest.HttpServerRequest.pipe(
    Effect.flatMap(({ headers }) =>
      headers["x-service-booking-token"] === undefined
        ? tokenInBody
        : Effect.succeed(headers["x-service-booking-token"])
    ),
    Effect.flatMap(authenticate)
  )
)

const staffOf = <A extends Owner & { readonly actor: Actor }, E>(
  ofMember: (member: StaffMember) => Option.Option<A>,
  authenticate: (token: string) => Effect.Effect<A, E, CurrentTenant>
) => ({
  bearer: (token: Redacted.Redacted<string>) =>
    FiberRef.get(signedInStaff).pipe(
      Effect.flatMap(
        (member): Effect.Effect<A, E | Forbidden, CurrentTenant> =>
          member === null
            ? authenticate(Redacted.value(token))
            : Effect.zipRight(
                enter(member), // also for a refusal: the audit log names the owner and the person
                Effect.mapError(ofMember(member), () => new Forbidden({ reason: "This needs another role" }))
              )
      ),
      Effect.tap(enter),
      Effect.tap((member) => admitCredential(partnerOf(member))),
      inRequest
    )
})

const doctorOf = ({ role, organisation_uid, doctor_uid, actor }: StaffMember) =>
  role === "doctor" && organisation_uid !== null && doctor_uid !== null
    ? Option.some({ organisation_uid, doctor_uid, actor })
    : Option.none()

const adminOf = ({ role, practice_role, organisation_uid, actor }: StaffMember) =>
  role === "admin" && practice_role === "owner" && organisation_uid !== null
    ? Option.some({ organisation_uid, actor })
    : Option.none()

const operatorOf = ({ role, actor }: StaffMember) => (role === "operator" ? Option.some({ actor }) : Option.none())

export const CredentialsLive = Layer.mergeAll(
  Layer.effect(
    OrganisationKey,
    Effect.flatMap(authorisation, ({ organisationOf }) => keyed(organisationOf))
  ),
  Layer.effect(WriteKey, keyed(permitted)),
  Layer.effect(
    PharmacyKey,
    Effect.flatMap(authorisation, ({ pharmacyOf }) => keyed(pharmacyOf))
  ),
  Layer.effect(AnyKey, keyed(anyKey)),
  Layer.effect(BookingToken, bookingToken),
  Layer.effect(OpeningToken, openingToken),
  Layer.effect(PatientOrKey, patientOrKey),
  Layer.effect(
    DoctorToken,
    Effect.map(Staff, ({ doctor }) => staffOf(doctorOf, doctor))
  ),
  Layer.effect(
    AdminToken,
    Effect.map(Staff, ({ admin }) => staffOf(adminOf, admin))
  ),
  Layer.effect(
    OperatorToken,
    Effect.map(Staff, ({ operator }) => {
      const { bearer } = staffOf(operatorOf, operator)
      return { bearer: (token: Redacted.Redacted<string>) => Effect.asVoid(bearer(token)) }
    })
  )
).pipe(Layer.provide([ApiKeys.Default, Patients.Default, Staff.Default]))
