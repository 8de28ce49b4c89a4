/** Two editors of one record: nothing is lost silently. Refusals are in the page's language, and values stand. Rules 17.2.8 and 17.2.9. */
import { expect, test } from "bun:test"
import { faultIn } from "../../src/texts/console/faults.ts"
import { makePharmacy } from "../pharmacy/pharmacyWorld.ts"
import { present } from "../support/body.ts"
import { type ConsoleVisitor, hiddenField, signedIn } from "../support/console.ts"
import { testServer } from "../support/server.ts"
import { doctorOf } from "../support/staff.ts"
import { CONSULTATION, inDays, makeWorld, random, type World } from "../support/world.ts"

const server = testServer()

const enter = (world: World, role: "admin" | "doctor" = "admin") =>
  signedIn(server.current, [role, role === "admin" ? world.organisation_uid : world.doctor, world.organisation_uid])

/** The form of the operation, with its hidden fields. */
const formOf = async (browser: ConsoleVisitor, page: string, operation: string) => {
  const { text } = await browser.ask(page)
  const form = text.split("<form").find((one) => one.includes(`value="${operation}"`)) ?? ""
  const fields = Object.fromEntries(
    ["@csrf", "@operation", "@back", "@zone", "@version"].flatMap((name) => {
      const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1]
      return value === undefined ? [] : [[name, value.replaceAll("&quot;", '"').replaceAll("&amp;", "&")]]
    })
  )
  expect([operation, fields["@version"]]).toEqual([operation, expect.stringMatching(/^"[\w-]{22}"$/)])
  return fields
}

interface Editable {
  readonly page: string
  readonly operation: string
  readonly room: "practice" | "doctor" | "pharmacy"
  /** What the first editor and the second enter; a field in which they differ. */
  readonly field: string
  readonly first: string
  readonly second: string
  readonly rest?: Readonly<Record<string, string>>
}

const editables = async (world: World): Promise<ReadonlyArray<Editable>> => {
  const { doctor, shop_uid, type_uid } = world
  const scheduling = "/v1/management/scheduling"
  const made = async (path: string, body: object) => (await world.api("POST", path, body)).body.uid
  const patient = await made("/v1/management/patients", { shop_uid, profile: { first_name: "A", last_name: "B" } })
  const rule = await made(`${scheduling}/doctors/${doctor}/availability-rules`, {
    weekday: 1,
    start_time: 540,
    end_time: 720
  })
  const reminder = await made(`${scheduling}/appointment-types/${type_uid}/reminders`, {
    recipient_role: "patient",
    minutes_before: 60,
    send_email: true
  })
  const hook = await made("/v1/management/notification-subscriptions", {
    notification_type: "REBOOKED",
    url: "https://hook.example.org/"
  })
  const room = await made(`${scheduling}/resources`, { kind: "room", name: "Zimmer" })
  const uid = await world.booked(inDays(1, 9))
  const booked = (await world.api("GET", `${scheduling}/appointments/${uid}`)).body
  const bearer = await doctorOf(server.current, world)
  await server.current.api("PUT", `/v1/doctor/appointments/${uid}/note`, { bearer, body: { note: "zuerst" } })
  const client_id = random("fhc")
  await world.provision({
    fhir_clients: [
      {
        client_id,
        organisation_uid: world.organisation_uid,
        name: "Portal",
        scopes: ["system/Slot.rs"],
        jwks_uri: "https://portal.example.org/jwks.json"
      }
    ]
  })
  const practice = (page: string, operation: string, field: string, first: string, second: string, rest = {}) => ({
    room: "practice" as const,
    page: `/console/practice${page}`,
    operation,
    field,
    first,
    second,
    rest
  })
  return [
    practice(`/patients/${patient}`, `PATCH /v1/management/patients/${patient}`, "profile.last_name", "Erst", "Zweit"),
    practice(
      `/hours?doctor=${doctor}`,
      `PATCH ${scheduling}/doctors/${doctor}/availability-rules/${rule}`,
      "end_time@clock",
      "12:30",
      "13:00",
      { "start_time@clock": "09:00", weekday: "1", buffer_minutes: "0", active: "true" }
    ),
    practice(`/types?type=${type_uid}`, `PATCH ${scheduling}/appointment-types/${type_uid}`, "name", "Erst", "Zweit"),
    practice(
      `/types?type=${type_uid}`,
      `PATCH ${scheduling}/appointment-types/${type_uid}/reminders/${reminder}`,
      "minutes_before",
      "90",
      "120"
    ),
    practice(`/resources?resource=${room}`, `PATCH ${scheduling}/resources/${room}`, "name", "Erst", "Zweit"),
    practice("/people", "PATCH /v1/management/organisation", "name", "Erst", "Zweit"),
    practice(
      `/people?doctor=${doctor}`,
      `PATCH /v1/management/doctors/${doctor}`,
      "display_name",
      "Dr. Erst",
      "Dr. Zweit"
    ),
    practice("/fhir", `PATCH /v1/admin/fhir-clients/${client_id}`, "name", "Erst", "Zweit"),
    practice("/shops", `PATCH /v1/management/shops/${shop_uid}`, "name", "Erst", "Zweit"),
    // not there before: the first editor makes it
    practice(
      `/types?type=${type_uid}&doctor=${doctor}`,
      `PUT ${scheduling}/doctors/${doctor}/appointment-type-settings/${type_uid}`,
      "booking_min_notice_minutes",
      "15",
      "30",
      { active: "true" }
    ),
    practice(
      `/webhooks`,
      `PATCH /v1/management/notification-subscriptions/${hook}`,
      "url",
      "https://erst.example.org/",
      "https://zweit.example.org/"
    ),
    {
      room: "doctor" as const,
      page: `/console/doctor/patients/${booked.patient_uid}?appointment=${uid}`,
      operation: `PUT /v1/doctor/appointments/${uid}/note`,
      field: "note",
      first: "Erst",
      second: "Zweit"
    }
  ]
}

