/**
 * One client for each role, written from the published interface alone: paths, headers, bodies, statuses and fields as documented, plain
 * requests, no types or helpers of the service. Each goes its whole way, from its credential to the end of what it is for.
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

const keysOf = (value: object) => Object.keys(value).toSorted()
const expectFields = (value: object, ...fields: ReadonlyArray<string>) =>
  expect(keysOf(value)).toEqual(expect.arrayContaining([...fields]))

const now = () => server.current.now()
const midnightIn = async (days: number) => (Math.floor((await now()) / DAY) + days) * DAY

test("a patient: finds a time, holds it, confirms it late, moves it, joins it, and cancels another", async () => {
  const world = await makeWorld(server.current, {
    type: { cancellation_min_notice_minutes: 60, rebooking_min_notice_minutes: 60 }
  })
  const { shop_uid, type_uid: appointment_type_uid } = world
  const customer = random("customer")
  const patient = () => withToken(minted(world, customer))
  const [from, to] = [await midnightIn(2), await midnightIn(4)]

  const types = await anybody(200, "GET", `/v1/scheduling/appointment-types?shop_uid=${shop_uid}`)
  expect(keysOf(types.data[0])).toEqual(
    [
      ...["uid", "name", "duration_minutes", "hold_ttl_seconds", "booking_min_notice_minutes"],
      ...["doctor_assignment_mode", "allow_patient_rebooking", "rebooking_mode"]
    ].toSorted()
  )
  const search = { shop_uid, appointment_type_uid, from, to, timezone: "Europe/Berlin" }
  const { slots } = await anybody(200, "POST", "/v1/scheduling/slots/search", search)
  expect(keysOf(slots[0])).toEqual(
    ["doctor_uid", "doctor_name", "start_date", "end_date", "timezone", "start_local", "end_local"].toSorted()
  )
  await anybody(400, "POST", "/v1/scheduling/slots/search", { ...search, to: from + 32 * DAY })

  const opening = { mode: "booking", appointment_type_uid, from, to, return_url: "https://shop.example/done" }
  await anybody(401, "POST", "/v1/scheduling/booking-sessions", opening)
  const session = await anybody(200, "POST", "/v1/scheduling/booking-sessions", {
    ...opening,
    booking_token: minted(world, customer)
  })
  expectFields(session, "booking_launch_code", "expires_at", "launch_url")
  expect(session.launch_url).toContain(session.booking_launch_code)
  const path = `/v1/scheduling/booking-sessions/${session.booking_launch_code}`
  const loaded = await anybody(200, "GET", path)
  expect(loaded).toMatchObject({
    shop_uid,
    appointment_type_uid,
    appointment_type: { uid: appointment_type_uid, name: expect.any(String), duration_minutes: 20 },
    start_from: from,
    start_to: to,
    mode: "booking",
    return_url: "https://shop.example/done"
  })
  expect(JSON.stringify(loaded)).not.toContain(customer)

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
  await anybody(409, "POST", `${path}/holds`, { ...wanted, start_date: other.start_date }, once)
  await server.current.advance(601)
  const confirmed = await anybody(200, "POST", `${path}/holds/${hold.hold_uid}/confirm`, { visit_reason: "" })
  expect(confirmed).toMatchObject({ status: "confirmed", start_date: slot.start_date, visit_reason: null })

  const appointment = `/v1/scheduling/appointments/${confirmed.uid}`
  const refused = await patient()(400, "POST", `${appointment}/join`)
  expect(refused.error).toEqual([expect.any(String)])
  await withToken(minted(world, random("somebody")))(404, "POST", `${appointment}/cancel`, { reason: "mine" })
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
  const late = await patient()(400, "POST", `/v1/scheduling/appointments/${final.uid}/cancel`, {})
  expect(JSON.stringify(late.error)).toContain("cancellation_min_notice_minutes")
  const joined = await patient()(200, "POST", `/v1/scheduling/appointments/${final.uid}/join`)
  expectFields(joined, "room_name", "token", "expires_at")
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
  expect(context).toMatchObject({
    action: "rebook",
    appointment_start: booked.start_date,
    join_window: { state: "too_early", opens_at: booked.start_date - 600 },
    rebook_allowed: true,
    cancel_allowed: true,
    already_actioned: false,
    doctor_uid: world.doctor,
    rebooking_mode: "any_doctor_same_organisation"
  })
  const session = await anybody(200, "POST", `${code("rebook")}/rebook-session`)
  expect((await anybody(200, "POST", `${code("rebook")}/rebook-session`)).booking_launch_code).toBe(
    session.booking_launch_code
  )
  await anybody(400, "POST", `${code("join")}/join`)
  await anybody(404, "POST", `${code("join")}/cancel`)
  const cancelled = await anybody(200, "POST", `${code("cancel")}/cancel`, { reason: "Well again" })
  expect(cancelled).toEqual({ appointment_uid: booked.uid, status: "cancelled" })
  await anybody(409, "POST", `${code("cancel")}/cancel`, {})
}, 600_000)

test("a partner's key: sets up a practice, and runs its calendar", async () => {
  const world = await makeWorld(server.current)
  const office = withKey(world.key)
  const base = "/v1/management/scheduling"
  await withKey("spr_never_made")(401, "GET", `${base}/appointments`)
  await withKey(await world.keyWith("scheduling:admin"))(403, "GET", `${base}/appointments`)
  await withKey(await world.keyWith("scheduling:read"))(403, "POST", `${base}/appointment-types`, {})

  const type = await office(201, "POST", `${base}/appointment-types`, {
    name: "Follow-up",
    meeting_type: "FOLLOW_UP",
    duration_minutes: 15,
    hold_ttl_seconds: 300,
    room_strategy: "persistent_per_provider",
    rebooking_mode: "same_doctor_only"
  })
  expect(type).toMatchObject({
    organisation_uid: world.organisation_uid,
    booking_min_notice_minutes: 0,
    doctor_assignment_mode: "all_available_doctors",
    allow_patient_rebooking: false,
    active: true
  })
  await office(200, "PATCH", `${base}/appointment-types/${type.uid}`, { allow_patient_rebooking: true })
  const reminders = `${base}/appointment-types/${type.uid}/reminders`
  const reminder = await office(201, "POST", reminders, { recipient_role: "doctor", minutes_before: 60 })
  expect(reminder).toMatchObject({ send_email: false, send_sms: false, active: true })
  await office(200, "PATCH", `${reminders}/${reminder.uid}`, { send_email: true })
  expect((await office(200, "GET", reminders)).data).toMatchObject([{ uid: reminder.uid, send_email: true }])
  await office(204, "DELETE", `${reminders}/${reminder.uid}`)

  const rules = `${base}/doctors/${world.doctor}/availability-rules`
  const rule = await office(201, "POST", rules, {
    weekday: 0,
    start_time: 540,
    end_time: 720,
    valid_until: 2_000_000_000
  })
  expect(rule).toMatchObject({ buffer_minutes: 0, valid_from: null, active: true, appointment_type_uid: null })
  expect(await office(200, "PATCH", `${rules}/${rule.uid}`, { clear_valid_until: true })).toMatchObject({
    valid_until: null
  })
  await office(400, "POST", rules, { weekday: 7, start_time: 540, end_time: 720 })
  await office(204, "DELETE", `${rules}/${rule.uid}`)
  await office(404, "DELETE", `${rules}/${rule.uid}`)

  const overrides = `${base}/doctors/${world.doctor}/availability-date-overrides`
  const date = await midnightIn(10)
  await office(201, "POST", overrides, { date, start_time: 600, end_time: 660 })
  const off = await office(201, "POST", overrides, { date, day_off: true })
  expect(off).toMatchObject({ date, start_time: null, end_time: null })
  const listed = await office(200, "GET", `${overrides}?from=${date}&to=${date}&limit=10`)
  expect(listed).toMatchObject({ data: [{ uid: off.uid }], totalRegistries: 1, totalPages: 1 })
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
  expectFields(
    found.data[0],
    ...["uid", "status", "doctor_uid", "doctor_display_name", "patient_uid", "patient_display_name"],
    ...["appointment_type_uid", "appointment_type_name", "visit_reason", "meeting_type", "meeting_format"],
    ...["start_date", "end_date", "created_at", "cancelled_at", "cancellation_reason"]
  )
  await office(400, "POST", `${base}/appointments/${uid}/cancel`, { reason: "" })
  const elsewhere = await makeWorld(server.current, { doctors: 1 })
  await withKey(elsewhere.key)(404, "POST", `${base}/appointments/${uid}/cancel`, { reason: "not ours" })
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
  const colleague = withBearer(
    await accessToken(server.current, { ...person, role: "doctor", doctor_uid: world.doctors[1] ?? "" })
  )
  const admin = withBearer(await accessToken(server.current, { ...person, role: "admin" }))

  expect((await doctor(200, "GET", "/v1/doctor/appointments")).data).toMatchObject([{ uid }])
  expect((await colleague(200, "GET", "/v1/doctor/appointments")).data).toEqual([])
  const rule = await doctor(201, "POST", "/v1/doctor/availability-rules", {
    weekday: 2,
    start_time: 480,
    end_time: 600
  })
  await doctor(200, "PATCH", `/v1/doctor/availability-rules/${rule.uid}`, { buffer_minutes: 5 })
  await colleague(404, "PATCH", `/v1/doctor/availability-rules/${rule.uid}`, { buffer_minutes: 0 })
  await doctor(204, "DELETE", `/v1/doctor/availability-rules/${rule.uid}`)

  const base = "/v1/admin/scheduling"
  await doctor(403, "GET", `${base}/appointments`)
  expect((await admin(200, "GET", `${base}/appointments?doctor_uid=${doctor_uid}`)).data).toMatchObject([{ uid }])
  const reminders = `${base}/appointment-types/${world.type_uid}/reminders`
  const reminder = await admin(201, "POST", reminders, { recipient_role: "admin", minutes_before: 86_400 })
  await admin(204, "DELETE", `${reminders}/${reminder.uid}`)
  expect((await admin(200, "GET", `${base}/doctors/${doctor_uid}/availability-rules`)).data.length).toBe(7)
  await admin(404, "GET", `${base}/doctors/unknown/availability-rules`)

  const secrets = `${base}/booking-token-secrets`
  const made = await admin(201, "POST", secrets)
  expect(await admin(200, "GET", `${secrets}/${made.key_id}`)).toMatchObject({ secret: made.secret })
  const legacy = `${base}/organisations/${organisation_uid}/booking-token-secrets`
  expect((await admin(200, "GET", legacy)).data.map(({ key_id }: Body) => key_id)).toContain(made.key_id)
  const { shop_identifier, type_uid: appointment_type_uid } = world
  const opening = { mode: "booking", appointment_type_uid, from: start_date, to: start_date + DAY }
  const token = minted({ ...made, shop_identifier }, random("customer"))
  await withToken(token)(200, "POST", "/v1/scheduling/booking-sessions", opening)
  await admin(204, "DELETE", `${secrets}/${made.key_id}`)
  await withToken(token)(401, "POST", "/v1/scheduling/booking-sessions", opening)

  await server.current.advance(start_date - (await now()) - 60)
  const joined = await doctor(200, "POST", `/v1/doctor/appointments/${uid}/join`)
  expectFields(joined, "room_name", "token", "expires_at")
  await server.current.advance(120)
  expect(await doctor(200, "POST", `/v1/doctor/appointments/${uid}/complete`)).toMatchObject({ status: "completed" })
  const closed = await world.booked(start_date + DAY)
  const cancelled = { appointment_uid: closed, status: "cancelled", cancellation_reason: "closed" }
  const cancelling = admin(200, "POST", `${base}/appointments/${closed}/cancel`, { reason: "closed" })
  expect(await cancelling).toMatchObject({ ...cancelled, cancelled_at: expect.any(Number) })
  await admin(409, "POST", `${base}/appointments/${uid}/cancel`, { reason: "too late" })
  for (const body of [{}, { reason: "  " }]) await admin(400, "POST", `${base}/appointments/${uid}/cancel`, body)
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
    await partner(400, "POST", checkout, { ...body, prescriptions: [body.prescriptions[0], body.prescriptions[0]] })
    const { buyerIdentity: _, ...nobody } = body
    await partner(400, "POST", checkout, { ...nobody, checkout_type: "draft_order_without_checkout_request" })
    const done = await partner(200, "POST", checkout, { ...body, prepaid: false, external_order_id: "A-1" })
    const [{ prescription_uid }] = done.prescriptions
    expect(done).toMatchObject({ status: "success", prescriptions: [{ id }] })
    const duplicate = await partner(409, "POST", checkout, body)
    expect(duplicate.error).toContain(id)
    expect(duplicate.error).toContain(prescription_uid)
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
    expectFields(
      projected.data[0],
      ...["status", "amount", "currency", "component_type", "routing_description", "provider_route_id"],
      ...["pharmacy_order_uid", "pharmacy_order_name", "pharmacy_order_created_at", "routing_created_at"]
    )
    const at = `${api}/pharmacy_orders/${order.uid}`
    await pharmacy(409, "PATCH", `${at}/complete_order`)
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

  test("a pharmacy keeps its stock, and hears of changes", async () => {
    const shop = await makeShop(server.current)
    const pharmacy = withKey(shop.pharmacy_key)
    const listed = await pharmacy(200, "GET", `${api}/pharmacy_skus/?limit=5000`)
    const [sku] = listed.data
    expectFields(sku, "uid", "external_id", "price", "stock", "pharmacy", "created_at", "updated_at", "deleted_at")
    expectFields(
      sku.sku,
      ...["uid", "display_name", "pzn", "product_uid", "product_display_name", "standard_selling_unit", "unit"],
      ...["product_handle", "digital"]
    )
    await pharmacy(200, "PATCH", `${api}/pharmacy_skus/${sku.uid}`, { price: 1_234 })
    await pharmacy(200, "PATCH", `${api}/pharmacy_skus/${sku.uid}/stock`, { stock: -3 })
    const last = await pharmacy(200, "PATCH", `${api}/pharmacy_skus/${sku.uid}/external_id`, { external_id: "E-1" })
    expect(last).toMatchObject({ price: 1_234, stock: -3, external_id: "E-1" })
    expect((await pharmacy(200, "GET", `${api}/pharmacy_products/`)).data[0].skus.length).toBeGreaterThan(0)
    const hook = await pharmacy(201, "POST", `${api}/webhooks/`, {
      url: "http://127.0.0.1:9/hook",
      event_types: ["pharmacy_order.created"]
    })
    expect(hook.secret).toStartWith("whsec_")
    expect((await pharmacy(200, "GET", `${api}/webhooks/`)).data).toMatchObject([{ uid: hook.uid }])
    await pharmacy(204, "DELETE", `${api}/webhooks/${hook.uid}`)
    await withKey(shop.key)(403, "GET", `${api}/pharmacy_skus/`)

    const pharmacy_group_uid = random("grp")
    const key = random("spr_key_that_is_long_enough")
    await shop.provision({
      pharmacy_groups: [{ uid: pharmacy_group_uid, name: "Group" }],
      pharmacies: [{ uid: shop.pharmacy_uid, name: "Apotheke", group_uid: pharmacy_group_uid }],
      api_keys: [{ key, name: "group", permissions: ["stock_read"], pharmacy_group_uid }]
    })
    await withKey(key)(400, "GET", `${api}/pharmacy_skus/`)
    await withKey(key)(200, "GET", `${api}/pharmacy_skus/?pharmacy_uid=${shop.pharmacy_uid}`)
  }, 600_000)

  test("an external signer renders a prescription, and registers it as signed", async () => {
    const shop = await makeShop(server.current)
    const { organisation_uid, shop_uid, skus } = shop
    const waiting = (more: object = {}) => ({
      uid: random("pre"),
      organisation_uid,
      shop_uid,
      status: "WAITING_FOR_DOCTOR",
      doctor_uid: shop.doctor,
      patient: { first_name: "Eva", last_name: "Muster", date_of_birth: null, gender: null },
      items: [{ sku_uid: skus.drops.uid, quantity: 1, ...more }]
    })
    const [plain, mixed] = [waiting(), waiting({ anamnesis_uid: "ana_1" })]
    await shop.provision({ prescriptions: [plain, mixed] })
    const signer = withKey(await shop.keyWith("prescription:read", "prescription:external_sign"))
    const path = `/v1/management/prescriptions/${plain.uid}`
    expect(await signer(200, "GET", path)).toMatchObject({ status: "waiting_for_doctor", rendered: false })
    await withKey(await shop.keyWith("prescription:read"))(403, "POST", `${path}/render`)
    await signer(404, "GET", "/v1/management/prescriptions/unknown")
    await signer(409, "POST", `${path}/external-sign`)
    expectFields(await signer(202, "POST", `${path}/render`), "uid", "message")
    await eventually(
      () => signer(200, "GET", path),
      ({ rendered }) => rendered === true
    )
    const signed = await signer(200, "POST", `${path}/external-sign`)
    expect(signed).toEqual({ uid: plain.uid, status: "EXTERNALLY_SIGNED" })
    await signer(409, "POST", `${path}/external-sign`)
    await signer(202, "POST", `/v1/management/prescriptions/${mixed.uid}/render`)
    await signer(409, "POST", `/v1/management/prescriptions/${mixed.uid}/external-sign`)
    const { data } = await withKey(shop.key)(
      200,
      "GET",
      "/v1/management/events?type=pharmacy_manager.send_prescription"
    )
    expect(data).toHaveLength(1)
  }, 600_000)
})
