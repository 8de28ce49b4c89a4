/**
 * Metrics of the service, for `/metrics` and OTLP alike. Names follow Prometheus conventions; labels come from small closed sets, never
 * from a caller. docs/metrics.md has the table; `bun run check` compares it with this file.
 */
import { Effect, Metric, MetricBoundaries, Predicate } from "effect"
import { FAILING_STATES } from "./database/SqlErrors.ts"
import { type PeriodicTask, periodicTasks, type QueueName, queues } from "./queue/queues.ts"

const seconds = MetricBoundaries.fromIterable([0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10])

/** Requests answered, by `method`, `route` (the pattern) and `status`. */
export const httpRequests = Metric.counter("sprechstunde_http_requests_total", {
  description: "Requests answered",
  incremental: true
})

/** From the request's head to the response's, by `method` and `route`. */
export const httpDuration = Metric.histogram(
  "sprechstunde_http_request_duration_seconds",
  seconds,
  "Time to answer a request"
)

export const httpInFlight = Metric.gauge("sprechstunde_http_requests_in_flight", {
  description: "Requests being answered now"
})

/** Initialises every value of a label to 0, so that `increase()` counts the first event too. */
const startingAtZero = (counter: Metric.Metric.Counter<number>, label: string, values: ReadonlyArray<string>) => {
  for (const value of values) Metric.tagged(counter, label, value).unsafeUpdate(0, [])
  return counter
}

/** Attempts to hold a time, by `outcome`: `held`, `taken` (booked or held by another patient) or `refused` (not offered). */
export const holds = startingAtZero(
  Metric.counter("sprechstunde_holds_total", { description: "Attempts to hold a time", incremental: true }),
  "outcome",
  ["held", "taken", "refused"]
)

/** Confirmations of holds, by `outcome`: `confirmed`, `taken` or `refused` (no longer confirmable). */
export const confirmations = startingAtZero(
  Metric.counter("sprechstunde_confirmations_total", {
    description: "Attempts to confirm a hold",
    incremental: true
  }),
  "outcome",
  ["confirmed", "taken", "refused"]
)

export const slotSearchDuration = Metric.histogram(
  "sprechstunde_slot_search_duration_seconds",
  seconds,
  "Time to find the free times of one search, its statement included"
)

/** Deliveries of webhooks, by `outcome`: `delivered`, `retried` or `failed`. */
export const webhookAttempts = startingAtZero(
  Metric.counter("sprechstunde_webhook_attempts_total", {
    description: "Attempts to deliver an event to a webhook",
    incremental: true
  }),
  "outcome",
  ["delivered", "retried", "failed"]
)

export const webhookBacklog = Metric.gauge("sprechstunde_webhook_backlog", {
  description: "Webhook deliveries that are pending"
})

/** Deliveries that are due and not claimed by any process yet. */
export const webhooksDue = Metric.gauge("sprechstunde_webhook_deliveries_due", {
  description: "Webhook deliveries that are due and not attempted"
})

/** Attempts to send a mail or a text message, by `channel` (`email`, `sms`) and `outcome`. */
export const messages = Metric.counter("sprechstunde_messages_total", {
  description: "Attempts to send a mail or a text message",
  incremental: true
})
const messageOutcomes = ["sent", "delayed", "failed", "skipped"] as const
for (const channel of ["email", "sms"])
  startingAtZero(Metric.tagged(messages, "channel", channel), "outcome", messageOutcomes)

/** `delayed` is retried, `failed` is permanent, `skipped` is no longer needed. */
export const countMessage = (channel: "email" | "sms", outcome: (typeof messageOutcomes)[number]) =>
  Metric.increment(Metric.tagged(Metric.tagged(messages, "channel", channel), "outcome", outcome))

/** Mails and text messages not yet sent or given up, by `channel`. */
export const messagesWaiting = Metric.gauge("sprechstunde_messages_waiting", {
  description: "Mails and text messages not yet sent or given up"
})

/** Runs of jobs, by `queue` and `outcome`: `completed`, `failed` (retried, except ticks) or `dead_letter`. */
export const jobRuns = Metric.counter("sprechstunde_jobs_total", { description: "Runs of jobs", incremental: true })
const jobOutcomes = ["completed", "failed", "dead_letter"] as const
for (const queue of [...Object.keys(queues), ...Object.keys(periodicTasks)])
  startingAtZero(Metric.tagged(jobRuns, "queue", queue), "outcome", jobOutcomes)

