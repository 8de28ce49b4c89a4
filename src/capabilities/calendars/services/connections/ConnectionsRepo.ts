/** Doctors' connections and their calendars; the only writer of their tables. Rule 3.15. */
import { Effect, Option, Schema } from "effect"
import { DoctorUid, type OrganisationUid } from "../../../../schemas/ids.ts"
import type { ListQuery } from "../../../../schemas/paging.ts"
import { MINUTE } from "../../../../schemas/seconds.ts"
import { DomainClock, realNow } from "../../../../services/DomainClock.ts"
import { changedSince } from "../../../../services/database/changedSince.ts"
import { any, columnsOf, done, rowsOf } from "../../../../services/database/rows.ts"
import { Sql } from "../../../../services/database/Sql.ts"
import { timestamp } from "../../../../services/database/SqlErrors.ts"
import { type Place, SecretBox } from "../../../../services/sealing/SecretBox.ts"
import { hashOf, newCodeOf } from "../../../../services/uid.ts"
import {
  CalendarConnection,
  CalendarConnectionNotFound,
  CalendarConnectionUid,
  ConnectedCalendar,
  type ConnectionFault,
  connectionFaults,
  type ProviderName,
  providers
} from "../../schemas/connections/CalendarConnection.ts"
import type { Access, FoundCalendar, Subscription, Tokens } from "./CalendarProviders.ts"

/** Real seconds for which a process has a connection. */
export const LEASE = 3 * MINUTE

const Stored = Schema.Struct({
  uid: CalendarConnectionUid,
  ...CalendarConnection.pick("provider", "account", "last_read_at", "last_write_at", "created_at", "updated_at").fields,
  fault: Schema.NullOr(Schema.String),
  calendars: Schema.Array(ConnectedCalendar)
})
const Attempt = Schema.Struct({ uid: CalendarConnectionUid, verifier_sealed: Schema.String })
/** A connection that a process works on. */
const Leased = Schema.Struct({
  uid: CalendarConnectionUid,
  doctor_uid: DoctorUid,
  provider: Schema.Literal(...providers),
  account: Schema.String,
  access_sealed: Schema.NullOr(Schema.String),
  access_until: Schema.NullOr(Schema.Number),
  push_code_sealed: Schema.String,
  asked: Schema.Number,
  is_connected: Schema.Boolean,
  deleted_at: Schema.NullOr(Schema.Number),
  leased_until: Schema.Number,
  timezone: Schema.String
})
export type Leased = typeof Leased.Type

/** A calendar in use, or with a subscription that is not needed any more. */
const UsedCalendar = Schema.Struct({
  id: Schema.String,
  reads: Schema.Boolean,
  writes: Schema.Boolean,
  token: Schema.NullOr(Schema.String),
  whole_at: Schema.NullOr(Schema.Number),
  read_at: Schema.NullOr(Schema.Number),
  subscription: Schema.NullOr(Schema.Struct({ id: Schema.String, resource: Schema.String })),
  subscription_until: Schema.NullOr(Schema.Number)
})
export type UsedCalendar = typeof UsedCalendar.Type

const AccessText = Schema.parseJson(
  Schema.Struct({
    access_token: Schema.String,
    refresh_token: Schema.String,
    url: Schema.String,
    username: Schema.String,
    password: Schema.String
  })
)
export const noAccess: Access = { access_token: "", refresh_token: "", url: "", username: "", password: "" }
const openAccess = Schema.decodeSync(AccessText)
const accessText = Schema.encodeSync(AccessText)

type Column = "access_sealed" | "verifier_sealed" | "push_code_sealed"
const placeOf = (owner: string, uid: string, column: Column): Place => ({
  table: "calendar_connections",
  column,
  row: [owner, uid]
})

const isFault = (text: string): text is ConnectionFault => Object.hasOwn(connectionFaults, text)
const shown = ({ fault, ...stored }: typeof Stored.Type): CalendarConnection => ({
  ...stored,
  status: fault !== null ? "failing" : stored.last_read_at === null ? "waiting" : "current",
  last_error: fault === null ? null : isFault(fault) ? connectionFaults[fault] : fault
})
const notFound = () => new CalendarConnectionNotFound()

