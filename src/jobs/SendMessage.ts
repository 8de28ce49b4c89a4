import { Effect, Layer } from "effect"
import { MessageSender } from "../services/notifications/MessageSender.ts"
import { asRequest, withoutOwner } from "../services/tenancy/Tenancy.ts"
import { worker } from "./worker.ts"

/**
 * Sends one mail or text message; the message's row schedules retries. Retries and the messages of an organisation that has many come last;
 * what is behind another organisation's backlog is sent by a tick, which takes the organisations in turn. Groups of pg-boss would limit an
 * organisation over all processes, not in each.
 */
const onJob = Layer.unwrapEffect(Effect.map(MessageSender, ({ send }) => worker("message.send", send)))

/** At start-up sends messages that a dead process has left; later ticks do that. */
const atStart = Layer.scopedDiscard(
  Effect.flatMap(MessageSender, ({ sweep }) =>
    Effect.forkScoped(withoutOwner(asRequest({ action: "job.message.send" })(sweep())))
  )
)

export const SendMessage = Layer.merge(onJob, atStart).pipe(Layer.provide(MessageSender.Default))
