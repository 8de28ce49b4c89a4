/** Detects forbidden content in a prescription's PDF. Searches all bytes and all compressed streams. */
import { type Allowance, newAllowance, take } from "./allowance.ts"
import { textSearch } from "./names.ts"
import { hidesObjects } from "./objectStreams.ts"
import { inflatedStreams, NotUnpacked } from "./streams.ts"

export type Danger = "encrypted" | "javascript" | "launch" | "too_large_unpacked" | "not_examinable"

/** The encryption dictionary is named in the trailer, which is never compressed; actions may be in object streams. */
const ENCRYPT = "/Encrypt"
const dangers: Readonly<Record<string, Danger>> = {
  [ENCRYPT]: "encrypted",
  "/JavaScript": "javascript",
  "/Launch": "launch"
}

/** An XML tag, with or without a prefix, in UTF-8 and in UTF-16. */
const tags = (name: string) => ["<", ":"].map((before) => before + name).flatMap((text) => [text, [...text].join("\0")])
/** Stream filters that the search for the XML of an XFA form does not decode. */
const UNREAD = ["/LZWDecode", "/LZW", "/ASCII85Decode", "/A85", "/ASCIIHexDecode", "/AHx", "/RunLengthDecode", "/RL"]
const XFA = "/XFA"
/**
 * Harmless on their own, but able to carry a script: a rendition by a key of its action, an XFA form in its XML, which is searched if it
 * is plain or deflated; a file with a form and other filters is rejected.
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

/** The first danger among the texts found; all found texts are added to `seen`. `kind` is the limit that the bytes count for. */
const firstOf = async (
  texts: ReadonlyArray<string>,
  bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  seen: Set<string>,
  left: Allowance,
  kind: "bytes" | "unpacked"
): Promise<Danger | undefined> => {
  const search = textSearch(texts, left)
  const find = (piece: Uint8Array, last: boolean): Danger | undefined => {
    const found = search.feed(piece, last)
    for (const text of found) seen.add(text)
    const danger = found.map((text) => dangers[text]).find((one) => one !== undefined)
    return danger ?? (left.falseNames < 0 || left.time < 0 ? "not_examinable" : undefined)
  }
  for await (const piece of bytes) {
    if (!take(left, kind, piece.length)) return kind === "bytes" ? "not_examinable" : "too_large_unpacked"
    const danger = find(piece, false)
    if (danger !== undefined) return danger
  }
  return find(NOTHING, true)
}

const findInStreams = async (bytes: Uint8Array, seen: Set<string>, left: Allowance): Promise<Danger | undefined> => {
  for (const stream of inflatedStreams(bytes, left)) {
    if (!take(left, "streams", 1)) return "not_examinable"
    const danger = await firstOf(ANYWHERE, stream, seen, left, "unpacked")
    if (danger !== undefined) return danger
  }
  return undefined
}

export const findDanger = async (bytes: Uint8Array, left = newAllowance()): Promise<Danger | undefined> => {
  const seen = new Set<string>()
  const plain = await firstOf([ENCRYPT, ...ANYWHERE], pieces(bytes), seen, left, "bytes")
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
