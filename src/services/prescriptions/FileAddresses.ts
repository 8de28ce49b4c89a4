/** Signed addresses of prescriptions' PDFs. */
import { Effect } from "effect"
import { FileNotFound } from "../../schemas/prescriptions/errors.ts"
import { PrescriptionRef } from "../../schemas/prescriptions/Prescription.ts"
import { fileAddresses } from "../access/fileAddresses.ts"

export const FILES_PATH = "/v1/prescription-files"

export class FileAddresses extends Effect.Service<FileAddresses>()("prescriptions/FileAddresses", {
  effect: fileAddresses("prescription-file", FILES_PATH, PrescriptionRef, () => new FileNotFound())
}) {}
