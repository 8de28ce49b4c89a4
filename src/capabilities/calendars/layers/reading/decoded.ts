/** Bodies of calendar answers as text: some servers compress them whatever they are asked for (RFC 9110, 8.4). */
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from "node:zlib"
import { Effect } from "effect"
import type { ReadingFault } from "../../schemas/BusySource.ts"
import { CalendarFailed } from "../../services/CalendarServers.ts"

type Done = (error: NodeJS.ErrnoException | null, bytes: Buffer) => void
type Decompress = (bytes: Uint8Array, options: ZlibOptions, done: Done) => void

/** `deflate` is in practice also sent without its header. */
const deflate: Decompress = (bytes, options, done) =>
  ((bytes[0] ?? 0) % 16 === 8 ? inflate : inflateRaw)(bytes, options, done)
const decompressions = new Map<string, Decompress>([
  ["gzip", gunzip],
  ["x-gzip", gunzip],
  ["deflate", deflate],
  ["br", brotliDecompress]
])
/** For `Accept-Encoding`. */
export const ENCODINGS = "gzip, deflate, br"

/** UTF-8, or UTF-16 where it begins with a mark of that. */
const textOf = (bytes: Uint8Array) => {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes)
  return Buffer.from(bytes).toString("utf8")
}

const faultOf = ({ code }: NodeJS.ErrnoException): ReadingFault =>
  code === "ERR_BUFFER_TOO_LARGE" ? "too_large" : code === "Z_BUF_ERROR" ? "cut_short" : "encoding"

/** `bytesMax` holds for the decompressed body. Decompression is no work of the event loop. */
export const decoded = (bytes: Uint8Array, encoding = "", bytesMax: number): Effect.Effect<string, CalendarFailed> => {
  const name = encoding.trim().toLowerCase()
  if (name === "" || name === "identity" || bytes.length === 0) return Effect.sync(() => textOf(bytes))
  const decompress = decompressions.get(name)
  if (decompress === undefined) return new CalendarFailed({ fault: "encoding" })
  return Effect.async((resume) =>
    decompress(bytes, { maxOutputLength: bytesMax }, (error, whole) =>
      resume(error ? new CalendarFailed({ fault: faultOf(error) }) : Effect.sync(() => textOf(whole)))
    )
  )
}
