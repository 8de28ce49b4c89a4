import { FileSystem, Path } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Settings } from "../../config.ts"
import { SentCopies } from "../../services/notifications/SentCopies.ts"

/** Deletes the files that `mail/OutboxFolder` and `sms/OutboxFolder` have written for these messages. */
export const SentCopiesLive = Layer.effect(
  SentCopies,
  Effect.gen(function* () {
    const { dataDir } = yield* Settings
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const remove = (name: string) => Effect.orDie(files.remove(path.join(dataDir, "outbox", name), { force: true }))
    return SentCopies.of({
      forget: (messages) =>
        Effect.forEach(messages, (uid) => Effect.all([remove(`${uid}.eml`), remove(`${uid}.json`)]), { discard: true })
    })
  })
)
