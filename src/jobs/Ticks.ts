/** Periodic tasks, run once per interval for any number of processes. */
import { SqlError } from "@effect/sql"
import { Clock, Effect, Exit, FiberMap, Layer } from "effect"
import { MINUTE } from "../schemas/seconds.ts"
import type { PeriodicTask } from "../services/Extensions.ts"
import { countedJob } from "../services/metrics.ts"
import { Boss } from "../services/queue/Jobs.ts"
import { intervalQueues } from "../services/queue/queues.ts"
import { annotateResultCount } from "../services/traceparent.ts"
import { PeriodicTasks } from "./PeriodicTasks.ts"
import { asJob, NonRetryable, worker } from "./worker.ts"

/** Runs one task as a job. A run that found nothing is not traced. */
const runTask = ({ name, run }: PeriodicTask) => asJob(name, {})(Effect.flatMap(run, annotateResultCount))

/**
 * Runs all tasks of an interval in parallel; a failure does not stop the others. Messages are sent in the background, at most one sweep per
 * process, so that a mail server that hangs does not delay the next minute's reminders.
 */
const runTasks = (tasks: ReadonlyArray<PeriodicTask>, background: FiberMap.FiberMap<string>) =>
  Effect.partition(
    tasks,
    (task) =>
      task.name === "maintenance.messages"
        ? FiberMap.run(background, task.name, runTask(task), { onlyIfMissing: true })
        : Effect.flatMap(runTask(task), (exit) => (Exit.isSuccess(exit) ? Effect.void : Effect.fail(task.name))),
    { concurrency: "unbounded" }
  ).pipe(
    Effect.filterOrFail(
      ([failed]) => failed.length === 0,
      ([failed]) => new NonRetryable({ reason: `failed: ${failed.join(", ")}` })
    )
  )

const singleConcurrency = { concurrency: 1 } as const

export const TickWorkers = Layer.unwrapScoped(
  Effect.gen(function* () {
    const background = yield* FiberMap.make<string>()
    const { all } = yield* PeriodicTasks
    const tasks = yield* all
    for (const { name } of tasks) countedJob(name)
    const workerOf = (minutes: keyof typeof intervalQueues) =>
      worker(
        intervalQueues[minutes],
        () =>
          runTasks(
            tasks.filter(({ every }) => every === minutes),
            background
          ),
        singleConcurrency
      )
    return Layer.mergeAll(workerOf(1), workerOf(5), workerOf(10))
  })
).pipe(Layer.provide(PeriodicTasks.Default))

const MINUTE_MILLIS = MINUTE * 1_000
/** Margin for clock skew: a tick that is sent early falls into the database's previous slot and is not stored. */
const SKEW_MARGIN_MILLIS = 1_000

/** Sends a tick every minute. Ticks of further processes fall into the same slot and are not stored. */
export const Ticking = Layer.scopedDiscard(
  Effect.gen(function* () {
    const boss = yield* Boss
    const sendDue = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.forEach(
        Object.entries(intervalQueues).filter(([minutes]) => Math.floor(now / MINUTE_MILLIS) % Number(minutes) === 0),
        ([minutes, queue]) =>
          Effect.tryPromise({
            try: () => boss.send(queue, { data: {} }, { singletonSeconds: Number(minutes) * MINUTE }),
            catch: (cause) => new SqlError.SqlError({ cause, message: "a tick was not stored" })
          }),
        { discard: true }
      )
    ).pipe(Effect.catchAll((error) => Effect.logWarning("ticks could not be sent", error)))
    const nextMinute = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.sleep(MINUTE_MILLIS - (now % MINUTE_MILLIS) + SKEW_MARGIN_MILLIS)
    )
    yield* Effect.forkScoped(Effect.forever(Effect.zipRight(sendDue, nextMinute)))
  })
)
