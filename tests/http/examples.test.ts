/** Every example of a request body in the OpenAPI document is sent unchanged to the demo world: none is refused. */
import { beforeAll, expect, test } from "bun:test"
import { Effect } from "effect"
import { SignJWT } from "jose"
import { demoWorld } from "../../src/capabilities/sandbox/services/demo/world.ts"
import { demo } from "../../src/capabilities/shared/services/demo.ts"
import { Provisioning } from "../../src/capabilities/shared/services/provisioning/Provisioning.ts"
import { caldavStandIn } from "../support/caldavStandIn.ts"
import { orderWithoutAnamnesis } from "../support/orderWithoutAnamnesis.ts"
import { type Ask, ownServer } from "../support/server.ts"
import { accessToken } from "../support/staff.ts"
import { type Operation, operations } from "./matrix/operations.ts"

const server = ownServer({ SANDBOX: "true", GOOGLE_CLIENT_ID: "id", GOOGLE_CLIENT_SECRET: "secret" })
const key = demo.managementKey
const type = demo.consultation
const FIRST_SLOT = 2_051_856_000
const SLOT = 25 * 60

const bookingToken = () =>
  new SignJWT({ shop_identifier: demo.shopIdentifier, shop_customer_id: demo.customer, patient_profile_fields: [] })
    .setProtectedHeader({ alg: "HS256", kid: demo.bookingKeyId })
    .setAudience("service-scheduling")
    .setIssuedAt()
    .setNotBefore("0s")
    .setExpirationTime("5m")
    .sign(new TextEncoder().encode(demo.bookingSecret))

