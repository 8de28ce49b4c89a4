import { beforeAll, describe, expect, test } from "bun:test"
import { listedDates } from "../../src/services/scheduling/practice/DateOverrides.ts"
import { type Answer, testServer } from "../support/server.ts"
import { DAY, inDays, makeWorld, type World } from "../support/world.ts"

const server = testServer()
let world: World
beforeAll(async () => {
  world = await makeWorld(server.current, { doctors: 1 })
})

const requestOf =
  (one: World) =>
  (method: string, path = "", body?: unknown) =>
    one.api(method, `/v1/management/scheduling/doctors/${one.doctor}/availability-date-overrides${path}`, body)
const request: ReturnType<typeof requestOf> = (...of) => requestOf(world)(...of)

/** A new date for each use. */
let dates = 0
const newDate = () => inDays(400 + dates++)
const body = () => ({ date: newDate(), start_time: 540, end_time: 720 })

const expectFault = (answer: Answer, field: string) =>
  expect(answer).toMatchObject({ status: 400, body: { error: [expect.stringMatching(new RegExp(`^${field}: `))] } })

describe("an update", () => {
  test("turns a window into a day off, and a day off into a window", async () => {
    const { updated_at, ...created } = (await request("POST", "", body())).body
    expect(updated_at).toBeNumber()
    const path = `/${created.uid}`
    const off = { ...created, start_time: null, end_time: null }
    expect(await request("PATCH", path, { day_off: true })).toMatchObject({ status: 200, body: off })
    expectFault(await request("PATCH", path, { day_off: false }), "start_time")
    expectFault(await request("PATCH", path, { start_time: 60 }), "end_time")
    expect((await request("PATCH", path, {})).body).toMatchObject(off)
    const window = { start_time: 60, end_time: 120 }
    expect((await request("PATCH", path, { day_off: false, ...window })).body).toMatchObject({ ...created, ...window })
  })

  test("must keep a window valid", async () => {
    const { uid } = (await request("POST", "", body())).body
    expectFault(await request("PATCH", `/${uid}`, { start_time: 720 }), "end_time")
    expectFault(await request("PATCH", `/${uid}`, { end_time: 540 }), "end_time")
    expect((await request("PATCH", `/${uid}`, { start_time: 720, end_time: 721 })).status).toBe(200)
  })

  test("with clear_appointment_type clears the scope", async () => {
    const created = (await request("POST", "", { ...body(), appointment_type_uid: world.type_uid })).body
    expect(created.appointment_type_uid).toBe(world.type_uid)
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

  test("windows add up, a day off clears the windows of its scope, and a window the day off of its own scope", async () => {
    const mine = { appointment_type_uid: world.type_uid }
    const ofType = { ...window, ...mine }
    const offOfType = { ...off, ...mine }
    const rows = [
      [
        [window, window, ofType],
        [0, 1, 2]
      ],
      [[window, ofType, off], [2]],
      [
        [window, ofType, offOfType],
        [0, 2]
      ],
      [[off, window], [1]],
      [
        [off, ofType],
        [0, 1]
      ],
      [
        [offOfType, window],
        [0, 1]
      ],
      [[offOfType, ofType], [1]],
      [
        [off, offOfType, off, offOfType],
        [2, 3]
      ]
    ] as const
    for (const [added, remaining] of rows) expect([added, await left(...added)]).toEqual([added, remaining])
  })

  test("an update replaces the same entries as an addition", async () => {
    const date = newDate()
    const add = async (one: object) => (await request("POST", "", one)).body
    const [first, second, elsewhere] = [
      await add({ date, ...window }),
      await add({ date, ...window }),
      await add(body())
    ]
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
    const asked = [{}, { from: DAY }, { to: 500 * DAY }, { from: 0, to: span + DAY }, { from: 0, to: 0 }]
    expect(asked.map((query) => listedDates(query, now))).toEqual([
      { from: today, to: today + span },
      { from: DAY, to: DAY + span },
      { from: 500 * DAY - span, to: 500 * DAY },
      { from: 0, to: span },
      { from: 0, to: 0 }
    ])
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
    expect(await dates(`?to=${inDays(0)}`)).toEqual([[-1, 0], 2, 1])
    expect(await dates("?limit=2&page=1")).toEqual([[183], 3, 2])
    expect(await dates("?page=1000000")).toEqual([[], 3, 1])
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
