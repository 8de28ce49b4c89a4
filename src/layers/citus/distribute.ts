/** Distributes a migrated database over a Citus cluster: docs/scaling.md. */
import { SqlClient } from "@effect/sql"
import { Data, Effect } from "effect"
import { Capabilities } from "../../declarations.ts"
import { DatabaseSessions } from "../../services/database/DatabaseSessions.ts"
import { asLogin } from "../../services/tenancy/Tenancy.ts"
import { statementsOf } from "../Migrate.ts"
import script from "./distribute.sql" with { type: "text" }

/** The database is not the coordinator of a cluster. Nothing was changed. */
export class NotACluster extends Data.TaggedError("NotACluster") {
  override get message() {
    return "This database is plain PostgreSQL, without the extension citus. Nothing was changed; docs/scaling.md says how a cluster is set up."
  }
}

const SETTINGS = ["statement_timeout", "idle_in_transaction_session_timeout", "lock_timeout"]

const isCluster = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const found = yield* Effect.orDie(sql`SELECT FROM pg_extension WHERE extname = 'citus'`)
  return found.length > 0
})

/** Fails with `NotACluster` without the extension citus. */
export const ensureCluster = Effect.gen(function* () {
  if (!(yield* isCluster)) return yield* new NotACluster()
})

/** One session of the login role without time-outs. */
const session = Effect.gen(function* () {
  const sessions = yield* DatabaseSessions
  const connection = yield* sessions.reserve
  const run = (statement: string) => connection.executeUnprepared(statement, [], undefined)
  yield* Effect.forEach(SETTINGS, (name) => run(`SET ${name} = 0`), { discard: true })
  return run
})

/**
 * Distributes every table. Idempotent, so it can be run again after an interruption and after later migrations. Fails with
 * `NotACluster`; a failed statement is a defect. No service may run at the same time.
 */
export const distribute = Effect.gen(function* () {
  yield* ensureCluster
  const run = yield* Effect.orDie(session)
  const { installed } = yield* Capabilities
  const added = installed.flatMap(({ tables }) =>
    Object.entries(tables).map(([table, column]) =>
      column === "copied" ? `SELECT cluster_copy('${table}');` : `SELECT cluster_distribute('${table}', '${column}');`
    )
  )
  const whole = script.replace("-- capabilities", added.join("\n"))
  yield* Effect.orDie(Effect.forEach(statementsOf(whole), run, { discard: true }))
}).pipe(Effect.scoped, asLogin)

/** Tables cannot be partitioned by month on a cluster. Nothing was changed. */
export class IsACluster extends Data.TaggedError("IsACluster") {
  override get message() {
    return "This database is a Citus cluster, on which no table is divided by month. Nothing was changed."
  }
}

/** Tables that can be partitioned by month. */
export const monthTables = ["events", "messages", "webhook_deliveries"] as const

/**
 * Partitions a table and its rows by the month of `created_at`; returns whether it was not partitioned before. Locks the
 * table. Fails with `IsACluster`.
 */
export const partitionByMonth = (table: (typeof monthTables)[number]) =>
  Effect.gen(function* () {
    if (yield* isCluster) return yield* new IsACluster()
    const run = yield* Effect.orDie(session)
    const rows = yield* Effect.orDie(run(`SELECT partition_by_month('${table}') AS divided`))
    return rows[0]?.divided === true
  }).pipe(Effect.scoped, asLogin)
