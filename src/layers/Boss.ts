import { SqlError } from "@effect/sql"
import { Effect, Layer, Redacted, Runtime, Schedule } from "effect"
import { type ConstructorOptions, PgBoss, type QueueOptions } from "pg-boss"
import { Settings } from "../config.ts"
import { Boss } from "../services/queue/Jobs.ts"
import { DEAD_LETTERS, type QueueDeclaration, queues } from "../services/queue/queues.ts"
import { DatabaseUrl } from "./Database.ts"
import { connectionTo } from "./postgres/hosts.ts"

export interface BossSettings {
  /** The same database as the service's own tables, or a job could not commit with the change it belongs to. */
  readonly url: Redacted.Redacted
  /** False in processes that only answer requests: they send jobs, and leave working and supervising to others. */
  readonly works: boolean
}

/** A killed worker's job runs again at most this long after its heartbeat is missed. */
const SUPERVISE_SECONDS = 30

/** The pg-boss of this process: its schema and queues made at start, stopped after the workers when the scope closes. */
export const bossLive = (settings: BossSettings) =>
  Layer.scoped(
    Boss,
    Effect.acquireRelease(start(settings), stop).pipe(Effect.tap((boss) => Effect.promise(() => declareQueues(boss))))
  )

/** Chosen by the settings: ROLE=http only sends; a worker listens for jobs, which a pooler in transaction mode forbids. */
export const BossLive = Layer.unwrapEffect(
  Effect.zipWith(DatabaseUrl, Settings, (url, { role, databaseUrlDirect = url }) =>
    role === "http" ? bossLive({ url, works: false }) : bossLive({ url: databaseUrlDirect, works: true })
  )
)

const start = Effect.fn("Boss.start")(function* ({ url, works }: BossSettings) {
  const runtime = yield* Effect.runtime<never>()
  const boss = new PgBoss(options(Redacted.value(url), works))
  // Without a listener an `error` event would end the process.
  boss.on("error", (cause) =>
    Runtime.runFork(runtime)(Effect.logError("job queue", new SqlError.SqlError({ cause, message: "job queue" })))
  )
  boss.on("warning", ({ message, data }) => Runtime.runFork(runtime)(Effect.logWarning(`job queue: ${message}`, data)))
  return yield* Effect.tryPromise(() => boss.start()).pipe(Effect.retry(databaseComingUp), Effect.orDie)
})

/** PostgreSQL may still be starting: ten seconds of trying. */
const databaseComingUp = Schedule.spaced("500 millis").pipe(Schedule.intersect(Schedule.recurs(20)))

/** What its connections say while all is being taken down is no fault any more. */
const stop = (boss: PgBoss) =>
  Effect.flatMap(Effect.runtime<never>(), (runtime) =>
    Effect.promise(() => {
      boss.removeAllListeners("error")
      boss.on("error", (error) => Runtime.runFork(runtime)(Effect.logDebug("job queue, stopping", error)))
      return boss.stop({ graceful: true, timeout: 5_000 })
    })
  )

const options = (url: string, works: boolean): ConstructorOptions => ({
  ...connectionTo(url),
  application_name: "sprechstunde jobs",
  max: works ? 6 : 2,
  connectionTimeoutMillis: 10_000,
  useListenNotify: works,
  supervise: works,
  schedule: false, // src/jobs/Ticks.ts: pg-boss's own asks the database twice a second
  superviseIntervalSeconds: SUPERVISE_SECONDS,
  monitorIntervalSeconds: SUPERVISE_SECONDS,
  flowIntervalSeconds: 3600 // jobs that wait for other jobs, which this service has none of
})

/** Makes the queues that are missing and brings the others in line with their declaration. */
const declareQueues = async (boss: PgBoss) => {
  const existing = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  if (!existing.has(DEAD_LETTERS)) await boss.createQueue(DEAD_LETTERS, { retentionSeconds: 30 * 86_400 })
  const declared: ReadonlyArray<[string, QueueDeclaration]> = Object.entries(queues)
  for (const [name, { options }] of declared) {
    const found = existing.get(name)
    const wanted = { ...options, notify: true, deadLetter: DEAD_LETTERS }
    if (found === undefined) await boss.createQueue(name, wanted)
    else if (differs(found, wanted)) await boss.updateQueue(name, wanted)
    // pg-boss looks a queue up at its first use, over a connection of its own. Within a caller's transaction that
    // would be a second connection, which a small pool may never have: so it looks up every queue here.
    await boss.insert(name, [])
  }
}

const differs = (found: QueueOptions, wanted: QueueOptions) =>
  Object.entries({ ...found, ...wanted }).some(([option, value]) => Reflect.get(found, option) !== value)
