/** Two editors of one record: nothing is lost silently. Refusals are in the page's language, and values stand. Rules 17.2.8 and 17.2.9. */
import { expect, test } from "bun:test"
import { faultIn } from "../../../src/capabilities/shared/texts/faults.ts"
import { timeSpan } from "../../../src/capabilities/shared/texts/timeSpan.ts"
import { makePharmacy } from "../../pharmacy/pharmacyWorld.ts"
import { present } from "../../support/body.ts"
import {
  asAdmin,
  asDoctor,
  asOperator,
  asPharmacy,
  type ConsoleVisitor,
  hiddenField,
  unescaped
} from "../../support/console.ts"
import { stored } from "../../support/records.ts"
import { testServer } from "../../support/server.ts"
import { CONSULTATION, inDays, makeWorld, random, type World } from "../../support/world.ts"

const server = testServer()

/** The form of the operation on a page. */
const formIn = (text: string, operation: string) =>
  text.split("<form").find((one) => one.includes(`value="${operation}"`)) ?? ""

/** The hidden fields of the operation's form. */
const formOf = async (browser: ConsoleVisitor, page: string, operation: string) => {
  const form = formIn((await browser.ask(page)).text, operation)
  const named = [...form.matchAll(/name="(@(?:csrf|operation|back|zone|version))" value="([^"]*)"/g)]
  const fields = Object.fromEntries(named.map(([, name = "", value]) => [name, unescaped(value)]))
  expect([operation, fields["@version"]]).toEqual([operation, expect.stringMatching(/^"[\w-]{22}"$/)])
  return fields
}

/** A page, the operation of one of its forms, a field, what the two editors enter in it, and other fields. */
type Editable = readonly [
  page: string,
  operation: string,
  field: string,
  entered?: readonly [first: string, second: string],
  rest?: Readonly<Record<string, string>>
]
const URLS = ["https://erst.example.org/", "https://zweit.example.org/"] as const

const editables = async (world: World): Promise<ReadonlyArray<Editable>> => {
  const { doctor, organisation_uid, shop_uid, type_uid } = world
  const scheduling = "/v1/management/scheduling"
  const made = async (path: string, body: object) => (await world.api("POST", path, body)).body.uid
  const patient = await made("/v1/management/patients", { shop_uid, profile: { first_name: "A", last_name: "B" } })
  const hours = `${scheduling}/doctors/${doctor}/availability-rules`
  const rule = await made(hours, { weekday: 1, start_time: 540, end_time: 720 })
  const type = `${scheduling}/appointment-types/${type_uid}`
  const mail = { recipient_role: "patient", minutes_before: 60, send_email: true }
  const reminder = await made(`${type}/reminders`, mail)
  const hooks = "/v1/management/notification-subscriptions"
  const hook = await made(hooks, { notification_type: "REBOOKED", url: "https://hook.example.org/" })
  const room = await made(`${scheduling}/resources`, { kind: "room", name: "Zimmer" })
  const client = { client_id: random("fhc"), organisation_uid, name: "Portal", scopes: ["system/Slot.rs"] }
  await world.provision({ fhir_clients: [{ ...client, jwks_uri: "https://portal.example.org/jwks.json" }] })
  const times = { "start_time@clock": "09:00", weekday: "1", buffer_minutes: "0", active: "true" }
  return [
    [`/patients/${patient}`, `PATCH /v1/management/patients/${patient}`, "profile.last_name"],
    [`/hours?doctor=${doctor}`, `PATCH ${hours}/${rule}`, "end_time@clock", ["12:30", "13:00"], times],
    [`/types?type=${type_uid}`, `PATCH ${type}`, "name"],
    [`/types?type=${type_uid}`, `PATCH ${type}/reminders/${reminder}`, "minutes_before", ["90", "120"]],
    [`/resources?resource=${room}`, `PATCH ${scheduling}/resources/${room}`, "name"],
    ["/people", "PATCH /v1/management/organisation", "name"],
    [`/people?doctor=${doctor}`, `PATCH /v1/management/doctors/${doctor}`, "display_name"],
    ["/fhir", `PATCH /v1/admin/fhir-clients/${client.client_id}`, "name"],
    ["/shops", `PATCH /v1/management/shops/${shop_uid}`, "name"],
    // not there before: the first editor makes it
    [
      `/types?type=${type_uid}&doctor=${doctor}`,
      `PUT ${scheduling}/doctors/${doctor}/appointment-type-settings/${type_uid}`,
      "booking_min_notice_minutes",
      ["15", "30"],
      { active: "true" }
    ],
    ["/webhooks", `PATCH ${hooks}/${hook}`, "url", URLS]
  ]
}

