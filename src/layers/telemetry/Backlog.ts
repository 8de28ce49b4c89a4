import { SqlClient, type Statement } from "@effect/sql"
import { Effect, Layer, Metric, Schedule } from "effect"
import { WaitingReason } from "../../schemas/checkout/OrderWebhook.ts"
import { Boss } from "../../services/Jobs.ts"
import { ordersWaiting, queueDepth, webhookBacklog } from "../../services/metrics.ts"
import { acrossTenants } from "../../services/Tenancy.ts"

const EVERY = "15 seconds"

/** What waits, counted now and then by the processes that work: the same number whichever of them is asked. */
export const Backlog = Layer.scopedDiscard(
  Effect.gen(function* () {
    const boss = yield* Boss
    const sql = yield* SqlClient.SqlClient

    const queues = Effect.flatMap(
      Effect.tryPromise(() => boss.getQueues()),
      (all) =>
        Effect.forEach(all, ({ name, queuedCount }) =>
          Metric.set(Metric.tagged(queueDepth, "queue", name), queuedCount)
        )
    )
    const counted = (query: Statement.Statement<unknown>) => Effect.map(query.values, ([row]) => Number(row?.[0]))
    const webhooks = Effect.flatMap(
      counted(sql`SELECT count(*) FROM webhook_deliveries WHERE status = 'pending'`),
      (count) => Metric.set(webhookBacklog, count)
    )

    const orders = Effect.forEach(WaitingReason.literals, (reason) =>
      Effect.flatMap(
        counted(sql`SELECT count(*) FROM storefront_orders WHERE waiting IS NOT NULL AND waiting_reason = ${reason}`),
        (count) => Metric.set(Metric.tagged(ordersWaiting, "reason", reason), count)
      )
    )

    yield* Effect.all([queues, webhooks, orders], { discard: true }).pipe(
      acrossTenants,
      Effect.withTracerEnabled(false),
      Effect.catchAll((error) => Effect.logWarning("what waits could not be counted", error)),
      Effect.repeat(Schedule.spaced(EVERY)),
      Effect.forkScoped
    )
  })
)
