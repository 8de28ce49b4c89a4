/**
 * Sends pending deliveries to subscribers. Each subscription has its own fiber in this process, so that a hanging receiver delays no
 * other. The queue is in the database: if a process dies, its deliveries are due again once their leases expire.
 */
import { Effect, type Fiber, FiberMap, Metric, Option } from "effect"
import type { Attempt } from "../../schemas/events/Subscription.ts"
import { DomainClock, realNow } from "../DomainClock.ts"
import { Database } from "../database/Database.ts"
import { webhookAttempts } from "../metrics.ts"
import { Jobs } from "../queue/Jobs.ts"
import { Service } from "../Service.ts"
import { Owners } from "../tenancy/Owners.ts"
import type { CurrentTenant } from "../tenancy/Tenancy.ts"
import { currentTraceparent, inTrace } from "../traceparent.ts"
import { type Claimed, DeliveriesRepo, type Subscriber } from "./DeliveriesRepo.ts"
import { EventLog, ownerField, type TracedEvent } from "./EventLog.ts"
import { isAccepted, isGone, retryDelay } from "./retries.ts"
import { type Destination, Subscriptions } from "./Subscriptions.ts"
import { webhookHeaders } from "./signature.ts"
import { type WebhookAnswer, WebhookSender } from "./WebhookSender.ts"

/** Concurrent requests to one subscription; events of one subject are still sent in order. */
const CONCURRENCY = 16
/** Longer than any attempt: if a lease has expired, its process is dead. */
const LEASE_SECONDS = 40
/** Successive claims in vain of one run, each of which reads 3,000 subjects that wait; the next run continues after them. */
const SEARCHES = 10

const countAttempt = (delivery: Claimed, { status_code }: WebhookAnswer) => {
  const isLast = isGone(status_code) || retryDelay(delivery.failed_attempts + 1, null) === null
  const outcome = isAccepted(status_code) ? "delivered" : isLast ? "failed" : "retried"
  return Metric.increment(Metric.tagged(webhookAttempts, "outcome", outcome))
}

const notRetained: WebhookAnswer = {
  status_code: null,
  latency_ms: 0,
  error: "the event is no longer kept",
  retry_after_seconds: null
}

