/** What a doctor does beside a call: prescriptions, own appointments, recalls. Rules 8.4.8 to 8.4.10. */
import { expect, test } from "bun:test"
import { hiddenField, signedIn } from "../support/console.ts"
import { testServer } from "../support/server.ts"
import { doctorOf } from "../support/staff.ts"
import { inDays, makeWorld, random } from "../support/world.ts"

const server = testServer()

const enter = async () => {
  const world = await makeWorld(server.current)
  const bearer = await doctorOf(server.current, world)
  const api = (method: string, path: string, body?: object) =>
    server.current.api(method, `/v1/doctor${path}`, { bearer, ...(body !== undefined && { body }) })
  const uid = await world.booked(inDays(3, 9))
  const { patient_uid } = (await world.api("GET", `/v1/management/scheduling/appointments/${uid}`)).body
  return { world, api, uid, patient_uid }
}

const article = async (world: Awaited<ReturnType<typeof enter>>["world"]) => {
  const [product_uid, sku_uid, name] = [random("prd"), random("sku"), random("Remedium")]
  const unit = { standard_selling_unit: 20, unit: "Stück", selling_price: 599, pzn: String(Date.now()).slice(-8) }
  await world.provision({
    products: [{ uid: product_uid, display_name: name, handle: product_uid }],
    skus: [{ uid: sku_uid, product_uid, display_name: name, ...unit }]
  })
  return { sku_uid, name }
}

test("a prescription is written from the list of articles, and waits with names; Rule 8.4.9", async () => {
  const { world, api, patient_uid } = await enter()
  const { sku_uid, name } = await article(world)
  const found = await api("GET", `/articles?search=${name.toLowerCase().slice(2)}`)
  expect(found.body.data).toMatchObject([{ sku_uid, name }])
  const items = [{ sku_uid, quantity: 2, dosage: "1-0-1" }]
  const made = await api("POST", "/prescriptions", { patient_uid, items })
  expect([made.status, made.body.patient.display_name, made.body.items]).toMatchObject([
    201,
    "Testa Patient",
    [{ sku_uid, quantity: 2, dosage: "1-0-1", article: name }]
  ])
  const waiting = await api("GET", "/prescriptions")
  expect(waiting.body.data.map((one: { uid: string }) => one.uid)).toContain(made.body.uid)
  expect((await api("POST", "/prescriptions", { patient_uid, items: [] })).status).toBe(400)
  const unknown = await api("POST", "/prescriptions", { patient_uid, items: [{ sku_uid: "sku_none", quantity: 1 }] })
  expect([unknown.status, unknown.body.error]).toEqual([400, ["items[0].sku_uid: is not a known SKU"]])
  const stranger = await makeWorld(server.current)
  const theirs = await stranger.booked(inDays(3, 9))
  const other = (await stranger.api("GET", `/v1/management/scheduling/appointments/${theirs}`)).body.patient_uid
  expect((await api("POST", "/prescriptions", { patient_uid: other, items })).status).toBe(404)
})

test("own appointments are moved and cancelled, and no others; Rule 8.4.10", async () => {
  const { world, api, uid } = await enter()
  const moved = await api("POST", `/appointments/${uid}/move`, { new_start_date: inDays(4, 10) })
  expect([moved.status, moved.body.status]).toEqual([200, "confirmed"])
  const next = moved.body.appointment_uid
  const cancelled = await api("POST", `/appointments/${next}/cancel`, { reason: "ill" })
  expect([cancelled.status, cancelled.body.cancellation_reason]).toEqual([200, "ill"])
  const other = await world.booked(inDays(3, 9), "b", { doctor_uid: world.doctors[1] })
  expect((await api("POST", `/appointments/${other}/cancel`, { reason: "x" })).status).toBe(404)
  expect((await api("POST", `/appointments/${other}/move`, { new_start_date: inDays(5, 9) })).status).toBe(404)
})

test("a patient is asked to come again, from the card; Rule 8.4.11", async () => {
  const { world, api, uid, patient_uid } = await enter()
  const recall = { patient_uid, appointment_type_uid: world.type_uid, due_date: "2035-01-22" }
  const made = await api("POST", "/recalls", recall)
  expect([made.status, made.body.doctor_uid]).toEqual([201, world.doctor])
  const browser = await signedIn(server.current, ["doctor", world.doctor, world.organisation_uid])
  const page = `/console/doctor/patients/${patient_uid}?appointment=${uid}`
  const { text } = await browser.ask(page)
  const due = /name="due_date" value="(\d{4}-\d\d-\d\d)"/.exec(text)?.[1] ?? ""
  const pressed = await browser.ask("/console/doctor/do", {
    "@csrf": hiddenField(text, "@csrf"),
    "@operation": "POST /v1/doctor/recalls",
    "@back": page,
    patient_uid,
    appointment_type_uid: world.type_uid,
    due_date: due
  })
  expect(pressed.status).toBe(303)
  const { data } = (await world.api("GET", `/v1/management/scheduling/recalls?patient_uid=${patient_uid}`)).body
  expect(data.map((one: { due_date: string }) => one.due_date)).toContain(due)
  // how the patient can be reached
  expect(text).toContain("@example.org")
})
