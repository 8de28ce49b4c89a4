/** Ports of the meetings domain, implemented with appointments. */
import { Effect, Layer, Option } from "effect"
import type { AppointmentUid, OrganisationUid } from "../../schemas/ids.ts"
import { DomainClock } from "../../services/DomainClock.ts"
import type { AppendedEvent, EventConsumer } from "../../services/events/EventConsumers.ts"
import { MeetingAppointments, PatientArrivals } from "../../services/meetings/MeetingAppointments.ts"
import { MeetingSender } from "../../services/meetings/MeetingBus.ts"
import { AppointmentsRepo } from "../../services/scheduling/appointments/AppointmentsRepo.ts"
import { closesAt, joinWindowState } from "../../services/scheduling/joining/joinWindow.ts"
import { LateArrivals } from "../../services/scheduling/joining/LateArrivals.ts"
import { WaitingPatients } from "../../services/scheduling/joining/WaitingPatients.ts"
import { Doctors } from "../../services/scheduling/practice/Doctors.ts"
import { withOwner } from "../../services/tenancy/Tenancy.ts"

export const MeetingAppointmentsLive = Layer.effect(
  MeetingAppointments,
  Effect.gen(function* () {
    const clock = yield* DomainClock
    const repo = yield* AppointmentsRepo
    const doctors = yield* Doctors
    const late = yield* LateArrivals
    const find = Effect.fnUntraced(
      function* (owner: OrganisationUid, uid: AppointmentUid) {
        const now = yield* clock.now
        const appointment = yield* repo.find(owner, uid, now)
        const { doctor_uid, patient_uid, room_name, status, start_date, end_date } = appointment
        const hasDoctor = yield* Effect.isSuccess(doctors.ensure(owner, doctor_uid))
        return {
          room_name,
          doctor_uid,
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
      return yield* withOwner({ organisation_uid: owner })(late.inRoom(owner, room, now))
    })
    return { find, lateIn }
  })
).pipe(Layer.provide([DomainClock.Default, AppointmentsRepo.Default, Doctors.Default, LateArrivals.Default]))

export const PatientArrivalsLive = Layer.provide(
  Layer.effect(PatientArrivals, WaitingPatients),
  WaitingPatients.Default
)

/** The appointment whose meeting the event ends, if the meeting may be in progress. */
const endedBy = (event: AppendedEvent, now: number) => {
  if (event.type === "rebooked") return event.data.previous_meeting_uid
  if (event.type !== "patient_doctor_meeting_updated") return null
  const { change, appointment } = event.data
  return change === "cancelled" && joinWindowState(appointment, now) === "open" ? appointment.uid : null
}

/** Disconnects the patient from the meeting of an appointment that is cancelled or rebooked. */
export const endingMeetings = Effect.gen(function* () {
  const clock = yield* DomainClock
  const appointments = yield* MeetingAppointments
  const sender = yield* MeetingSender

  const accept = Effect.fnUntraced(function* (events: ReadonlyArray<AppendedEvent>) {
    const now = yield* clock.now
    for (const event of events) {
      const uid = endedBy(event, now)
      if (uid === null || !("organisation_uid" in event)) continue
      const found = yield* appointments.find(event.organisation_uid, uid)
      if (Option.isNone(found)) continue
      yield* sender.publish({ kind: "ended", room: found.value.room_name, appointment: uid })
    }
  })
  const consumer: EventConsumer = { types: new Set(["patient_doctor_meeting_updated", "rebooked"]), accept }
  return consumer
})
