/** A practice's weekly statistics. Rule 7.8.1. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { offeredMinutes } from "../../../src/capabilities/shared/services/free/offered.ts"
import { Statistics } from "../../../src/capabilities/statistics/services/Statistics.ts"
import { UnixSeconds } from "../../../src/schemas/fields.ts"
import { OrganisationUid } from "../../../src/schemas/ids.ts"
import { weekOf, windowsOf } from "../../../src/services/scheduling/slots/windows.ts"
import { zoneOf } from "../../../src/services/scheduling/slots/zones.ts"
import { testServer } from "../../support/server.ts"
import { DAY, inDays, makeWorld } from "../../support/world.ts"

const server = testServer()
const rule = { buffer_minutes: 0, valid_from: null, valid_until: null, appointment_type_uid: null }
/** 2035-01-08, a Monday. */
const MONDAY = 2_051_827_200
const week = [MONDAY, MONDAY + 7 * DAY] as const

test("offered minutes count overlapping hours once, and exclude days off; Rule 7.8.1", () => {
  const rules = [
    { ...rule, weekday: 0, start_time: 540, end_time: 720 },
    { ...rule, weekday: 0, start_time: 660, end_time: 780, appointment_type_uid: "aty_1" },
    { ...rule, weekday: 2, start_time: 540, end_time: 600 }
  ]
  const hours = { timezone: "UTC", rules, overrides: [] }
  expect(offeredMinutes(hours)(...week)).toBe(240 + 60)
  const off = { ...rule, date: MONDAY, start_time: null, end_time: null }
  expect(offeredMinutes({ ...hours, overrides: [off] })(...week)).toBe(60)
  const until = { ...rules[0], ...rule, weekday: 0, start_time: 540, end_time: 720, valid_until: MONDAY + 600 * 60 }
  expect(offeredMinutes({ ...hours, rules: [until] })(...week)).toBe(60)
})

test("offered minutes are the union over types computed separately; Rule 7.8.1", () => {
  const any = <A>(some: ReadonlyArray<A>) => some[Math.floor(Math.random() * some.length)] as A
  const scopes = [null, null, "aty_1", "aty_2", "aty_3"]
  const hoursOfDay = () => {
    const start_time = 60 * Math.floor(Math.random() * 20)
    return { ...rule, appointment_type_uid: any(scopes), start_time, end_time: start_time + any([60, 180]) }
  }
  const some = <A>(most: number, make: () => A) => Array.from({ length: Math.floor(Math.random() * (most + 1)) }, make)
  for (let round = 0; round < 300; round++) {
    const rules = some(8, () => ({ ...hoursOfDay(), weekday: Math.floor(Math.random() * 7) }))
    const overrides = some(8, () => ({
      ...hoursOfDay(),
      ...(Math.random() < 0.3 && { start_time: null, end_time: null }),
      date: MONDAY + DAY * Math.floor(Math.random() * 4)
    }))
    const minutes = new Set<number>()
    for (const scope of new Set([...rules, ...overrides].map((one) => one.appointment_type_uid ?? "")))
      for (let day = MONDAY / DAY; day < MONDAY / DAY + 7; day++)
        windowsOf(weekOf({ rules, overrides }, scope, zoneOf("UTC")), day, ({ start, end }) => {
          for (let minute = start / 60; minute < end / 60; minute++) minutes.add(minute)
        })
    const hours = { timezone: "UTC", rules, overrides }
    // a slot that starts on the Sunday may end after it
    expect({ hours, minutes: offeredMinutes(hours)(...week) }).toEqual({ hours, minutes: minutes.size })
  }
})

// Shows: statistics and previews of many types and years that block all other requests
test("computing a year of a doctor's hours costs by their number, whatever the number of types", () => {
  let looked = 0
  const counted = <A extends object>(one: A): A =>
    new Proxy(one, {
      get: (target, key) => {
        looked += 1
        return Reflect.get(target, key)
      }
    })
  const types = 200
  const records = 2_000
  const hours = (all: number) =>
    Array.from({ length: records }, (_, at) =>
      counted({
        ...rule,
        weekday: at % 7,
        date: MONDAY + DAY * Math.floor(at / 50),
        start_time: 540,
        end_time: 600,
        appointment_type_uid: `aty_${at % all}`
      })
    )
  const costOf = (all: number) => {
    looked = 0
    const offered = offeredMinutes({ timezone: "UTC", rules: [], overrides: hours(all) })
    for (let at = 0; at < 52; at++) offered(MONDAY + at * 7 * DAY, MONDAY + (at + 1) * 7 * DAY)
    return looked
  }
  expect(costOf(types)).toBeLessThan(100 * records)
})

