/** The signatures of a PDF, found by their `/ByteRange`: which bytes each covers, and the CMS message that it holds. */
import { latin1, occurrences } from "./names.ts"

export interface FoundSignature {
  /** The two covered ranges; null when the `/ByteRange` leaves out more than the signature's own value. */
  readonly covered: readonly [Uint8Array, Uint8Array] | null
  /** DER of the CMS message, zero padding included. */
  readonly message: Uint8Array
  /** Everything but the signature's own value is covered. */
  readonly wholeFile: boolean
}

const KEY = "/ByteRange"
const RANGE = /^\s*\[\s*(\d{1,15})\s+(\d{1,15})\s+(\d{1,15})\s+(\d{1,15})\s*\]/
/** More signatures than any prescription has; each costs a pass over the file. */
const MAX_SIGNATURES = 16

const invalid: FoundSignature = { covered: null, message: new Uint8Array(), wholeFile: false }

/**
 * A valid range starts with the file, ends within it, and leaves out exactly one hexadecimal string, the value of
 * `/Contents`: whatever else is left out could be changed unnoticed.
 */
const read = (bytes: Uint8Array, range: ReadonlyArray<number>): FoundSignature => {
  const [start = 1, length = 0, resume = 0, rest = 0] = range
  const end = resume + rest
  if (start !== 0 || length >= resume || end > bytes.length) return invalid
  const value = /^<([0-9A-Fa-f\s]*)>$/.exec(latin1(bytes.subarray(length, resume)))?.[1]
  if (value === undefined || !/\/Contents\s*$/.test(latin1(bytes.subarray(Math.max(0, length - 64), length))))
    return invalid
  return {
    covered: [bytes.subarray(0, length), bytes.subarray(resume, end)],
    message: Buffer.from(value.replace(/\s/g, ""), "hex"),
    wholeFile: end === bytes.length
  }
}

/**
 * The signatures in the order in which they stand in the file, which is the order of signing; each range once. Undefined
 * when there are more than can be examined.
 */
export const findSignatures = (bytes: Uint8Array): ReadonlyArray<FoundSignature> | undefined => {
  const found = new Map<string, FoundSignature>()
  for (const at of occurrences(bytes, KEY)) {
    const range = RANGE.exec(latin1(bytes.subarray(at + KEY.length, at + KEY.length + 160)))
      ?.slice(1)
      .map(Number)
    if (range === undefined || found.has(String(range))) continue
    if (found.size === MAX_SIGNATURES) return undefined
    found.set(String(range), read(bytes, range))
  }
  return [...found.values()]
}
