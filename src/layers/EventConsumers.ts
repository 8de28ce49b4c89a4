/** The core's consumers of events. */
import { Effect, Layer } from "effect"
import { EventConsumers } from "../services/events/EventConsumers.ts"
import { MeetingSender } from "../services/meetings/MeetingBus.ts"
import { MessagePlanner } from "../services/notifications/MessagePlanner.ts"
import { OpenedRooms } from "../services/scheduling/joining/OpenedRooms.ts"
import { endingMeetings } from "./meetings/Meetings.ts"

export const EventConsumersLive = Layer.effect(
  EventConsumers,
  Effect.gen(function* () {
    const { consumer } = yield* MessagePlanner
    const meetings = yield* endingMeetings
    return [consumer, meetings]
  })
).pipe(Layer.provide([MessagePlanner.Default, MeetingSender.Default, OpenedRooms.Default]))
