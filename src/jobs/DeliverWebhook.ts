import { Effect, Layer } from "effect"
import { DeliveryRunner } from "../services/events/DeliveryRunner.ts"
import { cronWorker, worker } from "./worker.ts"

/** Wakes a subscriber's lane; the job is done then, what is owed stands in the database. */
const onCall = Layer.unwrapEffect(
  Effect.map(DeliveryRunner, ({ wake }) => worker("webhook.deliver", wake, { concurrency: 2, pollSeconds: 2 }))
)

/** What a dead process left behind is seen to at once by the next one, and every minute. */
const leftBehind = Layer.unwrapEffect(
  Effect.map(DeliveryRunner, ({ sweep }) =>
    Layer.merge(Layer.effectDiscard(sweep()), cronWorker("maintenance.deliveries", "* * * * *", sweep()))
  )
)

export const DeliverWebhook = Layer.merge(onCall, leftBehind).pipe(Layer.provide(DeliveryRunner.Default))
