import { Effect, Layer } from "effect"
import { MessageSender } from "../services/notifications/MessageSender.ts"
import { asRequest, serviceRequest } from "../services/tenancy/Tenancy.ts"
import { worker } from "./worker.ts"

/**
 * Sends one mail or text message; the message's own row says when it is tried again. Jobs are taken in order, whosesoever they are: what
 * stands behind another organisation's backlog is sent by a tick, which goes organisation by organisation. Groups would bound what one
 * organisation sends in all processes together, not in each.
 */
const onJob = Layer.unwrapEffect(Effect.map(MessageSender, ({ send }) => worker("message.send", send)))

/** What a dead process left is sent by the next one at once; later by a tick. */
const atStart = Layer.scopedDiscard(
  Effect.flatMap(MessageSender, ({ sweep }) =>
    Effect.forkScoped(asRequest(serviceRequest("job.message.send"))(sweep()))
  )
)

export const SendMessage = Layer.merge(onJob, atStart).pipe(Layer.provide(MessageSender.Default))
