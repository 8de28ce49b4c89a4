/**
 * Tells subscribers. Each subscription has a lane of its own in this process: a receiver that hangs fills its own lane and
 * delays nobody else. What is owed stands in the database; a lane that dies with its process leaves deliveries that are due
 * again once their lease is over.
 */
import { SqlClient } from "@effect/sql"
import { Clock, Effect, FiberMap, Metric, Option } from "effect"
import type { Envelope } from "../../schemas/events/Event.ts"
import type { Attempt } from "../../schemas/events/Subscription.ts"
import { DomainClock } from "../DomainClock.ts"
import { Jobs } from "../Jobs.ts"
import { webhookAttempts } from "../operation/metrics.ts"
import { continuing, currentTraceparent } from "../traceparent.ts"
import { transaction } from "../transaction.ts"
import { type Claimed, DeliveriesRepo, type Subscriber } from "./DeliveriesRepo.ts"
import { EventLog } from "./EventLog.ts"
import { isAccepted, isGone, retryDelay } from "./retries.ts"
import { type Destination, Subscriptions } from "./Subscriptions.ts"
import { webhookHeaders } from "./signature.ts"
import { type WebhookAnswer, WebhookSender } from "./WebhookSender.ts"

/** How many requests one subscription gets at once; events of one subject still follow one another. */
const AT_ONCE = 16
/** Longer than an attempt can take: after this, whoever claimed it is dead. */
const LEASE_SECONDS = 40

interface Told {
  readonly envelope: Envelope
  readonly traceparent: string | null
}

const counted = (delivery: Claimed, { status_code }: WebhookAnswer) => {
  const given = isGone(status_code) || retryDelay(delivery.failed_attempts + 1, null) === null
  const outcome = isAccepted(status_code) ? "delivered" : given ? "failed" : "retried"
  return Metric.increment(Metric.tagged(webhookAttempts, "outcome", outcome))
}

