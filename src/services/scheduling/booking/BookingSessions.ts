/** Booking sessions, identified by launch codes (Rule 4.3). */
import { Effect, Option, Schema } from "effect"
import { Settings } from "../../../config.ts"
import { Actor } from "../../../schemas/access/Actor.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import {
  AppointmentTypeUid,
  AppointmentUid,
  BookingSessionUid,
  DoctorUid,
  OrganisationUid,
  PatientUid,
  ShopUid
} from "../../../schemas/ids.ts"
import { CodeKind } from "../../../schemas/scheduling/ActionLink.ts"
import { MeetingFormat } from "../../../schemas/scheduling/AppointmentType.ts"
import {
  type AnySessionContext,
  type BookingSessionCreated,
  pageOfMode,
  SessionMode
} from "../../../schemas/scheduling/Booking.ts"
import { BookableTypeNotFound, BookingSessionNotFound } from "../../../schemas/scheduling/errors.ts"
import { HOUR, MINUTE } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../DomainClock.ts"
import { Inserts } from "../../database/Inserts.ts"
import { any, anyOr, done, rowsOf } from "../../database/rows.ts"
import { Sql } from "../../database/Sql.ts"
import type { Patient } from "../../patients/Patients.ts"
import { RECORD_LIMITS } from "../../recordLimits.ts"
import { Service } from "../../Service.ts"
import { type Place, SecretBox } from "../../sealing/SecretBox.ts"
import { OwnerByKey } from "../../tenancy/OwnerByKey.ts"
import { hashOf, newCodeOf, newUid } from "../../uid.ts"

const LIFETIME_SECONDS = 30 * MINUTE
/** How long after its opening a session can be prolonged to. */
const LONGEST_SECONDS = 4 * HOUR

/** A stored session with its appointment type. */
export const BookingSession = Schema.Struct({
  organisation_uid: OrganisationUid,
  uid: BookingSessionUid,
  shop_uid: ShopUid,
  patient_uid: PatientUid,
  mode: SessionMode,
  appointment_type_uid: AppointmentTypeUid,
  appointment_type_name: Schema.String,
  duration_minutes: Schema.Number,
  /** What capabilities have added to the type (`addTypeFields`), as stored. */
  type_fields: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
  replaces_appointment_uid: Schema.NullOr(AppointmentUid),
  start_from: UnixSeconds,
  start_to: UnixSeconds,
  return_url: Schema.NullOr(Schema.String),
  /** profile fields of the token that opened it whose values could not be used */
  ignored_profile_fields: Schema.Array(Schema.String),
  /** format of the session's holds; null: not chosen */
  meeting_format: Schema.NullOr(MeetingFormat),
  actor: Actor,
  /** kind of the action code that opened it; null: opened by another credential */
  link_kind: Schema.NullOr(CodeKind),
  expires_at: UnixSeconds
})
export type BookingSession = typeof BookingSession.Type

/**
 * What a session's page may do beside booking. A session that an action code opened to move an appointment may do no more than that code:
 * it leads to no other appointment. Rule 5.4.15.
 */
export const powersOf = ({ mode, link_kind }: Pick<BookingSession, "mode" | "link_kind">) => ({
  /** ask for consents, and issue codes that move or cancel the session's own appointment */
  own: link_kind === null || link_kind === "page",
  /** show the patient's other appointments at the same time, and issue codes that move them */
  others: link_kind === null || mode === "booking"
})

/** A session of any mode, also of those that capabilities add. */
export const AnyBookingSession = Schema.Struct({
  ...BookingSession.pick("organisation_uid", "uid", "shop_uid", "patient_uid", "return_url", "expires_at").fields,
  mode: Schema.String
})
export type AnyBookingSession = typeof AnyBookingSession.Type

const LaunchCode = Schema.Struct({ uid: BookingSessionUid, launch_code_sealed: Schema.String, expires_at: UnixSeconds })

const placeOf = (organisation_uid: OrganisationUid, uid: BookingSessionUid): Place => ({
  table: "booking_sessions",
  column: "launch_code_sealed",
  row: [organisation_uid, uid]
})

