/** Booking without a hold (Rule 4.9). */
import { describe, expect, test } from "bun:test"
import type { DoctorUid } from "../../../src/schemas/ids.ts"
import { eventsOf, stored } from "../../support/records.ts"
import { testServer } from "../../support/server.ts"
import { DAY, HOUR, inDays, makeWorld, type World } from "../../support/world.ts"

const server = testServer()
type Body = Readonly<Record<string, unknown>>
const byKey = (world: World, body: Body = {}) =>
  world.bookByKey({ shop_customer_id: "anna", start_date: inDays(2, 9), ...body })
const ofAnna = ({ shop_uid, type_uid }: World) => ({
  shop_uid,
  appointment_type_uid: type_uid,
  shop_customer_id: "anna"
})
const byCode = (code: string, body: Body, idempotency?: string) =>
  server.current.api("POST", `/v1/scheduling/booking-sessions/${code}/appointments`, {
    body,
    ...(idempotency === undefined ? {} : { headers: { "idempotency-key": idempotency } })
  })
const inOrder = (world: World) => [...world.doctors].sort() as [DoctorUid, DoctorUid]

describe("with an API key", () => {
  test("returns the confirmed appointment as in lists, and publishes one event", async () => {
    const world = await makeWorld(server.current)
    const [doctor_uid] = inOrder(world)
    const patient_profile_fields = [{ field: "first_name", value: "Anna", source: "shop" }]
    const made = await byKey(world, { patient_profile_fields, visit_reason: "cough", meeting_format: "IN_PERSON" })
    expect(made).toMatchObject({
      status: 201,
      body: {
        status: "confirmed",
        doctor_uid,
        patient_display_name: "Anna",
        visit_reason: "cough",
        meeting_format: "IN_PERSON",
        start_date: inDays(2, 9),
        end_date: inDays(2, 9, 20),
        previous_meeting_uid: null
      }
    })
    const list = await world.api("GET", "/v1/management/scheduling/appointments")
    const { overlaps: _, ...record } = made.body
    expect(list.body.data).toEqual([record])
    const one = await world.api("GET", `/v1/management/scheduling/appointments/${made.body.uid}`)
    expect(one).toMatchObject({ status: 200, body: record })
    expect(await eventsOf(server.current, made.body.uid)).toMatchObject([
      { type: "patient_doctor_meeting_updated", data: { change: "confirmed", actor: { kind: "api_key" } } }
    ])
  })

  test("tries the doctors in order, or only the named one", async () => {
    const world = await makeWorld(server.current)
    const [first, second] = inOrder(world)
    expect((await byKey(world)).body.doctor_uid).toBe(first)
    expect((await byKey(world)).body.doctor_uid).toBe(second)
    expect(await byKey(world)).toMatchObject({ status: 409, body: { code: "slot_taken" } })
    expect(await byKey(world, { doctor_uid: first })).toMatchObject({ status: 409, body: { code: "slot_taken" } })
    expect((await byKey(world, { start_date: inDays(2, 9) + 1 })).body.error).toEqual([
      expect.stringMatching(/^start_date: /)
    ])
    expect((await byKey(world, { doctor_uid: "nobody" })).status).toBe(400)
  })

  test("gives each concurrent request another doctor, and the rest 409", async () => {
    const world = await makeWorld(server.current, { doctors: 4 })
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => byKey(world, { shop_customer_id: `customer-${i}` }))
    )
    const made = answers.filter(({ status }) => status === 201)
    expect(new Set(made.map(({ body }) => body.doctor_uid)).size).toBe(4)
    expect(made).toHaveLength(4)
    expect(answers.filter(({ body }) => body.code === "slot_taken")).toHaveLength(8)
  })

  test("identifies a patient of the shop in exactly one way", async () => {
    const world = await makeWorld(server.current)
    const other = await makeWorld(server.current)
    const { patient_uid } = (await byKey(world)).body
    const known = await byKey(world, { shop_customer_id: undefined, patient_uid, start_date: inDays(2, 10) })
    expect(known).toMatchObject({ status: 201, body: { patient_uid } })
    for (const body of [{ patient_uid }, { shop_customer_id: undefined }])
      expect(await byKey(world, body)).toMatchObject({ status: 400, body: { code: "invalid_request" } })
    const foreign = { shop_customer_id: undefined, patient_uid, shop_uid: other.shop_uid }
    expect((await byKey(other, { ...foreign, appointment_type_uid: other.type_uid })).status).toBe(404)
    expect((await byKey(world, { shop_uid: other.shop_uid })).status).toBe(404)
    expect((await byKey(world, { appointment_type_uid: other.type_uid })).status).toBe(404)
  })
})

