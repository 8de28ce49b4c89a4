/** A subscription's deliveries: list, replay, and send a test. */
import { Effect, Option, Schema } from "effect"
import { Event, type EventType, eventCatalogue } from "../../schemas/events/catalogue.ts"
import type { OwnerKind } from "../../schemas/events/definition.ts"
import { DeliveryNotFound, SUBSCRIPTIONS_MAX, SubscriptionInactive } from "../../schemas/events/errors.ts"
import type { DeliveryQuery } from "../../schemas/events/Subscription.ts"
import { DeliveryUid, EventUid } from "../../schemas/ids.ts"
import { paged } from "../../schemas/paging.ts"
import { TooManyRequests } from "../../schemas/problems.ts"
import { DomainClock } from "../DomainClock.ts"
import { Database } from "../database/Database.ts"
import { Jobs } from "../queue/Jobs.ts"
import type { Payload } from "../queue/queues.ts"
import { Service } from "../Service.ts"
import { newUid } from "../uid.ts"
import { DeliveriesRepo, REPLAYED_AT_ONCE, type Subscriber } from "./DeliveriesRepo.ts"
import { EventLog, ownerField } from "./EventLog.ts"
import { Subscriptions } from "./Subscriptions.ts"

/** Interval between the examples of a subscription. Rule 6.3.12. */
const EXAMPLE_INTERVAL_SECONDS = 60

/** What a reader of a delivery may see of its event. */
export interface Reader {
  readonly mayRead: (type: EventType) => boolean
  readonly showsCredentials: boolean
}

export class Deliveries extends Service<Deliveries>()("events/Deliveries", {
  effect: Effect.gen(function* () {
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const jobs = yield* Jobs
    const repo = yield* DeliveriesRepo
    const subscriptions = yield* Subscriptions
    const events = yield* EventLog

    /** Newest first. Fails with `SubscriptionNotFound`. */
    const list = Effect.fn("Deliveries.list")(function* (subscriber: Subscriber, query: DeliveryQuery) {
      yield* subscriptions.get(subscriber)
      return paged(yield* repo.list(subscriber, query))
    })

    /**
     * A delivery with its payload, as far as the caller may see it: null unless `mayRead` allows the type, and with credential fields
     * null unless `showsCredentials`. Fails with `DeliveryNotFound` or `SubscriptionNotFound`.
     */
    const get = Effect.fn("Deliveries.get")(function* (
      subscriber: Subscriber,
      uid: DeliveryUid,
      { mayRead, showsCredentials }: Reader
    ) {
      yield* subscriptions.get(subscriber)
      const found = yield* repo.find(subscriber, uid)
      if (Option.isNone(found)) return yield* new DeliveryNotFound()
      const { example, ...delivery } = found.value
      if (!mayRead(delivery.event_type)) return { ...delivery, payload: null }
      if (example !== null) return { ...delivery, payload: example }
      const event = yield* events.find(subscriber.owner_uid, delivery.event_id, showsCredentials)
      return { ...delivery, payload: Option.match(event, { onNone: () => null, onSome: (one) => one.event }) }
    })

    const getActive = Effect.fnUntraced(function* (subscriber: Subscriber) {
      const subscription = yield* subscriptions.get(subscriber)
      return subscription.active ? subscription : yield* new SubscriptionInactive()
    })

    const wake = (subscriber: Subscriber) => jobs.send("webhook.deliver", subscriber)

    /**
     * Replays a delivery, under the same `webhook-id`. Fails with `DeliveryNotFound`, `SubscriptionNotFound`, or `SubscriptionInactive`.
     */
    const replay = Effect.fn("Deliveries.replay")(function* (subscriber: Subscriber, uid: DeliveryUid) {
      yield* getActive(subscriber)
      const delivery = yield* repo.replay(subscriber, uid, yield* clock.now)
      if (Option.isNone(delivery)) return yield* new DeliveryNotFound()
      yield* wake(subscriber)
      return delivery.value
    }, transaction)

    /**
     * Replays the oldest of the deliveries that failed until then; a job continues if there may be more. Does nothing for a subscription
     * that has been paused or deleted.
     */
    const continueReplay = Effect.fn("Deliveries.continueReplay")(
      function* ({ failed_until, ...subscriber }: Payload<"webhook.replay">) {
        yield* getActive(subscriber)
        const count = yield* repo.replayFailed(subscriber, failed_until, yield* clock.now)
        if (count >= REPLAYED_AT_ONCE) yield* jobs.send("webhook.replay", { ...subscriber, failed_until })
        yield* wake(subscriber)
      },
      Effect.catchTags({ SubscriptionInactive: () => Effect.void, SubscriptionNotFound: () => Effect.void }),
      transaction
    )

    /** Replays every failed delivery that is retained, those of a long backlog by jobs; returns how many. Fails as `replay`. */
    const replayFailed = Effect.fn("Deliveries.replayFailed")(function* (subscriber: Subscriber) {
      yield* getActive(subscriber)
      const count = yield* repo.countFailed(subscriber)
      yield* continueReplay({ ...subscriber, failed_until: yield* clock.now })
      return count
    }, transaction)

    /** Fails with `TooManyRequests` if an example was sent within the last minute, or too many of the owner's. */
    const ensureTestInterval = Effect.fnUntraced(function* (subscriber: Subscriber, now: number) {
      const limiting = yield* repo.limitingExample(subscriber, now - EXAMPLE_INTERVAL_SECONDS, SUBSCRIPTIONS_MAX)
      if (limiting !== null)
        return yield* new TooManyRequests({ retry_after_seconds: limiting + EXAMPLE_INTERVAL_SECONDS - now })
    })

    /**
     * Sends an example of the first subscribed type; it does not appear in the feed. Fails with `SubscriptionNotFound`,
     * `SubscriptionInactive`, or `TooManyRequests`: one a minute for each subscription, and as many for an owner as it may have
     * subscriptions. Rule 6.3.12.
     */
    const sendTest = Effect.fn("Deliveries.sendTest")(function* (owner_kind: OwnerKind, subscriber: Subscriber) {
      // a concurrent request of the owner sees this one's example
      yield* subscriptions.lockOwner(subscriber.owner_uid)
      const { active, event_types } = yield* subscriptions.findForChange(subscriber)
      if (!active) return yield* new SubscriptionInactive()
      const [type] = event_types
      if (type === undefined) return yield* Effect.dieMessage("a subscription has an event type")
      const now = yield* clock.now
      yield* ensureTestInterval(subscriber, now)
      const { owner_uid } = subscriber
      const example = yield* Effect.orDie(
        Schema.decodeUnknown(Event)({
          id: yield* newUid(EventUid),
          type,
          timestamp: now,
          ...ownerField({ owner_kind, owner_uid }),
          data: { ...eventCatalogue[type].example, example: true }
        })
      )
      const delivery = yield* repo.insertExample(subscriber, yield* newUid(DeliveryUid), example, now)
      yield* wake(subscriber)
      return delivery
    }, transaction)

    /** Pending and failed deliveries by subscription: at most 500 subscriptions of all owners. */
    const backlog = Effect.fn("Deliveries.backlog")(() => repo.backlog(500))

    return { list, get, replay, replayFailed, continueReplay, sendTest, backlog } as const
  }),
  dependencies: [DeliveriesRepo.Default, Subscriptions.Default]
}) {}
