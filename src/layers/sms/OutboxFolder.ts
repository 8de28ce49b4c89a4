/** Writes text messages as `.json` files to a folder, for development. */
import { FileSystem, Path } from "@effect/platform"
import { Effect, Layer } from "effect"
import { SmsDelayed, SmsGateway } from "../../services/notifications/SmsGateway.ts"

export const layer = (folder: string) =>
  Layer.effect(
    SmsGateway,
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const write = Effect.fnUntraced(function* (name: string, text: string) {
        yield* files.makeDirectory(folder, { recursive: true })
        const unfinished = path.join(folder, `.${name}`)
        yield* files.writeFileString(unfinished, text)
        yield* files.rename(unfinished, path.join(folder, `${name}.json`))
      })
      return SmsGateway.of({
        send: ({ message_id, to, text }) =>
          Effect.mapError(
            write(message_id, JSON.stringify({ to, text }, null, 2)),
            ({ message }) => new SmsDelayed({ reason: message })
          )
      })
    })
  )
