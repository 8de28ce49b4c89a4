/** Buffers and the grid of a type, limits of types and doctors (sections 18.3 and 18.4). */
import { describe, expect, test } from "bun:test"
import { sandboxServer } from "../../support/server.ts"
import { inDays } from "../../support/world.ts"
import { makeScene, nine } from "./scene.ts"

const server = sandboxServer()
const taken = { status: 409, body: { code: "slot_taken" } }
type One = Awaited<ReturnType<typeof makeScene>>
const starts = async (one: One, from: number, to: number) =>
  (await one.offered(from, to, { doctor_uid: one.doctor })).map(({ start_date }) => start_date)

describe("the gap between two appointments; Rule 18.3.1", () => {
  test("is the larger of what both types need together and the rule's buffer", async () => {
    const one = await makeScene(server.current, {
      type: { buffer_before_minutes: 5, buffer_after_minutes: 10, slot_step_minutes: 5 }
    })
    const other = await one.otherType({ buffer_before_minutes: 15, buffer_after_minutes: 20, slot_step_minutes: 5 })
    expect((await one.book(one.doctor, nine(60), { appointment_type_uid: other })).status).toBe(201)
    // before it: 10 + 15 minutes; after it: 20 + 5
    expect(await starts(one, nine(), nine(120))).toEqual([0, 5, 10, 15, 105, 110, 115].map((minutes) => nine(minutes)))
    expect(await one.book(one.doctor, nine(20))).toMatchObject(taken)
    // a rule's larger buffer counts instead
    await server.current
      .sql`UPDATE availability_rules SET buffer_minutes = 30 WHERE organisation_uid = ${one.organisation_uid}`
    expect(await starts(one, nine(), nine(120))).toEqual([0, 5, 10, 110, 115].map((minutes) => nine(minutes)))
    // present buffers of a type count, also for what is booked
    await server.current
      .sql`UPDATE availability_rules SET buffer_minutes = 0 WHERE organisation_uid = ${one.organisation_uid}`
    await one.change({ buffer_before_minutes: 0, buffer_after_minutes: 0 }, other)
    expect((await starts(one, nine(), nine(120))).slice(0, 8)).toEqual(
      [0, 5, 10, 15, 20, 25, 30, 85].map((minutes) => nine(minutes))
    )
  })
})

