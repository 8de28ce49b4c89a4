/** The only writer of the table of patients. */

import { Effect, Option, Schema } from "effect"
import { AlreadyUsed, PatientNotFound } from "../../schemas/access/errors.ts"
import { Patient, type PatientQuery } from "../../schemas/access/Patient.ts"
import { MAX_PROFILE_BYTES, MAX_PROFILE_FIELDS, type PatientProfile } from "../../schemas/access/PatientProfile.ts"
import { UnixSeconds } from "../../schemas/fields.ts"
import { type DoctorUid, OrganisationUid, PatientUid, ShopUid } from "../../schemas/ids.ts"
import type { Patient as PatientEntry } from "../../schemas/provisioning/tenancy.ts"
import { changedSince } from "../database/changedSince.ts"
import { type Condition, matchingOf, namedColumns } from "../database/matching.ts"
import { any, columnsOf, countOf, rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { onConstraint } from "../database/SqlErrors.ts"
import { ensurePageFits, Held, longPageOf, type Window } from "../database/totals.ts"
import { ANSWER_LIMITS } from "../recordLimits.ts"
import { newUid } from "../uid.ts"
import { type SearchTerm, termsOf } from "./search.ts"

export const ShopReference = Schema.Struct({ organisation_uid: OrganisationUid, shop_uid: ShopUid })
export type ShopReference = typeof ShopReference.Type

export const PatientReference = Schema.Struct({ ...ShopReference.fields, patient_uid: PatientUid })
export type PatientReference = typeof PatientReference.Type

/** A customer of a shop, with changes of the profile: null removes a field, others are kept. */
export interface Customer {
  readonly shop: ShopReference
  readonly customer_id: string
  readonly profile: PatientProfile
}

const notFound = () => new PatientNotFound()

const Matched = Schema.Struct({
  ...Patient.fields,
  /** Erased. */
  deleted: Schema.Boolean,
  /** Records that were merged into this one. */
  merged_uids: Schema.Array(PatientUid)
})
/** A record that became part of another, which stays. */
const Merge = Schema.Struct({ merged_uid: PatientUid, patient_uid: PatientUid, merged_at: UnixSeconds })
export type Merge = typeof Merge.Type

/** `seen_by`: the doctor whose patients are listed. */
export interface ListedPatients extends PatientQuery {
  readonly seen_by?: DoctorUid
}

export class PatientsRepo extends Effect.Service<PatientsRepo>()("patients/PatientsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const references = rowsOf(PatientReference)
    const patients = rowsOf(Patient)
    const written = rowsOf(Schema.Struct({ ...Patient.fields, created: Schema.Boolean }))
    const merged = rowsOf(Merge)
    const listed = rowsOf(Schema.Struct({ ...Patient.fields, ...Held }))
    const columns = sql.literal(columnsOf(Patient))
    const shown = sql.literal(columnsOf(Patient.omit("profile")))
    const reference = sql`organisation_uid, shop_uid, uid AS patient_uid`

    const sentOf = (profile: PatientProfile) => sql`${JSON.stringify(profile)}::jsonb`
    const mergedWith = (profile: PatientProfile) => sql`jsonb_strip_nulls(patients.profile || ${sentOf(profile)})`

    /** SET clause that merges the profile. `isWithin` is the condition that the result stays within Rule 1.6.4. */
    const merging = (profile: PatientProfile, now: number) => sql`profile = ${mergedWith(profile)},
      updated_at = CASE WHEN patients.profile = ${mergedWith(profile)} THEN patients.updated_at ELSE to_timestamp(${now}) END`
    const isWithin = (profile: PatientProfile) =>
      sql`jsonb_array_length(jsonb_path_query_array(${mergedWith(profile)}, '$.keyvalue()')) <= ${MAX_PROFILE_FIELDS}
        AND octet_length(${mergedWith(profile)}::text)
          <= greatest(${MAX_PROFILE_BYTES}, octet_length(${sentOf(profile)}::text))`

    /**
     * Updates the patient with this customer id, if anything changes; none if there is no such patient, or the profile would be too
     * large. A restricted patient is unchanged.
     */
    const refresh = ({ shop, customer_id, profile }: Customer, now: UnixSeconds) => {
      const known = sql`organisation_uid = ${shop.organisation_uid} AND shop_uid = ${shop.shop_uid}
        AND shop_customer_id = ${customer_id}`
      return references.first(sql`WITH changed AS (UPDATE patients SET ${merging(profile, now)}
          WHERE ${known} AND restricted_at IS NULL AND profile <> ${mergedWith(profile)} AND ${isWithin(profile)}
          RETURNING ${reference})
        SELECT * FROM changed
        UNION ALL SELECT ${reference} FROM patients
          WHERE ${known} AND (restricted_at IS NOT NULL OR profile = ${mergedWith(profile)})`)
    }

    /**
     * Adds what the patient has entered; false if the profile would be too large. A restricted or erased patient is unchanged. `lacking`:
     * only to a profile without this field.
     */
    const complete = (
      owner: OrganisationUid,
      uid: PatientUid,
      profile: PatientProfile,
      now: UnixSeconds,
      lacking: string | null = null
    ) =>
      Effect.map(
        references.first(sql`UPDATE patients SET ${merging(profile, now)}
          WHERE organisation_uid = ${owner} AND uid = ${uid} AND num_nonnulls(restricted_at, erased_at) = 0
            AND (patients.profile ? ${lacking}::text) IS NOT TRUE AND ${isWithin(profile)} RETURNING ${reference}`),
        Option.isSome
      )

    /** As `refresh`, but inserts a missing patient; `created` tells whether it did. None if the profile would be too large. */
    const insertOrRefresh = Effect.fnUntraced(function* ({ shop, customer_id, profile }: Customer, now: UnixSeconds) {
      const uid = yield* newUid(PatientUid)
      const found = yield* references.first(sql`INSERT INTO patients
          (organisation_uid, uid, shop_uid, shop_customer_id, profile, created_at, updated_at)
        VALUES (${shop.organisation_uid}, ${uid}, ${shop.shop_uid}, ${customer_id},
          jsonb_strip_nulls(${sentOf(profile)}), to_timestamp(${now}), to_timestamp(${now}))
        ON CONFLICT ON CONSTRAINT patients_customer DO UPDATE SET ${merging(profile, now)}
          WHERE ${isWithin(profile)}
        RETURNING ${reference}`)
      return Option.map(found, (patient) => ({ patient, created: patient.patient_uid === uid }))
    })

    /**
     * Creates or replaces a patient, except an erased one; returns the record, and whether it is new. Fails with `AlreadyUsed` if another
     * patient of the shop has the customer id. Does not map other SQL errors.
     */
    const writing = ({ profile, ...patient }: PatientEntry, now: UnixSeconds) =>
      sql`INSERT INTO patients (organisation_uid, uid, shop_uid, shop_customer_id, profile, created_at, updated_at)
        VALUES (${patient.organisation_uid}, ${patient.uid}, ${patient.shop_uid}, ${patient.shop_customer_id},
          jsonb_strip_nulls(${sentOf(profile)}), to_timestamp(${now}), to_timestamp(${now}))
        ON CONFLICT (organisation_uid, uid) DO UPDATE SET shop_uid = excluded.shop_uid,
          shop_customer_id = excluded.shop_customer_id, profile = excluded.profile, updated_at = excluded.updated_at
          WHERE patients.erased_at IS NULL
        RETURNING ${columns}, xmax = 0 AS created`.pipe(
        onConstraint("patients_customer", () => new AlreadyUsed({ field: "shop_customer_id" }))
      )
    const provision = (patient: PatientEntry, now: UnixSeconds) => written.first(writing(patient, now))
    /** As `provision` for an existing shop; returns the record. */
    const write = (patient: PatientEntry, now: UnixSeconds) => patients.one(writing(patient, now))

    /** A reference to the organisation's patient. Fails with `PatientNotFound`. */
    const refer = (owner: OrganisationUid, uid: PatientUid) =>
      references.firstOr(
        sql`SELECT ${reference} FROM patients WHERE organisation_uid = ${owner} AND uid = ${uid} AND erased_at IS NULL`,
        notFound
      )

    /** Whether the shop has a patient with this customer id. */
    const hasCustomer = ({ organisation_uid, shop_uid }: ShopReference, customer_id: string) =>
      any(sql`SELECT 1 FROM patients WHERE organisation_uid = ${organisation_uid} AND shop_uid = ${shop_uid}
        AND shop_customer_id = ${customer_id}`)

    const one =
      (locking = sql``) =>
      (owner: OrganisationUid, uid: PatientUid) =>
        patients.firstOr(
          sql`SELECT ${columns} FROM patients 
            WHERE organisation_uid = ${owner} AND uid = ${uid} AND erased_at IS NULL ${locking}`,
          notFound
        )
    /** The record. Fails with `PatientNotFound`. */
    const find = one()
    /** As `find`, locked until the transaction ends. */
    const findForChange = one(sql`FOR NO KEY UPDATE`)

    /** Those that fit a condition, erased ones too, by uid. */
    const matching = matchingOf(sql, Matched, {
      fields: {
        ...namedColumns(sql, Patient, "p"),
        deleted: sql`(p.erased_at IS NOT NULL)`,
        merged_uids: sql`ARRAY (SELECT m.merged_uid FROM patient_merges m
          WHERE m.organisation_uid = p.organisation_uid AND m.patient_uid = p.uid ORDER BY m.merged_uid)`
      },
      from: (owner) => sql`FROM patients p WHERE p.organisation_uid = ${owner}`,
      key: [["uid", sql`p.uid COLLATE "C"`]]
    })

    const ofMerge = namedColumns(sql, Merge, "m")
    /** What became of records that were merged into others. */
    const merges = (owner: OrganisationUid, condition: Condition<Merge>) =>
      merged.all(sql`SELECT ${sql.csv(Object.values(ofMerge))} FROM patient_merges m
        WHERE m.organisation_uid = ${owner} AND ${condition(ofMerge)}`)

    /** The record into which the organisation's patient was merged; none for any other. */
    const mergedInto = (owner: OrganisationUid, uid: PatientUid) =>
      Effect.map(
        merges(owner, ({ merged_uid }) => sql`${merged_uid} = ${uid}`),
        ([merge]) => Option.fromNullable(merge?.patient_uid)
      )

    const fits = ({ patterns }: SearchTerm) =>
      sql.or(patterns.map((pattern) => sql`search_text LIKE folded(${pattern})`))
    const resembles = (term: SearchTerm) =>
      term.misspelled.length === 0
        ? fits(term)
        : sql.or([
            fits(term),
            // folded once, not for every row
            sql`search_text LIKE ANY (ARRAY(SELECT folded(pattern)
              FROM jsonb_array_elements_text(${JSON.stringify(term.misspelled)}::jsonb) pattern))`
          ])

    /** Condition that all words fit; where they fit nobody, that they fit with a letter wrong in each. */
    const found = (owner: OrganisationUid, search: string) => {
      const terms = termsOf(search)
      if (terms.length === 0) return []
      const exactly = sql.and(terms.map(fits))
      if (terms.every(({ misspelled }) => misspelled.length === 0)) return [exactly]
      return [
        sql.or([
          exactly,
          sql.and([
            sql`NOT EXISTS (SELECT 1 FROM patients WHERE organisation_uid = ${owner} AND erased_at IS NULL AND ${exactly})`,
            ...terms.map(resembles)
          ])
        ])
      ]
    }

    /** Patients who have or had a confirmed appointment with the doctor, also as a further one. */
    const seenBy = (owner: OrganisationUid, doctor: DoctorUid) => sql`EXISTS (SELECT FROM appointments a
      WHERE a.organisation_uid = ${owner} AND a.patient_uid = patients.uid AND a.confirmed_at IS NOT NULL
        AND (a.doctor_uid = ${doctor} OR (a.further_doctor_uids <> '{}' AND ${doctor} = ANY (a.further_doctor_uids))))`

    const listedBy = (
      owner: OrganisationUid,
      { uids, shop_customer_id, email, search, updated_after, seen_by }: ListedPatients
    ) =>
      sql.and([
        sql`organisation_uid = ${owner} AND erased_at IS NULL`,
        ...(uids === undefined ? [] : [sql`uid = ANY (${uids.split(",")})`]),
        ...(shop_customer_id === undefined ? [] : [sql`shop_customer_id = ${shop_customer_id}`]),
        ...(email === undefined ? [] : [sql`lower(profile->>'email') = ${email.toLowerCase()}`]),
        ...(search === undefined || search === "" ? [] : found(owner, search)),
        ...(seen_by === undefined ? [] : [seenBy(owner, seen_by)]),
        ...changedSince(sql, { updated_after })
      ])

    /**
     * A page of the organisation's patients, newest first, and their total. Fails with `Invalid` if their profiles are too large
     * together.
     */
    const list = (owner: OrganisationUid, query: ListedPatients) => {
      const where = listedBy(owner, query)
      const [created_at, uid] = query.after ?? []
      const afterCursor =
        created_at === undefined ? [] : [sql`(created_at, uid COLLATE "C") < (to_timestamp(${created_at}), ${uid})`]
      const page = ({ limit, offset, reversed }: Window) => {
        const direction = sql.literal(reversed ? "ASC" : "DESC")
        const sorted = sql`ORDER BY created_at ${direction}, uid COLLATE "C" ${direction}`
        return Effect.flatMap(
          listed.all(sql`SELECT ${shown}, CASE WHEN held <= ${ANSWER_LIMITS.profileBytes} THEN profile ELSE '{}' END AS profile, held
            FROM (SELECT *, (sum(octet_length(profile::text)) OVER ())::bigint AS held
              FROM (SELECT ${columns} FROM patients WHERE ${sql.and([where, ...afterCursor])}
                ${sorted} LIMIT ${limit} OFFSET ${offset}) p) p
            ${sorted}`),
          (found) => ensurePageFits(found, ANSWER_LIMITS.profileBytes, "bytes of profiles")
        )
      }
      return longPageOf(
        query,
        page,
        (patient) => [patient.created_at, patient.uid] as const,
        countOf(sql`SELECT count(*) FROM patients WHERE ${where}`)
      )
    }
    /** Records the erasure of a patient whose profile has been blanked. */
    const markErased = (owner: OrganisationUid, uid: PatientUid, at: UnixSeconds) =>
      Effect.orDie(sql`UPDATE patients SET erased_at = to_timestamp(${at}), updated_at = to_timestamp(${at})
        WHERE organisation_uid = ${owner} AND uid = ${uid} AND erased_at IS NULL`)

    /** Deletes a record to which nothing refers, and remembers the one that stays instead. */
    const replace = Effect.fn("PatientsRepo.replace")(function* (
      owner: OrganisationUid,
      uid: PatientUid,
      by: PatientUid,
      now: UnixSeconds
    ) {
      yield* sql`DELETE FROM patients WHERE organisation_uid = ${owner} AND uid = ${uid}`
      yield* sql`INSERT INTO patient_merges (organisation_uid, merged_uid, patient_uid, merged_at)
        VALUES (${owner}, ${uid}, ${by}, to_timestamp(${now}))`
    }, Effect.orDie)

    /** Starts or ends the restriction of processing. Fails with `PatientNotFound`. */
    const restrict = (owner: OrganisationUid, uid: PatientUid, restricted: boolean, now: UnixSeconds) =>
      patients.firstOr(
        sql`UPDATE patients SET updated_at = to_timestamp(${now}),
            restricted_at = CASE WHEN ${restricted} THEN coalesce(restricted_at, to_timestamp(${now})) END
          WHERE organisation_uid = ${owner} AND uid = ${uid} AND erased_at IS NULL RETURNING ${columns}`,
        notFound
      )
    return {
      refresh,
      complete,
      insertOrRefresh,
      provision,
      write,
      refer,
      hasCustomer,
      find,
      findForChange,
      matching,
      merges,
      mergedInto,
      list,
      restrict,
      replace,
      markErased
    } as const
  })
}) {}
