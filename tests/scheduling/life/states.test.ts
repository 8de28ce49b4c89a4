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
import { ownServer } from "../../support/server.ts"
import { adminOf, doctorOf } from "../../support/staff.ts"
import { HOUR, inDays } from "../../support/world.ts"

const server = ownServer({ SANDBOX: "true" })
type Setting = Awaited<ReturnType<typeof worldWithPatient>>
type Outcome = { readonly status: number; readonly body: unknown }

const v1 = (path: string, ask: Parameters<typeof server.current.api>[2]) =>
  server.current.api("POST", `/v1${path}`, ask)

interface Way {
  readonly name: string
  readonly trigger: AppointmentTrigger
  /** Hours from now at which the appointment starts. */
  readonly starts?: number
  readonly take: (setting: Setting, uid: string) => Promise<Outcome>
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
    take: async ({ world }, uid) => {
      const body = { new_start_date: inDays(20, 8), new_doctor_uid: world.doctors[1] }
      return v1(`/scheduling/appointments/${uid}/rebook`, { token: await world.token("anna"), body })
    }
  },
  {
    name: "rebook by key",
    trigger: "rebook",
    take: ({ world }, uid) => {
      const body = { new_start_date: inDays(20, 9), new_doctor_uid: world.doctors[1] }
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
        take: async ({ world }, uid) =>
          v1(`/doctor/appointments/${uid}/${path}`, { bearer: await doctorOf(server.current, world) })
      }
    ]
  })
]

describe("every state by every trigger, through every operation", () => {
  for (const way of ways) {
    for (const status of AppointmentStatus.literals) {
      const to = transition(status, way.trigger)
      test(`${status}, ${way.name}: ${to}`, async () => {
        const setting = await worldWithPatient(server.current)
        const start_date = inDays(0, new Date().getUTCHours() + (way.starts ?? 48))
        const uid = await place(setting.world, setting.patient_uid, { status, start_date })
        const before = await stored(server.current, uid)
        const answer = await way.take(setting, uid)
        const after = await stored(server.current, uid)
        if (to === "refused") {
          expect(answer).toMatchObject({ status: 409, body: { code: expect.any(String), error: expect.any(String) } })
          expect(after).toEqual(before)
          expect(await eventsOf(server.current, uid)).toEqual([])
        } else {
          expect(answer.status).toBe(200)
          expect(after.status).toBe(to)
        }
      })
    }
  }
})

describe("lapsing", () => {
  let setting: Setting
  beforeAll(async () => {
    setting = await worldWithPatient(server.current)
  })
  for (const status of AppointmentStatus.literals) {
    const to = transition(status, "expire")
    test(`${status}, once a hold's lifetime is over: ${to}`, async () => {
      const { world, patient_uid } = setting
      const start_date = inDays(30 + AppointmentStatus.literals.indexOf(status))
      const uid = await place(world, patient_uid, { status, start_date })
      const expire = () => server.current.run(Effect.flatMap(ExpiredHolds, (holds) => holds.expireOverdue()))
      await expire()
      expect(await stored(server.current, uid)).toMatchObject({ status })
      await v1("/sandbox/clock", { key: world.key, body: { advance_seconds: 601 } })
      await expire()
      expect(await stored(server.current, uid)).toMatchObject({ status: to === "refused" ? status : to })
    })
  }

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
