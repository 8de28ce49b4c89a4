/** What the console of a practice and of a pharmacy does by its forms. Section 17.2. */
import { expect, test } from "bun:test"
import { asAdmin, asPharmacy } from "../../support/console.ts"
import { pharmacyWithOrder } from "../../support/pharmacyWithOrder.ts"
import { place } from "../../support/provisioned.ts"
import { testServer } from "../../support/server.ts"
import { inDays, makeWorld, random, type WorldOptions } from "../../support/world.ts"

const server = testServer()

const enter = async (options: WorldOptions = {}) => {
  const world = await makeWorld(server.current, options)
  const browser = await asAdmin(server.current, world)
  const send = (operation: string, fields: Readonly<Record<string, string>>, back = "/console/practice") =>
    browser.send(operation, { "@back": back, ...fields })
  return { world, browser, send }
}

test("exports the weeks as a file, previews a mail, and changes what patients see; Rules 7.8.1 and 7.8.3", async () => {
  const { world, browser, send } = await enter()
  const csv = await browser.ask("/console/practice/statistics.csv?zone=UTC")
  expect(csv.answer.headers.get("content-type")).toContain("text/csv")
  expect(csv.text.split("\r\n")[0]).toStartWith("week_starts_at,doctor_uid,doctor_display_name,booked")
  expect(csv.text).toContain(world.doctor)
  const mail = await browser.ask(`/console/practice/mail-preview?type=${world.type_uid}&language=en`)
  expect([mail.status, mail.text.includes("Consultation")]).toEqual([200, true])
  expect(mail.answer.headers.get("content-security-policy")).toContain("sandbox")
  expect((await browser.ask("/console/practice/mail-preview?type=aty_other")).status).toBe(404)
  await send("PATCH /v1/management/organisation", { "branding.phone": "030 1", "branding.address": "" })
  const { body } = await world.api("GET", "/v1/management/organisation")
  expect(body.branding).toMatchObject({ phone: "030 1", address: null })
})

test("exports, restricts and erases a patient, withdraws a consent, and says what is kept and why; Rules 12.2.1 to 12.2.9", async () => {
  const given = { purpose: "video", version: "1" }
  const consent = [{ ...given, texts: [{ language: "de", text: "Ja" }] }]
  const { world, browser, send } = await enter({ organisation: { consent } })
  const profile = { first_name: "Erika", last_name: random("Name") }
  const uid = await world.patient(profile)
  const { body } = await world.api("POST", `/v1/management/patients/${uid}/consents`, given)
  await place(world, uid, { status: "completed", start_date: inDays(-9, 9) })
  const page = `/console/practice/patients/${uid}`
  const { csrf } = browser
  const file = await browser.ask(`${page}/export`, { "@csrf": csrf, format: "json" })
  expect(file.answer.headers.get("content-disposition")).toBe(`attachment; filename*=UTF-8''${uid}.json`)
  expect(JSON.parse(file.text).patient.profile).toEqual(profile)
  expect((await browser.ask(`${page}/export`, { "@csrf": csrf, format: "html" })).text).toContain(profile.last_name)
  expect((await browser.ask(`${page}/export`, { "@csrf": "another", format: "json" })).status).toBe(403)

  await send(`POST /v1/management/patients/${uid}/restrict`, { restricted: "true" }, `${page}/rights`)
  expect((await browser.ask(`${page}/rights`)).text).toContain('name="restricted" value="false"')
  expect((await browser.ask(page)).text).toContain(`${body.uid}/withdraw`)
  await send(`POST /v1/management/patients/${uid}/consents/${body.uid}/withdraw`, {}, page)
  expect((await browser.ask(page)).text).not.toContain("/withdraw")
  expect((await browser.ask(`${page}/erase`, { "@csrf": csrf, reason: "" })).status).toBe(400)
  await browser.ask(`${page}/rights?lang=de`)
  const erased = await browser.ask(`${page}/erase`, { "@csrf": csrf, reason: "asked for" })
  expect([erased.status, erased.text.includes("§ 630f Abs. 3 BGB: Behandlungsunterlagen")]).toEqual([200, true])
  // what is kept has its name and its reason in the reader's language
  for (const word of ["GDPR", "audit_entries", "treatments", ">erasure"]) expect(erased.text).not.toContain(word)
  expect((await browser.ask(`${page}/rights`)).status).toBe(404)
})

