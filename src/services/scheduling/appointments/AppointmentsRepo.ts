/** The only writer of the table of appointments. Instants are Unix seconds. */
import { SqlClient, type Statement } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import { AppointmentUid, type BookingSessionUid, DoctorUid, type OrganisationUid } from "../../../schemas/ids.ts"
import type { AppointmentEntry } from "../../../schemas/provisioning/scheduling.ts"
import { AppointmentType } from "../../../schemas/scheduling/AppointmentType.ts"
import {
  AppointmentNotFound,
  HoldNotConfirmable,
  PatientRestricted,
  SlotTaken,
  type StartField,
  TooManyAppointments,
  TooManyHolds
} from "../../../schemas/scheduling/errors.ts"
import { Distribution } from "../../database/Distribution.ts"
import { anyOr, rowsOf } from "../../database/rows.ts"
import { EXCLUSION_VIOLATION, onSqlState, timestamp } from "../../database/SqlErrors.ts"
import { Envelope, type SealedPlace } from "../../sealing/Envelope.ts"
import { roomName } from "../joining/rooms.ts"
import { overdueOf } from "./overdue.ts"
import { type Counted, limitsIn, mayBook } from "./patientLimits.ts"
import { type HeldBy, Limits, type NewAppointment, StoredAppointment } from "./StoredAppointment.ts"

const notFound = () => new AppointmentNotFound()

