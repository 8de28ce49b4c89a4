import { beforeAll, describe, expect, test } from "bun:test"
import { listedDates } from "../../src/services/scheduling/practice/DateOverrides.ts"
import { testServer } from "../support/server.ts"
import { DAY, inDays, makeWorld, type World } from "../support/world.ts"
import { expectFault, NOT_A_FLAG, NOT_A_NUMBER, NOT_TEXT, testFields } from "./fieldTable.ts"

const server = testServer()
let world: World
beforeAll(async () => {
  world = await makeWorld(server.current, { doctors: 1 })
})

const pathOf = (doctor: string) => `/v1/management/scheduling/doctors/${doctor}/availability-date-overrides`
const requestOf =
  (one: World) =>
  (method: string, path = "", body?: unknown, doctor: string = one.doctor) =>
    one.api(method, pathOf(doctor) + path, body)
const request = (method: string, path = "", body?: unknown, doctor?: string) =>
  requestOf(world)(method, path, body, doctor)

/** A new date for each use. */
let dates = 0
const newDate = () => inDays(400 + dates++)
const body = () => ({ date: newDate(), start_time: 540, end_time: 720 })
const LATEST_DATE = 253_402_214_400

describe("every field", () => {
  testFields({
    body,
    create: (one) => request("POST", "", one),
    update: (uid, changes) => request("PATCH", `/${uid}`, changes),
    fields: {
      date: { accepts: [0, DAY, LATEST_DATE], refuses: [-DAY, 1, DAY - 1, DAY + 1, LATEST_DATE + DAY, "0", true] },
      start_time: { accepts: [0, 1, 719], refuses: [-1, "1", 1.5, true, null] },
      end_time: { accepts: [541, 1439, 1440], refuses: [-1, 1441, "1", 1.5, true, null] },
      buffer_minutes: { accepts: [0, 1, 52_560_000], refuses: [-1, 52_560_001, ...NOT_A_NUMBER], default: 0 },
      appointment_type_uid: { accepts: [], refuses: NOT_TEXT.slice(0, 4), default: null, nullOnCreate: true }
    }
  })

  test("day_off is a boolean, false by default", async () => {
    for (const day_off of NOT_A_FLAG) {
      expectFault(await request("POST", "", { ...body(), day_off }), "day_off")
    }
    expect((await request("POST", "", { ...body(), day_off: false })).status).toBe(201)
    expect((await request("POST", "", { ...body(), day_off: null })).status).toBe(201)
    expect((await request("POST", "", body())).body).toMatchObject({ start_time: 540, end_time: 720 })
  })
})

describe("a window or a day off", () => {
  test("a window needs both times", async () => {
    const { date } = body()
    expectFault(await request("POST", "", { date, start_time: 540 }), "end_time")
    expectFault(await request("POST", "", { date, end_time: 540 }), "start_time")
    expect((await request("POST", "", { date })).body.error).toHaveLength(2)
    expectFault(await request("POST", "", { date, start_time: 540, end_time: 540 }), "end_time")
  })

  test("a day off takes neither", async () => {
    const date = newDate()
    expectFault(await request("POST", "", { date, day_off: true, start_time: 540 }), "start_time")
    expectFault(await request("POST", "", { date, day_off: true, end_time: 540 }), "end_time")
    const nulls = await request("POST", "", { date, day_off: true, start_time: null, end_time: null })
    expect(nulls).toMatchObject({ status: 201, body: { date, start_time: null, end_time: null } })
  })

  test("an update turns a window into a day off, and a day off into a window", async () => {
    const { updated_at, ...created } = (await request("POST", "", body())).body
    expect(updated_at).toBeNumber()
    const path = `/${created.uid}`
    expectFault(await request("PATCH", path, { day_off: true, end_time: 600 }), "end_time")
    const off = { ...created, start_time: null, end_time: null }
    expect(await request("PATCH", path, { day_off: true })).toMatchObject({ status: 200, body: off })
    expectFault(await request("PATCH", path, { day_off: false }), "start_time")
    expectFault(await request("PATCH", path, { start_time: 60 }), "end_time")
    expect((await request("PATCH", path, {})).body).toMatchObject(off)
    const window = { start_time: 60, end_time: 120 }
    expect((await request("PATCH", path, { day_off: false, ...window })).body).toMatchObject({ ...created, ...window })
  })

  test("an update must keep a window valid", async () => {
    const { uid } = (await request("POST", "", body())).body
    expectFault(await request("PATCH", `/${uid}`, { start_time: 720 }), "end_time")
    expectFault(await request("PATCH", `/${uid}`, { end_time: 540 }), "end_time")
    expectFault(await request("PATCH", `/${uid}`, { start_time: null }), "start_time")
    expect((await request("PATCH", `/${uid}`, { start_time: 720, end_time: 721 })).status).toBe(200)
  })

  test("clear_appointment_type clears the scope, and takes no value beside it", async () => {
    const created = (await request("POST", "", { ...body(), appointment_type_uid: world.type_uid })).body
    expect(created.appointment_type_uid).toBe(world.type_uid)
    const both = { clear_appointment_type: true, appointment_type_uid: world.type_uid }
    expectFault(await request("PATCH", `/${created.uid}`, both), "clear_appointment_type")
    expect((await request("PATCH", `/${created.uid}`, { clear_appointment_type: true })).body).toEqual({
      ...created,
      appointment_type_uid: null,
      updated_at: expect.any(Number)
    })
  })
})

