/** Every operation of staff has a page, as listed in docs/console.md, and every form of a page is an operation. Rules 17.2.1 and 17.2.7. */
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { Glob } from "bun"
import { Option } from "effect"
import { Api } from "../../../script/generate/wholeApi.ts"
import { operationIdOf } from "../../../src/capabilities/documentation/http/openapi/operationIds.ts"
import { endpointsOf } from "../../../src/http/endpoints.ts"
import { caldavStandIn } from "../../support/caldavStandIn.ts"
import { asAdmin, asDoctor, asOperator, asPharmacy, type ConsoleVisitor } from "../../support/console.ts"
import { eventually } from "../../support/eventually.ts"
import { pharmacyWithOrder } from "../../support/pharmacyWithOrder.ts"
import { place } from "../../support/provisioned.ts"
import { testServer } from "../../support/server.ts"
import { doctorOf } from "../../support/staff.ts"
import { waitingPrescriptions } from "../../support/waitingPrescriptions.ts"
import { dayOf, inDays, makeWorld, random, type World } from "../../support/world.ts"
import { checked } from "./support/consolePages.ts"

const server = testServer()

const ofStaff = /^(management|organisation|admin|doctor|operator|pharmacy)\b/
const endpoints = endpointsOf(Api).map((one) => {
  const { name, method, path } = one.endpoint
  const hasVersion = Option.exists(one.endpoint.headersSchema, ({ ast }) => String(ast).includes("if-match"))
  return { name: `${one.group.identifier}.${name}`, id: operationIdOf(one), method, path: String(path), hasVersion }
})
const operations = endpoints.filter(({ name }) => ofStaff.test(name))

/** Names of operations by page, as documented. */
const [pages = "", others = ""] = (
  readFileSync("docs/console.md", "utf8").split("## Operations and their pages")[1] ?? ""
).split("### Without a page")
const namesIn = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name)
const documented = [...pages.matchAll(/^\| `(\/console[^`]*)`[^|]*\| ([^|]+) \|/gm)].map(
  ([, page = "", names = ""]) => [page, namesIn(names)] as const
)
/** Operations that need no page, each with its reason. */
const elsewhere = [...others.matchAll(/^\| ((?:`\w+`,? ?)+) *\|/gm)].flatMap(([, names = ""]) => namesIn(names))

test("the documentation names every operation of staff once; Rule 17.2.7", () => {
  const named = new Set(documented.flatMap(([, names]) => names))
  expect([...named, ...elsewhere].toSorted()).toEqual(operations.map(({ id }) => id).toSorted())
})

const sources = ["src/capabilities/console/http", "src/capabilities/shared/pages", "src/capabilities/*/pages"]
  .flatMap((folder) => [...new Glob(`${folder}/**/*.{ts,tsx}`).scanSync(".")])
  .map((file) => readFileSync(file, "utf8"))
  .join("\n")
/** Whether a page requests it by itself. */
const isRequested = ({ name, path }: { readonly name: string; readonly path: string }) => {
  const at = name.lastIndexOf(".")
  const [group, endpoint] = [name.slice(0, at), name.slice(at + 1)]
  const before = path.split(/:\w+/)[0]?.replace(/\/$/, "") ?? path
  return [`["${group}"].${endpoint}(`, `api.${group}.${endpoint}(`, `Api.${group}.${endpoint}(`, `GET ${before}`].some(
    (text) => sources.includes(text)
  )
}

test("every documented read is requested by the console's pages; Rule 17.2.7", () => {
  const listed = documented.flatMap(([, names]) => names)
  const reads = operations.filter(({ id, method }) => method === "GET" && listed.includes(id))
  expect(reads.filter((one) => !isRequested(one)).map(({ id }) => id)).toEqual([])
})

const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`)

/** The operations of a page's forms; joining a call has a separate form. */
const offeredOn = (html: string) => {
  const named = [...html.matchAll(/name="@(?:operation|then)" value="([^"]+)"|data-moves="([^"]+)"/g)].map(
    ([, operation, moves]) => operation ?? moves ?? ""
  )
  const ids = named.flatMap((name) => {
    const [method, target = ""] = name.split(" ")
    const [path = ""] = target.split("?")
    const fitting = endpoints.filter((one) => one.method === method && patternOf(one.path).test(path))
    // a fixed path takes precedence over one with a parameter
    return fitting.sort((a, b) => a.path.split(":").length - b.path.split(":").length).slice(0, 1)
  })
  const joins = html.includes('action="/console/doctor/join"') ? ["joinOwnAppointment"] : []
  /** Forms whose response is shown on the page: patients' rights, a message in other texts. */
  const own = Object.entries({
    exportPatientRights: 'name="format" value="json"',
    exportDocumentPatientRights: 'name="format" value="html"',
    erasePatientRights: '/erase"',
    previewMessageTexts: 'formaction="/console/practice/texts/preview"'
  }).flatMap(([id, form]) => (html.includes(form) ? [id] : []))
  return [...ids.map(({ id }) => id), ...joins, ...own]
}

/** Forms that change a record and would not see that somebody else has changed it since the page was read. Rule 17.2.8. */
const withoutVersion = (html: string) =>
  html.split("<form").flatMap((text) => {
    const [form = ""] = text.split("</form>")
    const [, method, path = ""] = /name="@operation" value="(PATCH|PUT|DELETE) ([^"?]+)/.exec(form) ?? []
    const isKept = endpoints.some((one) => one.method === method && one.hasVersion && patternOf(one.path).test(path))
    return isKept && !form.includes('name="@version"') ? [`${method} ${path}`] : []
  })

