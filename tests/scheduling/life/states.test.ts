import { beforeAll, describe, expect, test } from "bun:test"
import { Effect } from "effect"
import {
  AppointmentStatus,
  type AppointmentTrigger,
  transition
} from "../../../src/schemas/scheduling/AppointmentStates.ts"
import { ExpiredHolds } from "../../../src/services/scheduling/appointments/ExpiredHolds.ts"
import { place, worldWithPatient } from "../../support/provisioned.ts"
import { eventsOf, stored } from "../../support/records.ts"
import { sandboxServer } from "../../support/server.ts"
import { adminOf, doctorOf } from "../../support/staff.ts"
import { HOUR, inDays } from "../../support/world.ts"

const server = sandboxServer()
const statuses = AppointmentStatus.literals
type Setting = Awaited<ReturnType<typeof worldWithPatient>>
/** A state of a way: its own doctor, and that of a new time. */
type Cell = Setting & { readonly doctor: string; readonly other: string | undefined }
type Outcome = { readonly status: number; readonly body: unknown }

const v1 = (path: string, ask: Parameters<typeof server.current.api>[2]) =>
  server.current.api("POST", `/v1${path}`, ask)

interface Way {
  readonly name: string
  readonly trigger: AppointmentTrigger
  /** Hours from now at which the appointment starts. */
  readonly starts?: number
  readonly take: (cell: Cell, uid: string) => Promise<Outcome>
}

/** Every request or job that applies each trigger. */
const ways: ReadonlyArray<Way> = [
  {
    name: "confirm by key",
    trigger: "confirm",
    take: ({ world }, uid) => v1(`/scheduling/holds/${uid}/confirm`, { key: world.key })
  },
  {
    name: "cancel by management",
    trigger: "cancel",
    take: ({ world }, uid) =>
      v1(`/management/scheduling/appointments/${uid}/cancel`, { key: world.key, body: { reason: "x" } })
  },
  {
    name: "cancel by key",
    trigger: "cancel",
    take: ({ world }, uid) => v1(`/scheduling/appointments/${uid}/cancel`, { key: world.key })
  },
  {
    name: "cancel by patient",
    trigger: "cancel",
    take: async ({ world }, uid) =>
      v1(`/scheduling/appointments/${uid}/cancel`, { token: await world.token("anna"), body: {} })
  },
  {
    name: "cancel by link",
    trigger: "cancel",
    take: async ({ world }, uid) => {
      const links = `/management/scheduling/appointments/${uid}/action-links`
      const link = await v1(links, { key: world.key, body: { action: "cancel" } })
      return v1(`/scheduling/appointment-actions/${link.body.code}/cancel`, { body: {} })
    }
  },
  {
    name: "cancel by admin",
    trigger: "cancel",
    take: async ({ world }, uid) => {
      const bearer = await adminOf(server.current, world)
      return v1(`/admin/scheduling/appointments/${uid}/cancel`, { bearer, body: { reason: "x" } })
    }
  },
  {
    name: "rebook by patient",
    trigger: "rebook",
    take: async ({ world, other }, uid) => {
      const body = { new_start_date: inDays(20, 8), new_doctor_uid: other }
      return v1(`/scheduling/appointments/${uid}/rebook`, { token: await world.token("anna"), body })
    }
  },
  {
    name: "rebook by key",
    trigger: "rebook",
    take: ({ world, other }, uid) => {
      const body = { new_start_date: inDays(20, 9), new_doctor_uid: other }
      return v1(`/scheduling/appointments/${uid}/rebook`, { key: world.key, body })
    }
  },
  ...(["complete", "no_show"] as const).flatMap((trigger): ReadonlyArray<Way> => {
    const path = trigger.replace("_", "-")
    return [
      {
        name: `${trigger} by management`,
        trigger,
        starts: -1,
        take: ({ world }, uid) => v1(`/management/scheduling/appointments/${uid}/${path}`, { key: world.key })
      },
      {
        name: `${trigger} by doctor`,
        trigger,
        starts: -1,
        take: async ({ world, doctor }, uid) =>
          v1(`/doctor/appointments/${uid}/${path}`, { bearer: await doctorOf(server.current, world, doctor) })
      }
    ]
  })
]

