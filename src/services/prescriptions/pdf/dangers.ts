/** What a prescription's PDF must not contain. Every byte and every compressed stream is searched. */
import { latin1, nameSearch } from "./names.ts"
import { unpackedStreams } from "./streams.ts"

export type Danger = "encrypted" | "javascript" | "launch" | "too_large_unpacked" | "not_examinable"

const dangers: Readonly<Record<string, Danger>> = { Encrypt: "encrypted", JavaScript: "javascript", Launch: "launch" }

/** An encryption dictionary is named in the trailer, which is never compressed; actions may lie in object streams. */
const ANYWHERE = ["JavaScript", "Launch"]
const MAX_UNPACKED = 512 * 1024 * 1024
/** Each stream costs an unpacker, however short it is. */
const MAX_STREAMS = 20_000
const PIECE = 256 * 1024

const pieces = function* (bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
}

/** The danger of the first name that is found. `take` counts bytes and is false when there are too many. */
const firstOf = async (
  names: ReadonlyArray<string>,
  text: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  take: (size: number) => boolean = () => true
): Promise<Danger | undefined> => {
  const search = nameSearch(names)
  for await (const piece of text) {
    if (!take(piece.length)) return "too_large_unpacked"
    const found = search.feed(latin1(piece), false)
    if (found !== undefined) return dangers[found]
  }
  const found = search.feed("", true)
  return found === undefined ? undefined : dangers[found]
}

export const findDanger = async (bytes: Uint8Array): Promise<Danger | undefined> => {
  const plain = await firstOf(["Encrypt", ...ANYWHERE], pieces(bytes))
  if (plain !== undefined) return plain
  let left = MAX_UNPACKED
  const take = (size: number) => {
    left -= size
    return left >= 0
  }
  let streams = 0
  for (const stream of unpackedStreams(bytes)) {
    if (++streams > MAX_STREAMS) return "not_examinable"
    const danger = await firstOf(ANYWHERE, stream, take)
    if (danger !== undefined) return danger
  }
  return undefined
}
