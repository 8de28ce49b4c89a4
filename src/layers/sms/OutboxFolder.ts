/** Writes text messages as `.json` files to a folder, for development. */
import { Effect, Layer } from "effect"
import { SmsDelayed, SmsGateway } from "../../services/notifications/SmsGateway.ts"
import { outboxWriter } from "../outbox.ts"

export const layer = (folder: string) =>
  Layer.effect(
    SmsGateway,
    Effect.gen(function* () {
      const write = yield* outboxWriter(folder)
      return SmsGateway.of({
        send: ({ message_id, to, text }) =>
          Effect.mapError(
            write(message_id, "json", Buffer.from(JSON.stringify({ to, text }, null, 2))),
            ({ message }) => new SmsDelayed({ reason: message })
          )
      })
    })
  )
