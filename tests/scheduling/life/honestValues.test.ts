/** Values that honest clients send: null, blank identifiers, numbers of customers, odd profiles, return addresses. */
import { describe, expect, test } from "bun:test"
import { testServer } from "../../support/server.ts"
import { inDays, makeWorld, random } from "../../support/world.ts"

const server = testServer()
const scene = () => makeWorld(server.current)

describe("null for an optional field", () => {
  test("is its absence in a POST, and a blank identifier too; Rule 2.2.12", async () => {
    const world = await scene()
    const { api } = server.current
    const search = { shop_uid: world.shop_uid, appointment_type_uid: world.type_uid, from: inDays(2), to: inDays(3) }
    for (const odd of [{ doctor_uid: null }, { doctor_uid: "" }, { doctor_uids: null, limit: null, timezone: null }]) {
      const found = await api("POST", "/v1/scheduling/slots/search", { body: { ...search, ...odd } })
      expect([odd, found.status, found.body.slots.length > 100]).toEqual([odd, 200, true])
    }
    const code = await world.session("anna", { return_url: null, appointment_uid: null })
    const held = await world.hold(code, inDays(2, 9), { visit_reason: "cough" })
    expect(held.status).toBe(200)
    const confirm = `/v1/scheduling/booking-sessions/${code}/holds/${held.body.hold_uid}/confirm`
    expect((await api("POST", confirm, { body: { visit_reason: null } })).body).toMatchObject({ visit_reason: "cough" })
    const booked = await world.bookByKey({
      patient_uid: "",
      shop_customer_id: 4711,
      patient_profile_fields: null,
      start_date: inDays(2, 10),
      doctor_uid: null,
      visit_reason: null,
      meeting_format: null
    })
    expect(booked).toMatchObject({ status: 201, body: { meeting_format: "DIGITAL", visit_reason: null } })
    const type = await world.api("POST", "/v1/management/scheduling/appointment-types", {
      name: "Check",
      meeting_type: "REVIEW",
      duration_minutes: 20,
      hold_ttl_seconds: 60,
      room_strategy: "per_appointment",
      rebooking_mode: "same_doctor_only",
      booking_min_notice_minutes: null,
      doctor_assignment_mode: null,
      allow_patient_rebooking: null,
      active: null
    })
    expect(type).toMatchObject({
      status: 201,
      body: { booking_min_notice_minutes: 0, doctor_assignment_mode: "all_available_doctors", active: true }
    })
  })

  test("in a PATCH clears what may be null and is absence otherwise; Rule 2.2.12", async () => {
    const world = await scene()
    const at = `/v1/management/scheduling/appointment-types/${world.type_uid}`
    expect((await world.api("PATCH", at, { description: "A talk", name: "Talk" })).body.description).toBe("A talk")
    expect(await world.api("PATCH", at, { description: null, name: null, duration_minutes: null })).toMatchObject({
      status: 200,
      body: { description: null, name: "Talk", duration_minutes: 20 }
    })
    const rules = `/v1/management/scheduling/doctors/${world.doctor}/availability-rules`
    const rule = await world.api("POST", rules, {
      weekday: 0,
      start_time: 60,
      end_time: 120,
      valid_from: inDays(1),
      valid_until: null,
      appointment_type_uid: world.type_uid
    })
    expect(rule).toMatchObject({ status: 201, body: { valid_from: inDays(1), appointment_type_uid: world.type_uid } })
    const same = { status: 200, body: rule.body }
    const nothing = Object.fromEntries(Object.keys(rule.body).map((field) => [field, null]))
    const { uid: _, doctor_uid: __, updated_at: ___, ...fields } = nothing
    const off = { clear_valid_from: false, clear_valid_until: null, clear_appointment_type: false }
    expect(await world.api("PATCH", `${rules}/${rule.body.uid}`, { ...fields, ...off })).toMatchObject(same)
    const clear = { valid_from: null, clear_valid_from: true, appointment_type_uid: "", clear_appointment_type: true }
    expect(await world.api("PATCH", `${rules}/${rule.body.uid}`, clear)).toMatchObject({
      status: 200,
      body: { valid_from: null, weekday: 0, start_time: 60, appointment_type_uid: null }
    })
  })

  test("clears nothing of a rule or an override without its flag; Rules 7.5.2 and 2.2.12", async () => {
    const world = await scene()
    const room = await world.api("POST", "/v1/management/scheduling/resources", { kind: "room", name: "One" })
    for (const of of [`doctors/${world.doctor}`, `resources/${room.body.uid}`]) {
      const at = `/v1/management/scheduling/${of}`
      const rules = `${at}/availability-rules`
      const body = { weekday: 0, start_time: 60, end_time: 120, valid_until: inDays(2) }
      const rule = await world.api("POST", rules, body)
      const opened = { valid_until: null, clear_valid_until: false }
      expect(await world.api("PATCH", `${rules}/${rule.body.uid}`, opened)).toMatchObject({
        status: 200,
        body: { valid_until: inDays(2) }
      })
      const dates = `${at}/availability-date-overrides`
      const sent = { date: inDays(5), start_time: 60, end_time: 120, appointment_type_uid: world.type_uid }
      const override = await world.api("POST", dates, sent)
      const nothing = { date: null, day_off: null, start_time: null, end_time: null, buffer_minutes: null }
      const change = (more: object) => world.api("PATCH", `${dates}/${override.body.uid}`, { ...nothing, ...more })
      for (const more of [{}, { day_off: false }, { appointment_type_uid: null, clear_appointment_type: false }])
        expect(await change(more)).toMatchObject({ status: 200, body: { ...sent, updated_at: expect.any(Number) } })
      expect(await change({ clear_appointment_type: true })).toMatchObject({
        status: 200,
        body: { ...sent, appointment_type_uid: null }
      })
      expect((await change({ day_off: true })).body).toMatchObject({ start_time: null, end_time: null })
      expect((await change({ day_off: false })).status).toBe(400)
    }
  })
})