describe.each(ways)("every state, through $name", ({ trigger, starts = 48, take }) => {
  let setting: Setting
  beforeAll(async () => {
    setting = await worldWithPatient(server.current, { doctors: statuses.length })
  })
  test.each(statuses.map((status, row) => [status, transition(status, trigger), row] as const))(
    "%s: %s",
    async (status, to, row) => {
      const { world, patient_uid } = setting
      const [doctor, other] = [world.doctors[row] ?? "", world.doctors.at(row - 1)]
      const start_date = inDays(0, new Date().getUTCHours() + starts)
      const uid = await place(world, patient_uid, { status, start_date, fields: { doctor_uid: doctor } })
      const before = await stored(server.current, uid)
      const answer = await take({ world, patient_uid, doctor, other }, uid)
      const after = await stored(server.current, uid)
      if (to === "refused") {
        expect(answer).toMatchObject({ status: 409, body: { code: expect.any(String), error: expect.any(String) } })
        expect(after).toEqual(before)
        expect(await eventsOf(server.current, uid)).toEqual([])
      } else {
        expect(answer.status).toBe(200)
        expect(after.status).toBe(to)
      }
    }
  )
})

describe("lapsing", () => {
  test("every state, once a hold's lifetime is over", async () => {
    const { world, patient_uid } = await worldWithPatient(server.current)
    const uids = await Promise.all(
      statuses.map((status, row) => place(world, patient_uid, { status, start_date: inDays(30 + row) }))
    )
    const expired = async () => {
      await server.current.run(Effect.flatMap(ExpiredHolds, (holds) => holds.expireOverdue()))
      return Promise.all(uids.map(async (uid) => (await stored(server.current, uid)).status))
    }
    expect(await expired()).toEqual([...statuses])
    await v1("/sandbox/clock", { key: world.key, body: { advance_seconds: 601 } })
    const after = statuses.map((status) => [status, transition(status, "expire")] as const)
    expect(await expired()).toEqual(after.map(([status, to]) => (to === "refused" ? status : to)))
  })

  test("an expiry that is not stored yet counts already: the hold can be confirmed, but not cancelled", async () => {
    const { world, patient_uid } = await worldWithPatient(server.current, { type: { hold_ttl_seconds: 1 } })
    const uid = await place(world, patient_uid, { status: "held", start_date: inDays(40) })
    await server.current.advance(HOUR)
    expect(await stored(server.current, uid)).toMatchObject({ status: "held" })
    expect((await v1(`/scheduling/appointments/${uid}/cancel`, { key: world.key })).status).toBe(409)
    expect((await v1(`/scheduling/holds/${uid}/confirm`, { key: world.key })).status).toBe(200)
  })
})

describe("finishing", () => {
  test("is refused before the start", async () => {
    const { world, patient_uid } = await worldWithPatient(server.current)
    const uid = await place(world, patient_uid, { status: "confirmed", start_date: inDays(50) })
    const answer = await v1(`/management/scheduling/appointments/${uid}/complete`, { key: world.key })
    expect(answer).toMatchObject({ status: 409, body: { code: "appointment_not_started" } })
    expect(await stored(server.current, uid)).toMatchObject({ status: "confirmed" })
  })

  test("makes an event with the change and its actor", async () => {
    const { world, patient_uid } = await worldWithPatient(server.current)
    const start_date = inDays(0, new Date().getUTCHours() - 1)
    const uid = await place(world, patient_uid, { status: "confirmed", start_date })
    const answer = await v1(`/doctor/appointments/${uid}/no-show`, { bearer: await doctorOf(server.current, world) })
    expect(answer).toMatchObject({ status: 200, body: { uid, status: "no_show" } })
    const actor = { kind: "doctor", uid: world.doctor }
    expect(await eventsOf(server.current, uid)).toMatchObject([{ data: { change: "no_show", actor } }])
  })
})
