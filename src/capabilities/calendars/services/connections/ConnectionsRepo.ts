/** Doctors' connections and their calendars; the only writer of their tables. Rule 3.15. */
import type { Statement } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import { DoctorUid, OrganisationUid } from "../../../../schemas/ids.ts"
import type { ListQuery } from "../../../../schemas/paging.ts"
import { MINUTE } from "../../../../schemas/seconds.ts"
import { DomainClock, realNow } from "../../../../services/DomainClock.ts"
import { changedSince } from "../../../../services/database/changedSince.ts"
import { any, columnsOf, done, rowsOf } from "../../../../services/database/rows.ts"
import { Sql } from "../../../../services/database/Sql.ts"
import { timestamp } from "../../../../services/database/SqlErrors.ts"
import { type Place, SecretBox } from "../../../../services/sealing/SecretBox.ts"
import { hashOf, newCodeOf } from "../../../../services/uid.ts"
import { statusOf } from "../../schemas/BusySource.ts"
import {
  CalendarConnection,
  CalendarConnectionNotFound,
  CalendarConnectionUid,
  ConnectedCalendar,
  ConnectionFault,
  connectionFaults,
  type ProviderName
} from "../../schemas/connections/CalendarConnection.ts"
import { type Access, type FoundCalendar, SealedAccess, type Subscription } from "./CalendarProviders.ts"

/** Real seconds for which a process has a connection. */
export const LEASE = 3 * MINUTE

const { uid, provider, account, last_read_at, last_write_at, created_at, updated_at } = CalendarConnection.fields
const time = Schema.NullOr(Schema.Number)
const Key = Schema.Struct({ organisation_uid: OrganisationUid, uid })
/** A connection of an organisation. */
export type ConnectionKey = typeof Key.Type
/** What of another table belongs to it. */
export const ofConnection =
  (sql: Sql) =>
  ({ organisation_uid, uid }: ConnectionKey) =>
    sql`organisation_uid = ${organisation_uid} AND connection_uid = ${uid}`
const Stored = Schema.Struct({
  ...{ uid, provider, account, last_read_at, last_write_at, created_at, updated_at },
  fault: Schema.NullOr(ConnectionFault),
  calendars: Schema.Array(ConnectedCalendar)
})
/** A connection that a process works on. */
const Leased = Schema.Struct({
  ...{ ...Key.fields, doctor_uid: DoctorUid, provider, account },
  push_code_sealed: Schema.String,
  asked: Schema.Number,
  connected_at: time,
  deleted_at: time,
  leased_until: Schema.Number
})
const LeasedInZone = Schema.Struct({ ...Leased.fields, timezone: Schema.String })
export type Leased = typeof LeasedInZone.Type

/** A calendar in use, or with a subscription that is not needed any more. */
const UsedCalendar = Schema.Struct({
  ...ConnectedCalendar.pick("reads", "writes").fields,
  id: Schema.String,
  token: Schema.NullOr(Schema.String),
  ...{ whole_at: time, read_at: time, subscription_until: time },
  subscription: Schema.NullOr(Schema.Struct({ id: Schema.String, resource: Schema.String }))
})
export type UsedCalendar = typeof UsedCalendar.Type

const AccessText = Schema.parseJson(SealedAccess)
const openAccess = Schema.decodeSync(AccessText)
const accessText = Schema.encodeSync(AccessText)

type Column = "access_sealed" | "verifier_sealed" | "push_code_sealed"
const placeOf = ({ organisation_uid, uid }: ConnectionKey, column: Column): Place => ({
  table: "calendar_connections",
  column,
  row: [organisation_uid, uid]
})

const shown = ({ fault, ...stored }: typeof Stored.Type): CalendarConnection => ({
  ...stored,
  status: statusOf(fault, stored.last_read_at),
  last_error: fault && connectionFaults[fault]
})
const notFound = () => new CalendarConnectionNotFound()

