/** Booking sessions: what a launch code stands for (Rule 4.3). */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { Settings } from "../../../config.ts"
import type { Actor } from "../../../schemas/access/Actor.ts"
import type { UnixSeconds } from "../../../schemas/fields.ts"
import {
  type AppointmentTypeUid,
  type AppointmentUid,
  BookingSessionUid,
  type OrganisationUid,
  type PatientUid,
  type ShopUid
} from "../../../schemas/ids.ts"
import { NotFound } from "../../../schemas/problems.ts"
import type { BookingSessionContext, BookingSessionCreated } from "../../../schemas/scheduling/Booking.ts"
import type { Patient } from "../../access/Patients.ts"
import { DomainClock } from "../../DomainClock.ts"
import { SecretBox } from "../../SecretBox.ts"
import { hashOf, newCode, newUid } from "../../uid.ts"

const LIFETIME_SECONDS = 30 * 60

export interface BookingSession {
  readonly organisation_uid: OrganisationUid
  readonly uid: BookingSessionUid
  readonly shop_uid: ShopUid
  readonly patient_uid: PatientUid
  readonly mode: "booking" | "rebooking"
  readonly appointment_type_uid: AppointmentTypeUid
  readonly appointment_type_name: string
  readonly duration_minutes: number
  readonly replaces_appointment_uid: AppointmentUid | null
  readonly start_from: UnixSeconds
  readonly start_to: UnixSeconds
  readonly return_url: string | null
  readonly actor: Actor
  readonly expires_at: UnixSeconds
}

export type NewSession = Pick<BookingSession, "mode" | "replaces_appointment_uid" | "return_url" | "actor"> & {
  readonly patient: Patient
  readonly appointment_type_uid: string
  readonly start_from: number
  readonly start_to: number
}

export class BookingSessions extends Effect.Service<BookingSessions>()("scheduling/BookingSessions", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const box = yield* SecretBox
    const { meetingsUrl } = yield* Settings

    const launchUrl = (code: string) => `${meetingsUrl}/booking/${code}`
    const created = (code: string, expires_at: number): BookingSessionCreated => ({
      booking_launch_code: code,
      expires_at: expires_at as UnixSeconds,
      launch_url: launchUrl(code)
    })

    /** Opens a session of 30 minutes for a patient. 404 when the type is not one that can be booked. */
    const open = Effect.fn("BookingSessions.open")(function* (session: NewSession) {
      const { patient, actor } = session
      const now = yield* clock.now
      const uid = yield* newUid(BookingSessionUid)
      const code = yield* newCode("blc")
      const sealed = yield* box.seal(code)
      const inserted = yield* sql`
        INSERT INTO booking_sessions (organisation_uid, uid, shop_uid, patient_uid, mode, appointment_type_uid,
          replaces_appointment_uid, start_from, start_to, return_url, launch_code_hash, launch_code_sealed, actor_kind,
          actor_uid, created_at, expires_at)
        SELECT t.organisation_uid, ${uid}, ${patient.shop_uid}, ${patient.patient_uid}, ${session.mode}, t.uid,
          ${session.replaces_appointment_uid}, to_timestamp(${session.start_from}), to_timestamp(${session.start_to}),
          ${session.return_url}, ${hashOf(code)}, ${sealed}, ${actor.kind}, ${actor.uid}, to_timestamp(${now}),
          to_timestamp(${now + LIFETIME_SECONDS})
        FROM appointment_types t
        WHERE t.organisation_uid = ${patient.organisation_uid} AND t.uid = ${session.appointment_type_uid}
          AND (${session.mode} = 'rebooking' OR (t.active AND t.deleted_at IS NULL))
        RETURNING uid`.pipe(Effect.orDie)
      if (inserted.length === 0) return yield* new NotFound({ what: "Bookable appointment type" })
      return created(code, now + LIFETIME_SECONDS)
    })

    const columns = sql`s.organisation_uid, s.uid, s.shop_uid, s.patient_uid, s.mode, s.appointment_type_uid,
      t.name AS appointment_type_name, t.duration_minutes, s.replaces_appointment_uid, s.start_from, s.start_to,
      s.return_url, json_build_object('kind', s.actor_kind, 'uid', s.actor_uid) AS actor, s.expires_at`
    const joined = sql`FROM booking_sessions s
      JOIN appointment_types t ON t.organisation_uid = s.organisation_uid AND t.uid = s.appointment_type_uid`

    /** The session of a launch code; an unknown or expired one is 404. */
    const byLaunchCode = Effect.fn("BookingSessions.byLaunchCode")(function* (code: string) {
      const now = yield* clock.now
      const [session] = yield* sql<BookingSession>`SELECT ${columns} ${joined}
        WHERE s.launch_code_hash = ${hashOf(code)} AND s.expires_at > to_timestamp(${now})`.pipe(Effect.orDie)
      return session === undefined ? yield* new NotFound({ what: "Booking session" }) : session
    })

    /** The session that an action link or a partner opened for this replacement and that still lives, with its code. */
    const reopen = Effect.fn("BookingSessions.reopen")(function* (
      owner: OrganisationUid,
      replaces: AppointmentUid,
      actor: Actor
    ) {
      const now = yield* clock.now
      const [row] = yield* sql<{ launch_code_sealed: string; expires_at: number }>`
        SELECT launch_code_sealed, expires_at FROM booking_sessions
        WHERE organisation_uid = ${owner} AND replaces_appointment_uid = ${replaces} AND expires_at > to_timestamp(${now})
          AND actor_kind = ${actor.kind} AND actor_uid = ${actor.uid}
        ORDER BY created_at DESC LIMIT 1`.pipe(Effect.orDie)
      return row === undefined ? undefined : created(yield* box.open(row.launch_code_sealed), row.expires_at)
    })

    /** A session lives at least as long as its last hold. */
    const prolong = (session: Pick<BookingSession, "organisation_uid" | "uid">, until: number) =>
      sql`UPDATE booking_sessions SET expires_at = greatest(expires_at, to_timestamp(${until}))
        WHERE organisation_uid = ${session.organisation_uid} AND uid = ${session.uid}`.pipe(Effect.orDie, Effect.asVoid)

    return { open, byLaunchCode, reopen, prolong } as const
  }),
  dependencies: [DomainClock.Default]
}) {}

/** What the bearer of the launch code is shown: nothing of the patient. */
export const contextOf = (session: BookingSession): BookingSessionContext => ({
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
