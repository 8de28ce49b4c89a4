/** Connections of doctors to their own calendars: settings, the grant, and its end. Rule 3.14. */
import { createHash, randomBytes } from "node:crypto"
import { Effect, Option, Schema } from "effect"
import { Settings } from "../../../../config.ts"
import { isNothing } from "../../../../schemas/fields.ts"
import { DoctorUid, OrganisationUid } from "../../../../schemas/ids.ts"
import type { ListQuery } from "../../../../schemas/paging.ts"
import { invalid } from "../../../../schemas/problems.ts"
import { MINUTE } from "../../../../schemas/seconds.ts"
import { DomainClock, realNow } from "../../../../services/DomainClock.ts"
import { changedSince } from "../../../../services/database/changedSince.ts"
import { Database } from "../../../../services/database/Database.ts"
import { anyOr, columnsOf, rowsOf } from "../../../../services/database/rows.ts"
import { Sql } from "../../../../services/database/Sql.ts"
import { timestamp } from "../../../../services/database/SqlErrors.ts"
import { Jobs } from "../../../../services/queue/Jobs.ts"
import { queue } from "../../../../services/queue/queues.ts"
import { FreedTime } from "../../../../services/scheduling/booking/FreedTime.ts"
import { TakenTime } from "../../../../services/scheduling/booking/TakenTime.ts"
import { Doctors } from "../../../../services/scheduling/practice/Doctors.ts"
import { type Place, SecretBox } from "../../../../services/sealing/SecretBox.ts"
import { hashOf, newCodeOf, newUid } from "../../../../services/uid.ts"
import {
  CalendarConnection,
  type CalendarConnectionChanges,
  CalendarConnectionNotFound,
  CalendarConnectionUid,
  ConnectedCalendar,
  connectionFaults,
  type CreatedConnection,
  type GrantingProvider,
  type NewCalendarConnection
} from "../../schemas/connections/CalendarConnection.ts"
import { type Access, CalendarProviders, type FoundCalendar, type Tokens } from "./CalendarProviders.ts"
import { futureEntries } from "./entryRows.ts"

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
    const list = Effect.fn("Connections.list")(function* (owner: OrganisationUid, doctor: DoctorUid, query: ListQuery = {}) {
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
      yield* Effect.orDie(sql`INSERT INTO calendar_connections ${sql.insert({
        organisation_uid: owner,
        uid,
        doctor_uid: doctor,
        push_hash: hashOf(code),
        push_code_sealed: yield* box.seal(placeOf(owner, uid, "push_code_sealed"), code),
        created_at: now,
        updated_at: now,
        ...row
      })}`)
    })

    /** The calendars of the account, of which the first is read. */
    const keepCalendars = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      uid: CalendarConnectionUid,
      found: ReadonlyArray<FoundCalendar>
    ) {
      const now = timestamp(yield* clock.now)
      const ordered = found.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault))
      yield* Effect.orDie(sql`INSERT INTO connected_calendars ${sql.insert(
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
      )}`)
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
