/** Connections of doctors to their own calendars: settings, the grant, and its end. Rule 3.15. */
import { createHash, randomBytes } from "node:crypto"
import { Effect, Option, Schema } from "effect"
import { Settings } from "../../../../config.ts"
import { isNothing } from "../../../../schemas/fields.ts"
import { AppointmentUid, DoctorUid, OrganisationUid } from "../../../../schemas/ids.ts"
import type { ListQuery } from "../../../../schemas/paging.ts"
import { invalid } from "../../../../schemas/problems.ts"
import { DAY, HOUR, MINUTE } from "../../../../schemas/seconds.ts"
import { DomainClock, realNow } from "../../../../services/DomainClock.ts"
import { changedSince } from "../../../../services/database/changedSince.ts"
import { Database } from "../../../../services/database/Database.ts"
import { anyOr, columnsOf, rowsOf } from "../../../../services/database/rows.ts"
import { Sql } from "../../../../services/database/Sql.ts"
import { timestamp } from "../../../../services/database/SqlErrors.ts"
import { Jobs } from "../../../../services/queue/Jobs.ts"
import { queue } from "../../../../services/queue/queues.ts"
import type { BookingFact } from "../../../../services/scheduling/booking/bookingFacts.ts"
import { FreedTime } from "../../../../services/scheduling/booking/FreedTime.ts"
import { TakenTime } from "../../../../services/scheduling/booking/TakenTime.ts"
import { Doctors } from "../../../../services/scheduling/practice/Doctors.ts"
import { type Place, SecretBox } from "../../../../services/sealing/SecretBox.ts"
import { OwnerByKey, tagKey } from "../../../../services/tenancy/OwnerByKey.ts"
import { Owners } from "../../../../services/tenancy/Owners.ts"
import { hashOf, newCodeOf, newUid } from "../../../../services/uid.ts"
import {
  CalendarConnection,
  type CalendarConnectionChanges,
  CalendarConnectionNotFound,
  CalendarConnectionUid,
  ConnectedCalendar,
  type CreatedConnection,
  connectionFaults,
  type GrantingProvider,
  type NewCalendarConnection,
  providers as names
} from "../../schemas/connections/CalendarConnection.ts"
import {
  type Access,
  CalendarProviders,
  type FoundCalendar,
  ProviderFailed,
  type Subscription,
  type Tokens
} from "./CalendarProviders.ts"

type SqlService = Effect.Effect.Success<typeof Sql>

/** Inserts what is not there yet, for appointments `a` in calendars `k` of connections `c`; a known key of the same entry is kept. */
const insertion = (sql: SqlService, now: number) => sql`INSERT INTO calendar_entries AS e (organisation_uid, uid,
      connection_uid, calendar_id, doctor_uid, appointment_uid, start_date, end_date, wanted, begun, due_at, waiting_since)
    SELECT c.organisation_uid, coalesce(o.uid, 'spr' || md5(concat_ws(' ', a.organisation_uid, c.doctor_uid, k.id, a.uid))), c.uid, k.id,
      c.doctor_uid, a.uid, extract(epoch FROM a.start_date)::bigint, extract(epoch FROM a.end_date)::bigint, true, o.uid IS NOT NULL,
      to_timestamp(${now}), to_timestamp(${now})
    FROM appointments a JOIN calendar_connections c ON c.organisation_uid = a.organisation_uid AND c.deleted_at IS NULL
        AND (c.doctor_uid = a.doctor_uid OR c.doctor_uid = ANY (a.further_doctor_uids))
      JOIN connected_calendars k ON k.organisation_uid = c.organisation_uid AND k.connection_uid = c.uid AND k.writes
      LEFT JOIN LATERAL (SELECT uid FROM calendar_entries o WHERE o.organisation_uid = a.organisation_uid AND o.appointment_uid = a.uid
        AND o.doctor_uid = c.doctor_uid AND o.calendar_id = k.id LIMIT 1) o ON true
    WHERE a.status = 'confirmed'`

/** A key that is written again is wanted again. */
const wantedAgain = (sql: SqlService) => sql`ON CONFLICT (organisation_uid, connection_uid, uid) DO UPDATE
    SET wanted = true, version = e.version + 1, due_at = excluded.due_at, waiting_since = excluded.waiting_since
    WHERE NOT e.wanted`

/** The future appointments belong in this calendar alone; null: in none. */
const futureEntries = (
  sql: SqlService,
  {
    owner,
    doctor,
    uid,
    written,
    now
  }: {
    readonly owner: OrganisationUid
    readonly doctor: DoctorUid
    readonly uid: string
    readonly written: string | null
    readonly now: number
  }
) =>
  sql`WITH left_over AS (UPDATE calendar_entries SET wanted = false, version = version + 1, due_at = to_timestamp(${now}),
        waiting_since = to_timestamp(${now})
      WHERE organisation_uid = ${owner} AND connection_uid = ${uid} AND wanted AND NOT missing
        AND calendar_id IS DISTINCT FROM ${written} AND start_date > ${now})
    ${insertion(sql, now)} AND a.organisation_uid = ${owner} AND c.uid = ${uid} AND c.doctor_uid = ${doctor}
      AND a.start_date > to_timestamp(${now}) ${wantedAgain(sql)}`

