/** Moves an appointment in one step (Rule 4.8). Rebooking sessions do it in two. */
import { Effect } from "effect"
import type { AppointmentUid, DoctorUid } from "../../../schemas/ids.ts"
import { invalid } from "../../../schemas/problems.ts"
import { Rebooked, type Rebooking } from "../../../schemas/scheduling/Rebooking.ts"
import { DomainClock } from "../../DomainClock.ts"
import { Database } from "../../database/Database.ts"
import { holderOf, Idempotency } from "../../Idempotency.ts"
import { Service } from "../../Service.ts"
import { BookingRepo } from "../booking/BookingRepo.ts"
import { HoldManager } from "../booking/HoldManager.ts"
import type { Conditions } from "../slots/predicate.ts"
import { Appointments, type Caller } from "./Appointments.ts"
import { Replacements } from "./Replacements.ts"
import type { StoredAppointment } from "./StoredAppointment.ts"

/** The type's mode decides where the doctor comes from: the original appointment or the request. */
const newDoctor = (original: StoredAppointment, requested: DoctorUid | undefined) => {
  if (original.rebooking_mode === "any_doctor_same_organisation")
    return requested === undefined
      ? Effect.fail(invalid("new_doctor_uid", "is required: the type lets any doctor of the organisation be chosen"))
      : Effect.succeed(requested)
  return requested === undefined || requested === original.doctor_uid
    ? Effect.succeed(original.doctor_uid)
    : Effect.fail(invalid("new_doctor_uid", "must be the original doctor: the type allows same_doctor_only"))
}

/** A rebooking whose visit reason may differ, without one that of the original is kept, and that may leave a resource or further doctor. */
export type Moving = Rebooking & {
  readonly visit_reason?: string | null
  readonly avoids?: NonNullable<Conditions["avoids"]>
  /** The practice moves it since it cannot take place: its message says so. */
  readonly by_practice?: true
}

const typeRequired = (reason: string) => invalid("appointment_type_uid", `is required: ${reason}`)

export class Rebookings extends Service<Rebookings>()("scheduling/Rebookings", {
  effect: Effect.gen(function* () {
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const idempotency = yield* Idempotency
    const appointments = yield* Appointments
    const replacements = yield* Replacements
    const holds = yield* HoldManager
    const repo = yield* BookingRepo

    /** Every check here is repeated by `book` under its locks. */
    const moveFound = Effect.fnUntraced(function* (caller: Caller, original: StoredAppointment, request: Moving) {
      const { patient_uid, uid } = original
      yield* replacements.ensureMovable(original, caller.actor, yield* clock.now)
      const doctor_uid = yield* newDoctor(original, request.new_doctor_uid)
      const appointment_type_uid = request.appointment_type_uid ?? original.appointment_type_uid
      if (appointment_type_uid === null) return yield* typeRequired("the appointment has no type")
      const replaced = { replaces_appointment_uid: uid, replaced_doctor_uid: original.doctor_uid }
      const booker = { ...caller, patient_uid, session_uid: null, ...replaced }
      const { new_start_date: start_date, over_limit, visit_reason, avoids } = request
      const wanted = {
        doctor_uid,
        appointment_type_uid,
        start_date,
        over_limit,
        ...(avoids !== undefined && { avoids }),
        ...(visit_reason !== undefined && { visit_reason })
      }
      const { uid: new_uid } = yield* Effect.catchTag(
        holds.book(booker, wanted, "new_start_date"),
        "BookableTypeNotFound",
        (error) =>
          Effect.fail(
            request.appointment_type_uid === undefined
              ? typeRequired("the appointment's own can no longer be booked")
              : error
          )
      )
      if (request.by_practice === true) yield* repo.markMovedByPractice(caller.organisation_uid, new_uid)
      return Rebooked.make({ appointment_uid: new_uid, status: "confirmed" })
    }, transaction)

    const move = Effect.fn("Rebookings.move")(function* (caller: Caller, uid: AppointmentUid, request: Moving) {
      return yield* moveFound(caller, yield* appointments.find(caller, uid), request)
    }, transaction)

    /** As `rebook`, without claiming the request's key, for an appointment that the caller may see and has read. */
    const rebookFound = Effect.fn("Rebookings.rebookFound")(
      (caller: Caller, original: StoredAppointment, request: Moving & { readonly new_doctor_uid: DoctorUid }) => {
        const replaced = { replaces_appointment_uid: original.uid, replaced_doctor_uid: original.doctor_uid }
        const place = { organisation_uid: caller.organisation_uid, session_uid: null, ...replaced }
        return holds.queued(place, request.new_doctor_uid, moveFound(caller, original, request))
      }
    )

    /**
     * Cancels the appointment and confirms a new one in its place, in one transaction, which claims the request's key. Fails with `AppointmentNotFound`, `AppointmentNotConfirmed`, `RebookingBlocked`, `SlotNotOffered`, `SlotTaken`,
     * `BookableTypeNotFound`, `IdempotencyKeyReused`, or `Invalid` if type or doctor are required.
     */
    const rebook = Effect.fn("Rebookings.rebook")(function* (caller: Caller, uid: AppointmentUid, request: Moving) {
      const moved = idempotency.once({ ...holderOf(caller), answer: Rebooked }, move(caller, uid, request))
      // the queue only needs the doctors; `move` checks whether the appointment can be moved
      const { doctor_uid } = yield* appointments.find(caller, uid)
      const place = { organisation_uid: caller.organisation_uid, session_uid: null, replaces_appointment_uid: uid }
      return yield* holds.queued(place, request.new_doctor_uid ?? doctor_uid, moved)
    })
    return { rebook, rebookFound } as const
  }),
  dependencies: [Appointments.Default, Replacements.Default, HoldManager.Default, BookingRepo.Default]
}) {}
