import { Effect, Layer } from "effect"
import { DeliveryRunner } from "../services/events/DeliveryRunner.ts"
import { worker } from "./worker.ts"

/** Wakes a subscriber's lane; the job is done then, what is owed stands in the database. */
const onCall = Layer.unwrapEffect(
  Effect.map(DeliveryRunner, ({ wake }) => worker("webhook.deliver", wake, { concurrency: 2 }))
)

/** What a dead process left behind is seen to at once by the next one; later by a tick. */
const leftBehind = Layer.effectDiscard(Effect.flatMap(DeliveryRunner, ({ sweep }) => sweep()))

export const DeliverWebhook = Layer.merge(onCall, leftBehind).pipe(Layer.provide(DeliveryRunner.Default))
