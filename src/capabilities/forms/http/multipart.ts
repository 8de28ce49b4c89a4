/**
 * Forms with files, as browsers send them without a script (RFC 7578). A file is a part of the body's own bytes, not a copy. Of a body of
 * 11 MiB with 200,000 parts it reads the first 1,000: Bun's reader blocks the process for half a second, and that of @effect/platform
 * for ten.
 */
import { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"

/** A file that was chosen. */
export interface SentFile {
  /** The name of its field. */
  readonly field: string
  /** As the device calls it. */
  readonly name: string
  readonly bytes: Uint8Array
}

export interface SentForm {
  readonly fields: URLSearchParams
  readonly files: ReadonlyArray<SentFile>
}

/** Most parts of a form; those beyond are left out. */
export const PARTS_MAX = 1_000
export const HEAD_MAX = 4_096

const parameter = (head: string, name: string) => new RegExp(`[; ]${name}="((?:[^"\\\\]|\\\\.)*)"`).exec(head)?.[1]

/** The parts of a body that begins with its boundary. What is cut off or has no name is left out. */
const partsOf = (bytes: Uint8Array): SentForm => {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const fields = new URLSearchParams()
  const files: Array<SentFile> = []
  const boundary = body.subarray(0, Math.max(0, body.subarray(0, 100).indexOf("\r\n")))
  const end = Buffer.concat([Buffer.from("\r\n"), boundary])
  for (let at = boundary.length, part = 0; boundary.length > 2 && part < PARTS_MAX; part++) {
    if (body[at] !== 0x0d) break
    const from = body.subarray(at, at + HEAD_MAX).indexOf("\r\n\r\n")
    const to = from < 0 ? -1 : body.indexOf(end, at + from + 2)
    if (to < 0) break
    const head = body.toString("utf8", at, at + from)
    const content = body.subarray(at + from + 4, to)
    const field = parameter(head, "name")
    const name = parameter(head, "filename")
    if (field !== undefined && name === undefined) fields.append(field, content.toString().replaceAll("\r\n", "\n"))
    // a field in which nothing was chosen is sent without a name
    else if (field !== undefined && name !== undefined && name !== "") files.push({ field, name, bytes: content })
    at = to + end.length
  }
  return { fields, files }
}

/** The form in a body; also one without files, which is sent as other forms are. */
export const sentFormOf = (bytes: Uint8Array): SentForm => {
  if (bytes[0] === 0x2d && bytes[1] === 0x2d) return partsOf(bytes)
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
  return { fields: new URLSearchParams(text.split("&", PARTS_MAX).join("&")), files: [] }
}

/** The form of a route that takes bytes. */
export const readSentForm = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ arrayBuffer }) =>
  Effect.map(arrayBuffer, (buffer) => sentFormOf(new Uint8Array(buffer)))
)
