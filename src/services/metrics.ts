/**
 * What the service counts and measures, once, for `/metrics` and OTLP alike. Names follow Prometheus; labels come from
 * small closed sets, never from a caller.
 */
import { Effect, Metric, MetricBoundaries, Predicate } from "effect"

const seconds = MetricBoundaries.fromIterable([0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10])

/** Requests answered, by `method`, `route` (the pattern) and `status`. */
export const httpRequests = Metric.counter("sprechstunde_http_requests_total", {
  description: "Requests answered",
  incremental: true
})

/** From the request's head to the answer's, by `method` and `route`. */
export const httpDuration = Metric.histogram(
  "sprechstunde_http_request_duration_seconds",
  seconds,
  "Time to answer a request"
)

export const httpInFlight = Metric.gauge("sprechstunde_http_requests_in_flight", {
  description: "Requests being answered now"
})

/** Attempts to hold a time, by `outcome`: `held`, `taken` (booked or held by another patient) or `refused` (not on offer). */
export const holds = Metric.counter("sprechstunde_holds_total", {
  description: "Attempts to hold a time",
  incremental: true
})

/** Confirmations of holds, by `outcome`: `confirmed` or `taken`. */
export const confirmations = Metric.counter("sprechstunde_confirmations_total", {
  description: "Attempts to confirm a hold",
  incremental: true
})

export const slotSearchDuration = Metric.histogram(
  "sprechstunde_slot_search_duration_seconds",
  seconds,
  "Time to find the free times of one search, its statement included"
)

/** Deliveries of webhooks, by `outcome`: `delivered`, `retried` or `failed`. */
export const webhookAttempts = Metric.counter("sprechstunde_webhook_attempts_total", {
  description: "Attempts to deliver an event to a webhook",
  incremental: true
})

export const webhookBacklog = Metric.gauge("sprechstunde_webhook_backlog", {
  description: "Webhook deliveries not yet made or given up"
})

/** Jobs waiting to be picked up, by `queue`. */
export const queueDepth = Metric.gauge("sprechstunde_queue_depth", { description: "Jobs waiting to be picked up" })

/** Orders of shops of which no pharmacy order can be made yet, by `reason`: `no_pharmacy` or `prescription_not_usable`. */
export const ordersWaiting = Metric.gauge("sprechstunde_orders_waiting", {
  description: "Orders of shops that cannot be made yet"
})

export const reminderLag = Metric.gauge("sprechstunde_reminder_lag_seconds", {
  description: "How long after its moment the latest reminder was published"
})

/** Database connections of this process, by `state`: `busy`, `idle` or `waited_for`. */
export const poolConnections = Metric.gauge("sprechstunde_database_pool_connections", {
  description: "Database connections of this process"
})

/** Counts how an attempt ends: well, against another appointment (`SlotTaken`), or refused. */
export const countingOutcomes =
  (counter: Metric.Metric.Counter<number>, well: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const count = (outcome: string) => Metric.increment(Metric.tagged(counter, "outcome", outcome))
    return Effect.tapBoth(self, {
      onSuccess: () => count(well),
      onFailure: (error) => count(Predicate.isTagged(error, "SlotTaken") ? "taken" : "refused")
    })
  }
