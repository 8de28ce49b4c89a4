/** Ends meetings whose appointment is cancelled, moved or over. */
import { Effect } from "effect"
import type { AppointmentUid } from "../../../schemas/ids.ts"
import { joinWindowState } from "../../../schemas/scheduling/joinWindow.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import type { AppendedEvent, EventConsumer } from "../../../services/events/EventConsumers.ts"
import { MeetingBus } from "./MeetingBus.ts"
import { OpenedRooms } from "./OpenedRooms.ts"

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
  const { publish } = yield* MeetingBus

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
      yield* publish({ kind: "ended", room, appointment: uid, ...dismisses })
    }
  })
  const consumer: EventConsumer = {
    accepts: (type) => type === "patient_doctor_meeting_updated" || type === "rebooked",
    accept
  }
  return consumer
})
