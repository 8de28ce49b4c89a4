/** Joining an appointment's room (Rule 5.2). */
import { Effect } from "effect"
import type { AppointmentUid } from "../../../schemas/ids.ts"
import { invalid } from "../../../schemas/problems.ts"
import { joinWindowState } from "../../../schemas/scheduling/joinWindow.ts"
import { DomainClock } from "../../DomainClock.ts"
import { Database } from "../../database/Database.ts"
import { Extensions } from "../../Extensions.ts"
import { Service } from "../../Service.ts"
import { SecretBox } from "../../sealing/SecretBox.ts"
import { Appointments, type Caller } from "../appointments/Appointments.ts"
import type { StoredAppointment } from "../appointments/StoredAppointment.ts"
import { BookingRepo } from "../booking/BookingRepo.ts"
import { type Invited, JOIN_TOKEN_PURPOSE, mintJoinToken } from "./joinTokens.ts"
import { nameInRoom } from "./rooms.ts"

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

const placeOf = ({ organisation_uid, uid, room_name }: StoredAppointment) => ({
  organisation_uid,
  appointment_uid: uid,
  room: room_name
})

const groupOf = ({ seat }: StoredAppointment) => (seat === null ? {} : { group: true })

/** The doctor who is booked, or a further one (Rule 18.6.2). */
const doctorOf = (appointment: StoredAppointment, uid: string): Invited => {
  const further = appointment.further_doctors.find((one) => one.uid === uid)
  const name = further?.display_name ?? appointment.doctor_display_name
  return { ...placeOf(appointment), role: "doctor", id: uid, name, ...groupOf(appointment) }
}

/** In a group the patient has a number instead of a name. */
const patientOf = (appointment: StoredAppointment): Invited => ({
  ...placeOf(appointment),
  role: "patient",
  id: appointment.patient_uid,
  name: nameInRoom(appointment),
  ...groupOf(appointment)
})

export class Meetings extends Service<Meetings>()("scheduling/Meetings", {
  effect: Effect.gen(function* () {
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const appointments = yield* Appointments
    const repo = yield* BookingRepo
    const extensions = yield* Extensions
    const key = yield* Effect.flatMap(SecretBox, (box) => box.derive(JOIN_TOKEN_PURPOSE))

    const admit = Effect.fnUntraced(function* (caller: Caller, uid: AppointmentUid) {
      const now = yield* clock.now
      const found = yield* appointments.lockSeen(caller, uid, now)
      yield* ensureOpen(found, now)
      const { actor } = caller
      if (actor.kind !== "doctor")
        yield* Effect.forEach(yield* extensions.having("beforeJoin"), ({ beforeJoin }) => beforeJoin(found), {
          discard: true
        })
      const guest = actor.kind === "doctor" ? doctorOf(found, actor.uid) : patientOf(found)
      yield* repo.recordJoin(caller.organisation_uid, uid, guest.role, now)
      return guest
    }, transaction)

    /**
     * A token for the appointment's room, valid for ten minutes. Stores when each side first joined. Fails with `AppointmentNotFound`,
     * and with `Invalid` when the appointment is not confirmed, not digital, or its join window not open.
     */
    const join = Effect.fn("Meetings.join")(function* (caller: Caller, uid: AppointmentUid) {
      const guest = yield* admit(caller, uid)
      const token = yield* mintJoinToken(key, guest)
      return { room_name: guest.room, ...token }
    })

    return { join } as const
  }),
  dependencies: [Appointments.Default, BookingRepo.Default]
}) {}