const Job = Schema.Struct({ organisation_uid: OrganisationUid, connection_uid: CalendarConnectionUid })
export const connectionQueues = {
  /** Reads and writes what is due. */
  "calendar.sync": queue(Job),
  /** Ends subscriptions and the grant of a connection that was deleted. */
  "calendar.forget": queue(Job)
}
type ConnectionQueues = typeof connectionQueues
declare module "../../../../services/queue/queues.ts" {
  interface Queues extends ConnectionQueues {}
}

/** Kind of taken time. */
export const CONNECTION = "connected_calendar"
/** Seconds for which an attempt can be finished. */
const ATTEMPT = 10 * MINUTE

const Stored = Schema.Struct({
  uid: CalendarConnectionUid,
  ...CalendarConnection.pick("provider", "account", "last_read_at", "last_write_at", "created_at", "updated_at").fields,
  fault: Schema.NullOr(Schema.String),
  calendars: Schema.Array(ConnectedCalendar)
})
type Stored = typeof Stored.Type
const Attempt = Schema.Struct({ uid: CalendarConnectionUid, verifier_sealed: Schema.String })
const AccessText = Schema.parseJson(
  Schema.Struct({
    access_token: Schema.String,
    refresh_token: Schema.String,
    url: Schema.String,
    username: Schema.String,
    password: Schema.String
  })
)
const noAccess: Access = { access_token: "", refresh_token: "", url: "", username: "", password: "" }
const openAccess = Schema.decodeSync(AccessText)
const sealable = Schema.encodeSync(AccessText)

type Column = "access_sealed" | "verifier_sealed" | "push_code_sealed"
export const placeOf = (owner: string, uid: string, column: Column): Place => ({
  table: "calendar_connections",
  column,
  row: [owner, uid]
})

const isFault = (text: string): text is keyof typeof connectionFaults => Object.hasOwn(connectionFaults, text)
const shown = ({ fault, ...stored }: Stored): CalendarConnection => ({
  ...stored,
  status: fault !== null ? "failing" : stored.last_read_at === null ? "waiting" : "current",
  last_error: fault === null ? null : isFault(fault) ? connectionFaults[fault] : fault
})
const notFound = () => new CalendarConnectionNotFound()
const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url")
export const callbackOf = (baseUrl: string, provider: string) => `${baseUrl}/connect/calendar/${provider}/callback`

