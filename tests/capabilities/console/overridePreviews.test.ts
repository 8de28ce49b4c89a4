/** Previews of days off and special hours. Rules 7.6.6 and 8.4.5. */
import { expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { Database } from "../../../src/services/database/Database.ts"
import { testServer } from "../../support/server.ts"
import { doctorOf } from "../../support/staff.ts"
import { recording } from "../../support/statements.ts"
import { CONSULTATION, inDays, makeWorld, random, type World } from "../../support/world.ts"

const server = testServer()
const date = inDays(20)
const path = (world: World) => `/v1/management/scheduling/doctors/${world.doctor}/availability-date-overrides`
const request = (world: World, method: string, end: string, body?: object) =>
  server.current.api(method, path(world) + end, { key: world.key, ...(body !== undefined && { body }) })
const preview = async (world: World, body: object) => (await request(world, "POST", "/preview", body)).body
const startsIn = (some: ReadonlyArray<{ start_date: number }>) => some.map(({ start_date }) => start_date)
/** The slots that a search finds on the day and around it. */
const found = async (world: World) =>
  startsIn((await world.search({ from: inDays(19), to: inDays(22), doctor_uid: world.doctor })).body.slots)
const without = (some: ReadonlyArray<number>, others: ReadonlyArray<number>) =>
  some.filter((one) => !others.includes(one))

test("a preview gives the slots that a search finds only after the change, with what it replaces, and stores nothing; Rule 7.6.6", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const appointment_type_uid = world.type_uid
  const off = { date, day_off: true }
  const window = { date, start_time: 540, end_time: 600 }
  const offOfType = { ...off, appointment_type_uid }
  const ofType = { ...window, appointment_type_uid }
  const changes: ReadonlyArray<readonly [override: object, there?: object]> = [
    [off],
    [{ date, start_time: 607, end_time: 700, buffer_minutes: 10 }],
    [window, off],
    [offOfType, window],
    [offOfType, ofType],
    [{ ...window, start_time: 560 }, ofType],
    [off, offOfType]
  ]
  for (const [override, there] of changes) {
    const first = there === undefined ? undefined : (await request(world, "POST", "", there)).body
    const [before, stored] = [await found(world), (await request(world, "GET", "")).body]
    const seen = await preview(world, { override })
    expect([await found(world), (await request(world, "GET", "")).body]).toEqual([before, stored])
    const { body: made } = await request(world, "POST", "", override)
    const after = await found(world)
    const effects = [without(after, before), without(before, after)]
    expect([startsIn(seen.appearing), startsIn(seen.disappearing)]).toEqual(effects)
    if (there === undefined) {
      expect(seen.disappearing[0]).toMatchObject({ appointment_type_uid })
      const back = await preview(world, { override_uid: made.uid })
      expect([startsIn(back.appearing), startsIn(back.disappearing)]).toEqual(effects.toReversed())
    }
    for (const one of [first, made]) if (one !== undefined) await request(world, "DELETE", `/${one.uid}`)
  }
})

// Shows: previews that lock a doctor's dates
test("a preview writes nothing, and does not wait for concurrent changes of the doctor's dates; Rule 7.6.6", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const { body: made } = await request(world, "POST", "", { date, day_off: true })
  const seen = await server.current.run(
    Effect.gen(function* () {
      const [sql, { transaction }] = yield* Effect.all([SqlClient.SqlClient, Database])
      // Only this transaction can write or lock the table
      const locked = Effect.zipRight(
        sql`LOCK TABLE availability_date_overrides IN EXCLUSIVE MODE`,
        sql`SELECT pg_advisory_xact_lock(hashtextextended(${`dates ${world.organisation_uid}/${world.doctor}`}, 0))`
      )
      const previewed = Effect.promise(() => preview(world, { override_uid: made.uid }))
      return yield* transaction(Effect.zipRight(locked, previewed))
    })
  )
  expect(seen.appearing.length).toBeGreaterThan(0)
})

test("a preview names booked appointments outside of the new hours only; Rule 7.6.6", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const early = await world.booked(inDays(20, 9), "anna")
  const late = await world.booked(inDays(20, 15), "berta")
  await world.booked(inDays(21, 9), "carla")
  expect((await preview(world, { override: { date, day_off: true } })).hit).toEqual([early, late])
  const override = { date, start_time: 540, end_time: 720 }
  expect((await preview(world, { override })).hit).toEqual([late])
  const { body: made } = await request(world, "POST", "", override)
  // already outside of the hours: not affected by the change
  expect((await preview(world, { override_uid: made.uid, override: { date, day_off: true } })).hit).toEqual([early])
})

test("a preview of special hours moved to another date knows the usual hours of both; Rule 7.6.6", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  await world.booked(inDays(20, 9), "anna")
  const window = { start_time: 540, end_time: 720 }
  const { body: made } = await request(world, "POST", "", { date, ...window })
  for (const day of [14, 15, 16, 17, 18, 19]) {
    const seen = await preview(world, { override_uid: made.uid, override: { date: inDays(day), ...window } })
    expect([day, seen.hit]).toEqual([day, []])
  }
})

