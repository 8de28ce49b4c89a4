/**
 * The only writer of appointments. Their claims, the doctors and resources that they take, are written by the table's trigger in the same
 * statement, and PostgreSQL refuses claims that overlap. Instants are Unix seconds.
 */
import type { Statement } from "@effect/sql"
import { Array as Arr, Effect, Option, Schema, Struct } from "effect"
import {
  type AppointmentUid,
  type BookingSessionUid,
  DoctorUid,
  type OrganisationUid,
  ResourceUid,
  type SeriesUid
} from "../../../schemas/ids.ts"
import type { AppointmentEntry } from "../../../schemas/provisioning/scheduling.ts"
import { type AppointmentType, standardFormat } from "../../../schemas/scheduling/AppointmentType.ts"
import {
  AppointmentNotFound,
  HoldNotConfirmable,
  PatientRestricted,
  SlotTaken,
  type StartField,
  TooManyAppointments,
  TooManyHolds
} from "../../../schemas/scheduling/errors.ts"
import { LATE_BEGIN_SECONDS } from "../../../schemas/scheduling/joinWindow.ts"
import { AppointmentWithOverlaps } from "../../../schemas/scheduling/KeyHold.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { Inserts } from "../../database/Inserts.ts"
import { anyOr, columnsOf, done, rowsOf } from "../../database/rows.ts"
import { Sql } from "../../database/Sql.ts"
import { EXCLUSION_VIOLATION, onConstraint, onSqlState, sqlErrorsDie, timestamp } from "../../database/SqlErrors.ts"
import { Extensions } from "../../Extensions.ts"
import { Envelope, type SealedPlace } from "../../sealing/Envelope.ts"
import { appointmentRows, sealedIn } from "../appointments/appointmentRows.ts"
import { type HeldBy, Limits, type NewAppointment, StoredAppointment } from "../appointments/StoredAppointment.ts"
import { roomName } from "../joining/rooms.ts"
import { type BookingConsumers, type BookingFact, FactRow, factRow } from "./bookingFacts.ts"
import { type Counted, limitsIn, mayBook } from "./patientLimits.ts"

const notFound = () => new AppointmentNotFound()

/** What an expired hold takes when it is confirmed. */
type Regained = Pick<NewAppointment, "resource_uids" | "further_doctor_uids" | "seat">

const Standing = Schema.Struct({
  type_deleted: Schema.Boolean,
  taken_uids: Schema.Array(Schema.String),
  seats: Schema.Array(Schema.Number),
  /** What the group takes that has come together meanwhile. */
  group: Schema.NullOr(
    Schema.Struct({ resource_uids: Schema.Array(ResourceUid), further_doctor_uids: Schema.Array(DoctorUid) })
  )
})

/** An entry of a provisioning file, with what it takes and the terms of its type. */
export interface ProvisionedAppointment
  extends Pick<NewAppointment, "resource_uids" | "further_doctor_uids" | "shared_group" | "seat"> {
  readonly entry: AppointmentEntry
  readonly terms: Pick<AppointmentType, "hold_ttl_seconds" | "room_strategy" | "meeting_type" | "formats"> | undefined
}

/** Of an appointment without a type. */
const defaultTerms = {
  hold_ttl_seconds: 600,
  room_strategy: "per_appointment",
  meeting_type: "CONSULTATION",
  formats: ["DIGITAL", "IN_PERSON"]
} as const

/** Rows of one INSERT: a statement has at most 65,535 parameters. */
const PROVISIONED_AT_ONCE = 500

/** Fields of a released row within JSON, where instants are no timestamps yet. */
const instants: ReadonlyArray<string> = ["start_date", "end_date", "confirmed_at", "updated_at"]
const releasedAsJson = Struct.keys(FactRow.fields)
  .map((name) => `'${name}', ${instants.includes(name) ? `date_part('epoch', ${name})::bigint` : name}`)
  .join(", ")

type Kind = keyof BookingConsumers

/** Which of those who follow its change it concerns. */
const concerned = Schema.Array(Schema.Boolean)
const ChangedRow = Schema.Struct({ ...FactRow.fields, concerned })
type ChangedRow = typeof ChangedRow.Type

/** An appointment with what its patient has at the same time. */
const WithOverlaps = Schema.Struct({ ...StoredAppointment.fields, overlaps: AppointmentWithOverlaps.fields.overlaps })
const Booked = Schema.Struct({ ...WithOverlaps.fields, concerned })
export type Booked = typeof Booked.Type

/** What an appointment takes, and when. */
type Taking = Pick<
  StoredAppointment,
  "organisation_uid" | "doctor_uid" | "further_doctor_uids" | "resource_uids" | "start_date"
> & { readonly end_date: number }

