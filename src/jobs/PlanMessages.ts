import { Effect, Layer } from "effect"
import { MessagePlanner } from "../services/scheduling/messages/MessagePlanner.ts"
import { worker } from "./worker.ts"

/** Of each event that people may hear of: decides who is told, and how. */
export const PlanMessages = Layer.unwrapEffect(
  Effect.map(MessagePlanner, ({ plan }) =>
    worker("message.plan", ({ organisation_uid, event_id }) => plan(organisation_uid, event_id))
  )
).pipe(Layer.provide(MessagePlanner.Default))
