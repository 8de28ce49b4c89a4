import { Effect, Layer } from "effect"
import { PrescriptionRendering } from "../services/prescriptions/PrescriptionRendering.ts"
import { NonRetryable, worker } from "./worker.ts"

/**
 * Renders the unsigned PDF of one prescription. CPU-bound, so two at a time per process and one per organisation, so that organisations
 * do not wait for each other's backlog.
 */
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
      { concurrency: 2, ofGroup: 1 }
    )
  )
).pipe(Layer.provide(PrescriptionRendering.Default))
