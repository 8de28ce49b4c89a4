/** Distributes a migrated database over a Citus cluster: docs/scaling.md. */
import { SqlClient } from "@effect/sql"
import { Data, Effect } from "effect"
import { Capabilities } from "../../../declarations.ts"
import { statementsOf, unlimitedSession } from "../../../services/database/scripts.ts"
import { asLogin } from "../../../services/tenancy/Tenancy.ts"
import script from "./distribute.sql" with { type: "text" }

/** The database is not the coordinator of a cluster. Nothing was changed. */
export class NotACluster extends Data.TaggedError("NotACluster") {
  override get message() {
    return "This database is plain PostgreSQL, without the extension citus. Nothing was changed; docs/scaling.md says how a cluster is set up."
  }
}

/** Fails with `NotACluster` without the extension citus. */
export const ensureCluster = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const found = yield* Effect.orDie(sql`SELECT FROM pg_extension WHERE extname = 'citus'`)
  if (found.length === 0) return yield* new NotACluster()
})

/**
 * Distributes every table. Idempotent, so it can be run again after an interruption and after later migrations. Fails with
 * `NotACluster`; a failed statement is a defect. No service may run at the same time.
 */
export const distribute = Effect.gen(function* () {
  yield* ensureCluster
  const run = yield* Effect.orDie(unlimitedSession)
  const { installed } = yield* Capabilities
  const added = installed.flatMap(({ manifest }) =>
    Object.entries(manifest().tables).map(([table, column]) =>
      column === "copied" ? `SELECT cluster_copy('${table}');` : `SELECT cluster_distribute('${table}', '${column}');`
    )
  )
  const whole = script.replace("-- capabilities", added.join("\n"))
  yield* Effect.orDie(Effect.forEach(statementsOf(whole), run, { discard: true }))
}).pipe(Effect.scoped, asLogin)
