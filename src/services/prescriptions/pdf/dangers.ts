/** What a prescription's PDF must not bring along. Looked for in every byte and every compressed stream. */
import { latin1, nameSearch } from "./names.ts"
import { unpackedStreams } from "./streams.ts"

export type Danger = "encrypted" | "javascript" | "launch" | "too_large_unpacked"

const dangers: Readonly<Record<string, Danger>> = { Encrypt: "encrypted", JavaScript: "javascript", Launch: "launch" }

/** An encryption dictionary is named in the trailer, which is never compressed; actions may lie in object streams. */
const ANYWHERE = ["JavaScript", "Launch"]
const MAX_UNPACKED = 512 * 1024 * 1024
const PIECE = 256 * 1024

const pieces = function* (bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
}

/** The danger that the first of the names tells of; `take` says whether there is still room for so many bytes. */
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
  let room = MAX_UNPACKED
  const take = (size: number) => {
    room -= size
    return room >= 0
  }
  for (const stream of unpackedStreams(bytes)) {
    const danger = await firstOf(ANYWHERE, stream, take)
    if (danger !== undefined) return danger
  }
  return undefined
}
