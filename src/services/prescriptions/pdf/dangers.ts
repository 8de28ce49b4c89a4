/** What a prescription's PDF must not contain. Every byte and every compressed stream is searched. */
import { type Allowance, wholeAllowance } from "./allowance.ts"
import { textSearch } from "./names.ts"
import { hidesObjects } from "./objectStreams.ts"
import { NotUnpacked, unpackedStreams } from "./streams.ts"

export type Danger = "encrypted" | "javascript" | "launch" | "too_large_unpacked" | "not_examinable"

/** An encryption dictionary is named in the trailer, which is never compressed; actions may lie in object streams. */
const ENCRYPT = "/Encrypt"
const dangers: Readonly<Record<string, Danger>> = {
  [ENCRYPT]: "encrypted",
  "/JavaScript": "javascript",
  "/Launch": "launch"
}

/** A tag of XML, with or without a prefix, in UTF-8 and in UTF-16. */
const tags = (name: string) => ["<", ":"].map((before) => before + name).flatMap((text) => [text, [...text].join("\0")])
/** Ways to pack a stream in which the XML of an XFA form is not found. */
const UNREAD = ["/LZWDecode", "/LZW", "/ASCII85Decode", "/A85", "/ASCIIHexDecode", "/AHx", "/RunLengthDecode", "/RL"]
const XFA = "/XFA"
/**
 * What is harmless by itself, and carries a script together with one of these: a rendition by a key of its action, an XFA form in
 * its XML, which is searched where it is plain or packed by deflate; a file with a form and streams in other ways is refused.
 */
const CARRIERS = [
  { carrier: "/Rendition", scripts: ["/JS"] },
  { carrier: XFA, scripts: tags("script") }
]

const ANYWHERE = [
  "/JavaScript",
  "/Launch",
  ...UNREAD,
  ...CARRIERS.flatMap(({ carrier, scripts }) => [carrier, ...scripts])
]
const PIECE = 256 * 1024
const NOTHING = new Uint8Array()

const pieces = function* (bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
}

/**
 * The first danger of the texts that are found; all of them are added to `seen`. `take` counts bytes and is false when there are too
 * many.
 */
const firstOf = async (
  texts: ReadonlyArray<string>,
  bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  seen: Set<string>,
  take: (size: number) => boolean = () => true
): Promise<Danger | undefined> => {
  const search = textSearch(texts)
  const find = (piece: Uint8Array, last: boolean) => {
    const found = search.feed(piece, last)
    for (const text of found) seen.add(text)
    return found.map((text) => dangers[text]).find((danger) => danger !== undefined)
  }
  for await (const piece of bytes) {
    if (!take(piece.length)) return "too_large_unpacked"
    const danger = find(piece, false)
    if (danger !== undefined) return danger
  }
  return find(NOTHING, true)
}

const findInStreams = async (bytes: Uint8Array, seen: Set<string>, left: Allowance): Promise<Danger | undefined> => {
  const take = (size: number) => {
    left.unpacked -= size
    return left.unpacked >= 0
  }
  for (const stream of unpackedStreams(bytes)) {
    if (--left.streams < 0) return "not_examinable"
    const danger = await firstOf(ANYWHERE, stream, seen, take)
    if (danger !== undefined) return danger
  }
  return undefined
}

export const findDanger = async (bytes: Uint8Array, left = wholeAllowance()): Promise<Danger | undefined> => {
  const seen = new Set<string>()
  const plain = await firstOf([ENCRYPT, ...ANYWHERE], pieces(bytes), seen)
  if (plain !== undefined) return plain
  if (hidesObjects(bytes, left)) return "not_examinable"
  try {
    const danger = await findInStreams(bytes, seen, left)
    if (danger !== undefined) return danger
  } catch (error) {
    if (error instanceof NotUnpacked) return "not_examinable"
    throw error
  }
  const isScripted = CARRIERS.some(({ carrier, scripts }) => seen.has(carrier) && scripts.some((one) => seen.has(one)))
  if (isScripted) return "javascript"
  return seen.has(XFA) && UNREAD.some((filter) => seen.has(filter)) ? "not_examinable" : undefined
}