test("a preview fails like the change; Rule 7.6.6", async () => {
  const [world, other] = [await makeWorld(server.current), await makeWorld(server.current)]
  const status = async (body: object) => (await request(world, "POST", "/preview", body)).status
  expect(await status({})).toBe(400)
  expect(await status({ override: { date } })).toBe(400)
  expect(await status({ override_uid: "ovr_other" })).toBe(404)
  expect(await status({ override: { date, day_off: true, appointment_type_uid: other.type_uid } })).toBe(404)
  const foreign = await world.api("POST", `${path(other)}/preview`, { override: { date, day_off: true } })
  expect(foreign.status).toBe(404)
})

test("a doctor previews the own hours, and changes existing ones; Rule 8.4.5", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const uid = await world.booked(inDays(20, 9), "anna")
  const bearer = await doctorOf(server.current, world)
  const own = (method: string, end: string, body: object) =>
    server.current.api(method, `/v1/doctor/availability-date-overrides${end}`, { bearer, body })
  expect((await own("POST", "/preview", { override: { date, day_off: true } })).body.hit).toEqual([uid])
  const { body: made } = await own("POST", "", { date, start_time: 540, end_time: 720 })
  const changed = await own("PATCH", `/${made.uid}`, { end_time: 600 })
  expect(changed).toMatchObject({ status: 200, body: { start_time: 540, end_time: 600 } })
})

// Shows: statistics and previews of many types and years that block all other requests
test("a preview of too many slots is refused, as types are processed in turn and only differences kept; Rule 7.6.6", async () => {
  const world = await makeWorld(server.current, { doctors: 1, type: { duration_minutes: 1 } })
  const { body: types } = await world.api("GET", "/v1/management/scheduling/appointment-types")
  const { uid: _, organisation_uid: _o, created_at: _c, updated_at: _u, ...type } = types.data[0]
  const override = { date, day_off: true }
  const ofOne = await preview(world, { override })
  expect(ofOne.disappearing.length).toBeGreaterThan(1_400)
  const count = Math.ceil(50_000 / ofOne.disappearing.length)
  for (let at = 0; at < count; at++) await world.api("POST", "/v1/management/scheduling/appointment-types", type)
  expect(await request(world, "POST", "/preview", { override })).toMatchObject({
    status: 400,
    body: { error: ["override: changes more than 50000 times of all types together"] }
  })
})

// Shows: previews of overrides for a hundred types beside thousands of appointments
test("a preview of several types reads the doctor's calendar once, and has the times of each type; Rule 7.6.6", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const { organisation_uid, doctor } = world
  const types = [45, 90, 240, 1_440].map((duration_minutes, at) => ({
    ...{ uid: random("aty"), organisation_uid, name: `Type ${at}`, ...CONSULTATION, duration_minutes },
    booking_min_notice_minutes: at === 1 ? 20.5 * 1440 : 0
  }))
  const [, noticed, withheld] = types.map(({ uid }) => uid)
  await world.provision({
    appointment_types: types,
    availability_rules: types.map(({ uid: appointment_type_uid }, weekday) => {
      const hours = { weekday, start_time: 7, end_time: 1_440, buffer_minutes: 11 }
      return { uid: random("rul"), doctor_uid: doctor, ...hours, appointment_type_uid }
    }),
    doctor_appointment_type_settings: [
      { doctor_uid: doctor, appointment_type_uid: withheld, active: false },
      { doctor_uid: doctor, appointment_type_uid: types[3]?.uid, booking_min_notice_minutes: 0 }
    ]
  })
  await world.booked(inDays(20, 9), "anna")
  const uids = [world.type_uid, ...types.map(({ uid }) => uid)]
  const foundOf = (uid: string) => world.search({ from: inDays(19), to: inDays(22), appointment_type_uid: uid })
  const startsOf = async () => {
    const answers = await Promise.all(uids.map(foundOf))
    return answers.flatMap(({ body }, at) => startsIn(body.slots).map((start) => `${uids[at]} ${start}`))
  }
  const before = await startsOf()
  expect(before.filter((one) => one.startsWith(`${noticed} `)).length).toBeGreaterThan(0)
  const override = { date, start_time: 300, end_time: 1_400, buffer_minutes: 30 }
  const { result: seen, statements } = await recording(() => preview(world, { override }))
  expect(statements.filter(({ text }) => text.includes("availability_rules"))).toHaveLength(1)
  await request(world, "POST", "", override)
  const after = await startsOf()
  const named = (some: ReadonlyArray<{ appointment_type_uid: string; start_date: number }>) =>
    some.map((one) => `${one.appointment_type_uid} ${one.start_date}`).toSorted()
  const unlike = (some: ReadonlyArray<string>, others: ReadonlyArray<string>) =>
    some.filter((one) => !others.includes(one)).toSorted()
  expect([named(seen.appearing), named(seen.disappearing)]).toEqual([unlike(after, before), unlike(before, after)])
})
