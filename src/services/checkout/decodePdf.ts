/** A PDF in a body: strict base64, at most 10 MiB, with a PDF's first bytes (Rule 11.2.3). */
import { Either } from "effect"

const LIMIT = 10 * 1024 * 1024
const LONGEST = Math.ceil(LIMIT / 3) * 4
const HEADER = "%PDF-"

const fromBase64 = (text: string) =>
  Either.try({
    // the native decoder skips white space, which strict base64 does not allow
    try: () => Uint8Array.fromBase64(/\s/.test(text) ? "?" : text, { lastChunkHandling: "strict" }),
    catch: () => "must be base64 with padding and without line breaks"
  })

const startsAsPdf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, HEADER.length)).toString("latin1") === HEADER

/** The file, or its fault as a text that follows the field's name. */
export const decodePdf = (base64: string): Either.Either<Uint8Array, string> => {
  if (base64.length > LONGEST) return Either.left("must have at most 10 MiB (10485760 bytes) when decoded")
  return Either.flatMap(fromBase64(base64), (bytes) => {
    if (bytes.length > LIMIT) return Either.left("must have at most 10 MiB (10485760 bytes) when decoded")
    return startsAsPdf(bytes) ? Either.right(bytes) : Either.left("must be a PDF (start with %PDF-)")
  })
}
