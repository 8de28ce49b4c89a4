/** What is to stand, and stands, in doctors' calendars for their appointments; the only writer of its table. Rule 3.15.4. */
import { createHash } from "node:crypto"
import type { Statement } from "@effect/sql"
import { Effect, Schema } from "effect"
import { AppointmentUid, type DoctorUid, OrganisationUid } from "../../../../schemas/ids.ts"
import { DomainClock } from "../../../../services/DomainClock.ts"
import { any, columnsOf, done, rowsOf } from "../../../../services/database/rows.ts"
import { Sql } from "../../../../services/database/Sql.ts"
import type { BookingFact } from "../../../../services/scheduling/booking/bookingFacts.ts"
import {
  CalendarConnectionUid,
  CalendarEntryNotFound,
  DifferingEntry
} from "../../schemas/connections/CalendarConnection.ts"
import { type ConnectionKey, ofConnection } from "./ConnectionsRepo.ts"
import { differenceOf, type EntryShown, type EntryState, entryStates, shownOf } from "./entryRules.ts"

const Entry = Schema.Struct({
  organisation_uid: OrganisationUid,
  connection_uid: CalendarConnectionUid,
  uid: Schema.String,
  calendar_id: Schema.String,
  appointment_uids: Schema.Array(AppointmentUid),
  start_date: Schema.Number,
  end_date: Schema.Number,
  in_group: Schema.Boolean,
  wanted: Schema.Boolean,
  version: Schema.Number,
  done_version: Schema.Number,
  begun: Schema.Boolean,
  entry_id: Schema.NullOr(Schema.String),
  missing: Schema.Boolean,
  moved_to: Schema.NullOr(Schema.Number)
})
export type Entry = typeof Entry.Type
const Shown = Schema.Struct({
  ...DifferingEntry.pick("start_date", "end_date", "calendar_start_date").fields,
  appointment_uids: Entry.fields.appointment_uids,
  missing: Schema.Boolean,
  waiting_since: Schema.NullOr(Schema.Number)
})
const Time = Schema.Struct({
  uid: AppointmentUid,
  start_date: Schema.Number,
  end_date: Schema.Number,
  /** Of the seats of one group time; null: it is no group. */
  shared_group: Schema.NullOr(Schema.String)
})
type Time = typeof Time.Type

/** A calendar that is written. */
export interface Written {
  readonly connection_uid: CalendarConnectionUid
  readonly doctor_uid: DoctorUid
  readonly calendar_id: string
}

/** Of letters and digits that every provider takes in an identifier; the same for the same appointment, or group time, in the same calendar. */
const keyOf = (...of: ReadonlyArray<string>) =>
  `spr${createHash("sha256").update(JSON.stringify(of)).digest("hex").slice(0, 32)}`

/** Of an entry that is over, but wanted again meanwhile. */
const NOTHING = { begun: false, entry_id: null, missing: false, done_version: 0 }
/** Entries that are written at a time, of one connection. */
const BATCH = 200

