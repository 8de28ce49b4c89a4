import { Effect, Layer } from "effect"
import { Retention as Keeping } from "../services/operation/Retention.ts"
import { cronWorker } from "./worker.ts"

/** Every ten minutes: deletes what is past its keeping time. */
export const Retention = Layer.unwrapEffect(
  Effect.map(Keeping, ({ deleteExpired }) => cronWorker("maintenance.retention", "*/10 * * * *", deleteExpired()))
)
