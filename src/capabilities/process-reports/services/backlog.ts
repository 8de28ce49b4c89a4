import { SqlClient, SqlError } from "@effect/sql"
import { Effect, Metric, Schedule } from "effect"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Boss } from "../../../services/queue/Jobs.ts"
import { asWorker, withoutOwner } from "../../../services/tenancy/Tenancy.ts"
import { WaitingReason } from "../../shared/schemas/OrderWebhook.ts"
import { messagesWaiting, ordersWaiting, payoutsWaiting, queueDepth, webhookBacklog, webhooksDue } from "./metrics.ts"

const EVERY = "30 seconds"

/** Due deliveries are normally taken at once; those overdue for longer than this count as backlog. */
const LATE_SECONDS = 30

/** Gauges by the name of their count in `waiting_counts`; 0 if it has no row. */
const gauges: ReadonlyMap<string, Metric.Metric.Gauge<number>> = new Map([
  ["webhooks", webhookBacklog],
  ["webhooks due", webhooksDue],
  ...["email", "sms"].map(
    (channel) => [`message ${channel}`, Metric.tagged(messagesWaiting, "channel", channel)] as const
  ),
  ...["pending", "parked"].map((state) => [`payout ${state}`, Metric.tagged(payoutsWaiting, "state", state)] as const),
  ...WaitingReason.literals.map(
    (reason) => [`order ${reason}`, Metric.tagged(ordersWaiting, "reason", reason)] as const
  )
])

/** Updates the backlog gauges. Every worker reports the same installation-wide numbers. */
export const backlog = Effect.gen(function* () {
  const boss = yield* Boss
  const sql = yield* SqlClient.SqlClient
  const clock = yield* DomainClock

  const queues = Effect.flatMap(
    Effect.tryPromise({
      try: () => boss.getQueues(),
      catch: (cause) => new SqlError.SqlError({ cause, message: "the queues could not be counted" })
    }),
    (all) =>
      Effect.forEach(all, ({ name, queuedCount }) => Metric.set(Metric.tagged(queueDepth, "queue", name), queuedCount))
  )
  // A single statement, since it also runs on an idle installation
  const counts = (now: number) =>
    asWorker()(sql`SELECT what, count FROM waiting_counts(to_timestamp(${now - LATE_SECONDS}))`.values)
  const waiting = Effect.flatMap(Effect.flatMap(clock.now, counts), (rows) => {
    const found = new Map(rows.map(([what, count]) => [what, Number(count)]))
    return Effect.forEach(gauges, ([what, gauge]) => Metric.set(gauge, found.get(what) ?? 0), { discard: true })
  })

  return Effect.all([queues, waiting], { discard: true }).pipe(
    withoutOwner,
    Effect.withTracerEnabled(false),
    Effect.catchAll((error) => Effect.logWarning("what waits could not be counted", error)),
    Effect.repeat(Schedule.spaced(EVERY)),
    Effect.forkScoped
  )
})
