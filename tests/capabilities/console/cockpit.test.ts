/** What a doctor does beside a call: prescriptions, own appointments, recalls. Rules 8.4.8 to 8.4.10. */
import { expect, test } from "bun:test"
import { clockTime } from "../../../src/pages/time.ts"
import { certificate, rendered, signedBy } from "../../prescriptions/support/signed.ts"
import { pageLink } from "../../support/codes.ts"
import { asAdmin, asDoctor, cookieOf, hiddenField, unescaped } from "../../support/console.ts"
import { openAppointment } from "../../support/meetings.ts"
import { place } from "../../support/provisioned.ts"
import { stored } from "../../support/records.ts"
import { testServer } from "../../support/server.ts"
import { doctorOf } from "../../support/staff.ts"
import { inDays, makeWorld, random, type World } from "../../support/world.ts"

const server = testServer()

const enter = async () => {
  const world = await makeWorld(server.current)
  const bearer = await doctorOf(server.current, world)
  const api = (method: string, path: string, body?: object) =>
    server.current.api(method, `/v1/doctor${path}`, { bearer, ...(body !== undefined && { body }) })
  const uid = await world.booked(inDays(3, 9))
  const patient_uid = await patientOf(uid)
  return { world, api, uid, patient_uid }
}
const patientOf = async (uid: string) => String((await stored(server.current, uid)).patient_uid)

/** An article of the product of this name, by default with the same name; its uid. */
const article = async (world: World, name: string, display_name = name) => {
  const [product_uid, sku_uid] = [random("prd"), random("sku")]
  const unit = { standard_selling_unit: 20, unit: "Stück", selling_price: 599, pzn: String(Date.now()).slice(-8) }
  await world.provision({
    products: [{ uid: product_uid, display_name: name, handle: product_uid }],
    skus: [{ uid: sku_uid, product_uid, display_name, ...unit }]
  })
  return sku_uid
}

test("a prescription is written from the list of articles, and waits with names; Rule 8.4.9", async () => {
  const { world, api, patient_uid } = await enter()
  const name = random("Remedium")
  const sku_uid = await article(world, name)
  const found = await api("GET", `/articles?search=${name.toLowerCase().slice(2)}`)
  expect(found.body.data).toMatchObject([{ sku_uid, name }])
  const items = [{ sku_uid, quantity: 2, dosage: "1-0-1" }]
  const made = await api("POST", "/prescriptions", { patient_uid, items })
  const named = [{ ...items[0], article: name }]
  const patient = { display_name: "Testa Patient" }
  expect(made).toMatchObject({ status: 201, body: { patient, items: named } })
  const written = { uid: made.body.uid, status: "waiting_for_doctor", items: named }
  const card = await api("GET", `/patients/${patient_uid}`)
  expect(card.body).toMatchObject({ profile: { first_name: "Testa" }, prescriptions: [written] })
  const waiting = await api("GET", "/prescriptions")
  expect(waiting.body.data).toMatchObject([{ uid: made.body.uid }])
  const other = await (await makeWorld(server.current)).patient()
  const unknown = [{ sku_uid: "sku_none", quantity: 1 }]
  for (const [body, answer] of [
    [{ patient_uid, items: [] }, { status: 400 }],
    [
      { patient_uid, items: unknown },
      { status: 400, body: { error: ["items[0].sku_uid: is not a known SKU"] } }
    ],
    [{ patient_uid: other, items }, { status: 404 }]
  ] as const)
    expect(await api("POST", "/prescriptions", body)).toMatchObject(answer)
})

