/** Cancelling an appointment, and ending it as completed or missed (Rules 4.7 and 4.11). */

import { Array as Arr, Effect } from "effect"
import { type Actor, isPatientSide } from "../../../schemas/access/Actor.ts"
import type { UnixSeconds } from "../../../schemas/fields.ts"
import type { AppointmentUid, OrganisationUid } from "../../../schemas/ids.ts"
import {
  type AppointmentStatus,
  type AppointmentTrigger,
  isReopenable,
  transition
} from "../../../schemas/scheduling/AppointmentStates.ts"
import type { BulkCancellation } from "../../../schemas/scheduling/Cancellation.ts"
import {
  AppointmentNotFound,
  AppointmentNotStarted,
  CancellationTooLate,
  ReopeningTooLate,
  refusals
} from "../../../schemas/scheduling/errors.ts"
import { joinWindowState } from "../../../schemas/scheduling/joinWindow.ts"
import { DomainClock } from "../../DomainClock.ts"
import { Database } from "../../database/Database.ts"
import { EventLog } from "../../events/EventLog.ts"
import { ANSWER_LIMITS } from "../../recordLimits.ts"
import { Service } from "../../Service.ts"
import { BookingRepo } from "../booking/BookingRepo.ts"
import { Doctors } from "../practice/Doctors.ts"
import { AppointmentLists } from "./AppointmentLists.ts"
import { publicAppointment, type StoredAppointment } from "./StoredAppointment.ts"

/** The actor and the organisation of a request. A patient or doctor owns the appointments with the actor's uid. */
export interface Caller {
  readonly organisation_uid: OrganisationUid
  readonly actor: Actor
}

const isForeign = ({ actor }: Caller, appointment: StoredAppointment) =>
  (actor.kind === "patient" && appointment.patient_uid !== actor.uid) ||
  (actor.kind === "doctor" && appointment.doctor_uid !== actor.uid)

/** A further doctor sees and joins an appointment (Rule 18.6.2), and does nothing else with it. */
const isHidden = (caller: Caller, appointment: StoredAppointment) =>
  isForeign(caller, appointment) && !appointment.further_doctors.some(({ uid }) => isDoctor(caller.actor, uid))

const isDoctor = (actor: Actor, uid: string) => actor.kind === "doctor" && actor.uid === uid

/** Appointments cancelled in one transaction. */
const BATCH = 100

/** Fails with the error of the status if it does not allow the transition. */
const ensureTransition = (status: AppointmentStatus, trigger: AppointmentTrigger) =>
  status !== "confirmed" && transition(status, trigger) === "refused"
    ? Effect.fail(new refusals[status]())
    : Effect.void

/** Whether the patient can still cancel: outside the notice, or a hold. */
export const isCancellable = (appointment: StoredAppointment, now: number) =>
  appointment.status === "held" || appointment.start_date - now >= appointment.cancellation_min_notice_minutes * 60