test("a numeric shop_customer_id is its decimal text, in tokens and bodies; Rule 1.5.9", async () => {
  const world = await scene()
  const number = 100_000 + Math.floor(Math.random() * 1_000_000)
  const token = await world.token("x", { shop_customer_id: number })
  const body = { mode: "booking", appointment_type_uid: world.type_uid, from: inDays(1), to: inDays(5) }
  expect((await server.current.api("POST", "/v1/scheduling/booking-sessions", { token, body })).status).toBe(200)
  const held = await world.holdByKey({ shop_customer_id: number, start_date: inDays(2, 9) })
  expect(held.status).toBe(200)
  const listed = await world.api("GET", `/v1/management/patients?shop_customer_id=${number}`)
  expect(listed.body.data).toMatchObject([{ shop_customer_id: String(number) }])
})

test("profile values that cannot be used are left out, and the hold names them; Rule 1.6.5", async () => {
  const world = await scene()
  const field = (name: string, value: unknown) => ({ field: name, value, source: "shop" })
  const fields = [field("first_name", "Ada"), field("phone", "n/a"), field("gender", "diverse"), field("email", "none")]
  const token = await world.token("ada", { patient_profile_fields: fields })
  const body = { mode: "booking", appointment_type_uid: world.type_uid, from: inDays(1), to: inDays(5) }
  const session = await server.current.api("POST", "/v1/scheduling/booking-sessions", { token, body })
  expect(session.status).toBe(200)
  const held = await world.hold(session.body.booking_launch_code, inDays(2, 9))
  expect(held).toMatchObject({ status: 200, body: { ignored_profile_fields: ["phone", "email"] } })
  const [patient] = (await world.api("GET", "/v1/management/patients?shop_customer_id=ada")).body.data
  expect(patient.profile).toEqual({ first_name: "Ada", gender: "divers" })
  const shop_customer_id = random("cus")
  const hold = (start_date: number, patient_profile_fields: unknown) =>
    world.holdByKey({ shop_customer_id, start_date, patient_profile_fields })
  expect((await hold(inDays(2, 10), [field("country_code", "Utopia")])).body.ignored_profile_fields).toEqual([
    "country_code"
  ])
  const booked = await server.current.api(
    "POST",
    `/v1/scheduling/booking-sessions/${session.body.booking_launch_code}/appointments`,
    { body: { start_date: inDays(3, 9) } }
  )
  expect(booked).toMatchObject({ status: 201, body: { ignored_profile_fields: ["phone", "email"] } })
  const bookedByKey = await world.bookByKey({
    shop_customer_id: random("cus"),
    start_date: inDays(3, 10),
    patient_profile_fields: [field("country_code", "Utopia")]
  })
  expect(bookedByKey).toMatchObject({ status: 201, body: { ignored_profile_fields: ["country_code"] } })
  expect("ignored_profile_fields" in (await hold(inDays(2, 11), [field("country_code", "de")])).body).toBe(false)
})

test("return_url of a session is an https address, or http of this machine; Rule 4.3.9", async () => {
  const world = await scene()
  const token = await world.token()
  const open = async (return_url: string) => {
    const body = { mode: "booking", appointment_type_uid: world.type_uid, from: inDays(1), to: inDays(5), return_url }
    return server.current.api("POST", "/v1/scheduling/booking-sessions", { token, body })
  }
  for (const url of [
    "https://unlisted.example/done?a=1#b",
    "HTTPS://Unlisted.example",
    "http://localhost:3000/",
    "http://127.0.0.2/x",
    "http://[::1]:8080/"
  ])
    expect([url, (await open(url)).status]).toEqual([url, 200])
  for (const url of [
    "http://shop.example/",
    "https://shop.example@elsewhere.example/",
    "https://@elsewhere.example/",
    "https://shop.example\\@elsewhere.example/",
    "https://shop.example/\na",
    "javascript:alert(1)",
    "/done",
    "//shop.example",
    "https:shop.example",
    "https:///shop.example",
    "https://",
    `https://shop.example/${"a".repeat(2048)}`
  ])
    expect([url, (await open(url)).body.error]).toEqual([url, [expect.stringMatching(/^return_url: /)]])
})
