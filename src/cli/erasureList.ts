/**
 * The list of erasures as a file: one erasure a line, and a last line with the moment since which it may lack some. A list that was cut
 * off has no last line. The file's time does not count, since a copy changes it.
 */
import { readFileSync } from "node:fs"
import { Data, Effect, Option, Schema } from "effect"
import { UnixSeconds } from "../schemas/fields.ts"
import { Erasure } from "../services/rights/ErasuresRepo.ts"

const encode = Schema.encodeSync(Schema.parseJson(Erasure))
const decode = Schema.decodeUnknown(Schema.parseJson(Erasure))
const decodeLast = Schema.decodeUnknownOption(Schema.parseJson(Schema.Struct({ written_at: UnixSeconds })))

export class ErasureListIncomplete extends Data.TaggedError("ErasureListIncomplete")<{ readonly path: string }> {
  override get message() {
    return `The list ${this.path} is incomplete: its last line, with \`written_at\`, is missing. Nothing was changed`
  }
}

/** The lines of a list; `written` is a moment before the erasures were read. */
export const linesOf = (erasures: ReadonlyArray<Erasure>, written: Date): ReadonlyArray<string> => [
  ...erasures.map((one) => encode(one)),
  JSON.stringify({ written_at: Math.floor(written.getTime() / 1_000) })
]

/** Fails with `ErasureListIncomplete`, and with `ParseError` for a line that is no erasure. */
export const readErasureList = Effect.fnUntraced(function* (path: string) {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n")
  const last = decodeLast(lines.at(-1))
  if (Option.isNone(last)) return yield* new ErasureListIncomplete({ path })
  return {
    written: new Date(last.value.written_at * 1_000),
    erasures: yield* Effect.forEach(lines.slice(0, -1), (line) => decode(line))
  }
})
