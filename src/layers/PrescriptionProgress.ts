import { Effect, Layer } from "effect"
import { PrescriptionProgress } from "../services/pharmacy/PrescriptionProgress.ts"

/** No prescriptions are kept yet, so that no order carries one. */
export const PrescriptionProgressLive = Layer.succeed(PrescriptionProgress, {
  dispatched: () => Effect.void,
  completed: () => Effect.void,
  onOrders: () => Effect.succeed([])
})
