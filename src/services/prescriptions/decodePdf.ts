/** Decodes a PDF in a request: base64, at most 10 MiB, with a PDF header (Rule 11.2.3). */
import { Either } from "effect"
import { PDF_LIMITS } from "../../schemas/prescriptions/pdf.ts"

const HEADER = "%PDF-"
/** `data:application/pdf;base64,`, with any type and parameters. */
const DATA_PREFIX = /^\s*data:[^,]{0,255};base64,/i

const fromBase64 = (text: string) =>
  Either.try({
    // the decoder skips white space
    try: () => Uint8Array.fromBase64(text.replace(DATA_PREFIX, ""), { lastChunkHandling: "strict" }),
    catch: () => "must be base64 with padding"
  })

const startsAsPdf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, HEADER.length)).toString("latin1") === HEADER

/** The file, or its fault, phrased to follow the field's name. */
export const decodePdf = (base64: string): Either.Either<Uint8Array, string> => {
  if (base64.length > PDF_LIMITS.base64) return Either.left("must have at most 10 MiB (10485760 bytes) when decoded")
  return Either.flatMap(fromBase64(base64), (bytes) => {
    if (bytes.length > PDF_LIMITS.bytes) return Either.left("must have at most 10 MiB (10485760 bytes) when decoded")
    return startsAsPdf(bytes) ? Either.right(bytes) : Either.left("must be a PDF (start with %PDF-)")
  })
}
