/** Every page of every workspace exists, its forms are operations of the API, and other tenants' records are 404. Section 17.2. */
import { describe, expect, test } from "bun:test"
import { hiddenField, signedIn } from "../support/console.ts"
import { check } from "../support/consolePages.ts"
import { pharmacyWithOrder } from "../support/pharmacyWithOrder.ts"
import { place } from "../support/provisioned.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld, random } from "../support/world.ts"

const server = testServer()

describe("the practice's workspace", () => {
  const enter = async () => {
    const world = await makeWorld(server.current)
    const browser = await signedIn(server.current, ["admin", world.organisation_uid, world.organisation_uid])
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
    const { world, browser, send } = await enter()
    const { key, organisation_uid } = world
    const consent = [{ purpose: "video", version: "1", texts: [{ language: "de", text: "Ja" }] }]
    await world.provision({ organisations: [{ uid: organisation_uid, name: "Praxis", timezone: "UTC", consent }] })
    const { api } = server.current
    const name = random("Name")
    const profile = { first_name: "Erika", last_name: name }
    const uid = (await api("POST", "/v1/management/patients", { key, body: { shop_uid: world.shop_uid, profile } }))
      .body.uid
    const given = { purpose: "video", version: "1" }
    const { body } = await api("POST", `/v1/management/patients/${uid}/consents`, { key, body: given })
    await place(world, uid, { status: "completed", start_date: inDays(-9, 9) })
    const page = `/console/practice/patients/${uid}`
    const { csrf } = browser
    const file = await browser.ask(`${page}/export`, { "@csrf": csrf, format: "json" })
    expect(file.answer.headers.get("content-disposition")).toBe(`attachment; filename*=UTF-8''${uid}.json`)
    expect(JSON.parse(file.text).patient.profile).toEqual(profile)
    expect((await browser.ask(`${page}/export`, { "@csrf": csrf, format: "html" })).text).toContain(name)
    expect((await browser.ask(`${page}/export`, { "@csrf": "another", format: "json" })).status).toBe(403)

    await send(`POST /v1/management/patients/${uid}/restrict`, { restricted: "true" }, `${page}/rights`)
    await send(`POST /v1/management/patients/${uid}/consents/${body.uid}/withdraw`, {}, `${page}/rights`)
    const shown = await browser.ask(`${page}/rights`)
    expect(shown.text).toContain('name="restricted" value="false"')
    expect(shown.text).not.toContain("/withdraw")
    expect((await browser.ask(`${page}/erase`, { "@csrf": csrf, reason: "" })).status).toBe(400)
    await browser.ask(`${page}/rights?lang=de`)
    const erased = await browser.ask(`${page}/erase`, { "@csrf": csrf, reason: "asked for" })
    expect([erased.status, erased.text.includes("§ 630f Abs. 3 BGB: Behandlungsunterlagen")]).toEqual([200, true])
    // what is kept has its name and its reason in the reader's language
    for (const word of ["GDPR", "audit_entries", "treatments", ">erasure"]) expect(erased.text).not.toContain(word)
    expect((await browser.ask(`${page}/rights`)).status).toBe(404)
  })

  test("books, moves and cancels by telephone, for a patient created on the spot; Rules 17.2.1 and 17.2.3", async () => {
    const { world, browser, send } = await enter()
    const made = await send("POST /v1/management/patients", {
      shop_uid: world.shop_uid,
      "profile.first_name": "Erika",
      "profile.last_name": "Muster",
      "profile.date_of_birth": "1980-02-29",
      "profile.email": ""
    })
    expect(made.location).toBe("/console/practice?done=1")
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
    await send(`POST /v1/scheduling/appointments/${first.uid}/rebook`, {
      "@slot": `${inDays(3, 10)}.${world.doctors[1]}`
    })
    const [moved] = (await list()).body.data
    expect(moved).toMatchObject({
      start_date: inDays(3, 10),
      doctor_uid: world.doctors[1],
      previous_meeting_uid: first.uid
    })
    const refused = await send(`POST /v1/management/scheduling/appointments/${moved.uid}/cancel`, { reason: "" })
    expect([refused.status, refused.text.includes('role="alert"')]).toEqual([400, true])
    await send(`POST /v1/management/scheduling/appointments/${moved.uid}/cancel`, { reason: "krank" })
    expect((await list()).body.data).toEqual([])
    expect((await browser.ask("/console/practice/appointments/apt_other")).status).toBe(404)
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
})

describe("the pharmacy's workspace", () => {
  test("has operations as forms, takes an order through its steps, and imports stock; Rule 17.2.1", async () => {
    const world = await makeWorld(server.current)
    const ids = await pharmacyWithOrder(world)
    const browser = await signedIn(server.current, ["pharmacy", ids.pharmacy_uid, ids.pharmacy_uid])
    await check(browser, [
      "/console/pharmacy",
      `/console/pharmacy/orders/${ids.order_uid}`,
      "/console/pharmacy/stock",
      "/console/pharmacy/payouts",
      "/console/pharmacy/webhooks"
    ])
    const path = `/v1/external_pharmacy_api/pharmacy_orders/${ids.order_uid}`
    const steps = [
      [`PATCH ${path}/status`, { status: "accepted" }],
      [`PATCH ${path}/status`, { status: "in_preparation" }],
      [`PATCH ${path}/status`, { status: "shipped", "tracking.carrier": "DHL", "tracking.number": "JJD1" }],
      [`PATCH ${path}/complete_order`, {}]
    ] as const
    for (const [operation, fields] of steps) {
      const { status } = await browser.send(operation, fields)
      expect([operation, status]).toEqual([operation, 303])
    }
    const page = await browser.ask(`/console/pharmacy/orders/${ids.order_uid}`)
    expect(page.text).toContain("JJD1")
    await browser.send(`PATCH /v1/external_pharmacy_api/pharmacy_skus/${ids.pharmacy_sku_uid}`, {
      "price@euro": "5,25",
      stock: "9",
      external_id: ids.pharmacy_sku_uid
    })
    const preview = await browser.ask("/console/pharmacy/stock/preview", {
      "@csrf": browser.csrf,
      rows: `PZN;Bestand;Preis\n${ids.sku_uid};12;6,10\nunknown1;1;1`
    })
    expect(preview.text).toContain("5.25")
    expect(preview.text).toContain("6.10")
    const data = hiddenField(preview.text, "data").replaceAll("&quot;", '"')
    expect(JSON.parse(data)).toMatchObject({ uid: ids.pharmacy_sku_uid, stock: 12, price: 610 })
    await browser.send("PATCH /v1/external_pharmacy_api/pharmacy_skus/", { data })
    expect((await browser.ask("/console/pharmacy/stock")).text).toContain('value="6.10"')
    const csv = await browser.ask("/console/pharmacy/payouts.csv")
    expect(csv.answer.headers.get("content-type")).toContain("text/csv")
    const other = await pharmacyWithOrder(world)
    expect((await browser.ask(`/console/pharmacy/orders/${other.order_uid}`)).status).toBe(404)
  })
})
