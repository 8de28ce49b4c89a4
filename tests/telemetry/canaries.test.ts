/** Canaries in every field that a patient, a partner or a pharmacy can fill: none may appear in logs, traces or metrics. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { makeShop, pdf, type ShopWorld } from "../checkout/support/shop.ts"
import { eventually } from "../support/eventually.ts"
import { freePort } from "../support/ports.ts"
import { type Service, startService, temporaryFolder } from "../support/processes.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { inDays, random } from "../support/world.ts"
import { collectorOf } from "./collector.ts"

const CANARY = "kanarie7f3a"
const collector = collectorOf()
const folder = temporaryFolder()
let admin: TestServer
let service: Service
let world: ShopWorld
/** Credentials that the service has issued or received: as secret as names. */
const credentials: Array<string> = []

const prescription_uid = random("prx")
const order_uid = random("pho")

const person = (name: string) => ({ first_name: `${CANARY}-${name}-first`, last_name: `${CANARY}-${name}-last` })

/** Names and texts of a practice, its shop and its pharmacy. */
const named = ({ organisation_uid, shop_uid, doctor, pharmacy_uid, product_uid, skus }: ShopWorld) => {
  const { uid: sku_uid } = skus.drops
  const unit = { product_uid, standard_selling_unit: 20, unit: "piece", selling_price: 900 }
  return {
    pharmacies: [{ uid: pharmacy_uid, name: `${CANARY} pharmacy` }],
    products: [{ uid: product_uid, display_name: `${CANARY} product`, handle: `${CANARY}-${product_uid}` }],
    skus: [{ uid: sku_uid, display_name: `${CANARY} sku`, ...unit }],
    pharmacy_orders: [
      {
        uid: order_uid,
        name: `${CANARY}-order`,
        pharmacy_uid,
        shop_uid,
        lines: [{ sku_uid, quantity: 1, unit_price: 900 }]
      }
    ],
    prescriptions: [
      {
        uid: prescription_uid,
        organisation_uid,
        status: "WAITING_FOR_DOCTOR",
        doctor_uid: doctor,
        patient: { ...person("prescription"), date_of_birth: 641_520_000, gender: "female" },
        items: [{ sku_uid, quantity: 1, dosage: `${CANARY} dosage` }]
      }
    ]
  }
}

beforeAll(async () => {
  admin = await startServer({ ROLE: "http" })
  world = await makeShop(admin)
  await world.provision(named(world))
  await world.api("PATCH", "/v1/management/organisation", {
    name: `${CANARY} organisation`,
    messages: ["confirmation", "cancellation"]
  })
  await world.api("PATCH", `/v1/management/scheduling/appointment-types/${world.type_uid}`, { name: `${CANARY} type` })
  service = await startService({
    DATABASE_URL: admin.databaseUrl,
    DATA_DIR: folder.path,
    LOG_LEVEL: "debug",
    WEBHOOK_ALLOW_PRIVATE: "true",
    SMTP_URL: `smtp://${CANARY}-user:${CANARY}-password@127.0.0.1:${freePort()}`, // nothing listens there: sending fails
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_TIMEOUT: "60000", // an export that a busy machine delays is not given up
    OTEL_BSP_SCHEDULE_DELAY: "50",
    OTEL_METRIC_EXPORT_INTERVAL: "200"
  })
  credentials.push(world.key, world.secret, world.pharmacy_key, world.webhook_secret)
})
afterAll(async () => {
  await service?.stop()
  await admin?.stop()
  await collector.stop()
  folder.remove()
})

const statuses: Array<number> = []
const refusals: Array<string> = []

