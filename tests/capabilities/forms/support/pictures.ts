/** Small pictures, byte by byte. */

export const segment = (marker: number, content: string | Uint8Array) => {
  const bytes = Buffer.from(content as string)
  return Buffer.concat([Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 255]), bytes])
}
export const SOI = Buffer.from([0xff, 0xd8])
export const EOI = Buffer.from([0xff, 0xd9])
export const JFIF = segment(0xe0, Buffer.from("JFIF\0\x01\x02\0\0\x01\0\x01\0\0", "latin1"))
export const frame = (width: number, height: number) =>
  segment(0xc0, Buffer.from([8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]))
const START = segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0]))
export const scan = Buffer.concat([START, Buffer.from([1, 0xff, 0, 2, 0xff, 0xd0, 3])])

/** A whole JPEG of so many bytes and a few. */
export const jpegOf = (bytes: number) =>
  new Uint8Array(Buffer.concat([SOI, JFIF, frame(640, 480), START, Buffer.alloc(bytes, 1), EOI]))
