/**
 * Metrics of the service, for `/metrics` and OTLP alike. Names follow Prometheus conventions; labels come from small closed sets, never
 * from a caller. docs/metrics.md has the table; `bun run check` compares it with this file.
 */
import { Effect, Metric, MetricBoundaries, Predicate } from "effect"
import { FAILING_STATES } from "./database/SqlErrors.ts"

const seconds = MetricBoundaries.fromIterable([0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10])

export const counter = (name: string, description: string) => Metric.counter(name, { description, incremental: true })
export const gauge = (name: string, description: string) => Metric.gauge(name, { description })
export const histogram = (name: string, description: string) => Metric.histogram(name, seconds, description)

/** Requests answered, by `method`, `route` (the pattern) and `status`. */
export const httpRequests = counter("sprechstunde_http_requests_total", "Requests answered")

/** From the request's head to the response's, by `method` and `route`. */
export const httpDuration = histogram("sprechstunde_http_request_duration_seconds", "Time to answer a request")

export const httpInFlight = gauge("sprechstunde_http_requests_in_flight", "Requests being answered now")

/** Initialises every value of a label to 0, so that `increase()` counts the first event too. */
const startingAtZero = (counter: Metric.Metric.Counter<number>, label: string, values: ReadonlyArray<string>) => {
  for (const value of values) Metric.tagged(counter, label, value).unsafeUpdate(0, [])
  return counter
}

/** Attempts to hold a time, by `outcome`: `held`, `taken` (booked or held by another patient) or `refused` (not offered). */
export const holds = startingAtZero(counter("sprechstunde_holds_total", "Attempts to hold a time"), "outcome", [
  "held",
  "taken",
  "refused"
])

/** Confirmations of holds, by `outcome`: `confirmed`, `taken` or `refused` (no longer confirmable). */
export const confirmations = startingAtZero(
  counter("sprechstunde_confirmations_total", "Attempts to confirm a hold"),
  "outcome",
  ["confirmed", "taken", "refused"]
)

export const slotSearchDuration = histogram(
  "sprechstunde_slot_search_duration_seconds",
  "Time to find the free times of one search, its statement included"
)

/** Deliveries of webhooks, by `outcome`: `delivered`, `retried` or `failed`. */
export const webhookAttempts = startingAtZero(
  counter("sprechstunde_webhook_attempts_total", "Attempts to deliver an event to a webhook"),
  "outcome",
  ["delivered", "retried", "failed"]
)

/** Attempts to send a mail or a text message, by `channel` (`email`, `sms`) and `outcome`. */
export const messages = counter("sprechstunde_messages_total", "Attempts to send a mail or a text message")
const messageOutcomes = ["sent", "delayed", "failed", "skipped"] as const
for (const channel of ["email", "sms"])
  startingAtZero(Metric.tagged(messages, "channel", channel), "outcome", messageOutcomes)

/** `delayed` is retried, `failed` is permanent, `skipped` is no longer needed. */
export const countMessage = (channel: "email" | "sms", outcome: (typeof messageOutcomes)[number]) =>
  Metric.increment(Metric.tagged(Metric.tagged(messages, "channel", channel), "outcome", outcome))

/** Runs of jobs, by `queue` and `outcome`: `completed`, `failed` (retried, except ticks) or `dead_letter`. */
export const jobRuns = counter("sprechstunde_jobs_total", "Runs of jobs")
const jobOutcomes = ["completed", "failed", "dead_letter"] as const
/** Shows the job's counts from zero on. */
export const countedJob = (queue: string) =>
  startingAtZero(Metric.tagged(jobRuns, "queue", queue), "outcome", jobOutcomes)

export const countJob = (queue: string, outcome: (typeof jobOutcomes)[number]) =>
  Metric.increment(Metric.tagged(Metric.tagged(jobRuns, "queue", queue), "outcome", outcome))

/** When this process last completed a job of a queue, Unix seconds of real time, by `queue`. */
export const jobLastCompleted = gauge(
  "sprechstunde_job_last_completed_timestamp_seconds",
  "When this process last completed a job of the queue"
)

export const reminderLag = gauge("sprechstunde_reminder_lag_seconds", "Delay of the latest published reminder, seconds")

/** Database connections of this process, by `state`: `busy`, `idle` or `waited_for`. */
export const poolConnections = gauge("sprechstunde_database_pool_connections", "Database connections of this process")

/** Connections that this process may open: DATABASE_POOL_SIZE. */
export const poolSize = gauge("sprechstunde_database_pool_size", "Database connections that this process may open")

/** Callers rejected at once because DATABASE_WAITING_MAX were queued. */
export const poolRefusals = counter(
  "sprechstunde_database_pool_refusals_total",
  "Callers refused because too many waited for a connection"
)
poolRefusals.unsafeUpdate(0, [])

/** Statements that the database could not run for want of a resource, by `reason`. */
const databaseFailures = startingAtZero(
  counter("sprechstunde_database_failures_total", "Statements that failed for want of a resource of the database"),
  "reason",
  Object.values(FAILING_STATES)
)
const failureCounters = new Map(
  Object.entries(FAILING_STATES).map(([state, reason]) => [state, Metric.tagged(databaseFailures, "reason", reason)])
)

/** Counts an error by its SQLSTATE; errors of other kinds are not counted. */
export const countDatabaseFailure = (state: string) => failureCounters.get(state)?.unsafeUpdate(1, [])

/** How long callers waited for a connection, including the time to open a new one. */
export const poolWait = histogram("sprechstunde_database_pool_wait_seconds", "Time to get a database connection")

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