test("the answer names the patient's other confirmed appointments at the time; Rule 4.9.7", async () => {
  const world = await makeWorld(server.current, { doctors: 4 })
  const [a, b, c, d] = world.doctors
  const longer = await world.otherType({ duration_minutes: 60 })
  const book = (doctor_uid: string | undefined, start_date: number, more: Body = {}) =>
    byKey(world, { doctor_uid, start_date, ...more })
  const first = await book(a, inDays(2, 9))
  expect(first).toMatchObject({ status: 201, body: { overlaps: [] } })
  const second = await book(b, inDays(2, 9), { appointment_type_uid: longer })
  const overlaps = [{ uid: first.body.uid, start_date: inDays(2, 9), doctor_display_name: `Dr. ${a}` }]
  expect(second).toMatchObject({ status: 201, body: { overlaps } })
  // beside each other, cancelled, held or of somebody else is none
  expect((await book(c, inDays(2, 8, 40))).body.overlaps).toEqual([])
  expect((await book(c, inDays(2, 9), { shop_customer_id: "berta" })).body.overlaps).toEqual([])
  await world.api("POST", `/v1/management/scheduling/appointments/${first.body.uid}/cancel`, { reason: "ill" })
  const held = await world.holdByKey({ shop_customer_id: "anna", doctor_uid: d, start_date: inDays(2, 9, 20) })
  const other = { uid: second.body.uid, start_date: inDays(2, 9), doctor_display_name: `Dr. ${b}` }
  expect(held).toMatchObject({ status: 200, body: { status: "held", overlaps: [other] } })
  const series = { ...ofAnna(world), doctor_uid: a, start_date: inDays(2, 9, 40), count: 2, interval_weeks: 1 }
  for (const dry_run of [true, false]) {
    const planned = await world.api("POST", "/v1/management/scheduling/appointment-series", { ...series, dry_run })
    expect(planned.body.appointments.map((one: Body) => one.overlaps)).toEqual([[other], []])
  }
})

describe("without a doctor_uid; Rule 4.9.4", () => {
  /** The Monday of the week of the day. */
  const monday = (days: number) => inDays(days) - ((Math.floor(inDays(days) / DAY) + 3) % 7) * DAY
  const placed = async (
    world: World,
    doctor_uid: string,
    start_date: number,
    fields: Body = {},
    status = "confirmed"
  ) => world.run(world.practice.place(await world.patient(), { status, start_date, fields: { ...fields, doctor_uid } }))

  test("the free doctor with the fewest appointments on the day is booked, then of the week, then by uid", async () => {
    const world = await makeWorld(server.current, { doctors: 3 })
    const [a = "", b = "", c = ""] = world.doctors.toSorted()
    const day = monday(21) + 2 * DAY
    const bookedWith = async (start_date: number) => (await byKey(world, { start_date })).body.doctor_uid
    // the week counts from Monday to Sunday, and no other
    await placed(world, a, day - 2 * DAY + 8 * HOUR)
    await placed(world, b, day + 4 * DAY + 8 * HOUR)
    await placed(world, c, day - 3 * DAY + 8 * HOUR)
    await placed(world, c, day + 5 * DAY + 8 * HOUR)
    expect(await bookedWith(day + 9 * HOUR)).toBe(c)
    expect(await bookedWith(day + 10 * HOUR)).toBe(a)
    expect(await bookedWith(day + 11 * HOUR)).toBe(b)
    // missed and completed ones count, cancelled ones do not
    await placed(world, a, day + 12 * HOUR, {}, "no_show")
    await placed(world, b, day + 12 * HOUR, {}, "completed")
    await placed(world, c, day + 12 * HOUR, {}, "cancelled")
    expect(await bookedWith(day + 13 * HOUR)).toBe(c)
    // who is taken is not booked, however few they have
    await placed(world, c, day + 3 * DAY + 9 * HOUR)
    await placed(world, a, day + 3 * DAY + 10 * HOUR)
    await placed(world, b, day + 3 * DAY + 11 * HOUR)
    expect(await bookedWith(day + 3 * DAY + 9 * HOUR)).toBe(a)
  })

  test("live holds count, lapsed ones, further doctors and the session's own hold do not; the day is the doctor's", async () => {
    const world = await makeWorld(server.current, { doctors: 2 })
    const [a = "", b = ""] = world.doctors.toSorted()
    const day = monday(21) + 2 * DAY
    expect((await world.holdByKey({ doctor_uid: a, start_date: day + 8 * HOUR })).status).toBe(200)
    expect((await byKey(world, { start_date: day + 9 * HOUR })).body.doctor_uid).toBe(b)
    await server.current.sql`UPDATE appointments SET status = 'expired' WHERE doctor_uid = ${a}`
    await placed(world, b, day + 10 * HOUR, { appointment_type_uid: null, further_doctor_uids: [a] })
    const code = await world.session("berta")
    expect((await world.hold(code, day + 11 * HOUR, { doctor_uid: a })).status).toBe(200)
    const booked = await byCode(code, { start_date: day + 12 * HOUR })
    expect(await stored(server.current, booked.body.uid)).toMatchObject({ doctor_uid: a })
    // 23:00 UTC is the next day in Auckland
    await server.current.sql`UPDATE doctors SET timezone = 'Pacific/Auckland' WHERE uid = ${b}`
    expect((await byKey(world, { start_date: day + 23 * HOUR })).body.doctor_uid).toBe(b)
  })

  test("a series begins with the same doctor as a booking; Rule 4.12.3", async () => {
    const world = await makeWorld(server.current, { doctors: 2 })
    const [a = "", b = ""] = world.doctors.toSorted()
    const start_date = monday(21) + 9 * HOUR
    await placed(world, a, start_date + HOUR)
    const body = { ...ofAnna(world), start_date, count: 2, interval_weeks: 1 }
    const made = await world.api("POST", "/v1/management/scheduling/appointment-series", body)
    expect(made.body.appointments.map(({ doctor_uid }: Body) => doctor_uid)).toEqual([b, b])
  })

  test("is 400 where patients choose the doctor; a move that leaves no choice is none", async () => {
    const world = await makeWorld(server.current, {
      type: { doctor_choice: "patient", rebooking_mode: "same_doctor_only" }
    })
    const refused = { status: 400, body: { error: [expect.stringMatching(/^doctor_uid: is required/)] } }
    expect(await byKey(world)).toMatchObject(refused)
    const code = await world.session("anna")
    expect(await byCode(code, { start_date: inDays(2, 9) })).toMatchObject(refused)
    const series = { ...ofAnna(world), start_date: inDays(2, 9), count: 2, interval_weeks: 1 }
    expect(await world.api("POST", "/v1/management/scheduling/appointment-series", series)).toMatchObject(refused)
    const made = await byKey(world, { doctor_uid: world.doctor })
    expect(made.status).toBe(201)
    const moving = await world.session("anna", { mode: "rebooking", appointment_uid: made.body.uid })
    expect((await byCode(moving, { start_date: inDays(3, 9) })).status).toBe(201)
    const page = `/meet/booking/${await world.session("berta")}`
    expect((await server.current.api("GET", `${page}?step=times`)).text).toContain(`Dr. ${world.doctor}`)
  })
})

