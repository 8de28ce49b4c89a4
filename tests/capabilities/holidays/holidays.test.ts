/** Holidays of organisations, doctors and types by interface, and the preview of a change (Rules 3.11.2 to 3.11.5). */
import { expect, test } from "bun:test"
import { testServer } from "../../support/server.ts"
import { DAY, dayOf, inDays, makeWorld } from "../../support/world.ts"

const server = testServer()

test("the holidays of a region and year; Rule 3.11.4", async () => {
  const world = await makeWorld(server.current)
  const listed = await world.api("GET", "/v1/management/holidays?region=DE-BE&year=2025")
  expect(listed.status).toBe(200)
  expect(listed.body.data).toContainEqual({ date: "2025-05-08", name: "Tag der Befreiung (80. Jahrestag)" })
  expect(listed.body.data).toHaveLength(11)
  for (const query of ["region=DE-XX&year=2025", "region=DE-BE&year=1989", "region=DE-BE", "year=2025"])
    expect((await world.api("GET", `/v1/management/holidays?${query}`)).status).toBe(400)
})

test("a preview names the appointments that a change hits, and changes nothing", async () => {
  const world = await makeWorld(server.current)
  const [first, second] = [inDays(5, 9), inDays(6, 9)]
  const booked = await world.booked(first, "customer-1")
  await world.booked(second, "customer-2")
  const preview = (body: unknown) => world.api("POST", "/v1/management/organisation/holidays/preview", body)
  const extra_holidays = [{ date: dayOf(first), name: "Betriebsausflug" }]
  const hit = await preview({ extra_holidays })
  expect(hit).toMatchObject({ status: 200, body: { count: 1, appointments: [{ uid: booked, start_date: first }] } })
  expect((await world.api("GET", "/v1/management/organisation")).body).toMatchObject({ extra_holidays: [] })
  expect((await preview({})).body).toEqual({ appointments: [], count: 0 })
  // A doctor's own hours on that date win
  const day = first - (first % DAY)
  await world.api("POST", `/v1/management/scheduling/doctors/${world.doctor}/availability-date-overrides`, {
    date: day,
    start_time: 0,
    end_time: 1440
  })
  expect((await preview({ extra_holidays })).body.count).toBe(0)
  // Once a day is a holiday already, it is not hit again
  const other = [{ date: dayOf(second), name: "Inventur" }]
  expect((await preview({ extra_holidays: other })).body.count).toBe(1)
  const changed = await world.api("PATCH", "/v1/management/organisation", { extra_holidays: other })
  expect(changed).toMatchObject({ status: 200, body: { extra_holidays: other, holiday_region: null } })
  expect((await preview({ extra_holidays: other })).body.count).toBe(0)
  const open = await world.api("PATCH", `/v1/management/scheduling/appointment-types/${world.type_uid}`, {
    closed_on_holidays: false
  })
  expect(open.body).toMatchObject({ closed_on_holidays: false })
})

test("settings of doctors, and bad ones", async () => {
  const world = await makeWorld(server.current)
  const at = `/v1/management/doctors/${world.doctor}`
  const changed = await world.api("PATCH", at, {
    holiday_region: "DE-SN",
    extra_holidays: [{ date: "2035-01-08", name: "Kongress" }]
  })
  expect(changed).toMatchObject({
    status: 200,
    body: { holiday_region: "DE-SN", extra_holidays: [{ date: "2035-01-08", name: "Kongress" }] }
  })
  for (const body of [
    { holiday_region: "XX" },
    { extra_holidays: [{ date: "2035-02-30", name: "x" }] },
    { extra_holidays: [{ date: "08.01.2035", name: "x" }] },
    { extra_holidays: Array.from({ length: 101 }, () => ({ date: "2035-01-08", name: "x" })) }
  ])
    expect((await world.api("PATCH", at, body)).status).toBe(400)
})

test("a holiday is not offered; a doctor's own hours on it are, and types that stay open", async () => {
  const world = await makeWorld(server.current)
  const start = inDays(5, 9)
  const day = start - (start % DAY)
  const found = async () =>
    (await world.search({ from: day, to: day + DAY })).body.slots.map(({ doctor_uid }) => doctor_uid)
  expect(new Set(await found())).toEqual(new Set(world.doctors))
  await world.api("PATCH", "/v1/management/organisation", {
    extra_holidays: [{ date: dayOf(start), name: "Betriebsausflug" }]
  })
  expect(await found()).toEqual([])
  const code = await world.session("customer-1")
  expect(await world.hold(code, start)).toMatchObject({
    status: 400,
    body: { error: [expect.stringContaining("start_date")] }
  })
  await world.api("POST", `/v1/management/scheduling/doctors/${world.doctor}/availability-date-overrides`, {
    date: day,
    start_time: 0,
    end_time: 1440
  })
  expect(new Set(await found())).toEqual(new Set([world.doctor]))
  await world.api("PATCH", `/v1/management/scheduling/appointment-types/${world.type_uid}`, {
    closed_on_holidays: false
  })
  expect(new Set(await found())).toEqual(new Set(world.doctors))
})

test("the doctor's region counts, else the organisation's", async () => {
  const world = await makeWorld(server.current)
  // 8 March 2027 is a holiday in Berlin, not in Bavaria
  const from = Date.UTC(2027, 2, 8) / 1000
  const found = async () =>
    new Set((await world.search({ from, to: from + DAY })).body.slots.map(({ doctor_uid }) => doctor_uid))
  await world.api("PATCH", "/v1/management/organisation", { holiday_region: "DE-BE" })
  expect(await found()).toEqual(new Set())
  await world.api("PATCH", `/v1/management/doctors/${world.doctor}`, { holiday_region: "DE-BY" })
  expect(await found()).toEqual(new Set([world.doctor]))
})
