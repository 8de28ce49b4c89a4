/** Finds PDF names in bytes, in every spelling: `/Launch` may be written `/L#61unch`. */

/** A name ends where white space or one of `()<>[]{}/%` begins. */
const IS_END = new Uint8Array(256)
for (const byte of Buffer.from("\0\t\n\f\r ()<>[]{}/%")) IS_END[byte] = 1

const HASH = 0x23
/** The value of a hexadecimal digit; -1 for every other byte. */
const DIGITS = Int8Array.from({ length: 256 }, (_, byte) =>
  "0123456789abcdef".indexOf(String.fromCharCode(byte).toLowerCase())
)
const digit = (byte = HASH) => DIGITS[byte] ?? -1

/** The bytes with the methods of a Buffer; nothing is copied. */
export const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Names in their plain spelling. By hand: a regular expression takes ten times as long for bytes that are made for it. */
export const withoutEscapes = (bytes: Uint8Array): Buffer => {
  if (!bytes.includes(HASH)) return asBuffer(bytes)
  const plain = Buffer.allocUnsafe(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    const high = byte === HASH ? digit(bytes[at + 1]) : -1
    const low = high < 0 ? -1 : digit(bytes[at + 2])
    if (low >= 0) at += 2
    plain[length++] = low < 0 ? byte : high * 16 + low
  }
  return plain.subarray(0, length)
}

/** The longest spelling of the longest text that is looked for, its slash and its end included. */
const LONGEST = 48

/**
 * A search in bytes that come in pieces: what is split between two pieces is found all the same. A text that begins with a slash is a
 * name, and found where it ends as one; any other is found anywhere.
 */
export const textSearch = (texts: ReadonlyArray<string>) => {
  const wanted = texts.map((text) => ({ text, isName: text.startsWith("/"), bytes: Buffer.from(text) }))
  let carried: Uint8Array = Buffer.alloc(0)
  const hasName = (text: Buffer, name: Buffer, last: boolean) => {
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
      const end = text[at + name.length]
      if (end === undefined ? last : IS_END[end] === 1) return true
    }
    return false
  }
  return {
    /** Those of the texts that are found in this piece. `last` closes the bytes. */
    feed: (piece: Uint8Array, last: boolean): ReadonlyArray<string> => {
      const bytes = Buffer.concat([carried, piece])
      carried = bytes.subarray(-LONGEST)
      const plain = withoutEscapes(bytes)
      return wanted.flatMap(({ text, isName, bytes: own }) =>
        (isName ? hasName(plain, own, last) : plain.includes(own)) ? [text] : []
      )
    }
  }
}

/** Text in which one character is one byte. */
export const latin1 = (bytes: Uint8Array) => asBuffer(bytes).toString("latin1")

/** Where `word` stands in the bytes, each time. */
export const occurrences = function* (bytes: Uint8Array, word: string) {
  const buffer = asBuffer(bytes)
  for (let at = buffer.indexOf(word); at !== -1; at = buffer.indexOf(word, at + word.length)) yield at
}