/** Two editors open each form, and both send it. */
const expectSeen = async (browser: ConsoleVisitor, room: string, all: ReadonlyArray<Editable>) => {
  const outcomes: Array<unknown> = []
  for (const [page, operation, field, [first, second] = ["Erst", "Zweit"], rest = {}] of all) {
    const send = (fields: Readonly<Record<string, string>>, value: string) =>
      browser.ask(`/console/${room}/do`, { ...fields, ...rest, [field]: value })
    const form = await formOf(browser, `/console/${room}${page}`, operation)
    const saved = await send(form, first)
    const { status, text } = await send(form, second)
    // what was entered stands, with the new version; what is stored now is said
    const stands = text.includes(`value="${second}"`) || text.includes(`>${second}</textarea>`)
    const shown = field === "minutes_before" ? timeSpan("en", Number(first)) : first
    const says = text.includes(`Stored now: ${shown}`)
    const again = await send({ ...form, "@version": hiddenField(formIn(text, operation), "@version") }, second)
    outcomes.push([operation, saved.status, status, stands, says, again.status])
  }
  expect(outcomes).toEqual(all.map(([, operation]) => [operation, 303, 412, true, true, 303]))
}

test("the second of two editors of a record sees both versions, and may then replace the first; Rule 17.2.8", async () => {
  const world = await makeWorld(server.current)
  await expectSeen(await asAdmin(server.current, world), "practice", await editables(world))
  const uid = await world.booked(inDays(1, 9))
  const { patient_uid } = await stored(server.current, uid)
  const note = `/v1/doctor/appointments/${uid}/note`
  const doctor = await asDoctor(server.current, world)
  await doctor.send(`PUT ${note}`, { note: "zuerst" })
  await expectSeen(doctor, "doctor", [[`/patients/${patient_uid}?appointment=${uid}`, `PUT ${note}`, "note"]])
})

test("so does the second of two editors in a pharmacy; Rule 17.2.8", async () => {
  const world = await makePharmacy(server.current)
  const shipped = await world.order({ status: "shipped" })
  const open = await world.order({ status: "accepted" })
  const body = { url: "https://hook.example.org/", event_types: ["pharmacy_sku.updated"] }
  const hook = (await world.call("POST", "/webhooks/", { body })).body.uid
  const { uid } = world.skus.drops
  const article = { external_id: `ext-${uid}`, "price@euro": "10,00" }
  const patch = "PATCH /v1/external_pharmacy_api"
  await expectSeen(await asPharmacy(server.current, world.pharmacy_uid), "pharmacy", [
    [`/orders/${shipped}`, `${patch}/pharmacy_orders/${shipped}/tracking`, "number", ["1", "2"], { carrier: "DHL" }],
    [`/orders/${open}`, `${patch}/pharmacy_orders/${open}/problem`, "message"],
    ["/stock", `${patch}/pharmacy_skus/${uid}`, "stock", ["41", "42"], article],
    ["/webhooks", `${patch}/webhooks/${hook}`, "url", URLS]
  ])
})

test("an import leaves what was changed since its preview, applies the rest, and shows both; Rule 17.2.8", async () => {
  const world = await makePharmacy(server.current)
  const browser = await asPharmacy(server.current, world.pharmacy_uid)
  const { drops, gel } = world.skus
  const rows = `ext-${drops.uid};77;11.00\next-${gel.uid};88;`
  const { csrf } = browser
  const preview = await browser.ask("/console/pharmacy/stock/preview", { "@csrf": csrf, rows })
  const apply = (text: string) => {
    const form = text.split("<form").find((one) => one.includes("/console/pharmacy/stock/apply")) ?? ""
    const body = new URLSearchParams({ "@csrf": csrf, "@rows": rows })
    for (const [, one] of form.matchAll(/name="data" value="([^"]+)"/g)) body.append("data", unescaped(one))
    return browser.ask("/console/pharmacy/stock/apply", body)
  }
  await world.call("PATCH", `/pharmacy_skus/${drops.uid}`, { body: { price: 1_234 } })
  const refused = await apply(preview.text)
  expect([refused.status, refused.text.includes("Somebody has changed articles of this file")]).toEqual([412, true])
  // the other's price stands, and is shown beside this file's
  expect(refused.text).toMatch(/12\.34.*11\.00/s)
  const stored = async () => {
    const { data } = (await world.call("GET", "/pharmacy_skus/")).body
    return [drops, gel].map(({ uid }) => {
      const { stock, price } = present(data.find((one) => one.uid === uid))
      return [stock, price]
    })
  }
  expect(await stored()).toEqual([
    [10, 1_234],
    [88, 2_550]
  ])
  expect((await apply(refused.text)).status).toBe(303)
  expect(await stored()).toEqual([
    [77, 1_100],
    [88, 2_550]
  ])
})

