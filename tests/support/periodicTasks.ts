import { Effect } from "effect"
import { PeriodicTasks } from "../../src/jobs/PeriodicTasks.ts"

/** The periodic tasks of the core and of all capabilities. */
export const periodicTasks = Effect.flatMap(PeriodicTasks, ({ all }) => all).pipe(Effect.provide(PeriodicTasks.Default))

/** Runs each once; returns the number of rows that each found, by name. */
export const runPeriodicTasks = Effect.flatMap(periodicTasks, (tasks) =>
  Effect.map(
    Effect.forEach(tasks, ({ name, run }) => Effect.map(run, (count) => [name, count] as const)),
    (counts): Readonly<Record<string, number>> => Object.fromEntries(counts)
  )
)
