/**
 * A list as a file: an entry a line, and a last line with the moment since which it may lack some. A list that was cut off has no last
 * line. The file's time does not count, since a copy changes it.
 */
import { FileSystem } from "@effect/platform"
import { Data, Effect, Option, Schema } from "effect"
import { UnixSeconds } from "../../../schemas/fields.ts"

const decodeLast = Schema.decodeUnknownOption(Schema.parseJson(Schema.Struct({ written_at: UnixSeconds })))

export class ListIncomplete extends Data.TaggedError("ListIncomplete")<{ readonly path: string }> {
  override get message() {
    return `The list ${this.path} is incomplete: its last line, with \`written_at\`, is missing. Nothing was changed`
  }
}

/** The last line; `written` is a moment before the entries were read. */
export const lastLine = (written: Date) => JSON.stringify({ written_at: Math.floor(written.getTime() / 1_000) })

/** Fails with `ListIncomplete`. */
export const readDatedList = Effect.fnUntraced(function* (path: string) {
  const text = yield* Effect.flatMap(FileSystem.FileSystem, (files) => files.readFileString(path))
  const lines = text.trimEnd().split("\n")
  const last = decodeLast(lines.at(-1))
  if (Option.isNone(last)) return yield* new ListIncomplete({ path })
  return { written: new Date(last.value.written_at * 1_000), lines: lines.slice(0, -1) }
})
