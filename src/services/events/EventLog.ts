/**
 * The log of what happened. An event is written in the transaction of the change that it tells of, together with what is
 * owed for it: a delivery to every subscriber and the jobs that see to them.
 */
import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import type { Envelope, EventFeedQuery, EventType } from "../../schemas/events/Event.ts"
import type { UnixSeconds } from "../../schemas/fields.ts"
import { EventUid, type OrganisationUid, type PharmacyUid } from "../../schemas/ids.ts"
import { invalid } from "../../schemas/problems.ts"
import { DomainClock } from "../DomainClock.ts"
import { Jobs } from "../Jobs.ts"
import { SecretBox } from "../SecretBox.ts"
import { currentTraceparent } from "../traceparent.ts"
import { transaction } from "../transaction.ts"
import { newUid } from "../uid.ts"

export type EventOwner = { readonly organisation_uid: string } | { readonly pharmacy_uid: string }

export type NewEvent = EventOwner & {
  readonly type: EventType
  /** The appointment, order or prescription that it tells of: events of one subject are delivered in order. */
  readonly subject: string
  readonly data: Readonly<Record<string, unknown>>
  /** Fields of `data` that are credentials: told to subscribers, kept sealed. */
  readonly secrets?: Readonly<Record<string, unknown>>
}

export interface StoredEvent {
  readonly owner_uid: string
  readonly owner_kind: "organisation" | "pharmacy"
  readonly id: EventUid
  readonly type: EventType
  readonly subject: string
  readonly data: Readonly<Record<string, unknown>>
  readonly secrets_sealed: string | null
  /** The trace that it comes from. */
  readonly traceparent: string | null
  readonly created_at: UnixSeconds
}

/** So many events get their place in the feed by one reading of it. */
const MOST_PLACED = 10_000

/** Events of which people are told by mail or text message, too. */
const ANNOUNCED: ReadonlySet<EventType> = new Set([
  "patient_doctor_meeting_updated",
  "rebooked",
  "scheduling.appointment_reminder_due"
])

