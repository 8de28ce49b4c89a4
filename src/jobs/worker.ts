import type { SqlClient } from "@effect/sql"
import { Cause, Clock, Context, Effect, Exit, FiberSet, Layer, Metric, Option, Schema } from "effect"
import type { Job, JobResult } from "pg-boss"
import { HOUR } from "../schemas/seconds.ts"
import { kindsOf } from "../services/errorKinds.ts"
import { countJob, jobLastCompleted } from "../services/metrics.ts"
import { DueJobs } from "../services/queue/DueJobs.ts"
import { GRACE } from "../services/queue/grace.ts"
import { Boss, type StoredJob } from "../services/queue/Jobs.ts"
import { type Payload, payloadOf, type QueueName, queues, type WorkerSettings } from "../services/queue/queues.ts"
import { asRequest, type CurrentTenant, onlyOwner, withoutOwner } from "../services/tenancy/Tenancy.ts"
import { currentTraceId, ExportedWithResults, inTrace } from "../services/traceparent.ts"

/** The job can never succeed: it becomes a dead letter without further attempts. */
export class NonRetryable extends Schema.TaggedError<NonRetryable>()("NonRetryable", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}

/** NOTIFY announces jobs that are due when sent, `DueJobs` finds later ones, so workers poll only as a fallback. */
const oneJob = {
  batchSize: 1,
  perJobResults: true,
  pollingIntervalSeconds: 2,
  notifyPollingIntervalSeconds: HOUR
} as const

/** Seconds until pg-boss has recorded the result of a failed job; then the queue is polled for its retry. */
const RECORDED_AFTER_SECONDS = 0.5

/**
 * A worker of one queue, which runs the handler for each job. Handlers must be idempotent, since a job whose worker dies,
 * hangs or stops runs again. Failures are logged and retried as the queue declares.
 */
export const worker = <Q extends QueueName, E, R>(
  queue: Q,
  handler: (payload: Payload<Q>) => Effect.Effect<void, E | NonRetryable, R>,
  { concurrency = 3, ofGroup }: WorkerSettings = {}
): Layer.Layer<never, never, Boss | SqlClient.SqlClient | Exclude<R, CurrentTenant>> =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const boss = yield* Boss
      const { watch, pollWithin } = yield* DueJobs
      const running = yield* FiberSet.make<JobResult>()
      const run = yield* FiberSet.runtimePromise(running)<Exclude<R, CurrentTenant>>()

      const takeOneByOne = async () => {
        const taken = { ...oneJob, ...(ofGroup !== undefined && { groupConcurrency: ofGroup }) }
        const id: string = await boss.work<StoredJob, unknown, typeof taken>(queue, taken, async ([job]) => {
          const settled =
            job === undefined ? [] : [await run(withoutOwner(Effect.tap(perform(queue, handler, job), putOff)))]
          boss.notifyWorker(id) // fetch the next job now, not at the next poll
          return settled
        })
        return id
      }
      const putOff = ({ status }: JobResult) =>
        Effect.when(pollWithin(RECORDED_AFTER_SECONDS), () => status === "failed")
      const ids = yield* Effect.promise(() => Promise.all(Array.from({ length: concurrency }, takeOneByOne)))
      yield* watch(queue, () => {
        for (const id of ids) boss.notifyWorker(id)
      })
      const releaseJobs = Effect.zipRight(Effect.sleep(GRACE), FiberSet.clear(running))
      yield* Effect.addFinalizer(() =>
        Effect.promise(() => boss.offWork(queue)).pipe(
          Effect.race(Effect.interruptible(Effect.zipRight(releaseJobs, Effect.never)))
        )
      )
    })
  ).pipe(Layer.provide(DueJobs.Default))

