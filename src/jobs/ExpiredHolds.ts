import { Effect, Layer } from "effect"
import { ExpiredHolds as Holds } from "../services/scheduling/appointments/ExpiredHolds.ts"
import { cronWorker } from "./worker.ts"

/** Every minute: stores which holds have expired. */
export const ExpiredHolds = Layer.unwrapEffect(
  Effect.map(Holds, (holds) => cronWorker("maintenance.holds", "* * * * *", Effect.asVoid(holds.expireOverdue())))
).pipe(Layer.provide(Holds.Default))
