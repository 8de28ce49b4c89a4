/** The appointments of meetings: who may be in their rooms, and when, and who is late. */
import { Effect, Option, Schema } from "effect"
import { AppointmentUid, type OrganisationUid } from "../../../schemas/ids.ts"
import { closesAt, joinWindowState, OPENS_BEFORE_START_SECONDS } from "../../../schemas/scheduling/joinWindow.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Database } from "../../../services/database/Database.ts"
import { rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { EventLog } from "../../../services/events/EventLog.ts"
import { Service } from "../../../services/Service.ts"
import { publicAppointment } from "../../../services/scheduling/appointments/StoredAppointment.ts"
import { BookingRepo } from "../../../services/scheduling/booking/BookingRepo.ts"
import { nameInRoom } from "../../../services/scheduling/joining/rooms.ts"
import { Doctors } from "../../../services/scheduling/practice/Doctors.ts"
import { withOwner } from "../../../services/tenancy/Tenancy.ts"

const Room = Schema.Struct({ uid: AppointmentUid, room_name: Schema.String })
const Late = Schema.Struct({
  patient_uid: Schema.String,
  patient_display_name: Schema.String,
  seat: Schema.NullOr(Schema.Number),
  minutes: Schema.Number
})

export interface MeetingAppointment {
  readonly room_name: string
  /** The booked doctor and further ones who are not deleted. */
  readonly doctor_uids: ReadonlyArray<string>
  readonly patient_uid: string
  /** Duration of the appointment. */
  readonly minutes: number
  /** It is confirmed, its join window is open, and its doctor is not deleted. */
  readonly open: boolean
  /** It is completed or missed, and its join window still open: a call that is running goes on. */
  readonly over: boolean
  /** Seconds until the join window closes; negative afterwards. */
  readonly closes_in_seconds: number
}

export class MeetingAppointments extends Service<MeetingAppointments>()("video/MeetingAppointments", {
  effect: Effect.gen(function* () {
    const clock = yield* DomainClock
    const sql = yield* Sql
    const { transaction } = yield* Database
    const repo = yield* BookingRepo
    const doctors = yield* Doctors
    const events = yield* EventLog
    const rooms = rowsOf(Room)
    const late = rowsOf(Late)

    const find = Effect.fnUntraced(
      function* (owner: OrganisationUid, uid: AppointmentUid) {
        const now = yield* clock.now
        const appointment = yield* repo.find(owner, uid, now)
        const { doctor_uid, further_doctor_uids, patient_uid, room_name, status, start_date, end_date } = appointment
        const doctor_uids = yield* Effect.filter([doctor_uid, ...further_doctor_uids], (one) =>
          Effect.isSuccess(doctors.ensure(owner, one))
        )
        const isNow = doctor_uids.includes(doctor_uid) && joinWindowState(appointment, now) === "open"
        return {
          room_name,
          doctor_uids,
          patient_uid,
          minutes: Math.round((end_date - start_date) / 60),
          open: status === "confirmed" && isNow,
          over: (status === "completed" || status === "no_show") && isNow,
          closes_in_seconds: closesAt(appointment) - now
        } satisfies MeetingAppointment
      },
      Effect.option,
      (found, organisation_uid) => withOwner({ organisation_uid })(found)
    )

    /** The rooms of those whose join window has opened. */
    const opened = (owner: OrganisationUid, appointments: ReadonlyArray<AppointmentUid>, now: number) =>
      rooms.all(sql`SELECT uid, room_name FROM appointments
        WHERE organisation_uid = ${owner} AND uid = ANY (${[...appointments]})
          AND start_date <= to_timestamp(${now + OPENS_BEFORE_START_SECONDS})`)

    /** Patients who announced that they will be late for the room's confirmed appointments that have not ended. */
    const lateIn = Effect.fnUntraced(
      function* (organisation_uid: OrganisationUid, room: string) {
        const now = yield* clock.now
        const found = yield* late.all(sql`SELECT a.patient_uid, a.seat, a.late_minutes AS minutes,
            trim(concat_ws(' ', p.profile->>'first_name', p.profile->>'last_name')) AS patient_display_name
          FROM appointments a JOIN patients p ON p.organisation_uid = ${organisation_uid} AND p.uid = a.patient_uid
          WHERE a.organisation_uid = ${organisation_uid} AND a.room_name = ${room} AND a.status = 'confirmed'
            AND a.late_minutes IS NOT NULL AND a.end_date > to_timestamp(${now}) ORDER BY a.start_date LIMIT 20`)
        return found.map((one) => ({ patient_uid: one.patient_uid, minutes: one.minutes, name: nameInRoom(one) }))
      },
      (found, organisation_uid) => withOwner({ organisation_uid })(found)
    )

    /** Records that the patient of a confirmed appointment is in the waiting room. Publishes the event the first time (Rule 6.2.4). */
    const arrived = Effect.fn("MeetingAppointments.arrived")((organisation_uid: OrganisationUid, uid: AppointmentUid) =>
      Effect.gen(function* () {
        const first = yield* repo.recordWaiting(organisation_uid, uid, yield* clock.now)
        if (Option.isNone(first)) return
        yield* events.append({
          organisation_uid,
          type: "scheduling.waiting",
          subject: uid,
          data: { appointment: publicAppointment(first.value) }
        })
      }).pipe(transaction, withOwner({ organisation_uid }))
    )

    return { find, opened, lateIn, arrived } as const
  }),
  dependencies: [BookingRepo.Default, Doctors.Default]
}) {}
