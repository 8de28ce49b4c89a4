import { Effect, Layer } from "effect"
import { PrescriptionRendering } from "../services/prescriptions/PrescriptionRendering.ts"
import { NonRetryable, worker } from "./worker.ts"

/** Renders the unsigned PDF of one prescription. One at a time: drawing is work for the processor, not waiting. */
export const RenderPrescription = Layer.unwrapEffect(
  Effect.map(PrescriptionRendering, (rendering) =>
    worker(
      "prescription.render",
      (prescription) =>
        Effect.catchTag(
          rendering.render(prescription),
          "PrescriptionNotFound",
          () => new NonRetryable({ reason: "the prescription is gone" })
        ),
      { concurrency: 1 }
    )
  )
).pipe(Layer.provide(PrescriptionRendering.Default))
