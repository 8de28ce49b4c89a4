import { Effect, Layer } from "effect"
import { SentCopies } from "../services/notifications/SentCopies.ts"
import { worker } from "./worker.ts"

/** Deletes the outbox files of deleted messages; failures are retried. */
export const ForgetMessage = Layer.unwrapEffect(
  Effect.map(SentCopies, ({ forget }) => worker("message.forget", ({ message_uids }) => forget(message_uids)))
)
