/** Entering an appointment's room (Rule 5.2). */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { AppointmentUid } from "../../../schemas/ids.ts"
import { invalid } from "../../../schemas/problems.ts"
import { DomainClock } from "../../DomainClock.ts"
import { SecretBox } from "../../SecretBox.ts"
import { transaction } from "../../transaction.ts"
import { AppointmentChangesRepo } from "../appointments/AppointmentChangesRepo.ts"
import { Appointments, type Caller } from "../appointments/Appointments.ts"
import type { StoredAppointment } from "../appointments/AppointmentsRepo.ts"
import { JOIN_TOKEN_PURPOSE, mintJoinToken, type Participant, verifyJoinToken } from "./joinToken.ts"
import { joinWindowState } from "./joinWindow.ts"

const ensureOpen = (appointment: StoredAppointment, now: number) => {
  if (appointment.status !== "confirmed")
    return Effect.fail(invalid("status", `the appointment is ${appointment.status}, not confirmed`))
  if (appointment.meeting_format !== "DIGITAL")
    return Effect.fail(invalid("meeting_format", "the appointment takes place in person"))
  const state = joinWindowState(appointment, now)
  if (state === "too_early") return Effect.fail(invalid("start_date", "the room opens 10 minutes before the start"))
  if (state === "too_late") return Effect.fail(invalid("end_date", "the room closed 60 minutes after the end"))
  return Effect.void
}

const participantOf = (appointment: StoredAppointment, role: Participant["role"]): Participant => ({
  room_name: appointment.room_name,
  role,
  uid: role === "doctor" ? appointment.doctor_uid : appointment.patient_uid,
  name: role === "doctor" ? appointment.doctor_display_name : appointment.patient_display_name
})

export class Meetings extends Effect.Service<Meetings>()("scheduling/Meetings", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const appointments = yield* Appointments
    const changes = yield* AppointmentChangesRepo
    const key = yield* Effect.flatMap(SecretBox, (box) => box.derive(JOIN_TOKEN_PURPOSE))

    const admit = Effect.fnUntraced(
      function* (caller: Caller, uid: AppointmentUid, role: Participant["role"]) {
        const now = yield* clock.now
        const found = yield* appointments.claim(caller, uid, now)
        yield* ensureOpen(found, now)
        yield* changes.recordJoin(caller.organisation_uid, uid, role, now)
        return participantOf(found, role)
      },
      transaction,
      Effect.provideService(SqlClient.SqlClient, sql)
    )

    /**
     * A token for the appointment's room, good for ten minutes. That the caller's side came is noted. 400 when the
     * appointment is not confirmed or its room is not open.
     */
    const join = Effect.fn("Meetings.join")(function* (caller: Caller, uid: AppointmentUid) {
      const participant = yield* admit(caller, uid, caller.actor.kind === "doctor" ? "doctor" : "patient")
      const token = yield* mintJoinToken(key, participant)
      return { room_name: participant.room_name, ...token }
    })

    /** Who a join token lets into which room; for the room's own door. */
    const recognise = (token: string) => verifyJoinToken(key, token)

    return { join, recognise } as const
  }),
  dependencies: [DomainClock.Default, Appointments.Default, AppointmentChangesRepo.Default]
}) {}
