/** The compressed streams of a PDF, unpacked: they can contain objects. */
import { constants, createInflateRaw, inflateRawSync } from "node:zlib"
import { occurrences } from "./names.ts"

const PIECE = 64 * 1024
/** Places that look like a compressed stream of which nothing unpacks. No file has many, and each is tried several times. */
const FALSE_MARKERS_MAX = 1_000
/** Streams are together no longer than the file; only made-up ones lie within one another. Some are read more than once. */
const mostRead = (bytes: Uint8Array) => 4 * bytes.length + 16 * PIECE

const KEYWORD = "stream"
const END = "end"
const [LINE_FEED, RETURN] = [0x0a, 0x0d]

/** Positions of a byte at or after ever higher ones, each found once; the file's length where there is none. */
const next = (bytes: Uint8Array, byte: number) => {
  let found = -1
  return (from: number) => {
    if (found < from) found = bytes.indexOf(byte, from)
    if (found < 0) found = bytes.length
    return found
  }
}

/** Where stream data begins, on the line after the keyword: the dictionaries and tables of a hostile file can be wrong. */
const starts = function* (bytes: Uint8Array) {
  const [feedFrom, returnFrom] = [next(bytes, LINE_FEED), next(bytes, RETURN)]
  const word = Buffer.from(END + KEYWORD)
  let last = 0
  for (const at of occurrences(bytes, KEYWORD)) {
    const isEnd = at >= END.length && word.equals(bytes.subarray(at - END.length, at + KEYWORD.length))
    const [feed, back] = [feedFrom(at), returnFrom(at)]
    const data = Math.min(feed, back + 1 === feed ? feed : back) + 1
    if (isEnd || data === last || data >= bytes.length) continue
    last = data
    yield data
  }
}

const HEAD = 2
const looksLikeZlib = (bytes: Uint8Array, at: number) => {
  const [method = 0, flags = 0] = [bytes[at], bytes[at + 1]]
  return (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0
}

/** A stream that breaks off after something of it has been unpacked, or too much work: readers might show what is not searched. */
export class NotUnpacked extends Error {}

interface Read {
  readonly piece: Uint8Array
  /** Bytes of the stream that were used. */
  readonly used: number
}

/** What the stream unpacks to, without its checksum, which readers do not mind; throws when it breaks off or is longer. */
const inflated = (packed: Uint8Array): Read => {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: PIECE, info: true }
  // `info` changes what is returned, which the types do not know
  const { buffer, engine } = inflateRawSync(packed, options) as unknown as {
    readonly buffer: Uint8Array
    readonly engine: { readonly bytesWritten: number }
  }
  return { piece: buffer, used: engine.bytesWritten }
}

const attempt = (packed: Uint8Array): Read | "longer" | "broken" => {
  try {
    return inflated(packed)
  } catch (error) {
    return error instanceof RangeError ? "longer" : "broken"
  }
}

/**
 * Throws `NotUnpacked` when a stream that breaks off gives anything before it does. The byte that breaks it can give no name by
 * itself: its codes would have more than eight bits. `read` counts bytes.
 */
const ensureNothing = (packed: Uint8Array, read: (bytes: number) => void) => {
  let [good, bad] = [0, 1]
  const breaks = (length: number) => {
    read(length)
    const part = attempt(packed.subarray(0, length))
    if (part !== "broken" && (part === "longer" || part.piece.length > 0)) throw new NotUnpacked()
    return part === "broken"
  }
  while (bad < packed.length && !breaks(bad)) [good, bad] = [bad, 2 * bad]
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (breaks(middle)) bad = middle
    else good = middle
  }
}

/** The pieces of a long stream. */
const unpackedLong = async function* (packed: Uint8Array, read: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const inflate = createInflateRaw({ chunkSize: PIECE, finishFlush: constants.Z_SYNC_FLUSH })
  let [at, used] = [0, 0]
  const feed = () => {
    while (at < packed.length && !inflate.writableEnded) {
      const more = inflate.write(packed.subarray(at, at + PIECE))
      at += PIECE
      if (!more) return
    }
    if (!inflate.writableEnded) inflate.end()
  }
  inflate.on("drain", feed)
  feed()
  try {
    for await (const piece of inflate) {
      read(inflate.bytesWritten - used)
      used = inflate.bytesWritten
      yield piece as Uint8Array // a stream is typed for pieces of any kind
    }
  } catch {
    throw new NotUnpacked()
  } finally {
    inflate.destroy()
  }
}

/** Every stream that zlib can read, as the pieces it unpacks to. Throws `NotUnpacked`, as reading them does. */
export const unpackedStreams = function* (
  bytes: Uint8Array
): Generator<Iterable<Uint8Array> | AsyncIterable<Uint8Array>> {
  let left = mostRead(bytes)
  const read = (size: number) => {
    left -= size
    if (left < 0) throw new NotUnpacked()
  }
  let nothing = 0
  for (const data of starts(bytes)) {
    if (!looksLikeZlib(bytes, data)) continue
    const packed = bytes.subarray(data + HEAD, data + HEAD + 2 * PIECE)
    const found = attempt(packed)
    if (found === "broken") {
      if (++nothing > FALSE_MARKERS_MAX) throw new NotUnpacked()
      ensureNothing(packed, read)
    } else if (found === "longer" || found.used === packed.length) {
      yield unpackedLong(bytes.subarray(data + HEAD), read)
    } else {
      read(found.used)
      yield [found.piece]
    }
  }
}
