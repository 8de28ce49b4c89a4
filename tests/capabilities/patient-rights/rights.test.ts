/** A patient's export, erasure and restriction by the management interface. Section 12.2. */
import { expect, test } from "bun:test"
import { Effect, Schema } from "effect"
import { PatientExport } from "../../../src/capabilities/patient-rights/schemas/PatientRights.ts"
import { Erasures } from "../../../src/capabilities/patient-rights/services/Erasures.ts"
import { PatientUid } from "../../../src/schemas/ids.ts"
import { Idempotency, INSTALLATION } from "../../../src/services/Idempotency.ts"
import { payloadOf } from "../../../src/services/queue/queues.ts"
import { prescriptionWorld } from "../../prescriptions/support/world.ts"
import { present } from "../../support/body.ts"
import { eventually } from "../../support/eventually.ts"
import { place } from "../../support/provisioned.ts"
import { stored } from "../../support/records.ts"
import { refuse } from "../../support/refusal.ts"
import { testServer } from "../../support/server.ts"
import { withKey } from "../../support/withKey.ts"
import { DAY, inDays, random } from "../../support/world.ts"

const server = testServer()

const consent = [{ purpose: "video", version: "1", texts: [{ language: "de", text: "Ja" }] }]

const scene = async () => {
  const world = await prescriptionWorld(server.current, { organisation: { consent } })
  const call = (method: string, at: string, body?: unknown, key = world.key) =>
    server.current.api(method, `/v1/management${at}`, { key, body })
  const name = random("name")
  const profile = { first_name: name, last_name: "Patient", date_of_birth: "1980-02-29", email: `${name}@example.org` }
  const { uid } = (await call("POST", "/patients", { shop_uid: world.shop_uid, shop_customer_id: name, profile })).body
  const claims = { patient_profile_fields: [{ field: "city", value: "Bonn", source: "shop" }] }
  const token = () => world.token(name, claims)
  const at = `/patients/${uid}`
  const erase = () => call("POST", `${at}/erase`, { reason: "The patient asked for it" })
  const events = async (type: string) =>
    (await call("GET", `/events?type=${type}&limit=500`)).body.data.filter(
      ({ data }: { data: { patient_uid: string } }) => data.patient_uid === uid
    )
  return { ...world, call, name, profile, uid, at, token, erase, events }
}
type Scene = Awaited<ReturnType<typeof scene>>

/** A booking by API key for the scene's patient; its uid. */
const book = async ({ bookByKey, uid }: Scene, start_date: number, visit_reason = "Cough") => {
  const made = await bookByKey({ patient_uid: uid, start_date, visit_reason })
  expect(made.status).toBe(201)
  return made.body.uid
}

/** A signed prescription in the patient's name, and an order that carries it. */
const prescribe = async ({ prescription, paidOrder, name }: Scene, order: Readonly<Record<string, unknown>> = {}) => {
  const patient = {
    first_name: name.toUpperCase(),
    last_name: "patient",
    date_of_birth: "1980-02-29",
    gender: "female"
  }
  const prescription_uid = await prescription({ status: "SIGNED", patient })
  return { prescription_uid, order_uid: await paidOrder(prescription_uid, order) }
}

