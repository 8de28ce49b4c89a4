/** Series: booked as one act, on conflicts as asked, cancelled from a time on (Rule 4.12). */
import { expect, test } from "bun:test"
import { nearest, startsOf } from "../../../src/capabilities/series/services/Series.ts"
import { present } from "../../support/body.ts"
import { testServer } from "../../support/server.ts"
import { DAY, inDays, makeWorld, random } from "../../support/world.ts"

const server = testServer()
const PATH = "/v1/management/scheduling/appointment-series"
const WEEK = 7 * DAY

test("the wall-clock time is kept over both clock changes, in five zones", () => {
  const hourOf = (instant: number, timeZone: string) =>
    new Intl.DateTimeFormat("en-GB", { timeZone, weekday: "short", hour: "2-digit", minute: "2-digit" }).format(
      instant * 1000
    )
  for (const zone of ["Europe/Berlin", "America/New_York", "Australia/Sydney", "Asia/Kolkata", "America/Santiago"]) {
    const first = Date.UTC(2026, 0, 13, 13, 30) / 1000
    const starts = startsOf(first, 26, 2, zone)
    expect(starts[0]).toBe(first)
    expect(new Set(starts.map((start) => hourOf(start, zone)))).toEqual(new Set([hourOf(first, zone)]))
    expect(starts).toHaveLength(26)
  }
})

test("of two equally near starts the earlier", () => {
  expect(nearest(100, [40, 90, 110, 130])).toBe(90)
  expect(nearest(100, [])).toBeUndefined()
})

const scene = async () => {
  const world = await makeWorld(server.current)
  const start_date = inDays(10, 9)
  const { shop_uid, type_uid: appointment_type_uid, doctor: doctor_uid, key } = world
  const standard = { shop_uid, shop_customer_id: "customer-1", appointment_type_uid, doctor_uid, start_date }
  const book = (changes: Readonly<Record<string, unknown>> = {}, idempotency = random("key")) =>
    server.current.api("POST", PATH, {
      key,
      body: { ...standard, count: 4, interval_weeks: 1, ...changes },
      headers: { "idempotency-key": idempotency }
    })
  const live = async () =>
    (await world.api("GET", "/v1/management/scheduling/appointments?limit=200")).body.data.map(
      ({ start_date }) => start_date
    )
  return { world, start_date, book, live }
}

test("all are booked with one series_uid, and cancelled from a time on", async () => {
  const { world, start_date, book, live } = await scene()
  const made = await book({ visit_reason: "Therapy" })
  expect(made.status).toBe(201)
  const { series_uid, appointments, skipped } = made.body
  const starts = [0, 1, 2, 3].map((week) => start_date + week * WEEK)
  expect(appointments.map((one) => one.start_date)).toEqual(starts)
  expect(appointments[3]).toMatchObject({ series_uid, status: "confirmed", visit_reason: "Therapy" })
  expect(skipped).toEqual([])
  // A move keeps its series
  const moved = await world.api("POST", `/v1/scheduling/appointments/${appointments[1]?.uid}/rebook`, {
    new_start_date: start_date + WEEK + 3600,
    new_doctor_uid: world.doctor
  })
  expect(moved.body).toMatchObject({ status: "confirmed" })
  const one = await world.api("GET", `/v1/management/scheduling/appointments/${moved.body.appointment_uid}`)
  expect(one.body).toMatchObject({ series_uid })
  const from = start_date + 2 * WEEK
  const cancelled = await world.api("POST", `${PATH}/${series_uid}/cancel`, { reason: "Ended", from })
  expect(cancelled).toMatchObject({
    status: 200,
    body: { series_uid, cancelled: [present(appointments[2]).uid, present(appointments[3]).uid] }
  })
  expect(await live()).toEqual([start_date, start_date + WEEK + 3600])
  const again = await world.api("POST", `${PATH}/${series_uid}/cancel`, { reason: "Ended" })
  expect(again.body.cancelled).toHaveLength(2)
})

test("a conflict fails the whole, is left out, or moves to the nearest free start", async () => {
  const { world, start_date, book, live } = await scene()
  const taken = start_date + 2 * WEEK
  await world.booked(taken, "customer-2")
  const failed = await book()
  expect(failed).toMatchObject({ status: 409, body: { code: "slot_taken", start_date: taken } })
  expect(await live()).toEqual([taken])
  const plan = await book({ on_conflict: "shift", dry_run: true })
  expect(plan).toMatchObject({ status: 200, body: { series_uid: null, skipped: [] } })
  expect(plan.body.appointments[2]?.start_date).toBe(taken - 1200)
  expect(await live()).toEqual([taken])
  const skipped = await book({ on_conflict: "skip" })
  expect(skipped).toMatchObject({ status: 201, body: { skipped: [{ start_date: taken, code: "slot_taken" }] } })
  expect(skipped.body.appointments).toHaveLength(3)
})

test("without a doctor one is taken with whom there is no conflict", async () => {
  const { world, start_date, book } = await scene()
  const [first = "", second = ""] = world.doctors.toSorted()
  await world.booked(start_date + WEEK, "customer-2", { doctor_uid: first })
  const made = await book({ doctor_uid: undefined })
  expect(made.status).toBe(201)
  expect(new Set(made.body.appointments.map((one) => one.doctor_uid))).toEqual(new Set([second]))
})

test("an idempotency key gets the first answer again, and bad bodies are refused", async () => {
  const { book, live } = await scene()
  const key = random("key")
  const [one, two] = [await book({ count: 2 }, key), await book({ count: 2 }, key)]
  expect([one.status, two.status, two.body.series_uid]).toEqual([201, 201, one.body.series_uid])
  expect(await live()).toHaveLength(2)
  for (const wrong of [
    { count: 1 },
    { count: 27 },
    { interval_weeks: 0 },
    { interval_weeks: 53 },
    { on_conflict: "x" }
  ])
    expect((await book(wrong)).status).toBe(400)
})