test("an article is found and named by its product, where its own name is its strength and form; Rule 8.4.9", async () => {
  const { world, api } = await enter()
  const product = `Ibuprofen ${random("x")}`
  const sku_uid = await article(world, product, "400 mg Filmtabletten")
  const name = `${product}, 400 mg Filmtabletten`
  for (const search of [product, name, name.replace(",", "")]) {
    const { body } = await api("GET", `/articles?search=${encodeURIComponent(search)}`)
    expect(body.data).toMatchObject([{ sku_uid, name }])
  }
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
  expect(await api("POST", "/recalls", recall)).toMatchObject({ status: 201, body: { doctor_uid: world.doctor } })
  const browser = await asDoctor(server.current, world)
  const page = `/console/doctor/patients/${patient_uid}?appointment=${uid}`
  const { text } = await browser.ask(page)
  const due_date = hiddenField(text, "due_date")
  const pressed = await browser.send("POST /v1/doctor/recalls", { ...recall, "@back": page, due_date })
  expect(pressed.status).toBe(303)
  const { data } = (await world.api("GET", `/v1/management/scheduling/recalls?patient_uid=${patient_uid}`)).body
  expect(data).toContainEqual(expect.objectContaining({ due_date }))
  // how the patient can be reached
  expect(text).toContain("@example.org")
})

test("a signed file is uploaded in place of the rendered one, examined, once; Rule 8.4.13", async () => {
  const { world, api, patient_uid } = await enter()
  const items = [{ sku_uid: await article(world, random("Remedium")), quantity: 1 }]
  const write = async () => String((await api("POST", "/prescriptions", { patient_uid, items })).body.uid)
  const uid = await write()
  const upload = (pdf: Uint8Array | string, of = uid) =>
    api("POST", `/prescriptions/${of}/signed-file`, {
      pdf_base64: typeof pdf === "string" ? pdf : `data:application/pdf;base64,${Buffer.from(pdf).toString("base64")}`
    })
  expect((await upload("no PDF")).body.error).toEqual([expect.stringContaining("pdf_base64: must be base64")])
  const plain = await rendered()
  const signed = await signedBy(plain, await certificate("Dr. med. Anne Weber"))
  const changed = Buffer.from(signed)
  const at = changed.indexOf("/MediaBox") + 12
  changed[at] = (changed[at] ?? 0) ^ 1
  expect((await upload(changed)).body.error).toEqual(["pdf_base64: was changed after it was signed"])
  expect(await upload(signed)).toMatchObject({ status: 200, body: { uid, status: "EXTERNALLY_SIGNED" } })
  expect((await upload(signed)).body.code).toBe("not_waiting_for_doctor")
  const { body } = await world.api("GET", `/v1/management/prescriptions/${uid}`)
  expect(body).toMatchObject({ status: "externally_signed", signature: { present: true, intact: true } })
  const file = new Uint8Array(await (await fetch(body.file.url)).arrayBuffer())
  expect(Buffer.from(file).equals(Buffer.from(signed))).toBe(true)
  // a scan of a signed sheet has no signature, and the record says so
  const scan = await write()
  expect((await upload(plain, scan)).status).toBe(200)
  expect((await world.api("GET", `/v1/management/prescriptions/${scan}`)).body.signature).toMatchObject({
    present: false
  })
})

test("the practice lists prescriptions by status, patient and name, newest first; Rule 9.2.3", async () => {
  const { world, api, patient_uid } = await enter()
  const name = random("Remedium")
  const ordered = { sku_uid: await article(world, name), quantity: 2 }
  const items = [{ ...ordered, dosage: "1-0-1" }]
  const write = async () => (await api("POST", "/prescriptions", { patient_uid, items })).body.uid
  const [first, second] = [await write(), await write()]
  await world.api("POST", `/v1/management/prescriptions/${first}/cancel`, { reason: "Doppelt" })
  const list = async (query: string) =>
    (await world.api("GET", `/v1/management/prescriptions?${query}`)).body.data.map(({ uid }: { uid: string }) => uid)
  const { body } = await world.api("GET", "/v1/management/prescriptions")
  expect(body).toMatchObject({ totalRegistries: 2, next: null })
  expect(body.data.find(({ uid }: { uid: string }) => uid === second)).toMatchObject({
    status: "waiting_for_doctor",
    patient: { uid: patient_uid, display_name: "Testa Patient" },
    items: [{ ...ordered, article: name }],
    rendered: false
  })
  expect(await list("status=cancelled")).toEqual([first])
  const both = [first, second].toSorted()
  expect((await list("search=pati%20TEST")).toSorted()).toEqual(both)
  expect([await list("search=nobody"), await list(`search=${second}`)]).toEqual([[], [second]])
  expect(await list(`patient_uid=${patient_uid}&status=waiting_for_doctor`)).toEqual([second])
  const one = (await world.api("GET", "/v1/management/prescriptions?limit=1")).body
  expect([...(await list(`limit=1&after=${one.next}`)), one.data[0].uid].toSorted()).toEqual(both)
  const other = await makeWorld(server.current)
  expect((await other.api("GET", "/v1/management/prescriptions")).body.data).toEqual([])
  const browser = await asAdmin(server.current, world)
  const { text } = await browser.ask("/console/practice/prescriptions?status=cancelled")
  expect([name, `uid=${first}`, `uid=${second}`].map((part) => text.includes(part))).toEqual([true, true, false])
})

