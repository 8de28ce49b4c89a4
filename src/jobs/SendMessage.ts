import { Effect, Layer } from "effect"
import { MessageSender } from "../services/scheduling/messages/MessageSender.ts"
import { worker } from "./worker.ts"

/** Sends one mail or text message; what was delayed is tried again as the queue declares. */
export const SendMessage = Layer.unwrapEffect(
  Effect.map(MessageSender, ({ send }) =>
    worker("message.send", ({ organisation_uid, message_uid }) => send(organisation_uid, message_uid))
  )
).pipe(Layer.provide(MessageSender.Default))