test("staff change without a version only by steps of a state, revocations, and a file's rows, which have tags of their own; Rule 17.2.8", () => {
  const changing = operations.filter(({ method, hasVersion }) => /PATCH|PUT|DELETE/.test(method) && !hasVersion)
  expect(changing.map(({ id }) => id).sort()).toEqual([
    "acceptPharmacyOrderChange",
    "completePharmacyOrder",
    "deleteAdministrator",
    "deleteDeadLetter",
    "removeGuest",
    "removeOwnGuest",
    "revokeApiKey",
    "revokeBookingTokenSecret",
    "revokeOrganisationBookingTokenSecret",
    "revokeOwnCalendarFeed",
    "undoPharmacyOrderStep",
    "updatePharmacyOrderStatus",
    "updatePharmacySkus"
  ])
})

/** A practice with a record of every kind that its pages and its doctor's show. */
const practice = async () => {
  const consent = [{ purpose: "video", version: "1", texts: [{ language: "de", text: "Ja" }] }]
  const world = await makeWorld(server.current, { organisation: { consent } })
  const request = async (method: string, path: string, body?: object) => (await world.api(method, path, body)).body
  const uid = await world.booked(inDays(1, 9))
  const { patient_uid } = await request("GET", `/v1/management/scheduling/appointments/${uid}`)
  await request("POST", `/v1/management/scheduling/appointments/${uid}/guests`, { role: "care", name: "Bo" })
  const start_date = Math.floor(Date.now() / 1000) - 1
  const started = await place(world, patient_uid, { status: "confirmed", start_date })
  const doctor = `/v1/management/scheduling/doctors/${world.doctor}`
  const exception = await request("POST", `${doctor}/availability-date-overrides`, { date: inDays(9), day_off: true })
  const missed = await place(world, patient_uid, { status: "no_show", start_date: start_date - 1_800 })
  const items = [{ link_id: "what", type: "string", text: "Worum geht es?" }]
  const form = await request("POST", "/v1/management/forms", { title: "Anfrage", items })
  const intake = [{ form_uid: form.uid, blocks: "join" }]
  await request("PATCH", `/v1/management/scheduling/appointment-types/${world.type_uid}`, { intake })
  const written = { name: "Rezept", kind: "prescription", form_uid: form.uid, answer_within_minutes: 60 }
  const kind = await request("POST", "/v1/management/request-types", { ...written, recipient: "doctor" })
  const sent = { body: { request_type_uid: kind.uid, answers: { what: "Ibuprofen" } } }
  const path = `/v1/scheduling/booking-sessions/${await world.session()}/requests`
  const [asked, taken] = [
    (await server.current.api("POST", path, sent)).body.uid,
    (await server.current.api("POST", path, sent)).body.uid
  ]
  return { world, ask: request, uid, patient_uid, doctor, exception, started, form, asked, taken, missed }
}