export class Connections extends Effect.Service<Connections>()("calendars/Connections", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const box = yield* SecretBox
    const doctors = yield* Doctors
    const jobs = yield* Jobs
    const taken = yield* TakenTime
    const freed = yield* FreedTime
    const providers = yield* CalendarProviders
    const { baseUrl } = yield* Settings
    const stored = rowsOf(Stored)
    const attempts = rowsOf(Attempt)
    const columns = sql.literal(columnsOf(Stored.omit("calendars"), "c"))

    /** Finished ones of the doctor. */
    const of = (owner: OrganisationUid, doctor: DoctorUid) =>
      sql`c.organisation_uid = ${owner} AND c.doctor_uid = ${doctor} AND c.deleted_at IS NULL AND c.connected_at IS NOT NULL`
    const selected = sql`SELECT ${columns}, (SELECT coalesce(json_agg(json_build_object('id', k.id, 'name', k.name,
        'reads', k.reads, 'writes', k.writes) ORDER BY k.position), '[]') FROM connected_calendars k
        WHERE k.organisation_uid = c.organisation_uid AND k.connection_uid = c.uid) AS calendars
      FROM calendar_connections c`

    /** By creation. Fails with `DoctorNotFound`. */
    const list = Effect.fn("Connections.list")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      query: ListQuery = {}
    ) {
      yield* doctors.ensure(owner, doctor)
      const rows = yield* stored.all(
        sql`${selected} WHERE ${sql.and([of(owner, doctor), ...changedSince(sql, query)])} ORDER BY c.created_at, c.uid`
      )
      return rows.map(shown)
    })
    const one =
      (locking = sql``) =>
      (owner: OrganisationUid, doctor: DoctorUid, uid: CalendarConnectionUid) =>
        Effect.map(
          stored.firstOr(sql`${selected} WHERE ${of(owner, doctor)} AND c.uid = ${uid} ${locking}`, notFound),
          shown
        )
    /** Fails with `CalendarConnectionNotFound`. */
    const get = one()
    /** As `get`, locked until the transaction ends. */
    const findForChange = one(sql`FOR NO KEY UPDATE OF c`)

    /** Has it read and written now. In the transaction of what causes it. */
    const ask = Effect.fnUntraced(function* (owner: OrganisationUid, uid: CalendarConnectionUid) {
      const now = yield* clock.now
      yield* sql`UPDATE calendar_connections SET asked = asked + 1, next_at = to_timestamp(${now})
        WHERE organisation_uid = ${owner} AND uid = ${uid} AND NOT paused AND deleted_at IS NULL`
      yield* jobs.send("calendar.sync", { organisation_uid: owner, connection_uid: uid }, { group: owner })
    }, Effect.orDie)

    const insert = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      uid: CalendarConnectionUid,
      row: Readonly<Record<string, unknown>>
    ) {
      const now = timestamp(yield* clock.now)
      const code = yield* newCodeOf("cps", owner)
      yield* Effect.orDie(
        sql`INSERT INTO calendar_connections ${sql.insert({
          organisation_uid: owner,
          uid,
          doctor_uid: doctor,
          push_hash: hashOf(code),
          push_code_sealed: yield* box.seal(placeOf(owner, uid, "push_code_sealed"), code),
          created_at: now,
          updated_at: now,
          ...row
        })}`
      )
    })

    /** The calendars of the account, of which the first is read. */
    const keepCalendars = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      uid: CalendarConnectionUid,
      found: ReadonlyArray<FoundCalendar>
    ) {
      const now = timestamp(yield* clock.now)
      const ordered = found.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault))
      yield* Effect.orDie(
        sql`INSERT INTO connected_calendars ${sql.insert(
          ordered.map(({ id, name }, position) => ({
            organisation_uid: owner,
            connection_uid: uid,
            id,
            name,
            position,
            reads: position === 0,
            writes: false,
            read_at: now
          }))
        )}`
      )
      yield* ask(owner, uid)
    })

    const connectCaldav = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      { url, username, password }: NewCalendarConnection
    ) {
      if (url == null) return yield* invalid("url", "is required")
      if (username == null) return yield* invalid("username", "is required")
      if (password == null) return yield* invalid("password", "is required")
      const refusal = yield* providers.examine(url)
      if (refusal !== null) return yield* invalid("url", refusal)
      const access = { ...noAccess, url, username, password }
      const found = yield* Effect.mapError(providers.caldav.calendars(access), ({ reason }) =>
        reason === "grant"
          ? invalid("password", "The server refuses the user name or the password")
          : invalid("url", "There is no CalDAV calendar at this address")
      )
      if (found.length === 0) return yield* invalid("url", "There is no CalDAV calendar at this address")
      const uid = yield* newUid(CalendarConnectionUid)
      const sealed = yield* box.seal(placeOf(owner, uid, "access_sealed"), sealable(access))
      const now = timestamp(yield* clock.now)
      return yield* transaction(
        Effect.gen(function* () {
          yield* insert(owner, doctor, uid, {
            provider: "caldav",
            account: username,
            access_sealed: sealed,
            connected_at: now
          })
          yield* keepCalendars(owner, uid, found)
          return yield* Effect.orDie(get(owner, doctor, uid))
        })
      )
    })

    /** Begins to connect. Fails with `DoctorNotFound`, and with `Invalid` for a provider without settings and an account that cannot be used. */
    const create = Effect.fn("Connections.create")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      wanted: NewCalendarConnection
    ) {
      yield* doctors.ensure(owner, doctor)
      const { provider } = wanted
      if (provider === "caldav") return (yield* connectCaldav(owner, doctor, wanted)) as CreatedConnection
      const granting = providers.granting(provider)
      if (granting === undefined) return yield* invalid("provider", "is not set up in this installation")
      const uid = yield* newUid(CalendarConnectionUid)
      const state = yield* newCodeOf("cst", owner)
      const verifier = randomBytes(32).toString("base64url")
      const now = yield* clock.now
      yield* insert(owner, doctor, uid, {
        provider,
        state_hash: hashOf(state),
        verifier_sealed: yield* box.seal(placeOf(owner, uid, "verifier_sealed"), verifier),
        attempt_until: timestamp(now + ATTEMPT)
      })
      const redirect = callbackOf(baseUrl, provider)
      return { uid, authorize_url: granting.authorizeUrl({ state, challenge: challengeOf(verifier), redirect }) }
    })

    /** Stores tokens. */
    const keepTokens = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      uid: CalendarConnectionUid,
      before: Access,
      { access_token, refresh_token = before.refresh_token, expires_in }: Tokens
    ) {
      const access = { ...before, access_token, refresh_token }
      const sealed = yield* box.seal(placeOf(owner, uid, "access_sealed"), sealable(access))
      yield* Effect.orDie(sql`UPDATE calendar_connections SET access_sealed = ${sealed},
        access_until = to_timestamp(${(yield* realNow) + expires_in}) WHERE organisation_uid = ${owner} AND uid = ${uid}`)
      return access
    })

    /** Ends the doctor's attempt with the provider's answer; false: it is another's, used, or over, or the provider refuses. */
    const finish = Effect.fn("Connections.finish")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      provider: GrantingProvider,
      { state, code }: { readonly state: string; readonly code: string }
    ) {
      const granting = providers.granting(provider)
      const now = yield* clock.now
      const attempt = yield* attempts.first(sql`UPDATE calendar_connections SET state_hash = NULL
        WHERE organisation_uid = ${owner} AND doctor_uid = ${doctor} AND provider = ${provider} AND state_hash = ${hashOf(state)}
          AND attempt_until > to_timestamp(${now}) AND connected_at IS NULL AND deleted_at IS NULL
        RETURNING uid, verifier_sealed`)
      if (Option.isNone(attempt) || granting === undefined || code === "") return false
      const { uid, verifier_sealed } = attempt.value
      const verifier = yield* box.open(placeOf(owner, uid, "verifier_sealed"), verifier_sealed)
      return yield* Effect.gen(function* () {
        const tokens = yield* granting.exchange(code, verifier, callbackOf(baseUrl, provider))
        const access = yield* keepTokens(owner, uid, noAccess, tokens)
        const found = yield* providers[provider].calendars(access)
        yield* transaction(
          Effect.gen(function* () {
            yield* sql`UPDATE calendar_connections SET connected_at = to_timestamp(${now}), updated_at = to_timestamp(${now}),
                account = ${found.find(({ account }) => account !== "")?.account ?? ""}, verifier_sealed = NULL
              WHERE organisation_uid = ${owner} AND uid = ${uid}`
            if (found.length > 0) yield* keepCalendars(owner, uid, found)
          }).pipe(Effect.orDie)
        )
        return true
      }).pipe(
        Effect.catchTag("ProviderFailed", ({ reason }) =>
          Effect.as(Effect.logInfo("a provider of calendars refused to connect", reason), false)
        )
      )
    })

    /** Chooses calendars. Fails with `CalendarConnectionNotFound`, and with `Invalid` for an unknown calendar or two that are written. */
    const update = Effect.fn("Connections.update")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      uid: CalendarConnectionUid,
      { calendars: sent = [] }: CalendarConnectionChanges
    ) {
      const before = yield* findForChange(owner, doctor, uid)
      if (isNothing({ calendars: sent.length === 0 ? undefined : sent })) return before
      const changes = new Map(sent.map((one) => [one.id, one]))
      if (sent.some(({ id }) => !before.calendars.some((known) => known.id === id)))
        return yield* invalid("calendars", "names a calendar that is not of this account")
      const after = before.calendars.map((one) => ({ ...one, ...changes.get(one.id) }))
      if (after.filter(({ writes }) => writes).length > 1) return yield* invalid("calendars", "writes into one at most")
      const now = yield* clock.now
      const changed = after.filter((one, index) => !Bun.deepEquals(one, before.calendars[index]))
      for (const { id, reads, writes } of changed.toSorted((a, b) => Number(a.writes) - Number(b.writes)))
        yield* Effect.orDie(sql`UPDATE connected_calendars SET reads = ${reads}, writes = ${writes}, token = NULL,
            read_at = to_timestamp(${now}) WHERE organisation_uid = ${owner} AND connection_uid = ${uid} AND id = ${id}`)
      const written = after.find(({ writes }) => writes)?.id ?? null
      yield* Effect.orDie(futureEntries(sql, { owner, doctor, uid, written, now }))
      yield* sql`UPDATE calendar_connections SET updated_at = to_timestamp(${now})
        WHERE organisation_uid = ${owner} AND uid = ${uid}`.pipe(Effect.orDie)
      yield* ask(owner, uid)
      return yield* get(owner, doctor, uid)
    }, transaction)

    /** Deletes the connection; what was written stays. Fails with `CalendarConnectionNotFound`. */
    const remove = Effect.fn("Connections.remove")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      uid: CalendarConnectionUid
    ) {
      const now = yield* clock.now
      yield* anyOr(
        sql`UPDATE calendar_connections c SET deleted_at = to_timestamp(${now}), next_at = NULL
          WHERE ${of(owner, doctor)} AND c.uid = ${uid} RETURNING uid`,
        notFound
      )
      yield* taken.clear({ organisation_uid: owner, kind: CONNECTION, uid })
      yield* jobs.send("calendar.forget", { organisation_uid: owner, connection_uid: uid }, { group: owner })
    }, transaction)

    // it may open time
    const offering = freed.offering((doctor: DoctorUid) => [doctor])
    return {
      list,
      get,
      findForChange,
      create,
      finish,
      keepTokens,
      openAccess: (owner: OrganisationUid, uid: CalendarConnectionUid, sealed: string) =>
        Effect.map(box.open(placeOf(owner, uid, "access_sealed"), sealed), openAccess),
      update: offering(update),
      remove: offering(remove),
      ask
    } as const
  }),
  dependencies: [Doctors.Default, FreedTime.Default, TakenTime.Default]
}) {}

