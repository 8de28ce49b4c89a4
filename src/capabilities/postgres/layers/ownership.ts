import { Data, Deferred, Effect, type Option, Schedule } from "effect"
import { Client } from "pg"
import { type Cluster, configOf, unanswered } from "./Cluster.ts"
import type { PostgresFailed } from "./PostgresFailed.ts"

/** Another running process owns the database folder. */
export class DatabaseInUse extends Data.TaggedError("DatabaseInUse")<{ readonly message: string }> {}

// An arbitrary key, which must be the same in every release
const LOCK = 5_172_640_193

const query = <Row extends object>(client: Client, text: string, values: ReadonlyArray<unknown>) =>
  Effect.tryPromise({ try: () => client.query<Row>(text, [...values]), catch: unanswered }).pipe(
    Effect.map(({ rows }) => rows)
  )

const HOLDER = `
  select activity.application_name as name
  from pg_locks lock join pg_stat_activity activity using (pid)
  where lock.locktype = 'advisory' and lock.granted
    and (lock.classid::bigint << 32) + lock.objid::bigint = $1`

/**
 * Takes ownership of the database by a session-level advisory lock, which is released however the owner ends. Fails with
 * `DatabaseInUse` if another process has it. `lost` completes when the connection to the server is lost.
 */
const tryOwn = Effect.fn("ownership.tryOwn")(function* (cluster: Cluster) {
  const client = new Client(configOf(cluster, `sprechstunde process ${process.pid}`))
  client.on("error", () => undefined) // "end" follows; without a listener an error would terminate the process
  yield* Effect.tryPromise({ try: () => client.connect(), catch: unanswered })
  const lost = yield* Deferred.make<void>()
  client.once("end", () => Deferred.unsafeDone(lost, Effect.void))
  const [taken] = yield* query<{ mine: boolean }>(client, "select pg_try_advisory_lock($1) as mine", [LOCK])
  if (taken?.mine) return { lost: Deferred.await(lost) }
  const [holder] = yield* query<{ name: string }>(client, HOLDER, [LOCK])
  yield* Effect.promise(() => client.end())
  return yield* new DatabaseInUse({
    message: `The database in ${cluster.data} is in use by ${holder?.name ?? "a process that is just ending"}. Stop that server, or give this one its own DATA_DIR; servers that are to share a database need a DATABASE_URL.`
  })
})

export interface Ownership {
  readonly lost: Effect.Effect<void>
}

/** Takes ownership if no other process has it. */
export const ownIfFree = (cluster: Cluster): Effect.Effect<Option.Option<Ownership>, PostgresFailed> =>
  tryOwn(cluster).pipe(
    Effect.asSome,
    Effect.catchTag("DatabaseInUse", () => Effect.succeedNone)
  )

/** Takes ownership. Fails with `DatabaseInUse` if another process still has it after two seconds. */
export const own = (cluster: Cluster): Effect.Effect<Ownership, PostgresFailed | DatabaseInUse> =>
  Effect.retry(tryOwn(cluster), {
    while: (error) => error._tag === "DatabaseInUse",
    schedule: Schedule.spaced("200 millis").pipe(Schedule.upTo("2 seconds"))
  })
