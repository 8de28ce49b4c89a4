import { Effect, Layer } from "effect"
import { MessageSender } from "../services/notifications/MessageSender.ts"
import { worker } from "./worker.ts"

/** Sends one mail or text message; a delayed one is tried again as the queue declares. */
export const SendMessage = Layer.unwrapEffect(
  Effect.map(MessageSender, ({ send }) => worker("message.send", send))
).pipe(Layer.provide(MessageSender.Default))