export class EventLog extends Effect.Service<EventLog>()("events/EventLog", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const jobs = yield* Jobs
    const box = yield* SecretBox

    const rowOf = Effect.fnUntraced(function* (event: NewEvent, now: number) {
      const [owner_kind, owner_uid] =
        "organisation_uid" in event ? ["organisation", event.organisation_uid] : ["pharmacy", event.pharmacy_uid]
      return {
        owner_uid,
        id: yield* newUid(EventUid),
        owner_kind,
        type: event.type,
        subject: event.subject,
        data: JSON.stringify(event.data),
        secrets_sealed: event.secrets === undefined ? null : yield* box.seal(JSON.stringify(event.secrets)),
        traceparent: (yield* currentTraceparent) ?? null,
        created_at: new Date(now * 1000)
      }
    })

    /** One delivery for every subscriber of every event; gives whom to wake. */
    const owe = (ids: ReadonlyArray<string>, owners: ReadonlyArray<string>) =>
      sql<{ owner_uid: string; subscription_uid: string }>`
        INSERT INTO webhook_deliveries (owner_uid, uid, subscription_uid, event_id, event_type, subject, position,
          status, attempts, failed_attempts, next_attempt_at, created_at)
        SELECT e.owner_uid, 'dlv_' || md5(e.id || s.uid), s.uid, e.id, e.type, e.subject, e.position,
          'pending', '[]', 0, e.created_at, e.created_at
        FROM events e JOIN webhook_subscriptions s ON s.owner_uid = e.owner_uid
          AND s.active AND s.deleted_at IS NULL AND e.type = ANY (s.event_types)
        WHERE e.owner_uid IN ${sql.in(owners)} AND e.id IN ${sql.in(ids)}
        RETURNING owner_uid, subscription_uid`

    /** Appends within the caller's transaction; outside of one it is a defect, for the events could be lost. */
    const appendAll = Effect.fn("EventLog.appendAll")(function* (events: ReadonlyArray<NewEvent>) {
      if (Option.isNone(yield* Effect.serviceOption(SqlClient.TransactionConnection)))
        return yield* Effect.dieMessage("EventLog.append needs a surrounding transaction")
      if (events.length === 0) return []
      const now = yield* clock.now
      const rows = yield* Effect.forEach(events, (event) => rowOf(event, now))
      const ids = rows.map(({ id }) => id)
      yield* sql`INSERT INTO events ${sql.insert(rows)}`
      const owed = yield* owe(ids, [...new Set(rows.map(({ owner_uid }) => owner_uid))])
      const wakes = new Map(owed.map((wake) => [wake.subscription_uid, wake]))
      yield* jobs.sendAll("webhook.deliver", [...wakes.values()])
      const announced = rows.filter(({ type, owner_kind }) => owner_kind === "organisation" && ANNOUNCED.has(type))
      yield* jobs.sendAll(
        "message.plan",
        announced.map(({ owner_uid, id }) => ({ organisation_uid: owner_uid as OrganisationUid, event_id: id }))
      )
      return ids
    }, Effect.orDie)

    const append = (event: NewEvent) =>
      Effect.flatMap(appendAll([event]), ([id]) =>
        id === undefined ? Effect.dieMessage("no event") : Effect.succeed(id)
      )

    const columns = sql.literal(
      "owner_uid, owner_kind, id, type, subject, data, secrets_sealed, traceparent, created_at"
    )

    const find = Effect.fn("EventLog.find")(function* (owner: string, id: string) {
      const [row] = yield* sql<StoredEvent>`
        SELECT ${columns} FROM events WHERE owner_uid = ${owner} AND id = ${id}`.pipe(Effect.orDie)
      return Option.fromNullable(row)
    })

    /** The event as it is told, its secrets opened. */
    const envelope = Effect.fnUntraced(function* (event: StoredEvent) {
      const secrets = event.secrets_sealed === null ? {} : JSON.parse(yield* box.open(event.secrets_sealed))
      const told: Envelope = {
        id: event.id,
        type: event.type,
        timestamp: event.created_at,
        ...(event.owner_kind === "organisation"
          ? { organisation_uid: event.owner_uid as OrganisationUid }
          : { pharmacy_uid: event.owner_uid as PharmacyUid }),
        data: { ...event.data, ...secrets }
      }
      return told
    })

    /** Gives new events their places behind all that have one. Committed events only, so no place is filled in later. */
    const place = (owner: string) =>
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${`events/feed/${owner}`}, 0))`.pipe(
        Effect.zipRight(sql`UPDATE events e SET feed_position = last.place + unplaced.rank
          FROM (SELECT id, row_number() OVER (ORDER BY position) AS rank FROM events
                WHERE owner_uid = ${owner} AND feed_position IS NULL ORDER BY position LIMIT ${MOST_PLACED}) unplaced,
               (SELECT coalesce(max(feed_position), 0) AS place FROM events
                WHERE owner_uid = ${owner} AND feed_position IS NOT NULL) last
          WHERE e.owner_uid = ${owner} AND e.id = unplaced.id`),
        transaction,
        Effect.provideService(SqlClient.SqlClient, sql),
        Effect.orDie
      )

    /** The owner's events in order, from after a known one. 400 for an `after` that is not there (any more). */
    const feed = Effect.fn("EventLog.feed")(function* (owner: string, { after, type, limit }: EventFeedQuery) {
      yield* place(owner)
      const [cursor] =
        after === undefined
          ? [{ feed_position: 0 }]
          : yield* sql<{ feed_position: number }>`
              SELECT feed_position FROM events WHERE owner_uid = ${owner} AND id = ${after}`.pipe(Effect.orDie)
      if (cursor === undefined) return yield* invalid("after", "is not the id of an event that is kept")
      const rows = yield* sql<StoredEvent>`SELECT ${columns} FROM events
        WHERE owner_uid = ${owner} AND feed_position > ${cursor.feed_position}
          ${type === undefined ? sql`` : sql`AND type = ${type}`}
        ORDER BY feed_position LIMIT ${limit + 1}`.pipe(Effect.orDie)
      const data = yield* Effect.forEach(rows.slice(0, limit), envelope)
      return { data, next: rows.length > limit ? (data.at(-1)?.id ?? null) : null }
    })

    return { append, appendAll, find, envelope, feed } as const
  }),
  dependencies: [DomainClock.Default, Jobs.Default]
}) {}
