/** The one room for the SQL of appointments. Instants go in as Unix seconds and come out as such. */
import { SqlClient, type Statement } from "@effect/sql"
import { Effect } from "effect"
import { Conflict } from "../../../schemas/conflicts.ts"
import type { UnixSeconds } from "../../../schemas/fields.ts"
import type { AppointmentUid, BookingSessionUid, DoctorUid, OrganisationUid, PatientUid } from "../../../schemas/ids.ts"
import { NotFound } from "../../../schemas/problems.ts"
import { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import type { MeetingFormat, MeetingType } from "../../../schemas/scheduling/AppointmentType.ts"
import { EXCLUSION_VIOLATION, onSqlState } from "../../SqlErrors.ts"

/** What the service knows of an appointment beyond what it shows. */
export interface StoredAppointment extends Appointment {
  readonly organisation_uid: OrganisationUid
  readonly slot_group: string
  readonly booking_session_uid: BookingSessionUid | null
  readonly replaces_appointment_uid: AppointmentUid | null
  readonly hold_ttl_seconds: number | null
  readonly hold_expires_at: UnixSeconds | null
  readonly room_name: string
  readonly confirmed_at: UnixSeconds | null
  /** The type's terms for those who want to change it. */
  readonly allow_patient_rebooking: boolean
  readonly rebooking_mode: "same_doctor_only" | "any_doctor_same_organisation"
  readonly rebooking_min_notice_minutes: number
  readonly cancellation_min_notice_minutes: number
}

export interface NewAppointment {
  readonly organisation_uid: OrganisationUid
  readonly uid: string
  readonly doctor_uid: DoctorUid
  readonly patient_uid: PatientUid
  readonly appointment_type_uid: string
  readonly booking_session_uid: BookingSessionUid | null
  readonly previous_meeting_uid: AppointmentUid | null
  readonly replaces_appointment_uid: AppointmentUid | null
  readonly slot_group: string
  readonly status: "held" | "confirmed"
  readonly meeting_type: MeetingType
  readonly meeting_format: MeetingFormat
  readonly visit_reason: string | null
  readonly start_date: UnixSeconds
  readonly end_date: number
  readonly hold_ttl_seconds: number | null
  readonly hold_expires_at: number | null
  readonly room_name: string
}

const cancelledMeanwhile = new Conflict({
  reason: "not_confirmable",
  hint: "This hold was cancelled meanwhile: search again and hold a new slot"
})

export const slotTaken = new Conflict({ reason: "slot_taken" })

const isShown = Object.keys(Appointment.fields) as ReadonlyArray<keyof Appointment>

/** The public record of an appointment (Rule 4.1.1). */
export const publicAppointment = (stored: StoredAppointment): Appointment =>
  Object.fromEntries(isShown.map((field) => [field, stored[field]])) as unknown as Appointment // same keys, same values

export class AppointmentsRepo extends Effect.Service<AppointmentsRepo>()("scheduling/AppointmentsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** A lapsed hold reads as expired from the second it lapses, whether or not a job has written that down yet. */
    const statusAt = (now: number) => sql`CASE WHEN a.status = 'held' AND a.hold_expires_at <= to_timestamp(${now})
      THEN 'expired' ELSE a.status END`
    const columns = (now: number) => sql`a.organisation_uid, a.uid, ${statusAt(now)} AS status, a.doctor_uid,
      d.display_name AS doctor_display_name, a.patient_uid,
      trim(concat_ws(' ', p.profile->>'first_name', p.profile->>'last_name')) AS patient_display_name,
      a.appointment_type_uid, t.name AS appointment_type_name, a.visit_reason, a.meeting_type, a.meeting_format,
      a.start_date, a.end_date, a.created_at, a.cancelled_at, a.cancellation_reason, a.previous_meeting_uid,
      a.slot_group, a.booking_session_uid, a.replaces_appointment_uid, a.hold_ttl_seconds, a.hold_expires_at,
      a.room_name, a.confirmed_at, coalesce(t.allow_patient_rebooking, false) AS allow_patient_rebooking,
      coalesce(t.rebooking_mode, 'same_doctor_only') AS rebooking_mode,
      coalesce(t.rebooking_min_notice_minutes, 0) AS rebooking_min_notice_minutes,
      coalesce(t.cancellation_min_notice_minutes, 0) AS cancellation_min_notice_minutes`
    const joined = sql`FROM appointments a
      JOIN doctors d ON d.organisation_uid = a.organisation_uid AND d.uid = a.doctor_uid
      JOIN patients p ON p.organisation_uid = a.organisation_uid AND p.uid = a.patient_uid
      LEFT JOIN appointment_types t ON t.organisation_uid = a.organisation_uid AND t.uid = a.appointment_type_uid`

    const one = (locking: Statement.Fragment) =>
      function* (owner: OrganisationUid, uid: string, now: number) {
        const [row] = yield* sql<StoredAppointment>`SELECT ${columns(now)} ${joined}
          WHERE a.organisation_uid = ${owner} AND a.uid = ${uid} ${locking}`.pipe(Effect.orDie)
        return row === undefined ? yield* new NotFound({ what: "Appointment" }) : row
      }
    /** The appointment, or 404: another organisation's is not there. */
    const find = Effect.fn("AppointmentsRepo.find")(one(sql``))
    /** The same; nobody changes it before the caller's transaction ends. */
    const findStill = Effect.fn("AppointmentsRepo.findStill")(one(sql`FOR SHARE OF a`))

    /** What a booking session has come to: its confirmed appointment, else its newest hold that was not released. */
    const latestOfSession = Effect.fn("AppointmentsRepo.latestOfSession")(function* (
      owner: OrganisationUid,
      session: BookingSessionUid,
      now: number
    ) {
      const [row] = yield* sql<StoredAppointment>`SELECT ${columns(now)} ${joined}
        WHERE a.organisation_uid = ${owner} AND a.booking_session_uid = ${session}
          AND a.status IN ('held', 'expired', 'confirmed')
        ORDER BY a.status = 'confirmed' DESC, a.uid DESC LIMIT 1`.pipe(Effect.orDie)
      return row ?? null
    })

    /** One at a time per doctor. Its own statement, so that what is read next sees what the one before has committed. */
    const lockDoctors = Effect.fn("AppointmentsRepo.lockDoctors")(function* (
      owner: OrganisationUid,
      doctors: ReadonlyArray<string>
    ) {
      for (const doctor of [...new Set(doctors)].sort()) {
        yield* sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${owner}/${doctor}`}, 0))`.pipe(Effect.orDie)
      }
    })

    /** Writes down what has lapsed in a doctor's stretch of time, so that it stands in nobody's way. */
    const lapse = (owner: OrganisationUid, doctor: string, from: number, to: number, now: number) =>
      sql`UPDATE appointments SET status = 'expired'
        WHERE organisation_uid = ${owner} AND doctor_uid = ${doctor} AND status = 'held'
          AND hold_expires_at <= to_timestamp(${now})
          AND start_date < to_timestamp(${to}) AND end_date > to_timestamp(${from})`.pipe(Effect.orDie, Effect.asVoid)

    /**
     * Takes a time, as a hold or a confirmed appointment: in one statement it writes down what has lapsed there, releases
     * the session's earlier hold and any other that would replace the same appointment, and inserts. 409 when the time is
     * taken after all: the exclusion constraint has the last word.
     */
    const take = Effect.fn("AppointmentsRepo.take")(function* (row: NewAppointment, now: number) {
      const taken = yield* sql`WITH released AS (
          UPDATE appointments SET
            status = CASE WHEN hold_expires_at <= to_timestamp(${now}) THEN 'expired' ELSE 'cancelled' END,
            cancelled_at = CASE WHEN hold_expires_at > to_timestamp(${now}) THEN to_timestamp(${now}) END,
            cancellation_reason = CASE WHEN hold_expires_at > to_timestamp(${now}) THEN 'superseded' END
          WHERE organisation_uid = ${row.organisation_uid} AND status = 'held'
            AND (booking_session_uid = ${row.booking_session_uid} OR slot_group = ${row.slot_group}
              OR (doctor_uid = ${row.doctor_uid} AND hold_expires_at <= to_timestamp(${now})
                AND start_date < to_timestamp(${row.end_date}) AND end_date > to_timestamp(${row.start_date})))
          RETURNING uid)
        INSERT INTO appointments (organisation_uid, uid, doctor_uid, patient_uid,
          appointment_type_uid, booking_session_uid, previous_meeting_uid, replaces_appointment_uid, slot_group, status,
          meeting_type, meeting_format, visit_reason, start_date, end_date, hold_ttl_seconds, hold_expires_at, room_name,
          created_at, confirmed_at)
        SELECT ${row.organisation_uid}, ${row.uid}, ${row.doctor_uid}, ${row.patient_uid},
          ${row.appointment_type_uid}, ${row.booking_session_uid}, ${row.previous_meeting_uid},
          ${row.replaces_appointment_uid}, ${row.slot_group}, ${row.status}, ${row.meeting_type}, ${row.meeting_format},
          ${row.visit_reason}, to_timestamp(${row.start_date}), to_timestamp(${row.end_date}),
          ${row.hold_ttl_seconds}::integer, to_timestamp(${row.hold_expires_at}), ${row.room_name},
          to_timestamp(${now}), to_timestamp(${row.status === "confirmed" ? now : null})
        FROM (SELECT count(*) FROM released) after_the_release
        ON CONFLICT ON CONSTRAINT appointments_no_overlap DO NOTHING RETURNING uid`.pipe(Effect.orDie)
      if (taken.length === 0) return yield* slotTaken
    })

    /** Releases the hold that would replace an appointment which has ended in another way. */
    const release = (owner: OrganisationUid, group: string, now: number) =>
      sql`UPDATE appointments SET status = 'cancelled', cancelled_at = to_timestamp(${now}),
          cancellation_reason = 'superseded'
        WHERE organisation_uid = ${owner} AND slot_group = ${group} AND status = 'held'
          AND hold_expires_at > to_timestamp(${now})`.pipe(Effect.orDie, Effect.asVoid)

    /** Confirms a hold; `visit_reason` undefined keeps what it has. 409 when the database finds the time taken. */
    const confirm = (owner: OrganisationUid, uid: string, visit_reason: string | null | undefined, now: number) =>
      sql`UPDATE appointments SET status = 'confirmed', confirmed_at = to_timestamp(${now}),
          visit_reason = CASE WHEN ${visit_reason === undefined} THEN visit_reason ELSE ${visit_reason ?? null}::text END
        WHERE organisation_uid = ${owner} AND uid = ${uid} AND status IN ('held', 'expired') RETURNING uid`.pipe(
        onSqlState(EXCLUSION_VIOLATION, () => slotTaken),
        // A cancellation holds no doctor's lock and may have come in between.
        Effect.filterOrFail(
          ({ length }) => length > 0,
          () => cancelledMeanwhile
        ),
        Effect.asVoid
      )

    return {
      find,
      findStill,
      latestOfSession,
      lockDoctors,
      lapse,
      take,
      release,
      confirm,
      columns,
      joined,
      statusAt
    } as const
  })
}) {}