// Shows: statistics and previews of many types and years that block all other requests
test("a report reads a limited number of rows, overrides and appointments; Rule 7.8.1", async () => {
  const world = await makeWorld(server.current, { doctors: 2 })
  await world.provision({
    availability_date_overrides: [
      { uid: `${world.doctor}_off`, doctor_uid: world.doctor, date: inDays(1), start_time: 0, end_time: 1440 }
    ]
  })
  const at = UnixSeconds.make(inDays(1))
  await world.booked(at, "a")
  await world.booked(at + 1200, "b")
  const refusal = (most: Readonly<Record<"rows" | "overrides" | "appointments", number>>) =>
    server.current.run(
      Effect.flatMap(Statistics, ({ list }) =>
        Effect.flip(list(OrganisationUid.make(world.organisation_uid), { from: at, to: at }, most))
      ).pipe(Effect.provide(Statistics.Default))
    )
  const limits = { rows: 10, overrides: 10, appointments: 10 }
  for (const [most, fault] of [
    [{ rows: 1 }, "more than 1 rows of doctors and weeks"],
    [{ overrides: 1 }, "overrides in these weeks"],
    [{ appointments: 1 }, "more than 1 appointments"]
  ] as const)
    expect(JSON.stringify(await refusal({ ...limits, ...most }))).toContain(fault)
})

test("a week counts bookings and their outcome; a move is not a cancellation; Rule 7.8.1", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const day = inDays(1)
  const monday = day - ((Math.floor(day / DAY) + 3) % 7) * DAY
  const start = monday + 7 * DAY + 9 * 3600
  await world.booked(start, "a")
  const cancelled = await world.booked(start + 1200, "b")
  const moved = await world.booked(start + 2400, "c")
  const send = (path: string, body: object) => world.api("POST", path, body)
  await send(`/v1/management/scheduling/appointments/${cancelled}/cancel`, { reason: "ill" })
  await send(`/v1/scheduling/appointments/${moved}/rebook`, {
    new_start_date: start + 7200,
    new_doctor_uid: world.doctor
  })
  const query = `from=${start}&to=${start}`
  const { status, body } = await world.api("GET", `/v1/management/statistics?${query}`)
  expect(status).toBe(200)
  expect(body.data).toEqual([
    {
      doctor_uid: world.doctor,
      doctor_display_name: expect.any(String),
      week_starts_at: monday + 7 * DAY,
      booked: 3,
      completed: 0,
      cancelled: 1,
      no_show: 0,
      lead_time_seconds: expect.any(Number),
      booked_minutes: 40,
      offered_minutes: 7 * 1440,
      waitlist_offers: 0,
      refilled_appointments: 0,
      refilled_minutes: 0,
      utilisation_percent: 0
    }
  ])
  const all = await world.api("GET", "/v1/management/statistics")
  expect(all.body.data).toHaveLength(13)
  const long = await world.api("GET", "/v1/management/statistics?from=0")
  expect(long.status).toBe(400)
})

test("an appointment counts in the week of its start in the organisation's time zone; Rule 7.8.1", async () => {
  const world = await makeWorld(server.current, { doctors: 1, organisation: { timezone: "Europe/Berlin" } })
  const day = inDays(1)
  const sunday = day + (6 - ((Math.floor(day / DAY) + 3) % 7)) * DAY
  // in Berlin the second one is on Monday
  await world.booked(sunday + 12 * 3600, "a")
  await world.booked(sunday + 23 * 3600, "b")
  const query = `from=${sunday}&to=${sunday + 2 * DAY}`
  const { body } = await world.api("GET", `/v1/management/statistics?${query}`)
  expect(body.data.map((row: { readonly booked: number }) => row.booked)).toEqual([1, 1])
  expect(body.data[1]?.week_starts_at).toBeGreaterThan(sunday + 21 * 3600)
  expect(body.data[1]?.week_starts_at).toBeLessThan(sunday + DAY)
})