export class CalendarEntries extends Effect.Service<CalendarEntries>()("calendars/CalendarEntries", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const entries = rowsOf(Entry)
    const known = rowsOf(Schema.Struct({ ...Entry.pick("uid", "appointment_uids").fields, stands: Schema.Boolean }))
    const ids = rowsOf(Entry.pick("uid", "entry_id"))
    const dues = rowsOf(Schema.Struct({ next: Schema.NullOr(Schema.Number) }))
    const times = rowsOf(Time)
    const shown = rowsOf(Shown)
    const connections = rowsOf(Entry.pick("connection_uid"))
    const distinct = Effect.map(
      (found: ReadonlyArray<Pick<Entry, "connection_uid">>) =>
        new Set(found.map(({ connection_uid }) => connection_uid))
    )
    const columns = sql.literal(columnsOf(Entry))
    const entriesOf = ofConnection(sql)
    const own = ({ organisation_uid, connection_uid, uid }: Entry) =>
      sql`${entriesOf({ organisation_uid, uid: connection_uid })} AND uid = ${uid}`
    /** It is not yet as it is wanted. */
    const changed = (now: number) => sql`version = version + 1, due_at = to_timestamp(${now}),
      waiting_since = coalesce(waiting_since, to_timestamp(${now}))`

    /**
     * These appointments are wanted in the calendar, the seats of a group time as one entry. One that stands there already, of this connection
     * or an earlier one, keeps its key, and is looked up before it is made.
     */
    const want = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      { connection_uid, doctor_uid, calendar_id }: Written,
      appointments: ReadonlyArray<Time>
    ) {
      const now = yield* clock.now
      const groups = Map.groupBy(appointments, ({ uid, shared_group }) => shared_group ?? uid)
      const made = [...groups].map(([of, seats]) => ({ key: keyOf(owner, doctor_uid, calendar_id, of), seats }))
      const [named, keyed] = [appointments.map(({ uid }) => uid), made.map(({ key }) => key)]
      const before =
        yield* known.all(sql`SELECT uid, appointment_uids, wanted AND connection_uid = ${connection_uid} AS stands
        FROM calendar_entries WHERE organisation_uid = ${owner} AND (appointment_uids && ${named}::text[] OR uid = ANY (${keyed}::text[]))
        AND doctor_uid = ${doctor_uid} AND calendar_id = ${calendar_id}`)
      const keys = new Map(before.flatMap(({ uid, appointment_uids }) => appointment_uids.map((one) => [one, uid])))
      const moment = new Date(now * 1000)
      const rows = made.flatMap(({ key, seats }) => {
        const [named] = seats
        const uid = (named && keys.get(named.uid)) ?? key
        const there = before.find((one) => one.uid === uid && one.stands)?.appointment_uids ?? []
        const added = seats.filter((seat) => !there.includes(seat.uid))
        const [first] = added
        if (first === undefined) return []
        return {
          ...{ organisation_uid: owner, uid, connection_uid, calendar_id, doctor_uid, wanted: true },
          appointment_uids: added.map((seat) => seat.uid),
          in_group: first.shared_group !== null,
          start_date: first.start_date,
          end_date: first.end_date,
          begun: before.some((one) => one.uid === uid),
          due_at: moment,
          waiting_since: moment
        }
      })
      // another seat of a group time that stands there already leaves its entry as it is
      if (rows.length === 0) return
      yield* done(sql`INSERT INTO calendar_entries AS e ${sql.insert(rows)}
        ON CONFLICT (organisation_uid, connection_uid, uid) DO UPDATE SET wanted = true,
          entry_id = CASE WHEN e.wanted OR NOT e.missing THEN e.entry_id END,
          missing = e.missing AND e.wanted,
          moved_to = CASE WHEN e.wanted THEN e.moved_to END,
          start_date = CASE WHEN e.wanted THEN e.start_date ELSE excluded.start_date END,
          end_date = CASE WHEN e.wanted THEN e.end_date ELSE excluded.end_date END,
          appointment_uids = CASE WHEN e.wanted THEN e.appointment_uids || excluded.appointment_uids
            ELSE excluded.appointment_uids END,
          version = e.version + (NOT e.wanted)::int,
          due_at = CASE WHEN e.wanted THEN e.due_at ELSE excluded.due_at END,
          waiting_since = CASE WHEN e.wanted THEN e.waiting_since ELSE excluded.waiting_since END`)
    })

    /** Appointments that are confirmed; those that replace others take over their entries, groups apart. Returns the connections with work. */
    const confirmed = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      facts: ReadonlyArray<BookingFact>,
      calendars: ReadonlyArray<Written>
    ) {
      const now = yield* clock.now
      const found = new Set<string>()
      for (const fact of facts) {
        const { uid, previous_meeting_uid: previous, shared_group, start_date, end_date } = fact
        const doctors = [fact.doctor_uid, ...fact.further_doctor_uids]
        for (const one of calendars.filter(({ doctor_uid }) => doctors.includes(doctor_uid))) {
          const { connection_uid, calendar_id } = one
          const takesOver = sql`UPDATE calendar_entries SET appointment_uids = ARRAY[${uid}], start_date = ${start_date},
              end_date = ${end_date}, wanted = true, moved_to = NULL, ${changed(now)}
            WHERE ${entriesOf({ organisation_uid: owner, uid: connection_uid })} AND calendar_id = ${calendar_id}
              AND appointment_uids = ARRAY[${previous}] AND NOT in_group RETURNING uid`
          const isAlone = previous !== null && shared_group === null
          if (!(isAlone && (yield* any(takesOver)))) yield* want(owner, one, [fact])
          found.add(connection_uid)
        }
      }
      return found
    })

    const wantedOf = (owner: OrganisationUid, appointments: Statement.Fragment) =>
      sql`organisation_uid = ${owner} AND appointment_uids && ${appointments} AND wanted`
    /** Whether the appointment `a` is to stand in any calendar. */
    const isWanted = (owner: OrganisationUid) => sql`(a.confirmed_at IS NOT NULL
      AND EXISTS (SELECT FROM calendar_entries WHERE ${wantedOf(owner, sql`ARRAY[a.uid]`)}))`
    /** Appointments that give back their time; a group time's entry goes with its last seat. Returns the connections with work. */
    const released = Effect.fnUntraced(function* (owner: OrganisationUid, appointments: ReadonlyArray<AppointmentUid>) {
      const now = yield* clock.now
      const gone = sql`${[...appointments]}::text[]`
      // the entry links to its first seat; of the others it says nothing
      const isNamed = sql`EXISTS (SELECT FROM unnest(appointment_uids) WITH ORDINALITY AS seats (one, place)
        WHERE place = 1 AND one = ANY (${gone}))`
      return yield* connections
        .all(sql`UPDATE calendar_entries SET wanted = NOT appointment_uids <@ ${gone},
          version = version + ${isNamed}::int,
          due_at = CASE WHEN ${isNamed} THEN to_timestamp(${now}) ELSE due_at END,
          waiting_since = CASE WHEN ${isNamed} THEN coalesce(waiting_since, to_timestamp(${now})) ELSE waiting_since END,
          appointment_uids = CASE WHEN appointment_uids <@ ${gone} THEN appointment_uids
            ELSE ARRAY(SELECT one FROM unnest(appointment_uids) WITH ORDINALITY AS seats (one, place)
              WHERE one <> ALL (${gone}) ORDER BY place) END
        WHERE ${wantedOf(owner, gone)} RETURNING connection_uid`)
        .pipe(distinct)
    })

    /** The doctor's future appointments stand in this calendar alone; null: in none. */
    const writeInto = Effect.fnUntraced(function* (key: ConnectionKey, doctor: DoctorUid, calendar_id: string | null) {
      const now = yield* clock.now
      yield* done(sql`UPDATE calendar_entries SET wanted = false, ${changed(now)}
        WHERE ${entriesOf(key)} AND wanted AND calendar_id IS DISTINCT FROM ${calendar_id} AND start_date > ${now}`)
      if (calendar_id === null) return
      const { organisation_uid: owner, uid: connection_uid } = key
      const future = yield* times.all(sql`SELECT a.uid, a.start_date, a.end_date, a.shared_group
        FROM appointments a WHERE a.organisation_uid = ${owner} AND a.status = 'confirmed' AND a.start_date > to_timestamp(${now})
          AND (a.doctor_uid = ${doctor} OR ${doctor} = ANY (a.further_doctor_uids)) ORDER BY a.start_date LIMIT 5000`)
      yield* want(owner, { connection_uid, doctor_uid: doctor, calendar_id }, future)
    })
    /** Of a deleted connection: what stands there stays, and nothing is said of it any more. Its keys are still known. */
    const leave = (key: ConnectionKey) =>
      done(sql`UPDATE calendar_entries SET wanted = false, due_at = NULL, waiting_since = NULL WHERE ${entriesOf(key)}`)

    /** Those with work, the longest waiting first. */
    const due = Effect.fnUntraced(function* (key: ConnectionKey) {
      const now = yield* clock.now
      return yield* entries.all(sql`SELECT ${columns} FROM calendar_entries WHERE ${entriesOf(key)}
        AND due_at <= to_timestamp(${now}) ORDER BY due_at, uid LIMIT ${BATCH}`)
    })
    /** Nothing is remembered of those that were over at a time. */
    const forgetBefore = (owner: OrganisationUid, time: number) =>
      done(sql`DELETE FROM calendar_entries WHERE organisation_uid = ${owner} AND end_date < ${time}`)
    /** When the first of them is due; null: none is. */
    const nextOf = (key: ConnectionKey) =>
      Effect.map(
        dues.one(sql`SELECT min(due_at) AS next FROM calendar_entries WHERE ${entriesOf(key)} AND due_at IS NOT NULL`),
        ({ next }) => next
      )

    /** Stores the state after a step. What was wanted meanwhile stays due. Null: it is over. */
    const save = Effect.fnUntraced(function* (entry: Entry, state: EntryState | null) {
      const { version } = entry
      if (state === null) yield* done(sql`DELETE FROM calendar_entries WHERE ${own(entry)} AND version = ${version}`)
      const { begun, entry_id, missing, done_version } = state ?? NOTHING
      const isLeft = sql`version > ${version} OR ${state !== null && !missing && done_version !== version}`
      yield* done(sql`UPDATE calendar_entries SET begun = ${begun}, entry_id = ${entry_id}, missing = ${missing}, done_version = ${done_version},
          moved_to = CASE WHEN ${isLeft} THEN moved_to END, due_at = CASE WHEN ${isLeft} THEN due_at END,
          waiting_since = CASE WHEN ${isLeft} THEN waiting_since END
        WHERE ${own(entry)}`)
    })
    /** It is tried again at a time. */
    const postpone = (entry: Entry, next: number) =>
      done(sql`UPDATE calendar_entries SET due_at = to_timestamp(${next}) WHERE ${own(entry)} AND due_at IS NOT NULL`)

    /** Those that stand in the calendar as they are wanted, and meet the period. */
    const standing = (key: ConnectionKey, calendar: string, from: number, to: number) =>
      entries.all(sql`SELECT ${columns} FROM calendar_entries WHERE ${entriesOf(key)} AND calendar_id = ${calendar}
        AND entry_id IS NOT NULL AND wanted AND NOT missing AND done_version = version AND end_date > ${from} AND start_date < ${to}`)

    /** Stores what a reading says of those that stand there. `there`: their starts, by the provider's identifiers. */
    const compare = Effect.fnUntraced(function* (
      stood: ReadonlyArray<Entry>,
      there: ReadonlyMap<string, { readonly start: number } | undefined>
    ) {
      for (const one of stood) {
        if (one.entry_id === null || !there.has(one.entry_id)) continue
        const difference = differenceOf(one, there.get(one.entry_id))
        if (difference === null) continue
        const { missing, moved_to } = difference
        yield* done(sql`UPDATE calendar_entries SET missing = ${missing}, moved_to = ${moved_to}
          WHERE ${own(one)} AND version = ${one.version}`)
      }
    })

    /** Keys of the organisation's entries in a calendar, of any connection, that are not over. */
    const keysIn = (owner: OrganisationUid, calendar: string, from: number) =>
      Effect.map(
        ids.all(sql`SELECT uid, entry_id FROM calendar_entries
          WHERE organisation_uid = ${owner} AND calendar_id = ${calendar} AND end_date > ${from}`),
        (rows) => rows.map(({ uid }) => uid)
      )

    /** The organisation's own among these, by key or the provider's identifier: of any connection. */
    const ownAmong = (owner: OrganisationUid, keys: ReadonlyArray<string>, found: ReadonlyArray<string>) =>
      Effect.map(
        ids.all(sql`SELECT uid, entry_id FROM calendar_entries
          WHERE organisation_uid = ${owner} AND (entry_id = ANY (${[...found]}::text[]) OR uid = ANY (${[...keys]}::text[]))`),
        (rows) => new Set(rows.flatMap(({ uid, entry_id }) => [uid, entry_id ?? uid]))
      )

    const shownAt = (now: number) => (row: typeof Shown.Type) => ({ ...row, state: shownOf(row, now) })
    const live = (owner: OrganisationUid, doctor: DoctorUid | null) =>
      sql`SELECT appointment_uids, start_date, end_date, missing, moved_to AS calendar_start_date, waiting_since
        FROM calendar_entries WHERE organisation_uid = ${owner} AND ${doctor === null ? sql`true` : sql`doctor_uid = ${doctor}`} AND wanted`

    const isAny = (owner: OrganisationUid) =>
      sql`EXISTS (SELECT FROM calendar_entries WHERE organisation_uid = ${owner})`
    /** What stands of each of these appointments in the doctor's calendars, null: in all doctors'; of several the worst. */
    const statesOf = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      doctor: DoctorUid | null,
      appointments: ReadonlyArray<AppointmentUid>
    ) {
      const rows = yield* shown.all(sql`${live(owner, doctor)} AND appointment_uids && ${[...appointments]}::text[]`)
      const states = rows.map(shownAt(yield* clock.now))
      return (appointment: AppointmentUid): EntryShown =>
        entryStates.find((state) =>
          states.some((one) => one.appointment_uids.includes(appointment) && one.state === state)
        ) ?? "none"
    })

    /** Those of the doctor, not over, that stand otherwise than they are wanted, by start. */
    const differing = Effect.fn("CalendarEntries.differing")(function* (owner: OrganisationUid, doctor: DoctorUid) {
      const now = yield* clock.now
      const rows = yield* shown.all(sql`${live(owner, doctor)} AND end_date > ${now}
        AND (missing OR moved_to IS NOT NULL OR waiting_since IS NOT NULL) ORDER BY start_date, uid LIMIT 500`)
      return rows
        .map(shownAt(now))
        .filter(
          ({ state, calendar_start_date }) => calendar_start_date !== null || state === "missing" || state === "failing"
        )
        .flatMap(({ missing: _, waiting_since: __, appointment_uids: [appointment_uid], ...one }) =>
          appointment_uid === undefined ? [] : [{ ...one, appointment_uid } satisfies DifferingEntry]
        )
    })

    /** Puts the appointment's entries back as they were. Fails with `CalendarEntryNotFound`. Returns the connections with work. */
    const restore = Effect.fn("CalendarEntries.restore")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      appointment: AppointmentUid
    ) {
      const now = yield* clock.now
      const found = yield* connections
        .all(sql`UPDATE calendar_entries SET moved_to = NULL, ${changed(now)},
          entry_id = CASE WHEN NOT missing THEN entry_id END, begun = begun AND NOT missing, missing = false
        WHERE organisation_uid = ${owner} AND doctor_uid = ${doctor} AND appointment_uids @> ARRAY[${appointment}] AND wanted
        RETURNING connection_uid`)
        .pipe(distinct)
      return found.size === 0 ? yield* new CalendarEntryNotFound() : found
    })

    return {
      ...{ confirmed, isWanted, released, writeInto, leave, due, nextOf, forgetBefore, save, postpone, standing },
      ...{ compare, keysIn, ownAmong, isAny, statesOf, differing, restore }
    } as const
  })
}) {}