export const countJob = (queue: QueueName | PeriodicTask, outcome: (typeof jobOutcomes)[number]) =>
  Metric.increment(Metric.tagged(Metric.tagged(jobRuns, "queue", queue), "outcome", outcome))

/** When this process last completed a job of a queue, Unix seconds of real time, by `queue`. */
export const jobLastCompleted = Metric.gauge("sprechstunde_job_last_completed_timestamp_seconds", {
  description: "When this process last completed a job of the queue"
})

/** Payouts that are not routed, by `state`: `pending`, or `parked` for an operator. */
export const payoutsWaiting = Metric.gauge("sprechstunde_payouts_waiting", {
  description: "Payouts of completed orders that are not routed"
})

/** Jobs waiting to be picked up, by `queue`; in `dead_letters`, those without attempts left. */
export const queueDepth = Metric.gauge("sprechstunde_queue_depth", { description: "Jobs waiting to be picked up" })

/** Shops' orders for which no pharmacy order can be created yet, by `reason`: a `WaitingReason`. */
export const ordersWaiting = Metric.gauge("sprechstunde_orders_waiting", {
  description: "Shops' orders that cannot be given to a pharmacy yet"
})

export const reminderLag = Metric.gauge("sprechstunde_reminder_lag_seconds", {
  description: "Delay of the latest published reminder, seconds"
})

/** Database connections of this process, by `state`: `busy`, `idle` or `waited_for`. */
export const poolConnections = Metric.gauge("sprechstunde_database_pool_connections", {
  description: "Database connections of this process"
})

/** Connections that this process may open: DATABASE_POOL_SIZE. */
export const poolSize = Metric.gauge("sprechstunde_database_pool_size", {
  description: "Database connections that this process may open"
})

/** Callers rejected at once because DATABASE_WAITING_MAX were queued. */
export const poolRefusals = Metric.counter("sprechstunde_database_pool_refusals_total", {
  description: "Callers refused because too many waited for a connection",
  incremental: true
})
poolRefusals.unsafeUpdate(0, [])

/** Statements that the database could not run for want of a resource, by `reason`. */
const databaseFailures = startingAtZero(
  Metric.counter("sprechstunde_database_failures_total", {
    description: "Statements that failed for want of a resource of the database",
    incremental: true
  }),
  "reason",
  Object.values(FAILING_STATES)
)
const failureCounters = new Map(
  Object.entries(FAILING_STATES).map(([state, reason]) => [state, Metric.tagged(databaseFailures, "reason", reason)])
)

/** Counts an error by its SQLSTATE; errors of other kinds are not counted. */
export const countDatabaseFailure = (state: string) => failureCounters.get(state)?.unsafeUpdate(1, [])

/** How long callers waited for a connection, including the time to open a new one. */
export const poolWait = Metric.histogram(
  "sprechstunde_database_pool_wait_seconds",
  seconds,
  "Time to get a database connection"
)

/** Event loop lag: how late a timer runs. */
export const eventLoopDelay = Metric.histogram(
  "sprechstunde_event_loop_delay_seconds",
  seconds,
  "How late a timer of the event loop is"
)

/** Memory of the process, by `kind`: `resident`, `heap` (used by JavaScript) or `external` (buffers). */
export const processMemory = Metric.gauge("sprechstunde_process_memory_bytes", { description: "Memory of the process" })

/** CPU time of the process since its start, user and system together. */
export const processCpu = Metric.counter("sprechstunde_process_cpu_seconds_total", {
  description: "Processor time of the process",
  incremental: true
})

/** When the process started, Unix seconds. */
export const processStart = Metric.gauge("sprechstunde_process_start_time_seconds", {
  description: "When the process started"
})

/** Always 1, by `version` (of the release), `bun` (of the runtime) and `role`. */
export const buildInfo = Metric.gauge("sprechstunde_build_info", { description: "Release, runtime and role" })

/** Counts the outcome of an attempt: `success`, `taken` (`SlotTaken`), or `refused`. */
export const countingOutcomes =
  (counter: Metric.Metric.Counter<number>, success: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const count = (outcome: string) => Metric.increment(Metric.tagged(counter, "outcome", outcome))
    return Effect.tapBoth(self, {
      onSuccess: () => count(success),
      onFailure: (error) => count(Predicate.isTagged(error, "SlotTaken") ? "taken" : "refused")
    })
  }
