/** Replacing an appointment by another one: who may do so, when, and the replacement itself (Rules 4.3.5 and 4.8). */
import { Effect, Option } from "effect"
import { type Actor, isPatientSide } from "../../../schemas/access/Actor.ts"
import type { AppointmentUid, DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import { invalid } from "../../../schemas/problems.ts"
import { transition } from "../../../schemas/scheduling/AppointmentStates.ts"
import { AppointmentNotConfirmed, RebookingBlocked } from "../../../schemas/scheduling/errors.ts"
import { Service } from "../../Service.ts"
import { BookingRepo } from "../booking/BookingRepo.ts"
import { LinkIssuer } from "./LinkIssuer.ts"
import type { StoredAppointment } from "./StoredAppointment.ts"

interface Replacing {
  readonly organisation_uid: OrganisationUid
  readonly actor: Actor
  readonly replaces_appointment_uid: AppointmentUid | null
}

/** The rule that forbids this actor to move the appointment now, if any. Only patients are restricted. */
export const rebookingBlock = (original: StoredAppointment, actor: Actor, now: number) => {
  if (!isPatientSide(actor)) return Option.none()
  if (!original.allow_patient_rebooking)
    return Option.some(
      new RebookingBlocked({
        field: "allow_patient_rebooking",
        reason: "patients may not move appointments of this type"
      })
    )
  const minutes = original.rebooking_min_notice_minutes
  return original.start_date - now < minutes * 60
    ? Option.some(
        new RebookingBlocked({
          field: "rebooking_min_notice_minutes",
          reason: `must be moved at least ${minutes} minutes before the start`
        })
      )
    : Option.none()
}

export class Replacements extends Service<Replacements>()("scheduling/Replacements", {
  effect: Effect.gen(function* () {
    const appointments = yield* BookingRepo
    const links = yield* LinkIssuer

    /** Fails with `AppointmentNotConfirmed` or `RebookingBlocked` unless this actor can move `original` now. */
    const ensureMovable = Effect.fn("Replacements.ensureMovable")(function* (
      original: StoredAppointment,
      actor: Actor,
      now: number
    ) {
      if (transition(original.status, "rebook") === "refused")
        return yield* new AppointmentNotConfirmed({ reason: original.status })
      const block = rebookingBlock(original, actor, now)
      if (Option.isSome(block)) return yield* block.value
    })

    /**
     * The appointment to be replaced, checked, and locked so that it stays replaceable until the transaction ends; null in a plain
     * booking.
     */
    const lockOriginal = Effect.fn("Replacements.lockOriginal")(function* (
      { organisation_uid, actor, replaces_appointment_uid }: Replacing,
      doctor_uid: DoctorUid,
      now: number
    ) {
      if (replaces_appointment_uid === null) return null
      const original = yield* appointments.lock(organisation_uid, replaces_appointment_uid, now)
      yield* ensureMovable(original, actor, now)
      if (original.rebooking_mode === "same_doctor_only" && doctor_uid !== original.doctor_uid)
        return yield* invalid("doctor_uid", "must be the original doctor: the type allows same_doctor_only")
      return original
    })

    /** Cancels the replaced appointment and extends its links until after the new appointment's end. */
    const replace = Effect.fn("Replacements.replace")(function* (
      { organisation_uid, uid }: StoredAppointment,
      end_date: number,
      actor: Actor,
      now: number
    ) {
      yield* appointments.cancel(organisation_uid, [uid], "rebooked", now)
      yield* links.extend(organisation_uid, uid, end_date)
      if (actor.kind === "action_link") yield* links.recordMove(organisation_uid, actor.uid)
    })

    /** Cancels the appointment that `replacement` replaces; no-op for a plain booking. */
    const carryOut = Effect.fn("Replacements.carryOut")(function* (
      replacement: Pick<StoredAppointment, "organisation_uid" | "doctor_uid" | "replaces_appointment_uid" | "end_date">,
      actor: Actor,
      now: number
    ) {
      const original = yield* lockOriginal({ ...replacement, actor }, replacement.doctor_uid, now)
      if (original !== null) yield* replace(original, replacement.end_date, actor, now)
    })

    return { ensureMovable, lockOriginal, replace, carryOut } as const
  }),
  dependencies: [BookingRepo.Default, LinkIssuer.Default]
}) {}
