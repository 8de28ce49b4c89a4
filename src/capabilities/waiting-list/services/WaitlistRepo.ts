/** The only writer of the waiting list's tables. */

import type { Statement } from "@effect/sql"
import { Effect, Option, Schema, Struct } from "effect"
import { Actor } from "../../../schemas/access/Actor.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import {
  AppointmentTypeUid,
  AppointmentUid,
  type BookingSessionUid,
  DoctorUid,
  OrganisationUid,
  PatientUid,
  ResourceUid
} from "../../../schemas/ids.ts"
import { AppointmentType } from "../../../schemas/scheduling/AppointmentType.ts"
import { DAY, MINUTE } from "../../../schemas/seconds.ts"
import { changedSince } from "../../../services/database/changedSince.ts"
import { any, countOf, done, rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { timestamp } from "../../../services/database/SqlErrors.ts"
import { pageOf, windowOf } from "../../../services/database/totals.ts"
import { Service } from "../../../services/Service.ts"
import type { BookingConsumer, BookingFact } from "../../../services/scheduling/booking/bookingFacts.ts"
import { Envelope } from "../../../services/sealing/Envelope.ts"
import { hashOf } from "../../../services/uid.ts"
import { TakenTime } from "../../shared/services/TakenTime.ts"
import { WaitlistEntryNotFound, WaitlistOfferNotFound } from "../schemas/errors.ts"
import {
  EntryOffer,
  Need,
  OfferStatus,
  WaitlistEntry,
  type WaitlistEntryQuery,
  WaitlistEntryUid,
  WaitlistOfferUid
} from "../schemas/Waitlist.ts"

/** An entry with what is not shown. */
export const StoredEntry = Schema.Struct({
  ...WaitlistEntry.fields,
  organisation_uid: OrganisationUid,
  need_since: UnixSeconds,
  unanswered: Schema.Number,
  wish: Schema.String,
  // two columns: several nodes refuse JSON in RETURNING
  actor_kind: Actor.fields.kind,
  actor_uid: Actor.fields.uid
})
export type StoredEntry = typeof StoredEntry.Type

/** An entry that may fit, with all that the decision needs. */
const Candidate = Schema.Struct({
  ...StoredEntry.omit("need_reason").fields,
  original_start: Schema.NullOr(UnixSeconds),
  original_doctor: Schema.NullOr(DoctorUid),
  original_mode: Schema.NullOr(Schema.String),
  original_movable: Schema.NullOr(Schema.Boolean),
  original_notice: Schema.NullOr(Schema.Number),
  /** Starts that it was offered since the time became free. */
  past: Schema.Array(Schema.Number)
})
export type Candidate = typeof Candidate.Type

export const StoredOffer = Schema.Struct({
  organisation_uid: OrganisationUid,
  uid: WaitlistOfferUid,
  entry_uid: WaitlistEntryUid,
  freeing: Schema.String,
  doctor_uid: DoctorUid,
  appointment_type_uid: AppointmentTypeUid,
  start_date: UnixSeconds,
  end_date: UnixSeconds,
  hold_uid: Schema.NullOr(AppointmentUid),
  appointment_uid: Schema.NullOr(AppointmentUid),
  replaces_appointment_uid: Schema.NullOr(AppointmentUid),
  need: Need,
  status: OfferStatus,
  sent_at: UnixSeconds,
  expires_at: UnixSeconds,
  code_sealed: Schema.String
})
export type StoredOffer = typeof StoredOffer.Type

/** An entry as its patient reads it. */
const ShownEntry = Schema.Struct({
  ...StoredEntry.omit("need_reason").fields,
  appointment_type_name: Schema.String,
  /** Of the type. */
  translations: AppointmentType.fields.translations,
  /** Of `doctor_uids`. */
  doctor_names: Schema.Array(Schema.String),
  replaced_start: Schema.NullOr(UnixSeconds)
})
export type ShownEntry = typeof ShownEntry.Type

const ShownOffer = Schema.Struct({
  ...StoredOffer.fields,
  patient_uid: PatientUid,
  entry_status: WaitlistEntry.fields.status,
  appointment_type_name: Schema.String,
  /** Of the type. */
  translations: AppointmentType.fields.translations,
  doctor_display_name: Schema.String,
  doctor_timezone: Schema.String,
  replaced_start: Schema.NullOr(UnixSeconds),
  replaced_end: Schema.NullOr(UnixSeconds)
})
export type ShownOffer = typeof ShownOffer.Type

/** An offer to somebody else, with what tells why. */
const Rival = Schema.Struct({
  ...EntryOffer.pick("uid", "doctor_uid", "start_date", "end_date", "need", "offered_at").fields,
  entry_uid: WaitlistEntryUid,
  waits_since: UnixSeconds,
  timezone: Schema.String,
  original_start: Schema.NullOr(UnixSeconds),
  had_offer: Schema.Boolean,
  asked_before: Schema.Boolean
})
export type Rival = typeof Rival.Type

/** Time that became free for these doctors and resources, Unix seconds. */
export const Opening = Schema.Struct({
  uid: Schema.String,
  doctor_uids: Schema.Array(DoctorUid),
  resource_uids: Schema.Array(ResourceUid),
  freeing: Schema.String,
  start_date: UnixSeconds,
  end_date: UnixSeconds,
  /** Buffers of the appointment that was given back. */
  buffer_before_minutes: Schema.Number,
  buffer_after_minutes: Schema.Number,
  buffer_minutes: Schema.Number,
  /** How far around it buffers can have closed other starts. */
  reach_minutes: Schema.Number,
  closed_until: UnixSeconds
})
export type Opening = typeof Opening.Type
/** Of time that no appointment has given back. */
export const newOpening = (uid: string, freeing: string, closed_until: number) => ({
  uid,
  freeing,
  resource_uids: [],
  buffer_before_minutes: 0,
  buffer_after_minutes: 0,
  buffer_minutes: 0,
  reach_minutes: 0,
  closed_until: UnixSeconds.make(closed_until)
})

/** An appointment that was given back and that limits counted: other times of their periods may be free as well. */
const Limited = Schema.Struct({
  doctor_uid: DoctorUid,
  appointment_type_uid: AppointmentTypeUid,
  start_date: UnixSeconds,
  /** All periods in which it counted. */
  period_start: UnixSeconds,
  period_end: UnixSeconds,
  /** Whether a limit of the doctor counted it: then times of every type may be free. */
  of_doctor: Schema.Boolean,
  /** Whether one of the organisation did: then any doctor's. */
  of_organisation: Schema.Boolean
})
export type Limited = typeof Limited.Type

/** What became free, with the range of all starts that may be free now. */
export interface Freed extends Opening {
  readonly limited: Limited | null
  /** Where the time itself, and the buffers around it, may have closed starts. */
  readonly near: { readonly from: number; readonly to: number }
  readonly from: number
  readonly to: number
}

/** A type that somebody waits for, and may get a time of. */
const WaitedType = Schema.Struct({
  uid: AppointmentTypeUid,
  duration_minutes: Schema.Number,
  /** Whether it takes one of what became free beside its doctor, or has a limit of the organisation: then any doctor's time may be free. */
  any_doctor: Schema.Boolean,
  /** Whether a booking of it locks more than its doctor. */
  locks_more: Schema.Boolean
})
export type WaitedType = typeof WaitedType.Type

/** Weekdays (0 = Monday) and minutes of the day, both inclusive, in which the starts of a free time lie. */
export interface Walls {
  readonly weekdays: ReadonlyArray<number>
  readonly first: number
  readonly last: number
}

/** The kind of time that is taken until it is offered. */
const OPENING = "opening"

/** Entries read at a time; fewer are the last. */
export const PAGE = 20

export class WaitlistRepo extends Service<WaitlistRepo>()("scheduling/WaitlistRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const envelope = yield* Envelope
    const taken = yield* TakenTime
    const entries = rowsOf(StoredEntry, envelope.openRows("waitlist_entries", ["organisation_uid", "uid"]))
    const waited = rowsOf(WaitedType)
    const limits = rowsOf(Limited)
    const doctorUids = rowsOf(Schema.Struct({ uid: DoctorUid }))
    const candidateRows = rowsOf(Candidate)
    const shownRows = rowsOf(ShownEntry)
    const offers = rowsOf(StoredOffer)
    const entryOffers = rowsOf(EntryOffer)
    const rivals = rowsOf(Rival)
    const shown = rowsOf(ShownOffer)
    const openings = rowsOf(Opening)
    const ranges = rowsOf(
      Schema.Struct({
        appointment_type_uid: AppointmentTypeUid,
        requires: Schema.Boolean,
        start_date: UnixSeconds,
        end_date: UnixSeconds
      })
    )
    const named = rowsOf(Schema.Struct({ doctor_uid: DoctorUid, doctor_name: Schema.String }))
    const places = rowsOf(Schema.Struct({ timezone: Schema.String, notice_minutes: Schema.Number }))
    const starts = rowsOf(
      Schema.Struct({
        doctor_uid: DoctorUid,
        start_date: UnixSeconds,
        end_date: UnixSeconds,
        offers: Schema.Number,
        own_offers: Schema.Number
      })
    )

    const ordering = sql`e.organisation_uid, e.uid, e.patient_uid, e.appointment_type_uid, e.doctor_uids, e.starts_from AS "from",
      e.starts_to AS "to", e.weekdays, e.times, e.appointment_uid, e.need, e.need_since, e.status, e.offers_made, e.unanswered,
      e.wish, e.actor_kind, e.actor_uid, e.created_at, e.updated_at`
    const columns = sql`${ordering}, e.need_reason_encrypted`
    const offerColumns = sql`o.organisation_uid, o.uid, o.entry_uid, o.freeing, o.doctor_uid, o.appointment_type_uid, o.start_date,
      o.end_date, o.hold_uid, o.appointment_uid, o.replaces_appointment_uid, o.need, o.status, o.sent_at, o.expires_at, o.code_sealed`
    const isLive = sql`e.status IN ('waiting', 'offered', 'paused') AND e.deleted_at IS NULL`
    const of = (owner: OrganisationUid, uid: string) =>
      sql`e.organisation_uid = ${owner} AND e.uid = ${uid} AND e.deleted_at IS NULL`
    const notFound = () => new WaitlistEntryNotFound()

    /** By age. */
    const list = Effect.fnUntraced(function* (owner: OrganisationUid, query: WaitlistEntryQuery) {
      const { after, patient_uid, appointment_type_uid, status, need } = query
      const filters = Object.entries({ patient_uid, appointment_type_uid, status, need })
      const where = sql.and([
        sql`e.organisation_uid = ${owner} AND e.deleted_at IS NULL`,
        ...filters.flatMap(([column, value]) => (value === undefined ? [] : [sql`${sql(`e.${column}`)} = ${value}`])),
        ...changedSince(sql, query, "e.updated_at")
      ])
      const from =
        after === undefined ? [] : [sql`(e.created_at, e.uid COLLATE "C") > (to_timestamp(${after[0]}), ${after[1]})`]
      const window = windowOf(query)
      return yield* pageOf(
        query,
        entries.all(sql`SELECT ${columns} FROM waitlist_entries e WHERE ${sql.and([where, ...from])}
          ORDER BY e.created_at, e.uid COLLATE "C" LIMIT ${window.limit} OFFSET ${window.offset}`),
        ({ created_at, uid }) => [created_at, uid] as const,
        countOf(sql`SELECT count(*) FROM waitlist_entries e WHERE ${where}`)
      )
    })

    const one =
      (locking = sql``) =>
      (owner: OrganisationUid, uid: WaitlistEntryUid) =>
        entries.firstOr(sql`SELECT ${columns} FROM waitlist_entries e WHERE ${of(owner, uid)} ${locking}`, notFound)
    const find = one()
    const lock = one(sql`FOR NO KEY UPDATE`)

    /** Whether the organisation has paused its list. */
    const isPaused = (owner: OrganisationUid) =>
      sql`(SELECT coalesce((o.added ->> 'waitlist_paused')::boolean, false) FROM organisations o WHERE o.organisation_uid = ${owner})`

    /** Whether patients may wait for the type. */
    const takesEntries = (owner: OrganisationUid, type: AppointmentTypeUid) =>
      any(sql`SELECT uid FROM appointment_types WHERE organisation_uid = ${owner} AND uid = ${type}
        AND added ->> 'waitlist' IS DISTINCT FROM 'false'`)

    /** Whether pages offer the list for one of the types: where the organisation has switched it on and has not paused it. */
    const isOnPages = (owner: OrganisationUid, ...types: ReadonlyArray<AppointmentTypeUid>) =>
      any(sql`SELECT t.uid FROM appointment_types t
        WHERE t.organisation_uid = ${owner} AND t.uid = ANY (${[...types]}) AND t.added ->> 'waitlist' = 'true' AND t.active
          AND t.deleted_at IS NULL AND NOT ${isPaused(owner)} LIMIT 1`)

    /** The doctors who offer the type and have hours, by name; the first hundred. */
    const offeringDoctors = (owner: OrganisationUid, type: AppointmentTypeUid) =>
      named.all(sql`SELECT d.uid AS doctor_uid, d.display_name AS doctor_name FROM doctors d
        JOIN appointment_types t ON t.organisation_uid = ${owner} AND t.uid = ${type}
        LEFT JOIN doctor_appointment_type_settings s ON s.organisation_uid = ${owner} AND s.doctor_uid = d.uid
          AND s.appointment_type_uid = t.uid
        WHERE d.organisation_uid = ${owner} AND d.deleted_at IS NULL
          AND coalesce(s.active, t.doctor_assignment_mode = 'all_available_doctors')
          AND EXISTS (SELECT 1 FROM availability_rules r WHERE r.organisation_uid = ${owner} AND r.doctor_uid = d.uid
            AND r.active AND r.deleted_at IS NULL)
        ORDER BY d.display_name, d.uid LIMIT 100`)

    const shownEntry = (owner: OrganisationUid, where: Statement.Fragment) => sql`SELECT ${ordering},
        t.name AS appointment_type_name, t.translations,
        ARRAY(SELECT d.display_name FROM doctors d WHERE d.organisation_uid = ${owner} AND d.uid = ANY (e.doctor_uids)
          ORDER BY d.display_name, d.uid) AS doctor_names,
        a.start_date AS replaced_start
      FROM waitlist_entries e
      JOIN appointment_types t ON t.organisation_uid = ${owner} AND t.uid = e.appointment_type_uid
      LEFT JOIN appointments a ON a.organisation_uid = ${owner} AND a.uid = e.appointment_uid
      WHERE e.organisation_uid = ${owner} AND e.deleted_at IS NULL AND ${where}`
    /** The patient's live entries, the oldest first. */
    const shownOf = (owner: OrganisationUid, patient: PatientUid) =>
      shownRows.all(
        sql`${shownEntry(owner, sql`e.patient_uid = ${patient} AND ${isLive}`)} ORDER BY e.created_at, e.uid`
      )
    /** The entry of the link to its page. Fails with `WaitlistEntryNotFound`, also once it was removed. */
    const entryOfCode = (owner: OrganisationUid, code: string) =>
      shownRows.firstOr(shownEntry(owner, sql`e.code_hash = ${hashOf(code)}`), notFound)
    /** Sets the code of the link to an entry's page; an earlier one becomes invalid. */
    const setCode = (owner: OrganisationUid, uid: WaitlistEntryUid, code: string) =>
      done(sql`UPDATE waitlist_entries AS e SET code_hash = ${hashOf(code)} WHERE ${of(owner, uid)}`)

    /** The newest entry of a launch code. */
    const ofSession = (owner: OrganisationUid, session: BookingSessionUid) =>
      entries.first(sql`SELECT ${columns} FROM waitlist_entries e WHERE e.organisation_uid = ${owner}
        AND e.booking_session_uid = ${session} AND e.deleted_at IS NULL ORDER BY e.created_at DESC, e.uid DESC LIMIT 1`)

    /** The patient's live entries, the first to end first. */
    const liveOf = (owner: OrganisationUid, patient: PatientUid) =>
      entries.all(sql`SELECT ${columns} FROM waitlist_entries e WHERE e.organisation_uid = ${owner}
        AND e.patient_uid = ${patient} AND ${isLive} ORDER BY e.starts_to, e.uid`)

    /** Every entry of a patient that is stored, by age. */
    const ofPatient = (owner: OrganisationUid, patient: PatientUid) =>
      entries.all(sql`SELECT ${columns} FROM waitlist_entries e WHERE e.organisation_uid = ${owner} AND e.patient_uid = ${patient}
        ORDER BY e.created_at, e.uid`)

    interface EntryRow extends Omit<WaitlistEntry, "status" | "offers_made" | "created_at" | "updated_at"> {
      readonly organisation_uid: OrganisationUid
      readonly booking_session_uid: BookingSessionUid | null
      readonly actor: Actor
      readonly wish: string
    }
    /** The columns of fields that are sent; the reason is encrypted for the entry. */
    const rowWith = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      entry: string,
      { need_reason, ...rest }: Partial<EntryRow> & Readonly<Record<string, unknown>>
    ) {
      const place = { table: "waitlist_entries", column: "need_reason_encrypted", row: [owner, entry] } as const
      return {
        ...wishRow(rest),
        ...(need_reason !== undefined && { need_reason_encrypted: yield* envelope.seal(place, need_reason) })
      }
    })
    const wishRow = ({ from, to, times, doctor_uids, weekdays, ...rest }: Omit<Partial<EntryRow>, "need_reason">) => ({
      ...rest,
      ...(from !== undefined && { starts_from: timestamp(from) }),
      ...(to !== undefined && { starts_to: timestamp(to) }),
      ...(times !== undefined && { times: JSON.stringify(times), minutes: minutesOf(times) }),
      ...(doctor_uids !== undefined && { doctor_uids: [...doctor_uids] }),
      ...(weekdays !== undefined && { weekdays: [...weekdays] })
    })

    const insert = Effect.fnUntraced(function* ({ actor, ...entry }: EntryRow, now: number) {
      const row = {
        ...(yield* rowWith(entry.organisation_uid, entry.uid, entry)),
        actor_kind: actor.kind,
        actor_uid: actor.uid,
        status: "waiting",
        need_since: timestamp(now),
        created_at: timestamp(now),
        updated_at: timestamp(now)
      }
      return yield* entries.one(sql`INSERT INTO waitlist_entries AS e ${sql.insert(row)} RETURNING ${columns}`)
    })

    const update = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      uid: WaitlistEntryUid,
      changes: Partial<EntryRow> & Partial<Pick<StoredEntry, "status" | "unanswered">>,
      now: number
    ) {
      const row = { ...(yield* rowWith(owner, uid, changes)), updated_at: timestamp(now) }
      const { need } = changes
      const since =
        need === undefined
          ? sql``
          : sql`, need_since = CASE WHEN need = ${need} THEN need_since ELSE to_timestamp(${now}) END`
      return yield* entries.firstOr(
        sql`UPDATE waitlist_entries AS e SET ${sql.update(row)}${since} WHERE ${of(owner, uid)} RETURNING ${columns}`,
        notFound
      )
    })

    const remove = (owner: OrganisationUid, uid: WaitlistEntryUid, now: number) =>
      done(sql`UPDATE waitlist_entries AS e SET deleted_at = to_timestamp(${now}), updated_at = to_timestamp(${now}),
        status = CASE WHEN ${isLive} THEN 'ended' ELSE status END WHERE ${of(owner, uid)}`)

    /** Ends entries whose range has passed. */
    const endPast = (owner: OrganisationUid, now: number) =>
      done(sql`UPDATE waitlist_entries AS e SET status = 'ended', updated_at = to_timestamp(${now})
        WHERE e.organisation_uid = ${owner} AND ${isLive} AND e.starts_to <= to_timestamp(${now})`)

    /** The planner takes this for true of every second row: by its own guess few entries fit, and it would read and sort all of them. */
    const likely = (condition: Statement.Fragment) => sql`CASE WHEN ${condition} THEN true ELSE false END`

    /** Whether anybody waits for whatever time, or will if an offer lapses. */
    const anyoneWaits = (owner: OrganisationUid) =>
      any(sql`SELECT FROM waitlist_entries e WHERE e.organisation_uid = ${owner} AND e.status IN ('waiting', 'offered')
        AND e.deleted_at IS NULL AND NOT ${isPaused(owner)} LIMIT 1`)

    /** What a free time opens beyond itself: starts that buffers around it closed and, where it is an appointment's, limits that counted that. */
    const freed = (owner: OrganisationUid, opening: Opening) =>
      Effect.map(
        limits.first(sql`SELECT a.doctor_uid, a.appointment_type_uid, a.start_date, lower(p.period) AS period_start,
            upper(p.period) AS period_end, d.limits <> '[]' AS of_doctor,
            t.limits @> '[{"scope": "organisation"}]' AS of_organisation
          FROM appointments a
          JOIN appointment_types t ON t.organisation_uid = ${owner} AND t.uid = a.appointment_type_uid
          JOIN doctors d ON d.organisation_uid = ${owner} AND d.uid = a.doctor_uid
          JOIN organisations o ON o.organisation_uid = ${owner}
          CROSS JOIN LATERAL (SELECT limited_period(t.limits || d.limits, d.timezone, o.timezone, a.start_date) AS period) p
          WHERE a.organisation_uid = ${owner} AND a.uid = ${opening.freeing} AND p.period IS NOT NULL`),
        (found): Freed => {
          const limited = Option.getOrNull(found)
          const reach = opening.reach_minutes * MINUTE
          const near = { from: opening.start_date - reach, to: opening.end_date + reach }
          const { from, to } = near
          const { period_start = from, period_end = to } = limited ?? {}
          return { ...opening, limited, near, from: Math.min(from, period_start), to: Math.max(to, period_end) }
        }
      )

    /** The types that somebody waits for in the range and that the time may serve; none while the list is paused. */
    const waitedTypes = (
      owner: OrganisationUid,
      { doctor_uids, resource_uids, limited, from, to }: Freed,
      now: number
    ) =>
      waited.all(sql`SELECT t.uid, t.duration_minutes, t.requirements <> '[]' OR t.limits @> '[{"scope": "organisation"}]' AS locks_more,
          requires_any(t.requirements, ${[...doctor_uids]}::text[], ${[...resource_uids]}::text[])
            OR t.uid = ${limited?.of_organisation === true ? limited.appointment_type_uid : ""} AS any_doctor
        FROM appointment_types t
        -- a limit: one look into the index for each type
        CROSS JOIN LATERAL (SELECT FROM waitlist_entries e WHERE e.organisation_uid = ${owner} AND e.appointment_type_uid = t.uid
          AND e.status = 'waiting' AND e.deleted_at IS NULL AND e.starts_from < to_timestamp(${to})
          AND e.starts_to > to_timestamp(${Math.max(now, from - DAY)}) LIMIT 1) waiting
        WHERE t.organisation_uid = ${owner} AND t.active AND t.deleted_at IS NULL AND t.added ->> 'waitlist' IS DISTINCT FROM 'false'
          AND NOT ${isPaused(owner)}`)

    /**
     * Those who wait and may fit the time, in order, from `after` on: the service decides. `walls`: where all starts of the time lie.
     */
    const candidates = (
      owner: OrganisationUid,
      { doctor_uids, freeing, from, to }: Freed,
      types: ReadonlyArray<WaitedType>,
      walls: Walls | undefined,
      after: Candidate | undefined,
      now: number
    ) => {
      const doctors = [...doctor_uids]
      const isForDoctor = sql`(e.only_doctor_uid = ANY (${["", ...doctors]}::text[])
        AND ${likely(sql`e.doctor_uids = '{}' OR e.doctor_uids && ${doctors}::text[]`)})`
      const ofAnyDoctor = types.flatMap(({ uid, any_doctor }) => (any_doctor ? [uid] : []))
      return candidateRows.all(sql`SELECT ${ordering},
          a.start_date AS original_start, a.doctor_uid AS original_doctor, ot.rebooking_mode AS original_mode,
          ot.allow_patient_rebooking AS original_movable, ot.rebooking_min_notice_minutes AS original_notice,
          ARRAY(SELECT date_part('epoch', o.start_date)::bigint::float8 FROM waitlist_offers o WHERE o.organisation_uid = ${owner}
            AND o.entry_uid = e.uid AND o.freeing = ${freeing}) AS past
        FROM waitlist_entries e
        JOIN patients p ON p.organisation_uid = ${owner} AND p.uid = e.patient_uid
          AND num_nonnulls(p.restricted_at, p.erased_at) = 0
        LEFT JOIN appointments a ON a.organisation_uid = ${owner} AND a.uid = e.appointment_uid AND a.status = 'confirmed'
        LEFT JOIN appointment_types ot ON ot.organisation_uid = ${owner} AND ot.uid = a.appointment_type_uid
        WHERE e.organisation_uid = ${owner} AND e.status = 'waiting' AND e.deleted_at IS NULL
          AND e.appointment_type_uid = ANY (${types.map(({ uid }) => uid)}::text[])
          AND ${sql.or([
            ...(doctors.length > 0 ? [isForDoctor] : []),
            ...(ofAnyDoctor.length > 0 ? [sql`e.appointment_type_uid = ANY (${ofAnyDoctor}::text[])`] : [])
          ])}
          AND e.starts_from < to_timestamp(${to}) AND e.starts_to > to_timestamp(${Math.max(now, from - DAY)})
          AND (e.appointment_uid IS NULL OR a.start_date > to_timestamp(${Math.max(now, from - DAY)}))
          ${
            walls === undefined
              ? sql``
              : sql`AND ${likely(sql`(e.weekdays = '{}' OR e.weekdays && ${[...walls.weekdays]}::smallint[])
                  AND e.minutes && int4range(${walls.first}::integer, ${walls.last + 1}::integer)`)}`
          }
          ${
            after === undefined
              ? sql``
              : sql`AND (e.need_rank, e.created_at, e.uid COLLATE "C") >
                  (${rankOf(after.need)}::smallint, to_timestamp(${after.created_at}), ${after.uid})`
          }
        ORDER BY e.need_rank, e.created_at, e.uid COLLATE "C" LIMIT ${PAGE}`)
    }

    /** The doctors whose time a type that takes units may take. */
    const doctorsOf = (owner: OrganisationUid) =>
      Effect.map(
        doctorUids.all(sql`SELECT uid FROM doctors WHERE organisation_uid = ${owner} AND deleted_at IS NULL`),
        (found) => found.map(({ uid }) => uid)
      )

    /** The doctor's zone and notice for the type; none for a deleted doctor. */
    const placeOf = (owner: OrganisationUid, doctor: DoctorUid, type: AppointmentTypeUid) =>
      places.first(sql`SELECT d.timezone, coalesce(s.booking_min_notice_minutes, t.booking_min_notice_minutes) AS notice_minutes
        FROM doctors d JOIN appointment_types t ON t.organisation_uid = ${owner} AND t.uid = ${type}
        LEFT JOIN doctor_appointment_type_settings s ON s.organisation_uid = ${owner} AND s.doctor_uid = ${doctor}
          AND s.appointment_type_uid = ${type}
        WHERE d.organisation_uid = ${owner} AND d.uid = ${doctor} AND d.deleted_at IS NULL`)

    /**
     * What the entries that wait for these doctors (undefined: all) want, by type; nothing while the list is paused. `requires`: the type
     * takes one of them as a further doctor, so that any doctor's time may be meant.
     */
    const wanted = (owner: OrganisationUid, doctors: ReadonlyArray<DoctorUid> | undefined, now: number) => {
      const requires =
        doctors === undefined ? sql`false` : sql`requires_any(t.requirements, ${[...doctors]}::text[], '{}')`
      return ranges.all(sql`SELECT e.appointment_type_uid, bool_or(${requires}) AS requires,
          greatest(min(e.starts_from), to_timestamp(${now})) AS start_date, max(e.starts_to) AS end_date
        FROM waitlist_entries e JOIN appointment_types t ON t.organisation_uid = ${owner} AND t.uid = e.appointment_type_uid
        WHERE e.organisation_uid = ${owner} AND e.status = 'waiting' AND e.deleted_at IS NULL
          AND e.starts_to > to_timestamp(${now}) AND t.added ->> 'waitlist' IS DISTINCT FROM 'false' AND NOT ${isPaused(owner)}
          AND ${
            doctors === undefined
              ? sql`true`
              : sql`(e.doctor_uids = '{}' OR e.doctor_uids && ${[...doctors]}::text[] OR ${requires})`
          }
        GROUP BY e.appointment_type_uid`)
    }

    /** Marks an entry that still waits as having an offer; none if it no longer waits. */
    const claim = (owner: OrganisationUid, uid: WaitlistEntryUid, now: number) =>
      entries.first(sql`UPDATE waitlist_entries AS e SET status = 'offered', offers_made = offers_made + 1,
          updated_at = to_timestamp(${now})
        WHERE ${of(owner, uid)} AND e.status = 'waiting' RETURNING ${columns}`)

    const insertOffer = (offer: StoredOffer, code: string, now: number) => {
      const row = {
        ...offer,
        start_date: timestamp(offer.start_date),
        end_date: timestamp(offer.end_date),
        sent_at: timestamp(offer.sent_at),
        expires_at: timestamp(offer.expires_at),
        code_hash: hashOf(code),
        created_at: timestamp(now),
        updated_at: timestamp(now)
      }
      return done(sql`INSERT INTO waitlist_offers ${sql.insert(row)}`)
    }

    /** Near starts that are on offer, by doctor, with the number of their offers, and of those of this time. */
    const liveStarts = (owner: OrganisationUid, { freeing, from, to }: Freed) =>
      starts.all(sql`SELECT o.doctor_uid, o.start_date, max(o.end_date) AS end_date, count(*) AS offers,
          count(*) FILTER (WHERE o.freeing = ${freeing}) AS own_offers
        FROM waitlist_offers o
        WHERE o.organisation_uid = ${owner} AND o.status = 'offered' AND o.hold_uid IS NULL
          AND o.start_date < to_timestamp(${to}) AND o.start_date > to_timestamp(${from - DAY})
          AND o.end_date > to_timestamp(${from})
        GROUP BY o.doctor_uid, o.start_date ORDER BY o.start_date`)

    const shownOffer = (owner: OrganisationUid, where: Statement.Fragment) =>
      shown.firstOr(
        sql`SELECT ${offerColumns}, e.patient_uid, e.status AS entry_status, t.name AS appointment_type_name, t.translations,
            d.display_name AS doctor_display_name, d.timezone AS doctor_timezone,
            a.start_date AS replaced_start, a.end_date AS replaced_end
          FROM waitlist_offers o
          JOIN waitlist_entries e ON e.organisation_uid = ${owner} AND e.uid = o.entry_uid AND e.deleted_at IS NULL
          JOIN appointment_types t ON t.organisation_uid = ${owner} AND t.uid = o.appointment_type_uid
          JOIN doctors d ON d.organisation_uid = ${owner} AND d.uid = o.doctor_uid
          LEFT JOIN appointments a ON a.organisation_uid = ${owner} AND a.uid = o.replaces_appointment_uid
          WHERE o.organisation_uid = ${owner} AND ${where}`,
        () => new WaitlistOfferNotFound()
      )
    /** Fails with `WaitlistOfferNotFound`, also once the entry was removed. */
    const offerOfCode = (owner: OrganisationUid, code: string) => shownOffer(owner, sql`o.code_hash = ${hashOf(code)}`)
    const offerOfUid = (owner: OrganisationUid, uid: WaitlistOfferUid) => shownOffer(owner, sql`o.uid = ${uid}`)

    const lockOffer = (owner: OrganisationUid, uid: WaitlistOfferUid) =>
      offers.firstOr(
        sql`SELECT ${offerColumns} FROM waitlist_offers o WHERE o.organisation_uid = ${owner} AND o.uid = ${uid} FOR NO KEY UPDATE`,
        () => new WaitlistOfferNotFound()
      )
    /** The entry's open offers, locked. */
    const liveOffersOf = (owner: OrganisationUid, entry: WaitlistEntryUid) =>
      offers.all(sql`SELECT ${offerColumns} FROM waitlist_offers o WHERE o.organisation_uid = ${owner}
        AND o.entry_uid = ${entry} AND o.status = 'offered' ORDER BY o.uid FOR NO KEY UPDATE`)
    /** Open offers whose time to answer is over, locked. */
    const lapsed = (owner: OrganisationUid, limit: number, now: number) =>
      offers.all(sql`SELECT ${offerColumns} FROM waitlist_offers o WHERE o.organisation_uid = ${owner}
        AND o.status = 'offered' AND o.expires_at <= to_timestamp(${now}) ORDER BY o.expires_at, o.uid LIMIT ${limit}
        FOR NO KEY UPDATE SKIP LOCKED`)
    /** The entry's newest offer. */
    const lastOfferOf = (owner: OrganisationUid, entry: WaitlistEntryUid) =>
      offers.first(sql`SELECT ${offerColumns} FROM waitlist_offers o WHERE o.organisation_uid = ${owner}
        AND o.entry_uid = ${entry} ORDER BY o.created_at DESC, o.uid DESC LIMIT 1`)

    /** The offers made to an entry, the newest first. */
    const offersTo = (owner: OrganisationUid, entry: WaitlistEntryUid) =>
      entryOffers.all(sql`SELECT o.uid, o.doctor_uid, o.start_date, o.end_date, o.need, o.status, o.created_at AS offered_at, o.sent_at,
          o.expires_at, o.answered_at, o.appointment_uid
        FROM waitlist_offers o WHERE o.organisation_uid = ${owner} AND o.entry_uid = ${entry} ORDER BY o.created_at DESC, o.uid DESC`)

    /**
     * The newest offers to others of the entry's type, doctors and range, since it was made. No condition compares with null: the planner
     * would drop the table's owner with it, and several nodes could not tell which has it.
     */
    const offersToOthers = (owner: OrganisationUid, entry: StoredEntry, limit: number) =>
      rivals.all(sql`SELECT o.uid, o.entry_uid, o.doctor_uid, o.start_date, o.end_date, o.need, o.created_at AS offered_at,
          x.created_at AS waits_since, d.timezone, a.start_date AS original_start,
          EXISTS (SELECT FROM waitlist_offers w WHERE w.organisation_uid = ${owner} AND w.entry_uid = ${entry.uid}
            AND w.created_at <= o.created_at AND (w.status = 'offered' OR w.updated_at > o.created_at)) AS had_offer,
          EXISTS (SELECT FROM waitlist_offers w WHERE w.organisation_uid = ${owner} AND w.entry_uid = ${entry.uid}
            AND w.freeing = o.freeing AND w.start_date = o.start_date AND w.created_at < o.created_at) AS asked_before
        FROM waitlist_offers o
        JOIN waitlist_entries x ON x.organisation_uid = ${owner} AND x.uid = o.entry_uid
        JOIN doctors d ON d.organisation_uid = ${owner} AND d.uid = o.doctor_uid
        LEFT JOIN appointments a ON a.organisation_uid = ${owner} AND a.uid = ${entry.appointment_uid ?? ""}
        WHERE o.organisation_uid = ${owner} AND o.entry_uid <> ${entry.uid}
          AND o.appointment_type_uid = ${entry.appointment_type_uid} AND o.created_at >= to_timestamp(${entry.created_at})
          AND o.start_date >= to_timestamp(${entry.from}) AND o.start_date < to_timestamp(${entry.to})
          AND (${entry.doctor_uids.length === 0} OR o.doctor_uid = ANY (${[...entry.doctor_uids]}::text[]))
        ORDER BY o.created_at DESC, o.uid DESC LIMIT ${limit}`)

    const settleOffer = (
      owner: OrganisationUid,
      uid: WaitlistOfferUid,
      status: OfferStatus,
      appointment: AppointmentUid | null,
      now: number
    ) =>
      sql`UPDATE waitlist_offers SET status = ${status}, appointment_uid = ${appointment}, updated_at = to_timestamp(${now}),
          answered_at = CASE WHEN ${status} IN ('accepted', 'declined') THEN to_timestamp(${now}) END
        WHERE organisation_uid = ${owner} AND uid = ${uid}`.pipe(Effect.orDie, Effect.asVoid)

    /** Adds free time to be offered. */
    const open = Effect.fnUntraced(function* (owner: OrganisationUid, added: ReadonlyArray<Opening>) {
      if (added.length === 0) return
      yield* taken.keep(owner, OPENING, added)
      yield* done(sql`INSERT INTO waitlist_openings (organisation_uid, uid, doctor_uids, resource_uids, freeing, during, buffer_before_minutes,
              buffer_after_minutes, buffer_minutes, reach_minutes, closed_until)
            SELECT ${owner}, x.uid, x.doctor_uids, x.resource_uids, x.freeing,
              tstzrange(to_timestamp(x.start_date), to_timestamp(x.end_date)), x.buffer_before_minutes, x.buffer_after_minutes,
              x.buffer_minutes, x.reach_minutes, to_timestamp(x.closed_until)
            FROM jsonb_to_recordset(${JSON.stringify(added)}::jsonb) AS x(uid text, doctor_uids text[], resource_uids text[],
              freeing text, start_date bigint, end_date bigint, buffer_before_minutes smallint, buffer_after_minutes smallint,
              buffer_minutes integer, reach_minutes integer, closed_until bigint)
            ON CONFLICT (organisation_uid, uid) DO NOTHING`)
    })

    // ---- What follows from what happens to the time of appointments

    const uidsOf = (facts: ReadonlyArray<BookingFact>) => facts.map(({ uid }) => uid)
    /** Ends the entries that an earlier time of these appointments was wanted for. */
    const ending = ([first]: ReadonlyArray<BookingFact>, uids: ReadonlyArray<string>) =>
      sql`UPDATE waitlist_entries AS e SET status = 'ended', updated_at = to_timestamp(${first?.updated_at ?? 0})
        WHERE e.organisation_uid = ${first?.organisation_uid ?? ""} AND e.appointment_uid = ANY (${[...uids]}::text[]) AND ${isLive}`
    const completed: BookingConsumer = {
      concerns: () => sql`true`,
      run: (facts) => done(ending(facts, uidsOf(facts)))
    }

    const openOffer = (owner: OrganisationUid, which: Statement.Fragment) =>
      sql`o.organisation_uid = ${owner} AND o.status = 'offered' AND ${which}`
    /** Loses open offers; their entries wait again. */
    const lose = (owner: OrganisationUid, which: Statement.Fragment, now: number) =>
      done(sql`WITH lost AS (UPDATE waitlist_offers AS o SET status = 'lost', updated_at = to_timestamp(${now})
          WHERE ${openOffer(owner, which)} RETURNING o.entry_uid)
        UPDATE waitlist_entries AS e SET status = 'waiting', updated_at = to_timestamp(${now})
        WHERE e.organisation_uid = ${owner} AND e.status = 'offered' AND e.uid IN (SELECT entry_uid FROM lost)`)

    const withoutHold = (facts: ReadonlyArray<BookingFact>) => {
      const times = facts.map((fact) => Struct.pick(fact, "doctor_uid", "start_date", "end_date"))
      const earliest = Math.min(...times.map(({ start_date }) => start_date))
      return sql`o.hold_uid IS NULL AND o.doctor_uid = ANY (${times.map(({ doctor_uid }) => doctor_uid)}::text[])
          AND o.start_date > to_timestamp(${earliest - DAY}) AND EXISTS (
            SELECT FROM jsonb_to_recordset(${JSON.stringify(times)}::jsonb) AS x(doctor_uid text, start_date bigint, end_date bigint)
            WHERE x.doctor_uid = o.doctor_uid AND o.start_date < to_timestamp(x.end_date) AND o.end_date > to_timestamp(x.start_date))`
    }
    /** Near offers without a hold are lost when somebody books their time. */
    const confirmed: BookingConsumer = {
      concerns: (owner) => {
        const inItsTime = sql`o.hold_uid IS NULL AND o.doctor_uid = a.doctor_uid AND o.start_date > a.start_date - interval '1 day'
          AND o.start_date < a.end_date AND o.end_date > a.start_date`
        return sql`(a.shared_group IS NULL AND EXISTS (SELECT FROM waitlist_offers o WHERE ${openOffer(owner, inItsTime)}))`
      },
      run: (facts) => {
        const [one] = facts
        return one === undefined ? Effect.void : lose(one.organisation_uid, withoutHold(facts), one.updated_at)
      }
    }

    /** How far around an appointment `x` of a type `t` those of other types and of the doctor's hours can close other starts, minutes. */
    const reachOf = (owner: OrganisationUid) => sql`CROSS JOIN LATERAL (SELECT greatest(own.buffer,
          (SELECT own.buffer + max(greatest(o.buffer_before_minutes, o.buffer_after_minutes)) FROM appointment_types o
            WHERE o.organisation_uid = ${owner} AND o.active AND o.deleted_at IS NULL),
          (SELECT max(o.buffer_minutes) FROM availability_rules o WHERE o.organisation_uid = ${owner} AND o.doctor_uid = x.doctor_uid
            AND o.deleted_at IS NULL),
          (SELECT max(o.buffer_minutes) FROM availability_date_overrides o WHERE o.organisation_uid = ${owner}
            AND o.doctor_uid = x.doctor_uid AND o.deleted_at IS NULL
            AND o.date BETWEEN to_timestamp(x.start_date)::date - 2 AND to_timestamp(x.start_date)::date + 2)) AS reach
        FROM (SELECT coalesce(greatest(t.buffer_before_minutes, t.buffer_after_minutes, x.buffer_minutes), 0) AS buffer) own) r`

    /**
     * Whether somebody waits for a time within `w` of the doctors of `x`, for one that takes a doctor or a resource of it beside another, or,
     * where a limit of the organisation counted it, for one of its type. Weekdays, times of day and the types that a doctor offers come later.
     */
    const isWaitedFor = (owner: OrganisationUid) => {
      const waiting = sql`SELECT FROM waitlist_entries e WHERE e.organisation_uid = ${owner} AND e.status = 'waiting'
        AND e.deleted_at IS NULL AND e.starts_from < w.ends AND e.starts_to > w.starts - interval '1 day'`
      return sql`(EXISTS (${waiting} AND e.only_doctor_uid = ANY (ARRAY[''] || x.doctor_uids)
          AND (e.doctor_uids = '{}' OR e.doctor_uids && x.doctor_uids))
        OR EXISTS (${waiting} AND e.appointment_type_uid = ANY (ARRAY(SELECT o.uid FROM appointment_types o
          WHERE o.organisation_uid = ${owner} AND (requires_any(o.requirements, x.doctor_uids, x.resource_uids)
            OR t.limits @> '[{"scope": "organisation"}]' AND o.uid = t.uid)))))`
    }

    /** Time that was given back opens, if somebody waits for it; offers whose hold was cancelled are lost first. */
    const giveBack = Effect.fnUntraced(function* (facts: ReadonlyArray<BookingFact>) {
      const [first] = facts
      if (first === undefined) return
      const { organisation_uid: owner, updated_at: now } = first
      const offered = uidsOf(facts.filter(({ is_offer, status }) => is_offer && status === "cancelled"))
      if (offered.length > 0) yield* lose(owner, sql`o.hold_uid = ANY (${offered}::text[])`, now)
      const given = facts.map(({ doctor_uid, further_doctor_uids, is_offer, previous, ...fact }) => ({
        ...Struct.pick(fact, "uid", "resource_uids", "appointment_type_uid", "start_date", "end_date"),
        ...Struct.pick(fact, "buffer_minutes", "updated_at"),
        doctor_uid,
        doctor_uids: [doctor_uid, ...further_doctor_uids],
        // the same time is offered on
        was_offered: is_offer && previous === "held"
      }))
      const ended = ending(facts, uidsOf(facts.filter(({ previous }) => previous === "confirmed")))
      const found = yield* openings.all(sql`WITH ended AS (${ended})
        SELECT x.uid, x.doctor_uids, x.resource_uids, to_timestamp(x.start_date) AS start_date, to_timestamp(x.end_date) AS end_date,
          coalesce((SELECT o.freeing FROM waitlist_offers o WHERE x.was_offered AND o.organisation_uid = ${owner} AND o.hold_uid = x.uid
            LIMIT 1), x.uid) AS freeing,
          coalesce(t.buffer_before_minutes, 0) AS buffer_before_minutes, coalesce(t.buffer_after_minutes, 0) AS buffer_after_minutes,
          x.buffer_minutes, r.reach AS reach_minutes, to_timestamp(x.updated_at) + interval '2 minutes' AS closed_until
        FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb) AS x(uid text, doctor_uid text, doctor_uids text[], resource_uids text[],
          appointment_type_uid text, start_date bigint, end_date bigint, buffer_minutes integer, updated_at bigint, was_offered boolean)
        JOIN organisations n ON n.organisation_uid = ${owner}
        JOIN doctors d ON d.organisation_uid = ${owner} AND d.uid = x.doctor_uid
        LEFT JOIN appointment_types t ON t.organisation_uid = ${owner} AND t.uid = x.appointment_type_uid
        -- in which a limit counted it: other times of it may be free now
        CROSS JOIN LATERAL (SELECT limited_period(t.limits || d.limits, d.timezone, n.timezone, to_timestamp(x.start_date)) AS period) p
        ${reachOf(owner)}
        CROSS JOIN LATERAL (SELECT least(lower(p.period), to_timestamp(x.start_date) - make_interval(mins => r.reach)) AS starts,
          greatest(upper(p.period), to_timestamp(x.end_date) + make_interval(mins => r.reach)) AS ends) w
        WHERE NOT coalesce((n.added ->> 'waitlist_paused')::boolean, false)
          AND EXISTS (SELECT FROM waitlist_entries e WHERE e.organisation_uid = ${owner} AND e.status = 'waiting' AND e.deleted_at IS NULL)
          AND greatest(upper(p.period), to_timestamp(x.start_date)) > to_timestamp(x.updated_at)
          AND ${isWaitedFor(owner)}`)
      yield* open(owner, found)
    })
    const released: BookingConsumer = {
      concerns: (owner) =>
        sql`EXISTS (SELECT FROM waitlist_entries e WHERE e.organisation_uid = ${owner} AND ${isLive})`,
      run: giveBack
    }

    /** Takes free time that is to be offered, the earliest first; another transaction's is left to it. */
    const takeOpenings = (owner: OrganisationUid, limit: number) =>
      Effect.map(
        Effect.tap(
          openings.all(sql`DELETE FROM waitlist_openings AS w WHERE w.organisation_uid = ${owner} AND w.uid = ANY (ARRAY(
            SELECT v.uid FROM waitlist_openings v WHERE v.organisation_uid = ${owner}
            ORDER BY lower(v.during), v.uid LIMIT ${limit} FOR UPDATE SKIP LOCKED))
          RETURNING w.uid, w.doctor_uids, w.resource_uids, w.freeing, lower(w.during) AS start_date, upper(w.during) AS end_date,
            w.buffer_before_minutes, w.buffer_after_minutes, w.buffer_minutes, w.reach_minutes, w.closed_until`),
          (found) =>
            found.length === 0
              ? Effect.void
              : taken.release(
                  owner,
                  OPENING,
                  found.map(({ uid }) => uid)
                )
        ),
        (found) => found.toSorted((a, b) => a.start_date - b.start_date || (a.uid < b.uid ? -1 : 1))
      )

    return {
      list,
      find,
      lock,
      takesEntries,
      anyoneWaits,
      isOnPages,
      offeringDoctors,
      shownOf,
      entryOfCode,
      setCode,
      ofSession,
      liveOf,
      ofPatient,
      insert,
      update,
      remove,
      endPast,
      freed,
      waitedTypes,
      candidates,
      doctorsOf,
      placeOf,
      wanted,
      claim,
      insertOffer,
      liveStarts,
      offerOfCode,
      offerOfUid,
      lockOffer,
      liveOffersOf,
      lapsed,
      lastOfferOf,
      offersTo,
      offersToOthers,
      settleOffer,
      open,
      takeOpenings,
      follows: { confirmed, released, completed }
    } as const
  }),
  dependencies: [TakenTime.Default]
}) {}

/** Minutes of the day as PostgreSQL compares them; no times are all. */
const minutesOf = (times: WaitlistEntry["times"]) =>
  times.length === 0 ? "{[0,1440)}" : `{${times.map(({ from, to }) => `[${from},${Math.max(from, to)})`).join(",")}}`

/** 0 is asked first. */
export const rankOf = (need: Need) => ({ urgent: 0, soon: 1, routine: 2 })[need]

/** The entry as the practice sees it. */
export const staffEntry: (entry: StoredEntry) => WaitlistEntry = Struct.pick(...Struct.keys(WaitlistEntry.fields))

/** The entry in events and for the patient: why it is needed is in the practice's own words, and stays there. */
export const publicEntry = (entry: StoredEntry): WaitlistEntry => ({ ...staffEntry(entry), need_reason: null })
