import { SqlClient } from "@effect/sql"
import { Context, Effect, Option, Schema } from "effect"
import type { JobInsert, PgBoss } from "pg-boss"
import { lastly } from "../database/Database.ts"
import { Sql } from "../database/Sql.ts"
import { Service } from "../Service.ts"
import { currentTraceparent } from "../traceparent.ts"
import { DueJobs } from "./DueJobs.ts"
import { type Payload, payloadOf, type QueueName } from "./queues.ts"

/** The process's running pg-boss, with its queues created. */
export class Boss extends Context.Tag("services/Boss")<Boss, PgBoss>() {}

export interface SendOptions {
  /** Seconds of real time before a worker may take the job. */
  readonly startAfterSeconds?: number
  /** On queues with a policy: jobs of one key replace or exclude one another. */
  readonly singletonKey?: string
  /** Group of the job, for queues whose workers limit concurrency per group. */
  readonly group?: string
  /** Jobs of higher priority are taken first; 0 by default. */
  readonly priority?: number
}

/** A job as stored: the payload, and its trace context, so that the worker's span joins the trace. */
export interface StoredJob {
  readonly data: unknown
  readonly traceparent?: string
}

/**
 * Sends jobs inside the caller's transaction: they exist if and only if it commits. Sending without a transaction is a defect, since a
 * job could then run before its change commits, or without it. As the transaction's last statement it travels with COMMIT.
 */
export class Jobs extends Service<Jobs>()("services/Jobs", {
  effect: Effect.gen(function* () {
    const boss = yield* Boss
    const sql = yield* Sql
    const { pollWithin } = yield* DueJobs

    /** The statements by which pg-boss adds jobs. Nobody needs their results. */
    const adding = (queue: QueueName, jobs: Array<JobInsert>) =>
      Effect.promise(async () => {
        const statements: Array<readonly [text: string, values: Array<string>]> = []
        // The adapter to pg-boss, which knows neither our parameter types nor our results: the cast is confined to it.
        const executeSql = async (text: string, values: ReadonlyArray<unknown> = []) => {
          statements.push([text, values as Array<string>])
          return { rows: [] }
        }
        await boss.insert(queue, jobs, { db: { executeSql } })
        return statements
      })

    const sendAll = Effect.fn("Jobs.sendAll")(function* <Q extends QueueName>(
      queue: Q,
      payloads: ReadonlyArray<Payload<Q>>,
      options: SendOptions = {}
    ) {
      if (payloads.length === 0) return
      if (Option.isNone(yield* Effect.serviceOption(SqlClient.TransactionConnection)))
        return yield* Effect.dieMessage("Jobs.send needs a surrounding transaction")
      const traceparent = yield* currentTraceparent
      const jobs = payloads.map((payload) => toInsert(stored(queue, payload, traceparent), options))
      for (const [text, values] of yield* adding(queue, jobs)) yield* lastly(sql.unsafe(text, values).raw)
      if (options.startAfterSeconds !== undefined) yield* pollWithin(options.startAfterSeconds)
    }, Effect.orDie)

    const send = <Q extends QueueName>(queue: Q, payload: Payload<Q>, options?: SendOptions) =>
      sendAll(queue, [payload], options)

    return {
      send,
      /** Adds many jobs to one queue in one statement. */
      sendAll
    } as const
  }),
  dependencies: [DueJobs.Default]
}) {}

const stored = <Q extends QueueName>(queue: Q, payload: Payload<Q>, traceparent: string | undefined): StoredJob => ({
  data: Schema.encodeSync(payloadOf(queue))(payload),
  ...(traceparent !== undefined && { traceparent })
})

const toInsert = (data: StoredJob, { startAfterSeconds, singletonKey, group, priority }: SendOptions): JobInsert => ({
  data,
  ...(startAfterSeconds !== undefined && { startAfter: Math.max(0, Math.ceil(startAfterSeconds)) }),
  ...(singletonKey !== undefined && { singletonKey }),
  ...(group !== undefined && { group: { id: group } }),
  ...(priority !== undefined && { priority })
})
