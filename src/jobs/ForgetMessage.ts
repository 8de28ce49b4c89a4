import { Effect, Layer } from "effect"
import { SentCopies } from "../services/notifications/SentCopies.ts"
import { worker } from "./worker.ts"

/** Deletes what this installation keeps of messages that are no longer there; what fails is tried again. */
export const ForgetMessage = Layer.unwrapEffect(
  Effect.map(SentCopies, ({ forget }) => worker("message.forget", ({ message_uids }) => forget(message_uids)))
)