/** Two editors open the form, and both send it. */
const edit = async (browser: ConsoleVisitor, { room, page, operation, field, first, second, rest }: Editable) => {
  const send = (fields: Readonly<Record<string, string>>, value: string) =>
    browser.ask(`/console/${room}/do`, { ...fields, ...rest, [field]: value })
  const form = await formOf(browser, page, operation)
  const saved = await send(form, first)
  const refused = await send(form, second)
  // what was entered stands, with the new version; what is stored now is said
  const stands = refused.text.includes(`value="${second}"`) || refused.text.includes(`>${second}</textarea>`)
  const says = refused.text.includes(`Stored now: ${first}`)
  const fresh = refused.text.split("<form").find((text) => text.includes(`value="${operation}"`)) ?? ""
  const again = await send({ ...form, "@version": hiddenField(fresh, "@version").replaceAll("&quot;", '"') }, second)
  return [operation, saved.status, refused.status, stands, says, again.status]
}
const expected = (all: ReadonlyArray<Editable>) => all.map(({ operation }) => [operation, 303, 412, true, true, 303])

test("the second of two editors of a record sees both versions, and may then replace the first; Rule 17.2.8", async () => {
  const world = await makeWorld(server.current)
  const all = await editables(world)
  const browsers = { practice: await enter(world), doctor: await enter(world, "doctor") }
  const outcome: Array<unknown> = []
  for (const one of all) outcome.push(await edit(one.room === "doctor" ? browsers.doctor : browsers.practice, one))
  expect(outcome).toEqual(expected(all))
})

test("so does the second of two editors in a pharmacy; Rule 17.2.8", async () => {
  const world = await makePharmacy(server.current)
  const browser = await signedIn(server.current, ["pharmacy", world.pharmacy_uid, world.pharmacy_uid])
  const shipped = await world.order({ status: "shipped" })
  const open = await world.order({ status: "accepted" })
  const hook = await world.call("POST", "/webhooks/", {
    body: { url: "https://hook.example.org/", event_types: ["pharmacy_sku.updated"] }
  })
  const api = "/v1/external_pharmacy_api"
  const inPharmacy = (
    page: string,
    operation: string,
    field: string,
    [first, second]: [string, string],
    rest = {}
  ) => ({
    room: "pharmacy" as const,
    page: `/console/pharmacy${page}`,
    operation: `PATCH ${api}${operation}`,
    field,
    first,
    second,
    rest
  })
  const { uid } = world.skus.drops
  const all = [
    inPharmacy(`/orders/${shipped}`, `/pharmacy_orders/${shipped}/tracking`, "number", ["JJD1", "JJD2"], {
      carrier: "DHL"
    }),
    inPharmacy(`/orders/${open}`, `/pharmacy_orders/${open}/problem`, "message", ["Erst", "Zweit"]),
    inPharmacy("/stock", `/pharmacy_skus/${uid}`, "stock", ["41", "42"], {
      external_id: `ext-${uid}`,
      "price@euro": "10,00"
    }),
    inPharmacy("/webhooks", `/webhooks/${hook.body.uid}`, "url", [
      "https://erst.example.org/",
      "https://zweit.example.org/"
    ])
  ]
  const outcome: Array<unknown> = []
  for (const one of all) outcome.push(await edit(browser, one))
  expect(outcome).toEqual(expected(all))
})

