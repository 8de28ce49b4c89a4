/** Doctors, administrators, pharmacists and operators: their access tokens are checked, and that the records named in them exist. Section 1.9. */
import { SqlClient } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import type { Role } from "../../schemas/access/Actor.ts"
import { DoctorUid, OrganisationUid, PharmacyGroupUid, PharmacyUid } from "../../schemas/ids.ts"
import { Forbidden, Unauthenticated, Unavailable } from "../../schemas/problems.ts"
import { rowsOf } from "../rows.ts"
import { withOwner } from "../Tenancy.ts"
import { Identity, type VerifiedIdentity } from "./Identity.ts"

const refused = () =>
  new Unauthenticated({ reason: "Send a valid access token of the identity provider as a bearer token" })
const unavailable = () => new Unavailable({ reason: "The identity provider cannot be reached: try again" })
const unknown = (who: string) => new Forbidden({ reason: `The token names no ${who} of this service` })

const OrganisationRecord = Schema.Struct({ organisation_uid: OrganisationUid })
const DoctorRecord = Schema.Struct({ organisation_uid: OrganisationUid, doctor_uid: DoctorUid })

const PharmacyRecord = Schema.Struct({
  pharmacy_uid: Schema.NullOr(PharmacyUid),
  pharmacy_group_uid: Schema.NullOr(PharmacyGroupUid)
})

const ensureRole = (identity: Pick<VerifiedIdentity, "roles">, role: Role) =>
  identity.roles.includes(role) ? Effect.void : Effect.fail(new Forbidden({ reason: `This needs the role ${role}` }))

export class Staff extends Effect.Service<Staff>()("access/Staff", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const identity = yield* Identity

    const verify = (token: string) =>
      identity.verify(token).pipe(
        Effect.catchTags({
          IdentityRefused: ({ reason }) =>
            Effect.zipRight(Effect.logDebug("access token refused", reason), Effect.fail(refused())),
          IdentityUnavailable: ({ cause }) =>
            Effect.zipRight(Effect.logWarning("identity provider", cause), Effect.fail(unavailable()))
        })
      )
    const doctors = rowsOf(DoctorRecord)
    const organisations = rowsOf(OrganisationRecord)
    const pharmacies = rowsOf(PharmacyRecord)

    /**
     * The doctor of an access token. Fails with `Unauthenticated`, `Unavailable`, or `Forbidden` without the role or for
     * a doctor that does not exist. Rules 1.9.8 and 1.9.9.
     */
    const doctor = Effect.fn("Staff.doctor")(function* (token: string) {
      const { organisation_uid, doctor_uid, ...found } = yield* verify(token)
      yield* ensureRole(found, "doctor")
      const owner = Option.getOrNull(organisation_uid)
      const record = yield* doctors
        .firstOr(
          sql`SELECT organisation_uid, uid AS doctor_uid FROM doctors
            WHERE organisation_uid = ${owner} AND uid = ${Option.getOrNull(doctor_uid)}
              AND deleted_at IS NULL`,
          () => unknown("doctor")
        )
        .pipe(withOwner({ organisation_uid: owner }))
      return { ...record, actor: { kind: "doctor" as const, uid: record.doctor_uid } }
    })

    /** The administrator of an access token, as the provider's `sub` names the person. Fails like `doctor`. */
    const admin = Effect.fn("Staff.admin")(function* (token: string) {
      const { organisation_uid, ...found } = yield* verify(token)
      yield* ensureRole(found, "admin")
      const owner = Option.getOrNull(organisation_uid)
      const record = yield* organisations
        .firstOr(sql`SELECT organisation_uid FROM organisations WHERE organisation_uid = ${owner}`, () =>
          unknown("organisation")
        )
        .pipe(withOwner({ organisation_uid: owner }))
      return { ...record, actor: { kind: "admin" as const, uid: found.subject } }
    })

    /**
     * The pharmacy, or the group of pharmacies, of an access token that names exactly one of them. Fails like `doctor`.
     */
    const pharmacy = Effect.fn("Staff.pharmacy")(function* (token: string) {
      const { pharmacy_uid, pharmacy_group_uid, ...found } = yield* verify(token)
      yield* ensureRole(found, "pharmacy")
      if (Option.isSome(pharmacy_uid) === Option.isSome(pharmacy_group_uid)) return yield* unknown("pharmacy")
      const record = yield* pharmacies
        .firstOr(
          sql`SELECT pharmacy_uid, NULL AS pharmacy_group_uid FROM pharmacies
            WHERE pharmacy_uid = ${Option.getOrNull(pharmacy_uid)}
          UNION ALL
          SELECT NULL, pharmacy_group_uid FROM pharmacy_groups
            WHERE pharmacy_group_uid = ${Option.getOrNull(pharmacy_group_uid)}`,
          () => unknown("pharmacy")
        )
        .pipe(withOwner({ pharmacy_uid: Option.getOrNull(pharmacy_uid) }))
      return { ...record, actor: { kind: "pharmacy" as const, uid: found.subject } }
    })

    /** The operator of an access token, whose role covers the whole installation. Fails like `doctor`. */
    const operator = Effect.fn("Staff.operator")(function* (token: string) {
      const found = yield* verify(token)
      yield* ensureRole(found, "operator")
      return { actor: { kind: "operator" as const, uid: found.subject } }
    })
    return { doctor, admin, pharmacy, operator } as const
  })
}) {}
