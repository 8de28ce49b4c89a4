import { Effect, Layer } from "effect"
import { PrescriptionFiles } from "../services/prescriptions/PrescriptionFiles.ts"
import { worker } from "./worker.ts"

/** Deletes the PDFs of a prescription after erasure or retention. */
export const ForgetPrescription = Layer.unwrapEffect(
  Effect.map(PrescriptionFiles, (files) => worker("prescription.forget", files.forget))
).pipe(Layer.provide(PrescriptionFiles.Default))
