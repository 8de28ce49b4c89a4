/** Finds PDF names in bytes, in every spelling: `/Launch` may be written `/L#61unch`. */
import { type Allowance, newAllowance, take } from "./allowance.ts"

/** A name ends before white space or one of `()<>[]{}/%`. */
const IS_END = new Uint8Array(256)
for (const byte of Buffer.from("\0\t\n\f\r ()<>[]{}/%")) IS_END[byte] = 1

const HASH = 0x23
/** The value of a hexadecimal digit; 255 for any other byte. */
const DIGITS = Uint8Array.from({ length: 256 }, (_, byte) =>
  "0123456789abcdef".indexOf(String.fromCharCode(byte).toLowerCase())
)

/** The bytes as a Buffer, without copying. */
export const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Decodes escapes in names. By hand: a regular expression takes ten times as long on hostile input. */
export const withoutEscapes = (bytes: Uint8Array): Buffer => {
  let length = bytes.indexOf(HASH)
  if (length < 0) return asBuffer(bytes)
  const plain = Buffer.allocUnsafe(bytes.length)
  plain.set(bytes.subarray(0, length))
  const { length: end } = bytes
  for (let at = length; at < end; at++) {
    let byte = bytes[at] ?? 0
    if (byte === HASH && at + 2 < end) {
      const high = DIGITS[bytes[at + 1] ?? 0] ?? 0
      const low = DIGITS[bytes[at + 2] ?? 0] ?? 0
      if ((high | low) < 16) {
        byte = (high << 4) | low
        at += 2
      }
    }
    plain[length++] = byte
  }
  return plain.subarray(0, length)
}

/** Maximum length of the longest searched text, fully escaped, with its slash and its end. */
const SPELLING_MAX = 48

/**
 * A streaming search that also finds texts split between chunks. A text with a leading slash is a name, and must end as one; any other
 * text is found anywhere. Ends early when `left` has no more false names.
 */
export const textSearch = (texts: ReadonlyArray<string>, left: Allowance = newAllowance()) => {
  const wanted = texts.map((text) => ({ text, isName: text.startsWith("/"), bytes: Buffer.from(text) }))
  let carried: Uint8Array = Buffer.alloc(0)
  const hasName = (text: Buffer, name: Buffer, last: boolean) => {
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
      const end = text[at + name.length]
      if (end === undefined ? last : IS_END[end] === 1) return true
      if (!take(left, "falseNames", 1)) return false
    }
    return false
  }
  return {
    /** The texts found in this chunk. `last` ends the input. */
    feed: (piece: Uint8Array, last: boolean): ReadonlyArray<string> => {
      const bytes = Buffer.concat([carried, piece])
      carried = bytes.subarray(-SPELLING_MAX)
      const plain = withoutEscapes(bytes)
      return wanted.flatMap(({ text, isName, bytes: own }) =>
        (isName ? hasName(plain, own, last) : plain.includes(own)) ? [text] : []
      )
    }
  }
}

/** Text in which one character is one byte. */
export const latin1 = (bytes: Uint8Array) => asBuffer(bytes).toString("latin1")

/** All positions of `word` in the bytes. */
export const occurrences = function* (bytes: Uint8Array, word: string) {
  const buffer = asBuffer(bytes)
  for (let at = buffer.indexOf(word); at !== -1; at = buffer.indexOf(word, at + word.length)) yield at
}
