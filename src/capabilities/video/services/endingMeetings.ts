/** Ends meetings whose appointment is cancelled or moved. */
import { Effect } from "effect"
import type { AppointmentUid } from "../../../schemas/ids.ts"
import { joinWindowState } from "../../../schemas/scheduling/joinWindow.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import type { AppendedEvent, EventConsumer } from "../../../services/events/EventConsumers.ts"
import { MeetingAppointments } from "./MeetingAppointments.ts"
import { MeetingBus } from "./MeetingBus.ts"

/** A visit that is completed or missed ends no meeting. */
const endsMeeting = (event: AppendedEvent) =>
  event.type === "rebooked" || (event.type === "patient_doctor_meeting_updated" && event.data.change === "cancelled")

/** The appointment whose meeting the event ends, if the meeting may be in progress. */
const endedBy = (event: AppendedEvent, now: number): AppointmentUid | null => {
  if (event.type === "rebooked") return event.data.previous_meeting_uid
  if (event.type !== "patient_doctor_meeting_updated") return null
  return joinWindowState(event.data.appointment, now) === "open" ? event.data.appointment.uid : null
}

export const endingMeetings = Effect.gen(function* () {
  const clock = yield* DomainClock
  const appointments = yield* MeetingAppointments
  const { publish } = yield* MeetingBus

  const accept = Effect.fnUntraced(function* (events: ReadonlyArray<AppendedEvent>) {
    const now = yield* clock.now
    const ended = events.map((event) => endedBy(event, now)).filter((uid) => uid !== null)
    const [first] = events
    if (ended.length === 0 || first === undefined || !("organisation_uid" in first)) return
    for (const { uid, room_name: room } of yield* appointments.opened(first.organisation_uid, ended, now))
      yield* publish({ kind: "ended", room, appointment: uid })
  })
  return {
    accepts: endsMeeting,
    accept
  } satisfies EventConsumer
})
