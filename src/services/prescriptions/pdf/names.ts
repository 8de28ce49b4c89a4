/** Finds PDF names in bytes, in every spelling: `/Launch` may be written `/L#61unch`. */

/** A name ends where white space or one of `()<>[]{}/%` begins. */
const END = "[\\x00\\t\\n\\f\\r ()<>\\[\\]{}/%]"

const either = (char: string) => {
  const hex = char.charCodeAt(0).toString(16).padStart(2, "0")
  const digits = [...hex].map((d) => `[${d}${d.toUpperCase()}]`).join("")
  return `(?:${char}|#${digits})`
}

/** Matches any of the names, in any spelling, with the character after it. The index of the group says which. */
const spelling = (names: ReadonlyArray<string>) =>
  new RegExp(`/(?:${names.map((name) => `(${[...name].map(either).join("")})`).join("|")})${END}`)

/** The longest spelling of the longest name that is looked for, its slash and its end included. */
const LONGEST = 48

/** A search for names in text that comes in pieces: a name split between two pieces is found all the same. */
export const nameSearch = (names: ReadonlyArray<string>) => {
  const pattern = spelling(names)
  let carried = ""
  return {
    /** The first name found up to now, or undefined. `last` closes the text. */
    feed: (piece: string, last: boolean): string | undefined => {
      const text = last ? `${carried}${piece} ` : carried + piece
      carried = text.slice(-LONGEST)
      const match = pattern.exec(text)
      return match === null ? undefined : names[match.slice(1).findIndex((group) => group !== undefined)]
    }
  }
}

/** The bytes with the methods of a Buffer; nothing is copied. */
export const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Text in which one character is one byte. */
export const latin1 = (bytes: Uint8Array) => asBuffer(bytes).toString("latin1")

/** Where `word` stands in the bytes, each time. */
export const occurrences = function* (bytes: Uint8Array, word: string) {
  const buffer = asBuffer(bytes)
  for (let at = buffer.indexOf(word); at !== -1; at = buffer.indexOf(word, at + word.length)) yield at
}
