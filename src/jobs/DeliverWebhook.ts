import { Effect, Layer } from "effect"
import { DeliveryRunner } from "../services/events/DeliveryRunner.ts"
import { asRequest, withoutOwner } from "../services/tenancy/Tenancy.ts"
import { worker } from "./worker.ts"

/** Starts a subscription's deliveries and completes; the database holds what is pending. */
const onJob = Layer.unwrapEffect(
  Effect.map(DeliveryRunner, ({ wake }) => worker("webhook.deliver", wake, { concurrency: 2 }))
)

/** At start-up attempts deliveries that a dead process has left; later ticks do that. */
const atStart = Layer.effectDiscard(
  Effect.flatMap(DeliveryRunner, ({ sweep }) => sweep()).pipe(
    asRequest({ action: "job.webhook.deliver" }),
    withoutOwner
  )
)

export const DeliverWebhook = Layer.merge(onJob, atStart).pipe(Layer.provide(DeliveryRunner.Default))