describe("the gap is the same whoever books first; Rules 3.5.4 and 18.3.1", () => {
  /** A doctor with hours of two types: those of the first keep 30 minutes free, those of the second none. */
  const scene = async () => {
    const one = await makeScene(server.current, { doctors: 2, type: { slot_step_minutes: 5 } })
    const other = await one.otherType({ slot_step_minutes: 5 })
    const rules = `/v1/management/scheduling/doctors/${one.doctor}/availability-rules`
    for (const { uid } of (await one.api("GET", rules)).body.data) await one.api("DELETE", `${rules}/${uid}`)
    const weekday = (Math.floor(nine() / 86_400) + 3) % 7
    const window = { weekday, start_time: 0, end_time: 1440 }
    await one.api("POST", rules, { ...window, buffer_minutes: 30, appointment_type_uid: one.type_uid })
    await one.api("POST", rules, { ...window, appointment_type_uid: other })
    const book = (start: number, appointment_type_uid: string) => one.book(one.doctor, start, { appointment_type_uid })
    const startsOf = async (appointment_type_uid: string) =>
      (await one.offered(nine(-60), nine(60), { doctor_uid: one.doctor, appointment_type_uid })).map(
        ({ start_date }) => start_date
      )
    const joint = (doctor: string, start: number) => one.book(doctor, start, { appointment_type_uid: other })
    return { ...one, other, book, joint, startsOf }
  }

  test("with the window's buffer", async () => {
    const near = [-60, -55, -50, 50, 55].map((minutes) => nine(minutes))
    const first = await scene()
    expect((await first.book(nine(), first.type_uid)).status).toBe(201)
    expect(await first.startsOf(first.other)).toEqual(near)
    expect(await first.book(nine(20), first.other)).toMatchObject(taken)
    expect(await first.book(nine(-45), first.other)).toMatchObject(taken)
    const second = await scene()
    expect((await second.book(nine(), second.other)).status).toBe(201)
    expect(await second.startsOf(second.type_uid)).toEqual(near)
    // what it was booked with stays, whatever the hours become
    await server.current
      .sql`UPDATE availability_rules SET buffer_minutes = 0 WHERE organisation_uid = ${first.organisation_uid}`
    expect(await first.startsOf(first.other)).toEqual(near)
  })

  test("for an appointment of a provisioning file it is that of the other one's window alone", async () => {
    const one = await scene()
    const placed = { status: "confirmed", start_date: nine(), doctor_uid: one.doctor } as const
    await one.run(one.practice.place(await one.patient(), placed))
    const near = [-60, -55, -50, 50, 55].map((minutes) => nine(minutes))
    expect(await one.startsOf(one.type_uid)).toEqual(near)
    const adjacent = [
      ...Array.from({ length: 9 }, (_, n) => n * 5 - 60),
      ...Array.from({ length: 8 }, (_, n) => n * 5 + 20)
    ]
    expect(await one.startsOf(one.other)).toEqual(adjacent.map((minutes) => nine(minutes)))
  })

  test("with a buffer of more than a day", async () => {
    const one = await scene()
    await server.current
      .sql`UPDATE availability_rules SET buffer_minutes = 2000 WHERE appointment_type_uid = ${one.type_uid}`
    expect((await one.book(nine(), one.type_uid)).status).toBe(201)
    await server.current
      .sql`UPDATE availability_rules SET weekday = (weekday + 1) % 7 WHERE appointment_type_uid = ${one.other}`
    const query = { doctor_uid: one.doctor, appointment_type_uid: one.other }
    expect((await one.offered(inDays(4), inDays(5), query))[0]?.start_date).toBe(nine(20 + 2000))
  })

  test("with a further doctor's own appointments", async () => {
    for (const ownFirst of [true, false]) {
      const one = await scene()
      const booked = one.doctors.find((uid) => uid !== one.doctor) ?? ""
      await one.change({ requirements: [{ doctor_uids: [one.doctor] }] }, one.other)
      const own = () => one.book(nine(), one.type_uid)
      const jointly = (minutes: number) => one.joint(booked, nine(minutes))
      if (ownFirst) {
        expect((await own()).status).toBe(201)
        expect(await jointly(20)).toMatchObject(taken)
        expect((await jointly(50)).status).toBe(201)
      } else {
        expect((await jointly(20)).status).toBe(201)
        expect(await own()).toMatchObject(taken)
      }
    }
  })
})

test("candidates start at each multiple of the step from the window's start; Rule 18.3.2", async () => {
  const one = await makeScene(server.current, { type: { slot_step_minutes: 15 } })
  const own = { date: inDays(4), start_time: 550, end_time: 600 }
  await one.api("POST", `/v1/management/scheduling/doctors/${one.doctor}/availability-date-overrides`, own)
  expect(await starts(one, inDays(4), inDays(5))).toEqual([10, 25, 40].map((minutes) => nine(minutes, 4)))
  expect(await starts(one, nine(), nine(60))).toEqual([0, 15, 30, 45].map((minutes) => nine(minutes)))
  expect(await one.book(one.doctor, nine(20))).toMatchObject({
    status: 400,
    body: { error: [expect.stringMatching(/^start_date/)] }
  })
  expect((await one.book(one.doctor, nine(15))).status).toBe(201)
  expect(await starts(one, nine(), nine(60))).toEqual([nine(45)])
})

