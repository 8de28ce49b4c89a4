import { Effect, Layer } from "effect"
import { DeliveryRunner } from "../services/events/DeliveryRunner.ts"
import { asRequest, serviceRequest } from "../services/tenancy/Tenancy.ts"
import { worker } from "./worker.ts"

/** Starts a subscription's deliveries; the job is done then, for what is pending stands in the database. */
const onJob = Layer.unwrapEffect(
  Effect.map(DeliveryRunner, ({ wake }) => worker("webhook.deliver", wake, { concurrency: 2 }))
)

/** What a dead process left is attempted by the next one at once; later by a tick. */
const atStart = Layer.effectDiscard(
  Effect.flatMap(DeliveryRunner, ({ sweep }) => sweep()).pipe(asRequest(serviceRequest("job.webhook.deliver")))
)

export const DeliverWebhook = Layer.merge(onJob, atStart).pipe(Layer.provide(DeliveryRunner.Default))
