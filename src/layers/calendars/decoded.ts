/** Bodies of calendar answers as text: some servers compress them whatever they are asked for (RFC 9110, 8.4). */
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from "node:zlib"
import type { ReadingFault } from "../../services/scheduling/calendar/CalendarReader.ts"

type Done = (error: NodeJS.ErrnoException | null, bytes: Buffer) => void
type Decompress = (bytes: Buffer, options: ZlibOptions, done: Done) => void

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
const textOf = (bytes: Buffer) => {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes)
  return bytes.toString("utf8")
}

/** `bytesMax` holds for the decompressed body. Decompression is no work of the event loop. */
export const decoded = (
  bytes: Buffer,
  encoding: string | undefined,
  bytesMax: number,
  end: (body: string, fault?: ReadingFault) => void
) => {
  const name = (encoding ?? "").trim().toLowerCase()
  if (name === "" || name === "identity" || bytes.length === 0) return end(textOf(bytes))
  const decompress = decompressions.get(name)
  if (decompress === undefined) return end("", "encoding")
  decompress(bytes, { maxOutputLength: bytesMax }, (error, whole) => {
    if (error === null || error === undefined) end(textOf(whole))
    else if (error.code === "ERR_BUFFER_TOO_LARGE") end("", "too_large")
    else end("", error.code === "Z_BUF_ERROR" ? "cut_short" : "encoding")
  })
}