test("an export has all stored data, in JSON and as a page, and publishes an event", async () => {
  const one = await scene()
  const { call, at, uid, name, events, token } = one
  // a partner's number that is not a time is shown unchanged
  const profile = { ...one.profile, seen_at: 1_795_392_311_000_000, left_at: 0 }
  expect((await call("PATCH", at, { profile })).status).toBe(200)
  const appointment = await book(one, inDays(3, 9))
  await server.current.api("POST", "/v1/scheduling/booking-sessions", {
    token: await token(),
    body: { mode: "booking", appointment_type_uid: one.type_uid, from: inDays(0), to: inDays(2) }
  })
  await call("POST", `${at}/consents`, { purpose: "video", version: "1" })
  const { prescription_uid, order_uid } = await prescribe(one)
  const { status, body } = await call("POST", `${at}/export`)
  expect(status).toBe(200)
  // the records are sent as they are: fields beyond those documented would be sent too
  Schema.decodeUnknownSync(PatientExport)(body, { onExcessProperty: "error" })
  expect(body).toMatchObject({
    patient: { uid, shop_customer_id: name, profile: { ...profile, city: "Bonn" } },
    appointments: [{ uid: appointment, visit_reason: "Cough" }],
    prescriptions: [{ uid: prescription_uid, items: [{ dosage: "1-0-1" }] }],
    orders: [{ uid: order_uid, pharmacy_uid: one.pharmacy_uid, prescription_uid }],
    consents: [{ purpose: "video", version: "1" }],
    sessions: [{ mode: "booking" }],
    files: [],
    exported_at: expect.any(Number)
  })
  expect(body.events.map(({ type }: { type: string }) => type)).toEqual(
    expect.arrayContaining(["patient.created", "patient_doctor_meeting_updated"])
  )
  expect(await events("patient.exported")).toMatchObject([{ data: { patient_uid: uid, actor: { kind: "api_key" } } }])
  const page = await call("POST", `${at}/export-document`)
  expect(page.headers.get("content-type")).toStartWith("text/html")
  const shown = [name, appointment, "Cough", "1-0-1", order_uid, "1795392311000000", "1970-01-01 00:00 UTC"]
  for (const text of shown) expect(page.body).toContain(text)
  expect(page.body).not.toContain("<script")
})

test("export and erasure of a patient who booked without a partner exclude a namesake's data; Rule 12.2.5", async () => {
  const one = await scene()
  const { call, profile, shop_uid } = one
  const { prescription_uid, order_uid } = await prescribe(one)
  const customer = { shop_customer_id: random("public:"), profile: { ...profile, email: "other@example.org" } }
  const { uid } = (await call("POST", "/patients", { shop_uid, ...customer })).body
  expect((await call("POST", `/patients/${uid}/export`)).body).toMatchObject({ prescriptions: [], orders: [] })
  expect((await call("POST", `/patients/${uid}/erase`, { reason: "Asked" })).status).toBe(200)
  expect((await call("POST", `${one.at}/export`)).body).toMatchObject({
    prescriptions: [{ uid: prescription_uid }],
    orders: [{ uid: order_uid }]
  })
})

test("prescriptions and orders still belong to the patient after a name correction (Rules 12.2.5 and 12.2.12)", async () => {
  const one = await scene()
  const { call, at, profile, shop_uid } = one
  const keyed = await prescribe(one)
  // with two patients of the same name and date of birth, its owner is ambiguous
  const namesake = (await call("POST", "/patients", { shop_uid, profile })).body.uid
  const doubtful = await prescribe(one)
  const owned = async (patient: string) => {
    const { body } = await call("POST", `${patient}/export`)
    const uids = (some: ReadonlyArray<{ uid: string }>) => some.map(({ uid }) => uid).toSorted()
    return { prescriptions: uids(body.prescriptions), orders: uids(body.orders) }
  }
  const of = (...some: ReadonlyArray<typeof keyed>) => ({
    prescriptions: some.map(({ prescription_uid }) => prescription_uid).toSorted(),
    orders: some.map(({ order_uid }) => order_uid).toSorted()
  })
  expect(await owned(at)).toEqual(of(keyed, doubtful))
  expect(await owned(`/patients/${namesake}`)).toEqual(of(doubtful))
  expect((await call("PATCH", at, { profile: { last_name: random("Other") } })).status).toBe(200)
  expect(await owned(at)).toEqual(of(keyed, doubtful))
  expect(await owned(`/patients/${namesake}`)).toEqual(of())
})