test("books, moves and cancels by telephone, for a patient created on the spot; Rules 17.2.1 and 17.2.3", async () => {
  const { world, send, browser } = await enter()
  const made = await send("POST /v1/management/patients", {
    shop_uid: world.shop_uid,
    "profile.first_name": "Erika",
    "profile.last_name": "Muster",
    "profile.date_of_birth": "1980-02-29",
    "profile.email": ""
  })
  expect(made.location).toBe("/console/practice?done=organisation.patients.create")
  const { body } = await world.api("GET", "/v1/management/patients?search=Erika")
  expect(body.data[0].profile).toEqual({ first_name: "Erika", last_name: "Muster", date_of_birth: "1980-02-29" })
  const patient_uid = body.data[0].uid
  const booked = await send("POST /v1/management/scheduling/appointments", {
    shop_uid: world.shop_uid,
    patient_uid,
    appointment_type_uid: world.type_uid,
    visit_reason: "Husten",
    "@slot": `${inDays(2, 9)}.${world.doctor}`
  })
  expect([booked.status, booked.text.includes("alert")]).toEqual([303, false])
  const list = () => world.api("GET", `/v1/management/scheduling/appointments?patient_uid=${patient_uid}`)
  const [first] = (await list()).body.data
  expect(first).toMatchObject({ start_date: inDays(2, 9), visit_reason: "Husten", doctor_uid: world.doctor })
  const [start_date, doctor_uid] = [inDays(3, 10), world.doctors[1]]
  await send(`POST /v1/scheduling/appointments/${first.uid}/rebook`, { "@slot": `${start_date}.${doctor_uid}` })
  // without a mail address and a number nobody is told: the desk is
  const after = await browser.ask(booked.location)
  expect(after.text).toMatch(/data-done[^>]*>Appointment booked: .*Dr\. .* · Erika Muster/)
  expect(after.text).toContain("No message goes out, since no mail address is known.")
  const [moved] = (await list()).body.data
  expect(moved).toMatchObject({ start_date, doctor_uid, previous_meeting_uid: first.uid })
  const before = (await browser.ask(`/console/practice/appointments/${first.uid}`)).text
  expect(before).toContain('<span class="badge">moved</span>')
  expect(before).toMatch(new RegExp(`Moved to <a href="[^"]*${moved.uid}"`))
  expect(before).not.toContain("rebooked")
  const cancel = `POST /v1/management/scheduling/appointments/${moved.uid}/cancel`
  const refused = await send(cancel, { reason: "" })
  expect([refused.status, refused.text.includes('role="alert"')]).toEqual([400, true])
  await send(cancel, { reason: "krank" })
  expect((await list()).body.data).toEqual([])
})

test("shows a new key once, and audits actions under the person's name; Rules 17.2.1 and 17.2.3", async () => {
  const { world, browser, send } = await enter()
  const made = await send(
    "POST /v1/admin/api-keys",
    { name: "Shop", permissions: "scheduling:read", "@show": "key" },
    "/console/practice/access"
  )
  expect(made.status).toBe(200)
  const key = /spr_[\w-]{43}/.exec(made.text)?.[0] ?? ""
  const answer = await server.current.api("GET", "/v1/management/scheduling/appointments", { key })
  expect(answer.status).toBe(200)
  expect((await browser.ask("/console/practice/access")).text).not.toContain(key)
  const { body } = await world.api("GET", "/v1/management/audit-log?action=admin.api_keys.create")
  expect(body.data[0].actor).toEqual({ kind: "admin", uid: `admin@${world.organisation_uid}` })
})

test("a pharmacy takes an order through its steps; Rule 17.2.1", async () => {
  const { pharmacy_uid, order_uid } = await pharmacyWithOrder(await makeWorld(server.current))
  const browser = await asPharmacy(server.current, pharmacy_uid)
  const path = `PATCH /v1/external_pharmacy_api/pharmacy_orders/${order_uid}`
  for (const [operation, fields] of [
    [`${path}/status`, { status: "accepted" }],
    [`${path}/status`, { status: "in_preparation" }],
    [`${path}/status`, { status: "shipped", "tracking.carrier": "DHL", "tracking.number": "JJD1" }],
    [`${path}/complete_order`, {}]
  ] as const)
    expect([fields, (await browser.send(operation, fields)).status]).toEqual([fields, 303])
  expect((await browser.ask(`/console/pharmacy/orders/${order_uid}`)).text).toContain("JJD1")
})
