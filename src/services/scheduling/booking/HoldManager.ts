/**
 * Taking slots (Rules 4.2, 4.4 and 4.5). Each step is one transaction; one at a time for each doctor; search, hold and
 * booking use the same predicate; the exclusion constraint has the last word.
 */
import { Effect } from "effect"
import type { Actor } from "../../../schemas/access/Actor.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { AppointmentUid, type BookingSessionUid, type OrganisationUid, type PatientUid } from "../../../schemas/ids.ts"
import { transition } from "../../../schemas/scheduling/AppointmentStates.ts"
import type { MeetingFormat } from "../../../schemas/scheduling/AppointmentType.ts"
import type { Confirmed, Hold, NewHold } from "../../../schemas/scheduling/Booking.ts"
import { HoldNotConfirmable, HoldNotFound } from "../../../schemas/scheduling/errors.ts"
import { Database } from "../../Database.ts"
import { DomainClock } from "../../DomainClock.ts"
import { EventLog } from "../../events/EventLog.ts"
import { confirmations, countingOutcomes, holds } from "../../metrics.ts"
import { newUid } from "../../uid.ts"
import { AppointmentsRepo, publicAppointment, type StoredAppointment } from "../appointments/AppointmentsRepo.ts"
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

/** A slot that is wanted. Without `visit_reason` and `meeting_format` those of a replaced appointment are kept. */
export type WantedSlot = NewHold & { readonly meeting_format?: MeetingFormat }

const confirmedForm = ({ uid, start_date, end_date, visit_reason }: StoredAppointment): Confirmed => ({
  uid,
  status: "confirmed",
  start_date,
  end_date,
  visit_reason
})

