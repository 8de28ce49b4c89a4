/** All consumers of events. */
import { Effect, Layer } from "effect"
import { DomainClock } from "../services/DomainClock.ts"
import { EventConsumers } from "../services/events/EventConsumers.ts"
import { MeetingSender } from "../services/meetings/MeetingBus.ts"
import { MessagePlanner } from "../services/notifications/MessagePlanner.ts"
import { OpenedRooms } from "../services/scheduling/joining/OpenedRooms.ts"
import { endingMeetings } from "./meetings/Meetings.ts"

export const EventConsumersLive = Layer.effect(
  EventConsumers,
  Effect.zipWith(MessagePlanner, endingMeetings, ({ consumer }, meetings) => [consumer, meetings])
).pipe(Layer.provide([MessagePlanner.Default, MeetingSender.Default, OpenedRooms.Default, DomainClock.Default]))
