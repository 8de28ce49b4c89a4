/** Reduces and measures CMS messages before they are parsed: asn1js and pkijs take 30 µs for each element. */

/** Limits of asn1js, which reads 10,000 elements before it refuses a message with more. */
const ELEMENTS_MAX = 10_000
const DEPTH_MAX = 100
/** Elements in one bit string. pkijs parses those of public keys again for each certificate and signer; real ones have three. */
const KEY_ELEMENTS_MAX = 100
/** Bytes of an object identifier: asn1js makes an object of each of its numbers. Real ones have ten. */
const IDENTIFIER_MAX = 64

const CONSTRUCTED = 0x20
const LONG_TAG = 0x1f
const OPEN_LENGTH = 0x80
const [INTEGER, BIT_STRING, OCTET_STRING, IDENTIFIER, RELATIVE_IDENTIFIER, SEQUENCE] = [2, 3, 4, 6, 13, 0x30]
/** Context-specific fields, of `SignedData` and of its signers. */
const [CERTIFICATES, REVOCATIONS, UNSIGNED_ATTRIBUTES] = [0xa0, 0xa1, 0xa1]

interface Head {
  readonly tag: number
  readonly content: number
  /** End of the content; undefined if it ends with an end-of-contents element. */
  readonly end: number | undefined
}

const headAt = (der: Uint8Array, from: number): Head => {
  const tag = der[from] ?? 0
  let at = from + 1
  if ((tag & LONG_TAG) === LONG_TAG) while (((der[at++] ?? 0) & 0x80) !== 0);
  const first = der[at++] ?? 0
  if (first === OPEN_LENGTH) return { tag, content: at, end: undefined }
  if (first < OPEN_LENGTH) return { tag, content: at, end: at + first }
  const content = at + (first & 0x7f)
  let length = 0
  while (at < content) length = length * 256 + (der[at++] ?? 0)
  return { tag, content, end: content + length }
}

class NotRead extends Error {}

/**
 * The elements that asn1js would read, including those in strings, which it tries to parse; undefined if they are too many, too long, or
 * malformed. Like asn1js it lets an element end behind its parent.
 */
export const countElements = (der: Uint8Array): number | undefined => {
  let count = 0
  /** Position after the element; -1 if it does not end before `limit`. */
  const walk = (from: number, limit: number, depth: number, most: number): number => {
    if (++count > most || depth > DEPTH_MAX) throw new NotRead()
    const { tag, content, end } = headAt(der, from)
    if (content > limit || (end ?? 0) > limit) return -1
    if ((tag & CONSTRUCTED) !== 0) {
      let at = content
      while (at < (end ?? limit)) {
        const isLast = end === undefined && der[at] === 0 && der[at + 1] === 0
        at = walk(at, limit, depth + 1, most)
        if (at < 0 || isLast) break
      }
      return at
    }
    if (end === undefined) return -1
    if ((tag === IDENTIFIER || tag === RELATIVE_IDENTIFIER) && end - content > IDENTIFIER_MAX) throw new NotRead()
    const inside = tag === BIT_STRING ? content + 1 : content
    const inBits = tag === BIT_STRING ? Math.min(most, count + KEY_ELEMENTS_MAX) : most
    if ((tag === BIT_STRING || tag === OCTET_STRING) && inside < end) walk(inside, end, depth + 1, inBits)
    return end
  }
  try {
    return walk(0, der.length, 0, ELEMENTS_MAX) < 0 ? undefined : count
  } catch (error) {
    if (error instanceof NotRead) return undefined
    throw error
  }
}

interface Element {
  readonly tag: number
  readonly whole: Uint8Array
  readonly content: Uint8Array
}

const elementAt = (der: Uint8Array, from: number): Element => {
  const { tag, content, end } = headAt(der, from)
  if (end !== undefined) return { tag, whole: der.subarray(from, end), content: der.subarray(content, end) }
  let at = content
  while (at < der.length && (der[at] !== 0 || der[at + 1] !== 0)) at += elementAt(der, at).whole.length
  return { tag, whole: der.subarray(from, at + 2), content: der.subarray(content, at) }
}

const within = ({ content }: Element): ReadonlyArray<Element> => {
  const found: Array<Element> = []
  for (let at = 0; at < content.length; ) {
    const element = elementAt(content, at)
    found.push(element)
    at += element.whole.length
  }
  return found
}

const encoded = (tag: number, parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([Uint8Array.of(tag, 0x83, length >> 16, length >> 8, length), ...parts])
}

const wholeOf = ({ whole }: Element) => whole
const textOf = (element: Element | undefined) => Buffer.from(element?.whole ?? []).toString("latin1")
const first = (elements: ReadonlyArray<Element>): Element => {
  const [one] = elements
  if (one === undefined) throw new NotRead()
  return one
}

const serialOfCertificate = (certificate: Element) =>
  textOf(within(first(within(certificate))).find(({ tag }) => tag === INTEGER))

const reduced = (message: Uint8Array): Uint8Array => {
  const outer = elementAt(message, 0)
  const [type, wrapped] = within(outer)
  if (type === undefined || wrapped === undefined) throw new NotRead()
  const signedData = first(within(wrapped))
  const fields = within(signedData)
  const signerSet = fields.at(-1)
  if (signerSet === undefined) throw new NotRead()
  const signers = within(signerSet).map(within)
  const serials = new Set(
    signers.map(([, id]) => (id?.tag === SEQUENCE ? textOf(within(id)[1]) : undefined)) // undefined: named by its key
  )
  const parts = fields.slice(0, -1).flatMap((field) => {
    if (field.tag === REVOCATIONS) return []
    if (field.tag !== CERTIFICATES || serials.has(undefined)) return [field.whole]
    const named = within(field).filter((one) => one.tag === SEQUENCE && serials.has(serialOfCertificate(one)))
    return [encoded(CERTIFICATES, named.map(wholeOf))]
  })
  const signerParts = signers.map((fieldsOfSigner) =>
    encoded(SEQUENCE, fieldsOfSigner.filter(({ tag }) => tag !== UNSIGNED_ATTRIBUTES).map(wholeOf))
  )
  const data = encoded(signedData.tag, [...parts, encoded(signerSet.tag, signerParts)])
  return encoded(outer.tag, [type.whole, encoded(wrapped.tag, [data])])
}

/**
 * The message without what its verification does not read: revocation lists, unsigned attributes (time stamps), and certificates with a
 * serial number that no signer names. The message itself if it has another structure. It must have passed `countElements`.
 */
export const essential = (message: Uint8Array): Uint8Array => {
  try {
    return reduced(message)
  } catch (error) {
    if (error instanceof NotRead) return message
    throw error
  }
}

/** The message without its zero padding, by the length in its header. */
export const withoutPadding = (message: Uint8Array): Uint8Array => {
  const { end } = headAt(message, 0)
  return end === undefined ? message : message.subarray(0, end)
}
