/** Brings a migrated database onto a Citus cluster: docs/scaling.md. */
import { SqlClient } from "@effect/sql"
import { Data, Effect } from "effect"
import { DatabaseSessions } from "../../services/DatabaseSessions.ts"
import { asLogin } from "../../services/Tenancy.ts"
import { statementsOf } from "../Migrate.ts"
import script from "./distribute.sql" with { type: "text" }

/** The database is no coordinator of a cluster. Nothing was changed. */
export class NotACluster extends Data.TaggedError("NotACluster") {
  override get message() {
    return "This database is plain PostgreSQL, without the extension citus. Nothing was changed; docs/scaling.md says how a cluster is set up."
  }
}

const SETTINGS = ["statement_timeout", "idle_in_transaction_session_timeout", "lock_timeout"]

/** Fails with `NotACluster` where the extension is not there. */
export const ensureCluster = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const found = yield* Effect.orDie(sql`SELECT FROM pg_extension WHERE extname = 'citus'`)
  if (found.length === 0) return yield* new NotACluster()
})

/**
 * Gives every table its place on the cluster. What was done already stays as it is, so it may be run again after an interruption, and
 * after later migrations. Fails with `NotACluster`; a statement that fails is a defect. No service may run meanwhile.
 */
export const distribute = Effect.gen(function* () {
  yield* ensureCluster
  const sessions = yield* DatabaseSessions
  const connection = yield* sessions.reserve
  const run = (statement: string) => connection.executeUnprepared(statement, [], undefined)
  const settings = SETTINGS.map((name) => `SET ${name} = 0`)
  yield* Effect.orDie(Effect.forEach([...settings, ...statementsOf(script)], run, { discard: true }))
}).pipe(Effect.scoped, asLogin)
