import { beforeAll, expect, test } from "bun:test"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld, random, type World } from "../support/world.ts"

const server = testServer()
let world: World
beforeAll(async () => {
  world = await makeWorld(server.current)
})

const requestOf =
  (one: World, of: string = one.doctor) =>
  (method: string, path = "", body?: unknown, doctor = of) =>
    one.api(method, `/v1/management/scheduling/doctors/${doctor}/availability-rules${path}`, body)
const request: ReturnType<typeof requestOf> = (...of) => requestOf(world)(...of)
const create = async (body: Readonly<Record<string, unknown>> = {}) =>
  (await request("POST", "", { ...window, ...body })).body

const window = { weekday: 0, start_time: 540, end_time: 720 }

test("a window and its validity must stay in order after an update of either end", async () => {
  const { uid } = await create({ valid_from: 100, valid_until: 101 })
  for (const [change, field] of [
    [{ start_time: 720 }, "end_time"],
    [{ end_time: 540 }, "end_time"],
    [{ valid_from: 101 }, "valid_until"]
  ] as const)
    expect(await request("PATCH", `/${uid}`, change)).toMatchObject({
      status: 400,
      body: { error: [expect.stringMatching(new RegExp(`^${field}: `))] }
    })
  const changes = { start_time: 800, end_time: 900, valid_from: 101 }
  const changed = (await request("PATCH", `/${uid}`, { ...changes, clear_valid_until: true })).body
  expect(changed).toMatchObject({ ...changes, valid_until: null })
})

test("blank text of the type is its absence: a rule is made for all types, a change keeps its type; Rule 2.2.12", async () => {
  expect(await create({ appointment_type_uid: "" })).toMatchObject({ appointment_type_uid: null })
  const scoped = await create({ appointment_type_uid: world.type_uid })
  for (const none of [{}, { appointment_type_uid: "" }])
    expect(await request("PATCH", `/${scoped.uid}`, none)).toMatchObject({ status: 200, body: scoped })
})

test("a clear flag sets its field to null and keeps the rest; false does nothing, even beside a value", async () => {
  const full = { valid_from: 100, valid_until: 200, appointment_type_uid: world.type_uid }
  const updated_at = expect.any(Number)
  for (const [flag, field] of [
    ["clear_valid_from", "valid_from"],
    ["clear_valid_until", "valid_until"],
    ["clear_appointment_type", "appointment_type_uid"]
  ] as const) {
    const { uid, ...rest } = await create(full)
    const kept = await request("PATCH", `/${uid}`, { [flag]: false, [field]: full[field] })
    expect(kept.body).toEqual({ uid, ...rest, updated_at })
    const cleared = await request("PATCH", `/${uid}`, { [flag]: true })
    expect(cleared.body).toEqual({ uid, ...rest, [field]: null, updated_at })
  }
})

test("a type that was deleted is 404, and nothing is changed", async () => {
  const mine = await makeWorld(server.current)
  const using = requestOf(mine)
  const before = (await using("GET")).body.data
  await mine.api("DELETE", `/v1/management/scheduling/appointment-types/${mine.type_uid}`)
  const { type_uid: appointment_type_uid } = mine
  expect((await using("POST", "", { ...window, appointment_type_uid })).status).toBe(404)
  expect((await using("PATCH", `/${before[0].uid}`, { appointment_type_uid })).status).toBe(404)
  expect((await using("GET")).body.data).toEqual(before)
})

test("a rule is 404 under another doctor", async () => {
  const { uid } = await create()
  expect((await request("PATCH", `/${uid}`, {}, world.doctors[1])).status).toBe(404)
  expect((await request("DELETE", `/${uid}`, undefined, world.doctors[1])).status).toBe(404)
})

test("the list is ordered by weekday, without deleted rules; a second delete is 404", async () => {
  const mine = await makeWorld(server.current, { doctors: 1 })
  const using = requestOf(mine)
  for (const { uid } of (await using("GET")).body.data) expect((await using("DELETE", `/${uid}`)).status).toBe(204)
  const late = (await using("POST", "", { weekday: 3, start_time: 600, end_time: 601 })).body
  const early = (await using("POST", "", { weekday: 3, start_time: 60, end_time: 1440, active: false })).body
  const monday = (await using("POST", "", window)).body
  const { uid } = (await using("POST", "", window)).body
  const answers = [
    await using("DELETE", `/${uid}`),
    await using("DELETE", `/${uid}`),
    await using("PATCH", `/${uid}`, {})
  ]
  expect(answers.map(({ status }) => status)).toEqual([204, 404, 404])
  expect((await using("GET")).body).toEqual({ data: [monday, early, late] })
})

test("search applies a rule's scope, validity, active flag and deletion", async () => {
  const uid = random("doc")
  const mine = await makeWorld(server.current, { doctors: 0 })
  const { organisation_uid } = mine
  await mine.provision({ doctors: [{ uid, organisation_uid, display_name: "Dr. New", timezone: "UTC" }] })
  const using = requestOf(mine, uid)
  const starts = async () => (await mine.search()).body.slots.map((slot: { start_date: number }) => slot.start_date)
  const nine = inDays(1, 9)
  const weekday = (new Date(nine * 1000).getUTCDay() + 6) % 7
  const rule = (await using("POST", "", { weekday, start_time: 540, end_time: 600 })).body
  const path = `/${rule.uid}`
  expect(await starts()).toEqual([nine, nine + 1200, nine + 2400])
  for (const [change, found] of [
    [{ buffer_minutes: 10, appointment_type_uid: mine.type_uid }, [nine, nine + 1800]],
    [{ valid_from: nine + 1 }, [nine + 1800]],
    [{ active: false }, []],
    [{ active: true, clear_valid_from: true, valid_until: nine + 1800 }, [nine]]
  ] as const) {
    await using("PATCH", path, change)
    expect([change, await starts()]).toEqual([change, found])
  }
  await using("DELETE", path)
  expect(await starts()).toEqual([])
})
