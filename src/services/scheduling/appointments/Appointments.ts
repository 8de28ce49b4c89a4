/** Cancelling an appointment, and ending it as completed or missed (Rules 4.7 and 4.11). */
import { Effect } from "effect"
import { type Actor, isPatientSide } from "../../../schemas/access/Actor.ts"
import type { AppointmentUid, OrganisationUid } from "../../../schemas/ids.ts"
import {
  type AppointmentStatus,
  type AppointmentTrigger,
  transition
} from "../../../schemas/scheduling/AppointmentStates.ts"
import type { BulkCancellation } from "../../../schemas/scheduling/Cancellation.ts"
import {
  AppointmentNotFound,
  AppointmentNotStarted,
  CancellationTooLate,
  refusals
} from "../../../schemas/scheduling/errors.ts"
import { DomainClock } from "../../DomainClock.ts"
import { Database } from "../../database/Database.ts"
import { EventLog } from "../../events/EventLog.ts"
import { Doctors } from "../practice/Doctors.ts"
import { AppointmentLists } from "./AppointmentLists.ts"
import { AppointmentsRepo } from "./AppointmentsRepo.ts"
import { publicAppointment, type StoredAppointment } from "./StoredAppointment.ts"

/** The actor and the organisation of a request. A patient or doctor owns the appointments with the actor's uid. */
export interface Caller {
  readonly organisation_uid: OrganisationUid
  readonly actor: Actor
}

const isHidden = ({ actor }: Caller, appointment: StoredAppointment) =>
  (actor.kind === "patient" && appointment.patient_uid !== actor.uid) ||
  (actor.kind === "doctor" && appointment.doctor_uid !== actor.uid)

/** Maximum appointments cancelled by one request. */
const CANCELLED_MAX = 1_000

/** Fails with the error of the status if it does not allow the transition. */
const ensureTransition = (status: AppointmentStatus, trigger: AppointmentTrigger) =>
  status !== "confirmed" && transition(status, trigger) === "refused"
    ? Effect.fail(new refusals[status]())
    : Effect.void

/** Whether the patient can still cancel: outside the notice, or a hold. */
export const isCancellable = (appointment: StoredAppointment, now: number) =>
  appointment.status === "held" || appointment.start_date - now >= appointment.cancellation_min_notice_minutes * 60

export class Appointments extends Effect.Service<Appointments>()("scheduling/Appointments", {
  effect: Effect.gen(function* () {
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const appointments = yield* AppointmentsRepo
    const events = yield* EventLog
    const lists = yield* AppointmentLists
    const doctors = yield* Doctors

    const visibleTo = (caller: Caller) => (found: StoredAppointment) =>
      isHidden(caller, found) ? Effect.fail(new AppointmentNotFound()) : Effect.succeed(found)

    /** The appointment; one that the caller may not see is `AppointmentNotFound`. */
    const find = Effect.fn("Appointments.find")(function* (caller: Caller, uid: AppointmentUid) {
      const now = yield* clock.now
      return yield* Effect.flatMap(appointments.find(caller.organisation_uid, uid, now), visibleTo(caller))
    })

    /** Those of the appointments that the caller may see, by uid. */
    const findAll = Effect.fn("Appointments.findAll")(function* (caller: Caller, uids: ReadonlyArray<AppointmentUid>) {
      const found = yield* appointments.all(caller.organisation_uid, uids, yield* clock.now)
      return new Map(found.flatMap((one) => (isHidden(caller, one) ? [] : [[one.uid, one] as const])))
    })

    /** As `find`, with the row locked; only within a transaction. */
    const lock = Effect.fn("Appointments.lock")((caller: Caller, uid: AppointmentUid, now: number) =>
      Effect.flatMap(appointments.lock(caller.organisation_uid, uid, now), visibleTo(caller))
    )

    const announce = Effect.fnUntraced(function* (
      stored: StoredAppointment,
      actor: Actor,
      change: "cancelled" | "completed" | "no_show"
    ) {
      const { organisation_uid, uid: subject } = stored
      const appointment = publicAppointment(stored)
      const type = "patient_doctor_meeting_updated"
      yield* events.append({ organisation_uid, type, subject, data: { change, appointment, actor } })
      return appointment
    })

    /**
     * Cancels a hold or a confirmed appointment and frees its time, and releases a hold that was to replace it. A hold publishes no
     * event. Fails with `AppointmentNotFound`, `CancellationTooLate` (a patient inside the notice), or the error of its status.
     */
    const cancel = Effect.fn("Appointments.cancel")(function* (
      caller: Caller,
      uid: AppointmentUid,
      reason: string | null
    ) {
      const now = yield* clock.now
      const found = yield* lock(caller, uid, now)
      yield* ensureTransition(found.status, "cancel")
      if (isPatientSide(caller.actor) && !isCancellable(found, now)) return yield* new CancellationTooLate()
      const cancelled = yield* appointments.cancel(caller.organisation_uid, uid, reason, now)
      if (found.status === "confirmed") {
        yield* appointments.release(caller.organisation_uid, found.slot_group, now)
        yield* announce(cancelled, caller.actor, "cancelled")
      }
      return { appointment_uid: uid, status: "cancelled" as const, cancelled_at: now, cancellation_reason: reason }
    }, transaction)

    /**
     * Ends a confirmed appointment as completed or missed, and returns its record. Fails with `AppointmentNotFound`,
     * `AppointmentNotStarted`, or the error of its status.
     */
    const finish = Effect.fn("Appointments.finish")(function* (
      caller: Caller,
      uid: AppointmentUid,
      trigger: "complete" | "no_show"
    ) {
      const now = yield* clock.now
      const found = yield* lock(caller, uid, now)
      yield* ensureTransition(found.status, trigger)
      if (now < found.start_date) return yield* new AppointmentNotStarted()
      const status = trigger === "complete" ? "completed" : "no_show"
      return yield* announce(yield* appointments.end(caller.organisation_uid, uid, status, now), caller.actor, status)
    }, transaction)

    /**
     * Cancels appointments and holds that start in the range, at most 1,000 by start, each in a transaction of its own. Returns those
     * cancelled, and those that had changed concurrently with the error of their status. A dry run changes nothing. Fails with
     * `DoctorNotFound`.
     */
    const cancelAll = Effect.fn("Appointments.cancelAll")(function* (
      caller: Caller,
      { reason, dry_run, ...range }: BulkCancellation
    ) {
      const now = yield* clock.now
      if (range.doctor_uid !== undefined) yield* doctors.ensure(caller.organisation_uid, range.doctor_uid)
      const uids = yield* lists.liveBetween(caller.organisation_uid, range, CANCELLED_MAX, now)
      if (dry_run) return { cancelled: uids, skipped: [] }
      const [skipped, cancelled] = yield* Effect.partition(
        uids,
        (uid) =>
          Effect.mapBoth(cancel(caller, uid, reason), { onSuccess: () => uid, onFailure: (error) => ({ uid, error }) }),
        { concurrency: 4 }
      )
      return { cancelled, skipped }
    })

    return { find, findAll, lock, announce, cancel, cancelAll, finish } as const
  }),
  dependencies: [
    Database.Default,
    DomainClock.Default,
    AppointmentLists.Default,
    AppointmentsRepo.Default,
    Doctors.Default,
    EventLog.Default
  ]
}) {}
