import { describe, expect, test } from "bun:test"
import { testServer } from "../support/server.ts"
import { DAY, HOUR, inDays, makeWorld, type World } from "../support/world.ts"

const server = testServer()

const requestOf = (one: World) => (method: string, path: string, body?: unknown) =>
  one.api(method, `/v1/management/scheduling/doctors${path}`, body)
const settingOf = (doctor: string, type: string) => `/${doctor}/appointment-type-settings/${type}`

const updated_at = expect.any(Number)

test("doctors are listed by name, with their zone", async () => {
  const mine = await makeWorld(server.current, { doctors: 0 })
  const { organisation_uid, shop_uid } = mine
  const [b, a] = [
    { uid: `${shop_uid}_b`, display_name: "B", timezone: "Asia/Kolkata" },
    { uid: `${shop_uid}_a`, display_name: "A", timezone: "Europe/Paris" }
  ]
  await mine.provision({ doctors: [b, a].map((one) => ({ ...one, organisation_uid })) })
  expect((await requestOf(mine)("GET", "")).body).toEqual({ data: [a, b].map((one) => ({ ...one, updated_at })) })
})

test("a setting is put as a whole, listed, replaced, and deleted once", async () => {
  const mine = await makeWorld(server.current)
  const using = requestOf(mine)
  const path = settingOf(mine.doctor, mine.type_uid)
  const list = async () => (await using("GET", `/${mine.doctor}/appointment-type-settings`)).body
  const keys = { doctor_uid: mine.doctor, appointment_type_uid: mine.type_uid, updated_at }
  expect(await list()).toEqual({ data: [] })
  const first = { ...keys, active: false, booking_min_notice_minutes: 30 }
  expect(await using("PUT", path, { active: false, booking_min_notice_minutes: 30 })).toMatchObject({
    status: 200,
    body: first
  })
  expect(await list()).toEqual({ data: [first] })
  const bare = { ...keys, active: true, booking_min_notice_minutes: null }
  expect((await using("PUT", path, {})).body).toEqual(bare)
  expect(await list()).toEqual({ data: [bare] })
  expect((await using("DELETE", path)).status).toBe(204)
  expect((await using("DELETE", path)).status).toBe(404)
  expect(await list()).toEqual({ data: [] })
})

describe("in search", () => {
  const doctorsFound = async (one: World, body = {}) => [
    ...new Set((await one.search(body)).body.slots.map((slot: { doctor_uid: string }) => slot.doctor_uid))
  ]

  test("an inactive setting excludes the doctor from a type of all doctors", async () => {
    const mine = await makeWorld(server.current)
    const [first, second] = mine.doctors.toSorted()
    expect((await doctorsFound(mine)).toSorted()).toEqual([first, second])
    await requestOf(mine)("PUT", settingOf(first as string, mine.type_uid), { active: false })
    expect(await doctorsFound(mine)).toEqual([second])
  })

  test("a type of selected doctors includes those with an active setting", async () => {
    const mine = await makeWorld(server.current, { type: { doctor_assignment_mode: "selected_doctors_only" } })
    const [first = "", second = ""] = mine.doctors
    const set = (method: string, doctor: string, body?: object) =>
      requestOf(mine)(method, settingOf(doctor, mine.type_uid), body)
    expect(await doctorsFound(mine)).toEqual([])
    await set("PUT", first, {})
    await set("PUT", second, { active: false })
    expect(await doctorsFound(mine)).toEqual([first])
    await set("DELETE", first)
    expect(await doctorsFound(mine)).toEqual([])
  })

  test("the doctor's notice overrides the type's, including 0, and null keeps the type's", async () => {
    const mine = await makeWorld(server.current, { doctors: 1, type: { booking_min_notice_minutes: 2 * 1440 } })
    const path = settingOf(mine.doctor, mine.type_uid)
    const earliest = async () => {
      const { slots } = (await mine.search({ from: inDays(0), to: inDays(5) })).body
      return slots[0].start_date - Date.now() / 1000
    }
    const slack = 20 * 60 + 60
    for (const [booking_min_notice_minutes, seconds] of [
      [null, 2 * DAY],
      [0, 0],
      [60, HOUR],
      [3 * 1440, 3 * DAY]
    ] as const) {
      await requestOf(mine)("PUT", path, { booking_min_notice_minutes })
      const found = await earliest()
      expect(found).toBeGreaterThanOrEqual(seconds - 5)
      expect(found).toBeLessThanOrEqual(seconds + slack)
    }
  })
})