export class ConnectionsRepo extends Effect.Service<ConnectionsRepo>()("calendars/ConnectionsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const box = yield* SecretBox
    const stored = rowsOf(Stored)
    const attempts = rowsOf(Schema.Struct({ ...Key.fields, verifier_sealed: Schema.String }))
    const leased = rowsOf(LeasedInZone)
    const accesses = rowsOf(Schema.Struct({ access_sealed: Schema.String, access_until: time }))
    const used = rowsOf(UsedCalendar)
    const uids = rowsOf(Key.pick("uid"))
    const pushedOnes = rowsOf(Schema.Struct({ uid, hash: Schema.String }))
    const writers = rowsOf(
      Schema.Struct({ connection_uid: CalendarConnectionUid, doctor_uid: DoctorUid, calendar_id: Schema.String })
    )
    const columns = sql.literal(columnsOf(Stored.omit("calendars"), "c"))
    const leasedColumns = sql.literal(columnsOf(Leased, "c"))
    const usedColumns = sql.literal(columnsOf(UsedCalendar))
    const own = ({ organisation_uid, uid }: ConnectionKey) =>
      sql`organisation_uid = ${organisation_uid} AND uid = ${uid}`
    const calendarsOf = ofConnection(sql)
    const now = Effect.map(clock.now, (seconds) => sql`to_timestamp(${seconds})`)
    const set = (key: ConnectionKey, values: Statement.Fragment) =>
      done(sql`UPDATE calendar_connections SET ${values} WHERE ${own(key)}`)
    const setCalendar = (key: ConnectionKey, id: string, values: Statement.Fragment) =>
      done(sql`UPDATE connected_calendars SET ${values} WHERE ${calendarsOf(key)} AND id = ${id}`)

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
      (owner: OrganisationUid, doctor: DoctorUid, uid: CalendarConnectionUid) => {
        const found = sql`${selected(owner)} WHERE ${ofDoctor(owner, doctor)} AND c.uid = ${uid} ${locking}`
        return Effect.map(stored.firstOr(found, notFound), shown)
      }

    /** Adds an attempt to connect, which ends at a time unless it is finished before. */
    const insert = Effect.fnUntraced(function* (
      key: ConnectionKey,
      of: { readonly doctor_uid: DoctorUid; readonly provider: ProviderName },
      ends: number,
      secrets?: { readonly state: string; readonly verifier: string }
    ) {
      const moment = timestamp(yield* clock.now)
      const code = yield* newCodeOf("cps", key.organisation_uid)
      yield* done(
        sql`INSERT INTO calendar_connections ${sql.insert({
          ...{
            ...key,
            ...of,
            created_at: moment,
            updated_at: moment,
            next_at: timestamp(ends),
            push_hash: hashOf(code)
          },
          push_code_sealed: yield* box.seal(placeOf(key, "push_code_sealed"), code),
          ...(secrets !== undefined && {
            state_hash: hashOf(secrets.state),
            verifier_sealed: yield* box.seal(placeOf(key, "verifier_sealed"), secrets.verifier)
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
      const found = yield* attempts.first(sql`UPDATE calendar_connections SET state_hash = NULL
        WHERE organisation_uid = ${owner} AND doctor_uid = ${doctor} AND provider = ${provider} AND state_hash = ${hashOf(state)}
          AND next_at > ${yield* now} AND connected_at IS NULL RETURNING organisation_uid, uid, verifier_sealed`)
      if (Option.isNone(found)) return Option.none()
      const { verifier_sealed, ...key } = found.value
      return Option.some({ key, verifier: yield* box.open(placeOf(key, "verifier_sealed"), verifier_sealed) })
    })

    /** The doctor's connection to this account with these calendars, which another permission renews: servers have the same user names. */
    const ofAccount = (
      owner: OrganisationUid,
      doctor: DoctorUid,
      provider: ProviderName,
      account: string,
      found: ReadonlyArray<FoundCalendar>
    ) =>
      uids.first(sql`SELECT c.uid FROM calendar_connections c
        WHERE ${ofDoctor(owner, doctor)} AND c.provider = ${provider} AND c.account = ${account}
          AND EXISTS (SELECT FROM connected_calendars k WHERE k.organisation_uid = ${owner} AND k.connection_uid = c.uid
            AND k.id = ANY (${found.map(({ id }) => id)}::text[])) LIMIT 1`)

    /** Stores what gives access. `instead`: of that alone, sealed; the doctor may have given another permission meanwhile. */
    const keepAccess = Effect.fnUntraced(function* (key: ConnectionKey, access: Access, instead?: string) {
      const sealed = yield* box.seal(placeOf(key, "access_sealed"), accessText(access))
      yield* done(sql`UPDATE calendar_connections SET access_sealed = ${sealed}, access_until = to_timestamp(${access.until})
        WHERE ${own(key)} AND ${instead === undefined ? sql`true` : sql`access_sealed = ${instead}`}`)
    })
    /** The present one, with its text for `keepAccess`. None: it was lost, or forgotten. */
    const accessOf = Effect.fnUntraced(function* (key: ConnectionKey) {
      const found = yield* accesses.first(sql`SELECT access_sealed, access_until FROM calendar_connections
        WHERE ${own(key)} AND access_sealed IS NOT NULL`)
      if (Option.isNone(found)) return Option.none<{ readonly access: Access; readonly sealed: string }>()
      const { access_sealed: sealed, access_until: until } = found.value
      const access = { ...openAccess(yield* box.open(placeOf(key, "access_sealed"), sealed)), until }
      return Option.some({ access, sealed })
    })

    /** It is connected; its calendars are those found, and a known one stays as it is. The first is read. */
    const connect = Effect.fnUntraced(function* (
      key: ConnectionKey,
      account: string,
      found: ReadonlyArray<FoundCalendar>
    ) {
      const moment = yield* now
      yield* set(
        key,
        sql`connected_at = coalesce(connected_at, ${moment}), updated_at = ${moment}, account = ${account},
          verifier_sealed = NULL, fault = NULL, rests_until = NULL`
      )
      const isKnown = yield* any(sql`SELECT 1 FROM connected_calendars WHERE ${calendarsOf(key)} LIMIT 1`)
      const read_at = timestamp(yield* clock.now)
      const rows = found.map(({ id, name }, position) => ({
        ...{ organisation_uid: key.organisation_uid, connection_uid: key.uid, id, name, position },
        ...{ reads: !isKnown && position === 0, writes: false, read_at }
      }))
      if (rows.length === 0) return
      yield* done(sql`INSERT INTO connected_calendars ${sql.insert(rows)} ON CONFLICT (organisation_uid, connection_uid, id)
        DO UPDATE SET name = excluded.name, position = excluded.position, read_at = excluded.read_at`)
    })

    /** Has them read and written now, or once their providers no longer ask them to rest. Returns those that are connected. */
    const ask = Effect.fnUntraced(function* (owner: OrganisationUid, asked: ReadonlyArray<string>) {
      return yield* uids.all(sql`UPDATE calendar_connections
        SET asked = asked + 1, next_at = greatest(${yield* now}, rests_until)
        WHERE organisation_uid = ${owner} AND uid = ANY (${[...asked]}::text[]) AND connected_at IS NOT NULL
          AND fault IS DISTINCT FROM 'grant' AND deleted_at IS NULL RETURNING uid`)
    })

    const choose = Effect.fnUntraced(function* (key: ConnectionKey, changed: ReadonlyArray<ConnectedCalendar>) {
      const moment = yield* now
      // the one that is not written any more first: one is written at most
      for (const { id, reads, writes } of changed.toSorted((a, b) => Number(a.writes) - Number(b.writes)))
        yield* setCalendar(key, id, sql`reads = ${reads}, writes = ${writes}, token = NULL, read_at = ${moment}`)
      yield* set(key, sql`updated_at = ${moment}`)
    })

    /** Deletes it; what is left to do at the provider is done by the next work on it. */
    const remove = Effect.fnUntraced(function* (owner: OrganisationUid, doctor: DoctorUid, uid: CalendarConnectionUid) {
      const moment = yield* now
      return yield* any(sql`UPDATE calendar_connections c SET deleted_at = ${moment}, next_at = ${moment},
        asked = asked + 1 WHERE ${ofDoctor(owner, doctor)} AND c.uid = ${uid} RETURNING uid`)
    })

    const written = (owner: OrganisationUid, doctors: Statement.Fragment) =>
      sql`FROM calendar_connections c JOIN connected_calendars k ON k.organisation_uid = ${owner} AND k.connection_uid = c.uid AND k.writes
        WHERE c.organisation_uid = ${owner} AND c.doctor_uid = ANY (${doctors}) AND c.deleted_at IS NULL`
    /** The calendars into which appointments of these doctors are written. */
    const writing = (owner: OrganisationUid, doctors: ReadonlyArray<DoctorUid>) =>
      writers.all(sql`SELECT c.uid AS connection_uid, c.doctor_uid, k.id AS calendar_id
        ${written(owner, sql`${[...doctors]}::text[]`)}`)
    /** Whether the appointment `a` is to be written into any. */
    const isWritten = (owner: OrganisationUid) =>
      sql`EXISTS (SELECT ${written(owner, sql`a.doctor_uid || a.further_doctor_uids`)})`

    /** Those that are due and that no process works on. */
    const isFree = Effect.map(
      Effect.all([now, realNow]),
      ([moment, real]) => sql`c.next_at <= ${moment} AND coalesce(c.leased_until < to_timestamp(${real}), true)`
    )
    /** The longest waiting first. */
    const due = Effect.fnUntraced(function* (organisation_uid: OrganisationUid, limit: number) {
      const found =
        yield* uids.all(sql`SELECT c.uid FROM calendar_connections c WHERE c.organisation_uid = ${organisation_uid}
        AND ${yield* isFree} ORDER BY c.next_at LIMIT ${limit}`)
      return found.map(({ uid }): ConnectionKey => ({ organisation_uid, uid }))
    })

    /** Takes it, if it is such a one. */
    const take = Effect.fnUntraced(function* ({ organisation_uid: owner, uid }: ConnectionKey) {
      return yield* leased.first(sql`UPDATE calendar_connections c SET leased_until = to_timestamp(${(yield* realNow) + LEASE})
        FROM doctors d WHERE d.organisation_uid = ${owner} AND d.uid = c.doctor_uid AND c.organisation_uid = ${owner} AND c.uid = ${uid}
          AND ${yield* isFree} RETURNING ${leasedColumns}, d.timezone`)
    })

    /** The calendars in use, and those with a subscription. */
    const calendars = (key: ConnectionKey) =>
      used.all(sql`SELECT ${usedColumns} FROM connected_calendars
        WHERE ${calendarsOf(key)} AND (reads OR writes OR subscription IS NOT NULL) ORDER BY position`)

    /** Whether another connection of the organisation, of a doctor who shares the account, lives by the same permission. */
    const sharesPermission = ({ organisation_uid, uid, provider, account }: Leased) =>
      any(sql`SELECT 1 FROM calendar_connections WHERE organisation_uid = ${organisation_uid} AND provider = ${provider}
        AND account = ${account} AND uid <> ${uid} AND connected_at IS NOT NULL AND deleted_at IS NULL LIMIT 1`)

    /** Whether nothing was asked for since it was taken; locked until the transaction ends. */
    const isAsTaken = (one: Leased) =>
      any(sql`SELECT 1 FROM calendar_connections WHERE ${own(one)} AND asked = ${one.asked} FOR NO KEY UPDATE`)

    /** A calendar was read, and is again at a time. */
    const noteReading = Effect.fnUntraced(function* (
      key: ConnectionKey,
      id: string,
      next: number,
      { token, isWhole }: { readonly token: string | null; readonly isWhole: boolean }
    ) {
      const moment = yield* now
      const whole = isWhole ? sql`, whole_at = ${moment}` : sql``
      yield* setCalendar(key, id, sql`token = ${token}, read_at = to_timestamp(${next}) ${whole}`)
      yield* set(key, sql`last_read_at = ${moment}`)
    })
    /** It could not be read, and is tried again at a time. */
    const postponeReading = (key: ConnectionKey, id: string, next: number) =>
      setCalendar(key, id, sql`read_at = to_timestamp(${next})`)

    const noteWriting = (key: ConnectionKey) =>
      Effect.flatMap(now, (moment) => set(key, sql`last_write_at = ${moment}`))

    const keepSubscription = (key: ConnectionKey, id: string, made: Subscription | null) => {
      const channel = made && JSON.stringify({ id: made.id, resource: made.resource })
      const until = made?.until ?? null
      return setCalendar(key, id, sql`subscription = ${channel}::jsonb, subscription_until = to_timestamp(${until})`)
    }

    /** The secret in the address that the provider calls. */
    const pushCode = (one: Leased) => box.open(placeOf(one, "push_code_sealed"), one.push_code_sealed)

    /** Pushes: the calendars of these connections are due. Returns those that there are, locked until the transaction ends. */
    const pushed = Effect.fnUntraced(function* (owner: OrganisationUid, codes: ReadonlyArray<string>) {
      const byHash = new Map(codes.map((code) => [hashOf(code).toString("hex"), code]))
      const found = yield* pushedOnes.all(sql`SELECT uid, encode(push_hash, 'hex') AS hash FROM calendar_connections
        WHERE organisation_uid = ${owner} AND push_hash IN ${sql.in([...byHash.values()].map(hashOf))} AND deleted_at IS NULL
        ORDER BY uid FOR NO KEY UPDATE`)
      yield* done(sql`UPDATE connected_calendars SET read_at = ${yield* now}
        WHERE organisation_uid = ${owner} AND connection_uid = ANY (${found.map(({ uid }) => uid)}::text[])`)
      return found.map(({ uid, hash }) => ({ uid, code: byHash.get(hash) ?? "" }))
    })

    /**
     * Ends the work on it. It is due at `next`, or, where more was asked for or it was deleted meanwhile, at once. `rests`: the provider asks
     * for nothing before that time.
     */
    const release = (one: Leased, fault: ConnectionFault | null, next: number | null, rests = false) =>
      done(sql`UPDATE calendar_connections SET leased_until = NULL, fault = ${fault},
          rests_until = ${rests ? sql`to_timestamp(${next})` : sql`NULL`},
          next_at = CASE WHEN deleted_at IS DISTINCT FROM to_timestamp(${one.deleted_at}) THEN next_at
            WHEN asked > ${one.asked} AND ${!rests} THEN least(next_at, to_timestamp(${next}))
            ELSE to_timestamp(${next}) END
        WHERE ${own(one)} AND leased_until = to_timestamp(${one.leased_until})`)

    /** What was left to do at the provider is done: nothing secret stays. */
    const forgetAccess = (key: ConnectionKey) => set(key, sql`access_sealed = NULL`)
    /** An attempt is over. */
    const drop = (key: ConnectionKey) =>
      done(sql`DELETE FROM calendar_connections WHERE ${own(key)} AND connected_at IS NULL`)

    return {
      list,
      get: one(),
      /** As `get`, locked until the transaction ends. */
      findForChange: one(sql`FOR NO KEY UPDATE OF c`),
      ...{ insert, useState, ofAccount, keepAccess, accessOf, connect, ask, choose, remove, writing, isWritten },
      ...{
        due,
        take,
        calendars,
        sharesPermission,
        isAsTaken,
        noteReading,
        postponeReading,
        noteWriting,
        keepSubscription,
        pushCode
      },
      ...{ pushed, release, forgetAccess, drop }
    } as const
  })
}) {}
