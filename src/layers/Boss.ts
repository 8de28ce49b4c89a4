import { SqlError } from "@effect/sql"
import { Effect, Layer, Redacted, Runtime, Schedule } from "effect"
import type { PoolConfig } from "pg"
import { type ConstructorOptions, PgBoss, type QueueOptions } from "pg-boss"
import { Settings } from "../config.ts"
import { DAY, HOUR } from "../schemas/seconds.ts"
import { Topology } from "../services/database/Topology.ts"
import { countedJob } from "../services/metrics.ts"
import { Boss } from "../services/queue/Jobs.ts"
import { DEAD_LETTERS, type QueueDeclaration, queues } from "../services/queue/queues.ts"
import { DatabaseUrl } from "./Database.ts"
import { connectionTo } from "./postgres/hosts.ts"
import { IDLE_MILLIS } from "./Sql.ts"

export interface BossSettings {
  /** Must be the database of the service's tables, since jobs commit in the transactions of its changes. */
  readonly url: Redacted.Redacted
  /** False in processes that only answer requests: they send jobs but do not run or supervise them. */
  readonly works: boolean
}

/** Interval of pg-boss's supervision: a killed worker's job runs again at most this long after its missed heartbeat. */
const SUPERVISE_SECONDS = 30

/** pg-boss: creates its schema and queues at start-up; stops after the workers when the scope closes. */
export const bossLive = (settings: BossSettings) =>
  Layer.scoped(
    Boss,
    Effect.acquireRelease(start(settings), stop).pipe(
      Effect.tap((boss) => Effect.promise(() => declareQueues(boss))),
      Effect.zipWith(Topology, (boss, { afterJob }) => following(boss, afterJob))
    )
  )

/** Sends this statement in the transaction of each job. */
const following = (boss: PgBoss, statement: string | undefined) => {
  if (statement === undefined) return boss
  const insert = boss.insert.bind(boss)
  boss.insert = async (queue, jobs, options) => {
    const inserted = await insert(queue, jobs, options)
    await options?.db?.executeSql(statement, [])
    return inserted
  }
  return boss
}

/** With ROLE=http it only sends jobs. Workers use LISTEN and so need a connection without a pooler in transaction mode. */
export const BossLive = Layer.unwrapEffect(
  Effect.zipWith(DatabaseUrl, Settings, (url, { role, databaseUrlDirect = url }) =>
    role === "http" ? bossLive({ url, works: false }) : bossLive({ url: databaseUrlDirect, works: true })
  )
)

const start = Effect.fn("Boss.start")(function* ({ url, works }: BossSettings) {
  const runtime = yield* Effect.runtime<never>()
  const boss = new PgBoss(options(Redacted.value(url), works))
  // Without a listener an `error` event would terminate the process.
  boss.on("error", (cause) =>
    Runtime.runFork(runtime)(Effect.logError("job queue", new SqlError.SqlError({ cause, message: "job queue" })))
  )
  boss.on("warning", ({ message, data }) => Runtime.runFork(runtime)(Effect.logWarning(`job queue: ${message}`, data)))
  return yield* Effect.tryPromise(() => boss.start()).pipe(Effect.retry(databaseComingUp), Effect.orDie)
})

/** Retries for ten seconds, since PostgreSQL may still be starting. */
const databaseComingUp = Schedule.spaced("500 millis").pipe(Schedule.intersect(Schedule.recurs(20)))

/** Errors of its connections during shutdown are logged at debug level. */
const stop = (boss: PgBoss) =>
  Effect.flatMap(Effect.runtime<never>(), (runtime) =>
    Effect.promise(() => {
      boss.removeAllListeners("error")
      boss.on("error", (error) => Runtime.runFork(runtime)(Effect.logDebug("job queue, stopping", error)))
      return boss.stop({ graceful: true, timeout: 5_000 })
    })
  )

/** pg-boss hands all its options to the driver's pool, also those that its type does not name. */
const poolOptions = { idleTimeoutMillis: IDLE_MILLIS } satisfies PoolConfig

const options = (url: string, works: boolean): ConstructorOptions => ({
  ...connectionTo(url),
  ...poolOptions,
  application_name: "sprechstunde jobs",
  max: works ? 6 : 2,
  connectionTimeoutMillis: 10_000,
  useListenNotify: works,
  supervise: works,
  schedule: false, // src/jobs/Ticks.ts instead: pg-boss's scheduler queries the database twice a second
  superviseIntervalSeconds: SUPERVISE_SECONDS,
  monitorIntervalSeconds: SUPERVISE_SECONDS,
  monitorVacuum: false, // warns of any long transaction, a backup's too; what that costs is the depth of the queues, a metric
  flowIntervalSeconds: HOUR // dependencies between jobs, which this service does not use
})

/** Creates missing queues and updates the options of the others. */
const declareQueues = async (boss: PgBoss) => {
  const existing = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  if (!existing.has(DEAD_LETTERS)) await boss.createQueue(DEAD_LETTERS, { retentionSeconds: 30 * DAY })
  const declared: ReadonlyArray<[string, QueueDeclaration]> = Object.entries(queues)
  for (const [name, { options }] of declared) {
    countedJob(name)
    const found = existing.get(name)
    const wanted = { ...options, notify: true, deadLetter: DEAD_LETTERS }
    if (found === undefined) await boss.createQueue(name, wanted)
    else if (differs(found, wanted)) await boss.updateQueue(name, wanted)
    // Makes pg-boss cache the queue. It would otherwise look it up at first use on a second connection, which within a
    // caller's transaction can deadlock a small pool.
    await boss.insert(name, [])
  }
}

const differs = (found: QueueOptions, wanted: QueueOptions) =>
  Object.entries({ ...found, ...wanted }).some(([option, value]) => Reflect.get(found, option) !== value)