test("a doctor finds own patients by name and date of birth, and nobody else's; Rule 8.4.14", async () => {
  const { world, api, patient_uid } = await enter()
  await world.api("PATCH", `/v1/management/patients/${patient_uid}`, { profile: { date_of_birth: "1980-03-05" } })
  const profile = { first_name: "Testa", last_name: "Fremd" }
  await world.patient(profile)
  const found = async (search: string) =>
    (await api("GET", `/patients?search=${encodeURIComponent(search)}`)).body.data.map(
      ({ display_name }: { display_name: string }) => display_name
    )
  const testa = "Testa Patient"
  expect(await Promise.all(["patient testa", "5.3.1980", "fremd"].map(found))).toEqual([[testa], [testa], []])
  const colleague = await doctorOf(server.current, world, world.doctors[1])
  expect((await server.current.api("GET", "/v1/doctor/patients", { bearer: colleague })).body.data).toEqual([])
  const browser = await asDoctor(server.current, world)
  const page = await browser.ask("/console/doctor/patients?search=testa")
  expect(page.text).toContain(`/console/doctor/patients/${patient_uid}`)
  expect(page.text).toContain('<form action="/console/doctor/patients"')
})

test("the next patients are told that the doctor is late, once, and see it on their page; Rule 8.4.12", async () => {
  const world = await makeWorld(server.current)
  // where it is noon, so that the next half hour is of the same day
  const hours = 12 - new Date().getUTCHours()
  const timezone = `Etc/GMT${hours < 0 ? "+" : "-"}${Math.abs(hours)}`
  expect((await world.api("PATCH", `/v1/management/doctors/${world.doctor}`, { timezone })).status).toBe(200)
  const bearer = await doctorOf(server.current, world)
  const late = (body: object) => server.current.api("POST", "/v1/doctor/late", { bearer, body })
  const now = Math.floor(Date.now() / 1000)
  const patient_uid = await world.patient({ first_name: "Ada", email: `${random("ada")}@example.org` })
  const squeezed = async (start_date: number) => {
    const wanted = { patient_uid, doctor_uid: world.doctor, start_date, squeeze_in: true }
    return String((await world.bookByKey(wanted)).body.uid)
  }
  const start = Math.ceil(now / 300) * 300 + 1800
  const soon = await squeezed(start)
  const later = await squeezed(Math.ceil(now / 300) * 300 + 4 * 3600)
  const uids = ({ body }: Awaited<ReturnType<typeof late>>) => body.data.map(({ uid }: { uid: string }) => uid)
  expect(uids(await late({ minutes: 10 }))).toEqual([soon])
  expect(uids(await late({ minutes: 10 }))).toEqual([])
  expect(uids(await late({ minutes: 15, within_minutes: 600 }))).toEqual([soon, later])
  expect((await late({ minutes: 121 })).status).toBe(400)
  const events = await world.api("GET", "/v1/management/events?type=scheduling.doctor_late")
  expect(events.body.data).toMatchObject([10, 15, 15].map((minutes) => ({ data: { minutes } })))
  const { data } = (await world.api("GET", "/v1/management/messages")).body
  expect(data).toMatchObject(Array(3).fill({ kind: "doctor_late", channel: "email" }))
  const link = await pageLink(server.current, soon, "join")
  const page = async () => await (await fetch(`${link}?lang=de`)).text()
  expect(await page()).toContain("verspätet sich leider um etwa 15 Minuten")
  expect((await late({ minutes: 0, within_minutes: 600 })).status).toBe(200)
  expect(await page()).not.toContain("verspätet sich")
  const { text } = (await asDoctor(server.current, world)).page
  expect(text).toContain("I am late")
  expect(text).toContain(`<time>${clockTime("en", timezone, start)}</time>`)
})

