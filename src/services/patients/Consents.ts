/** Patients' consents; the only writer of their table. Section 12.5. */
import { Effect, Option } from "effect"
import { ConsentUid, type OrganisationUid, type PatientUid } from "../../schemas/ids.ts"
import type { ListQuery } from "../../schemas/paging.ts"
import { Consent, type ConsentText, type NewConsent } from "../../schemas/patients/Consent.ts"
import { ConsentNotFound } from "../../schemas/patients/errors.ts"
import { invalid } from "../../schemas/problems.ts"
import { DomainClock } from "../DomainClock.ts"
import { changedSince } from "../database/changedSince.ts"
import { Database } from "../database/Database.ts"
import { columnsOf, rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { onConstraint } from "../database/SqlErrors.ts"
import { ensureBelowLimit, RECORD_LIMITS } from "../recordLimits.ts"
import { Service } from "../Service.ts"
import type { CurrentTenant } from "../tenancy/Tenancy.ts"
import { newUid } from "../uid.ts"
import { ConsentTexts } from "./ConsentTexts.ts"
import { PatientsRepo } from "./PatientsRepo.ts"

const UNKNOWN = "is no version of a text that the organisation asks consent to"

/** The patient, and the format of the appointment. */
interface Consenting {
  readonly organisation_uid: OrganisationUid
  readonly patient_uid: PatientUid
  readonly meeting_format: "DIGITAL" | "IN_PERSON"
}

export class Consents extends Service<Consents>()("patients/Consents", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const patients = yield* PatientsRepo
    const texts = yield* ConsentTexts
    const consents = rowsOf(Consent)
    const columns = sql.literal(columnsOf(Consent))

    const ofPatient = (owner: OrganisationUid, patient: PatientUid, query: ListQuery = {}) => {
      const matching = [sql`organisation_uid = ${owner}`, sql`patient_uid = ${patient}`, ...changedSince(sql, query)]
      return consents.all(
        sql`SELECT ${columns} FROM consents WHERE ${sql.and(matching)} ORDER BY given_at, uid COLLATE "C"`
      )
    }

    /** The patient's consents, the oldest first. Fails with `PatientNotFound`. */
    const list = Effect.fn("Consents.list")((owner: OrganisationUid, patient: PatientUid, query: ListQuery = {}) =>
      Effect.zipRight(patients.refer(owner, patient), ofPatient(owner, patient, query))
    )

    /** The texts in force whose version the patient has not agreed to; all of them for an unknown patient. */
    const missing = Effect.fn("Consents.missing")(function* (
      owner: OrganisationUid,
      patient: PatientUid | undefined
    ): Effect.fn.Return<ReadonlyArray<ConsentText>, never, CurrentTenant> {
      const asked = yield* texts.inForce(owner)
      if (asked.length === 0 || patient === undefined) return asked
      const given = yield* ofPatient(owner, patient)
      return asked.filter(
        ({ purpose, version }) =>
          !given.some((one) => one.purpose === purpose && one.version === version && one.withdrawn_at === null)
      )
    })

    /** Those that a page must still ask its patient for; video texts only for a video appointment. */
    const asked = ({ organisation_uid, patient_uid, meeting_format }: Consenting) =>
      Effect.map(missing(organisation_uid, patient_uid), (texts) =>
        texts.filter(({ purpose }) => purpose !== "video" || meeting_format === "DIGITAL")
      )

    const active = (owner: OrganisationUid, patient: PatientUid, { purpose, version }: NewConsent) =>
      consents.first(sql`SELECT ${columns} FROM consents WHERE organisation_uid = ${owner}
        AND patient_uid = ${patient} AND purpose = ${purpose} AND version = ${version} AND withdrawn_at IS NULL`)

    /**
     * Stores the patient's consent. Idempotent: returns an active one. Fails with `PatientNotFound`, and with `Invalid` for a version
     * without a text of the organisation, or at the limit.
     */
    const give = Effect.fn("Consents.give")(function* (
      owner: OrganisationUid,
      patient: PatientUid,
      consent: NewConsent
    ) {
      yield* patients.findForChange(owner, patient)
      const before = yield* active(owner, patient, consent)
      if (Option.isSome(before)) return before.value
      yield* ensureBelowLimit(
        sql`SELECT count(*) AS count FROM consents WHERE organisation_uid = ${owner} AND patient_uid = ${patient}`,
        RECORD_LIMITS.consents,
        "version",
        "consents of the patient",
        "withdrawn ones go when their retention is over"
      )
      const uid = yield* newUid(ConsentUid)
      const now = yield* clock.now
      return yield* consents.one(
        sql`INSERT INTO consents (organisation_uid, uid, patient_uid, purpose, version, language, given_at)
          VALUES (${owner}, ${uid}, ${patient}, ${consent.purpose}, ${consent.version}, ${consent.language},
            to_timestamp(${now})) RETURNING ${columns}`.pipe(
          onConstraint("consents_organisation_uid_purpose_version_fkey", () => invalid("version", UNKNOWN))
        )
      )
    }, transaction)

    /** Stores those given on a page. Fails as `give`. */
    const agree = (
      { organisation_uid, patient_uid }: Consenting,
      agreed: ReadonlyArray<Pick<ConsentText, "purpose" | "version">>,
      language: string
    ) =>
      Effect.forEach(agreed, ({ purpose, version }) =>
        give(organisation_uid, patient_uid, { purpose, version, language })
      )

    /** Withdraws a consent. Idempotent. Fails with `ConsentNotFound`. */
    const withdraw = Effect.fn("Consents.withdraw")(function* (
      owner: OrganisationUid,
      patient: PatientUid,
      uid: ConsentUid
    ) {
      const now = yield* clock.now
      return yield* consents.firstOr(
        sql`UPDATE consents SET withdrawn_at = coalesce(withdrawn_at, greatest(given_at, to_timestamp(${now})))
          WHERE organisation_uid = ${owner} AND patient_uid = ${patient} AND uid = ${uid} RETURNING ${columns}`,
        () => new ConsentNotFound()
      )
    }, transaction)

    return { list, missing, asked, give, agree, withdraw } as const
  }),
  dependencies: [ConsentTexts.Default, PatientsRepo.Default]
}) {}