test("an erased patient is 404, not found, not erased twice, and publishes an event; the same customer is a new patient", async () => {
  const one = await scene()
  const { call, at, uid, name, erase, events } = one
  const future = await book(one, inDays(4, 9))
  const { status, body } = await erase()
  expect(status).toBe(200)
  expect(body.erased).toEqual(
    expect.arrayContaining([
      { what: "profile", count: 1 },
      { what: "visit_reasons", count: 1 },
      { what: "cancelled_appointments", count: 1 }
    ])
  )
  expect(body.kept.map(({ what }: { what: string }) => what)).toEqual(["appointments", "audit_entries", "erasure"])
  for (const { why, count } of body.kept)
    expect([why, count]).toEqual([expect.stringMatching(/.{30}/), expect.any(Number)])
  const again = [erase(), call("GET", at), call("PATCH", at, { profile: {} }), call("POST", `${at}/export`)]
  expect((await Promise.all(again)).map((answer) => answer.status)).toEqual([404, 404, 404, 404])
  expect((await call("GET", `/patients?search=${name}`)).body.data).toEqual([])
  expect((await call("GET", `/scheduling/appointments/${future}`)).body).toMatchObject({
    status: "cancelled",
    patient_display_name: "",
    visit_reason: null
  })
  expect(await events("patient.erased")).toMatchObject([{ data: { patient_uid: uid, cancelled: [future] } }])
  const feed = JSON.stringify((await call("GET", "/events?limit=500")).body.data)
  expect(feed).not.toContain(name)
  expect(feed).toContain('"cancelled"')

  const session = { mode: "booking", appointment_type_uid: one.type_uid, from: inDays(0), to: inDays(2) }
  await server.current.api("POST", "/v1/scheduling/booking-sessions", { token: await one.token(), body: session })
  const found = (await call("GET", `/patients?shop_customer_id=${name}`)).body.data
  expect(found).toMatchObject([{ uid: expect.not.stringMatching(uid), profile: { city: "Bonn" } }])
})

test("treatments, signed prescriptions and vouchers are archived sealed for the legal period, and opened by the operator", async () => {
  const one = await scene()
  const { call, uid, name, organisation_uid, erase } = one
  const start_date = inDays(-10, 10)
  const end_date = start_date + 1200
  const past = await place(one, uid, { status: "completed", start_date, fields: { visit_reason: "Cough" } })
  const { prescription_uid } = await prescribe(one, { status: "completed" })
  const { body } = await erase()
  const { count, why, until } = present(body.kept.find(({ what }) => what === "treatments"))
  expect([count, why]).toEqual([2, expect.stringContaining("630f")])
  expect(until).toBeGreaterThanOrEqual(end_date + 3653 * DAY)
  expect((await stored(server.current, past)).visit_reason_encrypted).toBeNull()
  const records = await server.current.run(
    Effect.flatMap(Erasures, ({ retained }) => retained(organisation_uid, PatientUid.make(uid)))
  )
  const text = JSON.stringify(records)
  for (const shown of [name, "Cough", "1-0-1", past, prescription_uid]) expect(text).toContain(shown)
  expect((await call("GET", `/scheduling/appointments/${past}`)).body.patient_display_name).toBe("")
})

test("an order in progress keeps its recipient until it ends, and is then erased too", async () => {
  const one = await scene()
  const { order_uid } = await prescribe(one, { status: "new" })
  const path = `/v1/external_pharmacy_api/pharmacy_orders/${order_uid}`
  const patientOf = async () => (await server.current.api("GET", path, { key: one.pharmacyKey })).body.patient
  const { body } = await one.erase()
  const why = expect.stringContaining("in progress")
  expect(body.kept).toContainEqual({ what: "orders_in_progress", count: 1, why, until: null })
  expect(await patientOf()).toMatchObject({ last_name: "patient" })
  const finish = () => server.current.run(Effect.flatMap(Erasures, (erasures) => erasures.finish()))
  const applied = async () => {
    const jobs = await server.current.sql`SELECT FROM pgboss.job WHERE name = 'answers.forget'
      AND data::text LIKE ${`%${one.uid}%`}`
    return jobs.length
  }
  await finish()
  await finish()
  expect(await patientOf()).toMatchObject({ last_name: "patient" })
  expect(await applied()).toBe(1)
  // An earlier one of the same organisation that always fails
  const customer = { shop_uid: one.shop_uid, shop_customer_id: random("other"), profile: { first_name: "Other" } }
  const broken = (await one.call("POST", "/patients", customer)).body.uid
  expect((await one.call("POST", `/patients/${broken}/erase`, { reason: "Asked" })).status).toBe(200)
  await server.current.sql`UPDATE erasures SET orders_in_progress = 1, erased_at = erased_at - interval '1 day'
    WHERE patient_uid = ${broken}`
  const accept = await refuse(server.current.databaseUrl, "UPDATE", "erasures", `OLD.patient_uid = '${broken}'`)
  await server.current.api("PATCH", `${path}/status`, { key: one.pharmacyKey, body: { status: "rejected" } })
  await expect(finish()).rejects.toThrow()
  expect(JSON.stringify((await patientOf()) ?? null)).not.toContain("patient")
  await accept()
  await finish()
  await finish()
  expect(await applied()).toBe(2)
})

