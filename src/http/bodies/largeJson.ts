/**
 * JSON of many mebibytes, parsed in as little memory as can be: the few very long texts in it (a PDF in base64) are cut out
 * of the bytes first, so that the whole is never one text. Such a text would take as much again, and twice that as soon as
 * a single character in it, the "ł" of a name, is beyond Latin-1.
 */

/** Throws at bytes that are no UTF-8: what they were meant to say is not guessed. */
export const utf8 = new TextDecoder("utf-8", { fatal: true })

/** From how many bytes on a text is worth cutting out. */
const LONG = 64 * 1024
const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a]

/** The quote that ends the text whose first byte is at `from`; -1 without one. */
const closingQuote = (bytes: Buffer, from: number): number => {
  for (let at = bytes.indexOf(QUOTE, from); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let before = at - 1
    while (before >= from && bytes[before] === BACKSLASH) before--
    if ((at - 1 - before) % 2 === 0) return at
  }
  return -1
}

const isName = (bytes: Buffer, after: number): boolean => {
  let at = after
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0a || bytes[at] === 0x0d) at++
  return bytes[at] === COLON
}

/** Where the long texts stand, quotes included; names of fields are left alone. */
const longTexts = function* (bytes: Buffer, long: number): Generator<readonly [start: number, end: number]> {
  for (let open = bytes.indexOf(QUOTE); open >= 0; ) {
    const close = closingQuote(bytes, open + 1)
    if (close < 0) return
    if (close - open > long && !isName(bytes, close + 1)) yield [open, close + 1]
    open = bytes.indexOf(QUOTE, close + 1)
  }
}

/** One JSON text. Base64 is recognised without decoding each character, and takes one byte for each. */
const textOf = (bytes: Buffer): string => {
  const inner = bytes.toString("latin1", 1, bytes.length - 1)
  return /^[A-Za-z0-9+/=]*$/.test(inner) ? inner : JSON.parse(utf8.decode(bytes))
}

/** More values than any body holds; each costs memory in JSON.parse, `[{},{},…]` twenty times its bytes. */
const MAX_VALUES = 50_000
const [COMMA, BRACE, BRACKET] = [0x2c, 0x7b, 0x5b]

/** Throws for JSON of too many values, before a text is made of it. Commas in texts count too: no body has that many. */
export const ensureFewValues = (json: Uint8Array) => {
  let count = 0
  for (const byte of json) if (byte === COMMA || byte === BRACE || byte === BRACKET) count++
  if (count > MAX_VALUES) throw new RangeError("too many values")
}

/** What is left beside the long texts: names, numbers, addresses of a few hundred lines. */
const MAX_REST = 2 * 1024 * 1024

/** The same as `JSON.parse` of the UTF-8 text; throws likewise, and when more than 2 MiB are left beside the long texts. */
export const parseLargeJson = (bytes: Uint8Array, long: number = LONG): unknown => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const mark = crypto.randomUUID()
  const texts: Array<string> = []
  let rest = ""
  let from = 0
  for (const [start, end] of longTexts(buffer, long)) {
    rest += `${utf8.decode(buffer.subarray(from, start))}"${mark}${texts.length}"`
    texts.push(textOf(buffer.subarray(start, end)))
    from = end
  }
  rest += utf8.decode(buffer.subarray(from))
  if (rest.length > MAX_REST) throw new RangeError("too much beside the long texts")
  ensureFewValues(Buffer.from(rest))
  const restored = (_: string, value: unknown) =>
    typeof value === "string" && value.startsWith(mark) ? texts[Number(value.slice(mark.length))] : value
  return texts.length === 0 ? JSON.parse(rest) : JSON.parse(rest, restored)
}