declare module "../../../../services/tenancy/Owners.ts" {
  interface DueOwners {
    readonly calendar_connections: OrganisationUid
  }
}

/** Seconds between two readings; where changes are pushed, the longest. */
const [INTERVAL, PUSHED_INTERVAL] = [5 * MINUTE, HOUR]
/** Real seconds for which a process has a connection. */
const LEASE = 2 * MINUTE
/** Days before and after now that are read. */
const [DAYS_BACK, DAYS_AHEAD] = [30, 400]
/** Subscriptions are renewed so long before their end, seconds. */
const RENEWED = 6 * HOUR
const TITLE = "Termin"

const Taken = Schema.Struct({
  uid: CalendarConnectionUid,
  doctor_uid: DoctorUid,
  provider: Schema.Literal(...names),
  access_sealed: Schema.String,
  access_until: Schema.NullOr(Schema.Number),
  push_code_sealed: Schema.String,
  asked: Schema.Number,
  timezone: Schema.String
})
type Taken = typeof Taken.Type
const Calendar = Schema.Struct({
  id: Schema.String,
  reads: Schema.Boolean,
  writes: Schema.Boolean,
  token: Schema.NullOr(Schema.String),
  is_due: Schema.Boolean,
  is_stale: Schema.Boolean,
  subscription: Schema.NullOr(Schema.Struct({ id: Schema.String, resource: Schema.String })),
  is_subscribed: Schema.Boolean
})
type Calendar = typeof Calendar.Type
const Entry = Schema.Struct({
  uid: Schema.String,
  calendar_id: Schema.String,
  appointment_uid: AppointmentUid,
  start_date: Schema.Number,
  end_date: Schema.Number,
  wanted: Schema.Boolean,
  version: Schema.Number,
  begun: Schema.Boolean,
  entry_id: Schema.NullOr(Schema.String),
  missing: Schema.Boolean
})
type Entry = typeof Entry.Type
const Known = Schema.Struct({ uid: Schema.String, entry_id: Schema.NullOr(Schema.String) })
const Range = Schema.Struct({ start: Schema.Number, end: Schema.Number })

