/** Webhook subscriptions of organisations and pharmacies; the only writer of their table. Another owner's subscription is not found. */
import { Effect, Option, Schema } from "effect"
import type { EventType } from "../../schemas/events/catalogue.ts"
import { OwnerKind, type OwnerUid } from "../../schemas/events/definition.ts"
import { SUBSCRIPTIONS_MAX, SubscriptionNotFound, TooManySubscriptions } from "../../schemas/events/errors.ts"
import { Subscription, type SubscriptionChanges } from "../../schemas/events/Subscription.ts"
import { isNothing, UnixSeconds } from "../../schemas/fields.ts"
import { SubscriptionUid } from "../../schemas/ids.ts"
import type { ListQuery } from "../../schemas/paging.ts"
import { invalid } from "../../schemas/problems.ts"
import { DAY, HOUR } from "../../schemas/seconds.ts"
import { DomainClock } from "../DomainClock.ts"
import { changedSince } from "../database/changedSince.ts"
import { Database } from "../database/Database.ts"
import { any, anyOr, columnsOf, rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { Jobs } from "../queue/Jobs.ts"
import { Service } from "../Service.ts"
import { type Place, SecretBox } from "../sealing/SecretBox.ts"
import { newUid } from "../uid.ts"
import { DeliveriesRepo, FAILED_AT_ONCE, type Subscriber } from "./DeliveriesRepo.ts"
import { newWebhookSecret } from "./signature.ts"
import { WebhookSender } from "./WebhookSender.ts"

/** Both secrets sign for this long after a rotation. */
const OVERLAP_SECONDS = DAY

/** A subscription counts as failing after this long without an accepted delivery. Rule 6.4.8. */
const FAILING_SECONDS = HOUR

export interface NewSubscription {
  readonly owner_kind: OwnerKind
  readonly event_types: ReadonlyArray<EventType>
  readonly url: string
}

/** URL and decrypted signing secrets of a subscription, newest first. */
export interface Destination {
  readonly url: string
  /** Whether the last attempts failed. */
  readonly is_failing: boolean
  readonly secrets: ReadonlyArray<string>
}

const placeOf = ({ owner_uid, subscription_uid }: Subscriber, column: Place["column"]): Place => ({
  table: "webhook_subscriptions",
  column,
  row: [owner_uid, subscription_uid]
})

const notFound = () => new SubscriptionNotFound()

export class Subscriptions extends Service<Subscriptions>()("events/Subscriptions", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const box = yield* SecretBox
    const sender = yield* WebhookSender
    const deliveries = yield* DeliveriesRepo
    const jobs = yield* Jobs
    const rows = rowsOf(Subscription)
    const columns = sql.literal(columnsOf(Subscription))
    const currentSecret = rowsOf(Schema.Struct({ secret_sealed: Schema.String }))

    const key = ({ owner_uid, subscription_uid }: Subscriber) =>
      sql`owner_uid = ${owner_uid} AND uid = ${subscription_uid} AND deleted_at IS NULL`
    const examined = (url: string) => Effect.mapError(sender.examine(url), ({ reason }) => invalid("url", reason))

    const list = Effect.fn("Subscriptions.list")((owner: OwnerUid, query: ListQuery = {}) =>
      rows.all(sql`SELECT ${columns} FROM webhook_subscriptions
        WHERE ${sql.and([sql`owner_uid = ${owner} AND deleted_at IS NULL`, ...changedSince(sql, query)])}
        ORDER BY created_at, uid`)
    )

    /** Fails with `SubscriptionNotFound`. */
    const get = Effect.fn("Subscriptions.get")((subscriber: Subscriber) =>
      rows.firstOr(sql`SELECT ${columns} FROM webhook_subscriptions WHERE ${key(subscriber)}`, notFound)
    )

    /** Locks a subscription until the transaction ends. Fails with `SubscriptionNotFound`. */
    const findForChange = Effect.fn("Subscriptions.findForChange")((subscriber: Subscriber) =>
      rows.firstOr(
        sql`SELECT ${columns} FROM webhook_subscriptions WHERE ${key(subscriber)} FOR NO KEY UPDATE`,
        notFound
      )
    )

    /**
     * Serialises the creations and tests of one owner until the transaction ends. A statement of its own, so that a count sees what was
     * committed before.
     */
    const lockOwner = (owner: OwnerUid) =>
      Effect.orDie(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`events/subscriptions/${owner}`}, 0))`)

    const add = Effect.fnUntraced(function* (owner: OwnerUid, wanted: NewSubscription) {
      yield* lockOwner(owner)
      if ((yield* list(owner)).length >= SUBSCRIPTIONS_MAX) return yield* new TooManySubscriptions()
      const now = yield* clock.now
      const secret = newWebhookSecret()
      const uid = yield* newUid(SubscriptionUid)
      const sealed = yield* box.seal(placeOf({ owner_uid: owner, subscription_uid: uid }, "secret_sealed"), secret)
      // The cast: the driver takes arrays, which the client's parameter type lacks
      const row = yield* rows.one(sql`INSERT INTO webhook_subscriptions
          (owner_uid, uid, owner_kind, event_types, url, active, secret_sealed, created_at, updated_at)
        VALUES (${owner}, ${uid}, ${wanted.owner_kind},
          ${[...new Set(wanted.event_types)] as never}, ${wanted.url}, true, ${sealed}, to_timestamp(${now}), to_timestamp(${now}))
        RETURNING ${columns}`)
      return { ...row, secret }
    }, transaction)

    /**
     * Creates a subscription. Only this response contains the secret. Fails with `Invalid` if webhooks may not go to the URL, and with
     * `TooManySubscriptions`.
     */
    const create = Effect.fn("Subscriptions.create")((owner: OwnerUid, wanted: NewSubscription) =>
      Effect.zipRight(examined(wanted.url), add(owner, wanted))
    )

    /**
     * Fails with `Invalid` if webhooks may not go to the new URL, if there is one. Resolves DNS, so call it before the transaction of the
     * change.
     */
    const examine = ({ url }: SubscriptionChanges) => (url === undefined ? Effect.void : examined(url))

    /** Fails pending deliveries, those of a long backlog by a job. */
    const end = Effect.fnUntraced(function* (subscriber: Subscriber, now: number) {
      const failed = yield* deliveries.failPending(subscriber, now)
      if (failed >= FAILED_AT_ONCE) yield* jobs.send("webhook.deliver", subscriber)
    })

    /**
     * Changes to an examined URL, pauses or re-enables. Pausing fails pending deliveries; events during the pause appear only in the
     * feed. Fails with `SubscriptionNotFound`.
     */
    const update = Effect.fn("Subscriptions.update")(function* (subscriber: Subscriber, changes: SubscriptionChanges) {
      if (isNothing(changes)) return yield* findForChange(subscriber)
      const { active, url } = changes
      const now = yield* clock.now
      const changed = yield* rows.firstOr(
        sql`UPDATE webhook_subscriptions
          SET active = coalesce(${active ?? null}, active), url = coalesce(${url ?? null}, url),
            updated_at = to_timestamp(${now})
          WHERE ${key(subscriber)} RETURNING ${columns}`,
        notFound
      )
      if (active === false) yield* end(subscriber, now)
      return changed
    }, transaction)

    /** Fails with `SubscriptionNotFound`, also if it was already deleted. */
    const remove = Effect.fn("Subscriptions.remove")(function* (subscriber: Subscriber) {
      const now = yield* clock.now
      yield* anyOr(
        sql`UPDATE webhook_subscriptions SET deleted_at = to_timestamp(${now}), active = false
          WHERE ${key(subscriber)} RETURNING uid`,
        notFound
      )
      yield* end(subscriber, now)
    }, transaction)

    /** Rotates the secret; for 24 hours both sign, so that the receiver can switch. Fails with `SubscriptionNotFound`. */
    const rotateSecret = Effect.fn("Subscriptions.rotateSecret")(function* (subscriber: Subscriber) {
      const now = yield* clock.now
      const current = placeOf(subscriber, "secret_sealed")
      const previous = placeOf(subscriber, "previous_secret_sealed")
      const { secret_sealed } = yield* currentSecret.firstOr(
        sql`SELECT secret_sealed FROM webhook_subscriptions WHERE ${key(subscriber)} FOR NO KEY UPDATE`,
        notFound
      )
      const secret = newWebhookSecret()
      const moved = yield* box.seal(previous, yield* box.open(current, secret_sealed))
      yield* sql`UPDATE webhook_subscriptions
        SET previous_secret_sealed = ${moved}, secret_sealed = ${yield* box.seal(current, secret)},
          previous_secret_until = to_timestamp(${now + OVERLAP_SECONDS}), updated_at = to_timestamp(${now})
        WHERE ${key(subscriber)}`
      return { secret }
    }, transaction)

    /**
     * Ends deliveries until it is re-enabled: the receiver answered 410, or it was paused or deleted. Returns how many; if there are
     * more, the next round ends those.
     */
    const disable = Effect.fn("Subscriptions.disable")(function* (subscriber: Subscriber) {
      const now = yield* clock.now
      yield* sql`UPDATE webhook_subscriptions SET active = false, updated_at = to_timestamp(${now})
        WHERE ${key(subscriber)} AND active`
      return yield* deliveries.failPending(subscriber, now)
    }, transaction)

    const failing = rowsOf(
      Schema.Struct({
        ...Subscription.pick("url", "active").fields,
        owner_kind: OwnerKind,
        failing_since: UnixSeconds,
        failing_notified: Schema.Boolean
      })
    )

    /**
     * Records a failed attempt, and locks the subscription until the transaction ends. Returns the failure if its owner is to be
     * notified: once for each time that it fails for an hour or longer, and once when it is `ended`. None if it was paused or deleted.
     */
    const noteFailure = Effect.fn("Subscriptions.noteFailure")(function* (
      subscriber: Subscriber,
      now: number,
      ended: boolean
    ) {
      const noted = yield* failing.first(sql`UPDATE webhook_subscriptions
        SET failing_since = coalesce(failing_since, to_timestamp(${now}))
        WHERE ${key(subscriber)} RETURNING url, active, owner_kind, failing_since, failing_notified`)
      const newlyFailing = Option.filter(
        noted,
        ({ active, failing_since, failing_notified }) =>
          active && (ended || (!failing_notified && now - failing_since >= FAILING_SECONDS))
      )
      if (Option.isSome(newlyFailing))
        yield* sql`UPDATE webhook_subscriptions SET failing_notified = true WHERE ${key(subscriber)}`
      return newlyFailing
    }, Effect.orDie)

    /** Records an accepted delivery. */
    const noteSuccess = Effect.fn("Subscriptions.noteSuccess")((subscriber: Subscriber) =>
      Effect.orDie(
        sql`UPDATE webhook_subscriptions SET failing_since = NULL, failing_notified = false WHERE ${key(subscriber)}`
      )
    )

    const destinations = rowsOf(
      Schema.Struct({
        is_failing: Schema.Boolean,
        url: Schema.String,
        secret_sealed: Schema.String,
        previous_secret_sealed: Schema.NullOr(Schema.String)
      })
    )

    /** None once it is paused or deleted. */
    const destination = Effect.fn("Subscriptions.destination")(function* (subscriber: Subscriber) {
      const now = yield* clock.now
      const found = yield* destinations.first(sql`SELECT url, failing_since IS NOT NULL AS is_failing, secret_sealed,
          CASE WHEN previous_secret_until > to_timestamp(${now}) THEN previous_secret_sealed END AS previous_secret_sealed
        FROM webhook_subscriptions WHERE ${key(subscriber)} AND active`)
      if (Option.isNone(found)) return Option.none<Destination>()
      const { url, is_failing, secret_sealed, previous_secret_sealed: previous } = found.value
      const secrets = [yield* box.open(placeOf(subscriber, "secret_sealed"), secret_sealed)]
      if (previous !== null) secrets.push(yield* box.open(placeOf(subscriber, "previous_secret_sealed"), previous))
      return Option.some<Destination>({ url, is_failing, secrets })
    })

    /** Records the time of the next wake-up. False if an earlier one is already scheduled. */
    const noteWake = Effect.fn("Subscriptions.noteWake")((subscriber: Subscriber, at: number, now: number) =>
      any(sql`UPDATE webhook_subscriptions SET wake_at = to_timestamp(${at}) WHERE ${key(subscriber)}
        AND (wake_at IS NULL OR wake_at <= to_timestamp(${now}) OR wake_at > to_timestamp(${at})) RETURNING uid`)
    )

    return {
      list,
      get,
      lockOwner,
      findForChange,
      create,
      examine,
      update,
      remove,
      rotateSecret,
      disable,
      noteFailure,
      noteSuccess,
      destination,
      noteWake
    } as const
  }),
  dependencies: [DeliveriesRepo.Default]
}) {}
