import { Effect, Layer } from "effect"
import { AbandonedCheckouts } from "../services/checkout/acceptance/AbandonedCheckouts.ts"
import { Retention as Keeping } from "../services/operation/Retention.ts"
import { cronWorker } from "./worker.ts"

const EVERY_TEN_MINUTES = "*/10 * * * *"

/** Deletes rows that are past their keeping time, and clears away what checkouts left that came to nothing. */
export const Retention = Layer.unwrapEffect(
  Effect.zipWith(Keeping, AbandonedCheckouts, ({ deleteExpired }, { sweep }) =>
    Layer.merge(
      cronWorker("maintenance.retention", EVERY_TEN_MINUTES, deleteExpired()),
      cronWorker("maintenance.checkouts", EVERY_TEN_MINUTES, sweep())
    )
  )
).pipe(Layer.provide([Keeping.Default, AbandonedCheckouts.Default]))
