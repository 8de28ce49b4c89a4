/** Clients of a running server: each operation of the model as its request. */
import { Effect } from "effect"
import { DomainClock } from "../../../src/services/DomainClock.ts"
import { ExpiredHolds } from "../../../src/services/scheduling/appointments/ExpiredHolds.ts"
import type { TestServer } from "../../support/server.ts"
import { makeWorld, type World } from "../../support/world.ts"
import type { Appointment, Model, Operation, Reply } from "./model.ts"

type Uid = "uid" | "hold_uid" | "appointment_uid" | "booking_launch_code"

export const customers = ["anna", "berta", "clara"] as const

export interface Row {
  readonly uid: string
  readonly status: string
  readonly doctor_uid: string
  readonly start_date: number
  readonly end_date: number
  readonly previous_meeting_uid: string | null
}

export const makeClients = async (server: TestServer) => {
  const world: World = await makeWorld(server)
  const longer = await world.otherType({
    meeting_type: "FOLLOW_UP",
    duration_minutes: 30,
    room_strategy: "persistent_per_provider",
    rebooking_mode: "any_doctor_same_organisation",
    allow_patient_rebooking: true
  })
  const tokens = new Map<string, string>()
  for (const customer of [...customers, "stranger"]) tokens.set(customer, await world.token(customer))
  const tokenOf = (customer: string) => ({ token: tokens.get(customer) ?? "" })
  const key = { key: world.key }
  const typeOf = (minutes: number) => (minutes === 30 ? longer : world.type_uid)

  const now = () => server.now()
  const post = async (path: string, ask: Parameters<TestServer["api"]>[2], uid: Uid): Promise<Reply> => {
    const { status, body } = await server.api("POST", `/v1${path}`, ask)
    return { status, uid: body[uid], expires: body.expires_at }
  }

  const credential = (one: Appointment, by: "owner" | "stranger" | "key") =>
    by === "key" ? key : tokenOf(by === "owner" ? one.customer : "stranger")

  const openSession = (customer: string, replaces: string | null, from: number) => {
    const plain = { mode: "booking", appointment_type_uid: world.type_uid, from, to: from + 30 * 86_400 }
    const body = replaces === null ? plain : { mode: "rebooking", appointment_uid: replaces }
    return post("/scheduling/booking-sessions", { ...tokenOf(customer), body }, "booking_launch_code")
  }

  const hold = ({ by, doctor, minutes, start }: Extract<Operation, { kind: "hold" }>) => {
    const slot = { doctor_uid: world.doctors[doctor], appointment_type_uid: typeOf(minutes), start_date: start }
    if ("session" in by) return post(`/scheduling/booking-sessions/${by.session}/holds`, { body: slot }, "hold_uid")
    const body = { ...slot, shop_uid: world.shop_uid, shop_customer_id: by.customer }
    return post("/scheduling/holds", { ...key, body }, "hold_uid")
  }

  const confirm = ({ uid, session }: Appointment) =>
    session === null
      ? post(`/scheduling/holds/${uid}/confirm`, { ...key, body: {} }, "uid")
      : post(`/scheduling/booking-sessions/${session}/holds/${uid}/confirm`, { body: {} }, "uid")

  /** Sends the request of an operation. */
  const sendRequest = (model: Model, operation: Operation): Promise<Reply> => {
    if (operation.kind === "hold") return hold(operation)
    const one = model.appointments.get(operation.uid)
    if (one === undefined) throw new Error("operations are about known appointments")
    const path = `/scheduling/appointments/${one.uid}`
    if (operation.kind === "confirm") return confirm(one)
    if (operation.kind === "complete") return post(`/management${path}/complete`, key, "uid")
    if (operation.kind === "open") return openSession(one.customer, one.uid, one.start)
    if (operation.kind === "rebook") {
      const body = { new_start_date: operation.start, new_doctor_uid: world.doctors[operation.doctor] }
      return post(`${path}/rebook`, { ...credential(one, operation.by), body }, "appointment_uid")
    }
    return operation.by === "management"
      ? post(`/management${path}/cancel`, { ...key, body: { reason: "closed" } }, "appointment_uid")
      : post(`${path}/cancel`, { ...credential(one, operation.by), body: {} }, "appointment_uid")
  }

  const rows = (present: number): Promise<ReadonlyArray<Row>> =>
    server.sql<Row>`SELECT uid, doctor_uid, start_date, end_date, previous_meeting_uid,
        CASE WHEN status = 'held' AND hold_expires_at <= to_timestamp(${present}) THEN 'expired'
          ELSE status END AS status
      FROM appointments WHERE organisation_uid = ${world.organisation_uid}`

  /** Advances the time and expires holds as the job does. */
  const advance = (seconds: number) =>
    server.run(
      Effect.gen(function* () {
        yield* (yield* DomainClock).advance(seconds)
        yield* (yield* ExpiredHolds).expireOverdue()
      })
    )
  return { world, now, ask: sendRequest, rows, advance, openSession }
}
export type Clients = Awaited<ReturnType<typeof makeClients>>
