/** Brings the schema up to date, under a lock: several replicas may start at once. */
import { Migrator, SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { migrations } from "./migrations/index.ts"

const TABLE = "sprechstunde_migrations"

const run = Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: TABLE })

/**
 * Everything in one transaction: it is all there or nothing has changed. The table comes first and by our own hand, since
 * the migrator looks for it by a statement that fails, which would spoil the transaction. Gives what has been applied.
 */
export const migrate = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SET LOCAL statement_timeout = 0`
      yield* sql`SET LOCAL lock_timeout = 0`
      yield* sql`SELECT pg_advisory_xact_lock(hashtextextended('sprechstunde/migrations', 0))`
      yield* sql`CREATE TABLE IF NOT EXISTS ${sql(TABLE)} (migration_id integer PRIMARY KEY,
        name text NOT NULL, created_at timestamptz NOT NULL DEFAULT now())`
      return yield* run
    })
  )
})

/** Whether every migration that this build knows has been applied. */
export const isCurrent = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ latest: number }>`SELECT max(migration_id) AS latest FROM ${sql(TABLE)}`
  const newest = Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name, 10)))
  return (row?.latest ?? 0) >= newest
})

export const MigratedLive = Layer.effectDiscard(
  Effect.flatMap(migrate, (applied) =>
    applied.length === 0 ? Effect.void : Effect.logInfo(`applied ${applied.length} migrations`)
  )
)
