/**
 * The event log, the only writer of its table. An event is written in the transaction of its change, with its consequences: a delivery
 * for each subscription, a job for each subscription with deliveries, and the effects of registered consumers.
 */

import { SqlClient } from "@effect/sql"
import { Array as Arr, Effect, Option, Schema } from "effect"
import { decoderOf, encoderOf } from "../../schemas/compiled.ts"
import {
  Event,
  type EventOwner,
  type EventType,
  eventCatalogue,
  type NewEvent
} from "../../schemas/events/catalogue.ts"
import { OwnerKind, OwnerUid } from "../../schemas/events/definition.ts"
import type { EventFeedQuery } from "../../schemas/events/EventFeed.ts"
import { UnixSeconds } from "../../schemas/fields.ts"
import { EventUid, OrganisationUid, PharmacyUid } from "../../schemas/ids.ts"
import { invalid } from "../../schemas/problems.ts"
import { DomainClock } from "../DomainClock.ts"
import { Database, withGenericPlan } from "../database/Database.ts"
import { rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { sqlErrorsDie } from "../database/SqlErrors.ts"
import { readFromReplica } from "../database/staleReads.ts"
import { Extensions } from "../Extensions.ts"
import { Jobs } from "../queue/Jobs.ts"
import { ANSWER_LIMITS } from "../recordLimits.ts"
import { Service } from "../Service.ts"
import { Envelope, type SealedPlace } from "../sealing/Envelope.ts"
import { unaudited, withOwner } from "../tenancy/Tenancy.ts"
import { currentTraceparent } from "../traceparent.ts"
import { newUid } from "../uid.ts"
import { DeliveriesRepo } from "./DeliveriesRepo.ts"
import { type AppendedEvent, EventConsumers } from "./EventConsumers.ts"

const StoredEvent = Schema.Struct({
  owner_uid: OwnerUid,
  owner_kind: OwnerKind,
  id: EventUid,
  type: Schema.String,
  /** JSON */
  data: Schema.String,
  traceparent: Schema.NullOr(Schema.String),
  created_at: UnixSeconds
})
type StoredEvent = typeof StoredEvent.Type

/** A row of a page of the feed; `found` is the number of rows matched for the page. */
const FeedRow = Schema.Struct({ ...StoredEvent.fields, found: Schema.Number })

/** The position of the cursor's event; null if there is none. */
const Cursor = Schema.Struct({ after: Schema.NullOr(Schema.Number) })

/** An event of a type known to this release: during an upgrade, the next release may have written others already. */
type Known<Row extends StoredEvent> = Row & { readonly type: EventType }
type KnownEvent = Known<StoredEvent>
const isKnown = <Row extends StoredEvent>(row: Row): row is Known<Row> => Object.hasOwn(eventCatalogue, row.type)

/** An event with the trace context of its change. */
export interface TracedEvent {
  readonly event: Event
  readonly traceparent: string | null
}

/** Maximum events that one read of the feed assigns positions to. */
const POSITIONS_PER_READ = 10_000

export const ownerOf = (owner: EventOwner): { readonly owner_kind: OwnerKind; readonly owner_uid: OwnerUid } =>
  "organisation_uid" in owner
    ? { owner_kind: "organisation", owner_uid: owner.organisation_uid }
    : { owner_kind: "pharmacy", owner_uid: owner.pharmacy_uid }

/** The field of an event that names its owner. */
export const ownerField = ({
  owner_kind,
  owner_uid
}: {
  readonly owner_kind: OwnerKind
  readonly owner_uid: OwnerUid
}) =>
  owner_kind === "organisation"
    ? { organisation_uid: OrganisationUid.make(owner_uid, true) } // it is stored: not checked again
    : { pharmacy_uid: PharmacyUid.make(owner_uid, true) }

const decode = decoderOf(Event)
const encode = encoderOf(Event)

/** `data` as stored: encoded by its schema, without other fields. */
const written = ({ id, type, data }: AppendedEvent, timestamp: UnixSeconds) =>
  JSON.stringify(encode({ id, type, timestamp, data } as Event).data) // of the type that `data` belongs to

const placeOf = (owner: OwnerUid, id: EventUid): SealedPlace => ({
  table: "events",
  column: "data_encrypted",
  row: [owner, id]
})

export class EventLog extends Service<EventLog>()("events/EventLog", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const jobs = yield* Jobs
    const envelope = yield* Envelope
    const deliveries = yield* DeliveriesRepo
    const consumers = yield* EventConsumers
    const extensions = yield* Extensions
    const opened = envelope.openRows("events", ["owner_uid", "id"])
    const stored = rowsOf(StoredEvent, opened)
    const feedRows = rowsOf(FeedRow, opened)
    const cursors = rowsOf(Cursor)
    const sizes = rowsOf(Schema.Struct({ bytes: Schema.Number }))
    const columns = sql.literal("owner_uid, owner_kind, id, type, data_encrypted, traceparent, created_at")

    const rowOf = Effect.fnUntraced(function* (event: AppendedEvent, now: UnixSeconds) {
      const owner = ownerOf(event)
      return {
        ...owner,
        id: event.id,
        type: event.type,
        subject: event.subject,
        data_encrypted: yield* envelope.sealed(placeOf(owner.owner_uid, event.id), written(event, now)),
        traceparent: (yield* currentTraceparent) ?? null,
        created_at: new Date(now * 1000)
      }
    })

    /** Appends events of one owner with their deliveries, and runs the consumers. */
    const appendOf = Effect.fnUntraced(function* (
      owner: OwnerUid,
      events: ReadonlyArray<AppendedEvent>,
      now: UnixSeconds
    ) {
      const rows: Array<Effect.Effect.Success<ReturnType<typeof rowOf>>> = []
      for (const event of events) rows.push(yield* rowOf(event, now))
      const subscribers = yield* deliveries.insertWith(owner, sql`INSERT INTO events ${sql.insert(rows)}`)
      if (subscribers.length > 0) yield* jobs.sendAll("webhook.deliver", subscribers)
      for (const { accepts, accept } of [
        ...consumers,
        ...(yield* extensions.having("consumers")).flatMap((one) => one.consumers)
      ]) {
        const wanted = events.filter(accepts)
        if (wanted.length > 0) yield* accept(wanted)
      }
    })

    /** Appends within the caller's transaction; returns the ids in the same order. A defect outside of a transaction. */
    const appendAll = Effect.fn("EventLog.appendAll")(function* (events: ReadonlyArray<NewEvent>) {
      if (Option.isNone(yield* Effect.serviceOption(SqlClient.TransactionConnection)))
        return yield* Effect.dieMessage("EventLog.append needs a surrounding transaction")
      const now = yield* clock.now
      const named: Array<AppendedEvent> = []
      for (const event of events) named.push({ ...event, id: yield* newUid(EventUid) })
      for (const [owner, some] of Map.groupBy(named, (event) => ownerOf(event).owner_uid))
        yield* withOwner(some[0] ?? {})(appendOf(owner, some, now))
      return named.map(({ id }) => id)
    }, Effect.orDie)

    const append = (event: NewEvent) =>
      Effect.flatMap(appendAll([event]), ([id]) =>
        id === undefined ? Effect.dieMessage("no event") : Effect.succeed(id)
      )

    /** The public event. Credential fields are null unless `showsCredentials`. */
    const eventOf = (row: KnownEvent, showsCredentials: boolean): Event => {
      const { credentials } = eventCatalogue[row.type]
      const hidden = showsCredentials ? {} : Object.fromEntries(credentials.map((field) => [field, null]))
      return decode({
        id: row.id,
        type: row.type,
        timestamp: row.created_at,
        ...ownerField(row),
        data: { ...JSON.parse(row.data), ...hidden }
      })
    }

    /** An event as sent to receivers or shown in the feed. Credential fields are null unless `showsCredentials`. */
    const find = Effect.fn("EventLog.find")(function* (owner: OwnerUid, id: EventUid, showsCredentials = true) {
      const row = yield* stored.first(sql`SELECT ${columns} FROM events
        WHERE owner_uid = ${owner} AND id = ${id} AND data_encrypted IS NOT NULL`)
      if (Option.isNone(row)) return Option.none<TracedEvent>()
      // Its delivery stays claimed until the lease expires; a process of the newer release delivers it then
      if (!isKnown(row.value)) return yield* Effect.dieMessage(`unknown event type ${row.value.type}`)
      const { traceparent } = row.value
      return Option.some<TracedEvent>({ event: eventOf(row.value, showsCredentials), traceparent })
    })

    /**
     * Assigns feed positions to new events after all existing ones. Only committed events are visible here, so that no gap is filled
     * later and no cursor skips an event. Bookkeeping, not a change: reading the feed is one entry of the audit log.
     */
    const place = (owner: OwnerUid) =>
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${`events/feed/${owner}`}, 0))`.pipe(
        Effect.zipRight(sql`UPDATE events e SET feed_position = last.place + unplaced.rank
          FROM (SELECT id, row_number() OVER (ORDER BY position) AS rank FROM events
                WHERE owner_uid = ${owner} AND feed_position IS NULL ORDER BY position LIMIT ${POSITIONS_PER_READ}) unplaced,
               (SELECT coalesce(max(feed_position), 0) AS place FROM events
                WHERE owner_uid = ${owner} AND feed_position IS NOT NULL) last
          WHERE e.owner_uid = ${owner} AND e.id = unplaced.id`),
        transaction,
        unaudited,
        Effect.asVoid
      )

    // Not coalesce(): row-level security takes it for leaking, and so keeps it out of an index
    const afterCursor = sql.literal("CASE WHEN cursor.after IS NULL THEN 0 ELSE cursor.after END")

    /** Positions of the next events of these types, each type read by its index. */
    const placesOf = (owner: OwnerUid, types: ReadonlyArray<EventType>, most: number) => sql`
      SELECT feed_position FROM unnest(${[...types]}::text[]) wanted(type) CROSS JOIN LATERAL (
        SELECT feed_position FROM events WHERE owner_uid = ${owner} AND type = wanted.type
          AND feed_position > ${afterCursor} AND data_encrypted IS NOT NULL ORDER BY feed_position LIMIT ${most}) place
      ORDER BY feed_position LIMIT ${most}`

    /** The cursor, whether events without positions exist, and the events after the cursor: one row at least. */
    const readFeed = (
      owner: OwnerUid,
      after: EventUid | undefined,
      types: ReadonlyArray<EventType> | undefined,
      most: number
    ) => {
      const next =
        types === undefined
          ? sql`SELECT * FROM events WHERE owner_uid = ${owner} AND feed_position > ${afterCursor}
              AND data_encrypted IS NOT NULL ORDER BY feed_position LIMIT ${most}`
          : sql`SELECT e.* FROM (${placesOf(owner, types, most)}) place
              JOIN events e ON e.owner_uid = ${owner} AND e.feed_position = place.feed_position`
      return withGenericPlan(
        sqlErrorsDie(sql`SELECT cursor.unplaced, cursor.after, e.*
        FROM (SELECT EXISTS (SELECT 1 FROM events WHERE owner_uid = ${owner} AND feed_position IS NULL) AS unplaced,
            (SELECT coalesce(feed_position, 0) FROM events WHERE owner_uid = ${owner} AND id = ${after ?? null}) AS after) cursor
          LEFT JOIN LATERAL (SELECT ${columns}, feed_position, found FROM (
              SELECT e.*, count(*) OVER () AS found,
                sum(octet_length(data_encrypted)) OVER (ORDER BY feed_position) - octet_length(data_encrypted) AS before
              FROM (${next}) e) e
            WHERE before < ${ANSWER_LIMITS.feedBytes}) e ON true
        ORDER BY e.feed_position`)
      )
    }

    /**
     * The owner's events in order, after a cursor; only of `readable` types, if given. Returns fewer than `limit` if they are large. Ends
     * before a type unknown to this release. Fails with `Invalid` if the event of `after` does not exist or is no longer retained.
     */
    const feed = Effect.fn("EventLog.feed")(function* (
      owner: OwnerUid,
      { after, type, limit }: EventFeedQuery,
      showsCredentials: boolean,
      readable?: ReadonlyArray<EventType>
    ) {
      const types = type === undefined ? readable : [type].filter((one) => readable?.includes(one) ?? true)
      const read = readFeed(owner, after, types, limit + 1)
      const seen = yield* read
      const isComplete = seen[0]?.unplaced !== true
      if (!isComplete) yield* place(owner)
      const found = isComplete ? seen : yield* read
      const cursor = yield* cursors.one(Effect.succeed(found))
      if (after !== undefined && cursor.after === null)
        return yield* invalid("after", "is not the id of an event that is kept")
      const rows = yield* feedRows.all(Effect.succeed(found.filter(({ id }) => id !== null)))
      const known = Arr.takeWhile(rows, isKnown)
      const shown = known.slice(0, limit)
      const data = shown.map((row) => eventOf(row, showsCredentials))
      if (known.length < rows.length) return { data, next: null }
      const hasMore = (rows[0]?.found ?? 0) > shown.length
      return { data, next: (hasMore ? data.at(-1)?.id : undefined) ?? null }
    }, readFromReplica)

    /** The owner's events of these subjects, in write order, without credentials. */
    const ofSubjects = Effect.fn("EventLog.ofSubjects")(function* (owner: OwnerUid, subjects: ReadonlyArray<string>) {
      const rows = yield* stored.all(sql`SELECT ${columns} FROM events
        WHERE owner_uid = ${owner} AND subject = ANY (${[...subjects]}) AND data_encrypted IS NOT NULL ORDER BY position`)
      return rows.filter(isKnown).map((row) => eventOf(row, false))
    })

    /** The size of these events, encrypted, in bytes. */
    const sizeOfSubjects = Effect.fn("EventLog.sizeOfSubjects")((owner: OwnerUid, subjects: ReadonlyArray<string>) =>
      Effect.map(
        sizes.one(sql`SELECT coalesce(sum(octet_length(data_encrypted)), 0)::bigint AS bytes FROM events
          WHERE owner_uid = ${owner} AND subject = ANY (${[...subjects]})`),
        ({ bytes }) => bytes
      )
    )

    return { append, appendAll, find, feed, ofSubjects, sizeOfSubjects } as const
  }),
  dependencies: [DeliveriesRepo.Default]
}) {}
