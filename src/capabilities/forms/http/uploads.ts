/** The contract of uploads, whatever the file is for, and what their handlers share. */
import { HttpApiEndpoint, HttpServerRequest, OpenApi } from "@effect/platform"
import { Effect, Schema } from "effect"
import { BodyLimit, TakesBytes } from "../../../http/admission/bodyLimits.ts"
import { UsesKey } from "../../../http/idempotent.ts"
import { problem } from "../../../http/problems.ts"
import { body, described, omittable } from "../../../schemas/fields.ts"
import { lookedUp, type OrganisationUid } from "../../../schemas/ids.ts"
import { Invalid } from "../../../schemas/problems.ts"
import { PatientRestricted } from "../../../schemas/scheduling/errors.ts"
import { FilesOff, TooManyFiles } from "../schemas/errors.ts"
import { FILE_MAX, FormFile } from "../schemas/TypeFields.ts"
import type { FormFiles } from "../services/FormFiles.ts"
import type { FilesOf } from "../services/places.ts"

export const launchCode = Schema.Struct({ booking_launch_code: lookedUp(255, "The only credential of the session") })
const FileQuery = body({
  name: omittable(described(Schema.String.pipe(Schema.maxLength(1_000)), "The file's name, as the practice reads it"))
})

/** The body of an upload, which is read as it is. */
const fileBody = {
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
const UPLOAD =
  "A PDF, JPEG or PNG of at most 10 MiB, recognised by its content. Pictures lose their metadata. Nobody reads it before it is scanned."

/** An upload; its path's schema, the errors of what it belongs to, identifier and summary are the caller's. */
export const upload = <const Name extends string>(name: Name, path: `/${string}`) =>
  HttpApiEndpoint.post(name, path)
    .setUrlParams(FileQuery)
    .addSuccess(FormFile, { status: 201 })
    .addError(problem(Invalid, PatientRestricted, FilesOff, TooManyFiles))
    .annotate(TakesBytes, true)
    .annotate(BodyLimit, FILE_MAX)
    // its body is a file
    .annotate(UsesKey, "none")
    .annotate(OpenApi.Override, fileBody)
    .annotate(OpenApi.Description, UPLOAD)

/** Stores the file of a request where it belongs. */
export const stored = <E, R>(
  files: FormFiles,
  place: Effect.Effect<{ readonly owner: OrganisationUid; readonly of: FilesOf }, E, R>,
  { name = "" }: typeof FileQuery.Type
) =>
  Effect.flatMap(place, ({ owner, of }) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ arrayBuffer }) =>
      Effect.flatMap(Effect.orDie(arrayBuffer), (buffer) => files.add(owner, of, name, new Uint8Array(buffer)))
    )
  )
