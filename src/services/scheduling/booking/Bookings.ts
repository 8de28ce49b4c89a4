/** Operations for the bearer of a booking token or launch code: open a session, hold, confirm (Rules 4.3 to 4.5). */
import { Effect } from "effect"
import type { Actor } from "../../../schemas/access/Actor.ts"
import type { AppointmentUid } from "../../../schemas/ids.ts"
import { Invalid, invalid } from "../../../schemas/problems.ts"
import { isReturnUrl } from "../../../schemas/returnUrl.ts"
import {
  Confirmed,
  Hold,
  type NewBooking,
  type NewBookingSession,
  type NewHold,
  pageOfMode
} from "../../../schemas/scheduling/Booking.ts"
import {
  type AppointmentNotConfirmed,
  AppointmentNotFound,
  BookingSessionNotFound,
  HoldNotConfirmable,
  HoldNotFound
} from "../../../schemas/scheduling/errors.ts"
import { DomainClock } from "../../DomainClock.ts"
import { Extensions } from "../../Extensions.ts"
import { Idempotency } from "../../Idempotency.ts"
import type { Patient } from "../../patients/Patients.ts"
import { Service } from "../../Service.ts"
import { Replacements } from "../appointments/Replacements.ts"
import { BookingRepo } from "./BookingRepo.ts"
import { type BookingSession, BookingSessions, withoutTime } from "./BookingSessions.ts"
import { DirectBookings } from "./DirectBookings.ts"
import { type Booker, confirmedForm, HoldManager, withIgnored } from "./HoldManager.ts"
import { LONGEST_RANGE } from "./SlotEngine.ts"

const bookerOf = (session: BookingSession): Booker => ({
  organisation_uid: session.organisation_uid,
  patient_uid: session.patient_uid,
  actor: session.actor,
  session_uid: session.uid,
  replaces_appointment_uid: session.replaces_appointment_uid
})

/** The format chosen when the session was opened. */
const formatOf = ({ meeting_format }: BookingSession) => (meeting_format === null ? {} : { meeting_format })

/** Binds a launch code to its session's type and range; a rebooking may choose any bookable type. */
const ensureBound = (session: BookingSession, wanted: Pick<NewHold, "appointment_type_uid" | "start_date">) => {
  const faults = [
    ...(session.mode === "booking" && wanted.appointment_type_uid !== session.appointment_type_uid
      ? [{ field: "appointment_type_uid", message: "must be the type that the session was opened for" }]
      : []),
    ...(wanted.start_date < session.start_from || wanted.start_date >= session.start_to
      ? [{ field: "start_date", message: "must lie in the range that the session was opened for" }]
      : [])
  ]
  return faults.length === 0 ? Effect.void : Effect.fail(new Invalid({ faults }))
}

/** In a session, an appointment that can no longer be moved ends the way to the booking as a lost hold does. Rule 4.4.10. */
const endedMove = ({ reason }: AppointmentNotConfirmed) =>
  new HoldNotConfirmable({ reason, subject: "The appointment to be moved" })

/** Fails with `Invalid` for what a session in which no time is booked does not have. */
const ensureNoTime = ({ mode, appointment_type_uid, appointment_uid, from, to }: NewBookingSession) => {
  const faults = Object.entries({ appointment_type_uid, appointment_uid, from, to }).flatMap(([field, value]) =>
    value === undefined ? [] : [{ field, message: `cannot be sent with mode ${mode}` }]
  )
  return faults.length === 0 ? Effect.void : Effect.fail(new Invalid({ faults }))
}

const required = (...fields: ReadonlyArray<string>) =>
  new Invalid({ faults: fields.map((field) => ({ field, message: "is required" })) })

