/** The queues as an operator looks at them, and jobs that were given up, sent back to where they came from. */
import { Effect, Predicate } from "effect"
import type { JobWithMetadata } from "pg-boss"
import { UnixSeconds } from "../../schemas/fields.ts"
import { DeadLetterNotFound } from "../../schemas/operation/errors.ts"
import type { DeadLetter, JobQueue } from "../../schemas/operation/Installation.ts"
import { Boss } from "../queue/Jobs.ts"
import { DEAD_LETTERS } from "../queue/queues.ts"

const MOST = 200
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const seconds = (date: Date) => UnixSeconds.make(Math.floor(date.getTime() / 1000))

/** A job is stored as its payload with its trace (`StoredJob`). */
const payloadOf = (stored: unknown): Readonly<Record<string, string>> => {
  const data = Predicate.hasProperty(stored, "data") ? stored.data : {}
  return Predicate.isRecord(data)
    ? Object.fromEntries(Object.entries(data).map(([name, value]) => [name, String(value)]))
    : {}
}

/** The error's first line: what follows says where in the code. */
const errorOf = (output: unknown) =>
  Predicate.hasProperty(output, "message") && Predicate.isString(output.message)
    ? (output.message.split("\n")[0]?.slice(0, 300) ?? null)
    : null

const letterOf = (job: JobWithMetadata): DeadLetter => ({
  uid: job.id,
  queue: job.sourceName,
  payload: payloadOf(job.data),
  error: errorOf(job.sourceOutput) ?? errorOf(job.output),
  attempts: job.sourceRetryCount ?? 0,
  made_at: seconds(job.sourceCreatedOn ?? job.createdOn),
  given_up_at: seconds(job.createdOn)
})

export class JobQueues extends Effect.Service<JobQueues>()("operation/JobQueues", {
  effect: Effect.gen(function* () {
    const boss = yield* Boss

    /** Every queue, as pg-boss last counted it: at most 15 seconds ago where a worker runs. */
    const list = Effect.fn("JobQueues.list")(() =>
      Effect.map(
        Effect.promise(() => boss.getQueues()),
        (queues) =>
          queues
            .map(
              ({ name, readyCount, deferredCount, activeCount, failedCount }): JobQueue => ({
                name,
                ready: readyCount,
                deferred: deferredCount,
                active: activeCount,
                failed: failedCount
              })
            )
            .sort((a, b) => (a.name < b.name ? -1 : 1))
      )
    )

    /** Jobs whose attempts are used up, the latest first. */
    const deadLetters = Effect.fn("JobQueues.deadLetters")(() =>
      Effect.map(
        Effect.promise(() => boss.findJobs<object>(DEAD_LETTERS, { queued: true })),
        (jobs) =>
          jobs
            .map(letterOf)
            .sort((a, b) => b.given_up_at - a.given_up_at)
            .slice(0, MOST)
      )
    )

    const found = Effect.fnUntraced(function* (uid: string) {
      const [job] = UUID.test(uid)
        ? yield* Effect.promise(() => boss.findJobs<object>(DEAD_LETTERS, { id: uid, queued: true }))
        : []
      return job === undefined ? yield* new DeadLetterNotFound() : letterOf(job)
    })

    /** Sends the job back to its queue with all its attempts. Fails with `DeadLetterNotFound`. */
    const retry = Effect.fn("JobQueues.retry")(function* (uid: string) {
      const letter = yield* found(uid)
      const moved = yield* Effect.promise(() => boss.redrive(DEAD_LETTERS, { ids: [uid] }))
      return moved === 0 ? yield* new DeadLetterNotFound() : letter
    })

    /** Deletes a dead letter that is settled. Fails with `DeadLetterNotFound`. */
    const remove = Effect.fn("JobQueues.remove")(function* (uid: string) {
      yield* found(uid)
      yield* Effect.promise(() => boss.deleteJob(DEAD_LETTERS, uid))
    })

    return { list, deadLetters, retry, remove } as const
  })
}) {}