export class ConnectionsRepo extends Effect.Service<ConnectionsRepo>()("calendars/ConnectionsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const box = yield* SecretBox
    const stored = rowsOf(Stored)
    const attempts = rowsOf(Attempt)
    const leased = rowsOf(Leased)
    const used = rowsOf(UsedCalendar)
    const uids = rowsOf(Schema.Struct({ uid: CalendarConnectionUid }))
    const pushedOnes = rowsOf(Schema.Struct({ uid: CalendarConnectionUid, hash: Schema.String }))
    const writers = rowsOf(
      Schema.Struct({ connection_uid: CalendarConnectionUid, doctor_uid: DoctorUid, calendar_id: Schema.String })
    )
    const columns = sql.literal(columnsOf(Stored.omit("calendars"), "c"))
    const own = (owner: OrganisationUid, uid: string) => sql`organisation_uid = ${owner} AND uid = ${uid}`
    const calendarsOf = (owner: OrganisationUid, uid: string) =>
      sql`organisation_uid = ${owner} AND connection_uid = ${uid}`

    /** Finished ones of the doctor. */
    const ofDoctor = (owner: OrganisationUid, doctor: DoctorUid) =>
      sql`c.organisation_uid = ${owner} AND c.doctor_uid = ${doctor} AND c.deleted_at IS NULL AND c.connected_at IS NOT NULL`
    const selected = (owner: OrganisationUid) =>
      sql`SELECT ${columns}, (SELECT coalesce(json_agg(json_build_object('id', k.id, 'name', k.name,
          'reads', k.reads, 'writes', k.writes) ORDER BY k.position), '[]') FROM connected_calendars k
          WHERE k.organisation_uid = ${owner} AND k.connection_uid = c.uid) AS calendars
        FROM calendar_connections c`

    /** By creation. */
    const list = (owner: OrganisationUid, doctor: DoctorUid, query: ListQuery) =>
      Effect.map(
        stored.all(sql`${selected(owner)} WHERE ${sql.and([ofDoctor(owner, doctor), ...changedSince(sql, query)])}
          ORDER BY c.created_at, c.uid`),
        (rows) => rows.map(shown)
      )
    const one =
      (locking = sql``) =>
      (owner: OrganisationUid, doctor: DoctorUid, uid: CalendarConnectionUid) =>
        Effect.map(
          stored.firstOr(
            sql`${selected(owner)} WHERE ${ofDoctor(owner, doctor)} AND c.uid = ${uid} ${locking}`,
            notFound
          ),
          shown
        )

    /** Adds an attempt to connect, which ends at a time unless it is finished before. */
    const insert = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      {
        uid,
        provider,
        ends
      }: { readonly uid: CalendarConnectionUid; readonly provider: ProviderName; readonly ends: number },
      secrets?: { readonly state: string; readonly verifier: string }
    ) {
      const now = timestamp(yield* clock.now)
      const code = yield* newCodeOf("cps", owner)
      yield* done(
        sql`INSERT INTO calendar_connections ${sql.insert({
          organisation_uid: owner,
          uid,
          doctor_uid: doctor,
          provider,
          push_hash: hashOf(code),
          push_code_sealed: yield* box.seal(placeOf(owner, uid, "push_code_sealed"), code),
          next_at: timestamp(ends),
          created_at: now,
          updated_at: now,
          ...(secrets !== undefined && {
            state_hash: hashOf(secrets.state),
            verifier_sealed: yield* box.seal(placeOf(owner, uid, "verifier_sealed"), secrets.verifier)
          })
        })}`
      )
    })

    /** Uses up the state of an attempt that has not ended; none: it is another's, used, or over. */
    const useState = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      provider: ProviderName,
      state: string
    ) {
      const now = yield* clock.now
      const found = yield* attempts.first(sql`UPDATE calendar_connections SET state_hash = NULL
        WHERE organisation_uid = ${owner} AND doctor_uid = ${doctor} AND provider = ${provider} AND state_hash = ${hashOf(state)}
          AND next_at > to_timestamp(${now}) AND connected_at IS NULL RETURNING uid, verifier_sealed`)
      if (Option.isNone(found)) return Option.none()
      const { uid, verifier_sealed } = found.value
      return Option.some({ uid, verifier: yield* box.open(placeOf(owner, uid, "verifier_sealed"), verifier_sealed) })
    })

    /** The doctor's connection to this account, which another permission renews. */
    const ofAccount = (owner: OrganisationUid, doctor: DoctorUid, provider: ProviderName, account: string) =>
      uids.first(sql`SELECT c.uid FROM calendar_connections c
        WHERE ${ofDoctor(owner, doctor)} AND c.provider = ${provider} AND c.account = ${account} LIMIT 1`)

    /** Stores what gives access, until a real time. Only where the connection still is. */
    const keepAccess = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      uid: CalendarConnectionUid,
      access: Access,
      until: number | null
    ) {
      const sealed = yield* box.seal(placeOf(owner, uid, "access_sealed"), accessText(access))
      yield* done(sql`UPDATE calendar_connections SET access_sealed = ${sealed}, access_until = to_timestamp(${until})
        WHERE ${own(owner, uid)}`)
    })
    /** The same of new tokens. */
    const keepTokens = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      uid: CalendarConnectionUid,
      before: Access,
      { access_token, refresh_token = before.refresh_token, expires_in }: Tokens
    ) {
      const access = { ...before, access_token, refresh_token }
      yield* keepAccess(owner, uid, access, (yield* realNow) + expires_in)
      return access
    })

    /** It is connected; its calendars are those found, and a known one stays as it is. The first is read. */
    const connect = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      uid: CalendarConnectionUid,
      account: string,
      found: ReadonlyArray<FoundCalendar>
    ) {
      const now = yield* clock.now
      yield* done(sql`UPDATE calendar_connections SET connected_at = coalesce(connected_at, to_timestamp(${now})),
          updated_at = to_timestamp(${now}), account = ${account}, verifier_sealed = NULL, fault = NULL, rests_until = NULL
        WHERE ${own(owner, uid)}`)
      const known =
        yield* used.all(sql`SELECT id, reads, writes, token, NULL AS whole_at, NULL AS read_at, NULL AS subscription,
        NULL AS subscription_until FROM connected_calendars WHERE ${calendarsOf(owner, uid)}`)
      const ordered = found.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault))
      const rows = ordered.map(({ id, name }, position) => ({
        organisation_uid: owner,
        connection_uid: uid,
        id,
        name,
        position,
        reads: known.length === 0 && position === 0,
        writes: false,
        read_at: timestamp(now)
      }))
      if (rows.length === 0) return
      yield* done(sql`INSERT INTO connected_calendars ${sql.insert(rows)} ON CONFLICT (organisation_uid, connection_uid, id)
        DO UPDATE SET name = excluded.name, position = excluded.position, read_at = excluded.read_at`)
    })

    /** Has them read and written now, or once their providers no longer ask them to rest. Returns those that are connected. */
    const ask = Effect.fnUntraced(function* (owner: OrganisationUid, asked: ReadonlyArray<string>) {
      const now = timestamp(yield* clock.now)
      return yield* uids.all(sql`UPDATE calendar_connections
        SET asked = asked + 1, next_at = greatest(${now}::timestamptz, rests_until)
        WHERE organisation_uid = ${owner} AND uid = ANY (${[...asked]}::text[]) AND connected_at IS NOT NULL
          AND fault IS DISTINCT FROM 'grant' RETURNING uid`)
    })

    const choose = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      uid: CalendarConnectionUid,
      changed: ReadonlyArray<ConnectedCalendar>
    ) {
      const now = yield* clock.now
      // the one that is not written any more first: one is written at most
      for (const { id, reads, writes } of changed.toSorted((a, b) => Number(a.writes) - Number(b.writes)))
        yield* done(sql`UPDATE connected_calendars SET reads = ${reads}, writes = ${writes}, token = NULL,
          read_at = to_timestamp(${now}) WHERE ${calendarsOf(owner, uid)} AND id = ${id}`)
      yield* done(sql`UPDATE calendar_connections SET updated_at = to_timestamp(${now}) WHERE ${own(owner, uid)}`)
    })

    /** Deletes it; what is left to do at the provider is done by the next work on it. */
    const remove = Effect.fnUntraced(function* (owner: OrganisationUid, doctor: DoctorUid, uid: CalendarConnectionUid) {
      const now = yield* clock.now
      return yield* any(sql`UPDATE calendar_connections c SET deleted_at = to_timestamp(${now}), next_at = to_timestamp(${now}),
        asked = asked + 1 WHERE ${ofDoctor(owner, doctor)} AND c.uid = ${uid} RETURNING uid`)
    })

    const written = (owner: OrganisationUid, doctors: ReadonlyArray<DoctorUid>) =>
      sql`FROM calendar_connections c JOIN connected_calendars k ON k.organisation_uid = ${owner} AND k.connection_uid = c.uid AND k.writes
        WHERE c.organisation_uid = ${owner} AND c.doctor_uid = ANY (${[...doctors]}::text[]) AND c.deleted_at IS NULL`
    /** The calendars into which appointments of these doctors are written. */
    const writing = (owner: OrganisationUid, doctors: ReadonlyArray<DoctorUid>) =>
      writers.all(sql`SELECT c.uid AS connection_uid, c.doctor_uid, k.id AS calendar_id ${written(owner, doctors)}`)
    const isAnyWritten = (owner: OrganisationUid, doctors: ReadonlyArray<DoctorUid>) =>
      sql`EXISTS (SELECT ${written(owner, doctors)})`

    /** Those that are due, the longest waiting first. */
    const due = Effect.fnUntraced(function* (owner: OrganisationUid, limit: number) {
      const now = yield* clock.now
      const real = yield* realNow
      return yield* uids.all(sql`SELECT uid FROM calendar_connections WHERE organisation_uid = ${owner}
        AND next_at <= to_timestamp(${now}) AND coalesce(leased_until < to_timestamp(${real}), true) ORDER BY next_at LIMIT ${limit}`)
    })

    /** Takes a connection that is due and that no process works on. */
    const take = Effect.fnUntraced(function* (owner: OrganisationUid, uid: CalendarConnectionUid) {
      const real = yield* realNow
      const now = yield* clock.now
      return yield* leased.first(sql`UPDATE calendar_connections c SET leased_until = to_timestamp(${real + LEASE})
        FROM doctors d WHERE d.organisation_uid = ${owner} AND d.uid = c.doctor_uid AND c.organisation_uid = ${owner} AND c.uid = ${uid}
          AND c.next_at <= to_timestamp(${now}) AND coalesce(c.leased_until < to_timestamp(${real}), true)
        RETURNING c.uid, c.doctor_uid, c.provider, c.account, c.access_sealed, extract(epoch FROM c.access_until)::bigint AS access_until,
          c.push_code_sealed, c.asked, c.connected_at IS NOT NULL AS is_connected, extract(epoch FROM c.deleted_at)::bigint AS deleted_at,
          ${real + LEASE}::bigint AS leased_until, d.timezone`)
    })

    /** The calendars in use, and those with a subscription. */
    const calendars = (owner: OrganisationUid, uid: CalendarConnectionUid) =>
      used.all(sql`SELECT id, reads, writes, token, extract(epoch FROM whole_at)::bigint AS whole_at,
          extract(epoch FROM read_at)::bigint AS read_at, subscription, extract(epoch FROM subscription_until)::bigint AS subscription_until
        FROM connected_calendars WHERE ${calendarsOf(owner, uid)} AND (reads OR writes OR subscription IS NOT NULL) ORDER BY position`)

    /** Whether nothing was asked for since it was taken; locked until the transaction ends. */
    const isAsTaken = (owner: OrganisationUid, { uid, asked }: Leased) =>
      any(sql`SELECT 1 FROM calendar_connections WHERE ${own(owner, uid)} AND asked = ${asked} FOR NO KEY UPDATE`)

    /** A calendar was read, and is again at a time. `token`: of the changes after it; undefined: it could not be read. */
    const noteReading = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      uid: CalendarConnectionUid,
      { id }: Pick<UsedCalendar, "id">,
      next: number,
      read?: { readonly token: string | null; readonly isWhole: boolean }
    ) {
      const now = yield* clock.now
      yield* done(sql`UPDATE connected_calendars SET read_at = to_timestamp(${next}) ${
        read === undefined ? sql`` : sql`, token = ${read.token}`
      } ${read?.isWhole === true ? sql`, whole_at = to_timestamp(${now})` : sql``}
        WHERE ${calendarsOf(owner, uid)} AND id = ${id}`)
      if (read !== undefined)
        yield* done(sql`UPDATE calendar_connections SET last_read_at = to_timestamp(${now}) WHERE ${own(owner, uid)}`)
    })

    const noteWriting = (owner: OrganisationUid, uid: CalendarConnectionUid) =>
      Effect.flatMap(clock.now, (now) =>
        done(sql`UPDATE calendar_connections SET last_write_at = to_timestamp(${now}) WHERE ${own(owner, uid)}`)
      )

    const keepSubscription = (
      owner: OrganisationUid,
      uid: CalendarConnectionUid,
      { id }: Pick<UsedCalendar, "id">,
      made: Subscription | null
    ) =>
      done(sql`UPDATE connected_calendars
        SET subscription = ${made && JSON.stringify({ id: made.id, resource: made.resource })}::jsonb,
          subscription_until = to_timestamp(${made?.until ?? null}) WHERE ${calendarsOf(owner, uid)} AND id = ${id}`)

    /** The secret in the address that the provider calls. */
    const pushCode = (owner: OrganisationUid, { uid, push_code_sealed }: Leased) =>
      box.open(placeOf(owner, uid, "push_code_sealed"), push_code_sealed)

    /** Pushes: the calendars of these connections are due. Returns those that there are, locked until the transaction ends. */
    const pushed = Effect.fnUntraced(function* (owner: OrganisationUid, codes: ReadonlyArray<string>) {
      const now = yield* clock.now
      const byHash = new Map(codes.map((code) => [hashOf(code).toString("hex"), code]))
      const found = yield* pushedOnes.all(sql`SELECT uid, encode(push_hash, 'hex') AS hash FROM calendar_connections
        WHERE organisation_uid = ${owner} AND push_hash IN ${sql.in([...byHash.values()].map(hashOf))} AND deleted_at IS NULL
        ORDER BY uid FOR NO KEY UPDATE`)
      yield* done(sql`UPDATE connected_calendars SET read_at = to_timestamp(${now})
        WHERE organisation_uid = ${owner} AND connection_uid = ANY (${found.map(({ uid }) => uid)}::text[])`)
      return found.map(({ uid, hash }) => ({ uid, code: byHash.get(hash) ?? "" }))
    })

    /**
     * Ends the work on it. It is due at `next`, or, where more was asked for meanwhile, at once. `rests`: the provider asks for nothing
     * before that time.
     */
    const release = (
      owner: OrganisationUid,
      { uid, asked, leased_until }: Leased,
      fault: ConnectionFault | null,
      next: number | null,
      rests = false
    ) =>
      done(sql`UPDATE calendar_connections SET leased_until = NULL, fault = ${fault},
          rests_until = ${rests ? sql`to_timestamp(${next})` : sql`NULL`},
          next_at = CASE WHEN deleted_at IS NOT NULL THEN next_at
            WHEN asked > ${asked} AND ${!rests && next !== null} THEN least(next_at, to_timestamp(${next}))
            ELSE to_timestamp(${next}) END
        WHERE ${own(owner, uid)} AND leased_until = to_timestamp(${leased_until})`)

    /** What was left to do at the provider is done: nothing secret stays. */
    const forget = (owner: OrganisationUid, uid: CalendarConnectionUid) =>
      done(
        sql`UPDATE calendar_connections SET access_sealed = NULL, leased_until = NULL, next_at = NULL WHERE ${own(owner, uid)}`
      )
    /** The same later. */
    const forgetLater = (owner: OrganisationUid, uid: CalendarConnectionUid, next: number) =>
      done(
        sql`UPDATE calendar_connections SET leased_until = NULL, next_at = to_timestamp(${next}) WHERE ${own(owner, uid)}`
      )
    /** An attempt is over. */
    const drop = (owner: OrganisationUid, uid: CalendarConnectionUid) =>
      done(sql`DELETE FROM calendar_connections WHERE ${own(owner, uid)} AND connected_at IS NULL`)

    return {
      list,
      get: one(),
      /** As `get`, locked until the transaction ends. */
      findForChange: one(sql`FOR NO KEY UPDATE OF c`),
      insert,
      useState,
      ofAccount,
      keepAccess,
      keepTokens,
      openAccess: (owner: OrganisationUid, uid: CalendarConnectionUid, sealed: string) =>
        Effect.map(box.open(placeOf(owner, uid, "access_sealed"), sealed), openAccess),
      connect,
      ask,
      choose,
      remove,
      writing,
      isAnyWritten,
      due,
      take,
      calendars,
      isAsTaken,
      noteReading,
      noteWriting,
      keepSubscription,
      pushCode,
      pushed,
      release,
      forget,
      forgetLater,
      drop
    } as const
  })
}) {}