describe("limits; section 18.4", () => {
  /** Starts of the days ahead that are offered, as days. */
  const days = async (one: One, count: number) => [
    ...new Set(
      (await starts(one, inDays(1), inDays(1 + count))).map((start) => Math.floor((start - inDays(0)) / 86_400))
    )
  ]

  test("of a type: a full day is not offered, and a lost place is 409; a move within the day is exempt", async () => {
    const one = await makeScene(server.current, { type: { limits: [{ per: "day", max: 2 }] } })
    const [first = "", second = ""] = one.doctors
    const booked = await one.book(first, nine())
    expect((await one.book(first, nine(20))).status).toBe(201)
    expect(await one.book(first, nine(40))).toMatchObject(taken)
    expect((await one.offered(nine(), nine(60))).every(({ doctor_uid }) => doctor_uid === second)).toBe(true)
    // by uid of the doctor, since the limit counts each doctor's
    expect((await one.book(second, nine(40))).status).toBe(201)
    const to = (new_start_date: number) => ({ new_start_date, new_doctor_uid: first })
    const moved = await one.rebook(booked.body.uid, to(nine(40)))
    expect(moved.status).toBe(200)
    expect((await one.book(first, nine(0, 4))).status).toBe(201)
    expect((await one.book(first, nine(20, 4))).status).toBe(201)
    expect(await one.rebook(moved.body.appointment_uid, to(nine(40, 4)))).toMatchObject(taken)
    const over = { ...to(nine(40, 4)), over_limit: true }
    expect((await one.rebook(moved.body.appointment_uid, over)).status).toBe(200)
    const more = await one.book(first, nine(60, 4), { over_limit: true })
    expect(more.status).toBe(201)
    // a cancellation frees its place
    expect((await one.book(second, nine(60))).status).toBe(201)
    expect(await one.offered(nine(120), nine(180), { doctor_uid: second })).toEqual([])
    const [{ uid }] = (await one.api("GET", `/v1/management/scheduling/appointments?doctor_uid=${second}`)).body.data
    await one.cancel(uid)
    expect(await one.offered(nine(120), nine(180), { doctor_uid: second })).not.toBeEmpty()
  })

  test("of a type for the organisation, and completed and missed appointments count too", async () => {
    const one = await makeScene(server.current, {
      type: { limits: [{ per: "day", max: 2, scope: "organisation" }] }
    })
    const [first = "", second = ""] = one.doctors
    const booked = await one.book(first, nine())
    await server.current.sql`UPDATE appointments SET status = 'no_show' WHERE uid = ${booked.body.uid}`
    expect((await one.book(second, nine())).status).toBe(201)
    expect(await one.offered(nine(), nine(60))).toEqual([])
    expect(await one.book(first, nine(20))).toMatchObject(taken)
    expect((await one.book(first, nine(0, 4))).status).toBe(201)
  })

  test("of a doctor count appointments of every type, by week from Monday and by month", async () => {
    const one = await makeScene(server.current, { doctors: 1 })
    const limit = (limits: ReadonlyArray<object>) =>
      server.current.api("PATCH", `/v1/management/doctors/${one.doctor}`, { key: one.key, body: { limits } })
    expect((await limit([{ per: "week", max: 1 }])).status).toBe(200)
    await one.book(one.doctor, nine(), { appointment_type_uid: await one.otherType() })
    const weekOf = (day: number) => Math.floor((Math.floor(inDays(day) / 86_400) + 3) / 7)
    const ahead = Array.from({ length: 20 }, (_, day) => day + 1)
    expect(await days(one, 20)).toEqual(ahead.filter((day) => weekOf(day) !== weekOf(3)))
    expect((await limit([{ per: "month", max: 1 }])).status).toBe(200)
    const monthOf = (day: number) => new Date(inDays(day) * 1000).getUTCMonth()
    expect(await days(one, 20)).toEqual(ahead.filter((day) => monthOf(day) !== monthOf(3)))
  })

  test("of a doctor count holds too", async () => {
    const one = await makeScene(server.current, { doctors: 1 })
    await one.api("PATCH", `/v1/management/doctors/${one.doctor}`, { limits: [{ per: "day", max: 1 }] })
    expect((await one.hold(await one.session("anna"), nine())).status).toBe(200)
    expect(await one.book(one.doctor, nine(60))).toMatchObject(taken)
    expect(await starts(one, nine(), nine(180))).toEqual([])
  })
})
