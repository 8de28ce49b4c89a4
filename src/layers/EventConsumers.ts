/** The core's consumers of events. */
import { Effect, Layer } from "effect"
import { EventConsumers } from "../services/events/EventConsumers.ts"
import { MessagePlanner } from "../services/notifications/MessagePlanner.ts"

export const EventConsumersLive = Layer.effect(
  EventConsumers,
  Effect.map(MessagePlanner, ({ consumer }) => [consumer])
).pipe(Layer.provide(MessagePlanner.Default))
