/** What an uploaded file is, by its content, and pictures without their metadata. Rules 22.6.2 and 22.6.3. */
export type MediaType = "application/pdf" | "image/jpeg" | "image/png"

/** Most pixels of a picture: the viewer of a reader decodes all of them at once. */
export const PIXELS_MAX = 64_000_000

export interface Accepted {
  readonly media_type: MediaType
  readonly bytes: Uint8Array
}

/** What is left of a picture, one after the other. */
type Parts = ReadonlyArray<Uint8Array>

const starts = (bytes: Uint8Array, ...head: ReadonlyArray<number>) => head.every((byte, i) => bytes[i] === byte)

/** An EXIF segment with the orientation alone, as a camera writes it. */
const orientationSegment = (orientation: number) => {
  const segment = Buffer.from(
    "ffe1002245786966" + "00004d4d002a00000008" + "00010112000300000001" + "0000000000000000",
    "hex"
  )
  segment[29] = orientation
  return segment
}

/** How a camera was held, 2 to 8; undefined: upright, or not said. */
const orientationIn = (exif: Uint8Array): number | undefined => {
  const view = new DataView(exif.buffer, exif.byteOffset, exif.length)
  if (exif.length < 20 || view.getUint32(0) !== 0x45786966) return undefined
  const little = view.getUint16(6) === 0x4949
  const at = 6 + view.getUint32(10, little)
  if (at + 2 > exif.length) return undefined
  const entries = view.getUint16(at, little)
  for (let i = 0; i < entries && at + 2 + 12 * (i + 1) <= exif.length; i++) {
    const entry = at + 2 + 12 * i
    if (view.getUint16(entry, little) !== 0x0112) continue
    const value = view.getUint16(entry + 8, little)
    return value >= 2 && value <= 8 ? value : undefined
  }
  return undefined
}

/** The segments that show the picture, up to its end; null for what is no whole JPEG. */
const jpeg = (bytes: Uint8Array): Parts | null => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const parts = [bytes.subarray(0, 2)]
  let at = 2
  let pixels = 0
  while (at + 4 <= bytes.length || (at + 2 <= bytes.length && bytes[at + 1] === 0xd9)) {
    const marker = bytes[at + 1] ?? 0
    if (bytes[at] !== 0xff || marker === 0 || marker === 0xff) return null
    if (marker === 0xd9) return pixels > 0 ? [...parts, bytes.subarray(at, at + 2)] : null
    const end = at + 2 + view.getUint16(at + 2)
    if (end < at + 4 || end > bytes.length) return null
    const segment = bytes.subarray(at, end)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) {
      if (segment.length < 9) return null
      pixels = view.getUint16(at + 5) * view.getUint16(at + 7)
      if (pixels === 0 || pixels > PIXELS_MAX) return null
    }
    // Application data and comments, but for JFIF and Adobe's, which say how colours are coded
    const isMetadata = marker === 0xfe || (marker >= 0xe0 && marker <= 0xef && marker !== 0xe0 && marker !== 0xee)
    const turned = marker === 0xe1 ? orientationIn(segment.subarray(4)) : undefined
    if (turned !== undefined) parts.push(orientationSegment(turned))
    else if (marker === 0xe0 && segment.length >= 18) parts.push(withoutThumbnail(segment))
    else if (!isMetadata) parts.push(segment)
    at = end
    if (marker !== 0xda) continue
    const from = at
    while (at + 1 < bytes.length) {
      const next = bytes.indexOf(0xff, at)
      if (next === -1) return null
      const after = bytes[next + 1] ?? 0xff
      at = next + 2
      if (after === 0 || (after >= 0xd0 && after <= 0xd7)) continue
      at = after === 0xff ? next + 1 : next
      if (after !== 0xff) break
    }
    parts.push(bytes.subarray(from, at))
  }
  return null
}

/** JFIF's header, of 16 bytes after the marker, without the picture in small that may follow. */
const withoutThumbnail = (segment: Uint8Array) => {
  const kept = Uint8Array.from(segment.subarray(0, 18))
  kept.set([0, 16], 2)
  kept.set([0, 0], 16)
  return kept
}

const SHOWN = new Set(["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "sBIT"])

/** The chunks that show the picture, up to its end; null for what is no whole PNG. */
const png = (bytes: Uint8Array): Parts | null => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const parts = [bytes.subarray(0, 8)]
  let at = 8
  for (let first = true; at + 12 <= bytes.length; first = false) {
    const length = view.getUint32(at)
    const end = at + 12 + length
    const kind = Buffer.from(bytes.subarray(at + 4, at + 8)).toString("latin1")
    if (end > bytes.length || (first && (kind !== "IHDR" || length !== 13))) return null
    if (first) {
      const pixels = view.getUint32(at + 8) * view.getUint32(at + 12)
      if (pixels === 0 || pixels > PIXELS_MAX) return null
    }
    if (SHOWN.has(kind)) parts.push(bytes.subarray(at, end))
    if (kind === "IEND") return parts
    at = end
  }
  return null
}

/** Undefined for every other kind of file, and for pictures that are broken or too large to be shown. */
export const accepted = (bytes: Uint8Array): Accepted | undefined => {
  const picture = (media_type: MediaType, parts: Parts | null) =>
    parts === null ? undefined : { media_type, bytes: Buffer.concat(parts) }
  if (starts(bytes, 0xff, 0xd8, 0xff)) return picture("image/jpeg", jpeg(bytes))
  if (starts(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return picture("image/png", png(bytes))
  return starts(bytes, 0x25, 0x50, 0x44, 0x46, 0x2d) ? { media_type: "application/pdf", bytes } : undefined
}