export class Appointments extends Service<Appointments>()("scheduling/Appointments", {
  effect: Effect.gen(function* () {
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const appointments = yield* BookingRepo
    const events = yield* EventLog
    const lists = yield* AppointmentLists
    const doctors = yield* Doctors

    const unless = (refused: typeof isHidden) => (caller: Caller) => (found: StoredAppointment) =>
      refused(caller, found) ? Effect.fail(new AppointmentNotFound()) : Effect.succeed(found)
    const visibleTo = unless(isHidden)
    const ownedBy = unless(isForeign)

    /** The appointment; one that the caller may not see is `AppointmentNotFound`. */
    const find = Effect.fn("Appointments.find")(function* (caller: Caller, uid: AppointmentUid) {
      const now = yield* clock.now
      return yield* Effect.flatMap(appointments.find(caller.organisation_uid, uid, now), visibleTo(caller))
    })

    /** As `find`, without the appointments that a doctor only sees as a further one. */
    const findOwn = (caller: Caller, uid: AppointmentUid) => Effect.flatMap(find(caller, uid), ownedBy(caller))

    /** Those of the appointments that the caller may see, by uid. */
    const findAll = Effect.fn("Appointments.findAll")(function* (caller: Caller, uids: ReadonlyArray<AppointmentUid>) {
      const found = yield* appointments.all(caller.organisation_uid, uids, yield* clock.now)
      return new Map(found.flatMap((one) => (isHidden(caller, one) ? [] : [[one.uid, one] as const])))
    })

    /** As `findOwn`, with the row locked; only within a transaction. */
    const lock = Effect.fn("Appointments.lock")((caller: Caller, uid: AppointmentUid, now: number) =>
      Effect.flatMap(appointments.lock(caller.organisation_uid, uid, now), ownedBy(caller))
    )

    /** As `find`, with the row locked; only within a transaction. */
    const lockSeen = Effect.fn("Appointments.lockSeen")((caller: Caller, uid: AppointmentUid, now: number) =>
      Effect.flatMap(appointments.lock(caller.organisation_uid, uid, now), visibleTo(caller))
    )

    /** Appends the events of appointments that were cancelled, completed, missed or reopened. */
    const announce = (ended: ReadonlyArray<StoredAppointment>, actor: Actor) =>
      events.appendAll(
        ended.flatMap((stored) => {
          const { organisation_uid, uid: subject, status: change } = stored
          if (change === "held" || change === "expired") return []
          const type = "patient_doctor_meeting_updated" as const
          return [{ organisation_uid, type, subject, data: { change, appointment: publicAppointment(stored), actor } }]
        })
      )

    /** Fails with `CancellationTooLate` (a patient inside the notice), or the error of the status. */
    const ensureCancellable = Effect.fnUntraced(function* ({ actor }: Caller, found: StoredAppointment, now: number) {
      yield* ensureTransition(found.status, "cancel")
      if (isPatientSide(actor) && !isCancellable(found, now)) return yield* new CancellationTooLate()
    })

    /** Cancels holds and confirmed appointments that the transaction has locked; their events are in this order. */
    const cancelLocked = Effect.fnUntraced(function* (
      { organisation_uid, actor }: Caller,
      locked: ReadonlyArray<StoredAppointment>,
      reason: string | null,
      now: UnixSeconds
    ) {
      const uids = locked.map(({ uid }) => uid)
      yield* appointments.cancel(organisation_uid, uids, reason, now)
      const confirmed = locked.filter(({ status }) => status === "confirmed")
      if (confirmed.length === 0) return
      const groups = confirmed.map(({ slot_group }) => slot_group)
      yield* appointments.release(organisation_uid, groups, now)
      const change = { status: "cancelled" as const, cancelled_at: now, updated_at: now, cancellation_reason: reason }
      yield* announce(
        confirmed.map((one) => ({ ...one, ...change })),
        actor
      )
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
      yield* ensureCancellable(caller, found, now)
      yield* cancelLocked(caller, [found], reason, now)
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
      const ended = yield* appointments.end(caller.organisation_uid, uid, status, now)
      yield* announce([ended], caller.actor)
      return publicAppointment(ended)
    }, transaction)

    /**
     * Takes back that an appointment is completed or missed, and returns its record; one that is confirmed stays as it is. Its event sends no
     * message. Fails with `AppointmentNotFound`, `ReopeningTooLate`, `SlotTaken` if its time was taken since, or the error of its status.
     */
    const reopen = Effect.fn("Appointments.reopen")(function* (caller: Caller, uid: AppointmentUid) {
      const now = yield* clock.now
      const found = yield* lock(caller, uid, now)
      yield* ensureTransition(found.status, "reopen")
      if (found.status === "confirmed") return publicAppointment(found)
      if (!isReopenable(found, now) || joinWindowState(found, now) !== "open") return yield* new ReopeningTooLate()
      const reopened = yield* appointments.reopen(caller.organisation_uid, found, now)
      yield* announce([reopened], caller.actor)
      return publicAppointment(reopened)
    }, transaction)

    /** As `cancel` for some, in one transaction: those that cannot be cancelled are left, with their errors. */
    const cancelSome = Effect.fn("Appointments.cancelSome")(function* (
      caller: Caller,
      uids: ReadonlyArray<AppointmentUid>,
      reason: string | null
    ) {
      const now = yield* clock.now
      const locked = yield* appointments.lockAll(caller.organisation_uid, uids, now)
      const byUid = new Map(locked.map((one) => [one.uid, one]))
      const [skipped, found] = yield* Effect.partition(uids, (uid) =>
        Effect.gen(function* () {
          const one = byUid.get(uid)
          if (one === undefined || isForeign(caller, one)) return yield* new AppointmentNotFound()
          yield* ensureCancellable(caller, one, now)
          return one
        }).pipe(Effect.mapError((error) => ({ uid, error })))
      )
      if (found.length > 0) yield* cancelLocked(caller, found, reason, now)
      return { cancelled: found.map(({ uid }) => uid), skipped }
    }, transaction)

    /**
     * Cancels appointments and holds that start in the range, at most 1,000 by start, 100 in a transaction. Returns those cancelled, and
     * those that had changed concurrently with the error of their status. A dry run changes nothing. Fails with `DoctorNotFound`.
     */
    const cancelAll = Effect.fn("Appointments.cancelAll")(function* (
      caller: Caller,
      { reason, dry_run, ...range }: BulkCancellation
    ) {
      const now = yield* clock.now
      if (range.doctor_uid !== undefined) yield* doctors.ensure(caller.organisation_uid, range.doctor_uid)
      const uids = yield* lists.liveBetween(caller.organisation_uid, range, now, ANSWER_LIMITS.cancelled)
      if (dry_run) return { cancelled: uids, skipped: [] }
      const parts = yield* Effect.forEach(Arr.chunksOf(uids, BATCH), (some) => cancelSome(caller, some, reason))
      return {
        cancelled: parts.flatMap((part) => part.cancelled),
        skipped: parts.flatMap((part) => part.skipped)
      }
    })

    return { find, findOwn, findAll, lock, lockSeen, announce, cancel, cancelSome, cancelAll, finish, reopen } as const
  }),
  dependencies: [AppointmentLists.Default, BookingRepo.Default, Doctors.Default]
}) {}
