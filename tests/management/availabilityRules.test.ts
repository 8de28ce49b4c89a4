import { beforeAll, describe, expect, test } from "bun:test"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld, random, type World } from "../support/world.ts"
import { expectFault, NOT_A_FLAG, NOT_A_NUMBER, NOT_TEXT, testFields } from "./fieldTable.ts"

const server = testServer()
let world: World
beforeAll(async () => {
  world = await makeWorld(server.current)
})

const request = (method: string, path = "", body?: unknown, doctor = world.doctor) =>
  world.api(method, `/v1/management/scheduling/doctors/${doctor}/availability-rules${path}`, body)
const create = (body: Readonly<Record<string, unknown>> = {}) => request("POST", "", { ...window, ...body })

const window = { weekday: 0, start_time: 540, end_time: 720 }
const LATEST = 253_402_300_799
const bound = {
  accepts: [1, LATEST - 1],
  refuses: [-1, LATEST + 1, ...NOT_A_NUMBER],
  default: null,
  nullOnCreate: true
}

describe("every field", () => {
  testFields({
    body: () => window,
    create: (one) => request("POST", "", one),
    update: (uid, changes) => request("PATCH", `/${uid}`, changes),
    fields: {
      weekday: { accepts: [0, 1, 5, 6], refuses: [-1, 7, ...NOT_A_NUMBER] },
      start_time: { accepts: [0, 1, 719], refuses: [-1, "1", 1.5, true] },
      end_time: { accepts: [541, 1439, 1440], refuses: [-1, 1441, "1", 1.5, true] },
      buffer_minutes: { accepts: [0, 1, 52_560_000], refuses: [-1, 52_560_001, ...NOT_A_NUMBER], default: 0 },
      valid_from: bound,
      valid_until: bound,
      active: { accepts: [true, false], refuses: NOT_A_FLAG, default: true },
      appointment_type_uid: { accepts: [], refuses: NOT_TEXT.slice(0, 4), default: null, nullOnCreate: true }
    }
  })
})

describe("a window", () => {
  test.each([
    [540, 540],
    [541, 540]
  ])("from %d to %d is invalid", async (start_time, end_time) => {
    expectFault(await create({ start_time, end_time }), "end_time")
  })

  test("starts on its day", async () => {
    const answer = await create({ start_time: 1441 })
    expect(answer.body.error).toEqual([
      "start_time: must be an integer from 0 to 1440",
      "end_time: must be after start_time"
    ])
  })

  test("must stay valid after an update of either end", async () => {
    const { uid } = (await create()).body
    expectFault(await request("PATCH", `/${uid}`, { start_time: 720 }), "end_time")
    expectFault(await request("PATCH", `/${uid}`, { end_time: 540 }), "end_time")
    expect((await request("PATCH", `/${uid}`, { start_time: 800, end_time: 900 })).body).toMatchObject({
      start_time: 800,
      end_time: 900
    })
  })

  test("faults of single fields and across fields are reported together", async () => {
    const answer = await create({ weekday: 9, start_time: 600, end_time: 540, valid_from: 5, valid_until: 5 })
    expect(answer.body.error.map((fault: string) => fault.split(":")[0])).toEqual([
      "weekday",
      "end_time",
      "valid_until"
    ])
  })
})

describe("the clear flags", () => {
  const fields = [
    ["clear_valid_from", "valid_from", 100],
    ["clear_valid_until", "valid_until", 200],
    ["clear_appointment_type", "appointment_type_uid", "type"]
  ] as const
  const full = () => ({ valid_from: 100, valid_until: 200, appointment_type_uid: world.type_uid })

  test.each(fields)("%s sets %s to null and keeps the rest", async (flag, field) => {
    const created = (await create(full())).body
    expect((await request("PATCH", `/${created.uid}`, { [flag]: true })).body).toEqual({
      ...created,
      [field]: null,
      updated_at: expect.any(Number)
    })
  })

  test.each(fields)("%s false does nothing, even beside a value", async (flag, field, value) => {
    const created = (await create(full())).body
    const sent = field === "appointment_type_uid" ? world.type_uid : value
    expect((await request("PATCH", `/${created.uid}`, { [flag]: false, [field]: sent })).body).toEqual({
      ...created,
      updated_at: expect.any(Number)
    })
  })

  test.each(fields)("%s together with %s is refused", async (flag, field, value) => {
    const { uid } = (await create(full())).body
    expectFault(await request("PATCH", `/${uid}`, { [flag]: true, [field]: value }), flag)
  })

  test.each(fields)("%s is true or false", async (flag) => {
    const { uid } = (await create()).body
    for (const value of NOT_A_FLAG) expectFault(await request("PATCH", `/${uid}`, { [flag]: value }), flag)
  })
})

