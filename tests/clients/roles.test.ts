/**
 * One client for each role, written from the published interface alone: paths, headers, bodies, statuses and fields as documented, plain
 * requests, no types or helpers of the service. Each goes its whole way, from its credential to the end of what it is for. What each
 * operation refuses is shown by the tests of its domain and by http/matrix.test.ts.
 */
import { describe, expect, test } from "bun:test"
import { createHmac } from "node:crypto"
import { makeShop } from "../checkout/support/shop.ts"
import { eventually } from "../support/eventually.ts"
import { sandboxServer } from "../support/server.ts"
import { accessToken } from "../support/staff.ts"
import { makeWorld, random } from "../support/world.ts"

const server = sandboxServer()
const DAY = 86_400
const HOUR = 3_600

// biome-ignore lint/suspicious/noExplicitAny: a client without types
type Body = any
type Headers = Readonly<Record<string, string>>

/** Sends a request; fails unless it is answered with this status. */
const client =
  (headers: Headers) =>
  async (expected: number, method: string, path: string, body?: unknown, more: Headers = {}): Promise<Body> => {
    const answer = await fetch(server.current.url + path, {
      method,
      headers: { ...headers, ...more, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    const text = await answer.text()
    expect([`${method} ${path}`, answer.status, text]).toEqual([`${method} ${path}`, expected, expect.anything()])
    return text === "" ? undefined : JSON.parse(text)
  }
const anybody = client({})
const withKey = (key: string) => client({ "X-API-Key": key })
const withToken = (token: string) => client({ "X-Service-Booking-Token": token })
const withBearer = (token: string) => client({ Authorization: `Bearer ${token}` })

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
interface Secret {
  readonly key_id: string
  readonly secret: string
  readonly shop_identifier: string
}
/** HS256, by hand. */
const minted = ({ key_id, secret, shop_identifier }: Secret, shop_customer_id: string) => {
  const iat = Math.floor(Date.now() / 1_000)
  const profile = { first_name: "Eva", last_name: "Muster", email: `${shop_customer_id}@example.org` }
  const claims = {
    aud: "service-scheduling",
    iat,
    nbf: iat,
    exp: iat + 240,
    shop_identifier,
    shop_customer_id,
    patient_profile_fields: Object.entries(profile).map(([field, value]) => ({ field, value, source: "shop" }))
  }
  const signed = `${base64url({ alg: "HS256", typ: "JWT", kid: key_id })}.${base64url(claims)}`
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`
}

const now = () => server.current.now()
const midnightIn = async (days: number) => (Math.floor((await now()) / DAY) + days) * DAY

test("a patient: finds a time, holds it, confirms it late, moves it twice, and joins it", async () => {
  const world = await makeWorld(server.current)
  const { shop_uid, type_uid: appointment_type_uid } = world
  const customer = random("customer")
  const patient = () => withToken(minted(world, customer))
  const [from, to] = [await midnightIn(2), await midnightIn(4)]

  const { data } = await anybody(200, "GET", `/v1/scheduling/appointment-types?shop_uid=${shop_uid}`)
  expect(data).toMatchObject([{ uid: appointment_type_uid, duration_minutes: 20 }])
  const search = { shop_uid, appointment_type_uid, from, to, timezone: "Europe/Berlin" }
  const { slots } = await anybody(200, "POST", "/v1/scheduling/slots/search", search)
  const opening = { mode: "booking", appointment_type_uid, from, to, return_url: "https://shop.example/done" }
  const session = await anybody(200, "POST", "/v1/scheduling/booking-sessions", {
    ...opening,
    booking_token: minted(world, customer)
  })
  expect(session.launch_url).toContain(session.booking_launch_code)
  const path = `/v1/scheduling/booking-sessions/${session.booking_launch_code}`
  expect(await anybody(200, "GET", path)).toMatchObject({ start_from: from, start_to: to, mode: "booking" })

  const [slot, other, third] = [slots[0], slots[4], slots[8]]
  const wanted = {
    doctor_uid: slot.doctor_uid,
    appointment_type_uid,
    start_date: slot.start_date,
    visit_reason: "Cough"
  }
  const once = { "Idempotency-Key": random("once") }
  const hold = await anybody(200, "POST", `${path}/holds`, wanted, once)
  expect(hold).toMatchObject({ status: "held", ttl_seconds: 600, visit_reason: "Cough" })
  expect((await anybody(200, "POST", `${path}/holds`, wanted, once)).hold_uid).toBe(hold.hold_uid)
  await server.current.advance(601)
  const confirmed = await anybody(200, "POST", `${path}/holds/${hold.hold_uid}/confirm`, { visit_reason: "" })
  expect(confirmed).toMatchObject({ status: "confirmed", start_date: slot.start_date, visit_reason: null })

  const appointment = `/v1/scheduling/appointments/${confirmed.uid}`
  const moving = { new_start_date: other.start_date, new_doctor_uid: other.doctor_uid }
  const key = { "Idempotency-Key": random("move") }
  const moved = await patient()(200, "POST", `${appointment}/rebook`, moving, key)
  expect(moved.status).toBe("confirmed")
  expect(await patient()(200, "POST", `${appointment}/rebook`, moving, key)).toEqual(moved)

  const rebooking = await patient()(200, "POST", "/v1/scheduling/booking-sessions", {
    mode: "rebooking",
    appointment_uid: moved.appointment_uid
  })
  const again = `/v1/scheduling/booking-sessions/${rebooking.booking_launch_code}`
  const second = await anybody(200, "POST", `${again}/holds`, {
    doctor_uid: third.doctor_uid,
    appointment_type_uid,
    start_date: third.start_date
  })
  const final = await anybody(200, "POST", `${again}/holds/${second.hold_uid}/confirm`, {})

  await server.current.advance(third.start_date - 300 - (await now()))
  const joined = await patient()(200, "POST", `/v1/scheduling/appointments/${final.uid}/join`)
  const page = await fetch(`${server.current.url}/meet/meeting/${joined.room_name}?jwt=${joined.token}`)
  expect(page.status).toBe(200)
}, 600_000)

test("a patient with the link of a reminder: reads, moves and cancels by its code", async () => {
  const world = await makeWorld(server.current)
  const office = withKey(world.key)
  await office(201, "POST", `/v1/management/scheduling/appointment-types/${world.type_uid}/reminders`, {
    recipient_role: "patient",
    minutes_before: 120,
    send_email: true
  })
  const booked = await office(201, "POST", "/v1/management/scheduling/appointments", {
    shop_uid: world.shop_uid,
    shop_customer_id: random("customer"),
    patient_profile_fields: [{ field: "first_name", value: "Eva", source: "shop" }],
    appointment_type_uid: world.type_uid,
    doctor_uid: world.doctor,
    start_date: (await midnightIn(2)) + 9 * HOUR,
    visit_reason: "Cough"
  })
  await office(200, "POST", "/v1/sandbox/clock", { advance_seconds: booked.start_date - (await now()) - 119 * 60 })
  const { data } = await office(200, "GET", "/v1/management/events?type=scheduling.appointment_reminder_due")
  expect(data).toHaveLength(1)
  const [{ data: due }] = data
  expect(due).toMatchObject({
    visit_reason: "Cough",
    recipient: { role: "patient" },
    reminder: { minutes_before: 120 }
  })
  const code = (action: string) => {
    const found = due.action_links.find((link: Body) => link.action === action)
    return `/v1/scheduling/appointment-actions/${found.code}`
  }
  const context = await anybody(200, "GET", code("rebook"))
  expect(context).toMatchObject({ action: "rebook", appointment_start: booked.start_date, cancel_allowed: true })
  const session = await anybody(200, "POST", `${code("rebook")}/rebook-session`)
  await anybody(200, "GET", `/v1/scheduling/booking-sessions/${session.booking_launch_code}`)
  const cancelled = await anybody(200, "POST", `${code("cancel")}/cancel`, { reason: "Well again" })
  expect(cancelled).toEqual({ appointment_uid: booked.uid, status: "cancelled" })
}, 600_000)

test("a partner's key: sets up a practice, and runs its calendar", async () => {
  const world = await makeWorld(server.current)
  const office = withKey(world.key)
  const base = "/v1/management/scheduling"
  const type = await office(201, "POST", `${base}/appointment-types`, {
    name: "Follow-up",
    meeting_type: "FOLLOW_UP",
    duration_minutes: 15,
    hold_ttl_seconds: 300,
    room_strategy: "persistent_per_provider",
    rebooking_mode: "same_doctor_only"
  })
  await office(200, "PATCH", `${base}/appointment-types/${type.uid}`, { allow_patient_rebooking: true })
  const reminders = `${base}/appointment-types/${type.uid}/reminders`
  const reminder = await office(201, "POST", reminders, { recipient_role: "doctor", minutes_before: 60 })
  await office(200, "PATCH", `${reminders}/${reminder.uid}`, { send_email: true })
  expect((await office(200, "GET", reminders)).data).toMatchObject([{ uid: reminder.uid, send_email: true }])
  await office(204, "DELETE", `${reminders}/${reminder.uid}`)

  const rules = `${base}/doctors/${world.doctor}/availability-rules`
  const rule = await office(201, "POST", rules, { weekday: 0, start_time: 540, end_time: 720 })
  await office(200, "PATCH", `${rules}/${rule.uid}`, { buffer_minutes: 5 })
  await office(204, "DELETE", `${rules}/${rule.uid}`)

  const overrides = `${base}/doctors/${world.doctor}/availability-date-overrides`
  const date = await midnightIn(10)
  await office(201, "POST", overrides, { date, start_time: 600, end_time: 660 })
  await office(201, "POST", overrides, { date, day_off: true })
  const search = { shop_uid: world.shop_uid, appointment_type_uid: type.uid, doctor_uid: world.doctor }
  const closed = await anybody(200, "POST", "/v1/scheduling/slots/search", { ...search, from: date, to: date + DAY })
  expect(closed.slots).toEqual([])

  const { slots } = await anybody(200, "POST", "/v1/scheduling/slots/search", {
    ...search,
    from: date + DAY,
    to: date + 2 * DAY
  })
  const hold = await office(200, "POST", "/v1/scheduling/holds", {
    shop_uid: world.shop_uid,
    shop_customer_id: random("customer"),
    doctor_uid: world.doctor,
    appointment_type_uid: type.uid,
    start_date: slots[0].start_date
  })
  const { uid } = await office(200, "POST", `/v1/scheduling/holds/${hold.hold_uid}/confirm`, {})
  const found = await office(200, "GET", `${base}/appointments?doctor_uid=${world.doctor}&status=confirmed`)
  expect(found.data).toMatchObject([{ uid, appointment_type_uid: type.uid }])
  const cancelled = await office(200, "POST", `${base}/appointments/${uid}/cancel`, { reason: "Doctor ill" })
  expect(cancelled).toMatchObject({ appointment_uid: uid, status: "cancelled", cancellation_reason: "Doctor ill" })
  expect(await office(200, "GET", `${base}/appointments?status=all&from=0`)).toMatchObject({ totalRegistries: 1 })
  await office(204, "DELETE", `${base}/appointment-types/${type.uid}`)
}, 600_000)

test("a doctor, and an administrator, with access tokens", async () => {
  const world = await makeWorld(server.current)
  const { organisation_uid, doctor: doctor_uid } = world
  const start_date = (await midnightIn(1)) + 9 * HOUR
  const uid = await world.booked(start_date)
  const person = { organisation_uid, ttlSeconds: 300 } as const
  const doctor = withBearer(await accessToken(server.current, { ...person, role: "doctor", doctor_uid }))
  const admin = withBearer(await accessToken(server.current, { ...person, role: "admin" }))

  expect((await doctor(200, "GET", "/v1/doctor/appointments")).data).toMatchObject([{ uid }])
  const rule = await doctor(201, "POST", "/v1/doctor/availability-rules", {
    weekday: 2,
    start_time: 480,
    end_time: 600
  })
  await doctor(200, "PATCH", `/v1/doctor/availability-rules/${rule.uid}`, { buffer_minutes: 5 })
  await doctor(204, "DELETE", `/v1/doctor/availability-rules/${rule.uid}`)

  const base = "/v1/admin/scheduling"
  expect((await admin(200, "GET", `${base}/appointments?doctor_uid=${doctor_uid}`)).data).toMatchObject([{ uid }])
  const reminders = `${base}/appointment-types/${world.type_uid}/reminders`
  const reminder = await admin(201, "POST", reminders, { recipient_role: "admin", minutes_before: 86_400 })
  await admin(204, "DELETE", `${reminders}/${reminder.uid}`)
  expect((await admin(200, "GET", `${base}/doctors/${doctor_uid}/availability-rules`)).data.length).toBe(7)

  const secrets = `${base}/booking-token-secrets`
  const made = await admin(201, "POST", secrets)
  const { shop_identifier, type_uid: appointment_type_uid } = world
  const opening = { mode: "booking", appointment_type_uid, from: start_date, to: start_date + DAY }
  const token = minted({ ...made, shop_identifier }, random("customer"))
  await withToken(token)(200, "POST", "/v1/scheduling/booking-sessions", opening)
  await admin(204, "DELETE", `${secrets}/${made.key_id}`)
  await withToken(token)(401, "POST", "/v1/scheduling/booking-sessions", opening)

  await server.current.advance(start_date - (await now()) - 60)
  await doctor(200, "POST", `/v1/doctor/appointments/${uid}/join`)
  await server.current.advance(120)
  expect(await doctor(200, "POST", `/v1/doctor/appointments/${uid}/complete`)).toMatchObject({ status: "completed" })
  const closed = await world.booked(start_date + DAY)
  const cancelling = admin(200, "POST", `${base}/appointments/${closed}/cancel`, { reason: "closed" })
  expect(await cancelling).toMatchObject({ status: "cancelled", cancellation_reason: "closed" })
}, 600_000)

describe("a telemedicine partner's shop, its pharmacy, and prescriptions", () => {
  const patient_data = { first_name: "Eva", last_name: "Muster", date_of_birth: 631_152_000, gender: "divers" }
  const buyerIdentity = { email: "eva@example.org", countryCode: "DE" }
  const pdf_base64 = Buffer.from("%PDF-1.7\n%%EOF\n").toString("base64")
  const api = "/v1/external_pharmacy_api"

  test("from the checkout to the payout", async () => {
    const shop = await makeShop(server.current)
    const { pharmacy_uid, pharmacy_key, shop_identifier, skus } = shop
    const payout_terms = { payment_account: "org_1", commission_bps: 500, markup_share_bps: 4_000 }
    await shop.provision({ pharmacies: [{ uid: pharmacy_uid, name: "Apotheke", payout_terms }] })
    const partner = withKey(shop.key)
    const checkout = `/v2/public-api/prescriptions/${shop_identifier}`
    const id = random("rx")
    const body = {
      prescriptions: [{ id, pdf_base64 }],
      lines: [{ sku_uid: skus.drops.uid, quantity: 2, prescription_id: id }],
      patient_data,
      buyerIdentity
    }
    const done = await partner(200, "POST", checkout, { ...body, prepaid: false, external_order_id: "A-1" })
    const [{ prescription_uid }] = done.prescriptions
    expect(done).toMatchObject({ status: "success", prescriptions: [{ id }] })
    const treatment = await partner(200, "POST", `/v2/public-api/treatments/${shop_identifier}`, {
      lines: [{ sku_uid: skus.advice.uid, quantity: 1 }],
      checkout_type: "checkout_link"
    })
    expect(treatment).toMatchObject({ status: "success", checkout_url: expect.stringContaining("http") })

    const draft = done.draft_order_id
    await fetch(`${server.current.url}/storefront/checkout/${draft}/pay`, { method: "POST" })
    const pharmacy = withKey(pharmacy_key)
    const { data } = await eventually(
      () => pharmacy(200, "GET", `${api}/pharmacy_orders/`),
      (found) => found.data.length > 0
    )
    const [order] = data
    expect(order).toMatchObject({ paid: true, status: "new", prescription_uid, lines: [{ quantity: 2 }] })
    const projected = await pharmacy(200, "GET", `${api}/payouts?status=projected`)
    const at = `${api}/pharmacy_orders/${order.uid}`
    for (const status of ["accepted", "in_preparation", "shipped"])
      await pharmacy(200, "PATCH", `${at}/status`, { status })
    await pharmacy(200, "PATCH", `${at}/complete_order`)
    const routed = await eventually(
      () => pharmacy(200, "GET", `${api}/payouts?status=routed&sort_by=amount&sort_direction=asc`),
      (found) => found.data.length === projected.data.length
    )
    expect(routed.data[0]).toMatchObject({
      provider_route_id: expect.stringContaining("crt_"),
      pharmacy_order_uid: order.uid
    })
    const known = await partner(200, "GET", `/v2/public-api/orders/${prescription_uid}`)
    expect(known).toMatchObject({ prescription_uid, orders: [{ uid: order.uid, status: "completed", paid: true }] })
  }, 600_000)

  test("an external signer renders a prescription, and registers it as signed", async () => {
    const shop = await makeShop(server.current)
    const { organisation_uid, shop_uid, skus } = shop
    const waiting = {
      uid: random("pre"),
      organisation_uid,
      shop_uid,
      status: "WAITING_FOR_DOCTOR",
      doctor_uid: shop.doctor,
      patient: { first_name: "Eva", last_name: "Muster", date_of_birth: null, gender: null },
      items: [{ sku_uid: skus.drops.uid, quantity: 1 }]
    }
    await shop.provision({ prescriptions: [waiting] })
    const signer = withKey(await shop.keyWith("prescription:read", "prescription:external_sign"))
    const path = `/v1/management/prescriptions/${waiting.uid}`
    expect(await signer(200, "GET", path)).toMatchObject({ status: "waiting_for_doctor", rendered: false })
    await signer(202, "POST", `${path}/render`)
    await eventually(
      () => signer(200, "GET", path),
      ({ rendered }) => rendered === true
    )
    const signed = await signer(200, "POST", `${path}/external-sign`)
    expect(signed).toEqual({ uid: waiting.uid, status: "EXTERNALLY_SIGNED" })
    const { data } = await withKey(shop.key)(
      200,
      "GET",
      "/v1/management/events?type=pharmacy_manager.send_prescription"
    )
    expect(data).toHaveLength(1)
  }, 600_000)
})
