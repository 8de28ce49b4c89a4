import { Effect, Layer } from "effect"
import { LapsedHolds as Holds } from "../services/scheduling/appointments/LapsedHolds.ts"
import { cronWorker } from "./worker.ts"

/** Every minute: writes down which holds have lapsed. */
export const LapsedHolds = Layer.unwrapEffect(
  Effect.map(Holds, (holds) => cronWorker("maintenance.holds", "* * * * *", Effect.asVoid(holds.lapseOverdue())))
).pipe(Layer.provide(Holds.Default))
