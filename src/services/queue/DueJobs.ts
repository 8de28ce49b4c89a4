import { SqlClient } from "@effect/sql"
import { Clock, Effect, Queue, Schema } from "effect"
import { rowsOf } from "../database/rows.ts"
import type { QueueName } from "./queues.ts"

/** A job may have been put off by another process, and an announcement be lost: what is due is looked for so often. */
const LONGEST_PAUSE_SECONDS = 15

/** How many of a queue's jobs that are put off are considered for the next look. */
const CONSIDERED = 100

const Found = Schema.Struct({
  name: Schema.String,
  due: Schema.Boolean,
  /** Seconds of real time until the next one of those considered is due. */
  next: Schema.NullOr(Schema.Number)
})

/**
 * Finds jobs that were put off and have become due, for all queues of the process in one statement, and wakes their
 * workers. Jobs that are due when they are sent need none of this: PostgreSQL announces them.
 */
export class DueJobs extends Effect.Service<DueJobs>()("services/DueJobs", {
  scoped: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const found = rowsOf(Found)
    const workers = new Map<string, Set<() => void>>()
    const sooner = yield* Queue.sliding<void>(1)
    let nextLook = Number.POSITIVE_INFINITY

    const lookIn = (seconds: number) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const at = now + seconds * 1000
        if (at >= nextLook) return Effect.void
        nextLook = at
        return Effect.asVoid(Queue.offer(sooner, undefined))
      })

    const pause: Effect.Effect<void> = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      now >= nextLook
        ? Effect.void
        : Effect.zipRight(Effect.race(Effect.sleep(nextLook - now), Queue.take(sooner)), pause)
    )

    const waiting = sql`name = queue.name AND state < 'active' AND NOT blocked`
    const lookAt = (names: ReadonlyArray<string>) =>
      found.all(sql`SELECT name,
          EXISTS (SELECT FROM pgboss.job WHERE ${waiting} AND start_after <= pgboss.job_now()) AS due,
          (SELECT extract(epoch FROM min(start_after) - pgboss.job_now())::float8 FROM
            (SELECT start_after FROM pgboss.job WHERE ${waiting} AND start_after > pgboss.job_now()
              LIMIT ${CONSIDERED}) AS considered) AS next
        FROM pgboss.queue WHERE ${sql.in("name", names)}`)

    const look = Effect.gen(function* () {
      if (workers.size === 0) return Number.POSITIVE_INFINITY
      const queues = yield* lookAt([...workers.keys()])
      for (const { name, due } of queues) if (due) for (const wake of workers.get(name) ?? []) wake()
      return Math.min(LONGEST_PAUSE_SECONDS, ...queues.map(({ next }) => next ?? LONGEST_PAUSE_SECONDS))
    }).pipe(
      Effect.withTracerEnabled(false),
      Effect.catchAllCause((cause) =>
        Effect.as(Effect.logWarning("jobs that are due could not be looked for", cause), LONGEST_PAUSE_SECONDS)
      )
    )

    const lookOnceDue = Effect.zipRight(
      pause,
      Effect.suspend(() => {
        nextLook = Number.POSITIVE_INFINITY
        return Effect.flatMap(look, lookIn)
      })
    )
    yield* Effect.forkScoped(Effect.forever(lookOnceDue))

    /** Has `wake` called whenever a job of the queue may be due, until the scope closes. */
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
      ).pipe(Effect.zipRight(lookIn(LONGEST_PAUSE_SECONDS)))

    return {
      watch,
      /** Looks again after so many seconds, or sooner. */
      lookIn
    } as const
  })
}) {}
