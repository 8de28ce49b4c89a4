import { Cause, Effect, Exit, FiberSet, Layer, Option, Schema } from "effect"
import type { Job, JobResult } from "pg-boss"
import { Boss, type StoredJob } from "../services/Jobs.ts"
import { type Payload, type QueueName, queues } from "../services/queues.ts"
import { continuing } from "../services/traceparent.ts"

/** The job can never succeed: it goes to the dead letters at once, without further attempts. */
export class NonRetryable extends Schema.TaggedError<NonRetryable>()("NonRetryable", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}

export interface WorkerSettings {
  /** How many jobs of this queue run side by side in this process. */
  readonly concurrency?: number
  /** Jobs that are due at once are announced; those that were put off are found by looking every so many seconds. */
  readonly pollSeconds?: number
}

const one = (pollSeconds: number) =>
  ({ batchSize: 1, perJobResults: true, pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: pollSeconds }) as const

/** How long running jobs may go on once the process was told to stop; then they are handed back to the queue. */
const GRACE = "8 seconds"

/**
 * A worker of one queue: takes its jobs and runs the handler for each. A handler must tolerate running twice, since a
 * job whose worker dies, hangs or is told to stop is run again. Failures are logged and retried as the queue declares.
 */
export const worker = <Q extends QueueName, E, R>(
  queue: Q,
  handler: (payload: Payload<Q>) => Effect.Effect<void, E | NonRetryable, R>,
  { concurrency = 3, pollSeconds = 10 }: WorkerSettings = {}
): Layer.Layer<never, never, Boss | R> =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const boss = yield* Boss
      const running = yield* FiberSet.make<JobResult>()
      const run = yield* FiberSet.runtimePromise(running)<R>()

      const takeOneByOne = async () => {
        const id: string = await boss.work<StoredJob, unknown, ReturnType<typeof one>>(
          queue,
          one(pollSeconds),
          async ([job]) => {
            const settled = job === undefined ? [] : [await run(perform(queue, handler, job))]
            boss.notifyWorker(id) // look for the next job at once, not at the next poll
            return settled
          }
        )
      }
      yield* Effect.promise(() => Promise.all(Array.from({ length: concurrency }, takeOneByOne)))
      const handBack = Effect.zipRight(Effect.sleep(GRACE), FiberSet.clear(running))
      yield* Effect.addFinalizer(() =>
        Effect.promise(() => boss.offWork(queue)).pipe(
          Effect.race(Effect.interruptible(Effect.zipRight(handBack, Effect.never)))
        )
      )
    })
  )

/** A worker that also runs by the clock: `cron` in UTC, once for any number of processes. */
export const cronWorker = <Q extends QueueName, E, R>(
  queue: Q,
  cron: string,
  handler: Effect.Effect<void, E, R>
): Layer.Layer<never, never, Boss | R> =>
  Layer.mergeAll(
    worker(queue, () => handler),
    Layer.effectDiscard(Effect.flatMap(Boss, (boss) => Effect.promise(() => boss.schedule(queue, cron, { data: {} }))))
  )

const perform = <Q extends QueueName, E, R>(
  queue: Q,
  handler: (payload: Payload<Q>) => Effect.Effect<void, E | NonRetryable, R>,
  job: Job<StoredJob>
) => {
  const schema = queues[queue].payload as Schema.Schema<Payload<Q>, unknown>
  const handled = Schema.decodeUnknown(schema)(job.data.data).pipe(
    Effect.mapError(() => new NonRetryable({ reason: "the payload is not what the queue declares" })),
    Effect.flatMap(handler),
    abortedBy(job.signal),
    Effect.withSpan(`job ${queue}`, {
      kind: "consumer",
      attributes: { "job.attempt": job.retryCount },
      ...continuing(job.data.traceparent)
    })
  )
  // Only the handler can be interrupted: the job it leaves is still told to be unfinished, which hands it back.
  return Effect.exit(Effect.interruptible(handled)).pipe(
    Effect.tap((exit) => (Exit.isFailure(exit) ? Effect.logWarning(`job ${queue} failed`, exit.cause) : Effect.void)),
    Effect.annotateLogs({ queue, job: job.id }),
    Effect.map((exit) => result(job, exit)),
    Effect.uninterruptible
  )
}

const result = (job: Job<StoredJob>, exit: Exit.Exit<void, unknown>): JobResult => {
  if (Exit.isSuccess(exit)) return { id: job.id, status: "completed" }
  const failure = Cause.failureOption(exit.cause)
  const nonRetryable = Option.exists(failure, (error) => error instanceof NonRetryable)
  return { id: job.id, status: nonRetryable ? "deadletter" : "failed", output: { message: Cause.pretty(exit.cause) } }
}

/** pg-boss takes the claim away (expiry, shutdown): the handler stops, its result could not be recorded. */
const abortedBy =
  (signal: AbortSignal) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.raceFirst(
      self,
      Effect.async<never>((resume) => {
        const abort = () => resume(Effect.interrupt)
        if (signal.aborted) return abort()
        signal.addEventListener("abort", abort, { once: true })
        return Effect.sync(() => signal.removeEventListener("abort", abort))
      })
    )