describe("replacement", () => {
  /** Adds these to one date in turn; returns the remaining ones. */
  const left = async (...bodies: ReadonlyArray<Readonly<Record<string, unknown>>>) => {
    const date = newDate()
    const uids: Array<string> = []
    for (const one of bodies) uids.push((await request("POST", "", { date, ...one })).body.uid)
    const { body } = await request("GET", `?from=${date}&to=${date}`)
    return body.data.map(({ uid }: { uid: string }) => uids.indexOf(uid)).toSorted()
  }
  const window = { start_time: 60, end_time: 120 }
  const off = { day_off: true }
  const mine = () => ({ appointment_type_uid: world.type_uid })

  test("windows add up", async () => expect(await left(window, window, { ...window, ...mine() })).toEqual([0, 1, 2]))
  test("a day off clears every window of the date", async () =>
    expect(await left(window, { ...window, ...mine() }, off)).toEqual([2]))
  test("a day off of a type clears that type's windows alone", async () =>
    expect(await left(window, { ...window, ...mine() }, { ...off, ...mine() })).toEqual([0, 2]))
  test("a window clears the day off of its own scope", async () => expect(await left(off, window)).toEqual([1]))
  test("a type's window leaves the general day off", async () =>
    expect(await left(off, { ...window, ...mine() })).toEqual([0, 1]))
  test("a general window leaves the type's day off", async () =>
    expect(await left({ ...off, ...mine() }, window)).toEqual([0, 1]))
  test("a type's window clears the type's day off", async () =>
    expect(await left({ ...off, ...mine() }, { ...window, ...mine() })).toEqual([1]))
  test("a scope has at most one day off", async () =>
    expect(await left(off, { ...off, ...mine() }, off, { ...off, ...mine() })).toEqual([2, 3]))

  test("an update replaces the same entries as an addition", async () => {
    const date = newDate()
    const first = (await request("POST", "", { date, ...window })).body
    const second = (await request("POST", "", { date, ...window })).body
    const elsewhere = (await request("POST", "", { ...body() })).body
    await request("PATCH", `/${elsewhere.uid}`, { date, day_off: true })
    const { body: listed } = await request("GET", `?from=${date}&to=${date}`)
    expect(listed.data.map(({ uid }: { uid: string }) => uid)).toEqual([elsewhere.uid])
    for (const { uid } of [first, second]) expect((await request("PATCH", `/${uid}`, {})).status).toBe(404)
  })

  test("concurrent days off leave one, and no window beside it", async () => {
    const date = newDate()
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) => request("POST", "", { date, ...(i % 2 === 0 ? off : window) }))
    )
    expect(answers.every(({ status }) => status === 201)).toBe(true)
    const { data } = (await request("GET", `?from=${date}&to=${date}`)).body
    const daysOff = data.filter(({ start_time }: { start_time: unknown }) => start_time === null)
    expect(daysOff.length === 0 || data.length === 1).toBe(true)
  })
})

