/** Files of a folder that only the service's own user may read: mails and text messages, where they are not sent. */
import { FileSystem, Path } from "@effect/platform"
import { Effect } from "effect"

const [FOLDER_MODE, FILE_MODE] = [0o700, 0o600]

/** Writes a file whole or not at all. */
export const outboxWriter = (folder: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    return Effect.fnUntraced(function* (name: string, ending: string, content: Uint8Array) {
      yield* files.makeDirectory(folder, { recursive: true, mode: FOLDER_MODE })
      // It may be there from an earlier version
      yield* files.chmod(folder, FOLDER_MODE)
      const unfinished = path.join(folder, `.${name}`)
      yield* files.writeFile(unfinished, content, { mode: FILE_MODE })
      yield* files.rename(unfinished, path.join(folder, `${name}.${ending}`))
    })
  })