/** Somebody whom no message reaches is to be called. */
const unreachable = async (world: World) => {
  await world.api("PATCH", "/v1/management/organisation", { messages: ["confirmation"] })
  await world.bookByKey({ patient_uid: await world.patient({ first_name: "Rosa" }), start_date: inDays(2, 9) })
  await eventually(
    () => world.api("GET", "/v1/management/messages?unreached=true"),
    ({ body }) => body.data.length > 0
  )
}

const expectForms = async (
  room: string,
  browser: ConsoleVisitor,
  pages: ReadonlyArray<readonly [page: string, address: string]>
) => {
  const seen = new Map<string, ReadonlyArray<string>>()
  for (const [page, address] of pages) {
    const text = await checked(browser, `/console/${room}${address}`)
    expect([address, ...withoutVersion(text)]).toEqual([address])
    const name = `/console/${room}${page}`
    seen.set(name, [...(seen.get(name) ?? []), ...offeredOn(text)])
  }
  const own = documented.filter(([page]) => page === `/console/${room}` || page.startsWith(`/console/${room}/`))
  for (const [page, names] of own) {
    const changing = names.filter((id) =>
      operations.some((one) => one.id === id && one.method !== "GET" && !isRequested(one))
    )
    expect([page, ...changing.filter((id) => !seen.get(page)?.includes(id))]).toEqual([page])
  }
}

