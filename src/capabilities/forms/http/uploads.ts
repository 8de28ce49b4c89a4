/** What the contracts of uploads have in common. */
import { Schema } from "effect"
import { body, described, omittable } from "../../../schemas/fields.ts"
import { lookedUp } from "../../../schemas/ids.ts"
import { FILE_MAX } from "../schemas/TypeFields.ts"

export const launchCode = Schema.Struct({ booking_launch_code: lookedUp(255, "The only credential of the session") })
export const FileQuery = body({
  name: omittable(described(Schema.String.pipe(Schema.maxLength(1_000)), "The file's name, as the practice reads it"))
})

/** The body of an upload, which is read as it is. */
export const fileBody = {
  requestBody: {
    required: true,
    content: Object.fromEntries(
      ["application/pdf", "image/jpeg", "image/png", "application/octet-stream"].map((type) => [
        type,
        { schema: { type: "string", format: "binary", maxLength: FILE_MAX } }
      ])
    )
  }
}
export const UPLOAD =
  "A PDF, JPEG or PNG of at most 10 MiB, recognised by its content. Pictures lose their metadata. Nobody reads it before it is scanned."