export class DeliveryRunner extends Service<DeliveryRunner>()("events/DeliveryRunner", {
  scoped: Effect.gen(function* () {
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const jobs = yield* Jobs
    const owners = yield* Owners
    const repo = yield* DeliveriesRepo
    const events = yield* EventLog
    const subscriptions = yield* Subscriptions
    const sender = yield* WebhookSender
    const fibers = yield* FiberMap.make<string>()
    const woken = new Set<string>()

    const eventOf = (delivery: Claimed) =>
      delivery.example === null
        ? events.find(delivery.owner_uid, delivery.event_id)
        : Effect.succeedSome<TracedEvent>({ event: delivery.example, traceparent: null })

    const post = Effect.fnUntraced(function* (destination: Destination, { event }: TracedEvent) {
      const body = JSON.stringify(event)
      const timestamp = yield* realNow
      const signed = webhookHeaders({ message_id: event.id, timestamp, body }, destination.secrets)
      const traceparent = yield* currentTraceparent
      const headers = {
        "content-type": "application/json",
        "user-agent": "Sprechstunde-Webhooks/1",
        ...(traceparent === undefined ? {} : { traceparent }),
        ...signed
      }
      return yield* sender.send({ url: destination.url, headers, body })
    })

    /** Notifies the owner once when a subscription keeps failing or was ended by its receiver. */
    const noteFailure = Effect.fnUntraced(function* (delivery: Claimed, attempt: Attempt, ended: boolean) {
      const failing = yield* subscriptions.noteFailure(delivery, attempt.at, ended)
      if (Option.isNone(failing)) return
      const { url, owner_kind, failing_since } = failing.value
      const { status_code, error } = attempt
      const { owner_uid, subscription_uid } = delivery
      yield* events.append({
        type: "subscription.failing",
        ...ownerField({ owner_kind, owner_uid }),
        subject: subscription_uid,
        data: { subscription_uid, url, active: !ended, failing_since, status_code, error }
      })
    })

    const record = Effect.fnUntraced(function* (delivery: Claimed, answer: WebhookAnswer, wasFailing: boolean) {
      const now = yield* clock.now
      const { status_code, latency_ms, error } = answer
      const attempt: Attempt = { at: now, status_code, latency_ms, error }
      if (isAccepted(status_code)) {
        if (wasFailing) yield* subscriptions.noteSuccess(delivery)
        return yield* repo.record(delivery, attempt, "delivered", null)
      }
      const gone = isGone(status_code)
      yield* noteFailure(delivery, attempt, gone)
      const delay = gone ? null : retryDelay(delivery.failed_attempts + 1, answer.retry_after_seconds)
      yield* delay === null
        ? repo.record(delivery, attempt, "failed", null)
        : repo.record(delivery, attempt, "pending", now + delay)
      if (gone) yield* subscriptions.disable(delivery)
    }, transaction)

    /** One attempt, in the trace of the event's change. */
    const attempt = Effect.fnUntraced(function* (delivery: Claimed, destination: Destination) {
      const event = yield* eventOf(delivery)
      const posted = Option.match(event, {
        onNone: () => Effect.succeed(notRetained),
        onSome: (found) => post(destination, found)
      })
      yield* posted.pipe(
        Effect.tap((answer) => record(delivery, answer, destination.is_failing)),
        Effect.tap((answer) => countAttempt(delivery, answer)),
        inTrace("webhook", Option.getOrUndefined(event)?.traceparent, {
          kind: "client",
          attributes: { "sprechstunde.attempt": delivery.failed_attempts + 1 }
        })
      )
    })

    /** On interruption during an attempt, so that the next process need not wait for the lease. */
    const release = (delivery: Claimed) => Effect.flatMap(clock.now, (now) => repo.release(delivery, now))

    const claim = (subscriber: Subscriber) =>
      transaction(Effect.flatMap(clock.now, (now) => repo.claim(subscriber, CONCURRENCY, now, LEASE_SECONDS)))

    /** Schedules a job that wakes the subscription at its next attempt; at most one such job is queued. */
    const scheduleWake = Effect.fnUntraced(function* (subscriber: Subscriber) {
      const now = yield* clock.now
      const at = yield* repo.nextAttempt(subscriber, now)
      if (at === null || !(yield* subscriptions.noteWake(subscriber, at, now))) return
      yield* jobs.send("webhook.deliver", subscriber, { startAfterSeconds: at - now })
    }, transaction)

    /** Returns how many deliveries were attempted, or ended. */
    const round = Effect.fn("DeliveryRunner.round")(function* (subscriber: Subscriber) {
      const destination = yield* subscriptions.destination(subscriber)
      // Events may have been appended while it was being paused or deleted, and a long backlog is failed in parts
      if (Option.isNone(destination)) return yield* subscriptions.disable(subscriber)
      const claimed = yield* claim(subscriber)
      yield* Effect.forEach(
        claimed,
        (delivery) =>
          attempt(delivery, destination.value).pipe(
            Effect.onInterrupt(() => release(delivery)),
            // It is due again when its lease expires; the others must not wait for it
            Effect.catchAllCause((cause) => Effect.logError("a webhook could not be attempted", cause))
          ),
        { concurrency: "unbounded", discard: true }
      )
      return claimed.length
    })

    /** Runs rounds until nothing is due that does not wait for an earlier event. */
    const rounds = Effect.fnUntraced(function* (subscriber: Subscriber) {
      // the last run ended within the subjects: those before are searched once the end is reached
      let isContinued = repo.isSearching(subscriber)
      let inVain = 0
      while (inVain < SEARCHES) {
        if ((yield* round(subscriber)) > 0) {
          inVain = 0
          continue
        }
        inVain++
        if (repo.isSearching(subscriber)) continue
        if (!isContinued) return
        isContinued = false
      }
    })

    /** Runs rounds, and again if it was woken during the last one. */
    const drain = (subscriber: Subscriber): Effect.Effect<void, never, CurrentTenant> =>
      Effect.gen(function* () {
        woken.delete(subscriber.subscription_uid)
        yield* rounds(subscriber)
        if (!woken.has(subscriber.subscription_uid)) yield* scheduleWake(subscriber)
      }).pipe(Effect.repeat({ while: () => woken.has(subscriber.subscription_uid) }))

    const start = Effect.fnUntraced(function* (subscriber: Subscriber) {
      woken.add(subscriber.subscription_uid)
      return yield* FiberMap.run(fibers, subscriber.subscription_uid, drain(subscriber), { onlyIfMissing: true })
    })

    /** Attempts a subscription's due deliveries in the background. */
    const wake = (subscriber: Subscriber) => Effect.asVoid(start(subscriber))

    /** Starts the subscriptions with due deliveries; returns their fibers. */
    const startDue = Effect.gen(function* () {
      const now = yield* clock.now
      const started: Array<Fiber.RuntimeFiber<void>> = []
      yield* owners.eachDue("deliveries", now, (owner) =>
        Effect.map(Effect.flatMap(repo.due(owner, now), Effect.forEach(start)), (fibers) => started.push(...fibers))
      )
      return started
    })

    /** Attempts everything due, and waits for the outcomes. */
    const runDue = Effect.fn("DeliveryRunner.runDue")(function* () {
      yield* Effect.forEach(yield* startDue, (fiber) => fiber.await, { discard: true })
    })

    /** As `runDue` without waiting: picks up deliveries left by a lost job or a dead process. Returns the number of subscriptions. */
    const sweep = Effect.fn("DeliveryRunner.sweep")(() => Effect.map(startDue, ({ length }) => length))

    return { wake, runDue, sweep } as const
  }),
  dependencies: [DeliveriesRepo.Default, Subscriptions.Default]
}) {}
