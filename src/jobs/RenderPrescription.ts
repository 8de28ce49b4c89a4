import { Effect, Layer } from "effect"
import { PrescriptionRendering } from "../services/prescriptions/PrescriptionRendering.ts"
import { NonRetryable, worker } from "./worker.ts"

/**
 * Renders the unsigned PDF of one prescription. Drawing is work for the processor, not waiting: one at a time of an organisation, and
 * another one's beside it, so that nobody waits for all of somebody else's.
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