export class BookingRepo extends Effect.Service<BookingRepo>()("scheduling/BookingRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { ifAllowed } = yield* Inserts
    const envelope = yield* Envelope
    const groups = rowsOf(Schema.Struct({ slot_group: Schema.String }))
    const stored = rowsOf(StoredAppointment, envelope.openRows(...sealedIn))
    const sealed = (column: SealedPlace["column"], owner: OrganisationUid, uid: AppointmentUid, text: string | null) =>
      envelope.seal({ table: "appointments", column, row: [owner, uid] }, text)
    const doctors = rowsOf(Schema.Struct({ doctor_uid: DoctorUid }))
    const changedRows = rowsOf(ChangedRow)
    const madeRows = rowsOf(FactRow.pick("organisation_uid", "uid", "status"))
    const changed = rowsOf(Schema.Struct({ ...StoredAppointment.fields, concerned }), envelope.openRows(...sealedIn))
    const booked = rowsOf(Booked, envelope.openRows(...sealedIn))
    const withOverlaps = rowsOf(WithOverlaps, envelope.openRows(...sealedIn))
    const limits = rowsOf(Limits)
    const extensions = yield* Extensions
    const standings = rowsOf(Standing)
    const answers = rowsOf(Schema.Struct({ ...Limits.fields, released: Schema.Array(ChangedRow) }))
    /** Who follows these kinds of change, of each kind in the order of the capabilities. */
    const following = (kinds: ReadonlyArray<Kind>) =>
      Effect.map(extensions.having("on"), (some) => kinds.flatMap((kind) => some.flatMap(({ on }) => on[kind] ?? [])))
    /** Which of them the appointment `a` concerns. */
    const concerning = (owner: OrganisationUid, kinds: ReadonlyArray<Kind>) =>
      Effect.map(
        following(kinds),
        (some) => sql`ARRAY[${sql.csv(some.map(({ concerns }) => concerns(owner)))}]::boolean[]`
      )
    /** Each statement that changes a status calls it once for each fact, with the kinds that it was `concerning`. */
    const tell = Effect.fnUntraced(function* (
      kinds: ReadonlyArray<Kind>,
      rows: ReadonlyArray<ChangedRow>,
      previousOf: (row: ChangedRow) => BookingFact["previous"]
    ) {
      if (!rows.some((row) => row.concerned.includes(true))) return
      for (const [at, { run }] of (yield* following(kinds)).entries()) {
        const some = rows.filter((row) => row.concerned[at] === true)
        if (some.length > 0) yield* run(some.map((row) => ({ ...factRow(row), previous: previousOf(row) })))
      }
    })
    const tellReleased = (released: ReadonlyArray<ChangedRow>) =>
      tell(["released"], released, ({ confirmed_at }) => (confirmed_at === null ? "held" : "confirmed"))
    const factColumns = sql.literal(columnsOf(FactRow, "a"))
    /** An UPDATE that releases; returns what it has released. */
    const releasing = Effect.fnUntraced(function* (owner: OrganisationUid, update: Statement.Fragment) {
      const whom = yield* concerning(owner, ["released"])
      const released = yield* changedRows.all(
        sql`WITH changed AS (${update} RETURNING *) SELECT ${factColumns}, ${whom} AS concerned FROM changed a`
      )
      yield* tellReleased(released)
      return released
    })
    const taken = () => new SlotTaken()
    /** Claims that overlap, a seat that another patient has, and a second seat of the same patient. */
    const overlapsAreTaken = <A, E, R>(self: Effect.Effect<A, E, R>) =>
      self.pipe(
        onConstraint("appointments_one_of_each_seat", taken),
        onConstraint("appointments_one_seat_of_each_patient", taken),
        onSqlState(EXCLUSION_VIOLATION, taken)
      )

    /** Holds that have expired; the database function `owners_with_due` has the same condition, as has `endOverdue`. */
    const expired = (now: number) => sql`status = 'held' AND hold_expires_at <= to_timestamp(${now})`
    const limitsOf = limitsIn(sql)
    const { columns, others, joined } = appointmentRows(sql)
    /** Returns the records after an UPDATE of appointments. */
    const changing = (owner: OrganisationUid, update: Statement.Fragment, now: number) =>
      sql`WITH changed AS (${update} RETURNING *) SELECT ${columns(now)} FROM changed a ${others(owner)}`
    /** The same for one that changes their time, with whom of those who follow these kinds of change they concern. */
    const changingTime = (
      owner: OrganisationUid,
      kinds: ReadonlyArray<Kind>,
      update: Statement.Fragment,
      now: number
    ) =>
      Effect.flatMap(
        concerning(owner, kinds),
        (whom) => sql`WITH changed AS (${update} RETURNING *)
          SELECT ${columns(now)}, ${whom} AS concerned FROM changed a ${others(owner)}`
      )

    const one = (locking: Statement.Fragment) => (owner: OrganisationUid, uid: AppointmentUid, now: number) =>
      stored.firstOr(sql`SELECT ${columns(now)} ${joined(owner, sql`a.uid = ${uid} ${locking}`)}`, notFound)
    /** The appointment; another organisation's is `AppointmentNotFound`. */
    const find = one(sql``)
    const all = (owner: OrganisationUid, uids: ReadonlyArray<AppointmentUid>, now: number) =>
      stored.all(sql`SELECT ${columns(now)} ${joined(owner, sql`a.uid = ANY (${[...uids]})`)}`)
    /** Those booked as one act, by start, whatever their status. */
    const bookedTogether = (owner: OrganisationUid, series_uid: SeriesUid, now: number) =>
      stored.all(
        sql`SELECT ${columns(now)} ${joined(owner, sql`a.series_uid = ${series_uid}`)} ORDER BY a.start_date, a.uid`
      )
    /** As `find`, with a share lock until the caller's transaction ends. */
    const findForShare = one(sql`FOR SHARE OF a`)
    /** As `find`, locked for update by the caller's transaction. */
    const lock = one(sql`FOR UPDATE OF a`)
    /** As `all`, by uid, locked in this order. */
    const lockAll = (owner: OrganisationUid, uids: ReadonlyArray<AppointmentUid>, now: number) =>
      stored.all(sql`SELECT ${columns(now)} ${joined(owner, sql`a.uid = ANY (${[...uids]})`)}
        ORDER BY a.uid COLLATE "C" FOR UPDATE OF a`)

    /** The booking session's confirmed appointment, else its newest hold that was not released. */
    const latestOfSession = (owner: OrganisationUid, session: BookingSessionUid, now: number) =>
      stored.first(sql`SELECT ${columns(now)} ${joined(owner, sql`a.booking_session_uid = ${session}`)}
            AND a.status IN ('held', 'expired', 'confirmed')
          ORDER BY a.status = 'confirmed' DESC, a.uid DESC LIMIT 1`)

    /** The patient's other confirmed appointments that overlap this one, the earliest first. */
    const overlapping = (
      { organisation_uid, patient_uid, start_date, end_date, slot_group }: StoredAppointment,
      now: number
    ) =>
      stored.all(sql`SELECT ${columns(now)} ${joined(organisation_uid, sql`a.patient_uid = ${patient_uid}`)}
            AND a.slot_group <> ${slot_group} AND a.status = 'confirmed'
            AND a.start_date < to_timestamp(${end_date}) AND a.end_date > to_timestamp(${start_date})
          ORDER BY a.start_date LIMIT 10`)

    /** The same of the appointment `a`, as JSON. */
    const overlaps = (owner: OrganisationUid) => sql`(SELECT coalesce(json_agg(json_build_object('uid', o.uid,
        'start_date', date_part('epoch', o.start_date)::bigint, 'doctor_display_name', o.display_name) ORDER BY o.start_date), '[]')
      FROM (SELECT b.uid, b.start_date, c.display_name
        FROM appointments b JOIN doctors c ON c.organisation_uid = ${owner} AND c.uid = b.doctor_uid
        WHERE b.organisation_uid = ${owner} AND b.patient_uid = a.patient_uid AND b.slot_group <> a.slot_group
          AND b.status = 'confirmed' AND b.start_date < a.end_date AND b.end_date > a.start_date
        ORDER BY b.start_date LIMIT 10) o)`
    const findWithOverlaps = (owner: OrganisationUid, uid: AppointmentUid, now: number) =>
      withOverlaps.firstOr(
        sql`SELECT ${columns(now)}, ${overlaps(owner)} AS overlaps ${joined(owner, sql`a.uid = ${uid}`)}`,
        notFound
      )

    /** The groups of the claims that take the doctor in the time. */
    const groupsTaking = (owner: OrganisationUid, doctor: DoctorUid, start: number, end: number, now: number) =>
      Effect.map(
        groups.all(sql`SELECT DISTINCT c.slot_group FROM claims c WHERE c.organisation_uid = ${owner} AND c.subject_uid = ${doctor}
          AND c.subject_kind = 'doctor' AND c.exclusive AND c.start_date < to_timestamp(${end}) AND c.end_date > to_timestamp(${start})
          AND (c.held_until IS NULL OR c.held_until > to_timestamp(${now}))`),
        (rows) => rows.map(({ slot_group }) => slot_group)
      )

    /** Stores how late the patient will be; fails with `AppointmentNotFound` if the appointment is not confirmed. */
    const announceLate = (owner: OrganisationUid, uid: AppointmentUid, minutes: number) =>
      anyOr(
        sql`UPDATE appointments SET late_minutes = ${minutes} WHERE organisation_uid = ${owner}
        AND uid = ${uid} AND status = 'confirmed' RETURNING uid`,
        notFound
      )
    /** Notes that the practice chose this replacement, since the original had become impossible. */
    const markMovedByPractice = (owner: OrganisationUid, uid: AppointmentUid) =>
      done(sql`UPDATE appointments SET moved_by_practice = true WHERE organisation_uid = ${owner} AND uid = ${uid}`)
    /**
     * Stores how late the doctor will be, null: not at all, for the doctor's confirmed appointments that start from now until `until`, for
     * `waiting` ones, and for those that should have begun. Returns those that did not have it yet, by start.
     */
    const announceDoctorLate = (
      owner: OrganisationUid,
      doctor: DoctorUid,
      {
        minutes,
        until,
        waiting
      }: { readonly minutes: number | null; readonly until: number; readonly waiting: ReadonlyArray<AppointmentUid> },
      now: number
    ) =>
      Effect.map(
        stored.all(
          changing(
            owner,
            sql`UPDATE appointments SET doctor_late_minutes = ${minutes}::smallint, updated_at = to_timestamp(${now})
              WHERE organisation_uid = ${owner} AND doctor_uid = ${doctor} AND status = 'confirmed'
                AND start_date < to_timestamp(${until})
                AND (start_date > to_timestamp(${now}) OR end_date > to_timestamp(${now}) AND (uid = ANY (${[...waiting]}::text[])
                  OR doctor_joined_at IS NULL
                    AND (meeting_format = 'DIGITAL' OR start_date > to_timestamp(${now - LATE_BEGIN_SECONDS}))))
                AND doctor_late_minutes IS DISTINCT FROM ${minutes}::smallint`,
            now
          )
        ),
        (rows) => rows.toSorted((a, b) => a.start_date - b.start_date)
      )
    /** The doctors whose calendars a hold or its confirmation affects: two in a rebooking. */
    const doctorsOf = Effect.fnUntraced(function* (
      held: Pick<StoredAppointment, "organisation_uid" | "doctor_uid" | "replaces_appointment_uid"> & {
        readonly replaced_doctor_uid?: DoctorUid | undefined
      }
    ) {
      if (held.replaces_appointment_uid === null) return [held.doctor_uid]
      if (held.replaced_doctor_uid !== undefined) return [held.doctor_uid, held.replaced_doctor_uid]
      const rows = yield* doctors.all(sql`SELECT doctor_uid FROM appointments
        WHERE organisation_uid = ${held.organisation_uid} AND uid = ${held.replaces_appointment_uid}`)
      return [held.doctor_uid, ...rows.map((row) => row.doctor_uid)]
    })

    /**
     * For an expired hold. Fails with `TooManyAppointments` if the patient is at the limit, and with `HoldNotConfirmable` if the patient
     * is restricted or erased: an erasure cancels only holds that have not expired.
     */
    const ensureConfirmable = Effect.fnUntraced(function* (row: Counted, now: number) {
      const { restricted, too_many_appointments } = yield* limits.one(limitsOf(row, now))
      if (restricted) return yield* new HoldNotConfirmable({ reason: "expired" })
      if (too_many_appointments) return yield* new TooManyAppointments({ field: "start_date" })
    })

    /** Holds that have expired, but whose claims to one of the doctor's or the resources' times in the range still stand. */
    const lapsed = ({ organisation_uid, start_date, end_date, ...taken }: Taking, now: number) =>
      sql`SELECT c.claimed_by FROM claims c WHERE c.organisation_uid = ${organisation_uid} AND c.exclusive
        AND c.subject_uid = ANY (${[taken.doctor_uid, ...taken.further_doctor_uids, ...taken.resource_uids]})
        AND c.held_until <= to_timestamp(${now}) AND c.start_date < to_timestamp(${end_date})
        AND c.end_date > to_timestamp(${start_date})`

    /**
     * What decides on the late confirmation of a hold that has expired: whether its type is deleted, which of its doctor, further doctors
     * and resources another appointment or a live hold takes in its time, and the seats of its group that are taken.
     */
    const standing = (held: StoredAppointment, now: number) => {
      const { organisation_uid: owner, slot_group, shared_group, start_date, end_date } = held
      const claims = sql`FROM claims c JOIN appointments a ON a.organisation_uid = ${owner} AND a.uid = c.claimed_by
        WHERE c.organisation_uid = ${owner} AND c.exclusive AND c.subject_uid = ANY (${[held.doctor_uid, ...held.further_doctor_uids, ...held.resource_uids]})
          AND c.start_date < to_timestamp(${end_date}) AND c.end_date > to_timestamp(${start_date})
          AND (c.held_until IS NULL OR c.held_until > to_timestamp(${now})) AND a.slot_group <> ${slot_group}`
      return standings.one(sql`SELECT
        EXISTS (SELECT FROM appointment_types t WHERE t.organisation_uid = ${owner} AND t.uid = ${held.appointment_type_uid}
          AND t.deleted_at IS NOT NULL) AS type_deleted,
        ARRAY(SELECT c.subject_uid ${claims} AND (a.shared_group = ${shared_group}) IS NOT TRUE) AS taken_uids,
        ARRAY(SELECT a.seat ${claims} AND c.shared AND a.shared_group = ${shared_group}) AS seats,
        (SELECT json_build_object('resource_uids', a.resource_uids, 'further_doctor_uids', a.further_doctor_uids)
          ${claims} AND c.shared AND a.shared_group = ${shared_group} LIMIT 1) AS "group"`)
    }

    /** Stores the expiry of holds whose claims overlap, so that they give them back. */
    const expire = (taking: Taking, now: number) =>
      releasing(
        taking.organisation_uid,
        sql`UPDATE appointments SET status = 'expired', updated_at = greatest(updated_at, hold_expires_at)
        WHERE organisation_uid = ${taking.organisation_uid} AND uid = ANY (ARRAY(${lapsed(taking, now)}))
          AND status = 'held'`
      )

    /**
     * Inserts a hold or a confirmed appointment, and returns what `select` reads of it. The same statement stores the expiry of overlapping
     * holds and releases the session's earlier hold and any other that would replace the same appointment. Fails with `PatientRestricted`,
     * `TooManyHolds`, `TooManyAppointments`, and with `SlotTaken` on the exclusion constraint, which aborts the caller's transaction.
     */
    const take = Effect.fnUntraced(function* (
      row: NewAppointment,
      now: number,
      field: StartField,
      select: ((inserted: Statement.Fragment) => Statement.Fragment) | undefined
    ) {
      const held = sql`SELECT uid FROM appointments WHERE organisation_uid = ${row.organisation_uid} AND status = 'held'`
      const visit_reason = yield* sealed("visit_reason_encrypted", row.organisation_uid, row.uid, row.visit_reason)
      const first = sql`limits AS (${limitsOf(row, now)}),
        released AS (
          UPDATE appointments SET
            status = CASE WHEN hold_expires_at <= to_timestamp(${now}) THEN 'expired' ELSE 'cancelled' END,
            updated_at = least(hold_expires_at, to_timestamp(${now})),
            cancelled_at = CASE WHEN hold_expires_at > to_timestamp(${now}) THEN to_timestamp(${now}) END,
            cancellation_reason = CASE WHEN hold_expires_at > to_timestamp(${now}) THEN 'superseded' END
          WHERE organisation_uid = ${row.organisation_uid} AND status = 'held' AND uid = ANY (ARRAY(
            ${held} AND booking_session_uid = ${row.booking_session_uid}
            UNION ALL ${held} AND slot_group = ${row.slot_group}
            UNION ALL ${lapsed(row, now)}))
          RETURNING ${sql.literal(columnsOf(FactRow))}),
        after_the_release AS (SELECT coalesce(json_agg(json_build_object(${sql.literal(releasedAsJson)},
          'concerned', ${yield* concerning(row.organisation_uid, ["released"])})), '[]') AS released FROM released a)`
      const insert = sql`INSERT INTO appointments (organisation_uid, uid, doctor_uid,
            patient_uid, appointment_type_uid, booking_session_uid, previous_meeting_uid, replaces_appointment_uid, slot_group, series_uid, further_doctor_uids,
            resource_uids, shared_group, seat, buffer_minutes, squeezed_in, squeezed_into, status, meeting_type, meeting_format, visit_reason_encrypted, start_date, end_date, hold_ttl_seconds, hold_expires_at, is_offer,
            room_name, created_at, updated_at, confirmed_at)`
      const values = sql`${row.organisation_uid}, ${row.uid}, ${row.doctor_uid}, ${row.patient_uid},
            ${row.appointment_type_uid}, ${row.booking_session_uid}, ${row.previous_meeting_uid},
            ${row.replaces_appointment_uid}, ${row.slot_group}, ${row.series_uid}, ${[...row.further_doctor_uids]}::text[],
            ${[...row.resource_uids]}::text[], ${row.shared_group}, ${row.seat}::smallint, ${row.buffer_minutes}::integer, ${row.squeezed_in}::boolean, ${row.squeezed_into}, ${row.status}, ${row.meeting_type}, ${row.meeting_format},
            ${visit_reason}, to_timestamp(${row.start_date}), to_timestamp(${row.end_date}),
            ${row.hold_ttl_seconds}::integer, to_timestamp(${row.hold_expires_at}), ${row.is_offer}::boolean, ${row.room_name},
            to_timestamp(${now}), to_timestamp(${now}), to_timestamp(${row.status === "confirmed" ? now : null})`
      // after the release: PostgreSQL would otherwise insert first
      const from = sql`after_the_release, limits`
      const where = sql`NOT too_many_holds AND NOT too_many_appointments AND NOT restricted`
      const stored = sql`SELECT * FROM appointments WHERE organisation_uid = ${row.organisation_uid} AND uid = ${row.uid}`
      const taking = { first, from, where, insert, values, answers: select && { select, stored } }
      const rows = yield* sqlErrorsDie(overlapsAreTaken(ifAllowed(sql, taking)))
      const { released, ...found } = yield* answers.one(Effect.succeed(rows))
      if (found.restricted) return yield* new PatientRestricted()
      if (found.too_many_appointments) return yield* new TooManyAppointments({ field })
      if (found.too_many_holds)
        return yield* new TooManyHolds({ retry_after_seconds: Math.max((found.first_expires_at ?? now) - now, 1) })
      yield* tellReleased(released)
      return rows
    })

    /** As `take`, of a hold. */
    const hold = Effect.fnUntraced(function* (row: NewAppointment, now: number, field: StartField) {
      const kinds = ["taken"] as const
      if ((yield* following(kinds)).length === 0) return yield* Effect.asVoid(take(row, now, field, undefined))
      const whom = yield* concerning(row.organisation_uid, kinds)
      const rows = yield* take(row, now, field, (a) => sql`SELECT ${factColumns}, ${whom} AS concerned FROM ${a} a`)
      yield* tell(kinds, yield* changedRows.all(Effect.succeed(rows)), () => null)
    })

    /** As `take`, of an appointment; returns it. */
    const book = Effect.fnUntraced(function* (row: NewAppointment, now: number, field: StartField) {
      const { organisation_uid: owner } = row
      const kinds = ["taken", "confirmed"] as const
      const whom = yield* concerning(owner, kinds)
      const select = (a: Statement.Fragment) => sql`SELECT ${columns(now)}, ${overlaps(owner)} AS overlaps,
        ${whom} AS concerned FROM ${a} a ${others(owner)}`
      const made = yield* booked.one(Effect.succeed(yield* take(row, now, field, select)))
      yield* tell(kinds, [made], () => null)
      return made
    })

    /** Stores the reason of a hold, live or not. */
    const keepReason = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      uid: AppointmentUid,
      reason: string | null
    ) {
      const visit_reason = yield* sealed("visit_reason_encrypted", owner, uid, reason)
      yield* sql`UPDATE appointments SET visit_reason_encrypted = ${visit_reason}
        WHERE organisation_uid = ${owner} AND uid = ${uid} AND status IN ('held', 'expired')`
    }, Effect.orDie)

    /** Statement that confirms, unless the patient is restricted or erased; an undefined `visit_reason` keeps the stored one. */
    const confirming = Effect.fnUntraced(function* (
      { organisation_uid, uid }: HeldBy,
      visit_reason: string | null | undefined,
      now: number,
      units: Regained | undefined = undefined
    ) {
      const reason = yield* sealed("visit_reason_encrypted", organisation_uid, uid, visit_reason ?? null)
      return sql`UPDATE appointments SET status = 'confirmed', confirmed_at = to_timestamp(${now}),
        updated_at = to_timestamp(${now}), previous_meeting_uid = replaces_appointment_uid, visit_reason_encrypted =
          CASE WHEN ${visit_reason === undefined} THEN visit_reason_encrypted ELSE ${reason}::text END
          ${
            units === undefined
              ? sql``
              : sql`, resource_uids = ${[...units.resource_uids]}::text[], seat = ${units.seat}::smallint,
                  further_doctor_uids = ${[...units.further_doctor_uids]}::text[]`
          }
        WHERE organisation_uid = ${organisation_uid} AND uid = ${uid}
          AND ${mayBook(sql, organisation_uid, sql`appointments.patient_uid`)}`
    })

    /** Confirms a live hold of the session, or one without a session, that replaces nothing; none if there is no such hold. */
    const confirmLive = Effect.fnUntraced(function* (
      held: HeldBy,
      visit_reason: string | null | undefined,
      now: number
    ) {
      const live = sql`${yield* confirming(held, visit_reason, now)} AND status = 'held'
            AND hold_expires_at > to_timestamp(${now}) AND end_date > to_timestamp(${now})
            AND booking_session_uid IS NOT DISTINCT FROM ${held.session_uid} AND replaces_appointment_uid IS NULL`
      const confirmed = yield* changed.first(changingTime(held.organisation_uid, ["confirmed"], live, now))
      if (Option.isSome(confirmed)) yield* tell(["confirmed"], [confirmed.value], () => "held")
      return confirmed
    })

    /**
     * Confirms a hold, in a rebooking as successor of the replaced appointment; an undefined `visit_reason` keeps the stored one. Fails
     * with `SlotTaken` on the exclusion constraint, and with `HoldNotConfirmable` if the patient is restricted or erased, or after a
     * concurrent cancellation, which takes no doctor's lock. `units`: what an expired hold takes now.
     */
    const confirm = Effect.fnUntraced(function* (
      held: HeldBy,
      visit_reason: string | null | undefined,
      now: number,
      units?: Regained
    ) {
      const any = sql`${yield* confirming(held, visit_reason, now, units)} AND status IN ('held', 'expired')`
      // one that has expired takes its time anew
      const kinds: ReadonlyArray<Kind> = units === undefined ? ["confirmed"] : ["taken", "confirmed"]
      const confirmed = yield* changed.firstOr(
        overlapsAreTaken(changingTime(held.organisation_uid, kinds, any, now)),
        () => new HoldNotConfirmable({ reason: "cancelled" })
      )
      yield* tell(kinds, [confirmed], () => (units === undefined ? "held" : "expired"))
      return confirmed
    })

    /** Cancels these, each with an entry in the audit log: its trigger writes one for the first row of a transaction only. */
    const cancel = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      uids: ReadonlyArray<AppointmentUid>,
      reason: string | null,
      now: number
    ) {
      const given = yield* Effect.all(
        Object.fromEntries(uids.map((uid) => [uid, sealed("cancellation_reason_encrypted", owner, uid, reason)]))
      )
      // by a JSON object: several nodes fail on an array's element in SET
      const [, ...others] = yield* releasing(
        owner,
        sql`UPDATE appointments SET status = 'cancelled',
          cancelled_at = to_timestamp(${now}), updated_at = to_timestamp(${now}),
          cancellation_reason_encrypted = ${JSON.stringify(given)}::jsonb ->> uid
        WHERE organisation_uid = ${owner} AND uid = ANY (${[...uids]}) AND status IN ('held', 'confirmed')`
      )
      if (others.length > 0) yield* sql`SELECT audit_changes(${others.map(({ uid }) => uid)})`
    }, Effect.orDie)

    /** The row of an appointment of a provisioning file. `terms`: its type's, if it has one. */
    const provisionedRow = Effect.fnUntraced(function* (
      { entry, terms, ...taken }: ProvisionedAppointment,
      now: number
    ) {
      const { uid, organisation_uid, doctor_uid, appointment_type_uid, status } = entry
      const type = terms ?? defaultTerms
      const isHeld = status === "held"
      const wasConfirmed = !isHeld && status !== "expired"
      return {
        organisation_uid,
        uid,
        doctor_uid,
        patient_uid: entry.patient_uid,
        appointment_type_uid,
        slot_group: uid,
        resource_uids: [...taken.resource_uids],
        further_doctor_uids: [...taken.further_doctor_uids],
        shared_group: taken.shared_group,
        seat: taken.seat,
        status,
        visit_reason_encrypted: yield* sealed("visit_reason_encrypted", organisation_uid, uid, entry.visit_reason),
        meeting_type: entry.meeting_type ?? type.meeting_type,
        meeting_format: entry.meeting_format ?? standardFormat(type.formats),
        start_date: timestamp(entry.start_date),
        end_date: timestamp(entry.end_date),
        hold_ttl_seconds: isHeld ? type.hold_ttl_seconds : null,
        hold_expires_at: isHeld ? timestamp(now + type.hold_ttl_seconds) : null,
        room_name: yield* roomName(type.room_strategy, organisation_uid, doctor_uid, taken.shared_group),
        created_at: timestamp(entry.created_at ?? now),
        updated_at: timestamp(now),
        confirmed_at: wasConfirmed ? timestamp(entry.created_at ?? Math.min(now, entry.start_date)) : null,
        cancelled_at: status === "cancelled" ? timestamp(now) : null
      }
    })

    /** Asks in a statement of its own whom they concern: several nodes insert no rows within another statement. */
    const tellMade = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      kinds: ReadonlyArray<Kind>,
      made: ReadonlyArray<Pick<FactRow, "uid">>
    ) {
      if (made.length === 0) return
      const rows = yield* changedRows.all(sql`SELECT ${factColumns}, ${yield* concerning(owner, kinds)} AS concerned
        FROM appointments a WHERE a.organisation_uid = ${owner} AND a.uid = ANY (${made.map(({ uid }) => uid)})`)
      yield* tell(kinds, rows, () => null)
    })

    /** Creates appointments of a provisioning file. Existing ones are unchanged. */
    const provision = Effect.fnUntraced(function* (appointments: ReadonlyArray<ProvisionedAppointment>, now: number) {
      for (const some of Arr.chunksOf(appointments, PROVISIONED_AT_ONCE)) {
        const rows = yield* Effect.forEach(some, (one) => provisionedRow(one, now))
        // fails as a statement: the caller maps the errors
        const made =
          yield* sql`INSERT INTO appointments ${sql.insert(rows)} ON CONFLICT (organisation_uid, uid) DO NOTHING
          RETURNING organisation_uid, uid, status`
        const byOwner = Map.groupBy(yield* madeRows.all(Effect.succeed(made)), (one) => one.organisation_uid)
        for (const [owner, ofOne] of byOwner) {
          yield* tellMade(
            owner,
            ["taken"],
            ofOne.filter(({ status }) => status === "held")
          )
          yield* tellMade(
            owner,
            ["taken", "confirmed"],
            ofOne.filter(({ status }) => status === "confirmed")
          )
        }
      }
    })

    /** Releases the holds that would replace appointments which have ended in another way. */
    const release = (owner: OrganisationUid, groups: ReadonlyArray<AppointmentUid>, now: number) =>
      releasing(
        owner,
        sql`UPDATE appointments SET status = 'cancelled', cancelled_at = to_timestamp(${now}),
          updated_at = to_timestamp(${now}), cancellation_reason = 'superseded'
        WHERE organisation_uid = ${owner} AND slot_group = ANY (${[...groups]}) AND status = 'held'
          AND hold_expires_at > to_timestamp(${now})`
      )

    /** Ends as completed or missed, and returns the record. */
    const end = (owner: OrganisationUid, uid: AppointmentUid, status: "completed" | "no_show", now: number) =>
      Effect.tap(
        changed.one(
          changingTime(
            owner,
            ["completed"],
            sql`UPDATE appointments SET status = ${status}, updated_at = to_timestamp(${now})
              WHERE organisation_uid = ${owner} AND uid = ${uid}`,
            now
          )
        ),
        (one) => tell(["completed"], [one], () => "confirmed")
      )

    /** Takes back that it is completed or missed, and returns the record. Fails with `SlotTaken` if its time was taken since. */
    const reopen = (owner: OrganisationUid, ended: StoredAppointment, now: number) =>
      Effect.tap(
        changed.one(
          overlapsAreTaken(
            changingTime(
              owner,
              ["taken"],
              sql`UPDATE appointments SET status = 'confirmed', updated_at = to_timestamp(${now})
                WHERE organisation_uid = ${owner} AND uid = ${ended.uid}`,
              now
            )
          )
        ),
        (one) => tell(["taken"], [one], () => ended.status)
      )

    /** Ends up to `limit` appointments whose join window has closed, skipping locked ones. */
    const endOverdue = (owner: OrganisationUid, closedAfterEndSeconds: number, limit: number, now: number) =>
      Effect.tap(
        changed.all(
          changingTime(
            owner,
            ["completed"],
            sql`UPDATE appointments SET updated_at = to_timestamp(${now}), status =
              CASE WHEN meeting_format = 'DIGITAL' AND patient_joined_at IS NULL THEN 'no_show' ELSE 'completed' END
            WHERE organisation_uid = ${owner} AND uid IN (
              SELECT uid FROM appointments WHERE organisation_uid = ${owner} AND status = 'confirmed'
                AND end_date < to_timestamp(${now - closedAfterEndSeconds})
              ORDER BY end_date LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
            now
          )
        ),
        (ended) => tell(["completed"], ended, () => "confirmed")
      )

    /** Stores the expiry of up to `limit` holds; returns them. Those that were made for a patient are ended by whoever made them, or a day later. */
    const expireOverdue = (owner: OrganisationUid, limit: number, now: number) =>
      releasing(
        owner,
        sql`UPDATE appointments SET status = 'expired', updated_at = greatest(updated_at, hold_expires_at)
        WHERE organisation_uid = ${owner} AND uid IN (
          SELECT a.uid FROM appointments a WHERE a.organisation_uid = ${owner} AND ${expired(now)}
            AND (NOT a.is_offer OR a.hold_expires_at <= to_timestamp(${now - DAY}))
          ORDER BY hold_expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`
      )

    /** Stores the expiry of these holds, if they have expired. */
    const expireThese = (owner: OrganisationUid, uids: ReadonlyArray<AppointmentUid>, now: number) =>
      releasing(
        owner,
        sql`UPDATE appointments SET status = 'expired', updated_at = greatest(updated_at, hold_expires_at)
        WHERE organisation_uid = ${owner} AND uid = ANY (${[...uids]}) AND ${expired(now)}`
      )

    /** Stores the first time that each side joined. */
    const recordJoin = (owner: OrganisationUid, uid: AppointmentUid, role: "patient" | "doctor", now: number) => {
      const column = sql(role === "patient" ? "patient_joined_at" : "doctor_joined_at")
      return sql`UPDATE appointments SET ${column} = coalesce(${column}, to_timestamp(${now}))
        WHERE organisation_uid = ${owner} AND uid = ${uid}`.pipe(Effect.orDie, Effect.asVoid)
    }

    /** Stores when the patient of a confirmed appointment first entered the waiting room; returns the record that time only. */
    const recordWaiting = (owner: OrganisationUid, uid: AppointmentUid, now: number) =>
      stored.first(
        changing(
          owner,
          sql`UPDATE appointments SET patient_waiting_at = to_timestamp(${now}) WHERE organisation_uid = ${owner}
            AND uid = ${uid} AND status = 'confirmed' AND patient_waiting_at IS NULL`,
          now
        )
      )

    return {
      find,
      all,
      bookedTogether,
      findForShare,
      lock,
      lockAll,
      latestOfSession,
      overlapping,
      findWithOverlaps,
      announceLate,
      markMovedByPractice,
      announceDoctorLate,
      groupsTaking,
      doctorsOf,
      ensureConfirmable,
      standing,
      expire,
      hold,
      book,
      keepReason,
      provision,
      confirm,
      confirmLive,
      cancel,
      release,
      end,
      reopen,
      endOverdue,
      expireOverdue,
      expireThese,
      recordJoin,
      recordWaiting
    } as const
  })
}) {}
