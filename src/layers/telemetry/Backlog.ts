import { SqlClient, SqlError } from "@effect/sql"
import { Effect, Layer, Metric, Schedule } from "effect"
import { WaitingReason } from "../../schemas/checkout/OrderWebhook.ts"
import { Boss } from "../../services/Jobs.ts"
import { ordersWaiting, queueDepth, webhookBacklog } from "../../services/metrics.ts"
import { acrossTenants } from "../../services/Tenancy.ts"

const EVERY = "10 seconds"

/** What waits, counted now and then by the processes that work: the same number whichever of them is asked. */
export const Backlog = Layer.scopedDiscard(
  Effect.gen(function* () {
    const boss = yield* Boss
    const sql = yield* SqlClient.SqlClient

    const queues = Effect.flatMap(
      Effect.tryPromise({
        try: () => boss.getQueues(),
        catch: (cause) => new SqlError.SqlError({ cause, message: "the queues could not be counted" })
      }),
      (all) =>
        Effect.forEach(all, ({ name, queuedCount }) =>
          Metric.set(Metric.tagged(queueDepth, "queue", name), queuedCount)
        )
    )
    // One statement for all of it: it is asked for as long as nothing happens, too
    const counts = sql`SELECT 'webhooks' AS what, count(*) FROM webhook_deliveries WHERE status = 'pending'
      UNION ALL SELECT waiting_reason, count(*) FROM storefront_orders WHERE waiting IS NOT NULL GROUP BY 1`.values
    const waiting = Effect.flatMap(counts, (rows) => {
      const found = new Map(rows.map(([what, count]) => [what, Number(count)]))
      const orders = WaitingReason.literals.map((reason) =>
        Metric.set(Metric.tagged(ordersWaiting, "reason", reason), found.get(reason) ?? 0)
      )
      return Effect.all([Metric.set(webhookBacklog, found.get("webhooks") ?? 0), ...orders], { discard: true })
    })

    yield* Effect.all([queues, waiting], { discard: true }).pipe(
      acrossTenants,
      Effect.withTracerEnabled(false),
      Effect.catchAll((error) => Effect.logWarning("what waits could not be counted", error)),
      Effect.repeat(Schedule.spaced(EVERY)),
      Effect.forkScoped
    )
  })
)
