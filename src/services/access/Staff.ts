/** Doctors and administrators: who the identity provider says they are, and whether they exist here. */
import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import { DoctorUid, OrganisationUid } from "../../schemas/ids.ts"
import { Forbidden, Unauthenticated, Unavailable } from "../../schemas/problems.ts"
import { Identity, type VerifiedIdentity } from "./Identity.ts"

const refused = new Unauthenticated({ reason: "Send a valid access token of the identity provider as a bearer token" })
const unavailable = new Unavailable({ reason: "The identity provider cannot be reached: try again" })
const unknown = (who: string) => new Forbidden({ reason: `The token names no ${who} of this service` })

const ensureRole = (identity: VerifiedIdentity, role: "doctor" | "admin") =>
  identity.roles.includes(role) ? Effect.void : Effect.fail(new Forbidden({ reason: `This needs the role ${role}` }))

export class Staff extends Effect.Service<Staff>()("access/Staff", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const identity = yield* Identity

    const verify = (token: string) =>
      identity.verify(token).pipe(
        Effect.catchTags({
          IdentityRefused: ({ reason }) =>
            Effect.zipRight(Effect.logDebug("access token refused", reason), Effect.fail(refused)),
          IdentityUnavailable: ({ cause }) =>
            Effect.zipRight(Effect.logWarning("identity provider", cause), Effect.fail(unavailable))
        })
      )
    const exists = (rows: ReadonlyArray<unknown>) => rows.length > 0
    const organisationExists = (uid: string) =>
      sql`SELECT 1 FROM organisations WHERE organisation_uid = ${uid}`.pipe(Effect.orDie, Effect.map(exists))
    const doctorExists = (owner: string, uid: string) =>
      sql`SELECT 1 FROM doctors WHERE organisation_uid = ${owner} AND uid = ${uid}`.pipe(
        Effect.orDie,
        Effect.map(exists)
      )

    /** The doctor of an access token. Bad token 401; another role, or a doctor who does not exist, 403. */
    const doctor = Effect.fn("Staff.doctor")(function* (token: string) {
      const found = yield* verify(token)
      yield* ensureRole(found, "doctor")
      const organisation = Option.getOrElse(found.organisation_uid, () => "")
      const doctor_uid = Option.getOrElse(found.doctor_uid, () => "")
      if (!(yield* doctorExists(organisation, doctor_uid))) return yield* unknown("doctor")
      return {
        organisation_uid: OrganisationUid.make(organisation),
        doctor_uid: DoctorUid.make(doctor_uid),
        actor: { kind: "doctor" as const, uid: doctor_uid }
      }
    })

    /** The administrator of an access token, under the provider's name for the person. */
    const admin = Effect.fn("Staff.admin")(function* (token: string) {
      const found = yield* verify(token)
      yield* ensureRole(found, "admin")
      const organisation = Option.getOrElse(found.organisation_uid, () => "")
      if (!(yield* organisationExists(organisation))) return yield* unknown("organisation")
      return {
        organisation_uid: OrganisationUid.make(organisation),
        actor: { kind: "admin" as const, uid: found.subject }
      }
    })
    return { doctor, admin } as const
  })
}) {}