const merged = (times: ReadonlyArray<typeof Range.Type>) => {
  const ranges: Array<number> = []
  for (const { start, end } of times) {
    const last = ranges.at(-1)
    if (last !== undefined && start <= last) ranges[ranges.length - 1] = Math.max(last, end)
    else ranges.push(start, end)
  }
  return ranges
}

export class CalendarSync extends Effect.Service<CalendarSync>()("calendars/CalendarSync", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const box = yield* SecretBox
    const connections = yield* Connections
    const providers = yield* CalendarProviders
    const taken = yield* TakenTime
    const freed = yield* FreedTime
    const owners = yield* Owners
    const byKey = yield* OwnerByKey
    const { baseUrl } = yield* Settings
    const takenRows = rowsOf(Taken)
    const calendars = rowsOf(Calendar)
    const entries = rowsOf(Entry)
    const knownRows = rowsOf(Known)
    const ranges = rowsOf(Range)
    const uids = rowsOf(Schema.Struct({ uid: CalendarConnectionUid }))

    const take = Effect.fnUntraced(function* (owner: OrganisationUid, uid: CalendarConnectionUid) {
      const real = yield* realNow
      const now = yield* clock.now
      return yield* takenRows.first(sql`UPDATE calendar_connections c SET leased_until = to_timestamp(${real + LEASE})
        FROM doctors d WHERE d.organisation_uid = ${owner} AND d.uid = c.doctor_uid AND c.organisation_uid = ${owner} AND c.uid = ${uid}
          AND c.next_at <= to_timestamp(${now}) AND NOT c.paused AND c.deleted_at IS NULL AND c.connected_at IS NOT NULL
          AND (c.leased_until IS NULL OR c.leased_until < to_timestamp(${real}))
        RETURNING c.uid, c.doctor_uid, c.provider, c.access_sealed, extract(epoch FROM c.access_until)::bigint AS access_until,
          c.push_code_sealed, c.asked, d.timezone`)
    })

    /** The access, with a token that is good for another minute. */
    const accessOf = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      { uid, provider, access_sealed, access_until }: Taken
    ) {
      const access = yield* connections.openAccess(owner, uid, access_sealed)
      if (provider === "caldav" || (access_until ?? 0) > (yield* realNow) + MINUTE) return access
      const granting = providers.granting(provider)
      if (granting === undefined) return yield* new ProviderFailed({ reason: "refused" })
      return yield* connections.keepTokens(owner, uid, access, yield* granting.refresh(access.refresh_token))
    })

    /** Takes the foreign times of the calendars that are read. */
    const takeTimes = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      { uid, doctor_uid }: Pick<Taken, "uid" | "doctor_uid">
    ) {
      const times = yield* ranges.all(sql`SELECT t.start_date AS start, t.end_date AS "end" FROM connected_times t
        JOIN connected_calendars k ON k.organisation_uid = ${owner} AND k.connection_uid = ${uid} AND k.id = t.calendar_id AND k.reads
        WHERE t.organisation_uid = ${owner} AND t.connection_uid = ${uid} ORDER BY t.start_date`)
      yield* taken.put({ organisation_uid: owner, kind: CONNECTION, uid }, doctor_uid, merged(times))
    })

    const readCalendar = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      one: Taken,
      access: Access,
      calendar: Calendar
    ) {
      const now = yield* clock.now
      const own = sql`organisation_uid = ${owner} AND connection_uid = ${one.uid} AND calendar_id = ${calendar.id}`
      const there =
        yield* knownRows.all(sql`SELECT uid, entry_id FROM calendar_entries WHERE ${own} AND entry_id IS NOT NULL
        AND wanted AND NOT missing AND end_date > ${now}`)
      const asked = {
        calendar: calendar.id,
        token: calendar.is_stale ? null : calendar.token,
        from: now - DAYS_BACK * DAY,
        to: now + DAYS_AHEAD * DAY,
        now,
        timezone: one.timezone,
        own: "spr",
        known: there.flatMap(({ entry_id }) => entry_id ?? [])
      }
      const { changes } = providers[one.provider]
      const read = yield* Effect.catchIf(
        changes(access, asked),
        ({ reason }) => reason === "token_lost",
        () => changes(access, { ...asked, token: null })
      )
      const store = Effect.gen(function* () {
        const ids = read.entries.map(({ id }) => id)
        const keys = read.entries.flatMap(({ key }) => key ?? [])
        const known =
          yield* knownRows.all(sql`SELECT uid, entry_id FROM calendar_entries WHERE organisation_uid = ${owner}
          AND (entry_id = ANY (${ids}::text[]) OR uid = ANY (${keys}::text[]))`)
        const isOwn = ({ id, key }: (typeof read.entries)[number]) =>
          known.some(({ uid, entry_id }) => entry_id === id || uid === key)
        yield* sql`DELETE FROM connected_times WHERE ${own} AND (${read.isWhole} OR entry_id = ANY (${ids}::text[]))`
        const busy = read.entries.filter(
          (entry) =>
            !entry.isGone && entry.isBlocking && entry.end > entry.start && entry.end > asked.from && !isOwn(entry)
        )
        yield* sql`INSERT INTO connected_times (organisation_uid, connection_uid, calendar_id, entry_id, start_date, end_date)
          SELECT ${owner}, ${one.uid}, ${calendar.id}, * FROM unnest(${busy.map(({ id }) => id)}::text[],
            ${busy.map(({ start }) => start)}::bigint[], ${busy.map(({ end }) => end)}::bigint[]) ON CONFLICT DO NOTHING`
        const found = new Map(read.entries.map((entry) => [entry.id, entry]))
        const isGone = (id: string) => {
          const entry = found.get(id)
          return entry?.isGone === true || (read.isWhole && one.provider !== "caldav" && entry === undefined)
        }
        const gone = asked.known.filter(isGone)
        yield* sql`UPDATE calendar_entries SET missing = true, due_at = NULL, waiting_since = NULL
          WHERE ${own} AND entry_id = ANY (${gone}::text[]) AND wanted`
        const kept = read.entries.filter((entry) => !entry.isGone && asked.known.includes(entry.id))
        yield* sql`UPDATE calendar_entries e SET moved_to = nullif(t.start, e.start_date)
          FROM unnest(${kept.map(({ id }) => id)}::text[], ${kept.map(({ start }) => start)}::bigint[]) t (id, start)
          WHERE e.organisation_uid = ${owner} AND e.connection_uid = ${one.uid} AND e.entry_id = t.id AND e.done_version = e.version`
        const wait = calendar.is_subscribed ? PUSHED_INTERVAL : INTERVAL
        yield* sql`UPDATE connected_calendars SET token = ${read.token}, read_at = to_timestamp(${now + wait}),
            whole_at = CASE WHEN ${asked.token === null} THEN to_timestamp(${now}) ELSE whole_at END
          WHERE organisation_uid = ${owner} AND connection_uid = ${one.uid} AND id = ${calendar.id}`
        yield* sql`UPDATE calendar_connections SET last_read_at = to_timestamp(${now}), fault = NULL
          WHERE organisation_uid = ${owner} AND uid = ${one.uid} AND deleted_at IS NULL`
        yield* takeTimes(owner, one)
      }).pipe(Effect.orDie, transaction)
      yield* freed.around(owner, [one.doctor_uid], store)
    })

    /** The entry stands as this version wanted it; null: it was removed. */
    const done = (owner: OrganisationUid, one: Taken, entry: Entry, id: string | null) =>
      Effect.gen(function* () {
        const now = yield* clock.now
        const own = sql`organisation_uid = ${owner} AND connection_uid = ${one.uid}`
        if (id === null && !entry.wanted)
          yield* sql`DELETE FROM calendar_entries WHERE ${own} AND uid = ${entry.uid} AND version = ${entry.version}`
        yield* sql`UPDATE calendar_entries SET entry_id = ${id}, begun = ${id !== null}, moved_to = NULL, done_version = ${entry.version},
            due_at = CASE WHEN version > ${entry.version} THEN due_at END,
            waiting_since = CASE WHEN version > ${entry.version} THEN waiting_since END
          WHERE ${own} AND uid = ${entry.uid}`
        yield* sql`DELETE FROM connected_times WHERE ${own} AND entry_id = ${id}`
        yield* takeTimes(owner, one)
        yield* sql`UPDATE calendar_connections SET last_write_at = to_timestamp(${now}), fault = NULL
          WHERE organisation_uid = ${owner} AND uid = ${one.uid}`
      }).pipe(Effect.orDie, transaction)

    /** Writes one entry. A creation that was begun before is looked up first, so that none is made twice. */
    const writeEntry = Effect.fnUntraced(function* (owner: OrganisationUid, one: Taken, access: Access, entry: Entry) {
      const provider = providers[one.provider]
      const { uid: key, calendar_id: calendar, appointment_uid } = entry
      const url = `${baseUrl}/console/doctor/appointments/${appointment_uid}`
      const content = { key, title: TITLE, url, start: entry.start_date, end: entry.end_date }
      const mine = sql`organisation_uid = ${owner} AND connection_uid = ${one.uid} AND uid = ${key}`
      const id = entry.entry_id ?? (entry.begun ? yield* provider.find(access, calendar, key) : null)
      if (!entry.wanted) {
        if (id !== null) yield* provider.remove(access, calendar, id)
        return yield* done(owner, one, entry, null)
      }
      if (id === null) {
        yield* Effect.orDie(sql`UPDATE calendar_entries SET begun = true WHERE ${mine}`)
        return yield* done(owner, one, entry, yield* provider.create(access, calendar, content))
      }
      yield* provider.change(access, calendar, id, content).pipe(
        Effect.zipRight(done(owner, one, entry, id)),
        Effect.catchIf(
          ({ reason }) => reason === "absent",
          () =>
            Effect.orDie(
              sql`UPDATE calendar_entries SET missing = true, entry_id = ${id}, due_at = NULL, waiting_since = NULL WHERE ${mine}`
            )
        )
      )
    })

    /** Has the provider push changes, where it can. */
    const subscribe = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      one: Taken,
      access: Access,
      calendar: Calendar
    ) {
      if (one.provider === "caldav" || calendar.is_subscribed) return
      const granting = providers.granting(one.provider)
      if (!baseUrl.startsWith("https:") && granting?.isStandIn !== true) return
      const code = yield* box.open(placeOf(owner, one.uid, "push_code_sealed"), one.push_code_sealed)
      const address = `${baseUrl}/connect/calendar/${one.provider}/${code}`
      const made: Subscription | null = yield* Effect.catchIf(
        providers[one.provider].subscribe(access, calendar.id, address, code, yield* clock.now),
        // without it the calendar is asked every five minutes
        ({ reason }) => reason === "refused" || reason === "absent",
        () => Effect.succeed(null)
      )
      if (made !== null)
        yield* Effect.orDie(sql`UPDATE connected_calendars SET subscription = ${JSON.stringify({ id: made.id, resource: made.resource })}::jsonb,
            subscription_until = to_timestamp(${made.until})
          WHERE organisation_uid = ${owner} AND connection_uid = ${one.uid} AND id = ${calendar.id}`)
    })

    const work = Effect.fnUntraced(function* (owner: OrganisationUid, one: Taken) {
      const now = yield* clock.now
      const access = yield* accessOf(owner, one)
      const due =
        yield* entries.all(sql`SELECT uid, calendar_id, appointment_uid, start_date, end_date, wanted, version, begun, entry_id, missing
        FROM calendar_entries WHERE organisation_uid = ${owner} AND connection_uid = ${one.uid} AND due_at <= to_timestamp(${now})
        ORDER BY due_at, uid LIMIT 200`)
      for (const entry of due) yield* writeEntry(owner, one, access, entry)
      const used =
        yield* calendars.all(sql`SELECT id, reads, writes, token, subscription, read_at <= to_timestamp(${now}) AS is_due,
          coalesce(whole_at < to_timestamp(${now - DAY}), true) AS is_stale,
          coalesce(subscription_until > to_timestamp(${now + RENEWED}), false) AS is_subscribed
        FROM connected_calendars WHERE organisation_uid = ${owner} AND connection_uid = ${one.uid} AND (reads OR writes) ORDER BY position`)
      for (const calendar of used) {
        yield* subscribe(owner, one, access, calendar)
        if (calendar.is_due) yield* readCalendar(owner, one, access, calendar)
      }
    })

    /** Ends the lease, unless more was asked for meanwhile: then it is worked on again. */
    const release = (owner: OrganisationUid, one: Taken, failed: ProviderFailed | undefined) =>
      Effect.gen(function* () {
        const now = yield* clock.now
        const mine = sql`organisation_uid = ${owner} AND uid = ${one.uid}`
        if (failed === undefined)
          return yield* sql`UPDATE calendar_connections SET leased_until = NULL, next_at = CASE WHEN asked > ${one.asked} THEN next_at ELSE
            least((SELECT min(due_at) FROM calendar_entries WHERE organisation_uid = ${owner} AND connection_uid = ${one.uid}),
              (SELECT min(read_at) FROM connected_calendars WHERE organisation_uid = ${owner} AND connection_uid = ${one.uid} AND (reads OR writes)))
            END WHERE ${mine} AND deleted_at IS NULL`
        const { reason, after = MINUTE } = failed
        const isLost = reason === "grant"
        return yield* sql`UPDATE calendar_connections SET leased_until = NULL, paused = ${isLost}, fault = ${reason === "token_lost" || reason === "absent" ? "refused" : reason},
            next_at = CASE WHEN ${isLost} THEN NULL ELSE to_timestamp(${now + after}) END WHERE ${mine} AND deleted_at IS NULL`
      }).pipe(Effect.orDie)

    /** Reads and writes what is due of one connection. */
    const sync = Effect.fn("CalendarSync.sync")(function* (owner: OrganisationUid, uid: CalendarConnectionUid) {
      for (;;) {
        const one = yield* take(owner, uid)
        if (Option.isNone(one)) return
        const failed = yield* Effect.match(work(owner, one.value), {
          onFailure: (error) => error,
          onSuccess: () => undefined
        })
        yield* release(owner, one.value, failed)
        if (failed !== undefined) return
      }
    })

    const syncDue = Effect.fn("CalendarSync.syncDue")(function* () {
      const now = yield* clock.now
      return yield* owners.eachDue("calendar_connections", now, (owner) =>
        Effect.gen(function* () {
          const due = yield* uids.all(sql`SELECT uid FROM calendar_connections WHERE organisation_uid = ${owner}
            AND next_at <= to_timestamp(${now}) ORDER BY next_at LIMIT 100`)
          yield* Effect.forEach(due, ({ uid }) => sync(owner, uid), { concurrency: 4, discard: true })
          return due.length
        })
      )
    })

    /** Ends subscriptions and the grant of a deleted connection, and forgets its tokens. */
    const forget = Effect.fn("CalendarSync.forget")(function* (owner: OrganisationUid, uid: CalendarConnectionUid) {
      const found = yield* takenRows.first(sql`SELECT c.uid, c.doctor_uid, c.provider, c.access_sealed,
          extract(epoch FROM c.access_until)::bigint AS access_until, c.push_code_sealed, c.asked, d.timezone
        FROM calendar_connections c JOIN doctors d ON d.organisation_uid = ${owner} AND d.uid = c.doctor_uid
        WHERE c.organisation_uid = ${owner} AND c.uid = ${uid} AND c.deleted_at IS NOT NULL AND c.access_sealed IS NOT NULL`)
      if (Option.isNone(found)) return
      const one = found.value
      const { provider } = one
      if (provider !== "caldav") {
        const subscribed =
          yield* calendars.all(sql`SELECT id, reads, writes, token, subscription, false AS is_due, false AS is_stale,
          true AS is_subscribed FROM connected_calendars
          WHERE organisation_uid = ${owner} AND connection_uid = ${uid} AND subscription IS NOT NULL`)
        const ended = Effect.gen(function* () {
          const access = yield* accessOf(owner, one)
          for (const { subscription } of subscribed)
            if (subscription !== null) yield* providers[provider].unsubscribe(access, subscription)
          yield* providers.granting(provider)?.revoke(access.refresh_token) ?? Effect.void
        })
        // a grant that is lost has nothing to end
        yield* Effect.catchIf(
          ended,
          ({ reason }) => reason === "grant" || reason === "refused",
          () => Effect.void
        )
      }
      yield* Effect.orDie(
        sql`UPDATE calendar_connections SET access_sealed = NULL WHERE organisation_uid = ${owner} AND uid = ${uid}`
      )
      yield* Effect.orDie(
        sql`DELETE FROM connected_times WHERE organisation_uid = ${owner} AND connection_uid = ${uid}`
      )
    })

    /** A push of the provider with this code: its calendars are read now. Fails with `CalendarConnectionNotFound`. */
    const pushed = Effect.fn("CalendarSync.pushed")((code: string) => {
      const missing = () => new CalendarConnectionNotFound()
      return byKey.within(tagKey(code), missing, (owner) =>
        Effect.gen(function* () {
          const now = yield* clock.now
          const { uid } = yield* uids.firstOr(
            sql`SELECT uid FROM calendar_connections WHERE organisation_uid = ${owner} AND push_hash = ${hashOf(code)} AND deleted_at IS NULL`,
            missing
          )
          yield* Effect.orDie(sql`UPDATE connected_calendars SET read_at = to_timestamp(${now})
            WHERE organisation_uid = ${owner} AND connection_uid = ${uid}`)
          yield* connections.ask(owner, uid)
        }).pipe(transaction)
      )
    })

    const askAll = (owner: OrganisationUid, found: ReadonlyArray<{ readonly uid: CalendarConnectionUid }>) =>
      Effect.forEach(new Set(found.map(({ uid }) => uid)), (uid) => connections.ask(owner, uid), { discard: true })

    /** Appointments that are confirmed: their entries are made, or those that they replace are changed. */
    const confirmed = Effect.fnUntraced(function* (facts: ReadonlyArray<BookingFact>) {
      const now = yield* clock.now
      for (const {
        organisation_uid: owner,
        uid,
        previous_meeting_uid,
        doctor_uid,
        further_doctor_uids,
        start_date,
        end_date
      } of facts) {
        const changed =
          previous_meeting_uid === null
            ? []
            : yield* uids.all(sql`UPDATE calendar_entries SET appointment_uid = ${uid}, start_date = ${start_date}, end_date = ${end_date},
                wanted = true, version = version + 1, moved_to = NULL, due_at = CASE WHEN NOT missing THEN to_timestamp(${now}) END,
                waiting_since = CASE WHEN NOT missing THEN coalesce(waiting_since, to_timestamp(${now})) END
              WHERE organisation_uid = ${owner} AND appointment_uid = ${previous_meeting_uid}
                AND doctor_uid = ANY (${[doctor_uid, ...further_doctor_uids]}::text[]) RETURNING connection_uid AS uid`)
        const made = yield* uids.all(sql`${insertion(sql, now)} AND a.organisation_uid = ${owner} AND a.uid = ${uid}
          AND NOT EXISTS (SELECT FROM calendar_entries x WHERE x.organisation_uid = ${owner} AND x.connection_uid = c.uid
            AND x.appointment_uid = a.uid) ${wantedAgain(sql)} RETURNING connection_uid AS uid`)
        yield* askAll(owner, [...changed, ...made])
      }
    })

    /** Appointments that give back their time: their entries are removed. */
    const released = Effect.fnUntraced(function* (facts: ReadonlyArray<BookingFact>) {
      const now = yield* clock.now
      const ended = facts.filter(({ confirmed_at }) => confirmed_at !== null)
      const [first] = ended
      if (first === undefined) return
      const owner = first.organisation_uid
      const found =
        yield* uids.all(sql`UPDATE calendar_entries SET wanted = false, version = version + 1, due_at = to_timestamp(${now}),
          waiting_since = coalesce(waiting_since, to_timestamp(${now}))
        WHERE organisation_uid = ${owner} AND appointment_uid = ANY (${ended.map(({ uid }) => uid)}::text[]) AND wanted
        RETURNING connection_uid AS uid`)
      yield* askAll(owner, found)
    })
    return { sync, syncDue, forget, pushed, confirmed, released } as const
  }),
  dependencies: [Connections.Default, TakenTime.Default, FreedTime.Default, OwnerByKey.Default]
}) {}