const post = async (path: string, ask: Ask) => {
  const answer = await server.current.api("POST", path, ask)
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** The uid of a record that is created by key; of a path below that of the practice. */
const created = async (path: string, body: object) => (await post(`/v1/management/${path}`, { key, body })).uid

const WEEK = 7 * 86_400
/** The Monday of the first slot, UTC midnight. */
const FIRST_DATE = 2_051_827_200
let weeks = 0

/** Weeks after the first slot whose Monday is a holiday: Easter Monday and Whit Monday of 2035. From the first on it is summer time. */
const HOLIDAYS = [11, 18]
/** Nine o'clock in Berlin on the Monday of a week. */
const mondayOf = (week: number) => FIRST_SLOT + week * WEEK - (week >= 11 ? 3_600 : 0)
const customer = { shop_uid: demo.shop, shop_customer_id: demo.customer }
const bookable = { ...customer, doctor_uid: "doc_demo_1", appointment_type_uid: type }
/** A hold of the demo customer in a separate week, by API key. */
const hold = async (): Promise<string> => {
  do weeks += 1
  while (HOLIDAYS.includes(weeks))
  return (await post("/v1/scheduling/holds", { key, body: { ...bookable, start_date: mondayOf(weeks) } })).hold_uid
}
const appointment = async () => (await post(`/v1/scheduling/holds/${await hold()}/confirm`, { key, body: {} })).uid
const session = async () => {
  const body = { mode: "booking", appointment_type_uid: type, from: FIRST_SLOT, to: FIRST_SLOT + WEEK }
  return (await post("/v1/scheduling/booking-sessions", { token: await bookingToken(), body })).booking_launch_code
}
const link = async () => {
  const links = `/v1/management/scheduling/appointments/${await appointment()}/action-links`
  return (await post(links, { key, body: { action: "cancel" } })).code
}
const subscription = async ({ path }: Operation) => {
  const url = "https://partner.example/webhooks"
  if (!path.includes("external_pharmacy_api"))
    return created("notification-subscriptions", { notification_type: "REBOOKED", url })
  const body = { url, event_types: ["pharmacy_order.created"] }
  return (await post("/v1/external_pharmacy_api/webhooks/", { key: demo.pharmacyKey, body })).uid
}
const form = { title: "Anamnese", items: [{ link_id: "allergies", type: "boolean", text: "Haben Sie Allergien?" }] }
const room = "scheduling/resources/res_demo_room_1"

/** Records that the demo world lacks and the tests create. */
const made: Readonly<Record<string, (operation: Operation) => string | Promise<string>>> = {
  meeting_uid: appointment,
  appointment_uid: appointment,
  hold_uid: hold,
  booking_launch_code: session,
  code: link,
  // on a day without other bookings
  override_uid: ({ path }) => {
    const doctor = path.startsWith("/v1/doctor") ? "doc_demo_1" : "doc_demo_2"
    const subject = path.includes("{resource_uid}") ? room : `scheduling/doctors/${doctor}`
    const hours = { date: FIRST_DATE + 15 * 86_400, start_time: 540, end_time: 600 }
    return created(`${subject}/availability-date-overrides`, hours)
  },
  rule_uid: ({ path, parameters }) =>
    path.includes("{resource_uid}")
      ? created(`${room}/availability-rules`, { weekday: 5, start_time: 540, end_time: 720 })
      : String(parameters.find(({ name }) => name === "rule_uid")?.schema.examples?.[0]),
  // another one than those that the other examples use
  resource_uid: ({ method }) =>
    method === "DELETE" ? created("scheduling/resources", { kind: "room", name: "Room" }) : "res_demo_room_1",
  subscription_uid: subscription,
  // a changed type is not the one that the other examples book
  appointment_type_uid: ({ id, example }) =>
    id === "PATCH /v1/management/scheduling/appointment-types/{appointment_type_uid}"
      ? created("scheduling/appointment-types", Object(example))
      : type,
  series_uid: async () => {
    weeks += 2
    const of = { doctor_uid: "doc_demo_2", count: 2, interval_weeks: 1 } // whose hours no example changes
    const body = { ...bookable, ...of, start_date: mondayOf(weeks - 1) }
    return (await post("/v1/management/scheduling/appointment-series", { key, body })).series_uid
  },
  busy_source_uid: () => {
    const source = { kind: "ics", name: "Rota", url: "http://127.0.0.1:9/rota.ics", active: false }
    return created("scheduling/doctors/doc_demo_1/busy-sources", source)
  },
  connection_uid: async (operation) => {
    const body = { provider: "caldav", url: caldavStandIn(), username: "ada", password: "secret" }
    const { uid } = await post("/v1/doctor/calendar-connections", { ...(await credentialOf(operation)), body })
    await server.current.sql`UPDATE connected_calendars SET id = 'primary' WHERE connection_uid = ${uid}` // as in the example
    return uid
  },
  absence_uid: () =>
    created("scheduling/absences", { doctor_uid: "doc_demo_1", from: 2_060_000_000, to: 2_060_003_600 }),
  recall_uid: () => {
    const due = { patient_uid: "pat_demo", appointment_type_uid: type, due_date: "2035-01-22" }
    return created("scheduling/recalls", due)
  },
  waitlist_entry_uid: () =>
    created("scheduling/waitlist-entries", { patient_uid: "pat_demo", appointment_type_uid: type }),
  form_uid: ({ path }) => (path.includes("/intake/") ? "frm_example" : created("forms", form)),
  request_type_uid: () => "rqt_example",
  request_uid: async () => {
    const body = { request_type_uid: "rqt_example" }
    const { uid } = await post(`/v1/scheduling/booking-sessions/${await session()}/requests`, { body })
    await server.current.sql`UPDATE requests SET doctor_uid = 'doc_demo_1' WHERE uid = ${uid}`
    return uid
  },
  staff_person_uid: () => created("staff", { display_name: "Kim Beispiel", email: "kim@example.org", role: "billing" }),
  admin_uid: async () => {
    const body = { admins: [{ uid: "adm_example", display_name: "Front desk" }] }
    await server.current.api("PATCH", "/v1/management/organisation", { key, body })
    return "adm_example"
  },
  pharmacy_order_uid: async ({ path }) => {
    if (path.endsWith("/tracking")) return "pho_demo_shipped"
    const change = { uid: "chg_example", reason: "edited", since: 0, content: null, refunded_amount: 0, settled: false }
    if (path.endsWith("/accept_change"))
      await server.current.sql`UPDATE pharmacy_orders SET shop_change = ${JSON.stringify(change)}::jsonb
        WHERE uid = 'pho_demo'`
    return "pho_demo"
  },
  // an erased or restricted patient is not used by another example
  patient_uid: ({ path }) =>
    /(erase|restrict)$/.test(path) ? created("patients", { shop_uid: demo.shop }) : "pat_demo",
  client_id: async (operation) => {
    const body = { ...Object(operation.example), client_id: "another-portal" }
    return (await post("/v1/admin/fhir-clients", { ...(await credentialOf(operation)), body })).client_id
  },
  shop_identifier: () => demo.shopIdentifier,
  organisation_uid: () => demo.organisation,
  // a doctor whose whole week is replaced is not the one whom the other examples book
  doctor_uid: ({ id, path }) => {
    if (id === "PUT /v1/management/scheduling/doctors/{doctor_uid}/availability-rules") return "doc_demo_3"
    return path.includes("{override_uid}") ? "doc_demo_2" : "doc_demo_1"
  }
}

/** An order of the demo shop's article that needs an anamnesis, and has none. */
const waitForAnamnesis = () =>
  orderWithoutAnamnesis(server.current, demo.shopIdentifier, "sku_demo_finasterid", 5_123_456_789)

const pathOf = async (operation: Operation) => {
  if (operation.path.endsWith("/waiting-orders/release")) await waitForAnamnesis()
  let path = operation.path
  if (path.includes("{booking_launch_code}") && path.includes("{hold_uid}")) {
    const code = await session()
    const body = { doctor_uid: "doc_demo_1", appointment_type_uid: type, start_date: FIRST_SLOT + SLOT }
    const { hold_uid } = await post(`/v1/scheduling/booking-sessions/${code}/holds`, { body })
    path = path.replace("{booking_launch_code}", code).replace("{hold_uid}", hold_uid)
  }
  for (const { name, schema } of operation.parameters.filter((parameter) => path.includes(`{${parameter.name}}`)))
    path = path.replace(`{${name}}`, (await made[name]?.(operation)) ?? String(schema.examples?.[0]))
  return path
}

const credentialOf = async ({ path, security }: Operation): Promise<Ask> => {
  if (path.startsWith("/v1/external_pharmacy_api")) return { key: demo.pharmacyKey }
  if (path.startsWith("/v2/")) return { key: demo.checkoutKey }
  const staff = { organisation_uid: demo.organisation, ttlSeconds: 300 }
  if (path.startsWith("/v1/doctor"))
    return { bearer: await accessToken(server.current, { ...staff, role: "doctor", doctor_uid: "doc_demo_1" }) }
  if (path.startsWith("/v1/operator"))
    return { bearer: await accessToken(server.current, { role: "operator", ttlSeconds: 300 }) }
  if (path.startsWith("/v1/admin")) return { bearer: await accessToken(server.current, { ...staff, role: "admin" }) }
  if (path === "/v1/scheduling/booking-sessions") return { token: await bookingToken() }
  return security.length === 0 ? {} : { key }
}

beforeAll(async () => {
  await server.current.run(Effect.flatMap(Provisioning, ({ apply }) => apply(demoWorld())))
  // the records that the examples of forms and requests name, which get their uids at random
  const form_uid = await created("forms", form)
  const answer = { answer_within_minutes: 60, recipient: "practice" }
  await created("request-types", { name: "Rezept", kind: "prescription", form_uid, ...answer })
  const { sql } = server.current
  await sql`INSERT INTO forms SELECT organisation_uid, 'frm_example', title, version, items, active, created_at, updated_at
    FROM forms WHERE uid = ${form_uid}`
  await sql`UPDATE request_types SET uid = 'rqt_example' WHERE form_uid = ${form_uid}`
  const intake = [{ form_uid: "frm_example", due_minutes_before: 60, blocks: "nothing" }]
  await server.current.api("PATCH", `/v1/management/scheduling/appointment-types/${type}`, { key, body: { intake } })
})

/** Responses to an example that another operation has, too: its time or reminder already exists. */
const REPEATED = new Set(["reminder_exists", "slot_taken"])

/** Ends the prescription that other examples sign. */
const isLast = ({ id }: { readonly id: string }) => /\/prescriptions\/\{\w+\}\/cancel$/.test(id)

const withBody = operations
  .filter(({ example, id }) => example !== undefined && !id.includes("/sandbox/"))
  .toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)))

test("there are examples", () => expect(withBody.length).toBeGreaterThan(30))

for (const operation of withBody)
  test(`the example of ${operation.id} is accepted`, async () => {
    const options = { ...(await credentialOf(operation)), body: operation.example }
    const { status, body } = await server.current.api(operation.method, await pathOf(operation), options)
    if (status >= 300 && !REPEATED.has(body?.code)) expect([status, body]).toEqual([200, "accepted"])
  })
