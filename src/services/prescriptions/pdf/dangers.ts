/** What a prescription's PDF must not contain. Every byte and every compressed stream is searched. */
import { latin1, nameSearch, withoutEscapes } from "./names.ts"
import { dictionaries, unpackedStreams } from "./streams.ts"

export type Danger = "encrypted" | "javascript" | "launch" | "too_large_unpacked" | "not_examinable"

const dangers: Readonly<Record<string, Danger>> = { Encrypt: "encrypted", JavaScript: "javascript", Launch: "launch" }

/** An encryption dictionary is named in the trailer, which is never compressed; actions may lie in object streams. */
const ANYWHERE = ["JavaScript", "Launch"]
/** Bytes. A scanned page in colour, at 600 dots an inch, is 100 MiB. */
const MAX_UNPACKED = 128 * 1024 * 1024
/** Each stream costs an unpacker, however short it is. */
const MAX_STREAMS = 20_000
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

/** Settings of a stream of objects. A name alone, such as an outline's `/First 5 0 R`, is another thing. */
const OF_OBJECTS = [/\/First\s+\d+\b(?!\s+\d+\s+R)/, /\/N\s+\d+\b(?!\s+\d+\s+R)/]
const OBJECTS = /\/ObjStm\b/
const OTHERWISE =
  /\/(?:ASCIIHexDecode|AHx|ASCII85Decode|A85|LZWDecode|LZW|RunLengthDecode|RL|Predictor)\b|\/(?:Filter|F|DecodeParms|DP)\s+\d+\s+\d+\s+R/
const DEFLATE = /\/(?:FlateDecode|Fl)\b/g

/**
 * Whether a stream of objects is packed by more than one pass of deflate, or by settings that stand elsewhere: what is in it
 * would not be found, and no program that makes prescriptions packs objects so.
 */
const hidesObjects = (dictionary: Uint8Array) => {
  const text = latin1(withoutEscapes(dictionary))
  if (!OBJECTS.test(text) && !OF_OBJECTS.every((setting) => setting.test(text))) return false
  return OTHERWISE.test(text) || (text.match(DEFLATE) ?? []).length > 1
}

export const findDanger = async (bytes: Uint8Array): Promise<Danger | undefined> => {
  const plain = await firstOf(["Encrypt", ...ANYWHERE], pieces(bytes))
  if (plain !== undefined) return plain
  for (const dictionary of dictionaries(bytes)) if (hidesObjects(dictionary)) return "not_examinable"
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
