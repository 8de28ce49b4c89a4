/** One appointment taking another's place: who may, when, and the exchange itself (Rule 4.8). */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Actor } from "../../../schemas/access/Actor.ts"
import { Conflict } from "../../../schemas/conflicts.ts"
import type { AppointmentUid, OrganisationUid } from "../../../schemas/ids.ts"
import { invalid } from "../../../schemas/problems.ts"
import { transition } from "../../../schemas/scheduling/AppointmentStates.ts"
import { AppointmentChangesRepo } from "./AppointmentChangesRepo.ts"
import type { StoredAppointment } from "./AppointmentsRepo.ts"

interface Replacing {
  readonly organisation_uid: OrganisationUid
  readonly actor: Actor
  readonly replaces_appointment_uid: AppointmentUid | null
}

const notConfirmed = (status: string) =>
  new Conflict({ reason: "not_confirmed", hint: `Only a confirmed appointment can be moved; this one is ${status}` })

/** Why a patient may not move this appointment now; API keys may, whatever the type says. */
export const rebookingFault = (original: StoredAppointment, actor: Actor, now: number) => {
  if (actor.kind === "api_key") return undefined
  if (!original.allow_patient_rebooking)
    return invalid("allow_patient_rebooking", "patients may not move appointments of this type")
  if (original.start_date - now < original.rebooking_min_notice_minutes * 60)
    return invalid(
      "rebooking_min_notice_minutes",
      `must be moved at least ${original.rebooking_min_notice_minutes} minutes before the start`
    )
  return undefined
}

export class Replacements extends Effect.Service<Replacements>()("scheduling/Replacements", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const changes = yield* AppointmentChangesRepo

    /** Fails unless `original` can be moved now by this actor: 409 when it is not confirmed, 400 when a rule blocks it. */
    const ensureMovable = Effect.fn("Replacements.ensureMovable")(function* (
      original: StoredAppointment,
      actor: Actor,
      now: number
    ) {
      if (transition(original.status, "rebook") === "refused") return yield* notConfirmed(original.status)
      const fault = rebookingFault(original, actor, now)
      if (fault !== undefined) return yield* fault
    })

    /**
     * The appointment that is to be replaced, checked and locked, so that it stays replaceable until the transaction
     * ends; undefined in a plain booking.
     */
    const of = Effect.fn("Replacements.of")(function* (replacing: Replacing, doctor_uid: string, now: number) {
      if (replacing.replaces_appointment_uid === null) return undefined
      const original = yield* changes.lock(replacing.organisation_uid, replacing.replaces_appointment_uid, now)
      yield* ensureMovable(original, replacing.actor, now)
      if (original.rebooking_mode === "same_doctor_only" && doctor_uid !== original.doctor_uid)
        return yield* invalid("doctor_uid", "must be the original doctor: the type allows same_doctor_only")
      return original
    })

    /** Whose time a hold or its confirmation touches: both doctors in a rebooking. */
    const doctorsOf = Effect.fn("Replacements.doctorsOf")(function* (
      held: Pick<StoredAppointment, "organisation_uid" | "doctor_uid" | "replaces_appointment_uid">
    ) {
      if (held.replaces_appointment_uid === null) return [held.doctor_uid]
      const rows = yield* sql<{ doctor_uid: string }>`SELECT doctor_uid FROM appointments
        WHERE organisation_uid = ${held.organisation_uid} AND uid = ${held.replaces_appointment_uid}`.pipe(Effect.orDie)
      return [held.doctor_uid, ...rows.map((row) => row.doctor_uid)]
    })

    /** Cancels what `replacement` replaces and ties the two together; nothing for a plain booking. */
    const carryOut = Effect.fn("Replacements.carryOut")(function* (
      replacement: Pick<StoredAppointment, "organisation_uid" | "uid" | "doctor_uid" | "replaces_appointment_uid">,
      actor: Actor,
      now: number
    ) {
      const { organisation_uid, uid, doctor_uid, replaces_appointment_uid } = replacement
      const original = yield* of({ organisation_uid, actor, replaces_appointment_uid }, doctor_uid, now)
      if (original === undefined) return
      yield* sql`UPDATE appointments SET status = 'cancelled', cancelled_at = to_timestamp(${now}),
          cancellation_reason = 'rebooked'
        WHERE organisation_uid = ${organisation_uid} AND uid = ${original.uid}`.pipe(Effect.orDie)
      yield* sql`UPDATE appointments SET previous_meeting_uid = ${original.uid}
        WHERE organisation_uid = ${organisation_uid} AND uid = ${uid}`.pipe(Effect.orDie)
    })

    return { ensureMovable, of, doctorsOf, carryOut } as const
  }),
  dependencies: [AppointmentChangesRepo.Default]
}) {}
