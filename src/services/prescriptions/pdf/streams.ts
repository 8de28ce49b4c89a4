/** The compressed streams of a PDF, unpacked piece by piece: they can contain objects. */
import { createInflate } from "node:zlib"
import { latin1, occurrences } from "./names.ts"

const PIECE = 64 * 1024

const KEYWORD = "stream"

/** Between the keyword and the data there is a line's end; readers pass over what stands before it. */
const LONGEST_LINE = 256

/**
 * Where stream data begins, by the keyword alone: the dictionaries and tables of a hostile file can be wrong. With it, where
 * the keyword stands.
 */
const starts = function* (bytes: Uint8Array) {
  for (const at of occurrences(bytes, KEYWORD)) {
    const from = at + KEYWORD.length
    const [line] = /^[^\r\n]*(?:\r\n|\n|\r)/.exec(latin1(bytes.subarray(from, from + LONGEST_LINE))) ?? []
    if (line !== undefined) yield { at, data: from + line.length }
  }
}

const looksLikeZlib = (bytes: Uint8Array, at: number) => {
  const [method = 0, flags = 0] = [bytes[at], bytes[at + 1]]
  return (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0
}

const inflated = async function* (bytes: Uint8Array, from: number): AsyncGenerator<Uint8Array> {
  const inflate = createInflate({ chunkSize: PIECE })
  let at = from
  const feed = () => {
    while (at < bytes.length && !inflate.writableEnded) {
      const more = inflate.write(bytes.subarray(at, at + PIECE))
      at += PIECE
      if (!more) return
    }
    if (!inflate.writableEnded) inflate.end()
  }
  inflate.on("drain", feed)
  feed()
  try {
    for await (const piece of inflate) yield piece as Uint8Array // a stream is typed for pieces of any kind
  } catch {
    // Not zlib, or broken off: what came out before has been searched, and no reader gets further either
  } finally {
    inflate.destroy()
  }
}

/** Every stream that zlib can read, as the pieces it unpacks to. */
export const unpackedStreams = function* (bytes: Uint8Array) {
  for (const { data } of starts(bytes)) if (looksLikeZlib(bytes, data)) yield inflated(bytes, data)
}

/** What stands before each stream since the one before it, its dictionary at the end. Together they are no longer than the file. */
export const dictionaries = function* (bytes: Uint8Array) {
  let from = 0
  for (const { at } of starts(bytes)) {
    yield bytes.subarray(from, at)
    from = at
  }
}
