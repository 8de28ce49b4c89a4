/** Queues and dead letters for an operator: list, retry and delete. */

import { Effect, Predicate, Schema, Struct } from "effect"
import { rowsOf } from "../../../../services/database/rows.ts"
import { Sql } from "../../../../services/database/Sql.ts"
import { Boss } from "../../../../services/queue/Jobs.ts"
import { DEAD_LETTERS } from "../../../../services/queue/queues.ts"
import { ANSWER_LIMITS } from "../../../../services/recordLimits.ts"
import { DeadLetterNotFound } from "../../schemas/errors.ts"
import { DeadLetter, type JobQueue } from "../../schemas/Installation.ts"

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A job is stored as its payload with its trace context (`StoredJob`). */
const payloadOf = (stored: unknown): Readonly<Record<string, string>> => {
  const data = Predicate.hasProperty(stored, "data") ? stored.data : {}
  return Predicate.isRecord(data)
    ? Object.fromEntries(Object.entries(data).map(([name, value]) => [name, String(value)]))
    : {}
}

/** The job as first sent, with its counters reset. */
const reset = (stored: object) => {
  const data = Predicate.hasProperty(stored, "data") ? stored.data : null
  return Predicate.isRecord(data) ? { ...stored, data: Struct.omit(data, "put_back") } : stored
}

/** The error's first line: the rest is the stack trace. */
const errorOf = (output: unknown) =>
  Predicate.hasProperty(output, "message") && Predicate.isString(output.message)
    ? (output.message.split("\n")[0]?.slice(0, 300) ?? null)
    : null

const Stored = Schema.Struct({
  ...DeadLetter.pick("uid", "queue", "attempts", "made_at", "given_up_at").fields,
  data: Schema.Unknown,
  output: Schema.Unknown,
  source_output: Schema.Unknown
})

const letterOf = ({ data, output, source_output, ...letter }: typeof Stored.Type): DeadLetter => ({
  ...letter,
  payload: payloadOf(data),
  error: errorOf(source_output) ?? errorOf(output)
})

export class JobQueues extends Effect.Service<JobQueues>()("operation/JobQueues", {
  effect: Effect.gen(function* () {
    const boss = yield* Boss
    const sql = yield* Sql
    const stored = rowsOf(Stored)

    /** Every queue, as last counted by pg-boss: at most 15 seconds ago if a worker runs. */
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

    // pg-boss itself would read all of them, of which there may be hundreds of thousands
    const letters = (condition = sql`true`) =>
      Effect.map(
        stored.all(sql`SELECT id AS uid, source_name AS queue, coalesce(source_retry_count, 0) AS attempts,
            floor(extract(epoch FROM coalesce(source_created_on, created_on)))::bigint AS made_at,
            floor(extract(epoch FROM created_on))::bigint AS given_up_at, data, output, source_output
          FROM pgboss.job WHERE name = ${DEAD_LETTERS} AND state < 'active' AND ${condition}
          ORDER BY created_on DESC LIMIT ${ANSWER_LIMITS.deadLetters}`),
        (found) => found.map(letterOf)
      )

    /** Jobs without attempts left, latest first. */
    const deadLetters = Effect.fn("JobQueues.deadLetters")(() => letters())

    const found = Effect.fnUntraced(function* (uid: string) {
      const [letter] = UUID.test(uid) ? yield* letters(sql`id = ${uid}::uuid`) : []
      return letter ?? (yield* new DeadLetterNotFound())
    })

    /** Sends the job back to its queue with all attempts. Fails with `DeadLetterNotFound`. */
    const retry = Effect.fn("JobQueues.retry")(function* (uid: string) {
      const letter = yield* found(uid)
      const moved = yield* Effect.promise(async () => {
        const [job] = await boss.findJobs<object>(DEAD_LETTERS, { id: uid, queued: true })
        if (job !== undefined) await boss.update(DEAD_LETTERS, reset(job.data), { id: uid })
        return boss.redrive(DEAD_LETTERS, { ids: [uid] })
      })
      return moved === 0 ? yield* new DeadLetterNotFound() : letter
    })

    /** Deletes a dead letter. Fails with `DeadLetterNotFound`. */
    const remove = Effect.fn("JobQueues.remove")(function* (uid: string) {
      yield* found(uid)
      yield* Effect.promise(() => boss.deleteJob(DEAD_LETTERS, uid))
    })

    return { list, deadLetters, retry, remove } as const
  })
}) {}
