/** Calendars kept elsewhere, and the busy times read from them; the only writer of their tables. Rule 3.12. */
import { Clock, Effect, Option, Schema, Struct } from "effect"
import { isNothing } from "../../../schemas/fields.ts"
import { type DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import type { ListQuery } from "../../../schemas/paging.ts"
import { invalid } from "../../../schemas/problems.ts"
import { DAY, MINUTE } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { changedSince } from "../../../services/database/changedSince.ts"
import { Database } from "../../../services/database/Database.ts"
import { any, anyOr, columnsOf, rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { timestamp } from "../../../services/database/SqlErrors.ts"
import { EventLog } from "../../../services/events/EventLog.ts"
import { Jobs } from "../../../services/queue/Jobs.ts"
import { queue } from "../../../services/queue/queues.ts"
import { Service } from "../../../services/Service.ts"
import { FreedTime } from "../../../services/scheduling/booking/FreedTime.ts"
import { Doctors } from "../../../services/scheduling/practice/Doctors.ts"
import { type Place, SecretBox } from "../../../services/sealing/SecretBox.ts"
import { Owners } from "../../../services/tenancy/Owners.ts"
import { newUid } from "../../../services/uid.ts"
import { TakenTime } from "../../shared/services/TakenTime.ts"
import {
  BusySource,
  type BusySourceChanges,
  BusySourceNotFound,
  BusySourceUid,
  type NewBusySource,
  ReadingFault,
  ReadingNotice,
  readingFaults,
  readingNotices,
  statusOf
} from "../schemas/BusySource.ts"
import { type CalendarContent, type CalendarFailed, CalendarServers } from "./CalendarServers.ts"
import { credentialsAfter } from "./credentialsAfter.ts"

declare module "../../../services/tenancy/Owners.ts" {
  interface DueOwners {
    readonly busy_sources: OrganisationUid
  }
}

export const calendarQueues = {
  "calendar.read": queue(Schema.Struct({ organisation_uid: OrganisationUid, busy_source_uid: BusySourceUid }))
}
type CalendarQueues = typeof calendarQueues
declare module "../../../services/queue/queues.ts" {
  interface Queues extends CalendarQueues {}
}

/** A source is read so often, seconds. */
const INTERVAL = 10 * MINUTE
/** A source is stale after so long without a successful reading, seconds. */
const STALE_AFTER = DAY
/** From 1970 to 2200. */
const ALWAYS = [0, 7_258_118_400]
/** Kinds of taken time. */
const [CALENDAR, STALE] = ["calendar", "stale_calendar"]
/** Days before and after now whose times are kept. */
const [DAYS_BACK, DAYS_AHEAD] = [30, 400]
/** Sources of one organisation that are read at a time. */
const BATCH = 4
/** After so long the rest of an organisation's sources is left to the next run: others wait. */
const TURN_MILLIS = 20_000

const COMPUTED = ["url", "username", "status", "last_error"] as const
const Kept = BusySource.omit(...COMPUTED)
const KEPT = Struct.keys(Kept.fields)
const Stored = Schema.Struct({
  ...Kept.fields,
  url_sealed: Schema.String,
  username_sealed: Schema.NullOr(Schema.String),
  password_sealed: Schema.NullOr(Schema.String),
  content_tag: Schema.NullOr(Schema.String),
  fault: Schema.NullOr(ReadingFault),
  notice: Schema.NullOr(ReadingNotice)
})
type Stored = typeof Stored.Type

/** A source to read, with the zone of its doctor. */
const Due = Schema.Struct({ ...Stored.fields, timezone: Schema.String })

interface Secrets {
  readonly url: string
  readonly username: string | null
  readonly password: string | null
}

const notFound = () => new BusySourceNotFound()

export class BusySources extends Service<BusySources>()("scheduling/BusySources", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const freed = yield* FreedTime
    const clock = yield* DomainClock
    const box = yield* SecretBox
    const reader = yield* CalendarServers
    const doctors = yield* Doctors
    const jobs = yield* Jobs
    const events = yield* EventLog
    const owners = yield* Owners
    const taken = yield* TakenTime
    const stored = rowsOf(Stored)
    const due = rowsOf(Due)
    const columns = sql.literal(columnsOf(Stored))

    /** What does `use` with the text of a column; null stays null. */
    const inPlace =
      (use: typeof box.seal, owner: string, uid: string) =>
      <A extends string | null>(column: Place["column"], text: A) =>
        (text === null
          ? Effect.succeed(text)
          : use({ table: "busy_sources", column, row: [owner, uid] }, text)) as Effect.Effect<A> // null as it is null
    const sealed = (owner: string, uid: string, { url, username, password }: Secrets) => {
      const seal = inPlace(box.seal, owner, uid)
      return Effect.all({
        url_sealed: seal("url_sealed", url),
        username_sealed: seal("username_sealed", username),
        password_sealed: seal("password_sealed", password)
      })
    }
    const secretsOf = (owner: string, { uid, url_sealed, username_sealed, password_sealed }: Stored) => {
      const open = inPlace(box.open, owner, uid)
      return Effect.all({
        url: open("url_sealed", url_sealed),
        username: open("username_sealed", username_sealed),
        password: open("password_sealed", password_sealed)
      })
    }

    const shown = Effect.fnUntraced(function* (owner: OrganisationUid, source: Stored) {
      const { fault, notice } = source
      const { url, username } = yield* secretsOf(owner, source)
      const record: BusySource = {
        ...{ ...Struct.pick(source, ...KEPT), url, username },
        status: statusOf(fault, source.last_success_at),
        last_error: fault ? readingFaults[fault] : notice && `${readingNotices[notice.kind]}: ${notice.detail}`
      }
      return record
    })

    const ofDoctor = (owner: OrganisationUid, doctor: DoctorUid) =>
      sql`organisation_uid = ${owner} AND doctor_uid = ${doctor} AND deleted_at IS NULL`

    /** By creation. Fails with `DoctorNotFound`. */
    const list = Effect.fn("BusySources.list")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      query: ListQuery = {}
    ) {
      yield* doctors.ensure(owner, doctor)
      const rows = yield* stored.all(sql`SELECT ${columns} FROM busy_sources
        WHERE ${sql.and([ofDoctor(owner, doctor), ...changedSince(sql, query)])} ORDER BY created_at, uid`)
      return yield* Effect.forEach(rows, (row) => shown(owner, row))
    })

    const one =
      (locking = sql``) =>
      (owner: OrganisationUid, doctor: DoctorUid, uid: BusySourceUid) =>
        stored.firstOr(
          sql`SELECT ${columns} FROM busy_sources WHERE ${ofDoctor(owner, doctor)} AND uid = ${uid} ${locking}`,
          notFound
        )
    const storedForChange = one(sql`FOR NO KEY UPDATE`)
    const shownBy = (find: typeof storedForChange) => (owner: OrganisationUid, doctor: DoctorUid, uid: BusySourceUid) =>
      Effect.flatMap(find(owner, doctor, uid), (row) => shown(owner, row))
    /** Fails with `BusySourceNotFound`. */
    const get = shownBy(one())
    /** As `get`, locked until the transaction ends. */
    const findForChange = shownBy(storedForChange)

    /** Fails with `Invalid` for an address that may not be read. Resolves names: call it before the transaction of a change. */
    const examine = ({ url }: { readonly url?: string | undefined }) =>
      url === undefined ? Effect.void : Effect.mapError(reader.examine(url), ({ reason }) => invalid("url", reason))

    const readSoon = (owner: OrganisationUid, uid: BusySourceUid) =>
      jobs.send("calendar.read", { organisation_uid: owner, busy_source_uid: uid }, { group: owner })

    /** It takes nothing. */
    const free = (owner: OrganisationUid, uid: string) =>
      Effect.forEach([CALENDAR, STALE], (kind) => taken.clear({ organisation_uid: owner, kind, uid }), {
        discard: true
      })

    /** A calendar that was not read for a day closes all times, where its doctor wants that. */
    const closeWhenStale = (owner: OrganisationUid, one: Stored) =>
      taken.put(
        { organisation_uid: owner, kind: STALE, uid: one.uid },
        one.doctor_uid,
        one.active && one.when_stale === "close" ? ALWAYS : [],
        (one.last_success_at ?? one.updated_at) + STALE_AFTER
      )

    /** What follows from a source as it is stored now; answers it as clients see it. */
    const stand = Effect.fnUntraced(function* (owner: OrganisationUid, one: Stored) {
      yield* closeWhenStale(owner, one)
      yield* one.active ? readSoon(owner, one.uid) : free(owner, one.uid)
      return yield* shown(owner, one)
    })

    const add = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      source: NewBusySource,
      uid: BusySourceUid
    ) {
      yield* doctors.ensure(owner, doctor)
      const now = yield* clock.now
      const { url, username, password, ...rest } = source
      const row = {
        ...{ organisation_uid: owner, uid, doctor_uid: doctor, ...rest },
        ...(yield* sealed(owner, uid, { url, username, password })),
        next_read_at: source.active ? timestamp(now) : null,
        ...{ created_at: timestamp(now), updated_at: timestamp(now) }
      }
      const inserted = yield* stored.one(sql`INSERT INTO busy_sources ${sql.insert(row)}
        ON CONFLICT (organisation_uid, uid) DO UPDATE SET ${sql.update(row, ["organisation_uid", "uid", "created_at"])},
          content_tag = NULL, deleted_at = NULL
        RETURNING ${columns}`)
      return yield* stand(owner, inserted)
    }, transaction)

    /** Creates a source, which is read at once. Fails with `DoctorNotFound`, and with `Invalid` for an address that may not be read. */
    const create = Effect.fn("BusySources.create")((owner: OrganisationUid, doctor: DoctorUid, source: NewBusySource) =>
      Effect.zipRight(
        examine(source),
        Effect.flatMap(newUid(BusySourceUid), (uid) => add(owner, doctor, source, uid))
      )
    )

    /**
     * Creates or replaces a source of a provisioning file, also a deleted one; one with the same fields is unchanged. Its address is examined
     * when it is read. Fails with `DoctorNotFound`.
     */
    const provision = Effect.fn("BusySources.provision")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      source: NewBusySource,
      uid: BusySourceUid
    ) {
      const known = yield* stored.first(
        sql`SELECT ${columns} FROM busy_sources WHERE ${ofDoctor(owner, doctor)} AND uid = ${uid}`
      )
      if (Option.isSome(known)) {
        const kept = Struct.pick(known.value, "kind", "name", "all_day_blocks", "when_stale", "active")
        const before = { ...kept, ...(yield* secretsOf(owner, known.value)) }
        if (Bun.deepEquals({ doctor_uid: doctor, ...source }, { doctor_uid: doctor, ...before })) return
      }
      yield* add(owner, doctor, source, uid)
    })

    /** Updates the fields sent; credentials do not follow to another server's address. An active source is read at once. Fails with `BusySourceNotFound`. */
    const update = Effect.fn("BusySources.update")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      uid: BusySourceUid,
      changes: BusySourceChanges
    ) {
      const before = yield* storedForChange(owner, doctor, uid)
      if (isNothing(changes)) return yield* shown(owner, before)
      const now = yield* clock.now
      const { url: sent, username: _username, password: _password, ...rest } = changes
      const active = changes.active ?? before.active
      const { url, ...credentials } = yield* secretsOf(owner, before)
      const { username, password } = credentialsAfter({ url, credentials }, changes)
      const isOther = !Bun.deepEquals({ url, ...credentials }, { url: sent ?? url, username, password })
      const row = {
        ...rest,
        ...(yield* sealed(owner, uid, { url: sent ?? url, username, password })),
        next_read_at: active ? timestamp(now) : null,
        updated_at: timestamp(now),
        // what was said of the former calendar
        ...(isOther && { fault: null, notice: null, last_success_at: null })
      }
      const changed = yield* stored.firstOr(
        sql`UPDATE busy_sources SET ${sql.update(row)}, content_tag = NULL WHERE ${ofDoctor(owner, doctor)} AND uid = ${uid}
          RETURNING ${columns}`,
        notFound
      )
      return yield* stand(owner, changed)
    }, transaction)

    /** Deletes the source and its times. Fails with `BusySourceNotFound`, also if it was already deleted. */
    const remove = Effect.fn("BusySources.remove")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      uid: BusySourceUid
    ) {
      const now = yield* clock.now
      yield* anyOr(
        sql`UPDATE busy_sources SET deleted_at = to_timestamp(${now}), active = false, next_read_at = NULL
          WHERE ${ofDoctor(owner, doctor)} AND uid = ${uid} RETURNING uid`,
        notFound
      )
      yield* free(owner, uid)
    }, transaction)

    /** Reads an active source at once, in a job. Fails with `BusySourceNotFound`. */
    const refresh = Effect.fn("BusySources.refresh")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      uid: BusySourceUid
    ) {
      const now = yield* clock.now
      const source = yield* stored.firstOr(
        sql`UPDATE busy_sources SET next_read_at = CASE WHEN active THEN to_timestamp(${now}) END
          WHERE ${ofDoctor(owner, doctor)} AND uid = ${uid} RETURNING ${columns}`,
        notFound
      )
      if (source.active) yield* readSoon(owner, uid)
      return yield* shown(owner, source)
    }, transaction)

    /** Unless it was changed (then its address is sealed again) or removed since. */
    const asRead = (owner: OrganisationUid, { uid, url_sealed }: Stored) =>
      sql`organisation_uid = ${owner} AND uid = ${uid} AND active AND url_sealed = ${url_sealed}`
    /** Stores what was read. */
    const keep = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      source: Stored,
      now: number,
      content: CalendarContent | "unchanged"
    ) {
      const tag = content === "unchanged" ? source.content_tag : content.tag
      const counts =
        content === "unchanged"
          ? sql``
          : sql`, events = ${content.events}, all_day_events = ${content.all_day_events},
              skipped_events = ${content.skipped_events}, notice = ${content.notice && JSON.stringify(content.notice)}::jsonb`
      const found =
        yield* stored.first(sql`UPDATE busy_sources SET last_success_at = to_timestamp(${now}), fault = NULL,
          content_tag = ${tag} ${counts}, updated_at = CASE WHEN fault IS NULL AND last_success_at IS NOT NULL
            THEN updated_at ELSE to_timestamp(${now}) END
        WHERE ${asRead(owner, source)} RETURNING ${columns}`)
      if (Option.isNone(found)) return
      yield* closeWhenStale(owner, found.value)
      if (content === "unchanged") return
      yield* taken.put({ organisation_uid: owner, kind: CALENDAR, uid: source.uid }, source.doctor_uid, content.ranges)
    }, transaction)

    /** Stores why it could not be read; the times stay. The event is written once for each time that it begins to fail. */
    const noteFault = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      source: Stored,
      now: number,
      fault: ReadingFault
    ) {
      const isThere = yield* any(sql`UPDATE busy_sources SET fault = ${fault}, updated_at = CASE WHEN fault IS NULL
            THEN to_timestamp(${now}) ELSE updated_at END
        WHERE ${asRead(owner, source)} RETURNING uid`)
      if (!isThere || source.fault !== null) return
      yield* events.append({
        type: "busy_source.failing",
        organisation_uid: owner,
        subject: source.uid,
        data: {
          busy_source_uid: source.uid,
          last_error: readingFaults[fault],
          ...Struct.pick(source, "doctor_uid", "name", "last_success_at")
        }
      })
    }, transaction)

    const readOne = Effect.fn("BusySources.read")(function* (owner: OrganisationUid, source: typeof Due.Type) {
      const now = yield* clock.now
      const request = {
        kind: source.kind,
        ...(yield* secretsOf(owner, source)),
        // The period moves on: once a day the whole calendar is read, whatever its tag
        tag: source.last_success_at !== null && now - source.last_success_at < DAY ? source.content_tag : null,
        timezone: source.timezone,
        from: now - DAYS_BACK * DAY,
        to: now + DAYS_AHEAD * DAY,
        now,
        all_day_blocks: source.all_day_blocks
      }
      yield* Effect.matchEffect(reader.read(request), {
        onSuccess: (content) => {
          const kept = keep(owner, source, now, content)
          // it may open time
          return content === "unchanged" ? kept : freed.around(owner, [source.doctor_uid], kept)
        },
        onFailure: ({ fault }: CalendarFailed) => noteFault(owner, source, now, fault)
      })
    })

    /**
     * Takes due sources, so that no other process reads them meanwhile. Sources that others have locked are left to the next run, except the
     * wanted one: its job is the only one that reads it soon.
     */
    const take = Effect.fnUntraced(function* (owner: OrganisationUid, uid: BusySourceUid | null) {
      const now = yield* clock.now
      const wanted = uid === null ? sql`true` : sql`uid = ${uid}`
      return yield* due.all(sql`WITH taken AS (
          UPDATE busy_sources SET next_read_at = to_timestamp(${now + INTERVAL})
          WHERE organisation_uid = ${owner} AND uid = ANY (ARRAY(SELECT uid FROM busy_sources
            WHERE organisation_uid = ${owner} AND next_read_at <= to_timestamp(${now}) AND ${wanted} ORDER BY next_read_at LIMIT ${BATCH}
            FOR NO KEY UPDATE ${uid === null ? sql`SKIP LOCKED` : sql``})) RETURNING *)
        SELECT ${sql.literal(columnsOf(Stored, "s"))}, d.timezone
        FROM taken s JOIN doctors d ON d.organisation_uid = ${owner} AND d.uid = s.doctor_uid`)
    })

    /** Reads one source, for its job, unless it has been read meanwhile. */
    const read = Effect.fn("BusySources.readNow")(function* (owner: OrganisationUid, uid: BusySourceUid) {
      yield* Effect.forEach(yield* take(owner, uid), (source) => readOne(owner, source))
    })

    const readOfOwner = Effect.fnUntraced(function* (owner: OrganisationUid) {
      const end = (yield* Clock.currentTimeMillis) + TURN_MILLIS // real time: of the work itself
      let count = 0
      for (;;) {
        const sources = yield* take(owner, null)
        yield* Effect.forEach(sources, (source) => readOne(owner, source), { concurrency: "unbounded" })
        count += sources.length
        if (sources.length < BATCH || (yield* Clock.currentTimeMillis) > end) return count // real time: of the work itself
      }
    })
    /** Reads the sources that are due; returns how many. */
    const readDue = Effect.fn("BusySources.readDue")(function* () {
      return yield* owners.eachDue("busy_sources", yield* clock.now, readOfOwner)
    })

    // it may open time
    const offering = freed.offering((doctor: DoctorUid) => [doctor])
    return {
      ...{ list, get, findForChange, create, provision, examine, refresh, read, readDue },
      ...{ update: offering(update), remove: offering(remove) }
    } as const
  }),
  dependencies: [Doctors.Default, FreedTime.Default, TakenTime.Default]
}) {}