const request = async (method: string, path: string, headers: Record<string, string>, body?: unknown) => {
  const response = await fetch(service.url + path, {
    method,
    headers: {
      "user-agent": `${CANARY}-agent`,
      cookie: `${CANARY}=1`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
  })
  const text = await response.text()
  statuses.push(response.status)
  if (response.status >= 400) refusals.push(text)
  return text.startsWith("{") ? JSON.parse(text) : {}
}

const key = (value: string) => ({ "x-api-key": value })

const bookAndCancel = async () => {
  const fields = {
    ...person("patient"),
    email: `${CANARY}@example.org`,
    phone: "+49 30 1234567",
    street: `${CANARY} street`,
    city: CANARY,
    [`${CANARY}_field`]: CANARY
  }
  const token = await world.token(`${CANARY}-customer`, {
    patient_profile_fields: Object.entries(fields).map(([field, value]) => ({ field, value, source: "shop" }))
  })
  const bearer = { "x-service-booking-token": token }
  const range = { appointment_type_uid: world.type_uid, from: inDays(0), to: inDays(30) }
  const subscription = await request("POST", "/v1/management/notification-subscriptions", key(world.key), {
    notification_type: "PATIENT_DOCTOR_MEETING_UPDATED",
    url: `http://127.0.0.1:${freePort()}/${CANARY}-hook?${CANARY}=1`
  })
  const session = await request("POST", "/v1/scheduling/booking-sessions", bearer, {
    mode: "booking",
    ...range,
    return_url: `https://shop.example/${CANARY}`
  })
  const code = session.booking_launch_code
  await request("GET", `/v1/scheduling/booking-sessions/${code}?note=${CANARY}`, {})
  const holds = `/v1/scheduling/booking-sessions/${code}/holds`
  const wanted = { doctor_uid: world.doctor, appointment_type_uid: world.type_uid, start_date: inDays(2, 9) }
  const once = { "idempotency-key": `${CANARY}-key` }
  const held = await request("POST", holds, once, { ...wanted, visit_reason: `${CANARY} visit reason` })
  const changed = { visit_reason: `${CANARY} changed reason` }
  const confirmed = await request("POST", `${holds}/${held.hold_uid}/confirm`, {}, changed)
  const links = `/v1/management/scheduling/appointments/${confirmed.uid}/action-links`
  const link = await request("POST", links, key(world.key), { action: "cancel" })
  await request("GET", `/v1/scheduling/appointment-actions/${link.code}`, {})
  await fetch(`${service.url}/meet/booking/${code}?lang=de`)
  await fetch(`${service.url}/meet/appointment/${link.code}`)
  await request("POST", `/v1/scheduling/appointments/${confirmed.uid}/cancel`, bearer, {
    reason: `${CANARY} cancel reason`
  })
  credentials.push(token, code, link.code, subscription.secret)
}

const prescribeAndOrder = async () => {
  const prescription = `/v1/management/prescriptions/${prescription_uid}`
  await request("POST", `${prescription}/render`, key(world.key))
  await eventually(
    () => request("GET", prescription, key(world.key)),
    ({ rendered }) => rendered === true
  )
  await request("POST", `${prescription}/external-sign`, key(world.key))
  const id = `${CANARY}-prescription`
  const checkout = world.bodyOf({
    prescriptions: [{ id, pdf_base64: pdf(CANARY) }],
    lines: [{ sku_uid: world.skus.drops.uid, quantity: 1, prescription_id: id }],
    patient_data: { ...person("checkout"), date_of_birth: 641_520_000, gender: "female" },
    buyerIdentity: { email: `${CANARY}-buyer@example.org`, phone: `${CANARY}-phone` },
    external_order_id: `${CANARY}-external-order`,
    shipping_address: { ...person("shipping"), address1: `${CANARY} 1`, city: CANARY, country_code: "DE", zip: CANARY }
  })
  await request("POST", `/v2/public-api/prescriptions/${world.shop_identifier}`, key(world.key), checkout)
  const orders = "/v1/external_pharmacy_api/pharmacy_orders"
  const pharmacy = key(world.pharmacy_key)
  await request("GET", `${orders}/?search=${CANARY}`, pharmacy)
  await request("PATCH", `${orders}/${order_uid}/status`, pharmacy, {
    status: "rejected",
    reason: `${CANARY} rejected`
  })
  const skus = "/v1/external_pharmacy_api/pharmacy_skus"
  const [sku] = (await request("GET", `${skus}/`, pharmacy)).data
  await request("PATCH", `${skus}/${sku.uid}`, pharmacy, { external_id: `${CANARY}-new` })
}

/** Failures log the most details: they must not quote values. */
const causeFailures = async () => {
  const search = "/v1/scheduling/slots/search"
  const token = `${CANARY}.${CANARY}.${CANARY}`
  const range = { from: CANARY, to: CANARY, timezone: CANARY }
  await request("POST", search, {}, `{"${CANARY}": `)
  await request("POST", search, {}, { shop_uid: world.shop_uid, appointment_type_uid: CANARY, ...range })
  await request("GET", `/v1/${CANARY}/nowhere?${CANARY}=${CANARY}`, {})
  await request(CANARY.toUpperCase(), search, {})
  await request("GET", `/v1/scheduling/booking-sessions/blc_${CANARY}`, {})
  await request("GET", "/v1/management/scheduling/appointments", key(`spr_${CANARY}`))
  await request("GET", "/v1/doctor/appointments", { authorization: `Bearer ${token}` })
  await request("POST", "/v1/scheduling/booking-sessions", { "x-service-booking-token": token }, {})
  const b3 = `${CANARY}-${CANARY}-1`
  await request("GET", "/healthz", { traceparent: `00-${CANARY}-${CANARY}-01`, b3, tracestate: `${CANARY}=1` })
}

// Shows: readers of logs and traces
test("a booking, a prescription and an order leave no canary and no credential in logs, traces or metrics", async () => {
  await bookAndCancel()
  await prescribeAndOrder()
  await causeFailures()
  expect(statuses.filter((status) => status >= 500)).toEqual([])
  expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(12)
  // the webhook and the mail have failed, and the failures are logged
  await eventually(
    async () => collector.spans.map(({ name }) => name),
    (names) => names.includes("webhook") && names.some((name) => name.startsWith("job message."))
  )
  await eventually(
    async () => service.said(),
    (said) => said.includes("failed")
  )
  const metrics = await (await fetch(`${service.url}/metrics`)).text()
  await service.stop()
  const seen = { logs: service.said(), traces: collector.raw.join("\n"), metrics, refusals: refusals.join("\n") }
  expect(seen.logs.length).toBeGreaterThan(500)
  expect(seen.logs).not.toContain("DeprecationWarning")
  expect(seen.traces.length).toBeGreaterThan(10_000)
  for (const [where, text] of Object.entries(seen)) {
    const at = text.toLowerCase().indexOf(CANARY)
    expect(at < 0 ? "" : `${where}: …${text.slice(Math.max(0, at - 300), at + 100)}`).toBe("")
    for (const credential of credentials) {
      const there = text.indexOf(credential)
      expect(there < 0 ? "" : `${where}: …${text.slice(Math.max(0, there - 200), there + 20)}`).toBe("")
    }
  }
})
