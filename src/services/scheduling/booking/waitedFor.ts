/**
 * Whether somebody on the waiting list waits for a time of the doctors, or for one that takes a doctor or a resource beside another: a
 * condition, with the entry `w`. The database function `is_waited_for` has the same one, for the trigger that frees time. It does not look at
 * weekdays, times of day and the types that a doctor offers: the waiting list does.
 */
import type { Statement } from "@effect/sql"
import type { Sql } from "../../database/Sql.ts"

interface Time {
  /** Arrays of uids. */
  readonly doctors: Statement.Fragment
  readonly resources: Statement.Fragment
  readonly starts: Statement.Fragment
  readonly ends: Statement.Fragment
}

const isOpen = (sql: Sql, owner: string) =>
  sql`NOT (SELECT pausing.waitlist_paused FROM organisations pausing WHERE pausing.organisation_uid = ${owner})`

/** Whether anybody waits for whatever time. */
export const anyoneWaits = (sql: Sql, owner: string) =>
  sql`EXISTS (SELECT FROM waitlist_entries w WHERE w.organisation_uid = ${owner} AND w.status = 'waiting' AND w.deleted_at IS NULL)
    AND ${isOpen(sql, owner)}`

export const waitedFor = (sql: Sql, owner: string, { doctors, resources, starts, ends }: Time) => {
  const waiting = sql`SELECT FROM waitlist_entries w WHERE w.organisation_uid = ${owner} AND w.status = 'waiting'
    AND w.deleted_at IS NULL AND w.starts_from < ${ends} AND w.starts_to > ${starts} - interval '1 day'`
  // the first part has an index
  const named = sql`w.only_doctor_uid = ANY (ARRAY[''] || ${doctors}) AND (w.doctor_uids = '{}' OR w.doctor_uids && ${doctors})`
  const types = sql`ARRAY(SELECT needing.uid FROM appointment_types needing
    WHERE needing.organisation_uid = ${owner} AND requires_any(needing.requirements, ${doctors}, ${resources}))`
  return sql`(${isOpen(sql, owner)} AND (EXISTS (${waiting} AND ${named} AND ${doctors} <> '{}')
    OR ${types} <> '{}' AND EXISTS (${waiting} AND w.appointment_type_uid = ANY (${types}))))`
}