describe("with a launch code", () => {
  test("returns the confirmed form for the session's type, within its range", async () => {
    const world = await makeWorld(server.current)
    const code = await world.session("anna", { from: inDays(3), to: inDays(4) })
    const made = await byCode(code, { start_date: inDays(3, 9), visit_reason: "  cough " }, "once")
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      uid: expect.any(String),
      status: "confirmed",
      start_date: inDays(3, 9),
      end_date: inDays(3, 9, 20),
      visit_reason: "cough"
    })
    expect((await byCode(code, { start_date: inDays(3, 9), visit_reason: "  cough " }, "once")).body).toEqual(made.body)
    expect((await byCode(code, { start_date: inDays(4, 9) })).body.error).toEqual([
      expect.stringMatching(/^start_date: /)
    ])
    expect((await byCode("blc_unknown", { start_date: inDays(3, 9) })).status).toBe(404)
  })

  test("releases the session's hold", async () => {
    const world = await makeWorld(server.current)
    const code = await world.session("anna")
    const held = await world.hold(code, inDays(3, 9))
    expect((await byCode(code, { start_date: inDays(3, 9), doctor_uid: world.doctor })).status).toBe(201)
    expect(await stored(server.current, held.body.hold_uid)).toMatchObject({ status: "cancelled" })
  })

  test("moves the appointment in a rebooking session", async () => {
    const world = await makeWorld(server.current, {
      type: { rebooking_mode: "same_doctor_only", slot_step_minutes: 10 }
    })
    const doctor_uid = inOrder(world)[1]
    const uid = await world.booked(inDays(3, 9), "anna", { doctor_uid, visit_reason: "cough" })
    const code = await world.session("anna", {
      mode: "rebooking",
      appointment_uid: uid,
      appointment_type_uid: undefined
    })
    // half of the new time overlaps the old one
    const made = await byCode(code, { start_date: inDays(3, 9, 10) })
    expect(made).toMatchObject({ status: 201, body: { visit_reason: "cough" } })
    expect(await stored(server.current, made.body.uid)).toMatchObject({ doctor_uid, previous_meeting_uid: uid })
    expect(await stored(server.current, uid)).toMatchObject({ status: "cancelled", cancellation_reason: "rebooked" })
    expect(await eventsOf(server.current, made.body.uid)).toMatchObject([{ type: "rebooked" }])
    expect(await byCode(code, { start_date: inDays(3, 11) })).toMatchObject({
      status: 409,
      body: { code: "not_confirmable" }
    })
  })
})
