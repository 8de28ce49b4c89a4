/** What is to stand in doctors' calendars, as rows: one for each appointment and calendar. */
import type { Effect } from "effect"
import type { DoctorUid, OrganisationUid } from "../../../../schemas/ids.ts"
import type { Sql } from "../../../../services/database/Sql.ts"

type SqlService = Effect.Effect.Success<typeof Sql>

/** Inserts what is not there yet, for appointments `a` in calendars `k` of connections `c`; a known key of the same entry is kept. */
export const insertion = (sql: SqlService, now: number) => sql`INSERT INTO calendar_entries AS e (organisation_uid, uid,
      connection_uid, calendar_id, doctor_uid, appointment_uid, start_date, end_date, wanted, begun, due_at, waiting_since)
    SELECT c.organisation_uid, coalesce(o.uid, 'spr' || md5(concat_ws(' ', a.organisation_uid, c.doctor_uid, k.id, a.uid))), c.uid, k.id,
      c.doctor_uid, a.uid, extract(epoch FROM a.start_date)::bigint, extract(epoch FROM a.end_date)::bigint, true, o.uid IS NOT NULL,
      to_timestamp(${now}), to_timestamp(${now})
    FROM appointments a JOIN calendar_connections c ON c.organisation_uid = a.organisation_uid AND c.deleted_at IS NULL
        AND (c.doctor_uid = a.doctor_uid OR c.doctor_uid = ANY (a.further_doctor_uids))
      JOIN connected_calendars k ON k.organisation_uid = c.organisation_uid AND k.connection_uid = c.uid AND k.writes
      LEFT JOIN LATERAL (SELECT uid FROM calendar_entries o WHERE o.organisation_uid = a.organisation_uid AND o.appointment_uid = a.uid
        AND o.doctor_uid = c.doctor_uid AND o.calendar_id = k.id LIMIT 1) o ON true
    WHERE a.status = 'confirmed'`

/** A key that is written again is wanted again. */
export const wantedAgain = (sql: SqlService) => sql`ON CONFLICT (organisation_uid, connection_uid, uid) DO UPDATE
    SET wanted = true, version = e.version + 1, due_at = excluded.due_at, waiting_since = excluded.waiting_since
    WHERE NOT e.wanted`

/** The future appointments belong in this calendar alone; null: in none. */
export const futureEntries = (
  sql: SqlService,
  {
    owner,
    doctor,
    uid,
    written,
    now
  }: {
    readonly owner: OrganisationUid
    readonly doctor: DoctorUid
    readonly uid: string
    readonly written: string | null
    readonly now: number
  }
) =>
  sql`WITH left_over AS (UPDATE calendar_entries SET wanted = false, version = version + 1, due_at = to_timestamp(${now}),
        waiting_since = to_timestamp(${now})
      WHERE organisation_uid = ${owner} AND connection_uid = ${uid} AND wanted AND NOT missing
        AND calendar_id IS DISTINCT FROM ${written} AND start_date > ${now})
    ${insertion(sql, now)} AND a.organisation_uid = ${owner} AND c.uid = ${uid} AND c.doctor_uid = ${doctor}
      AND a.start_date > to_timestamp(${now}) ${wantedAgain(sql)}`