export class Bookings extends Service<Bookings>()("scheduling/Bookings", {
  effect: Effect.gen(function* () {
    const clock = yield* DomainClock
    const sessions = yield* BookingSessions
    const holds = yield* HoldManager
    const appointments = yield* BookingRepo
    const replacements = yield* Replacements
    const idempotency = yield* Idempotency
    const direct = yield* DirectBookings
    const extensions = yield* Extensions

    /** Fails with `Invalid`, also where something is to be done before a time may be taken. */
    const ensureMayHold = Effect.fnUntraced(function* (
      session: BookingSession,
      wanted: Pick<NewHold, "appointment_type_uid" | "start_date">
    ) {
      yield* ensureBound(session, wanted)
      const some = yield* extensions.having("beforeHold")
      yield* Effect.forEach(some, ({ beforeHold }) => beforeHold(session), { discard: true })
    })

    const forBooking = Effect.fnUntraced(function* ({ appointment_type_uid, from, to }: NewBookingSession) {
      if (appointment_type_uid === undefined || from === undefined || to === undefined) {
        const missing = { appointment_type_uid, from, to }
        return yield* required(
          ...Object.entries(missing).flatMap(([field, value]) => (value === undefined ? field : []))
        )
      }
      return { mode: "booking" as const, appointment_type_uid, replaces_appointment_uid: null, from, to }
    })

    const forRebooking = Effect.fnUntraced(function* (patient: Patient, actor: Actor, request: NewBookingSession) {
      const now = yield* clock.now
      if (request.appointment_uid === undefined) return yield* invalid("appointment_uid", "is required for rebooking")
      const original = yield* appointments.find(patient.organisation_uid, request.appointment_uid, now)
      if (original.patient_uid !== patient.patient_uid) return yield* new AppointmentNotFound()
      yield* replacements.ensureMovable(original, actor, now)
      const appointment_type_uid = request.appointment_type_uid ?? original.appointment_type_uid
      if (appointment_type_uid === null) return yield* required("appointment_type_uid")
      const from = request.from ?? now
      const to = request.to ?? from + LONGEST_RANGE
      return { mode: "rebooking" as const, appointment_type_uid, replaces_appointment_uid: original.uid, from, to }
    })

    /**
     * Exchanges a patient's booking token for a launch code. Fails with `Invalid`, `BookableTypeNotFound`; for a rebooking also with
     * `AppointmentNotFound`, `AppointmentNotConfirmed` and `RebookingBlocked`.
     */
    const open = Effect.fn("Bookings.open")(function* (patient: Patient, request: NewBookingSession) {
      const return_url = request.return_url ?? null
      if (return_url !== null && !isReturnUrl(return_url))
        return yield* invalid(
          "return_url",
          "must be an https address without user info, control characters or backslash"
        )
      const actor: Actor = { kind: "patient", uid: patient.patient_uid }
      if (pageOfMode(request.mode) !== undefined) {
        yield* ensureNoTime(request)
        return yield* sessions.open({ ...withoutTime(request.mode), patient, actor, return_url })
      }
      const { from, to, ...purpose } =
        request.mode === "booking" ? yield* forBooking(request) : yield* forRebooking(patient, actor, request)
      if (to <= from) return yield* invalid("to", "must be after from")
      return yield* sessions.open({ ...purpose, patient, actor, start_from: from, start_to: to, return_url })
    })

    /**
     * As `HoldManager.hold`, within the session of the launch code; also fails with `BookingSessionNotFound`, `IdempotencyKeyReused`, and
     * `Invalid` outside the session's type or range. A replay returns the hold's current state.
     */
    const hold = Effect.fn("Bookings.hold")(
      function* (code: string, request: NewHold) {
        const session = yield* sessions.byLaunchCode(code)
        yield* ensureMayHold(session, request)
        const { organisation_uid, uid } = session
        const booker = bookerOf(session)
        const once = idempotency.once(
          {
            owner_uid: organisation_uid,
            scope: `session:${uid}`,
            answer: Hold,
            repeated: (first) => holds.present(organisation_uid, first)
          },
          Effect.map(
            holds.hold(booker, { ...request, ...formatOf(session) }),
            withIgnored(session.ignored_profile_fields)
          )
        )
        return yield* holds.queued(booker, request.doctor_uid, once)
      },
      Effect.catchTag("AppointmentNotConfirmed", endedMove)
    )

    /** Books without a hold, for the session's type; moves the appointment in a rebooking session. Fails as `hold`. */
    const book = Effect.fn("Bookings.book")(
      function* (code: string, request: NewBooking) {
        const session = yield* sessions.byLaunchCode(code)
        const { organisation_uid, uid, appointment_type_uid } = session
        const wanted = { ...request, ...formatOf(session), appointment_type_uid }
        yield* ensureMayHold(session, wanted)
        const booker = bookerOf(session)
        return yield* direct.book(
          booker,
          wanted,
          { owner_uid: organisation_uid, scope: `session:${uid}`, answer: Confirmed },
          (slot) =>
            Effect.map(holds.book(booker, slot), (stored) =>
              withIgnored(session.ignored_profile_fields)(confirmedForm(stored))
            )
        )
      },
      Effect.catchTag("AppointmentNotConfirmed", endedMove)
    )

    /**
     * As `HoldManager.confirm`, within the session of the launch code; also fails with `BookingSessionNotFound`, as a session that has
     * ended does for every hold but an expired one. The status that counts is the one under the lock.
     */
    const confirm = Effect.fn("Bookings.confirm")(
      function* (code: string, uid: AppointmentUid, visit_reason: string | null | undefined) {
        const { held_with, ...session } = yield* sessions.byHold(code, uid)
        if (held_with === null) return yield* new HoldNotFound()
        const confirming = holds.confirm(bookerOf(session), held_with, uid, visit_reason)
        const refusal = Effect.fnUntraced(function* (refused: HoldNotConfirmable) {
          const isOpen = session.expires_at > (yield* clock.now)
          return yield* isOpen || refused.reason === "expired" ? refused : new BookingSessionNotFound()
        })
        return yield* Effect.catchTag(confirming, "HoldNotConfirmable", refusal)
      },
      Effect.catchTag("AppointmentNotConfirmed", endedMove)
    )

    return { open, session: sessions.context, hold, book, confirm } as const
  }),
  dependencies: [
    BookingSessions.Default,
    HoldManager.Default,
    BookingRepo.Default,
    Replacements.Default,
    DirectBookings.Default
  ]
}) {}