test("answers stored for a pharmacy's repeated requests are erased with the order", async () => {
  const one = await scene()
  const { pharmacy_uid } = one
  const { order_uid } = await prescribe(one, { status: "completed" })
  const scope = random("api_key:")
  const answered = (owner_uid: string, answer: string) =>
    Effect.flatMap(Idempotency, ({ once }) =>
      once({ owner_uid, scope, answer: Schema.String }, Effect.succeed(answer))
    ).pipe(withKey(answer))
  const kept = () => server.current.sql`SELECT key FROM idempotency_keys WHERE scope = ${scope}`
  // a group's key belongs to no single pharmacy
  const answers = Effect.all([
    answered(pharmacy_uid, order_uid),
    answered(INSTALLATION, order_uid),
    answered(pharmacy_uid, "other")
  ])
  await server.current.run(Effect.provide(answers, Idempotency.Default))
  expect(await kept()).toHaveLength(3)
  expect((await one.erase()).status).toBe(200)
  // by jobs: the response does not wait until all stored responses are decrypted
  const jobs = await server.current.sql`SELECT data->'data' AS data FROM pgboss.job WHERE name = 'answers.forget'
    AND data::text LIKE ANY (${[`%${one.uid}%`, `%${order_uid}%`]}::text[])`
  const sent = jobs.map(({ data }) => Schema.decodeUnknownSync(payloadOf("answers.forget"))(data))
  expect(sent.map(({ owner_uid }) => owner_uid).toSorted()).toEqual(
    [one.organisation_uid, pharmacy_uid, INSTALLATION].toSorted()
  )
  const left = await eventually(kept, ({ length }) => length === 1)
  expect(left).toMatchObject([{ key: "other" }])
})

test("a hold that had expired before an erasure cannot be confirmed after it", async () => {
  const one = await scene()
  const { hold_uid } = (await one.holdByKey({ shop_customer_id: one.name, start_date: inDays(3, 9) })).body
  await server.current.sql`UPDATE appointments SET hold_expires_at = created_at WHERE uid = ${hold_uid}`
  expect((await one.erase()).status).toBe(200)
  const confirmed = await one.api("POST", `/v1/scheduling/holds/${hold_uid}/confirm`, { visit_reason: "Cough" })
  expect(confirmed).toMatchObject({ status: 409, body: { code: "not_confirmable" } })
})

test("while a patient is restricted nothing is booked and tokens change nothing; reading and correcting stay possible", async () => {
  const one = await scene()
  const { call, at, token } = one
  const restrict = (restricted: unknown) => call("POST", `${at}/restrict`, { restricted })
  expect(await restrict(true)).toMatchObject({ status: 200, body: { restricted_at: expect.any(Number) } })
  await server.current.api("POST", "/v1/scheduling/appointments/none/join", { token: await token() })
  expect((await call("GET", at)).body.profile.city).toBeUndefined()
  const book = () => one.bookByKey({ patient_uid: one.uid, start_date: inDays(5, 9) })
  expect(await book()).toMatchObject({ status: 400, body: { code: "patient_restricted" } })
  expect((await call("PATCH", at, { profile: { city: "Köln" } })).status).toBe(200)
  expect(await restrict(false)).toMatchObject({ status: 200, body: { restricted_at: null } })
  expect((await book()).status).toBe(201)
  expect((await restrict("yes")).status).toBe(400)
})
