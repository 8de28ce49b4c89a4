/** Moving an appointment in one step (Rule 4.8). In two steps it is a rebooking session. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { AppointmentUid, type DoctorUid } from "../../../schemas/ids.ts"
import { invalid } from "../../../schemas/problems.ts"
import { Rebooked, type Rebooking } from "../../../schemas/scheduling/Rebooking.ts"
import { DomainClock } from "../../DomainClock.ts"
import { EventLog } from "../../events/EventLog.ts"
import { Idempotency } from "../../Idempotency.ts"
import { transaction } from "../../transaction.ts"
import { newUid } from "../../uid.ts"
import { SlotEngine } from "../booking/SlotEngine.ts"
import { roomName } from "../joining/rooms.ts"
import { Appointments, type Caller } from "./Appointments.ts"
import { AppointmentsRepo, publicAppointment, type StoredAppointment, slotTaken } from "./AppointmentsRepo.ts"
import { Replacements } from "./Replacements.ts"

const noSlot = invalid("new_start_date", "is not a slot that this doctor offers for this appointment type")

/** The type's mode says who decides on the doctor: the original appointment or the request. */
const newDoctor = (original: StoredAppointment, requested: DoctorUid | undefined) => {
  if (original.rebooking_mode === "any_doctor_same_organisation")
    return requested === undefined
      ? Effect.fail(invalid("new_doctor_uid", "is required: the type lets any doctor of the organisation be chosen"))
      : Effect.succeed(requested)
  return requested === undefined || requested === original.doctor_uid
    ? Effect.succeed(original.doctor_uid)
    : Effect.fail(invalid("new_doctor_uid", "must be the original doctor: the type allows same_doctor_only"))
}

const needsType = (why: string) => invalid("appointment_type_uid", `is required: ${why}`)

const newType = (original: StoredAppointment, requested: string | undefined) => {
  const type = requested ?? original.appointment_type_uid
  return type === null ? Effect.fail(needsType("the appointment has no type")) : Effect.succeed(type)
}

export class Rebookings extends Effect.Service<Rebookings>()("scheduling/Rebookings", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const idempotency = yield* Idempotency
    const visible = yield* Appointments
    const appointments = yield* AppointmentsRepo
    const replacements = yield* Replacements
    const engine = yield* SlotEngine
    const events = yield* EventLog

    /** The new time, found free; the appointment's own present time does not stand in the way. */
    const choose = Effect.fnUntraced(function* (
      original: StoredAppointment,
      request: Rebooking,
      doctor_uid: DoctorUid,
      now: number
    ) {
      const offer = engine.offer({
        owner: { organisation_uid: original.organisation_uid },
        appointment_type_uid: yield* newType(original, request.appointment_type_uid),
        doctor_uid,
        start_date: request.new_start_date,
        now,
        except_group: original.slot_group
      })
      const { type, offering } =
        request.appointment_type_uid === undefined
          ? yield* Effect.catchTag(offer, "NotFound", () => needsType("the appointment's own can no longer be booked"))
          : yield* offer
      if (offering === "not_offered") return yield* noSlot
      if (offering === "taken") return yield* slotTaken
      return type
    })

    /** Both doctors are locked, in one order everywhere, before anything is decided. */
    const claim = Effect.fnUntraced(function* (caller: Caller, uid: AppointmentUid, request: Rebooking) {
      const seen = yield* visible.find(caller, uid)
      const doctors = [seen.doctor_uid, request.new_doctor_uid ?? seen.doctor_uid]
      yield* appointments.lockDoctors(caller.organisation_uid, doctors)
      const now = yield* clock.now
      const original = yield* visible.claim(caller, uid, now)
      yield* replacements.ensureMovable(original, caller.actor, now)
      const doctor_uid = yield* newDoctor(original, request.new_doctor_uid)
      return { now, original, doctor_uid }
    })

    const move = Effect.fn("Rebookings.move")(
      function* (caller: Caller, uid: AppointmentUid, request: Rebooking) {
        const { now, original, doctor_uid } = yield* claim(caller, uid, request)
        const { organisation_uid, slot_group, patient_uid, meeting_format, visit_reason } = original
        const type = yield* choose(original, request, doctor_uid, now)
        const start_date = request.new_start_date
        const end_date = start_date + type.duration_minutes * 60
        const new_uid = AppointmentUid.make(yield* newUid(AppointmentUid))
        const replacement = { organisation_uid, uid: new_uid, doctor_uid, replaces_appointment_uid: uid }
        yield* replacements.carryOut(replacement, caller.actor, now)
        yield* appointments.take(
          {
            ...replacement,
            patient_uid,
            slot_group,
            meeting_format,
            visit_reason,
            start_date,
            end_date,
            appointment_type_uid: type.uid,
            meeting_type: type.meeting_type,
            booking_session_uid: null,
            previous_meeting_uid: uid,
            status: "confirmed",
            hold_ttl_seconds: null,
            hold_expires_at: null,
            room_name: yield* roomName(type.room_strategy, organisation_uid, doctor_uid)
          },
          now
        )
        const appointment = publicAppointment(yield* appointments.find(organisation_uid, new_uid, now))
        const data = { appointment, previous_meeting_uid: uid, actor: caller.actor }
        yield* events.append({ organisation_uid, type: "rebooked", subject: new_uid, data })
        return Rebooked.make({ appointment_uid: new_uid, status: "confirmed" })
      },
      transaction,
      Effect.provideService(SqlClient.SqlClient, sql)
    )

    /**
     * Cancels the appointment and confirms a new one in its place, in one transaction. 409 when it is not confirmed or
     * the new time is taken; 400 when a rule blocks a patient or the time is not offered. With an idempotency key a
     * repetition answers as the first time.
     */
    const rebook = Effect.fn("Rebookings.rebook")(function* (
      caller: Caller,
      uid: AppointmentUid,
      request: Rebooking,
      idempotencyKey: string | undefined
    ) {
      const { organisation_uid, actor } = caller
      return yield* idempotency.once(
        {
          organisation_uid,
          scope: `${actor.kind}:${actor.uid}`,
          key: idempotencyKey,
          request: ["rebook", uid, request],
          answer: Rebooked
        },
        move(caller, uid, request)
      )
    })
    return { rebook } as const
  }),
  dependencies: [
    DomainClock.Default,
    Idempotency.Default,
    Appointments.Default,
    AppointmentsRepo.Default,
    Replacements.Default,
    SlotEngine.Default,
    EventLog.Default
  ]
}) {}
