/**
 * Object streams may only use one pass of deflate, since their content is searched after decompression. Every object of the file is parsed
 * as a reader would, since strings and comments can be crafted to look like objects.
 */
import { type Allowance, take } from "./allowance.ts"
import { latin1, occurrences, withoutEscapes } from "./names.ts"

const END = "(?=[\\0\\s()<>[\\]{}/%]|$)"
/** Keys that readers require of an object stream. None requires its type. */
const KEYS = [new RegExp(`/N${END}`), new RegExp(`/First${END}`)]
const DEFLATE = /\/Filter[\0\s]*(?:\/FlateDecode|\[[\0\s]*\/FlateDecode[\0\s]*\])(?=[\0\s/>])/g
const PACKED = new RegExp(`/(?:Filter|F|DecodeParms|DP)${END}`)
const [OPEN, CLOSE, LESS, MORE, BACKSLASH, COMMENT] = [0x28, 0x29, 0x3c, 0x3e, 0x5c, 0x25]
const [LINE_FEED, RETURN] = [0x0a, 0x0d]
const isSpace = (byte: number | undefined) =>
  byte === 0 || byte === 0x20 || byte === 0x09 || byte === 0x0c || byte === LINE_FEED || byte === RETURN

const afterComment = (bytes: Uint8Array, from: number) => {
  let at = from
  while (at < bytes.length && bytes[at] !== LINE_FEED && bytes[at] !== RETURN) at++
  return at
}

const afterSpace = (bytes: Uint8Array, from: number) => {
  let at = from
  for (;;)
    if (isSpace(bytes[at])) at++
    else if (bytes[at] === COMMENT) at = afterComment(bytes, at)
    else return at
}

/** Balanced parentheses need no escape. */
const afterString = (bytes: Uint8Array, from: number) => {
  let depth = 0
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === BACKSLASH) at++
    else if (byte === OPEN) depth++
    else if (byte === CLOSE && --depth === 0) return at + 1
  }
  return bytes.length
}

const STREAM = Buffer.from("stream")
const isStream = (bytes: Uint8Array, after: number) => {
  const at = afterSpace(bytes, after)
  return bytes[at] === STREAM[0] && STREAM.every((byte, i) => byte === bytes[at + i])
}

/**
 * End of the dictionary at `from`; the file's end if it is unterminated. Readers skip what is not a key, an opening bracket too, so a
 * position followed by a stream is also an end.
 */
const afterDictionary = (bytes: Uint8Array, from: number) => {
  let depth = 0
  for (let at = from; at < bytes.length; ) {
    const byte = bytes[at]
    const isDouble = bytes[at + 1] === byte
    if (byte === OPEN) at = afterString(bytes, at)
    else if (byte === COMMENT) at = afterComment(bytes, at)
    else if (byte === LESS && isDouble) {
      depth++
      at += 2
    } else if (byte === LESS) {
      const end = bytes.indexOf(MORE, at)
      at = end < 0 ? bytes.length : end + 1
    } else if (byte === MORE && isDouble) {
      at += 2
      if (--depth === 0 || isStream(bytes, at)) return at
    } else at++
  }
  return bytes.length
}

const isHidden = (dictionary: Uint8Array) => {
  const plain = withoutEscapes(dictionary)
  if (!plain.includes("/First")) return false
  const text = latin1(plain)
  return KEYS.every((key) => key.test(text)) && PACKED.test(text.replace(DEFLATE, ""))
}

/** Whether objects are hidden from the search, are too many, or overlap too much to be parsed. */
export const hidesObjects = (bytes: Uint8Array, left: Allowance) => {
  for (const at of occurrences(bytes, "obj")) {
    if (!take(left, "keywords", 1)) return true
    const from = afterSpace(bytes, at + "obj".length)
    const isDictionary = bytes[from] === LESS && bytes[from + 1] === LESS
    const end = isDictionary ? afterDictionary(bytes, from) : from
    if (!take(left, "parsed", afterSpace(bytes, end) - at)) return true
    if (isDictionary && !take(left, "dictionaries", 1)) return true
    if (isDictionary && isStream(bytes, end) && isHidden(bytes.subarray(from, end))) return true
  }
  return false
}
