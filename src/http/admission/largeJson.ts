/**
 * Parses JSON of many mebibytes in little memory: the few very long strings (PDFs in base64) are cut out of the bytes first,
 * so that the whole body never becomes one string. That string would take as much memory again, and twice that if a single
 * character, such as the "ł" of a name, is outside Latin-1.
 */

/** Throws for bytes that are not UTF-8, instead of replacing them. */
export const utf8 = new TextDecoder("utf-8", { fatal: true })

/** Strings longer than this are cut out. Bytes. */
const LONG = 64 * 1024
const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a]

/** Index of the quote that ends the string whose first byte is at `from`; -1 if there is none. */
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

/** The ranges of long strings, quotes included. Field names are skipped. */
const longStrings = function* (bytes: Buffer, long: number): Generator<readonly [start: number, end: number]> {
  for (let open = bytes.indexOf(QUOTE); open >= 0; ) {
    const close = closingQuote(bytes, open + 1)
    if (close < 0) return
    if (close - open > long && !isName(bytes, close + 1)) yield [open, close + 1]
    open = bytes.indexOf(QUOTE, close + 1)
  }
}

/** Parses one JSON string. Base64 is recognised by its characters, with or without a data: prefix, and takes one byte for each. */
const stringOf = (bytes: Buffer): string => {
  const inner = bytes.toString("latin1", 1, bytes.length - 1)
  return /^(data:[\w+./;=-]{0,255},)?[A-Za-z0-9+/=]*$/.test(inner) ? inner : JSON.parse(utf8.decode(bytes))
}

const [COMMA, BRACE, BRACKET] = [0x2c, 0x7b, 0x5b]

/** JSON that is well formed as far as it was read, and exceeds a limit; the message follows the name of the body. */
export class JsonTooLarge extends Error {}

/** Values of the JSON, counted by the characters that begin one; without `exactly`, those within strings count too. */
const valuesIn = (json: Uint8Array, exactly: boolean) => {
  let [count, inText] = [0, false]
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (exactly && byte === QUOTE) inText = !inText
    else if (inText && byte === BACKSLASH) at++
    else if (!inText && (byte === COMMA || byte === BRACE || byte === BRACKET)) count++
  }
  return count
}

/**
 * Throws for JSON with more than `max` values, before it is decoded. Each costs time and memory in `JSON.parse`: `[{},{},…]` takes
 * twenty times its bytes.
 */
export const ensureFewValues = (json: Uint8Array, max: number) => {
  if (valuesIn(json, false) > max && valuesIn(json, true) > max)
    throw new JsonTooLarge(`must have at most ${max.toLocaleString("en")} values`)
}

/** Length of the JSON without its long strings, in characters. */
const MAX_REST = 2 * 1024 * 1024

/**
 * `JSON.parse` of UTF-8 bytes. Throws as it does, and if more than 2 Mi characters or `values` values remain without the long strings.
 */
export const parseLargeJson = (bytes: Uint8Array, values: number, long: number = LONG): unknown => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const mark = crypto.randomUUID()
  const strings: Array<string> = []
  let rest = ""
  let from = 0
  for (const [start, end] of longStrings(buffer, long)) {
    rest += `${utf8.decode(buffer.subarray(from, start))}"${mark}${strings.length}"`
    strings.push(stringOf(buffer.subarray(start, end)))
    from = end
  }
  rest += utf8.decode(buffer.subarray(from))
  if (rest.length > MAX_REST)
    throw new JsonTooLarge(`must have at most ${MAX_REST.toLocaleString("en")} characters besides the files`)
  ensureFewValues(Buffer.from(rest), values)
  const restored = (_: string, value: unknown) =>
    typeof value === "string" && value.startsWith(mark) ? strings[Number(value.slice(mark.length))] : value
  return strings.length === 0 ? JSON.parse(rest) : JSON.parse(rest, restored)
}