test("an operator's file is applied only if its differences are those that were shown; Rule 17.2.8", async () => {
  const world = await makeWorld(server.current)
  const browser = await asOperator(server.current)
  const { csrf } = browser
  const page = "/console/operator/provisioning"
  const uid = random("aty")
  const own = { uid, organisation_uid: world.organisation_uid }
  const fileOf = (name: string) => JSON.stringify({ appointment_types: [{ ...own, name, ...CONSULTATION }] })
  const preview = async (file: string) => (await browser.ask(page, { "@csrf": csrf, file, reset: "false" })).text
  const apply = (text: string, file: string) =>
    browser.send("POST /v1/operator/provisioning", {
      "@back": page,
      "@version": hiddenField(text, "@version"),
      file,
      reset: "false",
      dry_run: "false"
    })
  const nameNow = async () =>
    (await world.api("GET", "/v1/management/scheduling/appointment-types")).body.data.find((one) => one.uid === uid)
      ?.name
  expect((await apply(await preview(fileOf("Anfang")), fileOf("Anfang"))).status).toBe(303)
  const [one, other] = [await preview(fileOf("Erst")), await preview(fileOf("Zweit"))]
  expect((await apply(one, fileOf("Erst"))).status).toBe(303)
  const refused = await apply(other, fileOf("Zweit"))
  expect([refused.status, refused.text.includes("Zweit"), await nameNow()]).toEqual([412, true, "Erst"])
  expect((await apply(await preview(fileOf("Zweit")), fileOf("Zweit"))).status).toBe(303)
  expect(await nameNow()).toBe("Zweit")
})

test("the second of two editors of a doctor's week sees that it was changed, and may then replace it; Rule 17.2.8", async () => {
  const world = await makeWorld(server.current)
  const browser = await asAdmin(server.current, world)
  const page = `/console/practice/hours?doctor=${world.doctor}`
  const path = `/v1/management/scheduling/doctors/${world.doctor}/availability-rules`
  const operation = `PUT ${path}`
  const week = { doctor: world.doctor, buffer: "0", "to.1.0": "17:00" }
  const send = (fields: Readonly<Record<string, string>>, from: string) =>
    browser.ask("/console/practice/hours", { ...fields, ...week, "from.1.0": from })
  const form = await formOf(browser, page, operation)
  expect((await send(form, "09:00")).status).toBe(303)
  const refused = await send(form, "10:00")
  expect([refused.status, refused.text.includes('value="10:00"')]).toEqual([412, true])
  const rules = () => world.api("GET", path)
  expect((await rules()).body.data).toMatchObject([{ start_time: 540 }])
  expect((await send(await formOf(browser, page, operation), "10:00")).status).toBe(303)
  const listed = await rules()
  expect(listed.body.data).toMatchObject([{ start_time: 600 }])
  // the list's own tag counts, too
  const headers = { "if-match": listed.headers.get("etag") ?? "" }
  const put = () => server.current.api("PUT", path, { key: world.key, headers, body: { rules: [] } })
  expect([(await put()).status, (await put()).status]).toEqual([200, 412])
})

test("a notice in minutes is said in the largest units that fit", () => {
  expect(faultIn("de", "must be moved at least 1440 minutes before the start")).toBe(
    "Verschieben geht nur bis 1 Tag vor dem Beginn."
  )
})

test("faults are said at the field and by its label, in German, and values stand; Rule 17.2.9", async () => {
  const world = await makeWorld(server.current)
  const browser = await asAdmin(server.current, world)
  await browser.ask("/console/practice?lang=de")
  const person = { "profile.first_name": "Eva", "profile.last_name": "Muster", "profile.email": "keine Adresse" }
  const fields = { "@back": "/console/practice/patients/{uid}", shop_uid: world.shop_uid, ...person }
  const { status, text } = await browser.send("POST /v1/management/patients", fields, "patients")
  expect([status, text.includes("E-Mail: Das ist keine E-Mail-Adresse.")]).toEqual([400, true])
  for (const value of Object.values(person)) expect(text).toContain(`value="${value}"`)
  expect(text).toMatch(
    /<input[^>]*name="profile.email"[^>]*aria-invalid="true"|aria-invalid="true"[^>]*name="profile.email"/
  )
  expect(text).not.toMatch(/must be|profile\.email:/)
})
