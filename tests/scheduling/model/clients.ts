/** Clients of a practice: each operation of the model as the call of its request, answered with the status of the response. */
import { Effect } from "effect"
import { statusOf } from "../../../src/http/problems.ts"
import { DomainClock } from "../../../src/services/DomainClock.ts"
import { OverdueAppointments } from "../../../src/services/scheduling/appointments/OverdueAppointments.ts"
import { DAY, makePractice } from "../../support/practice.ts"
import type { Services, TestLayers } from "../../support/server.ts"
import type { Appointment, Model, Operation, Reply } from "./model.ts"

export const customers = ["anna", "berta", "clara"] as const

export interface Row {
  readonly uid: string
  readonly status: string
  readonly doctor_uid: string
  readonly start_date: number
  readonly end_date: number
  readonly previous_meeting_uid: string | null
}

export const makeClients = async (layers: TestLayers) => {
  const practice = await layers.run(makePractice())
  const longer = await layers.run(
    practice.otherType({
      meeting_type: "FOLLOW_UP",
      duration_minutes: 30,
      room_strategy: "persistent_per_provider",
      rebooking_mode: "any_doctor_same_organisation",
      allow_patient_rebooking: true
    })
  )
  const typeOf = (minutes: number) => (minutes === 30 ? longer : practice.type_uid)

  /** The reply to a request; an error without a status is none of the interface's. */
  const replied = <A>(request: Effect.Effect<A, unknown, Services>, told: (answer: A) => Omit<Reply, "status">) =>
    layers.run(
      Effect.catchAll(
        Effect.map(request, (answer): Reply => ({ status: 200, ...told(answer) })),
        (error) => {
          const status = statusOf(error)
          return status === undefined ? Effect.die(error) : Effect.succeed<Reply>({ status })
        }
      )
    )
  const ofHold = ({ hold_uid, expires_at }: { readonly hold_uid: string; readonly expires_at: number }) => ({
    uid: hold_uid,
    expires: expires_at
  })
  const ofUid = ({ uid }: { readonly uid: string }) => ({ uid })
  const ofAppointment = ({ appointment_uid }: { readonly appointment_uid: string }) => ({ uid: appointment_uid })

  const callerOf = (one: Appointment, by: "owner" | "stranger" | "key") =>
    by === "key" ? Effect.succeed(practice.asKey) : practice.asCustomer(by === "owner" ? one.customer : "stranger")

  const openSession = (customer: string, replaces: string | null, from: number) => {
    const rebooking = { mode: "rebooking", appointment_uid: replaces, appointment_type_uid: undefined } as const
    const body = replaces === null ? { from, to: from + 30 * DAY } : { ...rebooking, from: undefined, to: undefined }
    return replied(practice.open(customer, body), (one) => ({ uid: one.booking_launch_code, expires: one.expires_at }))
  }

  const hold = ({ by, doctor, minutes, start }: Extract<Operation, { kind: "hold" }>) => {
    const slot = { doctor_uid: practice.doctors[doctor], appointment_type_uid: typeOf(minutes) }
    return "session" in by
      ? replied(practice.hold(by.session, start, slot), ofHold)
      : replied(practice.holdByKey({ ...slot, start_date: start, shop_customer_id: by.customer }), ofHold)
  }

  /** Makes the request of an operation. */
  const ask = (model: Model, operation: Operation): Promise<Reply> => {
    if (operation.kind === "hold") return hold(operation)
    const one = model.appointments.get(operation.uid)
    if (one === undefined) throw new Error("operations are about known appointments")
    if (operation.kind === "confirm")
      return replied(
        one.session === null ? practice.confirmByKey(one.uid) : practice.confirm(one.session, one.uid),
        ofUid
      )
    if (operation.kind === "complete") return replied(practice.finish(one.uid, "complete"), ofUid)
    if (operation.kind === "open") return openSession(one.customer, one.uid, one.start)
    const caller = callerOf(one, operation.by === "management" ? "key" : operation.by)
    if (operation.kind === "cancel")
      return replied(
        Effect.flatMap(caller, (by) => practice.cancel(one.uid, by)),
        ofAppointment
      )
    const body = { new_start_date: operation.start, new_doctor_uid: practice.doctors[operation.doctor] }
    return replied(
      Effect.flatMap(caller, (by) => practice.rebook(one.uid, body, by)),
      ofAppointment
    )
  }

  const rows = (present: number): Promise<ReadonlyArray<Row>> =>
    layers.sql<Row>`SELECT uid, doctor_uid, start_date, end_date, previous_meeting_uid,
        CASE WHEN status = 'held' AND hold_expires_at <= to_timestamp(${present}) THEN 'expired'
          ELSE status END AS status
      FROM appointments WHERE organisation_uid = ${practice.organisation_uid}`

  /** Advances the time and expires holds as the job does. */
  const advance = (seconds: number) =>
    layers.run(
      Effect.gen(function* () {
        yield* (yield* DomainClock).advance(seconds)
        yield* (yield* OverdueAppointments).expireHolds()
      })
    )
  return { doctors: practice.doctors, now: layers.now, ask, rows, advance, openSession }
}
export type Clients = Awaited<ReturnType<typeof makeClients>>
