import { Clock, Effect, Queue, Schema } from "effect"
import { rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { withoutOwner } from "../tenancy/Tenancy.ts"
import type { QueueName } from "./queues.ts"

/** Maximum interval between polls: another process may have delayed a job, and its notification may be lost. */
const LONGEST_PAUSE_SECONDS = 15

/** Delayed jobs per queue that are considered for the time of the next poll. */
const CONSIDERED = 100

const Found = Schema.Struct({
  name: Schema.String,
  due: Schema.Boolean,
  /** Seconds of real time until the next considered job is due. */
  next: Schema.NullOr(Schema.Number)
})

/**
 * Polls for delayed jobs that have become due, for all queues of the process in one statement, and wakes their workers. Jobs that are due
 * at once are not polled: PostgreSQL notifies their workers.
 */
export class DueJobs extends Effect.Service<DueJobs>()("services/DueJobs", {
  scoped: Effect.gen(function* () {
    const sql = yield* Sql
    const found = rowsOf(Found)
    const workers = new Map<string, Set<() => void>>()
    const earlier = yield* Queue.sliding<void>(1)
    let nextPoll = Number.POSITIVE_INFINITY

    const pollWithin = (seconds: number) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const at = now + seconds * 1000
        if (at >= nextPoll) return Effect.void
        nextPoll = at
        return Effect.asVoid(Queue.offer(earlier, undefined))
      })

    const pause: Effect.Effect<void> = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      now >= nextPoll
        ? Effect.void
        : Effect.zipRight(Effect.race(Effect.sleep(nextPoll - now), Queue.take(earlier)), pause)
    )

    const waiting = sql`name = queue.name AND state < 'active' AND NOT blocked`
    const stateOf = (names: ReadonlyArray<string>) =>
      found.all(sql`SELECT name,
          EXISTS (SELECT FROM pgboss.job WHERE ${waiting} AND start_after <= pgboss.job_now()) AS due,
          (SELECT extract(epoch FROM min(start_after) - pgboss.job_now())::float8 FROM
            (SELECT start_after FROM pgboss.job WHERE ${waiting} AND start_after > pgboss.job_now()
              LIMIT ${CONSIDERED}) AS considered) AS next
        FROM pgboss.queue WHERE ${sql.in("name", names)}`)

    const poll = Effect.gen(function* () {
      if (workers.size === 0) return Number.POSITIVE_INFINITY
      const queues = yield* stateOf([...workers.keys()])
      for (const { name, due } of queues) if (due) for (const wake of workers.get(name) ?? []) wake()
      return Math.min(LONGEST_PAUSE_SECONDS, ...queues.map(({ next }) => next ?? LONGEST_PAUSE_SECONDS))
    }).pipe(
      Effect.withTracerEnabled(false),
      withoutOwner,
      Effect.catchAllCause((cause) =>
        Effect.as(Effect.logWarning("could not poll for due jobs", cause), LONGEST_PAUSE_SECONDS)
      )
    )

    const pollOnceDue = Effect.zipRight(
      pause,
      Effect.suspend(() => {
        nextPoll = Number.POSITIVE_INFINITY
        return Effect.flatMap(poll, pollWithin)
      })
    )
    yield* Effect.forkScoped(Effect.forever(pollOnceDue))

    /** Calls `wake` whenever a job of the queue may be due, until the scope closes. */
    const watch = (queue: QueueName, wake: () => void) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          workers.set(queue, (workers.get(queue) ?? new Set()).add(wake))
        }),
        () =>
          Effect.sync(() => {
            workers.get(queue)?.delete(wake)
            if (workers.get(queue)?.size === 0) workers.delete(queue)
          })
      ).pipe(Effect.zipRight(pollWithin(LONGEST_PAUSE_SECONDS)))

    return {
      watch,
      /** Polls within this many seconds. */
      pollWithin
    } as const
  })
}) {}