const perform = <Q extends QueueName, E, R>(
  queue: Q,
  handler: (payload: Payload<Q>) => Effect.Effect<void, E | NonRetryable, R>,
  job: Job<StoredJob>
) => {
  const handled = Schema.decodeUnknown(payloadOf(queue))(job.data.data).pipe(
    Effect.mapError(() => new NonRetryable({ reason: "the payload is not what the queue declares" })),
    Effect.flatMap((payload) => ownedBy(payload)(handler(payload))),
    abortedBy(job.signal)
  )
  // A job of an interval: its tasks are traced, logged and counted separately
  const carriedOut = isPeriodic(queue)
    ? Effect.exit(Effect.interruptible(handled))
    : asJob(queue, { traceparent: job.data.traceparent, attempt: job.retryCount })(handled)
  return carriedOut.pipe(
    Effect.annotateLogs({ job: job.id }),
    Effect.map((exit) => result(job, exit)),
    Effect.uninterruptible
  )
}

const isPeriodic = (name: string) => name.startsWith("maintenance.")

/**
 * Runs the effect as a job of this name: continues the trace of its cause, sets the job as the actor in the audit log, logs
 * failures and counts outcomes. The trace of a periodic task is exported only if it found something.
 */
export const asJob =
  (name: string, cause: { readonly traceparent?: string | undefined; readonly attempt?: number }) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    self.pipe(
      inJob(name),
      inTrace(`job ${name}`, cause.traceparent, {
        kind: "consumer",
        attributes: { "job.attempt": cause.attempt ?? 0 },
        context: Context.make(ExportedWithResults, isPeriodic(name))
      }),
      // Only the work is interruptible: the job is still recorded as unfinished, which returns it to the queue
      Effect.interruptible,
      Effect.exit,
      Effect.tap((exit) => (Exit.isFailure(exit) ? Effect.logWarning(`job ${name} failed`, exit.cause) : Effect.void)),
      // returned to the queue, on shutdown or expiry: no outcome
      Effect.tap((exit) => (Exit.isInterrupted(exit) ? Effect.void : count(name, exit, cause.attempt ?? 0))),
      Effect.annotateLogs({ queue: name })
    )

const count = (name: string, exit: Exit.Exit<unknown, unknown>, attempt: number) => {
  if (Exit.isSuccess(exit))
    return Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.zipRight(
        countJob(name, "completed"),
        Metric.set(Metric.tagged(jobLastCompleted, "queue", name), Math.floor(now / 1_000))
      )
    )
  const isLast = isNonRetryable(exit) || attempt >= retryLimitOf(name)
  return countJob(name, isLast ? "dead_letter" : "failed")
}

const retryLimitOf = (name: string) =>
  (Object.hasOwn(queues, name) ? queues[name as QueueName].options.retryLimit : 0) ?? 0 // tasks have no queue

/** Sets the job as the actor of changes in the audit log. */
const inJob =
  (name: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.flatMap(currentTraceId, (trace_id) => asRequest({ action: `job.${name}`, trace_id })(self))

/** A job whose payload names its owner sees only that owner's rows; any other sees none until it sets an owner. */
const ownedBy = (payload: object) => {
  const { organisation_uid, pharmacy_uid, owner_uid }: Record<string, string | undefined> = { ...payload }
  return onlyOwner({ organisation_uid: organisation_uid ?? owner_uid, pharmacy_uid: pharmacy_uid ?? owner_uid })
}

const result = (job: Job<StoredJob>, exit: Exit.Exit<unknown, unknown>): JobResult => {
  if (Exit.isSuccess(exit)) return { id: job.id, status: "completed" }
  // For operators. Reasons of `NonRetryable` are safe to show; other messages may quote a record
  const message = Option.match(nonRetryable(exit), {
    onNone: () => kindsOf(exit.cause) || "interrupted",
    onSome: ({ reason }) => reason
  })
  return { id: job.id, status: isNonRetryable(exit) ? "deadletter" : "failed", output: { message } }
}

const nonRetryable = (exit: Exit.Failure<unknown, unknown>) =>
  Option.filter(Cause.failureOption(exit.cause), (error) => error instanceof NonRetryable)
const isNonRetryable = (exit: Exit.Failure<unknown, unknown>) => Option.isSome(nonRetryable(exit))

/** Interrupts the handler when pg-boss revokes the job (expiry, shutdown), since its result could not be recorded. */
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
