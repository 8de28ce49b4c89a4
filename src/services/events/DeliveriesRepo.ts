/** The one room for the SQL of webhook deliveries. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Envelope } from "../../schemas/events/Event.ts"
import type { Attempt, Delivery } from "../../schemas/events/Subscription.ts"
import type { Page } from "../../schemas/paging.ts"

/** A delivery that this process may attempt now. */
export interface Claimed {
  readonly owner_uid: string
  readonly uid: string
  readonly subscription_uid: string
  readonly event_id: string
  readonly example: Envelope | null
  readonly failed_attempts: number
}

export interface Subscriber {
  readonly owner_uid: string
  readonly subscription_uid: string
}

/** Later events of a subject wait at most this long for an earlier one that is being retried. */
const LONGEST_WAIT_SECONDS = 600

export class DeliveriesRepo extends Effect.Service<DeliveriesRepo>()("events/DeliveriesRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal("uid, event_id, event_type, status, attempts, next_attempt_at")

    /** One claim of a subscription at a time, each seeing what the one before has committed. */
    const lock = ({ subscription_uid }: Subscriber) =>
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${`events/deliveries/${subscription_uid}`}, 0))`

    /** Nothing earlier of the same subject is owed; after ten minutes, nothing earlier that is due as well. */
    const itsTurn = (now: number) => sql`NOT EXISTS (
      SELECT 1 FROM webhook_deliveries e WHERE e.owner_uid = d.owner_uid AND e.subscription_uid = d.subscription_uid
        AND e.subject = d.subject AND e.status = 'pending' AND e.position < d.position
        AND (d.created_at > to_timestamp(${now - LONGEST_WAIT_SECONDS}) OR e.next_attempt_at <= to_timestamp(${now})))`

    /**
     * Takes what is due and whose turn it is. Taking it moves its next attempt behind the lease: if this process dies, it
     * is simply due again.
     */
    const claim = Effect.fn("DeliveriesRepo.claim")(function* (
      subscriber: Subscriber,
      most: number,
      now: number,
      lease: number
    ) {
      yield* lock(subscriber)
      return yield* sql<Claimed>`UPDATE webhook_deliveries SET next_attempt_at = to_timestamp(${now + lease})
        WHERE (owner_uid, uid) IN (
          SELECT d.owner_uid, d.uid FROM webhook_deliveries d
          WHERE d.owner_uid = ${subscriber.owner_uid} AND d.subscription_uid = ${subscriber.subscription_uid}
            AND d.status = 'pending' AND d.next_attempt_at <= to_timestamp(${now}) AND ${itsTurn(now)}
          ORDER BY d.position LIMIT ${most})
        RETURNING owner_uid, uid, subscription_uid, event_id, example, failed_attempts`
    })

    /** Gives a claim back: nothing was tried. */
    const release = ({ owner_uid, uid }: Claimed, now: number) =>
      sql`UPDATE webhook_deliveries SET next_attempt_at = to_timestamp(${now})
        WHERE owner_uid = ${owner_uid} AND uid = ${uid} AND status = 'pending'`

    /** Notes an attempt. `retryAt` null ends the delivery as `status`. One that was ended meanwhile stays as it is. */
    const record = Effect.fn("DeliveriesRepo.record")(function* (
      { owner_uid, uid }: Claimed,
      attempt: Attempt,
      status: Delivery["status"],
      retryAt: number | null
    ) {
      yield* sql`UPDATE webhook_deliveries SET attempts = attempts || ${JSON.stringify([attempt])}::jsonb,
          status = CASE WHEN status = 'pending' THEN ${status} ELSE status END,
          failed_attempts = failed_attempts + ${status === "delivered" ? 0 : 1},
          next_attempt_at = CASE WHEN status = 'pending' THEN to_timestamp(${retryAt}) END
        WHERE owner_uid = ${owner_uid} AND uid = ${uid}`
    })

    /**
     * When this subscription is to be looked at again, if that is not arranged already: the next attempt, or the end of
     * the wait for one. Null when nothing is owed or somebody will look in time.
     */
    const nextWake = Effect.fn("DeliveriesRepo.nextWake")(function* (subscriber: Subscriber, now: number) {
      yield* lock(subscriber)
      const [row] = yield* sql<{ wake_at: number }>`UPDATE webhook_subscriptions s SET wake_at = next.at
        FROM (SELECT min(CASE WHEN d.next_attempt_at > to_timestamp(${now}) THEN d.next_attempt_at
                ELSE d.created_at + make_interval(secs => ${LONGEST_WAIT_SECONDS}) END) AS at
              FROM webhook_deliveries d WHERE d.owner_uid = ${subscriber.owner_uid}
                AND d.subscription_uid = ${subscriber.subscription_uid} AND d.status = 'pending') next
        WHERE s.owner_uid = ${subscriber.owner_uid} AND s.uid = ${subscriber.subscription_uid} AND next.at IS NOT NULL
          AND (s.wake_at IS NULL OR s.wake_at <= to_timestamp(${now}) OR s.wake_at > next.at)
        RETURNING wake_at`
      return row?.wake_at ?? null
    })

    /** Everybody to whom something is due. */
    const due = (now: number) =>
      sql<Subscriber>`SELECT DISTINCT owner_uid, subscription_uid FROM webhook_deliveries
        WHERE status = 'pending' AND next_attempt_at <= to_timestamp(${now})`.pipe(Effect.orDie)

    const list = Effect.fn("DeliveriesRepo.list")(function* (owner: string, subscription: string, page: Page) {
      const where = sql`owner_uid = ${owner} AND subscription_uid = ${subscription}`
      const rows = yield* sql<Delivery>`SELECT ${columns} FROM webhook_deliveries WHERE ${where}
        ORDER BY created_at DESC, uid DESC LIMIT ${page.limit} OFFSET ${page.page * page.limit}`
      const [count] = yield* sql<{ total: number }>`SELECT count(*) AS total FROM webhook_deliveries WHERE ${where}`
      return { rows, total: count?.total ?? 0 }
    }, Effect.orDie)

    /** Owes it once more, with the whole schedule of attempts before it. */
    const replay = (owner: string, subscription: string, uid: string, now: number) =>
      sql<Delivery>`UPDATE webhook_deliveries
        SET status = 'pending', failed_attempts = 0, next_attempt_at = to_timestamp(${now})
        WHERE owner_uid = ${owner} AND subscription_uid = ${subscription} AND uid = ${uid}
        RETURNING ${columns}`

    const replayFailed = (owner: string, subscription: string, now: number) =>
      sql`UPDATE webhook_deliveries SET status = 'pending', failed_attempts = 0, next_attempt_at = to_timestamp(${now})
        WHERE owner_uid = ${owner} AND subscription_uid = ${subscription} AND status = 'failed' RETURNING uid`

    const insertExample = (subscriber: Subscriber, uid: string, example: Envelope, now: number) =>
      sql<Delivery>`INSERT INTO webhook_deliveries (owner_uid, uid, subscription_uid, event_id, event_type, subject,
          position, example, status, attempts, failed_attempts, next_attempt_at, created_at)
        VALUES (${subscriber.owner_uid}, ${uid}, ${subscriber.subscription_uid}, ${example.id}, ${example.type},
          ${example.id}, 0, ${JSON.stringify(example)}::jsonb, 'pending', '[]', 0, to_timestamp(${now}),
          to_timestamp(${now}))
        RETURNING ${columns}`

    return { claim, release, record, nextWake, due, list, replay, replayFailed, insertExample } as const
  })
}) {}