test("an import leaves what was changed since its preview, applies the rest, and shows both; Rule 17.2.8", async () => {
  const world = await makePharmacy(server.current)
  const browser = await signedIn(server.current, ["pharmacy", world.pharmacy_uid, world.pharmacy_uid])
  const { drops, gel } = world.skus
  const rows = `ext-${drops.uid};77;11.00\next-${gel.uid};88;`
  const { csrf } = browser
  const preview = await browser.ask("/console/pharmacy/stock/preview", { "@csrf": csrf, rows })
  const apply = (text: string) => {
    const form = text.split("<form").find((one) => one.includes("/console/pharmacy/stock/apply")) ?? ""
    const data = [...form.matchAll(/name="data" value="([^"]+)"/g)].map(([, one = ""]) => one.replaceAll("&quot;", '"'))
    const body = new URLSearchParams({ "@csrf": csrf, "@rows": rows })
    for (const one of data) body.append("data", one)
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

test("an operator's file is applied only if its differences are those that were shown; two new organisations share no name in addresses; Rule 17.2.8", async () => {
  const world = await makeWorld(server.current)
  const browser = await signedIn(server.current, ["operator", "operator", "installation"])
  const { csrf } = browser
  const page = "/console/operator/provisioning"
  const uid = random("aty")
  const fileOf = (name: string) =>
    JSON.stringify({
      appointment_types: [{ uid, organisation_uid: world.organisation_uid, name, ...CONSULTATION }]
    })
  const preview = async (file: string) => (await browser.ask(page, { "@csrf": csrf, file, reset: "false" })).text
  const apply = (text: string, file: string) =>
    browser.send("POST /v1/operator/provisioning", {
      "@back": page,
      "@version": hiddenField(text, "@version").replaceAll("&quot;", '"'),
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

  const shop_identifier = random("praxis").replaceAll("_", "-").toLowerCase()
  const create = (name: string) =>
    browser.ask("/console/operator/organisations", {
      "@csrf": csrf,
      name,
      timezone: "Europe/Berlin",
      shop_identifier,
      admin: "",
      email: ""
    })
  expect((await create("Praxis Erst")).status).toBe(303)
  const second = await create("Praxis Zweit")
  expect([second.status, second.text.includes('value="Praxis Zweit"')]).toEqual([400, true])
})

test("the second of two editors of a doctor's week sees that it was changed, and may then replace it; Rule 17.2.8", async () => {
  const world = await makeWorld(server.current)
  const browser = await enter(world)
  const page = `/console/practice/hours?doctor=${world.doctor}`
  const operation = `PUT /v1/management/scheduling/doctors/${world.doctor}/availability-rules`
  const send = (fields: Readonly<Record<string, string>>, from: string) =>
    browser.ask("/console/practice/hours", {
      ...fields,
      doctor: world.doctor,
      buffer: "0",
      "from.1.0": from,
      "to.1.0": "17:00"
    })
  const form = await formOf(browser, page, operation)
  expect((await send(form, "09:00")).status).toBe(303)
  const refused = await send(form, "10:00")
  expect([refused.status, refused.text.includes('value="10:00"')]).toEqual([412, true])
  const rules = async () =>
    (await world.api("GET", operation.slice(4))).body.data.map(({ start_time }: { start_time: number }) => start_time)
  expect(await rules()).toEqual([540])
  expect((await send(await formOf(browser, page, operation), "10:00")).status).toBe(303)
  expect(await rules()).toEqual([600])
  // the list's own tag counts, too
  const listed = await world.api("GET", operation.slice(4))
  const put = (tag: string) =>
    server.current.api("PUT", operation.slice(4), {
      key: world.key,
      headers: { "if-match": tag },
      body: { rules: [] }
    })
  const tag = listed.headers.get("etag") ?? ""
  expect([(await put(tag)).status, (await put(tag)).status]).toEqual([200, 412])
})

test("a notice in minutes is said in the largest units that fit", () => {
  expect(faultIn("de", "must be moved at least 1440 minutes before the start")).toBe(
    "Verschieben geht nur bis 1 Tag vor dem Beginn."
  )
})

test("faults are said at the field and by its label, in German, and values stand; Rule 17.2.9", async () => {
  const world = await makeWorld(server.current)
  const browser = await enter(world)
  await browser.ask("/console/practice?lang=de")
  const operation = "POST /v1/management/patients"
  const { text } = await browser.ask("/console/practice/patients?lang=de")
  const refused = await browser.ask("/console/practice/patients", {
    "@csrf": hiddenField(text, "@csrf"),
    "@operation": operation,
    "@back": "/console/practice/patients/{uid}",
    shop_uid: world.shop_uid,
    "profile.first_name": "Eva",
    "profile.last_name": "Muster",
    "profile.email": "keine Adresse"
  })
  expect(refused.status).toBe(400)
  expect(refused.text).toContain("E-Mail: Das ist keine E-Mail-Adresse.")
  for (const value of ["Eva", "Muster", "keine Adresse"]) expect(refused.text).toContain(`value="${value}"`)
  expect(
    /<input[^>]*name="profile.email"[^>]*aria-invalid="true"|aria-invalid="true"[^>]*name="profile.email"/.test(
      refused.text
    )
  ).toBe(true)
  expect(refused.text).not.toMatch(/must be|profile\.email:/)
})
