import { Effect, Layer } from "effect"
import { Deliveries } from "../services/events/Deliveries.ts"
import { worker } from "./worker.ts"

/** Continues the replay of a subscription's failed deliveries. */
export const ReplayWebhooks = Layer.unwrapEffect(
  Effect.map(Deliveries, ({ continueReplay }) => worker("webhook.replay", continueReplay, { concurrency: 1 }))
).pipe(Layer.provide(Deliveries.Default))
