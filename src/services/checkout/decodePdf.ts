/** Decodes a PDF in a request: strict base64, at most 10 MiB, with a PDF header (Rule 11.2.3). */
import { Either } from "effect"

const BYTES_MAX = 10 * 1024 * 1024
const TEXT_MAX = Math.ceil(BYTES_MAX / 3) * 4
const HEADER = "%PDF-"

const fromBase64 = (text: string) =>
  Either.try({
    // the native decoder skips white space, which strict base64 forbids
    try: () => Uint8Array.fromBase64(/\s/.test(text) ? "?" : text, { lastChunkHandling: "strict" }),
    catch: () => "must be base64 with padding and without line breaks"
  })

const startsAsPdf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, HEADER.length)).toString("latin1") === HEADER

/** The file, or its fault, phrased to follow the field's name. */
export const decodePdf = (base64: string): Either.Either<Uint8Array, string> => {
  if (base64.length > TEXT_MAX) return Either.left("must have at most 10 MiB (10485760 bytes) when decoded")
  return Either.flatMap(fromBase64(base64), (bytes) => {
    if (bytes.length > BYTES_MAX) return Either.left("must have at most 10 MiB (10485760 bytes) when decoded")
    return startsAsPdf(bytes) ? Either.right(bytes) : Either.left("must be a PDF (start with %PDF-)")
  })
}
