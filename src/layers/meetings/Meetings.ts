/** The meetings domain's port, implemented with appointments. */
import { Effect, Layer } from "effect"
import type { AppointmentUid, OrganisationUid } from "../../schemas/ids.ts"
import { closesAt, joinWindowState } from "../../schemas/scheduling/joinWindow.ts"
import { DomainClock } from "../../services/DomainClock.ts"
import type { AppendedEvent, EventConsumer } from "../../services/events/EventConsumers.ts"
import { MeetingAppointments } from "../../services/meetings/MeetingAppointments.ts"
import { MeetingSender } from "../../services/meetings/MeetingBus.ts"
import { BookingRepo } from "../../services/scheduling/booking/BookingRepo.ts"
import { Meetings } from "../../services/scheduling/joining/Meetings.ts"
import { OpenedRooms } from "../../services/scheduling/joining/OpenedRooms.ts"
import { Doctors } from "../../services/scheduling/practice/Doctors.ts"
import { withOwner } from "../../services/tenancy/Tenancy.ts"

export const MeetingAppointmentsLive = Layer.effect(
  MeetingAppointments,
  Effect.gen(function* () {
    const clock = yield* DomainClock
    const repo = yield* BookingRepo
    const doctors = yield* Doctors
    const rooms = yield* OpenedRooms
    const { arrived } = yield* Meetings
    const find = Effect.fnUntraced(
      function* (owner: OrganisationUid, uid: AppointmentUid) {
        const now = yield* clock.now
        const appointment = yield* repo.find(owner, uid, now)
        const { doctor_uid, further_doctor_uids, patient_uid, room_name, status, start_date, end_date } = appointment
        const doctor_uids = yield* Effect.filter([doctor_uid, ...further_doctor_uids], (one) =>
          Effect.isSuccess(doctors.ensure(owner, one))
        )
        const hasDoctor = doctor_uids.includes(doctor_uid)
        return {
          room_name,
          doctor_uids,
          patient_uid,
          minutes: Math.round((end_date - start_date) / 60),
          open: status === "confirmed" && hasDoctor && joinWindowState(appointment, now) === "open",
          closes_in_seconds: closesAt(appointment) - now
        }
      },
      Effect.option,
      (found, organisation_uid) => withOwner({ organisation_uid })(found)
    )
    const lateIn = Effect.fnUntraced(function* (owner: OrganisationUid, room: string) {
      const now = yield* clock.now
      return yield* withOwner({ organisation_uid: owner })(rooms.lateIn(owner, room, now))
    })
    return { find, lateIn, arrived }
  })
).pipe(Layer.provide([BookingRepo.Default, Doctors.Default, Meetings.Default, OpenedRooms.Default]))

interface Ending {
  readonly uid: AppointmentUid
  /** Completed or missed: for the doctor too. */
  readonly isOver: boolean
}

/** The appointment whose meeting the event ends, if the meeting may be in progress. */
const endingOf = (event: AppendedEvent, now: number): Ending | null => {
  if (event.type === "rebooked") return { uid: event.data.previous_meeting_uid, isOver: false }
  if (event.type !== "patient_doctor_meeting_updated") return null
  const { change, appointment } = event.data
  if (change === "confirmed" || joinWindowState(appointment, now) !== "open") return null
  return { uid: appointment.uid, isOver: change !== "cancelled" }
}

/**
 * Ends the meeting of an appointment that is cancelled, rebooked, completed or missed. After the latter two the doctor is disconnected as
 * well, unless the room is permanent and may contain other patients.
 */
export const endingMeetings = Effect.gen(function* () {
  const clock = yield* DomainClock
  const rooms = yield* OpenedRooms
  const sender = yield* MeetingSender

  const accept = Effect.fnUntraced(function* (events: ReadonlyArray<AppendedEvent>) {
    const now = yield* clock.now
    const endings = new Map(
      events.flatMap((event) => {
        const ending = endingOf(event, now)
        return ending === null ? [] : [[ending.uid, ending] as const]
      })
    )
    const [first] = events
    if (endings.size === 0 || first === undefined || !("organisation_uid" in first)) return
    for (const { uid, room, isPermanent } of yield* rooms.of(first.organisation_uid, [...endings.keys()], now)) {
      const dismisses = endings.get(uid)?.isOver
        ? { dismisses: isPermanent ? ("patient" as const) : ("everybody" as const) }
        : {}
      yield* sender.publish({ kind: "ended", room, appointment: uid, ...dismisses })
    }
  })
  const consumer: EventConsumer = {
    accepts: (type) => type === "patient_doctor_meeting_updated" || type === "rebooked",
    accept
  }
  return consumer
})
