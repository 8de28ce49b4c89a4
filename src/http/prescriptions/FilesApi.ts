/** Contract: a prescription's PDF behind its signed address, which is the credential. */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { lookedUp } from "../../schemas/ids.ts"
import { FileNotFound } from "../../schemas/prescriptions/errors.ts"
import { FILES_PATH } from "../../services/prescriptions/FileAddresses.ts"
import { problem } from "../problems.ts"

export class FilesApi extends HttpApiGroup.make("prescription_files")
  .add(
    HttpApiEndpoint.get("download", "/:token")
      .setPath(Schema.Struct({ token: lookedUp(4_096, "Signed address of the file") }))
      .addSuccess(HttpApiSchema.Uint8Array({ contentType: "application/pdf" }))
      .addError(problem(FileNotFound))
      .annotate(OpenApi.Summary, "Download a prescription's PDF")
      .annotate(OpenApi.Description, "The address comes from `file.url` of a prescription; altered or expired: 404.")
  )
  .prefix(FILES_PATH)
  .annotate(OpenApi.Title, "Prescription files")
  .annotate(OpenApi.Description, "PDFs by signed addresses, which need no credential") {}
