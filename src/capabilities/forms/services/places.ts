/** Where answers and files belong: to one form, at one door. */
import { Effect } from "effect"
import type { OrganisationUid, PatientUid } from "../../../schemas/ids.ts"
import { PatientRestricted } from "../../../schemas/scheduling/errors.ts"
import { any } from "../../../services/database/rows.ts"
import type { Sql } from "../../../services/database/Sql.ts"

export interface Place {
  readonly door: "entry" | "intake" | "request"
  /** The booking session; the first of a chain of moved appointments; the request. */
  readonly subject_uid: string
  readonly asked_by: string
}
export interface FilesOf extends Place {
  readonly patient_uid: PatientUid
}

/** Rows of a place, of either table. */
export const ofPlace = (sql: Sql, owner: OrganisationUid, { door, subject_uid, asked_by }: Place) =>
  sql`organisation_uid = ${owner} AND door = ${door} AND subject_uid = ${subject_uid} AND asked_by = ${asked_by}`

/**
 * Locks the patient until the transaction ends, so that what arrives at once is counted, and the later replaces the earlier. Fails with
 * `PatientRestricted`.
 */
export const lockPatient = (sql: Sql) => (owner: OrganisationUid, patient: PatientUid) =>
  Effect.asVoid(
    Effect.filterOrFail(
      any(sql`SELECT FROM patients WHERE organisation_uid = ${owner} AND uid = ${patient}
        AND restricted_at IS NULL AND erased_at IS NULL FOR NO KEY UPDATE`),
      (isFree) => isFree,
      () => new PatientRestricted()
    )
  )