test("who should have begun is told, too: by video until the doctor joins, in the practice for ten minutes; Rule 8.4.12", async () => {
  const world = await makeWorld(server.current)
  const now = Math.floor(Date.now() / 1000)
  const lateOf = async (doctor_uid: string, start_date: number, meeting_format: "DIGITAL" | "IN_PERSON") => {
    const fields = { meeting_format, doctor_uid, end_date: start_date + 1800 }
    await place(world, await world.patient(), { status: "confirmed", start_date, fields })
    const bearer = await doctorOf(server.current, world, doctor_uid)
    return (await server.current.api("POST", "/v1/doctor/late", { bearer, body: { minutes: 10 } })).body.data.length
  }
  const [first = "", second = ""] = world.doctors
  expect(await lateOf(first, now - 1200, "IN_PERSON")).toBe(0)
  expect(await lateOf(second, now - 1200, "DIGITAL")).toBe(1)
  const other = await makeWorld(server.current)
  const patient = await other.patient()
  await place(other, patient, { status: "confirmed", start_date: now - 120, fields: { meeting_format: "IN_PERSON" } })
  const bearer = await doctorOf(server.current, other)
  expect(
    (await server.current.api("POST", "/v1/doctor/late", { bearer, body: { minutes: 10 } })).body.data
  ).toHaveLength(1)
})

test("a call and the patient's card are frames of one page, and only it may frame the card; Rule 17.6.18", async () => {
  const world = await makeWorld(server.current)
  const uid = await openAppointment(world)
  const browser = await asDoctor(server.current, world)
  const joined = await browser.ask("/console/doctor/join", { "@csrf": browser.csrf, appointment_uid: uid })
  const call = expect.stringContaining(`/console/doctor/appointments/${uid}/call?room=`)
  expect([joined.status, joined.location]).toEqual([303, call])
  const { text, answer } = await browser.ask(joined.location)
  const { url } = server.current
  expect(answer.headers.get("permissions-policy")).toContain(`camera=(self "${url}")`)
  expect(answer.headers.get("content-security-policy")).toContain(`frame-src 'self' ${url};`)
  const [room = "", card = ""] = [...text.matchAll(/<iframe[^>]* src="([^"]+)"/g)].map(([, src]) => unescaped(src))
  const meeting = await fetch(room)
  const framers = expect.stringMatching(new RegExp(`frame-ancestors 'self' .*${url}$`))
  expect([meeting.status, meeting.headers.get("content-security-policy")]).toEqual([200, framers])
  expect(await meeting.text()).toContain(`data-return-url="${url}/console/doctor/appointments/${uid}"`)

  const cookie = cookieOf(browser)
  const shown = async (headers: Readonly<Record<string, string>>) => {
    const page = await fetch(url + card, { redirect: "manual", headers })
    const [, ancestors] = /frame-ancestors (.+)$/.exec(page.headers.get("content-security-policy") ?? "") ?? []
    const html = await page.text()
    return [page.status, ancestors, html.includes("console-head"), html.includes('target="_blank"')]
  }
  const framed = { "sec-fetch-dest": "iframe" }
  expect(await shown({ cookie })).toEqual([200, "'none'", true, false])
  expect(await shown({ cookie, ...framed })).toEqual([200, `'self' ${url}`, false, false])
  // the provider's pages cannot be beside a call
  expect(await shown(framed)).toEqual([401, `'self' ${url}`, false, true])
  expect((await shown({}))[0]).toBe(303)
})
