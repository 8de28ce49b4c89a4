/** Decompresses the streams of a PDF, which can contain objects. */
import { constants, createInflateRaw, inflateRawSync } from "node:zlib"
import { type Allowance, take } from "./allowance.ts"
import { occurrences } from "./names.ts"

const PIECE = 64 * 1024
/** Maximum false streams of one file. */
const FALSE_STREAMS_MAX = 1_000
/** Bytes that may be read: streams of a real file do not overlap. Some are read more than once. */
const readMax = (bytes: Uint8Array) => 4 * bytes.length + 16 * PIECE

const KEYWORD = "stream"
const END = "end"
const [LINE_FEED, RETURN] = [0x0a, 0x0d]

/** Positions of a byte at or after ascending positions, each searched once; the file's length if there is none. */
const next = (bytes: Uint8Array, byte: number) => {
  let found = -1
  return (from: number) => {
    if (found < from) found = bytes.indexOf(byte, from)
    if (found < 0) found = bytes.length
    return found
  }
}

/** Starts of stream data, on the line after the keyword: the dictionaries and tables of a hostile file can be wrong. */
const starts = function* (bytes: Uint8Array, left: Allowance) {
  const [feedFrom, returnFrom] = [next(bytes, LINE_FEED), next(bytes, RETURN)]
  const word = Buffer.from(END + KEYWORD)
  let last = 0
  for (const at of occurrences(bytes, KEYWORD)) {
    if (!take(left, "keywords", 1)) throw new NotUnpacked()
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

/** A stream that is truncated after partial output, or too much work: readers might show content that was not searched. */
export class NotUnpacked extends Error {}

interface Read {
  readonly piece: Uint8Array
  /** Compressed bytes consumed. */
  readonly used: number
}

/** Decompresses the stream without its checksum, which readers ignore; throws if it is truncated or longer than a chunk. */
const inflated = (packed: Uint8Array): Read => {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: PIECE, info: true }
  // `info` changes the result, which the types lack
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
 * Throws `NotUnpacked` if a broken stream gives any output before it breaks. The breaking byte cannot give a name by itself: its codes
 * would need more than eight bits. `read` counts bytes.
 */
const ensureNoOutput = (packed: Uint8Array, read: (bytes: number) => void) => {
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

/** The chunks of a long stream. */
const inflateLong = async function* (packed: Uint8Array, read: (bytes: number) => void): AsyncGenerator<Uint8Array> {
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
      yield piece as Uint8Array // streams are typed with chunks of any type
    }
  } catch {
    throw new NotUnpacked()
  } finally {
    inflate.destroy()
  }
}

/** Every stream that zlib can read, as its decompressed chunks. Throws `NotUnpacked`, also while they are read. */
export const inflatedStreams = function* (
  bytes: Uint8Array,
  left: Allowance
): Generator<Iterable<Uint8Array> | AsyncIterable<Uint8Array>> {
  let unread = readMax(bytes)
  const read = (size: number) => {
    unread -= size
    if (!take(left, "packed", size) || unread < 0) throw new NotUnpacked()
  }
  let falseStreams = 0
  for (const data of starts(bytes, left)) {
    if (!looksLikeZlib(bytes, data)) continue
    const packed = bytes.subarray(data + HEAD, data + HEAD + 2 * PIECE)
    const found = attempt(packed)
    if (found === "broken") {
      if (!take(left, "falseStreams", 1) || ++falseStreams > FALSE_STREAMS_MAX) throw new NotUnpacked()
      ensureNoOutput(packed, read)
    } else if (found === "longer" || found.used === packed.length) {
      yield inflateLong(bytes.subarray(data + HEAD), read)
    } else {
      read(found.used)
      yield [found.piece]
    }
  }
}
