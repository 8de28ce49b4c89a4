/**
 * Which reminders are due. A reminder's moment passes once, so each reminder has a mark up to which all moments have been
 * seen to; a tick reads along an index from there to now. The mark moves only past what has been published.
 */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { AppointmentUid, OrganisationUid } from "../../../schemas/ids.ts"
import type { Reminder } from "../../../schemas/scheduling/Reminder.ts"

export interface Due {
  readonly organisation_uid: OrganisationUid
  readonly appointment_uid: AppointmentUid
  readonly start_date: number
  readonly reminder: Reminder
}

/** Looked at again each time: longer than any transaction whose confirmation was not visible yet. */
const OVERLAP_SECONDS = 120
/** Marks move in steps: moving each of them every minute would cost by what exists, not by what is due. */
const STEP_SECONDS = 600

export class DueRepo extends Effect.Service<DueRepo>()("scheduling/DueRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const before = sql.literal("make_interval(mins => r.minutes_before)")
    const marked = sql`reminders r LEFT JOIN reminder_watermarks w ON w.organisation_uid = r.organisation_uid
      AND w.reminder_uid = r.uid AND w.minutes_before = r.minutes_before`
    /** Confirmed before the reminder's moment, which has come; not started; not published. */
    const isDue = (now: number) => sql`a.organisation_uid = r.organisation_uid
      AND a.appointment_type_uid = r.appointment_type_uid AND a.status = 'confirmed'
      AND a.start_date > greatest(to_timestamp(${now}), coalesce(w.published_until, '-infinity')
        - make_interval(secs => ${OVERLAP_SECONDS}) + ${before})
      AND a.start_date <= to_timestamp(${now}) + ${before}
      AND a.confirmed_at < a.start_date - ${before}
      AND NOT EXISTS (SELECT 1 FROM published_reminders p WHERE p.organisation_uid = a.organisation_uid
        AND p.appointment_uid = a.uid AND p.reminder_uid = r.uid)`

    /** Up to `limit` of what is due, each with its appointment locked; what another worker has locked is passed over. */
    const take = (now: number, limit: number) =>
      sql<Due>`SELECT r.organisation_uid, a.uid AS appointment_uid, a.start_date, jsonb_build_object('uid', r.uid,
          'appointment_type_uid', r.appointment_type_uid, 'recipient_role', r.recipient_role, 'minutes_before',
          r.minutes_before, 'send_email', r.send_email, 'send_sms', r.send_sms, 'active', r.active) AS reminder
        FROM ${marked} CROSS JOIN LATERAL (
          SELECT a.uid, a.start_date FROM appointments a WHERE ${isDue(now)}
          ORDER BY a.start_date LIMIT ${limit} FOR UPDATE SKIP LOCKED) a
        WHERE r.active AND r.deleted_at IS NULL
        LIMIT ${limit}`

    /** Notes what is going to be published; gives what nobody else has noted. */
    const note = Effect.fn("DueRepo.note")(function* (due: ReadonlyArray<Due>) {
      if (due.length === 0) return due
      const rows = due.map(({ organisation_uid, appointment_uid, start_date, reminder }) => ({
        organisation_uid,
        appointment_uid,
        reminder_uid: reminder.uid,
        start_date: new Date(start_date * 1000)
      }))
      const noted = yield* sql<{ appointment_uid: string; reminder_uid: string }>`
        INSERT INTO published_reminders ${sql.insert(rows)} ON CONFLICT DO NOTHING RETURNING appointment_uid, reminder_uid`
      const keys = new Set(noted.map((row) => `${row.appointment_uid} ${row.reminder_uid}`))
      return due.filter(({ appointment_uid, reminder }) => keys.has(`${appointment_uid} ${reminder.uid}`))
    })

    /** Moves the marks of reminders of which nothing is due and unpublished. */
    const advance = (now: number) =>
      sql`INSERT INTO reminder_watermarks AS mark (organisation_uid, reminder_uid, minutes_before, published_until)
        SELECT r.organisation_uid, r.uid, r.minutes_before, to_timestamp(${now}) FROM ${marked}
        WHERE r.active AND r.deleted_at IS NULL
          AND (w.published_until IS NULL OR w.published_until < to_timestamp(${now - STEP_SECONDS}))
          AND NOT EXISTS (SELECT 1 FROM appointments a WHERE ${isDue(now)})
        ON CONFLICT (organisation_uid, reminder_uid, minutes_before) DO UPDATE
          SET published_until = greatest(mark.published_until, excluded.published_until)`

    return { take, note, advance } as const
  })
}) {}
