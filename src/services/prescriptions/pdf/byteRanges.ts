/** Finds a PDF's signatures by their `/ByteRange`: the covered bytes and the CMS message of each. */
import { type Allowance, take } from "./allowance.ts"
import { latin1, occurrences } from "./names.ts"

export interface FoundSignature {
  /** The two covered ranges; null if the `/ByteRange` omits more than the signature's own value. */
  readonly covered: readonly [Uint8Array, Uint8Array] | null
  /** DER of the CMS message, zero padding included. */
  readonly message: Uint8Array
  /** Everything except the signature's own value is covered. */
  readonly wholeFile: boolean
}

const KEY = "/ByteRange"
const RANGE = /^\s*\[\s*(\d{1,15})\s+(\d{1,15})\s+(\d{1,15})\s+(\d{1,15})\s*\]/
/** More than any real prescription has; each costs a pass over the file. */
const SIGNATURES_MAX = 16

/** The numbers of a `/ByteRange`. */
export type SignedRange = ReadonlyArray<number>

const invalid: FoundSignature = { covered: null, message: new Uint8Array(), wholeFile: false }

/**
 * A valid range starts at 0, ends within the file, and omits exactly one hexadecimal string, the value of `/Contents`: other omitted
 * bytes could be changed without detection. Undefined if the values of the request's signatures are too long to be read.
 */
export const readSignature = (bytes: Uint8Array, range: SignedRange, left: Allowance): FoundSignature | undefined => {
  const [start = 1, length = 0, resume = 0, rest = 0] = range
  const end = resume + rest
  if (start !== 0 || length >= resume || end > bytes.length) return invalid
  if (!take(left, "values", resume - length)) return undefined
  const value = /^<([0-9A-Fa-f\s]*)>$/.exec(latin1(bytes.subarray(length, resume)))?.[1]
  if (value === undefined || !/\/Contents\s*$/.test(latin1(bytes.subarray(Math.max(0, length - 64), length))))
    return invalid
  return {
    covered: [bytes.subarray(0, length), bytes.subarray(resume, end)],
    message: Buffer.from(value.replace(/\s/g, ""), "hex"),
    wholeFile: end === bytes.length
  }
}

/** Keywords that cost as much as one `/ByteRange`. */
const KEYWORDS = 4

/** The ranges in file order, which is the order of signing; without duplicates. Undefined if there are too many to examine. */
export const findSignedRanges = (bytes: Uint8Array, left: Allowance): ReadonlyArray<SignedRange> | undefined => {
  const found = new Map<string, SignedRange>()
  for (const at of occurrences(bytes, KEY)) {
    if (!take(left, "keywords", KEYWORDS)) return undefined
    const range = RANGE.exec(latin1(bytes.subarray(at + KEY.length, at + KEY.length + 160)))
      ?.slice(1)
      .map(Number)
    if (range === undefined || found.has(String(range))) continue
    if (found.size === SIGNATURES_MAX) return undefined
    found.set(String(range), range)
  }
  return [...found.values()]
}
