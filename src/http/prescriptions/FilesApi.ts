/** Contract: a prescription's PDF at a signed URL, which is the credential. */
import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { lookedUp } from "../../schemas/ids.ts"
import { FileNotFound } from "../../schemas/prescriptions/errors.ts"
import { FILES_PATH } from "../../services/prescriptions/FileAddresses.ts"
import { Recorded } from "../annotations.ts"
import { apiGroup } from "../apiGroup.ts"
import { problem } from "../problems.ts"

export class FilesApi extends apiGroup(
  "prescription_files",
  HttpApiEndpoint.get("download", "/:token")
    .setPath(Schema.Struct({ token: lookedUp(4_096, "Signed address of the file") }))
    .addSuccess(HttpApiSchema.Uint8Array({ contentType: "application/pdf" }))
    .addError(problem(FileNotFound))
    .annotate(OpenApi.Identifier, "downloadPrescriptionFile")
    .annotate(OpenApi.Summary, "Download a prescription's PDF")
    .annotate(OpenApi.Description, "The URL comes from `file.url` of a prescription; 404 if it is altered or expired.")
)
  .prefix(FILES_PATH)
  .annotate(Recorded, true)
  .annotate(OpenApi.Title, "Prescription files")
  .annotate(OpenApi.Description, "PDFs at signed URLs, without another credential") {}
