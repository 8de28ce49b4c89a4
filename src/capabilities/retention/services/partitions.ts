/** Tables that are partitioned by month on request: docs/operating.md. */
import { Data, Effect } from "effect"
import { unlimitedSession } from "../../../services/database/scripts.ts"
import { Topology } from "../../../services/database/Topology.ts"
import { asLogin } from "../../../services/tenancy/Tenancy.ts"

/** Tables of several nodes cannot be partitioned by month. Nothing was changed. */
export class OnSeveralNodes extends Data.TaggedError("OnSeveralNodes") {
  override get message() {
    return "This database is on several nodes, where no table is divided by month. Nothing was changed."
  }
}

/** Tables that can be partitioned by month. */
export const monthTables = ["events", "messages", "webhook_deliveries"] as const

/**
 * Partitions a table and its rows by the month of `created_at`; returns whether it was not partitioned before. Locks the
 * table. Fails with `OnSeveralNodes`.
 */
export const partitionByMonth = (table: (typeof monthTables)[number]) =>
  Effect.gen(function* () {
    if (!(yield* Topology).isSingle) return yield* new OnSeveralNodes()
    const run = yield* Effect.orDie(unlimitedSession)
    const rows = yield* Effect.orDie(run(`SELECT partition_by_month('${table}') AS divided`))
    return rows[0]?.divided === true
  }).pipe(Effect.scoped, asLogin)
