/**
 * Parses JSON of many mebibytes in little memory: the few very long strings (PDFs in base64) are cut out of the bytes first,
 * so that the whole body never becomes one string. That string would take as much memory again, and twice that if a single
 * character, such as the "ł" of a name, is outside Latin-1.
 */

/** Throws for bytes that are not UTF-8, instead of replacing them. */
export const utf8 = new TextDecoder("utf-8", { fatal: true })

/** Strings of base64 that are longer are cut out. Bytes. */
const LONG = 64 * 1024
const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a]

const isName = (bytes: Buffer, after: number): boolean => {
  let at = after
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0a || bytes[at] === 0x0d) at++
  return bytes[at] === COLON
}

/** Whether the quote is one of a string's text. */
const isEscaped = (bytes: Buffer, quote: number): boolean => {
  let before = quote - 1
  while (bytes[before] === BACKSLASH) before--
  return (quote - 1 - before) % 2 === 1
}

/** Base64, with or without a `data:` prefix. It has no escapes, and takes one byte for each character. */
const FILE = /^(data:[\w+./;=-]{0,255},)?[A-Za-z0-9+/=]*$/

/**
 * The ranges of long strings of base64, quotes included; any other string is left where it is, and so is a field's name. Looks for parts
 * without a quote, not at each quote: there may be millions.
 */
const longStrings = function* (
  bytes: Buffer,
  long: number
): Generator<readonly [start: number, end: number, text: string]> {
  // a string that is longer has a whole part in it
  const part = Math.max(1, long >> 1)
  let open = -1
  for (let at = 0; at < bytes.length; ) {
    const last = bytes.subarray(at, at + part).lastIndexOf(QUOTE)
    if (last >= 0) open = at + last
    if (last >= 0 || open < 0) {
      at += part
      continue
    }
    const close = bytes.indexOf(QUOTE, at)
    if (close < 0) return
    if (close - open > long && !isEscaped(bytes, open) && !isName(bytes, close + 1)) {
      const text = bytes.toString("latin1", open + 1, close)
      if (FILE.test(text)) yield [open, close + 1, text]
    }
    open = close
    at = close + 1
  }
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
export const MAX_REST = 2 * 1024 * 1024
const tooLarge = () =>
  new JsonTooLarge(`must have at most ${MAX_REST.toLocaleString("en")} characters besides the files`)

/**
 * `JSON.parse` of UTF-8 bytes. Throws as it does, and if more than 2 Mi characters or `values` values remain without the long strings.
 */
export const parseLargeJson = (bytes: Uint8Array, values: number, long: number = LONG): unknown => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const mark = crypto.randomUUID()
  const strings: Array<string> = []
  let rest = ""
  let from = 0
  const add = (end: number) => {
    // a character has at most three bytes
    if (end - from > 3 * MAX_REST) throw tooLarge()
    rest += utf8.decode(buffer.subarray(from, end))
    if (rest.length > MAX_REST) throw tooLarge()
  }
  for (const [start, end, text] of longStrings(buffer, long)) {
    add(start)
    rest += `"${mark}${strings.length}"`
    strings.push(text)
    from = end
  }
  add(buffer.length)
  ensureFewValues(Buffer.from(rest), values)
  const restored = (_: string, value: unknown) =>
    typeof value === "string" && value.startsWith(mark) ? strings[Number(value.slice(mark.length))] : value
  return strings.length === 0 ? JSON.parse(rest) : JSON.parse(rest, restored)
}