describe("validity", () => {
  test("must end after it begins, even after an update of one end", async () => {
    expectFault(await create({ valid_from: 100, valid_until: 100 }), "valid_until")
    const { uid } = (await create({ valid_from: 100, valid_until: 101 })).body
    expectFault(await request("PATCH", `/${uid}`, { valid_from: 101 }), "valid_until")
    expect((await request("PATCH", `/${uid}`, { valid_from: 101, clear_valid_until: true })).body).toMatchObject({
      valid_from: 101,
      valid_until: null
    })
  })
})

describe("the type", () => {
  test("that was deleted is 404, and nothing is changed", async () => {
    const mine = await makeWorld(server.current)
    const rules = `/v1/management/scheduling/doctors/${mine.doctor}/availability-rules`
    const before = (await mine.api("GET", rules)).body.data
    await mine.api("DELETE", `/v1/management/scheduling/appointment-types/${mine.type_uid}`)
    const appointment_type_uid = mine.type_uid
    expect((await mine.api("POST", rules, { ...window, appointment_type_uid })).status).toBe(404)
    expect((await mine.api("PATCH", `${rules}/${before[0].uid}`, { appointment_type_uid })).status).toBe(404)
    expect((await mine.api("GET", rules)).body.data).toEqual(before)
  })
})

test("a rule is 404 under another doctor", async () => {
  const { uid } = (await create()).body
  expect((await request("PATCH", `/${uid}`, {}, world.doctors[1])).status).toBe(404)
  expect((await request("DELETE", `/${uid}`, undefined, world.doctors[1])).status).toBe(404)
})

test("the list is ordered by weekday, without deleted rules; a second delete is 404", async () => {
  const mine = await makeWorld(server.current, { doctors: 1 })
  const using = (method: string, path = "", body?: unknown) =>
    mine.api(method, `/v1/management/scheduling/doctors/${mine.doctor}/availability-rules${path}`, body)
  for (const { uid } of (await using("GET")).body.data) expect((await using("DELETE", `/${uid}`)).status).toBe(204)
  const late = (await using("POST", "", { weekday: 3, start_time: 600, end_time: 601 })).body
  const early = (await using("POST", "", { weekday: 3, start_time: 60, end_time: 1440, active: false })).body
  const monday = (await using("POST", "", window)).body
  const gone = (await using("POST", "", window)).body
  expect((await using("DELETE", `/${gone.uid}`)).status).toBe(204)
  expect((await using("DELETE", `/${gone.uid}`)).status).toBe(404)
  expect((await using("PATCH", `/${gone.uid}`, {})).status).toBe(404)
  expect((await using("GET")).body).toEqual({ data: [monday, early, late] })
})

test("search applies a rule's scope, validity, active flag and deletion", async () => {
  const doctor = random("doc")
  const mine = await makeWorld(server.current, { doctors: 0 })
  await mine.provision({
    doctors: [{ uid: doctor, organisation_uid: mine.organisation_uid, display_name: "Dr. New", timezone: "UTC" }]
  })
  const using = (method: string, path = "", body?: unknown) =>
    mine.api(method, `/v1/management/scheduling/doctors/${doctor}/availability-rules${path}`, body)
  const starts = async () => (await mine.search()).body.slots.map((slot: { start_date: number }) => slot.start_date)
  const nine = inDays(1, 9)
  const weekday = (new Date(nine * 1000).getUTCDay() + 6) % 7
  const rule = (await using("POST", "", { weekday, start_time: 540, end_time: 600 })).body
  const path = `/${rule.uid}`
  expect(await starts()).toEqual([nine, nine + 1200, nine + 2400])
  await using("PATCH", path, { buffer_minutes: 10, appointment_type_uid: mine.type_uid })
  expect(await starts()).toEqual([nine, nine + 1800])
  await using("PATCH", path, { valid_from: nine + 1 })
  expect(await starts()).toEqual([nine + 1800])
  await using("PATCH", path, { active: false })
  expect(await starts()).toEqual([])
  await using("PATCH", path, { active: true, clear_valid_from: true, valid_until: nine + 1800 })
  expect(await starts()).toEqual([nine])
  await using("DELETE", path)
  expect(await starts()).toEqual([])
})
