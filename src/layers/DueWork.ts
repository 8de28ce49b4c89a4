/** The work that becomes due when the sandbox clock moves: that of the periodic tasks, in their order. */
import { Effect, Layer } from "effect"
import { PeriodicTasks } from "../jobs/PeriodicTasks.ts"
import { DueWork } from "../services/operation/DueWork.ts"

export const DueWorkLive = Layer.effect(
  DueWork,
  Effect.map(PeriodicTasks, ({ all }) => ({
    run: Effect.flatMap(all, (tasks) => Effect.forEach(tasks, ({ onMove }) => onMove ?? Effect.void, { discard: true }))
  }))
).pipe(Layer.provide(PeriodicTasks.Default))
