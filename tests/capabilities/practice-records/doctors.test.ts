/** Doctors by the management interface. Rules 12.1.1, 12.1.11 to 12.1.13. */
import { expect, test } from "bun:test"
import { testServer } from "../../support/server.ts"
import { doctorOf } from "../../support/staff.ts"
import { inDays, makeWorld } from "../../support/world.ts"

const server = testServer({ SANDBOX: "true" })
const path = "/v1/management/doctors"

const scene = async () => {
  const world = await makeWorld(server.current, { doctors: 1, organisation: { timezone: "Europe/Vienna" } })
  const call = (method: string, at = "", body?: unknown) => world.api(method, path + at, body)
  const scheduling = (method: string, at: string, body?: unknown) =>
    world.api(method, `/v1/management/scheduling${at}`, body)
  return { ...world, call, scheduling }
}

test("a doctor is created, given hours, booked, and changed", async () => {
  const { call, scheduling, organisation_uid, search, key, bookByKey } = await scene()
  const made = await call("POST", "", {
    display_name: " Dr. Ada ",
    email: "ada@example.org",
    limits: [{ per: "week", max: 300 }]
  })
  expect(made.status).toBe(201)
  const { uid } = made.body
  expect(made.body).toEqual({
    uid: expect.stringMatching(/^doc_/),
    organisation_uid,
    display_name: "Dr. Ada",
    email: "ada@example.org",
    phone: null,
    timezone: "Europe/Vienna",
    profession: null,
    address: null,
    title: null,
    specialty: null,
    languages: [],
    picture: null,
    created_at: expect.any(Number),
    updated_at: expect.any(Number),
    limits: [{ per: "week", max: 300 }],
    specialty_code: "ALLG",
    holiday_region: null,
    extra_holidays: []
  })
  for (const weekday of [0, 1, 2, 3, 4, 5, 6])
    await scheduling("POST", `/doctors/${uid}/availability-rules`, { weekday, start_time: 0, end_time: 1440 })
  expect((await search({ doctor_uid: uid })).body.slots.length).toBeGreaterThan(10)
  const [slot] = (await search({ doctor_uid: uid })).body.slots
  const booked = await bookByKey({ shop_customer_id: "anna", doctor_uid: uid, start_date: slot.start_date })
  expect(booked).toMatchObject({ status: 201, body: { doctor_display_name: "Dr. Ada" } })
  const changed = await call("PATCH", `/${uid}`, { email: null, profession: "Ärztin" })
  const { limits } = made.body
  expect(changed).toMatchObject({
    status: 200,
    body: { display_name: "Dr. Ada", email: null, profession: "Ärztin", limits }
  })
  expect((await call("PATCH", `/${uid}`, { limits: [{ per: "week", max: 0 }] })).body.error).toEqual([
    "limits[0].max: must be an integer from 1 to 10000"
  ])
  expect((await call("GET", `/${uid}`)).body).toEqual(changed.body)
  const listed = await call("GET")
  expect(listed.body.data.find((one: { uid: string }) => one.uid === uid)).toEqual(changed.body)
  expect(listed.body).toMatchObject({ totalRegistries: 2, totalPages: 1 })
  expect((await server.current.api("GET", `${path}?updated_after=${inDays(1)}`, { key })).body.data).toEqual([])
})

test("a doctor with a live hold or an appointment cannot be deleted; another one leaves every list and search", async () => {
  const world = await scene()
  const { call, scheduling, doctor, search, token } = world
  const bearer = await doctorOf(server.current, world)
  const code = await world.session()
  const held = await world.hold(code, inDays(3))
  const refused = { status: 409, body: { code: "doctor_has_appointments" } }
  expect(await call("DELETE", `/${doctor}`)).toMatchObject(refused)
  const { uid } = (await world.confirm(code, held.body.hold_uid)).body
  expect(await call("DELETE", `/${doctor}`)).toMatchObject(refused)
  await server.current.api("POST", `/v1/scheduling/appointments/${uid}/cancel`, { token: await token(), body: {} })
  expect((await call("DELETE", `/${doctor}`)).status).toBe(204)
  expect((await call("DELETE", `/${doctor}`)).status).toBe(404)
  expect((await call("GET", `/${doctor}`)).status).toBe(404)
  expect((await call("PATCH", `/${doctor}`, { email: null })).status).toBe(404)
  expect((await call("GET")).body.data).toEqual([])
  expect((await scheduling("GET", "/doctors")).body.data).toEqual([])
  expect((await scheduling("GET", `/doctors/${doctor}/availability-rules`)).status).toBe(404)
  expect((await search()).body.slots).toEqual([])
  expect((await world.hold(await world.session(), inDays(3))).status).toBe(400)
  expect((await server.current.api("GET", "/v1/doctor/appointments", { bearer })).status).toBe(403)
  expect((await scheduling("GET", `/appointments/${uid}`)).body.doctor_uid).toBe(doctor)
})

test("an expired hold of a deleted doctor cannot be confirmed", async () => {
  const world = await makeWorld(server.current, { doctors: 1, type: { hold_ttl_seconds: 1 } })
  const { key, doctor } = world
  const code = await world.session()
  const held = await world.hold(code, inDays(3))
  await server.current.api("POST", "/v1/sandbox/clock", { key, body: { advance_seconds: 2 } })
  expect((await server.current.api("DELETE", `${path}/${doctor}`, { key })).status).toBe(204)
  expect(await world.confirm(code, held.body.hold_uid)).toMatchObject({
    status: 409,
    body: { code: "not_confirmable" }
  })
})

test("with concurrent bookings and a deletion, either the doctor stays or nothing is booked", async () => {
  for (const start of [1, 2, 3]) {
    const { call, bookByKey, doctor: doctor_uid } = await scene()
    const book = (shop_customer_id: string) =>
      bookByKey({ shop_customer_id, doctor_uid, start_date: inDays(start + 2) })
    const [removed, ...booked] = await Promise.all([call("DELETE", `/${doctor_uid}`), book("anna"), book("bert")])
    const made = booked.filter(({ status }) => status === 201).length
    expect([removed.status, made]).toEqual(made === 0 ? [204, 0] : [409, 1])
  }
})
