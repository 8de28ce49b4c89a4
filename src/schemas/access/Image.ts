/** Images of organisations and doctors: sent as data URIs, returned as URLs of this service. */
import { Schema } from "effect"

export const IMAGE_MAX_BYTES = 65_536
const MAX_LENGTH = Math.ceil(IMAGE_MAX_BYTES / 3) * 4 + 32

const signatures = { "image/png": [0x89, 0x50, 0x4e, 0x47], "image/jpeg": [0xff, 0xd8, 0xff] } as const
type ContentType = keyof typeof signatures

const DATA_URI = /^data:(image\/png|image\/jpeg);base64,([A-Za-z0-9+/]+={0,2})$/

/** The image in a data URI; null for any other text, and if the bytes do not match the type. */
export const imageIn = (text: string) => {
  const [, type, base64] = text.length <= MAX_LENGTH ? (DATA_URI.exec(text) ?? []) : []
  if (type === undefined || base64 === undefined) return null
  const content_type = type as ContentType // the expression allows only these two
  const bytes = Buffer.from(base64, "base64")
  const isSuch = signatures[content_type].every((byte, index) => bytes[index] === byte)
  return isSuch && bytes.length <= IMAGE_MAX_BYTES ? { content_type, bytes } : null
}

const message = () => "must be a PNG or JPEG as data:image/png;base64,… of at most 65536 bytes"

/** An image in a request. */
export const ImageData = Schema.String.annotations({ message }).pipe(
  Schema.filter((text) => imageIn(text) !== null, {
    message,
    jsonSchema: {
      maxLength: MAX_LENGTH,
      pattern: "^data:image/(png|jpeg);base64,",
      examples: [
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
      ]
    }
  })
)
