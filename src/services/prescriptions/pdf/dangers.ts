/** What a prescription's PDF must not contain. Every byte and every compressed stream is searched. */
import { type Allowance, wholeAllowance } from "./allowance.ts"
import { nameSearch } from "./names.ts"
import { hidesObjects } from "./objectStreams.ts"
import { NotUnpacked, unpackedStreams } from "./streams.ts"

export type Danger = "encrypted" | "javascript" | "launch" | "too_large_unpacked" | "not_examinable"

/** Renditions and XFA forms carry scripts of their own. */
const dangers: Readonly<Record<string, Danger>> = {
  Encrypt: "encrypted",
  JavaScript: "javascript",
  Rendition: "javascript",
  XFA: "javascript",
  Launch: "launch"
}

/** An encryption dictionary is named in the trailer, which is never compressed; actions may lie in object streams. */
const ANYWHERE = ["JavaScript", "Rendition", "XFA", "Launch"]
const PIECE = 256 * 1024
const NOTHING = new Uint8Array()

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
    const found = search.feed(piece, false)
    if (found !== undefined) return dangers[found]
  }
  const found = search.feed(NOTHING, true)
  return found === undefined ? undefined : dangers[found]
}

const findInStreams = async (bytes: Uint8Array, left: Allowance): Promise<Danger | undefined> => {
  const take = (size: number) => {
    left.unpacked -= size
    return left.unpacked >= 0
  }
  for (const stream of unpackedStreams(bytes)) {
    if (--left.streams < 0) return "not_examinable"
    const danger = await firstOf(ANYWHERE, stream, take)
    if (danger !== undefined) return danger
  }
  return undefined
}

export const findDanger = async (bytes: Uint8Array, left = wholeAllowance()): Promise<Danger | undefined> => {
  const plain = await firstOf(["Encrypt", ...ANYWHERE], pieces(bytes))
  if (plain !== undefined) return plain
  if (hidesObjects(bytes, left)) return "not_examinable"
  try {
    return await findInStreams(bytes, left)
  } catch (error) {
    if (error instanceof NotUnpacked) return "not_examinable"
    throw error
  }
}
