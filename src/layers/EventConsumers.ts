/** All consumers of events. */
import { Effect, Layer } from "effect"
import { type AppendedEvent, type EventConsumer, EventConsumers } from "../services/events/EventConsumers.ts"
import { MeetingSender } from "../services/meetings/MeetingBus.ts"
import { MessagePlanner } from "../services/notifications/MessagePlanner.ts"
import { FreedTime } from "../services/scheduling/booking/FreedTime.ts"
import { OpenedRooms } from "../services/scheduling/joining/OpenedRooms.ts"
import { endingMeetings } from "./meetings/Meetings.ts"

const freesTime = (
  event: AppendedEvent
): event is Extract<AppendedEvent, { readonly type: "patient_doctor_meeting_updated" | "rebooked" }> =>
  event.type === "rebooked" || (event.type === "patient_doctor_meeting_updated" && event.data.change === "cancelled")

export const EventConsumersLive = Layer.effect(
  EventConsumers,
  Effect.gen(function* () {
    const { consumer } = yield* MessagePlanner
    const meetings = yield* endingMeetings
    const freed = yield* FreedTime
    /** Cancelled and moved appointments give their time back: it is offered to the waiting list. */
    const waiting: EventConsumer = {
      accepts: (type) => type === "patient_doctor_meeting_updated" || type === "rebooked",
      accept: (events) =>
        Effect.forEach(
          new Set(events.flatMap((event) => (freesTime(event) ? event.organisation_uid : []))),
          freed.settle,
          { discard: true }
        )
    }
    return [consumer, meetings, waiting]
  })
).pipe(Layer.provide([MessagePlanner.Default, MeetingSender.Default, OpenedRooms.Default, FreedTime.Default]))