export class AppointmentsRepo extends Effect.Service<AppointmentsRepo>()("scheduling/AppointmentsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { isCluster } = yield* Distribution
    const envelope = yield* Envelope
    /** Decrypts the reasons in rows with `columns`. */
    const opened = envelope.openRows("appointments", ["organisation_uid", "uid"])
    const stored = rowsOf(StoredAppointment, opened)
    const sealed = (column: SealedPlace["column"], owner: OrganisationUid, uid: AppointmentUid, text: string | null) =>
      envelope.seal({ table: "appointments", column, row: [owner, uid] }, text)
    const doctors = rowsOf(Schema.Struct({ doctor_uid: DoctorUid }))
    const uidRows = rowsOf(Schema.Struct({ uid: AppointmentUid }))
    const limits = rowsOf(Limits)
    const taken = rowsOf(Schema.Struct({ uid: Schema.NullOr(AppointmentUid), ...Limits.fields }))

    const { expired, unfinished } = overdueOf(sql)
    const limitsOf = limitsIn(sql)
    /** A hold reads as expired from the second it expires, whether or not a job has stored that yet. */
    const isOverdue = (now: number) => sql`(a.status = 'held' AND a.hold_expires_at <= to_timestamp(${now}))`
    const statusAt = (now: number) => sql`CASE WHEN ${isOverdue(now)} THEN 'expired' ELSE a.status END`
    /** Expiring also changes the record. */
    const updatedAt = (now: number) =>
      sql`CASE WHEN ${isOverdue(now)} THEN greatest(a.updated_at, a.hold_expires_at) ELSE a.updated_at END`
    /** The columns of `StoredAppointment`. */
    const columns = (now: number) => sql`a.organisation_uid, a.uid, ${statusAt(now)} AS status, a.doctor_uid,
      d.display_name AS doctor_display_name, a.patient_uid,
      trim(concat_ws(' ', p.profile->>'first_name', p.profile->>'last_name')) AS patient_display_name,
      a.appointment_type_uid, t.name AS appointment_type_name, a.visit_reason_encrypted, a.meeting_type, a.meeting_format,
      a.start_date, a.end_date, a.created_at, ${updatedAt(now)} AS updated_at, a.cancelled_at, a.cancellation_reason,
      a.cancellation_reason_encrypted, a.previous_meeting_uid,
      a.slot_group, a.booking_session_uid, a.replaces_appointment_uid, a.hold_ttl_seconds, a.hold_expires_at,
      a.room_name, a.confirmed_at, a.late_minutes, coalesce(t.active AND t.deleted_at IS NULL, false) AS type_bookable,
      coalesce(t.allow_patient_rebooking, false) AS allow_patient_rebooking,
      coalesce(t.rebooking_mode, 'same_doctor_only') AS rebooking_mode,
      coalesce(t.rebooking_min_notice_minutes, 0) AS rebooking_min_notice_minutes,
      coalesce(t.cancellation_min_notice_minutes, 0) AS cancellation_min_notice_minutes`
    const others = (
      owner: OrganisationUid
    ) => sql`JOIN doctors d ON d.organisation_uid = ${owner} AND d.uid = a.doctor_uid
      JOIN patients p ON p.organisation_uid = ${owner} AND p.uid = a.patient_uid
      LEFT JOIN appointment_types t ON t.organisation_uid = ${owner} AND t.uid = a.appointment_type_uid`
    /** FROM and WHERE of an organisation's appointments `a`, with the joins that `columns` needs. */
    const joined = (owner: OrganisationUid, where: Statement.Fragment) =>
      sql`FROM appointments a ${others(owner)} WHERE a.organisation_uid = ${owner} AND ${where}`
    /** Changes of other tables, as further CTEs. */
    const alongside = (also: ReadonlyArray<Statement.Fragment>) =>
      sql.join("", false)(also.map((one, at) => sql`, ${sql(`also_${at}`)} AS (${one})`))
    /** End of the appointment that `changing` updates, for the statements in `also`. */
    const endOfChanged = sql`(SELECT end_date FROM changed)`
    /** Returns the records after an UPDATE of appointments; `also` runs in the same statement. */
    const changing = (
      owner: OrganisationUid,
      update: Statement.Fragment,
      now: number,
      also: ReadonlyArray<Statement.Fragment> = []
    ) => sql`WITH changed AS (${update} RETURNING *) ${alongside(also)}
        SELECT ${columns(now)} FROM changed a ${others(owner)}`

    const one = (locking: Statement.Fragment) => (owner: OrganisationUid, uid: AppointmentUid, now: number) =>
      stored.firstOr(sql`SELECT ${columns(now)} ${joined(owner, sql`a.uid = ${uid} ${locking}`)}`, notFound)
    /** The appointment; another organisation's is `AppointmentNotFound`. */
    const find = one(sql``)
    const all = (owner: OrganisationUid, uids: ReadonlyArray<AppointmentUid>, now: number) =>
      stored.all(sql`SELECT ${columns(now)} ${joined(owner, sql`a.uid = ANY (${[...uids]})`)}`)
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

    /** Stores how late the patient will be; fails with `AppointmentNotFound` if the appointment is not confirmed. */
    const announceLate = (owner: OrganisationUid, uid: AppointmentUid, minutes: number) =>
      anyOr(
        sql`UPDATE appointments SET late_minutes = ${minutes} WHERE organisation_uid = ${owner}
        AND uid = ${uid} AND status = 'confirmed' RETURNING uid`,
        notFound
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

    /** Stores the expiry of a doctor's holds in the time range, so that the exclusion constraint ignores them. */
    const expire = (
      held: Pick<StoredAppointment, "organisation_uid" | "doctor_uid" | "start_date" | "end_date">,
      now: number
    ) =>
      sql`UPDATE appointments SET status = 'expired', updated_at = greatest(updated_at, hold_expires_at)
        WHERE organisation_uid = ${held.organisation_uid} AND doctor_uid = ${held.doctor_uid} AND status = 'held'
          AND hold_expires_at <= to_timestamp(${now}) AND start_date < to_timestamp(${held.end_date})
          AND end_date > to_timestamp(${held.start_date})`.pipe(Effect.orDie, Effect.asVoid)

    /**
     * Inserts a hold or a confirmed appointment. The same statement stores the expiry of overlapping holds and releases the session's
     * earlier hold and any other that would replace the same appointment. Fails with `PatientRestricted`, `TooManyHolds`,
     * `TooManyAppointments`, and with `SlotTaken` on the exclusion constraint; the caller's transaction then rolls all of it back, `also`
     * included.
     */
    const take = Effect.fnUntraced(function* (
      row: NewAppointment,
      now: number,
      also: ReadonlyArray<Statement.Fragment>,
      field: StartField
    ) {
      const held = sql`SELECT uid FROM appointments WHERE organisation_uid = ${row.organisation_uid} AND status = 'held'`
      const visit_reason = yield* sealed("visit_reason_encrypted", row.organisation_uid, row.uid, row.visit_reason)
      const released = sql`WITH limits AS (${limitsOf(row, now)}) ${alongside(also)},
        released AS (
          UPDATE appointments SET
            status = CASE WHEN hold_expires_at <= to_timestamp(${now}) THEN 'expired' ELSE 'cancelled' END,
            updated_at = least(hold_expires_at, to_timestamp(${now})),
            cancelled_at = CASE WHEN hold_expires_at > to_timestamp(${now}) THEN to_timestamp(${now}) END,
            cancellation_reason = CASE WHEN hold_expires_at > to_timestamp(${now}) THEN 'superseded' END
          WHERE organisation_uid = ${row.organisation_uid} AND status = 'held' AND uid = ANY (ARRAY(
            ${held} AND booking_session_uid = ${row.booking_session_uid}
            UNION ALL ${held} AND slot_group = ${row.slot_group}
            UNION ALL ${held} AND doctor_uid = ${row.doctor_uid} AND hold_expires_at <= to_timestamp(${now})
              AND start_date < to_timestamp(${row.end_date}) AND end_date > to_timestamp(${row.start_date})))
          RETURNING uid)`
      const inserting = (rows: Statement.Fragment) => sql`INSERT INTO appointments (organisation_uid, uid, doctor_uid,
            patient_uid, appointment_type_uid, booking_session_uid, previous_meeting_uid, replaces_appointment_uid, slot_group, status,
            meeting_type, meeting_format, visit_reason_encrypted, start_date, end_date, hold_ttl_seconds, hold_expires_at, room_name,
            created_at, updated_at, confirmed_at)
          ${rows} ON CONFLICT ON CONSTRAINT appointments_no_overlap DO NOTHING RETURNING uid`
      const values = sql`${row.organisation_uid}, ${row.uid}, ${row.doctor_uid}, ${row.patient_uid},
            ${row.appointment_type_uid}, ${row.booking_session_uid}, ${row.previous_meeting_uid},
            ${row.replaces_appointment_uid}, ${row.slot_group}, ${row.status}, ${row.meeting_type}, ${row.meeting_format},
            ${visit_reason}, to_timestamp(${row.start_date}), to_timestamp(${row.end_date}),
            ${row.hold_ttl_seconds}::integer, to_timestamp(${row.hold_expires_at}), ${row.room_name},
            to_timestamp(${now}), to_timestamp(${now}), to_timestamp(${row.status === "confirmed" ? now : null})`
      const within = Effect.fnUntraced(function* (found: typeof Limits.Type) {
        if (found.restricted) return yield* new PatientRestricted()
        if (found.too_many_appointments) return yield* new TooManyAppointments({ field })
        if (found.too_many_holds)
          return yield* new TooManyHolds({ retry_after_seconds: Math.max((found.first_expires_at ?? now) - now, 1) })
      })
      if (isCluster) {
        yield* Effect.flatMap(limits.one(sql`${released} SELECT limits.* FROM limits`), within)
        yield* anyOr(inserting(sql`VALUES (${values})`), () => new SlotTaken())
      } else {
        const { uid, ...found } = yield* taken.one(sql`${released}, inserted AS (${inserting(sql`SELECT ${values}
            FROM (SELECT count(*) FROM released) after_the_release, limits
            WHERE NOT too_many_holds AND NOT too_many_appointments AND NOT restricted`)})
          SELECT (SELECT uid FROM inserted) AS uid, limits.* FROM limits`)
        yield* within(found)
        if (uid === null) return yield* new SlotTaken()
      }
    })

    /** Statement that confirms, unless the patient is restricted or erased; an undefined `visit_reason` keeps the stored one. */
    const confirming = Effect.fnUntraced(function* (
      { organisation_uid, uid }: HeldBy,
      visit_reason: string | null | undefined,
      now: number
    ) {
      const reason = yield* sealed("visit_reason_encrypted", organisation_uid, uid, visit_reason ?? null)
      return sql`UPDATE appointments SET status = 'confirmed', confirmed_at = to_timestamp(${now}),
        updated_at = to_timestamp(${now}), previous_meeting_uid = replaces_appointment_uid, visit_reason_encrypted =
          CASE WHEN ${visit_reason === undefined} THEN visit_reason_encrypted ELSE ${reason}::text END
        WHERE organisation_uid = ${organisation_uid} AND uid = ${uid}
          AND ${mayBook(sql, organisation_uid, sql`appointments.patient_uid`)}`
    })

    /** Confirms a live hold of the session, or one without a session, that replaces nothing; none if there is no such hold. */
    const confirmLive = Effect.fnUntraced(function* (
      held: HeldBy,
      visit_reason: string | null | undefined,
      now: number,
      also: ReadonlyArray<Statement.Fragment>
    ) {
      const live = sql`${yield* confirming(held, visit_reason, now)} AND status = 'held'
            AND hold_expires_at > to_timestamp(${now}) AND end_date > to_timestamp(${now})
            AND booking_session_uid IS NOT DISTINCT FROM ${held.session_uid} AND replaces_appointment_uid IS NULL`
      return yield* stored.first(changing(held.organisation_uid, live, now, also))
    })

    /**
     * Confirms a hold, in a rebooking as successor of the replaced appointment; an undefined `visit_reason` keeps the stored one. Fails
     * with `SlotTaken` on the exclusion constraint, and with `HoldNotConfirmable` if the patient is restricted or erased, or after a
     * concurrent cancellation, which takes no doctor's lock.
     */
    const confirm = Effect.fnUntraced(function* (
      held: HeldBy,
      visit_reason: string | null | undefined,
      now: number,
      also: ReadonlyArray<Statement.Fragment>
    ) {
      const any = sql`${yield* confirming(held, visit_reason, now)} AND status IN ('held', 'expired')`
      return yield* stored.firstOr(
        onSqlState(EXCLUSION_VIOLATION, () => new SlotTaken())(changing(held.organisation_uid, any, now, also)),
        () => new HoldNotConfirmable({ reason: "cancelled" })
      )
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
      // by a JSON object: Citus crashes on an array's element in SET
      const [, ...others] = yield* uidRows.all(sql`UPDATE appointments SET status = 'cancelled',
          cancelled_at = to_timestamp(${now}), updated_at = to_timestamp(${now}),
          cancellation_reason_encrypted = ${JSON.stringify(given)}::jsonb ->> uid
        WHERE organisation_uid = ${owner} AND uid = ANY (${[...uids]}) RETURNING uid`)
      if (others.length > 0) yield* sql`SELECT audit_changes(${others.map(({ uid }) => uid)})`
    }, Effect.orDie)

    const termsOf = rowsOf(AppointmentType.pick("hold_ttl_seconds", "room_strategy", "meeting_type"))

    /** Creates an appointment of a provisioning file. An existing one is unchanged. */
    const provision = Effect.fnUntraced(function* (entry: AppointmentEntry, now: number) {
      const { uid, organisation_uid, doctor_uid, appointment_type_uid, status } = entry
      const terms = yield* termsOf.first(sql`SELECT hold_ttl_seconds, room_strategy, meeting_type FROM appointment_types
        WHERE organisation_uid = ${organisation_uid} AND uid = ${appointment_type_uid}`)
      const type = Option.getOrElse(terms, () => ({
        hold_ttl_seconds: 600,
        room_strategy: "per_appointment" as const,
        meeting_type: "CONSULTATION" as const
      }))
      const isHeld = status === "held"
      const wasConfirmed = !isHeld && status !== "expired"
      const row = {
        organisation_uid,
        uid,
        doctor_uid,
        patient_uid: entry.patient_uid,
        appointment_type_uid,
        slot_group: uid,
        status,
        visit_reason_encrypted: yield* sealed("visit_reason_encrypted", organisation_uid, uid, entry.visit_reason),
        meeting_type: entry.meeting_type ?? type.meeting_type,
        meeting_format: entry.meeting_format,
        start_date: timestamp(entry.start_date),
        end_date: timestamp(entry.end_date),
        hold_ttl_seconds: isHeld ? type.hold_ttl_seconds : null,
        hold_expires_at: isHeld ? timestamp(now + type.hold_ttl_seconds) : null,
        room_name: yield* roomName(type.room_strategy, organisation_uid, doctor_uid),
        created_at: timestamp(now),
        updated_at: timestamp(now),
        confirmed_at: wasConfirmed ? timestamp(Math.min(now, entry.start_date)) : null,
        cancelled_at: status === "cancelled" ? timestamp(now) : null
      }
      yield* sql`INSERT INTO appointments ${sql.insert(row)} ON CONFLICT (organisation_uid, uid) DO NOTHING`
    })

    /** Releases the holds that would replace appointments which have ended in another way. */
    const release = (owner: OrganisationUid, groups: ReadonlyArray<AppointmentUid>, now: number) =>
      sql`UPDATE appointments SET status = 'cancelled', cancelled_at = to_timestamp(${now}),
          updated_at = to_timestamp(${now}), cancellation_reason = 'superseded'
        WHERE organisation_uid = ${owner} AND slot_group = ANY (${[...groups]}) AND status = 'held'
          AND hold_expires_at > to_timestamp(${now})`.pipe(Effect.orDie, Effect.asVoid)

    /** Ends as completed or missed, and returns the record. */
    const end = (owner: OrganisationUid, uid: AppointmentUid, status: "completed" | "no_show", now: number) =>
      stored.one(
        changing(
          owner,
          sql`UPDATE appointments SET status = ${status}, updated_at = to_timestamp(${now})
              WHERE organisation_uid = ${owner} AND uid = ${uid}`,
          now
        )
      )

    /** Ends up to `limit` appointments whose join window has closed, skipping locked ones. */
    const endOverdue = (owner: OrganisationUid, closedAfterEndSeconds: number, limit: number, now: number) =>
      stored.all(
        changing(
          owner,
          sql`UPDATE appointments SET updated_at = to_timestamp(${now}), status =
              CASE WHEN meeting_format = 'DIGITAL' AND patient_joined_at IS NULL THEN 'no_show' ELSE 'completed' END
            WHERE organisation_uid = ${owner} AND uid IN (
              SELECT uid FROM appointments WHERE organisation_uid = ${owner} AND ${unfinished(closedAfterEndSeconds, now)}
              ORDER BY end_date LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
          now
        )
      )

    /** Stores the expiry of up to `limit` holds; returns their uids. */
    const expireOverdue = (owner: OrganisationUid, limit: number, now: number) =>
      uidRows.all(sql`UPDATE appointments SET status = 'expired', updated_at = greatest(updated_at, hold_expires_at)
        WHERE organisation_uid = ${owner} AND uid IN (
          SELECT uid FROM appointments WHERE organisation_uid = ${owner} AND ${expired(now)}
          ORDER BY hold_expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
        RETURNING uid`)

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
      findForShare,
      lock,
      lockAll,
      latestOfSession,
      overlapping,
      announceLate,
      doctorsOf,
      ensureConfirmable,
      expire,
      take,
      provision,
      confirm,
      confirmLive,
      endOfChanged,
      cancel,
      release,
      end,
      endOverdue,
      expireOverdue,
      recordJoin,
      recordWaiting,
      isOverdue,
      columns,
      joined,
      opened
    } as const
  }),
  dependencies: [Envelope.Default]
}) {}
