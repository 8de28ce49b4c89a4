/** A PDF in a body. */
import { Schema } from "effect"

/** Bytes of a signed PDF, and characters of its base64 with line breaks every 64, as some encoders write them, and a `data:` prefix. */
export const PDF_LIMITS = { bytes: 10 * 1024 * 1024, base64: 14_418_222 }

export const PdfInBase64 = Schema.String.annotations({
  description: "Signed PDF in base64, at most 10 MiB decoded; with or without line breaks and a data: prefix",
  jsonSchema: { maxLength: PDF_LIMITS.base64 }
})

/** A PDF of one empty page. */
export const EXAMPLE_PDF =
  "JVBERi0xLjQKMSAwIG9iajw8L1R5cGUvQ2F0YWxvZy9QYWdlcyAyIDAgUj4+ZW5kb2JqCjIgMCBvYmo8PC9UeXBlL1BhZ2VzL0tpZHNbMyAwIFJdL0NvdW50IDE+PmVuZG9iagozIDAgb2JqPDwvVHlwZS9QYWdlL1BhcmVudCAyIDAgUi9NZWRpYUJveFswIDAgNDIwIDI5OF0+PmVuZG9iagp0cmFpbGVyPDwvUm9vdCAxIDAgUj4+CiUlRU9GCg=="
