/**
 * Holds and their confirmation (Rules 4.4 and 4.5). Each is one transaction; one hold at a time per doctor; search,
 * hold and late confirmation ask the same predicate; the exclusion constraint has the last word.
 */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Actor } from "../../../schemas/access/Actor.ts"
import { Conflict } from "../../../schemas/conflicts.ts"
import type { UnixSeconds } from "../../../schemas/fields.ts"
import { AppointmentUid, type BookingSessionUid, type OrganisationUid, type PatientUid } from "../../../schemas/ids.ts"
import { invalid, NotFound } from "../../../schemas/problems.ts"
import { transition } from "../../../schemas/scheduling/AppointmentStates.ts"
import type { MeetingFormat } from "../../../schemas/scheduling/AppointmentType.ts"
import type { Confirmed, Hold, NewHold } from "../../../schemas/scheduling/Booking.ts"
import { DomainClock } from "../../DomainClock.ts"
import { EventLog } from "../../events/EventLog.ts"
import { confirmations, countingOutcomes, holds } from "../../metrics.ts"
import { transaction } from "../../transaction.ts"
import { newUid } from "../../uid.ts"
import {
  AppointmentsRepo,
  publicAppointment,
  type StoredAppointment,
  slotTaken
} from "../appointments/AppointmentsRepo.ts"
import { Replacements } from "../appointments/Replacements.ts"
import { roomName } from "../joining/rooms.ts"
import { BookingSessions } from "./BookingSessions.ts"
import { SlotEngine } from "./SlotEngine.ts"

/** Who books: a session's bearer, or an API key for a patient. */
export interface Booker {
  readonly organisation_uid: OrganisationUid
  readonly patient_uid: PatientUid
  readonly actor: Actor
  /** Null for an API key. */
  readonly session_uid: BookingSessionUid | null
  readonly replaces_appointment_uid: AppointmentUid | null
}

const notConfirmable = (status: string) =>
  new Conflict({ reason: "not_confirmable", hint: `This hold is ${status}: search again and hold a new slot` })

export const notOffered = invalid("start_date", "is not a slot that this doctor offers for this appointment type")

