/** What the bearer of a booking token or launch code does: open a session, hold, confirm (Rules 4.3 to 4.5). */
import { Effect } from "effect"
import type { Actor } from "../../../schemas/access/Actor.ts"
import type { AppointmentUid } from "../../../schemas/ids.ts"
import { Invalid, invalid, NotFound } from "../../../schemas/problems.ts"
import { Hold, type NewBookingSession, type NewHold } from "../../../schemas/scheduling/Booking.ts"
import type { Patient } from "../../access/Patients.ts"
import { DomainClock } from "../../DomainClock.ts"
import { Idempotency } from "../../Idempotency.ts"
import { AppointmentsRepo } from "../appointments/AppointmentsRepo.ts"
import { Replacements } from "../appointments/Replacements.ts"
import { type BookingSession, BookingSessions } from "./BookingSessions.ts"
import { type Booker, HoldManager } from "./HoldManager.ts"

const LONGEST_RANGE_SECONDS = 31 * 86_400

const bookerOf = (session: BookingSession): Booker => ({
  organisation_uid: session.organisation_uid,
  patient_uid: session.patient_uid,
  actor: session.actor,
  session_uid: session.uid,
  replaces_appointment_uid: session.replaces_appointment_uid
})

const required = ["appointment_type_uid", "from", "to"] as const

const isWebAddress = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

export class Bookings extends Effect.Service<Bookings>()("scheduling/Bookings", {
  effect: Effect.gen(function* () {
    const clock = yield* DomainClock
    const sessions = yield* BookingSessions
    const holds = yield* HoldManager
    const appointments = yield* AppointmentsRepo
    const replacements = yield* Replacements
    const idempotency = yield* Idempotency

    const plain = Effect.fnUntraced(function* (patient: Patient, actor: Actor, request: NewBookingSession) {
      const missing = required.filter((field) => request[field] === undefined)
      if (missing.length > 0)
        return yield* new Invalid({ faults: missing.map((field) => ({ field, message: "is required" })) })
      const { from = 0, to = 0, appointment_type_uid = "" } = request
      if (to <= from) return yield* invalid("to", "must be after from")
      return yield* sessions.open({
        mode: "booking",
        patient,
        actor,
        appointment_type_uid,
        replaces_appointment_uid: null,
        start_from: from,
        start_to: to,
        return_url: request.return_url ?? null
      })
    })

    const rebooking = Effect.fnUntraced(function* (patient: Patient, actor: Actor, request: NewBookingSession) {
      const now = yield* clock.now
      if (request.appointment_uid === undefined) return yield* invalid("appointment_uid", "is required for rebooking")
      const original = yield* appointments.find(patient.organisation_uid, request.appointment_uid, now)
      if (original.patient_uid !== patient.patient_uid) return yield* new NotFound({ what: "Appointment" })
      yield* replacements.ensureMovable(original, actor, now)
      const from = request.from ?? now
      const to = request.to ?? from + LONGEST_RANGE_SECONDS
      if (to <= from) return yield* invalid("to", "must be after from")
      return yield* sessions.open({
        mode: "rebooking",
        patient,
        actor,
        appointment_type_uid: request.appointment_type_uid ?? original.appointment_type_uid ?? "",
        replaces_appointment_uid: original.uid,
        start_from: from,
        start_to: to,
        return_url: request.return_url ?? null
      })
    })

    /** Exchanges a patient's proof for a launch code. */
    const open = Effect.fn("Bookings.open")(function* (patient: Patient, request: NewBookingSession) {
      if (typeof request.return_url === "string" && !isWebAddress(request.return_url))
        return yield* invalid("return_url", "must be an http or https address")
      const actor: Actor = { kind: "patient", uid: patient.patient_uid }
      return yield* request.mode === "booking" ? plain(patient, actor, request) : rebooking(patient, actor, request)
    })

    const hold = Effect.fn("Bookings.hold")(function* (code: string, request: NewHold, key: string | undefined) {
      const session = yield* sessions.byLaunchCode(code)
      const { organisation_uid, uid } = session
      return yield* idempotency.once(
        { organisation_uid, scope: `session:${uid}`, key, request: ["hold", request], answer: Hold },
        holds.hold(bookerOf(session), request)
      )
    })

    const confirm = Effect.fn("Bookings.confirm")(function* (
      code: string,
      uid: AppointmentUid,
      visit_reason: string | null | undefined
    ) {
      const session = yield* sessions.byLaunchCode(code)
      return yield* holds.confirm(bookerOf(session), uid, visit_reason)
    })

    return { open, session: sessions.byLaunchCode, hold, confirm } as const
  }),
  dependencies: [
    DomainClock.Default,
    BookingSessions.Default,
    HoldManager.Default,
    AppointmentsRepo.Default,
    Replacements.Default,
    Idempotency.Default
  ]
}) {}
