/** The appointments of meetings: who may be in their rooms, and when. */
import { Effect, Option } from "effect"
import type { AppointmentUid, OrganisationUid } from "../../../schemas/ids.ts"
import { closesAt, joinWindowState } from "../../../schemas/scheduling/joinWindow.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Database } from "../../../services/database/Database.ts"
import { EventLog } from "../../../services/events/EventLog.ts"
import { publicAppointment } from "../../../services/scheduling/appointments/StoredAppointment.ts"
import { BookingRepo } from "../../../services/scheduling/booking/BookingRepo.ts"
import { Doctors } from "../../../services/scheduling/practice/Doctors.ts"
import { withOwner } from "../../../services/tenancy/Tenancy.ts"
import { OpenedRooms } from "./OpenedRooms.ts"

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

export class MeetingAppointments extends Effect.Service<MeetingAppointments>()("video/MeetingAppointments", {
  effect: Effect.gen(function* () {
    const clock = yield* DomainClock
    const { transaction } = yield* Database
    const repo = yield* BookingRepo
    const doctors = yield* Doctors
    const rooms = yield* OpenedRooms
    const events = yield* EventLog

    const find = Effect.fnUntraced(
      function* (owner: OrganisationUid, uid: AppointmentUid) {
        const now = yield* clock.now
        const appointment = yield* repo.find(owner, uid, now)
        const { doctor_uid, further_doctor_uids, patient_uid, room_name, status, start_date, end_date } = appointment
        const doctor_uids = yield* Effect.filter([doctor_uid, ...further_doctor_uids], (one) =>
          Effect.isSuccess(doctors.ensure(owner, one))
        )
        const isNow = doctor_uids.includes(doctor_uid) && joinWindowState(appointment, now) === "open"
        const found: MeetingAppointment = {
          room_name,
          doctor_uids,
          patient_uid,
          minutes: Math.round((end_date - start_date) / 60),
          open: status === "confirmed" && isNow,
          over: (status === "completed" || status === "no_show") && isNow,
          closes_in_seconds: closesAt(appointment) - now
        }
        return found
      },
      Effect.option,
      (found, organisation_uid) => withOwner({ organisation_uid })(found)
    )

    /** Patients who announced that they will be late for the room's appointments that have not ended. */
    const lateIn = Effect.fnUntraced(function* (owner: OrganisationUid, room: string) {
      const now = yield* clock.now
      return yield* withOwner({ organisation_uid: owner })(rooms.lateIn(owner, room, now))
    })

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

    return { find, lateIn, arrived } as const
  }),
  dependencies: [BookingRepo.Default, Doctors.Default, OpenedRooms.Default]
}) {}
