/** Doctors and administrators: their access tokens are checked, and that the records named in them exist. Section 1.9. */
import { SqlClient } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import { DoctorUid, OrganisationUid } from "../../schemas/ids.ts"
import { Forbidden, Unauthenticated, Unavailable } from "../../schemas/problems.ts"
import { rowsOf } from "../rows.ts"
import { Identity, type VerifiedIdentity } from "./Identity.ts"

const refused = () =>
  new Unauthenticated({ reason: "Send a valid access token of the identity provider as a bearer token" })
const unavailable = () => new Unavailable({ reason: "The identity provider cannot be reached: try again" })
const unknown = (who: string) => new Forbidden({ reason: `The token names no ${who} of this service` })

const OrganisationRecord = Schema.Struct({ organisation_uid: OrganisationUid })
const DoctorRecord = Schema.Struct({ organisation_uid: OrganisationUid, doctor_uid: DoctorUid })

const ensureRole = (identity: Pick<VerifiedIdentity, "roles">, role: "doctor" | "admin") =>
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

    /**
     * The doctor of an access token. Fails with `Unauthenticated`, `Unavailable`, or `Forbidden` without the role or for
     * a doctor that does not exist. Rules 1.9.8 and 1.9.9.
     */
    const doctor = Effect.fn("Staff.doctor")(function* (token: string) {
      const { organisation_uid, doctor_uid, ...found } = yield* verify(token)
      yield* ensureRole(found, "doctor")
      const record = yield* doctors.firstOr(
        sql`SELECT organisation_uid, uid AS doctor_uid FROM doctors
          WHERE organisation_uid = ${Option.getOrNull(organisation_uid)} AND uid = ${Option.getOrNull(doctor_uid)}`,
        () => unknown("doctor")
      )
      return { ...record, actor: { kind: "doctor" as const, uid: record.doctor_uid } }
    })

    /** The administrator of an access token, as the provider's `sub` names the person. Fails like `doctor`. */
    const admin = Effect.fn("Staff.admin")(function* (token: string) {
      const { organisation_uid, ...found } = yield* verify(token)
      yield* ensureRole(found, "admin")
      const record = yield* organisations.firstOr(
        sql`SELECT organisation_uid FROM organisations WHERE organisation_uid = ${Option.getOrNull(organisation_uid)}`,
        () => unknown("organisation")
      )
      return { ...record, actor: { kind: "admin" as const, uid: found.subject } }
    })
    return { doctor, admin } as const
  })
}) {}