export class HoldManager extends Effect.Service<HoldManager>()("scheduling/HoldManager", {
  effect: Effect.gen(function* () {
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const engine = yield* SlotEngine
    const appointments = yield* AppointmentsRepo
    const sessions = yield* BookingSessions
    const replacements = yield* Replacements
    const events = yield* EventLog

    /** Locks the doctors whose time is touched, the appointment to replace and the session, in this order everywhere. */
    const reserve = Effect.fnUntraced(function* (
      booker: Booker,
      { doctor_uid, appointment_type_uid, start_date, ...wanted }: WantedSlot,
      status: "held" | "confirmed",
      field: "start_date" | "new_start_date"
    ) {
      const { organisation_uid, patient_uid, session_uid, replaces_appointment_uid } = booker
      const doctors = yield* appointments.doctorsOf({ organisation_uid, doctor_uid, replaces_appointment_uid })
      yield* appointments.lockDoctors(organisation_uid, doctors)
      const now = yield* clock.now
      const replaced = yield* replacements.lockOriginal(booker, doctor_uid, now)
      const except = { except_group: replaced?.slot_group, except_session: session_uid ?? undefined }
      const query = { organisation_uid, appointment_type_uid, doctor_uid, start_date, now, ...except }
      const type = yield* engine.offer(query, field)
      const isHold = status === "held"
      const expires_at = UnixSeconds.make(now + type.hold_ttl_seconds)
      // Locks the session too: its other holds may be with other doctors, and it has one at a time.
      if (session_uid !== null) yield* sessions.prolong(organisation_uid, session_uid, isHold ? expires_at : now)
      if (replaced !== null && !isHold) yield* appointments.cancel(organisation_uid, replaced.uid, "rebooked", now)
      const uid = yield* newUid(AppointmentUid)
      const visit_reason = wanted.visit_reason === undefined ? (replaced?.visit_reason ?? null) : wanted.visit_reason
      yield* appointments.take(
        {
          organisation_uid,
          uid,
          doctor_uid,
          patient_uid,
          appointment_type_uid,
          booking_session_uid: session_uid,
          previous_meeting_uid: isHold ? null : replaces_appointment_uid,
          replaces_appointment_uid,
          slot_group: replaced?.slot_group ?? uid,
          status,
          meeting_type: type.meeting_type,
          meeting_format: wanted.meeting_format ?? replaced?.meeting_format ?? "DIGITAL",
          visit_reason,
          start_date,
          end_date: start_date + type.duration_minutes * 60,
          hold_ttl_seconds: isHold ? type.hold_ttl_seconds : null,
          hold_expires_at: isHold ? expires_at : null,
          room_name: yield* roomName(type.room_strategy, organisation_uid, doctor_uid)
        },
        now
      )
      return { uid, now, terms: { expires_at, ttl_seconds: type.hold_ttl_seconds, visit_reason } }
    })

    /** Reads the appointment that was just confirmed, and announces it. */
    const announce = Effect.fnUntraced(function* (
      { organisation_uid, session_uid, actor }: Booker,
      uid: AppointmentUid,
      now: number
    ) {
      const stored = yield* appointments.find(organisation_uid, uid, now)
      if (session_uid !== null) yield* sessions.keep(organisation_uid, session_uid, stored.end_date)
      const { previous_meeting_uid } = stored
      const appointment = publicAppointment(stored)
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
      return stored
    })

    /**
     * Takes a slot for the type's `hold_ttl_seconds`; a session's earlier hold is released. Fails with `SlotNotOffered`,
     * `SlotTaken`, `BookableTypeNotFound`; in a rebooking also with `AppointmentNotFound`, `AppointmentNotConfirmed`,
     * `RebookingBlocked` and `Invalid` (another doctor than the type allows).
     */
    const hold = Effect.fn("HoldManager.hold")(
      function* (booker: Booker, wanted: WantedSlot) {
        const { uid, terms } = yield* reserve(booker, wanted, "held", "start_date")
        const held: Hold = { hold_uid: uid, status: "held", ...terms }
        return held
      },
      transaction,
      countingOutcomes(holds, "held")
    )

    /** Hold and confirmation in one step, with the errors of both; gives the confirmed appointment. */
    const book = Effect.fn("HoldManager.book")(function* (
      booker: Booker,
      wanted: WantedSlot,
      field: "start_date" | "new_start_date" = "start_date"
    ) {
      const { uid, now } = yield* reserve(booker, wanted, "confirmed", field)
      return yield* announce(booker, uid, now)
    }, transaction)

    /** The hold if it is this booker's: a session has its own holds, an API key those without a session. */
    const findHold = (booker: Booker, uid: AppointmentUid, now: number) =>
      appointments.find(booker.organisation_uid, uid, now).pipe(
        Effect.filterOrFail(
          (found) => found.booking_session_uid === booker.session_uid,
          () => new HoldNotFound()
        ),
        Effect.catchTag("AppointmentNotFound", () => new HoldNotFound())
      )

    /**
     * Makes a hold a confirmed appointment; in a rebooking, cancels the old one in the same transaction. A repeated
     * confirmation gives the same record. An expired hold can be confirmed as long as no other appointment overlaps.
     * Fails with `HoldNotFound`, `HoldNotConfirmable` (cancelled or ended), `SlotTaken`, and in a rebooking as `hold`.
     */
    const confirm = Effect.fn("HoldManager.confirm")(
      function* (booker: Booker, uid: AppointmentUid, visit_reason: string | null | undefined) {
        const { organisation_uid, actor } = booker
        const seen = yield* Effect.flatMap(clock.now, (now) => findHold(booker, uid, now))
        yield* appointments.lockDoctors(organisation_uid, yield* appointments.doctorsOf(seen))
        const now = yield* clock.now
        const found = yield* findHold(booker, uid, now)
        if (found.status === "confirmed") return confirmedForm(found)
        if (transition(found.status, "confirm") === "refused")
          return yield* new HoldNotConfirmable({ reason: found.status })
        if (found.status === "expired") yield* appointments.expire(found, now)
        yield* replacements.carryOut(found, actor, now)
        yield* appointments.confirm(organisation_uid, uid, visit_reason, now)
        return confirmedForm(yield* announce(booker, uid, now))
      },
      transaction,
      countingOutcomes(confirmations, "confirmed")
    )

    return { hold, book, confirm } as const
  }),
  dependencies: [
    Database.Default,
    DomainClock.Default,
    SlotEngine.Default,
    AppointmentsRepo.Default,
    BookingSessions.Default,
    Replacements.Default,
    EventLog.Default
  ]
}) {}