/** Language and IANA zone chosen on the page; null if not chosen. */
export const SessionChoices = Schema.Struct({
  language: Schema.NullOr(Schema.String),
  timezone: Schema.NullOr(Schema.String)
})
export type SessionChoices = typeof SessionChoices.Type

interface WithTime extends Pick<BookingSession, "mode" | "appointment_type_uid" | "replaces_appointment_uid"> {
  readonly start_from: number
  readonly start_to: number
}
/** Of a mode that a capability adds. */
interface WithoutTime {
  readonly mode: string
  readonly appointment_type_uid: null
  readonly replaces_appointment_uid: null
  readonly start_from: null
  readonly start_to: null
}
export const withoutTime = (mode: string): WithoutTime => ({
  mode,
  appointment_type_uid: null,
  replaces_appointment_uid: null,
  start_from: null,
  start_to: null
})

export type NewSession = Pick<BookingSession, "return_url" | "actor"> &
  (WithTime | WithoutTime) & {
    readonly patient: Patient
    readonly meeting_format?: MeetingFormat
    readonly link_kind?: CodeKind
  }

export class BookingSessions extends Service<BookingSessions>()("scheduling/BookingSessions", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { ifAllowed } = yield* Inserts
    const owners = yield* OwnerByKey
    const clock = yield* DomainClock
    const box = yield* SecretBox
    const { meetingsUrl } = yield* Settings

    const found = rowsOf(BookingSession)
    const ofAnyMode = rowsOf(AnyBookingSession)
    const holding = rowsOf(Schema.Struct({ ...BookingSession.fields, held_with: Schema.NullOr(DoctorUid) }))
    const codes = rowsOf(LaunchCode)
    const choices = rowsOf(SessionChoices)
    const zones = rowsOf(Schema.Struct({ timezone: Schema.String }))

    const created = (code: string, expires_at: UnixSeconds, page = ""): BookingSessionCreated => ({
      booking_launch_code: code,
      expires_at,
      launch_url: `${meetingsUrl}/booking/${code}${page}`
    })

    /**
     * Expires the patient's sessions older than the newest `RECORD_LIMITS.sessions`, except those with a live hold. Locked in one order, so
     * that concurrent requests of a patient do not wait for each other in a circle.
     */
    const endOldest = ({ organisation_uid, patient_uid }: Patient, now: number) => sql`
      UPDATE booking_sessions SET expires_at = to_timestamp(${now})
      WHERE organisation_uid = ${organisation_uid} AND uid IN (
        SELECT l.uid FROM booking_sessions l WHERE l.organisation_uid = ${organisation_uid} AND l.uid IN (
          SELECT s.uid FROM booking_sessions s
          WHERE s.organisation_uid = ${organisation_uid} AND s.patient_uid = ${patient_uid}
            AND s.expires_at > to_timestamp(${now})
            AND NOT EXISTS (SELECT 1 FROM appointments a WHERE a.organisation_uid = ${organisation_uid}
              AND a.booking_session_uid = s.uid AND a.status = 'held' AND a.hold_expires_at > to_timestamp(${now}))
          ORDER BY s.created_at DESC, s.uid DESC OFFSET ${RECORD_LIMITS.sessions})
        ORDER BY l.uid FOR UPDATE)`

    /** Opens a session of 30 minutes for a patient. Fails with `BookableTypeNotFound`. */
    const open = Effect.fnUntraced(function* (session: NewSession) {
      const { patient, actor } = session
      const now = yield* clock.now
      const uid = yield* newUid(BookingSessionUid)
      const code = yield* newCodeOf("blc", patient.organisation_uid)
      const sealed = yield* box.seal(placeOf(patient.organisation_uid, uid), code)
      const expires_at = UnixSeconds.make(now + LIFETIME_SECONDS)
      const first =
        session.appointment_type_uid === null
          ? sql`type AS (SELECT)`
          : sql`type AS (SELECT uid FROM appointment_types WHERE organisation_uid = ${patient.organisation_uid}
          AND uid = ${session.appointment_type_uid} AND (${session.mode} = 'rebooking' OR (active AND deleted_at IS NULL)))`
      const values = sql`${patient.organisation_uid}, ${uid}, ${patient.shop_uid}, ${patient.patient_uid}, ${session.mode},
          ${session.appointment_type_uid}, ${session.replaces_appointment_uid}, to_timestamp(${session.start_from}),
          to_timestamp(${session.start_to}), ${session.return_url}, ${session.meeting_format ?? null}, ${hashOf(code)}, ${sealed},
          ${actor.kind}, ${actor.uid}, ${session.link_kind ?? null}, ${[...(patient.ignored_profile_fields ?? [])]}::text[], to_timestamp(${now}), to_timestamp(${expires_at}), to_timestamp(${expires_at})`
      const insert = sql`INSERT INTO booking_sessions (organisation_uid, uid, shop_uid,
          patient_uid, mode, appointment_type_uid, replaces_appointment_uid, start_from, start_to, return_url, meeting_format,
          launch_code_hash, launch_code_sealed, actor_kind, actor_uid, link_kind, ignored_profile_fields,
          created_at, expires_at, kept_until)`
      yield* anyOr(
        ifAllowed(sql, { first, from: sql`type`, where: sql`true`, insert, values }),
        () => new BookableTypeNotFound()
      )
      // A statement after the insertion: the last one of concurrent requests sees the sessions of all of them
      yield* Effect.orDie(endOldest(patient, now))
      return created(code, expires_at, pageOfMode(session.mode))
    })

    const columns = sql`s.organisation_uid, s.uid, s.shop_uid, s.patient_uid, s.mode, s.appointment_type_uid,
      t.name AS appointment_type_name, t.duration_minutes, t.added AS type_fields, s.replaces_appointment_uid, s.start_from, s.start_to,
      s.return_url, s.ignored_profile_fields, s.meeting_format, json_build_object('kind', s.actor_kind, 'uid', s.actor_uid) AS actor,
      s.link_kind, s.expires_at`
    /** FROM and WHERE of the session with this code and its type; callers append conditions. */
    const ofCode = (owner: OrganisationUid, code: string) => sql`FROM booking_sessions s
      JOIN appointment_types t ON t.organisation_uid = ${owner} AND t.uid = s.appointment_type_uid
      WHERE s.organisation_uid = ${owner} AND s.launch_code_hash = ${hashOf(code)}`

    const unknown = () => new BookingSessionNotFound()

    /** The session of a launch code; an unknown or expired one is `BookingSessionNotFound`. */
    const byLaunchCode = Effect.fnUntraced(function* (code: string) {
      const now = yield* clock.now
      const find = (owner: OrganisationUid) =>
        found.firstOr(sql`SELECT ${columns} ${ofCode(owner, code)} AND s.expires_at > to_timestamp(${now})`, unknown)
      return yield* owners.ofCode(code, unknown, find)
    })

    /** As `findStored`, of any mode. */
    const findStoredOfAny = (code: string) =>
      owners.ofCode(code, unknown, (owner) =>
        ofAnyMode.firstOr(
          sql`SELECT organisation_uid, uid, shop_uid, patient_uid, mode, return_url, expires_at FROM booking_sessions
            WHERE organisation_uid = ${owner} AND launch_code_hash = ${hashOf(code)}`,
          unknown
        )
      )

    /** As `byLaunchCode`, of any mode. */
    const anyByLaunchCode = Effect.fnUntraced(function* (code: string) {
      const now = yield* clock.now
      return yield* Effect.filterOrFail(findStoredOfAny(code), ({ expires_at }) => expires_at > now, unknown)
    })

    /** What the bearer of a launch code is shown of the session. */
    const context = (code: string) =>
      Effect.map(byLaunchCode(code), contextOf).pipe(
        Effect.catchTag("BookingSessionNotFound", () => Effect.map(anyByLaunchCode(code), shownOf))
      )

    /**
     * As `byLaunchCode`, with the doctor of one of the session's holds: null if the session has no such hold. An expired session is found
     * until the end of what it held. Rule 4.5.3.
     */
    const byHold = Effect.fnUntraced(function* (code: string, hold: AppointmentUid) {
      const now = yield* clock.now
      const find = (owner: OrganisationUid) =>
        holding.firstOr(
          sql`SELECT ${columns}, held.doctor_uid AS held_with FROM booking_sessions s
            JOIN appointment_types t ON t.organisation_uid = ${owner} AND t.uid = s.appointment_type_uid
            LEFT JOIN appointments held ON held.organisation_uid = ${owner} AND held.uid = ${hold} AND held.booking_session_uid = s.uid
            WHERE s.organisation_uid = ${owner} AND s.launch_code_hash = ${hashOf(code)} AND (s.expires_at > to_timestamp(${now})
              OR held.end_date > to_timestamp(${now}))`,
          unknown
        )
      return yield* owners.ofCode(code, unknown, find)
    })

    /** As `byLaunchCode`, but expired sessions are found too until they are deleted. */
    const findStored = (code: string) =>
      owners.ofCode(code, unknown, (owner) => found.firstOr(sql`SELECT ${columns} ${ofCode(owner, code)}`, unknown))

    /** The live session that this actor opened for this replacement, with its code. */
    const reopen = Effect.fnUntraced(function* (owner: OrganisationUid, replaces: AppointmentUid, actor: Actor) {
      const now = yield* clock.now
      const existing = yield* codes.first(sql`SELECT uid, launch_code_sealed, expires_at FROM booking_sessions
        WHERE organisation_uid = ${owner} AND replaces_appointment_uid = ${replaces} AND expires_at > to_timestamp(${now})
          AND actor_kind = ${actor.kind} AND actor_uid = ${actor.uid}
        ORDER BY created_at DESC LIMIT 1`)
      return yield* Effect.transposeMapOption(existing, ({ uid, launch_code_sealed, expires_at }) =>
        Effect.map(box.open(placeOf(owner, uid), launch_code_sealed), (code) => created(code, expires_at))
      )
    })

    /** Whether the patient has a live session to book in that this actor opened. */
    const hasOpen = (
      { organisation_uid, patient_uid }: Pick<Patient, "organisation_uid" | "patient_uid">,
      actor: Actor
    ) =>
      Effect.flatMap(clock.now, (now) =>
        any(sql`SELECT 1 FROM booking_sessions WHERE organisation_uid = ${organisation_uid}
          AND patient_uid = ${patient_uid} AND expires_at > to_timestamp(${now}) AND mode = 'booking'
          AND actor_kind = ${actor.kind} AND actor_uid = ${actor.uid} LIMIT 1`)
      )

    /** Ends a session whose launch code was not delivered. */
    const end = (owner: OrganisationUid, code: string) =>
      Effect.flatMap(clock.now, (now) =>
        done(sql`UPDATE booking_sessions SET expires_at = to_timestamp(${now})
          WHERE organisation_uid = ${owner} AND launch_code_hash = ${hashOf(code)}`)
      )

    /** Gives a live session its whole time again from now on, until four hours after it was opened. */
    const prolong = Effect.fnUntraced(function* (owner: OrganisationUid, uid: string) {
      const now = yield* clock.now
      // Several nodes refuse an update that adds an interval to a column: what that gives depends on the time zone
      const latest = sql`to_timestamp(extract(epoch FROM created_at - to_timestamp(0))::float8 + ${LONGEST_SECONDS})`
      const end = sql`greatest(expires_at, least(to_timestamp(${now + LIFETIME_SECONDS}), ${latest}))`
      yield* done(sql`UPDATE booking_sessions SET expires_at = ${end}, kept_until = greatest(kept_until, ${end})
        WHERE organisation_uid = ${owner} AND uid = ${uid} AND expires_at > to_timestamp(${now})`)
    })

    /** Stores the choices made on the page; null keeps the stored value. */
    const choose = (
      { organisation_uid, uid }: Pick<BookingSession, "organisation_uid" | "uid">,
      { language, timezone }: SessionChoices
    ) =>
      sql`UPDATE booking_sessions SET language = coalesce(${language}, language), timezone = coalesce(${timezone}, timezone)
        WHERE organisation_uid = ${organisation_uid} AND uid = ${uid}`.pipe(Effect.orDie, Effect.asVoid)

    /** Gives a session another type, where that can be booked; its format only where the type has it. Returns whether it did. */
    const retype = (
      { organisation_uid, uid }: Pick<BookingSession, "organisation_uid" | "uid">,
      type: AppointmentTypeUid
    ) =>
      any(sql`UPDATE booking_sessions s SET appointment_type_uid = t.uid,
          meeting_format = CASE WHEN t.formats ? s.meeting_format THEN s.meeting_format END
        FROM appointment_types t WHERE t.organisation_uid = ${organisation_uid} AND t.uid = ${type} AND t.active
          AND t.deleted_at IS NULL AND s.organisation_uid = ${organisation_uid} AND s.uid = ${uid} RETURNING s.uid`)

    /** Stores the profile fields that are still to be asked for. */
    const keepAsking = (
      { organisation_uid, uid }: Pick<BookingSession, "organisation_uid" | "uid">,
      fields: ReadonlyArray<string>
    ) =>
      sql`UPDATE booking_sessions SET ignored_profile_fields = ${[...fields]}::text[]
        WHERE organisation_uid = ${organisation_uid} AND uid = ${uid}`.pipe(Effect.orDie, Effect.asVoid)

    /** The zone of the patient's last page, else the organisation's; none for a patient who is erased. */
    const zoneOf = (owner: OrganisationUid, patient: PatientUid) =>
      Effect.map(
        zones.first(sql`SELECT coalesce((SELECT s.timezone FROM booking_sessions s WHERE s.organisation_uid = ${owner}
            AND s.patient_uid = ${patient} AND s.timezone IS NOT NULL ORDER BY s.created_at DESC LIMIT 1), o.timezone) AS timezone
          FROM organisations o JOIN patients p ON p.organisation_uid = ${owner} AND p.uid = ${patient} AND p.erased_at IS NULL
          WHERE o.organisation_uid = ${owner}`),
        Option.map(({ timezone }) => timezone)
      )

    /** The choices made on the session's page; none once the session is deleted. */
    const choicesOf = (owner: OrganisationUid, uid: BookingSessionUid) =>
      choices.first(sql`SELECT language, timezone FROM booking_sessions
        WHERE organisation_uid = ${owner} AND uid = ${uid}`)

    return {
      open,
      hasOpen,
      end,
      byLaunchCode,
      anyByLaunchCode,
      context,
      byHold,
      findStored,
      findStoredOfAny,
      prolong,
      reopen,
      choose,
      retype,
      keepAsking,
      zoneOf,
      choicesOf
    } as const
  }),
  dependencies: [OwnerByKey.Default]
}) {}

/** The session as shown to the bearer of the launch code: without patient data. */
const contextOf = (session: BookingSession): AnySessionContext => ({
  uid: session.uid,
  shop_uid: session.shop_uid,
  appointment_type_uid: session.appointment_type_uid,
  appointment_type: {
    uid: session.appointment_type_uid,
    name: session.appointment_type_name,
    duration_minutes: session.duration_minutes
  },
  start_from: session.start_from,
  start_to: session.start_to,
  mode: session.mode,
  return_url: session.return_url,
  expires_at: session.expires_at
})

/** The same of a session in which no time is booked. */
const shownOf = ({ uid, shop_uid, mode, return_url, expires_at }: AnyBookingSession): AnySessionContext => ({
  uid,
  shop_uid,
  appointment_type_uid: null,
  appointment_type: null,
  start_from: null,
  start_to: null,
  mode,
  return_url,
  expires_at
})