export class HoldManager extends Effect.Service<HoldManager>()("scheduling/HoldManager", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const engine = yield* SlotEngine
    const appointments = yield* AppointmentsRepo
    const sessions = yield* BookingSessions
    const replacements = yield* Replacements
    const events = yield* EventLog

    /** Takes a slot for `hold_ttl_seconds`. 400 for a start that is not offered, 409 for one that is taken. */
    const hold = Effect.fn("HoldManager.hold")(
      function* (booker: Booker, request: NewHold & { readonly meeting_format?: MeetingFormat }) {
        const { organisation_uid, session_uid, replaces_appointment_uid } = booker
        const { doctor_uid, appointment_type_uid, start_date } = request
        const doctors = yield* replacements.doctorsOf({ organisation_uid, doctor_uid, replaces_appointment_uid })
        yield* appointments.lockDoctors(organisation_uid, doctors)
        const now = yield* clock.now
        const replaced = yield* replacements.of(booker, doctor_uid, now)
        const { type, offering } = yield* engine.offer({
          owner: { organisation_uid },
          appointment_type_uid,
          doctor_uid,
          start_date,
          now,
          except_group: replaced?.slot_group,
          except_session: session_uid ?? undefined
        })
        if (offering === "not_offered") return yield* notOffered
        if (offering === "taken") return yield* slotTaken
        const uid = yield* newUid(AppointmentUid)
        const slot_group = replaced?.slot_group ?? uid
        const visit_reason =
          request.visit_reason === undefined ? (replaced?.visit_reason ?? null) : request.visit_reason
        const end_date = start_date + type.duration_minutes * 60
        const expires_at = (now + type.hold_ttl_seconds) as UnixSeconds
        // Also locks the session, whose other holds may be with other doctors: it keeps one hold at a time.
        if (session_uid !== null) yield* sessions.prolong({ organisation_uid, uid: session_uid }, expires_at)
        yield* appointments.take(
          {
            organisation_uid,
            uid,
            doctor_uid,
            patient_uid: booker.patient_uid,
            appointment_type_uid,
            booking_session_uid: session_uid,
            previous_meeting_uid: null,
            replaces_appointment_uid,
            slot_group,
            status: "held",
            meeting_type: type.meeting_type,
            meeting_format: request.meeting_format ?? replaced?.meeting_format ?? "DIGITAL",
            visit_reason,
            start_date,
            end_date,
            hold_ttl_seconds: type.hold_ttl_seconds,
            hold_expires_at: expires_at,
            room_name: yield* roomName(type.room_strategy, organisation_uid, doctor_uid)
          },
          now
        )
        const held: Hold = {
          hold_uid: uid,
          expires_at,
          ttl_seconds: type.hold_ttl_seconds,
          status: "held",
          visit_reason
        }
        return held
      },
      transaction,
      Effect.provideService(SqlClient.SqlClient, sql),
      countingOutcomes(holds, "held")
    )

    /** The hold if it is this booker's. A patient's session sees its own holds, an API key those without a session. */
    const mine = Effect.fnUntraced(function* (booker: Booker, uid: AppointmentUid, now: number) {
      const found = yield* appointments.find(booker.organisation_uid, uid, now)
      return found.booking_session_uid === booker.session_uid ? found : yield* new NotFound({ what: "Hold" })
    })

    /** A hold that has lapsed may still be confirmed while its time is free. */
    const ensureStillFree = Effect.fnUntraced(function* (found: StoredAppointment, now: number) {
      yield* appointments.lapse(found.organisation_uid, found.doctor_uid, found.start_date, found.end_date, now)
      const { offering } = yield* engine
        .offer({
          owner: { organisation_uid: found.organisation_uid },
          appointment_type_uid: found.appointment_type_uid ?? "",
          doctor_uid: found.doctor_uid,
          start_date: found.start_date,
          now,
          except_group: found.slot_group
        })
        .pipe(Effect.catchTag("NotFound", () => Effect.succeed({ offering: "not_offered" as const })))
      // What is no longer offered was so when it was held: only somebody else in that time stands against it.
      if (offering === "taken") return yield* slotTaken
    })

    /**
     * Makes a hold a confirmed appointment; in a rebooking, the old one is cancelled in the same transaction. A repeated
     * confirmation answers with the same record. 409 when it was cancelled or somebody else has the time.
     */
    const confirm = Effect.fn("HoldManager.confirm")(
      function* (booker: Booker, uid: AppointmentUid, visit_reason: string | null | undefined) {
        const { organisation_uid, actor } = booker
        const seen = yield* Effect.flatMap(clock.now, (now) => mine(booker, uid, now))
        const doctors = yield* replacements.doctorsOf(seen)
        yield* appointments.lockDoctors(organisation_uid, doctors)
        const now = yield* clock.now
        const found = yield* mine(booker, uid, now)
        if (found.status === "confirmed") return confirmed(found)
        if (transition(found.status, "confirm") === "refused") return yield* notConfirmable(found.status)
        if (found.status === "expired") yield* ensureStillFree(found, now)
        yield* replacements.carryOut(found, actor, now)
        yield* appointments.confirm(organisation_uid, uid, visit_reason, now)
        const done = yield* appointments.find(organisation_uid, uid, now)
        const appointment = publicAppointment(done)
        const previous_meeting_uid = done.previous_meeting_uid
        yield* events.append(
          previous_meeting_uid === null
            ? {
                organisation_uid,
                type: "patient_doctor_meeting_updated",
                subject: uid,
                data: { change: "confirmed", appointment, actor }
              }
            : { organisation_uid, type: "rebooked", subject: uid, data: { appointment, previous_meeting_uid, actor } }
        )
        return confirmed(done)
      },
      transaction,
      Effect.provideService(SqlClient.SqlClient, sql),
      countingOutcomes(confirmations, "confirmed")
    )

    return { hold, confirm } as const
  }),
  dependencies: [
    DomainClock.Default,
    SlotEngine.Default,
    AppointmentsRepo.Default,
    BookingSessions.Default,
    Replacements.Default,
    EventLog.Default
  ]
}) {}

const confirmed = ({ uid, start_date, end_date, visit_reason }: StoredAppointment): Confirmed => ({
  uid,
  status: "confirmed",
  start_date,
  end_date,
  visit_reason
})
