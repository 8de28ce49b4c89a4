import { Effect, Layer } from "effect"
import { FinishedAppointments as Finished } from "../services/scheduling/appointments/FinishedAppointments.ts"
import { cronWorker } from "./worker.ts"

/** Every minute: ends the appointments whose join window has closed. */
export const FinishedAppointments = Layer.unwrapEffect(
  Effect.map(Finished, (finished) =>
    cronWorker("maintenance.appointments", "* * * * *", Effect.asVoid(finished.finishOverdue()))
  )
).pipe(Layer.provide(Finished.Default))