test("the practice's pages have the documented forms; Rule 17.2.7", async () => {
  const { world, ask, uid, patient_uid, doctor, exception, started, form, asked, taken, missed } = await practice()
  await ask("POST", `/v1/management/patients/${patient_uid}/consents`, { purpose: "video", version: "1" })
  await ask("PUT", `${doctor}/appointment-type-settings/${world.type_uid}`, { active: true })
  const type = `/v1/management/scheduling/appointment-types/${world.type_uid}`
  await ask("POST", `${type}/reminders`, { recipient_role: "patient", minutes_before: 60, send_email: true })
  const rooms = "/v1/management/scheduling/resources"
  const room = await ask("POST", rooms, { kind: "room", name: "Room 1", always_available: false })
  await ask("POST", `${rooms}/${room.uid}/availability-rules`, { weekday: 0, start_time: 540, end_time: 720 })
  const dayOff = { date: inDays(9), day_off: true }
  const closed = await ask("POST", `${rooms}/${room.uid}/availability-date-overrides`, dayOff)
  await world.booked(inDays(40, 9), "asked")
  const away = { doctor_uid: world.doctor, from: inDays(40), to: inDays(41), appointments: "offer" }
  const absence = await ask("POST", "/v1/management/scheduling/absences", away)
  await eventually(
    () => ask("GET", `/v1/management/scheduling/absences/${absence.uid}`),
    ({ appointments }) => appointments.offered === 1
  )
  // one that waits has no button
  await eventually(
    () => ask("GET", "/v1/management/messages"),
    ({ data }) => data.some(({ status }) => status !== "pending")
  )
  await unreachable(world)
  const double = await ask("POST", "/v1/management/patients", { shop_uid: world.shop_uid })
  const hooks = "/v1/management/notification-subscriptions"
  const hook = await ask("POST", hooks, { notification_type: "REBOOKED", url: "http://127.0.0.1:9/hook" })
  await ask("POST", `${hooks}/${hook.uid}/test`)
  const source = { kind: "ics", name: "Rota", url: "http://127.0.0.1:9/rota.ics" }
  await ask("POST", `${doctor}/busy-sources`, source)
  const scheduling = "/v1/management/scheduling"
  const { organisation_uid, shop_uid, doctor: doctor_uid } = world
  const wanted = { patient_uid, appointment_type_uid: world.type_uid }
  const waits = await ask("POST", `${scheduling}/waitlist-entries`, wanted)
  const weekly = { start_date: inDays(3, 9), count: 2, interval_weeks: 1, on_conflict: "shift" }
  const series = { ...wanted, ...weekly, shop_uid, doctor_uid }
  const { series_uid } = await ask("POST", `${scheduling}/appointment-series`, series)
  await ask("POST", `${scheduling}/recalls`, { ...wanted, due_date: "2035-06-01" })
  const client = { client_id: random("fhc"), organisation_uid, name: "Portal", scopes: ["system/Slot.rs"] }
  await world.provision({ fhir_clients: [{ ...client, jwks_uri: "https://portal.example.org/jwks.json" }] })
  await ask("POST", "/v1/management/staff", { display_name: "Kim Beispiel", email: "kim@example.org", role: "billing" })
  await ask("PATCH", "/v1/management/organisation", { admins: [{ uid: random("adm"), display_name: "Desk" }] })
  const planned = new URLSearchParams({
    patient: patient_uid,
    plan: "1",
    type: world.type_uid,
    doctor: world.doctor,
    day: dayOf(inDays(2)),
    time: "09:00",
    count: "2",
    conflict: "shift"
  })
  const browser = await asAdmin(server.current, world)
  await browser.send(`POST /v1/management/requests/${taken}/take`)
  await browser.send("POST /v1/admin/api-keys", { name: "x", permissions: "scheduling:read" })
  const tomorrow = dayOf(inDays(1))
  await expectForms("practice", browser, [
    ["", ""],
    ["/appointments/{uid}", `/appointments/${uid}`],
    ["/appointments/{uid}", `/appointments/${started}`],
    ["/appointments/{uid}", `/appointments/${missed}`],
    ["/calls", "/calls"],
    ["/patients", "/patients"],
    ["/patients/{uid}", `/patients/${patient_uid}`],
    ["/patients/{uid}/rights", `/patients/${patient_uid}/rights`],
    ["/messages", "/messages"],
    ["/absences", `/absences?from=${tomorrow}&until=${tomorrow}`],
    ["/absences", `/absences?absence=${absence.uid}`],
    ["/patients/{uid}", `/patients/${patient_uid}?merge=${double.uid}`],
    ["/hours", `/hours?doctor=${world.doctor}&day=${tomorrow}`],
    ["/resources", `/resources?resource=${room.uid}`],
    ["/resources", `/resources?resource=${room.uid}&day=${dayOf(inDays(10))}`],
    ["/resources", `/resources?resource=${room.uid}&day=${dayOf(inDays(9))}&override=${closed.uid}`],
    ["/hours", `/hours?doctor=${world.doctor}&day=${dayOf(inDays(9))}&override=${exception.uid}`],
    ["/holidays", "/holidays?region=DE-BE"],
    ["/calendars", `/calendars?doctor=${world.doctor}`],
    ["/recalls", "/recalls"],
    ["/requests", "/requests?inbox=all"],
    ["/requests/{uid}", `/requests/${asked}`],
    ["/forms", "/forms"],
    ["/forms/{uid}", `/forms/${form.uid}`],
    ["/request-types", "/request-types"],
    ["/series", `/series?${planned}`],
    ["/series", `/series?series=${series_uid}&patient=${patient_uid}`],
    ["/waitlist", "/waitlist"],
    ["/waitlist/{uid}", `/waitlist/${waits.uid}`],
    ["/types", `/types?type=${world.type_uid}&doctor=${world.doctor}`],
    ["/people", `/people?doctor=${world.doctor}`],
    ...["/settings", "/texts", "/people", "/shops", "/branding", "/access", "/fhir", "/team"].map(
      (page) => [page, page] as const
    ),
    ["/prescriptions", `/prescriptions?uid=${(await waitingPrescriptions(world))[0]}`],
    ["/webhooks", `/webhooks?subscription=${hook.uid}`]
  ])
})