export class DeliveryRunner extends Effect.Service<DeliveryRunner>()("events/DeliveryRunner", {
  scoped: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const jobs = yield* Jobs
    const repo = yield* DeliveriesRepo
    const events = yield* EventLog
    const subscriptions = yield* Subscriptions
    const sender = yield* WebhookSender
    const lanes = yield* FiberMap.make<string>()
    const called = new Set<string>()

    const inTransaction = <A, E, R>(body: Effect.Effect<A, E, R>) =>
      Effect.orDie(Effect.provideService(transaction(body), SqlClient.SqlClient, sql))

    const told = Effect.fnUntraced(function* (delivery: Claimed) {
      if (delivery.example !== null) return Option.some<Told>({ envelope: delivery.example, traceparent: null })
      const event = yield* events.find(delivery.owner_uid, delivery.event_id)
      if (Option.isNone(event)) return Option.none<Told>()
      const { traceparent } = event.value
      return Option.some<Told>({ envelope: yield* events.envelope(event.value), traceparent })
    })

    const post = Effect.fnUntraced(function* (destination: Destination, envelope: Envelope) {
      const body = JSON.stringify(envelope)
      const timestamp = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      const signed = webhookHeaders({ message_id: envelope.id, timestamp, body }, destination.secrets)
      const traceparent = yield* currentTraceparent
      const headers = {
        "content-type": "application/json",
        "user-agent": "Sprechstunde-Webhooks/1",
        ...(traceparent === undefined ? {} : { traceparent }),
        ...signed
      }
      return yield* sender.send({ url: destination.url, headers, body })
    })

    const record = (delivery: Claimed, answer: WebhookAnswer) =>
      inTransaction(
        Effect.gen(function* () {
          const now = yield* clock.now
          const { status_code, latency_ms, error } = answer
          const attempt: Attempt = { at: now, status_code, latency_ms, error }
          if (isAccepted(status_code)) return yield* repo.record(delivery, attempt, "delivered", null)
          const gone = isGone(status_code)
          const delay = gone ? null : retryDelay(delivery.failed_attempts + 1, answer.retry_after_seconds)
          yield* repo.record(
            delivery,
            attempt,
            delay === null ? "failed" : "pending",
            delay === null ? null : now + delay
          )
          if (gone) yield* subscriptions.disable(delivery.owner_uid, delivery.subscription_uid)
        })
      )

    const nothingToTell: WebhookAnswer = {
      status_code: null,
      latency_ms: 0,
      error: "the event is no longer kept",
      retry_after_seconds: null
    }

    /** One attempt, in the trace of the change that the event tells of. */
    const attempt = Effect.fnUntraced(function* (delivery: Claimed, destination: Destination) {
      const event = Option.getOrUndefined(yield* told(delivery))
      const posted = event === undefined ? Effect.succeed(nothingToTell) : post(destination, event.envelope)
      yield* posted.pipe(
        Effect.tap((answer) => record(delivery, answer)),
        Effect.tap((answer) => counted(delivery, answer)),
        Effect.withSpan("webhook", {
          kind: "client",
          captureStackTrace: false,
          attributes: { "sprechstunde.attempt": delivery.failed_attempts + 1 },
          ...continuing(event?.traceparent)
        })
      )
    })

    /** Told to stop in the middle of an attempt: whoever comes next need not wait for the lease. */
    const handBack = (delivery: Claimed) =>
      inTransaction(Effect.flatMap(clock.now, (now) => repo.release(delivery, now)))

    const claim = (subscriber: Subscriber) =>
      inTransaction(Effect.flatMap(clock.now, (now) => repo.claim(subscriber, AT_ONCE, now, LEASE_SECONDS)))

    /** Arranges to look again when something will be due: at most one such job a subscription. */
    const arrangeWake = (subscriber: Subscriber) =>
      inTransaction(
        Effect.gen(function* () {
          const now = yield* clock.now
          const at = yield* repo.nextWake(subscriber, now)
          if (at !== null) yield* jobs.send("webhook.deliver", subscriber, { startAfterSeconds: at - now })
        })
      )

    /** What was owed while the subscription was being paused or removed. */
    const endOwed = ({ owner_uid, subscription_uid }: Subscriber) =>
      Effect.as(inTransaction(subscriptions.disable(owner_uid, subscription_uid)), 0)

    const round = Effect.fn("DeliveryRunner.round")(function* (subscriber: Subscriber) {
      const destination = yield* subscriptions.destination(subscriber.owner_uid, subscriber.subscription_uid)
      if (Option.isNone(destination)) return yield* endOwed(subscriber)
      const claimed = yield* claim(subscriber)
      yield* Effect.forEach(
        claimed,
        (delivery) => attempt(delivery, destination.value).pipe(Effect.onInterrupt(() => handBack(delivery))),
        { concurrency: "unbounded", discard: true }
      )
      return claimed.length
    })

    /** Rounds until nothing is due, and once more if somebody called meanwhile. */
    const drain = (subscriber: Subscriber): Effect.Effect<void> =>
      Effect.gen(function* () {
        called.delete(subscriber.subscription_uid)
        while ((yield* round(subscriber)) > 0);
        if (!called.has(subscriber.subscription_uid)) yield* arrangeWake(subscriber)
      }).pipe(Effect.repeat({ while: () => called.has(subscriber.subscription_uid) }))

    const lane = Effect.fnUntraced(function* (subscriber: Subscriber) {
      called.add(subscriber.subscription_uid)
      return yield* FiberMap.run(lanes, subscriber.subscription_uid, drain(subscriber), { onlyIfMissing: true })
    })

    /** Sees to what is due to a subscriber, in the background. */
    const wake = (subscriber: Subscriber) => Effect.asVoid(lane(subscriber))

    /** Sees to everything that is due, to everybody, and waits until it has been tried. */
    const runDue = Effect.fn("DeliveryRunner.runDue")(function* () {
      const everybody = yield* Effect.flatMap(clock.now, repo.due)
      const fibers = yield* Effect.forEach(everybody, lane)
      yield* Effect.forEach(fibers, (fiber) => fiber.await, { discard: true })
    })

    /** The same without waiting: what a lost job or a dead process has left. */
    const sweep = Effect.fn("DeliveryRunner.sweep")(function* () {
      const everybody = yield* Effect.flatMap(clock.now, repo.due)
      yield* Effect.forEach(everybody, wake, { discard: true })
    })

    return { wake, runDue, sweep } as const
  }),
  dependencies: [DomainClock.Default, Jobs.Default, DeliveriesRepo.Default, EventLog.Default, Subscriptions.Default]
}) {}
