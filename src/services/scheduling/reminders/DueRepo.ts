/**
 * Reminders that are due. Each reminder has a watermark: all moments before it have been published. A tick reads along an
 * index from the watermark to now, and moves it only past what has been published.
 */
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { Recipient } from "../../../schemas/events/catalogue.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { AppointmentUid, type OrganisationUid, ReminderUid } from "../../../schemas/ids.ts"
import { Reminder } from "../../../schemas/scheduling/Reminder.ts"
import { Owners } from "../../Owners.ts"
import { rowsOf } from "../../rows.ts"
import { timestamp } from "../../SqlErrors.ts"
import { AppointmentsRepo } from "../appointments/AppointmentsRepo.ts"
import { StoredAppointment } from "../appointments/StoredAppointment.ts"

const Due = Schema.Struct({
  appointment_uid: AppointmentUid,
  start_date: UnixSeconds,
  reminder: Reminder
})
export type Due = typeof Due.Type

const Noted = Schema.Struct({ appointment_uid: AppointmentUid, reminder_uid: ReminderUid })

/** An appointment with how its doctor and its patient can be reached. */
const Reminded = Schema.Struct({
  ...StoredAppointment.fields,
  doctor_email: Schema.NullOr(Schema.String),
  doctor_phone: Schema.NullOr(Schema.String),
  patient_email: Schema.NullOr(Schema.String),
  patient_phone: Schema.NullOr(Schema.String)
})
export type Reminded = typeof Reminded.Type

/** Read again with every tick: longer than any transaction whose confirmation was not visible yet. */
const OVERLAP_SECONDS = 120
/** Watermarks move in steps: moving each of them every minute would cost by what exists, not by what is due. */
const STEP_SECONDS = 600

export class DueRepo extends Effect.Service<DueRepo>()("scheduling/DueRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const appointments = yield* AppointmentsRepo
    const owners = yield* Owners
    const due = rowsOf(Due)
    const noted = rowsOf(Noted)
    const reminded = rowsOf(Reminded, appointments.opened)
    const recipients = rowsOf(Recipient)

    const before = sql.literal("make_interval(mins => r.minutes_before)")
    /** Reminders with their watermarks: of one organisation, or of all. */
    const marked = (owner?: string) => sql`reminders r LEFT JOIN reminder_watermarks w
      ON w.organisation_uid = ${owner ?? sql`r.organisation_uid`} AND w.reminder_uid = r.uid
      AND w.minutes_before = r.minutes_before`
    /** Confirmed, and the reminder in effect, before its moment, which has been reached; not started; not published. */
    const isDue = (now: number, owner?: string) => sql`a.organisation_uid = ${owner ?? sql`r.organisation_uid`}
      AND a.appointment_type_uid = r.appointment_type_uid AND a.status = 'confirmed'
      AND a.start_date > greatest(to_timestamp(${now}), coalesce(w.published_until, '-infinity')
        - make_interval(secs => ${OVERLAP_SECONDS}) + ${before})
      AND a.start_date <= to_timestamp(${now}) + ${before}
      AND a.confirmed_at < a.start_date - ${before} AND a.start_date >= r.effective_from + ${before}
      AND NOT EXISTS (SELECT 1 FROM published_reminders p WHERE p.organisation_uid = ${owner ?? sql`r.organisation_uid`}
        AND p.appointment_uid = a.uid AND p.reminder_uid = r.uid AND p.minutes_before = r.minutes_before)`

    const inEffect = sql`r.active AND r.deleted_at IS NULL`

    /** The organisations that have due reminders. */
    const dueOwners = (now: number) => sql`SELECT DISTINCT r.organisation_uid AS owner FROM ${marked()}
      WHERE ${inEffect} AND EXISTS (SELECT 1 FROM appointments a WHERE ${isDue(now)})`

    /** Up to `limit` due reminders, each with its appointment locked; what another worker has locked is skipped. */
    const take = (owner: OrganisationUid, now: number, limit: number) =>
      due.all(sql`SELECT a.uid AS appointment_uid, a.start_date, jsonb_build_object('uid', r.uid,
          'appointment_type_uid', r.appointment_type_uid, 'recipient_role', r.recipient_role, 'minutes_before',
          r.minutes_before, 'send_email', r.send_email, 'send_sms', r.send_sms, 'active', r.active,
          'updated_at', extract(epoch FROM r.updated_at)::bigint) AS reminder
        FROM ${marked(owner)} CROSS JOIN LATERAL (
          SELECT a.uid, a.start_date FROM appointments a WHERE ${isDue(now, owner)}
          ORDER BY a.start_date LIMIT ${limit} FOR UPDATE SKIP LOCKED) a
        WHERE r.organisation_uid = ${owner} AND ${inEffect}
        LIMIT ${limit}`)

    /** Records what is going to be published; returns what no other worker has recorded. */
    const note = Effect.fn("DueRepo.note")(function* (organisation_uid: OrganisationUid, taken: ReadonlyArray<Due>) {
      if (taken.length === 0) return taken
      const rows = taken.map(({ appointment_uid, start_date, reminder }) => ({
        organisation_uid,
        appointment_uid,
        reminder_uid: reminder.uid,
        minutes_before: reminder.minutes_before,
        start_date: timestamp(start_date)
      }))
      const added = yield* noted.all(sql`INSERT INTO published_reminders ${sql.insert(rows)}
        ON CONFLICT DO NOTHING RETURNING appointment_uid, reminder_uid`)
      const keys = new Set(added.map((row) => `${row.appointment_uid} ${row.reminder_uid}`))
      return taken.filter(({ appointment_uid, reminder }) => keys.has(`${appointment_uid} ${reminder.uid}`))
    })

    /** The appointments of what is due. */
    const appointmentsOf = Effect.fn("DueRepo.appointmentsOf")(
      (owner: OrganisationUid, uids: ReadonlyArray<AppointmentUid>, now: number) =>
        reminded.all(sql`SELECT ${appointments.columns(now)}, d.email AS doctor_email, d.phone AS doctor_phone,
            p.profile->>'email' AS patient_email, p.profile->>'phone' AS patient_phone
          ${appointments.joined(owner, sql.in("a.uid", [...new Set(uids)]))}`)
    )

    const administrators = (owner: OrganisationUid) =>
      recipients.all(sql`SELECT 'admin' AS role, uid, display_name, email, phone FROM admins
        WHERE organisation_uid = ${owner} ORDER BY uid`)

    /** Moves the watermarks of reminders of which nothing is due and unpublished. */
    const advance = (now: number) => {
      const moving = (owner?: string) => sql`
        INSERT INTO reminder_watermarks AS mark (organisation_uid, reminder_uid, minutes_before, published_until)
        SELECT r.organisation_uid, r.uid, r.minutes_before, to_timestamp(${now}) FROM ${marked(owner)}
        WHERE ${owner === undefined ? sql`true` : sql`r.organisation_uid = ${owner}`} AND ${inEffect}
          AND (w.published_until IS NULL OR w.published_until < to_timestamp(${now - STEP_SECONDS}))
          AND NOT EXISTS (SELECT 1 FROM appointments a WHERE ${isDue(now, owner)})
        ON CONFLICT (organisation_uid, reminder_uid, minutes_before) DO UPDATE
          SET published_until = greatest(mark.published_until, excluded.published_until)`
      return Effect.orDie(owners.everywhere(moving))
    }

    return { dueOwners, take, note, appointmentsOf, administrators, advance } as const
  }),
  dependencies: [AppointmentsRepo.Default, Owners.Default]
}) {}