test("the doctor's pages have the documented forms; Rule 17.2.7", async () => {
  const { world, uid, patient_uid, exception, started, asked, missed } = await practice()
  const bearer = await doctorOf(server.current, world)
  await server.current.api("POST", "/v1/doctor/calendar-feed", { bearer })
  const source = { kind: "ics", name: "Rota", url: "http://127.0.0.1:9/rota.ics" }
  await server.current.api("POST", "/v1/doctor/busy-sources", { bearer, body: source })
  const account = { provider: "caldav", url: caldavStandIn(), username: "ada", password: "secret" }
  const connections = "/v1/doctor/calendar-connections"
  const { body: connection } = await server.current.api("POST", connections, { bearer, body: account })
  const calendars = [{ id: new URL("calendar/", account.url).href, writes: true }]
  await server.current.api("PATCH", `${connections}/${connection.uid}`, { bearer, body: { calendars } })
  // its server loses what is written
  await eventually(
    () => server.current.api("GET", "/v1/doctor/calendar-entries", { bearer }),
    ({ body }) => body.data.some(({ state }: { readonly state: string }) => state === "missing")
  )
  const [plain, rendered] = await waitingPrescriptions(world)
  const path = `/v1/doctor/prescriptions/${rendered}/render`
  expect((await server.current.api("POST", path, { bearer })).status).toBe(202)
  const browser = await asDoctor(server.current, world)
  await eventually(
    () => browser.ask("/console/doctor/prescriptions"),
    ({ text }) => text.includes(`${rendered}/external-sign`) && text.includes(`${plain}/render`)
  )
  await expectForms("doctor", browser, [
    ["", ""],
    ["/patients/{uid}", `/patients/${patient_uid}?appointment=${uid}`],
    ["/patients/{uid}", `/patients/${patient_uid}?appointment=${uid}&move=true`],
    ["/patients/{uid}", `/patients/${patient_uid}?appointment=${started}`],
    ["/patients/{uid}", `/patients/${patient_uid}?request=${asked}`],
    ["/patients/{uid}", `/patients/${patient_uid}?appointment=${missed}`],
    ["/hours", "/hours?day=2035-01-08"],
    ["/calendars", "/calendars"],
    ["/hours", `/hours?day=${dayOf(inDays(9))}&override=${exception.uid}`],
    ["/prescriptions", "/prescriptions"]
  ])
})

test("the forms of a pharmacy and of an operator are operations, and the operator's pages, live where they show a state, are no other role's; Rules 17.1.3, 17.2.1 and 17.3.1", async () => {
  const { pharmacy_uid, order_uid } = await pharmacyWithOrder(await makeWorld(server.current))
  const pharmacy = await asPharmacy(server.current, pharmacy_uid)
  for (const path of ["", "?list=1", `/orders/${order_uid}`, "/stock", "/payouts", "/webhooks"])
    await checked(pharmacy, `/console/pharmacy${path}`)
  const operator = await asOperator(server.current)
  for (const path of ["", "/jobs", "/backlog", "/organisations", "/provisioning", "/audit"]) {
    const page = `/console/operator${path}`
    const isLive = (await checked(operator, page)).includes("data-live=")
    expect([page, isLive, (await pharmacy.ask(page)).status]).toEqual([page, /(r|jobs|backlog)$/.test(page), 404])
  }
  expect((await operator.ask("/console/practice")).status).toBe(404)
})