describe("the list", () => {
  test("spans 184 dates inclusive, truncated at the end; from today without bounds", () => {
    const now = inDays(0) + 5000
    const today = inDays(0)
    const span = 183 * DAY
    expect(listedDates({}, now)).toEqual({ from: today, to: today + span })
    expect(listedDates({ from: DAY }, now)).toEqual({ from: DAY, to: DAY + span })
    expect(listedDates({ to: 500 * DAY }, now)).toEqual({ from: 500 * DAY - span, to: 500 * DAY })
    expect(listedDates({ from: 0, to: span }, now)).toEqual({ from: 0, to: span })
    expect(listedDates({ from: 0, to: span + DAY }, now)).toEqual({ from: 0, to: span })
    expect(listedDates({ from: 0, to: 0 }, now)).toEqual({ from: 0, to: 0 })
  })

  test("counts and pages the entries of the range, ordered by date", async () => {
    const mine = await makeWorld(server.current, { doctors: 1 })
    const using = requestOf(mine)
    for (const days of [184, 183, -1, 0, 1]) await using("POST", "", { date: inDays(days), day_off: true })
    const dates = async (query: string) => {
      const { status, body } = await using("GET", query)
      expect(status).toBe(200)
      return [body.data.map(({ date }) => (Number(date) - inDays(0)) / DAY), body.totalRegistries, body.totalPages]
    }
    expect(await dates("")).toEqual([[0, 1, 183], 3, 1])
    expect(await dates(`?from=${inDays(-1)}&to=${inDays(1000)}`)).toEqual([[-1, 0, 1], 3, 1])
    expect(await dates(`?from=${inDays(1)}`)).toEqual([[1, 183, 184], 3, 1])
    expect(await dates(`?to=${inDays(0)}`)).toEqual([[-1, 0], 2, 1])
    expect(await dates("?limit=2")).toEqual([[0, 1], 3, 2])
    expect(await dates("?limit=2&page=1")).toEqual([[183], 3, 2])
    expect(await dates("?limit=2&page=2")).toEqual([[], 3, 2])
    expect(await dates("?page=1000000")).toEqual([[], 3, 1])
  })

  test("has at most 200 per page", async () => {
    const mine = await makeWorld(server.current, { doctors: 1 })
    const windows = Array.from({ length: 201 }, (_, i) => ({
      uid: `${mine.doctor}_${i}`,
      doctor_uid: mine.doctor,
      date: inDays(1),
      start_time: i,
      end_time: 1440
    }))
    await mine.provision({ availability_date_overrides: windows })
    const { body } = await requestOf(mine)("GET", "?limit=5000")
    expect([body.data.length, body.totalRegistries, body.totalPages]).toEqual([200, 201, 2])
  })

  test.each([
    ["from=1", "from"],
    ["to=86401", "to"],
    ["from=-86400", "from"],
    ["from=abc", "from"],
    ["from=", "from"],
    ["from=172800&to=86400", "to"],
    ["limit=0", "limit"],
    ["limit=-1", "limit"],
    ["page=-1", "page"],
    ["page=1000001", "page"]
  ])("refuses %s", async (query, field) => {
    expectFault(await request("GET", `?${query}`), field)
  })
})

test("a deleted override is not listed, and the date is as before", async () => {
  const mine = await makeWorld(server.current, { doctors: 1 })
  const using = requestOf(mine)
  const before = (await mine.search()).body.slots.length
  const { uid } = (await using("POST", "", { date: inDays(1), day_off: true })).body
  expect((await mine.search()).body.slots).toHaveLength(0)
  expect(await using("DELETE", `/${uid}`)).toMatchObject({ status: 204, body: "" })
  expect((await using("DELETE", `/${uid}`)).status).toBe(404)
  expect((await using("PATCH", `/${uid}`, {})).status).toBe(404)
  expect((await using("GET")).body).toMatchObject({ data: [], totalRegistries: 0, totalPages: 0 })
  expect((await mine.search()).body.slots).toHaveLength(before)
})
