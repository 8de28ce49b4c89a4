/** Doctors, administrators, pharmacists and operators: verifies their access tokens, and that the records in them exist. Section 1.9. */
import { Array as Arr, Effect, Option, Schema } from "effect"
import { Role } from "../../schemas/access/Actor.ts"
import { claimedRole, PracticeRole } from "../../schemas/access/PracticeRole.ts"
import type { StaffClaims, StaffMember } from "../../schemas/access/StaffMember.ts"
import { DoctorUid, OrganisationUid, PharmacyGroupUid, PharmacyUid } from "../../schemas/ids.ts"
import { Forbidden, Unauthenticated, Unavailable } from "../../schemas/problems.ts"
import { any, rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { Extensions } from "../Extensions.ts"
import { Service } from "../Service.ts"
import { OwnerByKey } from "../tenancy/OwnerByKey.ts"
import { enter, withOwner } from "../tenancy/Tenancy.ts"
import { Identity, logUnavailable, type VerifiedIdentity } from "./Identity.ts"

const refused = () =>
  new Unauthenticated({ reason: "Send a valid access token of the identity provider as a bearer token" })
const unavailable = () => new Unavailable({ reason: "The identity provider cannot be reached: try again" })
const unknown = (who: string) => new Forbidden({ reason: `The token names no ${who} of this service` })

const OrganisationRecord = Schema.Struct({
  organisation_uid: OrganisationUid,
  name: Schema.String,
  /** Set by the practice for the person; null: the provider's counts. */
  given_role: Schema.NullOr(PracticeRole),
  removed: Schema.Boolean
})
const DoctorRecord = Schema.Struct({
  organisation_uid: OrganisationUid,
  doctor_uid: DoctorUid,
  name: Schema.String,
  timezone: Schema.String
})

const PharmacyRecord = Schema.Struct({
  pharmacy_uid: Schema.NullOr(PharmacyUid),
  pharmacy_group_uid: Schema.NullOr(PharmacyGroupUid),
  name: Schema.String
})

const noRecords = {
  practice_role: null,
  name: null,
  organisation_uid: null,
  doctor_uid: null,
  timezone: null,
  pharmacy_uid: null,
  pharmacy_group_uid: null
}

const claimsOf = (identity: VerifiedIdentity): StaffClaims => ({
  subject: identity.subject,
  roles: identity.roles,
  organisation_uid: Option.getOrNull(identity.organisation_uid),
  doctor_uid: Option.getOrNull(identity.doctor_uid),
  pharmacy_uid: Option.getOrNull(identity.pharmacy_uid),
  pharmacy_group_uid: Option.getOrNull(identity.pharmacy_group_uid),
  name: null
})

const notAdmin = () => new Forbidden({ reason: "This needs the role admin" })
const ensureRole = ({ roles }: StaffClaims, role: Role) =>
  roles.includes(role) ? Effect.void : Effect.fail(new Forbidden({ reason: `This needs the role ${role}` }))

export class Staff extends Service<Staff>()("access/Staff", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const identity = yield* Identity
    const byKey = yield* OwnerByKey
    const extensions = yield* Extensions

    /** The claims of an access token. Fails with `Unauthenticated` or `Unavailable`. */
    const verify = (token: string) =>
      identity.verify(token).pipe(
        Effect.map(claimsOf),
        Effect.catchTags({
          IdentityRefused: ({ reason }) =>
            Effect.zipRight(Effect.logDebug("access token refused", reason), Effect.fail(refused())),
          IdentityUnavailable: ({ cause }) => Effect.zipRight(logUnavailable(cause), Effect.fail(unavailable()))
        })
      )
    const doctors = rowsOf(DoctorRecord)
    const organisations = rowsOf(OrganisationRecord)
    const pharmacies = rowsOf(PharmacyRecord)

    const findDoctor = Effect.fnUntraced(function* (claims: StaffClaims) {
      yield* ensureRole(claims, "doctor")
      const { organisation_uid: owner, doctor_uid } = claims
      const record = yield* doctors
        .firstOr(
          sql`SELECT d.organisation_uid, d.uid AS doctor_uid, d.display_name AS name, coalesce(d.timezone, o.timezone) AS timezone
            FROM doctors d JOIN organisations o USING (organisation_uid)
            WHERE d.organisation_uid = ${owner} AND d.uid = ${doctor_uid} AND d.deleted_at IS NULL`,
          () => unknown("doctor")
        )
        .pipe(withOwner({ organisation_uid: owner }))
      return { ...record, actor: { kind: "doctor" as const, uid: record.doctor_uid } }
    })

    /** The practice, and what it has set for the person. */
    const practiceOf = (owner: string | null, subject: string) =>
      organisations.firstOr(
        sql`SELECT o.organisation_uid, o.name, s.role AS given_role, s.removed_at IS NOT NULL AS removed
          FROM organisations o LEFT JOIN staff_people s ON s.organisation_uid = ${owner} AND s.subject = ${subject}
          WHERE o.organisation_uid = ${owner}`,
        () => unknown("organisation")
      )

    /**
     * A person of a practice: by the claims, or, without a role in them, by an accepted invitation. A role that the practice has set
     * counts instead of the provider's. Rule 1.9.11.
     */
    const findPerson = Effect.fnUntraced(function* (claims: StaffClaims) {
      const { organisation_uid: owner, subject, roles } = claims
      const claimed = claimedRole(roles)
      if (claimed === null && Role.literals.some((role) => roles.includes(role))) return yield* notAdmin()
      const { given_role, removed, ...record } =
        owner === null
          ? yield* byKey.within({ kind: "staff_person", key: subject }, notAdmin, (found) => practiceOf(found, subject))
          : yield* practiceOf(owner, subject).pipe(withOwner({ organisation_uid: owner }))
      const practice_role = given_role ?? claimed
      if (removed || practice_role === null) return yield* notAdmin()
      return { ...record, practice_role, actor: { kind: "admin" as const, uid: subject } }
    })

    /** The same, for the operations of administrators: an owner. */
    const findAdmin = Effect.fnUntraced(function* (claims: StaffClaims) {
      const { practice_role, ...person } = yield* findPerson(claims)
      return practice_role === "owner" ? person : yield* notAdmin()
    })

    const findPharmacy = Effect.fnUntraced(function* (claims: StaffClaims) {
      yield* ensureRole(claims, "pharmacy")
      const { pharmacy_uid, pharmacy_group_uid } = claims
      if ((pharmacy_uid === null) === (pharmacy_group_uid === null)) return yield* unknown("pharmacy")
      const record = yield* pharmacies
        .firstOr(
          sql`SELECT pharmacy_uid, NULL AS pharmacy_group_uid, name FROM pharmacies WHERE pharmacy_uid = ${pharmacy_uid}
          UNION ALL
          SELECT NULL, pharmacy_group_uid, name FROM pharmacy_groups WHERE pharmacy_group_uid = ${pharmacy_group_uid}`,
          () => unknown("pharmacy")
        )
        .pipe(withOwner({ pharmacy_uid }))
      return { ...record, actor: { kind: "pharmacy" as const, uid: claims.subject } }
    })

    const findOperator = (claims: StaffClaims) =>
      Effect.as(ensureRole(claims, "operator"), { actor: { kind: "operator" as const, uid: claims.subject } })

    /** Whether the claims name an organisation or a pharmacy of this installation. */
    const isKnown = ({ organisation_uid, pharmacy_uid }: StaffClaims) =>
      any(sql`SELECT 1 FROM organisations WHERE organisation_uid = ${organisation_uid}
        UNION ALL SELECT 1 FROM pharmacies WHERE pharmacy_uid = ${pharmacy_uid}`).pipe(
        withOwner({ organisation_uid, pharmacy_uid })
      )

    /** The person of a verified token who is refused, and their owner: for the entry in that owner's audit log. Rule 13.1.9. */
    const enterRefused = Effect.fnUntraced(function* (claims: StaffClaims) {
      const { roles, subject, organisation_uid, doctor_uid, pharmacy_uid } = claims
      const kind = Role.literals.find((role) => roles.includes(role)) ?? (claimedRole(roles) && ("admin" as const))
      const actor = kind === null ? {} : { actor: { kind, uid: (kind === "doctor" ? doctor_uid : null) ?? subject } }
      yield* enter((yield* isKnown(claims)) ? { organisation_uid, pharmacy_uid, ...actor } : actor)
    })

    /** The claims of a token of the installation, one for each place where the person works; else those of the provider's. */
    const placesOf = Effect.fnUntraced(function* (token: string) {
      const own = (yield* Effect.forEach(yield* extensions.having("staffOf"), ({ staffOf }) => staffOf(token))).flat()
      const [first, ...more] = own
      return first === undefined ? Arr.of(yield* verify(token)) : Arr.make(first, ...more)
    })

    /** The person of an access token in a role. */
    const inRole =
      <A, E, R>(find: (claims: StaffClaims) => Effect.Effect<A, E, R>) =>
      (token: string) =>
        Effect.flatMap(placesOf(token), (places) =>
          Effect.tapError(Effect.firstSuccessOf(Arr.map(places, find)), () => enterRefused(places[0]))
        )

    /**
     * The doctor of an access token. Fails with `Unauthenticated`, `Unavailable`, or `Forbidden` without the role or for a missing
     * doctor. Rules 1.9.8 and 1.9.9.
     */
    const doctor = Effect.fn("Staff.doctor")(inRole(findDoctor))

    /** The administrator of an access token, identified by the provider's `sub`. Fails as `doctor`. */
    const admin = Effect.fn("Staff.admin")(inRole(findAdmin))

    /** The pharmacy, or the pharmacy group, of an access token that names exactly one of them. Fails as `doctor`. */
    const pharmacy = Effect.fn("Staff.pharmacy")(inRole(findPharmacy))

    /** The operator of an access token, whose role covers the whole installation. Fails as `doctor`. */
    const operator = Effect.fn("Staff.operator")(inRole(findOperator))

    /** A person in a role, from claims that were verified before. Fails with `Forbidden` as above. */
    const member = Effect.fn("Staff.member")(function* (claims: StaffClaims, role: Role) {
      const find = { doctor: findDoctor, admin: findPerson, pharmacy: findPharmacy, operator: findOperator }[role]
      const found: StaffMember = { ...noRecords, role, ...(yield* find(claims)) }
      return found
    })

    return { verify, doctor, admin, pharmacy, operator, member } as const
  }),
  dependencies: [OwnerByKey.Default]
}) {}
