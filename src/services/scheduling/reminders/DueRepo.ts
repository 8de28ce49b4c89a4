/**
 * Due reminders. Each reminder has a watermark: everything due before it has been published. A tick scans an index from the watermark to
 * now, and only advances the watermark past what has been published.
 */
import { Effect, Schema } from "effect"
import { Recipient } from "../../../schemas/events/catalogue.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { AppointmentUid, type OrganisationUid, ReminderUid } from "../../../schemas/ids.ts"
import { Reminder } from "../../../schemas/scheduling/Reminder.ts"
import { rowsOf } from "../../database/rows.ts"
import { Sql } from "../../database/Sql.ts"
import { timestamp } from "../../database/SqlErrors.ts"
import { interpolate } from "../../database/sqlTemplate.ts"
import { Envelope } from "../../sealing/Envelope.ts"
import { Owners } from "../../tenancy/Owners.ts"
import { appointmentRows, sealedIn } from "../appointments/appointmentRows.ts"
import { StoredAppointment } from "../appointments/StoredAppointment.ts"
import { inEffect, isDue, marked } from "./dueReminders.ts"

const Due = Schema.Struct({
  appointment_uid: AppointmentUid,
  start_date: UnixSeconds,
  reminder: Reminder
})
export type Due = typeof Due.Type

const Recorded = Schema.Struct({ appointment_uid: AppointmentUid, reminder_uid: ReminderUid })

/** An appointment with the contact data of its doctor and patient; a restricted patient's is null (Rule 12.2.9). */
const Reminded = Schema.Struct({
  ...StoredAppointment.fields,
  doctor_email: Schema.NullOr(Schema.String),
  doctor_phone: Schema.NullOr(Schema.String),
  patient_email: Schema.NullOr(Schema.String),
  patient_phone: Schema.NullOr(Schema.String),
  patient_restricted: Schema.Boolean,
  country_code: Schema.String
})
export type Reminded = typeof Reminded.Type

export class DueRepo extends Effect.Service<DueRepo>()("scheduling/DueRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const envelope = yield* Envelope
    const { columns, joined } = appointmentRows(sql)
    const owners = yield* Owners
    const due = rowsOf(Due)
    const recorded = rowsOf(Recorded)
    const reminded = rowsOf(Reminded, envelope.openRows(...sealedIn))
    const recipients = rowsOf(Recipient)

    /** One of the SQL templates of `dueReminders` for one organisation. */
    const of = (owner: OrganisationUid, now: number, text: string) =>
      interpolate(sql, text, { owner: sql`${owner}`, now: sql`to_timestamp(${now})` })

    /** Organisations with due reminders. */
    const dueOwners = (now: number) => sql`SELECT owner FROM owners_to_remind(to_timestamp(${now})) AS owner`

    /**
     * Up to `limit` due reminders, each with its appointment locked; appointments locked by another worker are skipped. NO KEY: a row
     * added meanwhile that refers to the appointment locks its key, which FOR UPDATE would skip.
     */
    const take = (owner: OrganisationUid, now: number, limit: number) =>
      due.all(sql`SELECT a.uid AS appointment_uid, a.start_date, jsonb_build_object('uid', r.uid,
          'appointment_type_uid', r.appointment_type_uid, 'recipient_role', r.recipient_role, 'minutes_before',
          r.minutes_before, 'send_email', r.send_email, 'send_sms', r.send_sms, 'active', r.active,
          'updated_at', extract(epoch FROM r.updated_at)::bigint) AS reminder
        FROM ${of(owner, now, marked)} CROSS JOIN LATERAL (
          SELECT a.uid, a.start_date FROM appointments a WHERE ${of(owner, now, isDue)}
          ORDER BY a.start_date LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED) a
        WHERE r.organisation_uid = ${owner} AND ${sql.literal(inEffect)}
        LIMIT ${limit}`)

    /** Records reminders before they are published; returns those that no other worker has recorded. */
    const note = Effect.fn("DueRepo.note")(function* (organisation_uid: OrganisationUid, taken: ReadonlyArray<Due>) {
      if (taken.length === 0) return taken
      const rows = taken.map(({ appointment_uid, start_date, reminder }) => ({
        organisation_uid,
        appointment_uid,
        reminder_uid: reminder.uid,
        minutes_before: reminder.minutes_before,
        start_date: timestamp(start_date)
      }))
      const added = yield* recorded.all(sql`INSERT INTO published_reminders ${sql.insert(rows)}
        ON CONFLICT DO NOTHING RETURNING appointment_uid, reminder_uid`)
      const keys = new Set(added.map((row) => `${row.appointment_uid} ${row.reminder_uid}`))
      return taken.filter(({ appointment_uid, reminder }) => keys.has(`${appointment_uid} ${reminder.uid}`))
    })

    /** The appointments of due reminders, with contact data. */
    const appointmentsOf = Effect.fn("DueRepo.appointmentsOf")(
      (owner: OrganisationUid, uids: ReadonlyArray<AppointmentUid>, now: number) =>
        reminded.all(sql`SELECT ${columns(now)}, d.email AS doctor_email, d.phone AS doctor_phone,
            p.restricted_at IS NOT NULL AS patient_restricted,
            (SELECT country_code FROM organisations WHERE organisation_uid = ${owner}) AS country_code,
            CASE WHEN p.restricted_at IS NULL THEN p.profile->>'email' END AS patient_email,
            CASE WHEN p.restricted_at IS NULL THEN p.profile->>'phone' END AS patient_phone
          ${joined(owner, sql.in("a.uid", [...new Set(uids)]))}`)
    )

    const administrators = (owner: OrganisationUid) =>
      recipients.all(sql`SELECT 'admin' AS role, uid, display_name, email, phone FROM admins
        WHERE organisation_uid = ${owner} ORDER BY uid`)

    /** Advances the watermarks of reminders that have nothing due and unpublished. */
    const advance = (now: number) =>
      Effect.orDie(owners.everywhere((owner) => sql`SELECT move_watermarks(to_timestamp(${now}), ${owner})`))

    return { dueOwners, take, note, appointmentsOf, administrators, advance } as const
  })
}) {}
