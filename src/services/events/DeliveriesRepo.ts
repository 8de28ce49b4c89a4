/** The repository of webhook deliveries. */
import type { Statement } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import { Event } from "../../schemas/events/catalogue.ts"
import { OwnerUid } from "../../schemas/events/definition.ts"
import { type Attempt, Delivery, type DeliveryQuery } from "../../schemas/events/Subscription.ts"
import { WebhookBacklog } from "../../schemas/events/WebhookBacklog.ts"
import { UnixSeconds } from "../../schemas/fields.ts"
import { DeliveryUid, EventUid, SubscriptionUid } from "../../schemas/ids.ts"
import { changedSince } from "../database/changedSince.ts"
import { Inserts } from "../database/Inserts.ts"
import { columnsOf, countOf, rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { pageOf, windowOf } from "../database/totals.ts"

/** Identifies one subscription. */
export const Subscriber = Schema.Struct({ owner_uid: OwnerUid, subscription_uid: SubscriptionUid })
export type Subscriber = typeof Subscriber.Type

/** A delivery claimed by this process for an attempt. */
export const Claimed = Schema.Struct({
  ...Subscriber.fields,
  uid: DeliveryUid,
  event_id: EventUid,
  example: Schema.NullOr(Event),
  failed_attempts: Schema.Number
})
export type Claimed = typeof Claimed.Type

const NextAt = Schema.Struct({ at: Schema.NullOr(UnixSeconds) })

/** Attempts retained per delivery, which can be replayed any number of times. */
const ATTEMPTS_KEPT = 100

/** An event waits at most this long for an earlier one of its subject that is being retried. */
const ORDER_WAIT_SECONDS = 600

/** Due deliveries, the longest due first, of which those to claim are chosen: a receiver that was down has many more. */
const DUE_READ = 1_000

/** Subjects read at a time when all of these wait, and the most reads of one claim; the next claim continues after them. */
const SUBJECTS_READ = 1_000
const READS = 3

/** Deliveries of an inactive subscription that one transaction fails. */
export const FAILED_AT_ONCE = 1_000

/** Failed deliveries that one transaction replays. Each changes the row of the count, at a cost that grows with their square. */
export const REPLAYED_AT_ONCE = 1_000

export class DeliveriesRepo extends Effect.Service<DeliveriesRepo>()("events/DeliveriesRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { forEach } = yield* Inserts
    const columns = sql.literal(columnsOf(Delivery))
    const deliveries = rowsOf(Delivery)
    const kept = rowsOf(Schema.Struct({ ...Delivery.fields, example: Schema.NullOr(Event) }))
    const subscribers = rowsOf(Subscriber)
    const subjects = rowsOf(Schema.Struct({ subject: Schema.String }))
    const claims = rowsOf(Claimed)
    const times = rowsOf(NextAt)
    const backlogs = rowsOf(WebhookBacklog)

    const of = ({ owner_uid, subscription_uid }: Subscriber) =>
      sql`owner_uid = ${owner_uid} AND subscription_uid = ${subscription_uid}`
    const one = ({ owner_uid, uid }: Pick<Claimed, "owner_uid" | "uid">) =>
      sql`owner_uid = ${owner_uid} AND uid = ${uid}`

    const inserted =
      sql.literal(`INSERT INTO webhook_deliveries (owner_uid, uid, subscription_uid, event_id, event_type, subject,
        position, status, attempts, failed_attempts, next_attempt_at, created_at, updated_at)`)
    /** Rows of deliveries for these events. */
    const deliveriesOf = (owner: OwnerUid, events: Statement.Fragment, where: Statement.Fragment) => sql`
      SELECT e.owner_uid, 'dlv_' || md5(e.id || s.uid) AS uid, s.uid AS subscription_uid, e.id, e.type, e.subject, e.position,
        'pending', '[]'::jsonb, 0, e.created_at, e.created_at, e.created_at
      FROM ${events} e JOIN webhook_subscriptions s ON s.owner_uid = ${owner}
        AND s.active AND s.deleted_at IS NULL AND e.type = ANY (s.event_types)
      WHERE e.owner_uid = ${owner} AND ${where}`

    /**
     * Runs `change`, an INSERT of events, and inserts a delivery of each to each active subscription of its type; returns the
     * subscriptions.
     */
    const insertWith = (owner: OwnerUid, change: Statement.Fragment) =>
      subscribers
        .all(
          forEach(sql, {
            change,
            table: "events",
            uid: "id",
            insert: inserted,
            rows: (events, where) => deliveriesOf(owner, events, where),
            returning: sql`owner_uid, subscription_uid`
          })
        )
        .pipe(
          Effect.map((made) => [
            ...new Map(made.map((subscriber) => [subscriber.subscription_uid, subscriber])).values()
          ])
        )

    /** Serialises the claims of a subscription, so that each sees what the previous one committed. */
    const lock = ({ subscription_uid }: Subscriber) =>
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${`events/deliveries/${subscription_uid}`}, 0))`.pipe(
        Effect.orDie
      )

    /**
     * No earlier event of the same subject is pending; after ten minutes, none that is also due. OFFSET 0: one look into the index for
     * each candidate, where a join may read all that are pending.
     */
    const isNext = (owner: string, now: number) => sql`NOT EXISTS (
      SELECT 1 FROM webhook_deliveries e WHERE e.owner_uid = ${owner} AND e.subscription_uid = d.subscription_uid
        AND e.subject = d.subject AND e.status = 'pending' AND e.position < d.position
        AND (d.created_at > to_timestamp(${now - ORDER_WAIT_SECONDS}) OR e.next_attempt_at <= to_timestamp(${now})) OFFSET 0)`

    /** The subject after which the search of a subscription's next claim begins, if the last one found only subjects that wait. */
    const passedOver = new Map<string, string>()

    /** Whether the last claim of this process ended within the subscription's subjects: the next one continues there. */
    const isSearching = ({ subscription_uid }: Subscriber) => passedOver.has(subscription_uid)

    /** The next subjects with pending deliveries, found one by one by the index, however many deliveries each has. */
    const subjectsAfter = (subscriber: Subscriber, last: string) => {
      const next = (after: Statement.Fragment) => sql`SELECT d.subject FROM webhook_deliveries d
        WHERE ${of(subscriber)} AND d.status = 'pending' AND d.subject > ${after} ORDER BY d.subject LIMIT 1`
      return Effect.map(
        subjects.all(sql`WITH RECURSIVE found AS ((${next(sql`${last}`)})
            UNION ALL SELECT (${next(sql`found.subject`)}) FROM found WHERE found.subject IS NOT NULL)
          SELECT subject FROM found WHERE subject IS NOT NULL LIMIT ${SUBJECTS_READ}`),
        (rows) => rows.map(({ subject }) => subject)
      )
    }

    /**
     * Claims up to `most` deliveries that are due and next of their subject. A claim is a lease: it moves the next attempt to its expiry,
     * so that the delivery is due again if this process dies. Needs a transaction.
     */
    const claim = Effect.fnUntraced(function* (
      subscriber: Subscriber,
      most: number,
      now: number,
      leaseSeconds: number
    ) {
      yield* lock(subscriber)
      const due = sql`${of(subscriber)} AND status = 'pending' AND next_attempt_at <= to_timestamp(${now})`
      const claimFrom = (candidates: Statement.Fragment) =>
        claims.all(sql`UPDATE webhook_deliveries SET next_attempt_at = to_timestamp(${now + leaseSeconds})
        WHERE owner_uid = ${subscriber.owner_uid} AND uid IN (
          SELECT d.uid FROM (${candidates}) d WHERE ${isNext(subscriber.owner_uid, now)} ORDER BY d.position LIMIT ${most})
        RETURNING ${sql.literal(columnsOf(Claimed))}`)
      const longestDue = sql`SELECT * FROM webhook_deliveries WHERE ${due} ORDER BY next_attempt_at`
      const claimed = yield* claimFrom(sql`${longestDue} LIMIT ${DUE_READ}`)
      if (claimed.length > 0) return claimed
      if (Option.isNone(yield* claims.first(sql`${longestDue} LIMIT 1 OFFSET ${DUE_READ}`))) {
        passedOver.delete(subscriber.subscription_uid)
        return claimed
      }
      // All of these wait for earlier ones of their subjects: look for other subjects
      for (let read = 0; read < READS; read++) {
        const found = yield* subjectsAfter(subscriber, passedOver.get(subscriber.subscription_uid) ?? "")
        const others = yield* claimFrom(sql`SELECT f.* FROM unnest(${found}::text[]) s(subject) CROSS JOIN LATERAL (
          SELECT * FROM webhook_deliveries WHERE ${due} AND subject = s.subject ORDER BY position LIMIT 1) f`)
        if (others.length > 0) return others
        const last = found.at(-1)
        if (last === undefined || found.length < SUBJECTS_READ) passedOver.delete(subscriber.subscription_uid)
        else passedOver.set(subscriber.subscription_uid, last)
        if (found.length < SUBJECTS_READ) return others
      }
      return claimed
    })

    /** Releases a claim without an attempt. */
    const release = (claimed: Claimed, now: number) =>
      sql`UPDATE webhook_deliveries SET next_attempt_at = to_timestamp(${now})
        WHERE ${one(claimed)} AND status = 'pending'`.pipe(Effect.orDie)

    /** Records an attempt. A null `retryAt` ends the delivery as `status`. A delivery that was ended concurrently keeps its status. */
    const record = (claimed: Claimed, attempt: Attempt, status: Delivery["status"], retryAt: number | null) =>
      sql`UPDATE webhook_deliveries SET
            attempts = CASE WHEN jsonb_array_length(attempts) < ${ATTEMPTS_KEPT} THEN attempts ELSE attempts - 0 END
              || ${JSON.stringify([attempt])}::jsonb,
            status = CASE WHEN status = 'pending' THEN ${status} ELSE status END,
            updated_at = greatest(updated_at, to_timestamp(${attempt.at})),
            failed_attempts = failed_attempts + ${status === "delivered" ? 0 : 1},
            next_attempt_at = CASE WHEN status = 'pending' THEN to_timestamp(${retryAt}) END
          WHERE ${one(claimed)}`.pipe(Effect.orDie)

    /**
     * Fails pending deliveries of a subscription that has become inactive, at most `FAILED_AT_ONCE`; they can be replayed. Returns how
     * many. The count of failed ones is a row that each of them changes again, at a cost that grows with their square.
     */
    const failPending = (subscriber: Subscriber, now: number) =>
      Effect.map(
        Effect.orDie(sql`UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL,
            updated_at = greatest(updated_at, to_timestamp(${now}))
          WHERE owner_uid = ${subscriber.owner_uid} AND status = 'pending' AND uid IN (SELECT uid FROM webhook_deliveries
            WHERE ${of(subscriber)} AND status = 'pending' LIMIT ${FAILED_AT_ONCE}) RETURNING uid`),
        (failed) => failed.length
      )

    /** Time of a subscription's next attempt; null if nothing is pending. Needs a transaction. */
    const nextAttempt = Effect.fnUntraced(function* (subscriber: Subscriber, now: number) {
      yield* lock(subscriber)
      const pending = sql`${of(subscriber)} AND status = 'pending'`
      const { at } = yield* times.one(sql`SELECT least(
          (SELECT min(next_attempt_at) FROM webhook_deliveries WHERE ${pending} AND next_attempt_at > to_timestamp(${now})),
          (SELECT min(created_at) + make_interval(secs => ${ORDER_WAIT_SECONDS}) FROM webhook_deliveries
            WHERE ${pending} AND next_attempt_at <= to_timestamp(${now}))) AS at`)
      return at
    })

    /** An owner's subscriptions with due deliveries. */
    const due = (owner: OwnerUid, now: number) =>
      subscribers.all(sql`SELECT DISTINCT owner_uid, subscription_uid FROM webhook_deliveries
        WHERE owner_uid = ${owner} AND status = 'pending' AND next_attempt_at <= to_timestamp(${now})`)

    const list = (subscriber: Subscriber, query: DeliveryQuery) => {
      const { status, after } = query
      // a literal, so that the partial index of failed deliveries is used
      const ofStatus = status === undefined ? [] : [sql`status = ${sql.literal(`'${status}'`)}`]
      const changed = changedSince(sql, query)
      const where = sql.and([of(subscriber), ...ofStatus, ...changed])
      const ended = sql.and([of(subscriber), ...ofStatus])
      // ended deliveries are counted by month; filtered by change they are few
      const total =
        changed.length > 0
          ? sql`SELECT count(*) FROM webhook_deliveries WHERE ${where}`
          : sql`SELECT (SELECT coalesce(sum(rows), 0)::bigint FROM webhook_delivery_counts WHERE ${ended})
              + (SELECT count(*) FROM webhook_deliveries WHERE ${where} AND status = 'pending') AS count`
      const window = windowOf(query)
      const afterCursor = after === undefined ? [] : [sql`(created_at, uid) < (to_timestamp(${after[0]}), ${after[1]})`]
      return pageOf(
        query,
        deliveries.all(sql`SELECT ${columns} FROM webhook_deliveries WHERE ${sql.and([where, ...afterCursor])}
          ORDER BY created_at DESC, uid DESC LIMIT ${window.limit} OFFSET ${window.offset}`),
        (delivery) => [delivery.created_at, delivery.uid] as const,
        countOf(total)
      )
    }

    /** A delivery, with its event if that is an example. */
    const find = (subscriber: Subscriber, uid: DeliveryUid) =>
      kept.first(sql`SELECT ${columns}, example FROM webhook_deliveries WHERE ${of(subscriber)} AND uid = ${uid}`)

    const again = (now: number) => sql`status = 'pending', failed_attempts = 0, next_attempt_at = to_timestamp(${now}),
      updated_at = greatest(updated_at, to_timestamp(${now}))`

    /** Makes it pending again, with all attempts of the schedule. */
    const replay = (subscriber: Subscriber, uid: DeliveryUid, now: number) =>
      deliveries.first(sql`UPDATE webhook_deliveries SET ${again(now)}
        WHERE ${of(subscriber)} AND uid = ${uid} RETURNING ${columns}`)

    /** As `replay` for those that failed until then, the oldest first, at most `REPLAYED_AT_ONCE`; returns how many. */
    const replayFailed = (subscriber: Subscriber, failedUntil: number, now: number) =>
      Effect.map(
        Effect.orDie(sql`UPDATE webhook_deliveries SET ${again(now)}
          WHERE owner_uid = ${subscriber.owner_uid} AND status = 'failed' AND uid IN (SELECT uid FROM webhook_deliveries
            WHERE ${of(subscriber)} AND status = 'failed' AND updated_at <= to_timestamp(${failedUntil})
            ORDER BY created_at, position LIMIT ${REPLAYED_AT_ONCE}) RETURNING uid`),
        (replayed) => replayed.length
      )

    const countFailed = (subscriber: Subscriber) =>
      countOf(sql`SELECT coalesce(sum(rows), 0)::bigint AS count FROM webhook_delivery_counts
        WHERE ${of(subscriber)} AND status = 'failed'`)

    /**
     * Of the examples since `since`, when the one was created that keeps the subscription from another: its own latest, or the oldest of
     * its owner's, deleted subscriptions included, if these are `most` or more. Null if there is none.
     */
    const limitingExample = ({ owner_uid, subscription_uid }: Subscriber, since: number, most: number) =>
      Effect.map(
        times.one(sql`SELECT greatest(max(created_at) FILTER (WHERE subscription_uid = ${subscription_uid}),
            CASE WHEN count(*) >= ${most} THEN min(created_at) END) AS at FROM webhook_deliveries
          WHERE owner_uid = ${owner_uid} AND created_at > to_timestamp(${since}) AND example IS NOT NULL`),
        ({ at }) => at
      )

    const insertExample = (subscriber: Subscriber, uid: DeliveryUid, example: Event, now: number) =>
      deliveries.one(sql`INSERT INTO webhook_deliveries (owner_uid, uid, subscription_uid, event_id, event_type, subject,
          position, example, status, attempts, failed_attempts, next_attempt_at, created_at,
          updated_at)
        VALUES (${subscriber.owner_uid}, ${uid}, ${subscriber.subscription_uid}, ${example.id}, ${example.type},
          ${example.id}, 0, ${JSON.stringify(example)}::jsonb, 'pending', '[]', 0, to_timestamp(${now}),
          to_timestamp(${now}), to_timestamp(${now}))
        RETURNING ${columns}`)

    /** Subscriptions of all owners with pending or failed deliveries, the longest pending first. */
    const backlog = (limit: number) =>
      backlogs.all(sql`SELECT d.owner_uid, d.subscription_uid, s.url, s.active,
          count(*) FILTER (WHERE d.status = 'pending') AS pending, count(*) FILTER (WHERE d.status = 'failed') AS failed,
          min(d.created_at) FILTER (WHERE d.status = 'pending') AS oldest_at
        FROM webhook_deliveries d
          JOIN webhook_subscriptions s ON s.owner_uid = d.owner_uid AND s.uid = d.subscription_uid
        WHERE d.status IN ('pending', 'failed')
        GROUP BY d.owner_uid, d.subscription_uid, s.url, s.active
        ORDER BY oldest_at NULLS LAST, failed DESC, d.owner_uid, d.subscription_uid LIMIT ${limit}`)

    return {
      backlog,
      insertWith,
      claim,
      isSearching,
      release,
      record,
      failPending,
      nextAttempt,
      due,
      list,
      find,
      replay,
      replayFailed,
      countFailed,
      limitingExample,
      insertExample
    } as const
  })
}) {}
