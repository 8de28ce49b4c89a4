/** What is done to an appointment by somebody: cancelling it, saying that it took place or did not (Rules 4.7 and 4.11). */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Actor } from "../../../schemas/access/Actor.ts"
import { Conflict } from "../../../schemas/conflicts.ts"
import type { AppointmentUid, OrganisationUid } from "../../../schemas/ids.ts"
import { invalid, NotFound } from "../../../schemas/problems.ts"
import {
  type AppointmentStatus,
  type AppointmentTrigger,
  transition
} from "../../../schemas/scheduling/AppointmentStates.ts"
import { DomainClock } from "../../DomainClock.ts"
import { EventLog } from "../../events/EventLog.ts"
import { transaction } from "../../transaction.ts"
import { AppointmentChangesRepo } from "./AppointmentChangesRepo.ts"
import { AppointmentsRepo, publicAppointment, type StoredAppointment } from "./AppointmentsRepo.ts"

/** Who asks, and within which organisation. A patient's or doctor's own appointments are those of the actor's uid. */
export interface Caller {
  readonly organisation_uid: OrganisationUid
  readonly actor: Actor
}

const mayNotSee = ({ actor }: Caller, appointment: StoredAppointment) =>
  (actor.kind === "patient" && appointment.patient_uid !== actor.uid) ||
  (actor.kind === "doctor" && appointment.doctor_uid !== actor.uid)

/** Patients keep to the notice; those who run the practice may override it. */
const keepsToNotice = ({ actor }: Caller) => actor.kind === "patient" || actor.kind === "action_link"

/** The step, or 409 when the state has no such step. */
export const ensureStep = (status: AppointmentStatus, trigger: AppointmentTrigger) =>
  status !== "confirmed" && transition(status, trigger) === "refused"
    ? Effect.fail(new Conflict({ reason: `appointment_${status}` as const }))
    : Effect.void

/** Whether the appointment is still far enough away for its patient to cancel it. */
export const isCancellable = (appointment: StoredAppointment, now: number) =>
  appointment.start_date - now >= appointment.cancellation_min_notice_minutes * 60

const insideNotice = invalid("cancellation_min_notice_minutes", "the appointment starts too soon to be cancelled")
const notStarted = new Conflict({ reason: "appointment_not_started" })

export class Appointments extends Effect.Service<Appointments>()("scheduling/Appointments", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const appointments = yield* AppointmentsRepo
    const changes = yield* AppointmentChangesRepo
    const events = yield* EventLog

    /** The appointment if the caller may see it, else 404. */
    const find = Effect.fn("Appointments.find")(function* (caller: Caller, uid: AppointmentUid) {
      const found = yield* appointments.find(caller.organisation_uid, uid, yield* clock.now)
      return mayNotSee(caller, found) ? yield* new NotFound({ what: "Appointment" }) : found
    })

    /** The same, locked; only within a transaction. */
    const claim = Effect.fn("Appointments.claim")(function* (caller: Caller, uid: AppointmentUid, now: number) {
      const found = yield* changes.lock(caller.organisation_uid, uid, now)
      return mayNotSee(caller, found) ? yield* new NotFound({ what: "Appointment" }) : found
    })

    const announce = Effect.fnUntraced(function* (
      { organisation_uid, actor }: Caller,
      uid: AppointmentUid,
      change: "cancelled" | "completed" | "no_show",
      now: number
    ) {
      const appointment = publicAppointment(yield* appointments.find(organisation_uid, uid, now))
      const type = "patient_doctor_meeting_updated"
      yield* events.append({ organisation_uid, type, subject: uid, data: { change, appointment, actor } })
      return appointment
    })

    /**
     * Cancels a hold or a confirmed appointment and gives its time free, and that of a hold that was to replace it.
     * A patient inside the cancellation notice: 400. Holds go silently. Any other status: 409.
     */
    const cancel = Effect.fn("Appointments.cancel")(
      function* (caller: Caller, uid: AppointmentUid, reason: string | null) {
        const now = yield* clock.now
        const found = yield* claim(caller, uid, now)
        yield* ensureStep(found.status, "cancel")
        if (keepsToNotice(caller) && !isCancellable(found, now)) return yield* insideNotice
        yield* changes.cancel(caller.organisation_uid, uid, reason, now)
        if (found.status === "confirmed") {
          yield* appointments.release(caller.organisation_uid, found.slot_group, now)
          yield* announce(caller, uid, "cancelled", now)
        }
        return { appointment_uid: uid, status: "cancelled" as const, cancelled_at: now, cancellation_reason: reason }
      },
      transaction,
      Effect.provideService(SqlClient.SqlClient, sql)
    )

    /** Says that a confirmed appointment took place, or that its patient did not come; from its start on, else 409. */
    const finish = Effect.fn("Appointments.finish")(
      function* (caller: Caller, uid: AppointmentUid, trigger: "complete" | "no_show") {
        const now = yield* clock.now
        const found = yield* claim(caller, uid, now)
        yield* ensureStep(found.status, trigger)
        if (now < found.start_date) return yield* notStarted
        const status = trigger === "complete" ? "completed" : "no_show"
        yield* changes.end(caller.organisation_uid, uid, status)
        return yield* announce(caller, uid, status, now)
      },
      transaction,
      Effect.provideService(SqlClient.SqlClient, sql)
    )

    return { find, claim, announce, cancel, finish } as const
  }),
  dependencies: [DomainClock.Default, AppointmentsRepo.Default, AppointmentChangesRepo.Default, EventLog.Default]
}) {}
