/** What a doctor does beside a call: prescriptions, own appointments, recalls. Rules 8.4.8 to 8.4.10. */
import { expect, test } from "bun:test"
import { certificate, rendered, signedBy } from "../prescriptions/support/signed.ts"
import { signedIn } from "../support/console.ts"
import { openAppointment } from "../support/meetings.ts"
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
  const card = await api("GET", `/patients/${patient_uid}`)
  expect([card.body.profile.first_name, card.body.prescriptions]).toMatchObject([
    "Testa",
    [
      {
        uid: made.body.uid,
        status: "waiting_for_doctor",
        items: [{ sku_uid, quantity: 2, dosage: "1-0-1", article: name, anamnesis_uid: null }]
      }
    ]
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

test("an article is found and named by its product, where its own name is its strength and form; Rule 8.4.9", async () => {
  const { world, api } = await enter()
  const { product_uid, sku_uid } = { product_uid: random("prd"), sku_uid: random("sku") }
  const product = `Ibuprofen ${random("x")}`
  const unit = { standard_selling_unit: 20, unit: "Stück", selling_price: 599, pzn: String(Date.now()).slice(-8) }
  await world.provision({
    products: [{ uid: product_uid, display_name: product, handle: product_uid }],
    skus: [{ uid: sku_uid, product_uid, display_name: "400 mg Filmtabletten", ...unit }]
  })
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
  const made = await api("POST", "/recalls", recall)
  expect([made.status, made.body.doctor_uid]).toEqual([201, world.doctor])
  const browser = await signedIn(server.current, ["doctor", world.doctor, world.organisation_uid])
  const page = `/console/doctor/patients/${patient_uid}?appointment=${uid}`
  const { text } = await browser.ask(page)
  const due = /name="due_date" value="(\d{4}-\d\d-\d\d)"/.exec(text)?.[1] ?? ""
  const pressed = await browser.send("POST /v1/doctor/recalls", {
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

test("a signed file is uploaded in place of the rendered one, examined, once; Rule 8.4.13", async () => {
  const { world, api, patient_uid } = await enter()
  const { sku_uid } = await article(world)
  const write = async () =>
    (await api("POST", "/prescriptions", { patient_uid, items: [{ sku_uid, quantity: 1 }] })).body.uid as string
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
  const { sku_uid, name } = await article(world)
  const write = async () =>
    (await api("POST", "/prescriptions", { patient_uid, items: [{ sku_uid, quantity: 2, dosage: "1-0-1" }] })).body.uid
  const [first, second] = [await write(), await write()]
  await world.api("POST", `/v1/management/prescriptions/${first}/cancel`, { reason: "Doppelt" })
  const list = async (query: string) =>
    (await world.api("GET", `/v1/management/prescriptions?${query}`)).body.data.map(({ uid }: { uid: string }) => uid)
  const { body } = await world.api("GET", "/v1/management/prescriptions")
  expect(body).toMatchObject({ totalRegistries: 2, next: null })
  expect(body.data.find(({ uid }: { uid: string }) => uid === second)).toMatchObject({
    status: "waiting_for_doctor",
    patient: { uid: patient_uid, display_name: "Testa Patient" },
    items: [{ sku_uid, quantity: 2, article: name }],
    rendered: false
  })
  expect(await list("status=cancelled")).toEqual([first])
  expect((await list("search=pati%20TEST")).toSorted()).toEqual([first, second].toSorted())
  expect([await list("search=nobody"), await list(`search=${second}`)]).toEqual([[], [second]])
  expect(await list(`patient_uid=${patient_uid}&status=waiting_for_doctor`)).toEqual([second])
  const one = (await world.api("GET", "/v1/management/prescriptions?limit=1")).body
  expect((await list(`limit=1&after=${one.next}`)).concat(one.data[0].uid).toSorted()).toEqual(
    [first, second].toSorted()
  )
  const other = await makeWorld(server.current)
  expect((await other.api("GET", "/v1/management/prescriptions")).body.data).toEqual([])
  const browser = await signedIn(server.current, ["admin", world.organisation_uid, world.organisation_uid])
  const page = await browser.ask("/console/practice/prescriptions?status=cancelled")
  expect(page.text).toContain(name)
  expect(page.text).toContain(`uid=${first}`)
  expect(page.text).not.toContain(`uid=${second}`)
  expect((await browser.ask(`/console/practice/prescriptions?uid=${first}`)).text).toContain(first)
})

test("a doctor finds own patients by name and date of birth, and nobody else's; Rule 8.4.14", async () => {
  const { world, api, patient_uid } = await enter()
  await world.api("PATCH", `/v1/management/patients/${patient_uid}`, { profile: { date_of_birth: "1980-03-05" } })
  const profile = { first_name: "Testa", last_name: "Fremd" }
  await world.api("POST", "/v1/management/patients", { shop_uid: world.shop_uid, profile })
  const found = async (search: string) =>
    (await api("GET", `/patients?search=${encodeURIComponent(search)}`)).body.data.map(
      ({ display_name }: { display_name: string }) => display_name
    )
  expect(await found("patient testa")).toEqual(["Testa Patient"])
  expect(await found("5.3.1980")).toEqual(["Testa Patient"])
  expect(await found("fremd")).toEqual([])
  const colleague = await doctorOf(server.current, world, world.doctors[1])
  expect((await server.current.api("GET", "/v1/doctor/patients", { bearer: colleague })).body.data).toEqual([])
  const browser = await signedIn(server.current, ["doctor", world.doctor, world.organisation_uid])
  const page = await browser.ask("/console/doctor/patients?search=testa")
  expect(page.text).toContain(`/console/doctor/patients/${patient_uid}`)
  expect(page.text).toContain('<form action="/console/doctor/patients"')
})

test("the next patients are told that the doctor is late, once, and see it on their page; Rule 8.4.12", async () => {
  const world = await makeWorld(server.current)
  const bearer = await doctorOf(server.current, world)
  const late = (body: object) => server.current.api("POST", "/v1/doctor/late", { bearer, body })
  const now = Math.floor(Date.now() / 1000)
  const profile = { first_name: "Ada", last_name: "Meyer", email: `${random("ada")}@example.org` }
  const patient = await world.api("POST", "/v1/management/patients", { shop_uid: world.shop_uid, profile })
  const squeezed = async (start_date: number) => {
    const { shop_uid } = world
    const body = {
      shop_uid,
      patient_uid: patient.body.uid,
      doctor_uid: world.doctor,
      appointment_type_uid: world.type_uid
    }
    const booked = await world.api("POST", "/v1/management/scheduling/appointments", {
      ...body,
      start_date,
      squeeze_in: true
    })
    expect(booked).toMatchObject({ status: 201 })
    return booked.body.uid as string
  }
  const soon = await squeezed(Math.ceil(now / 300) * 300 + 1800)
  const later = await squeezed(Math.ceil(now / 300) * 300 + 4 * 3600)
  const uids = ({ body }: Awaited<ReturnType<typeof late>>) => body.data.map(({ uid }: { uid: string }) => uid)
  expect(uids(await late({ minutes: 10 }))).toEqual([soon])
  expect(uids(await late({ minutes: 10 }))).toEqual([])
  expect(uids(await late({ minutes: 15, within_minutes: 600 }))).toEqual([soon, later])
  expect((await late({ minutes: 121 })).status).toBe(400)
  const events = await world.api("GET", "/v1/management/events?type=scheduling.doctor_late")
  expect(events.body.data.map(({ data }: { data: { minutes: number } }) => data.minutes)).toEqual([10, 15, 15])
  const { data } = (await world.api("GET", "/v1/management/messages")).body
  expect(data.map(({ kind, channel }: { kind: string; channel: string }) => [kind, channel])).toEqual(
    Array(3).fill(["doctor_late", "email"])
  )
  const link = await world.api("POST", `/v1/management/scheduling/appointments/${soon}/action-links`, {
    action: "join"
  })
  const page = async () => await (await fetch(`${link.body.url}?lang=de`)).text()
  expect(await page()).toContain("verspätet sich leider um etwa 15 Minuten")
  expect((await late({ minutes: 0, within_minutes: 600 })).status).toBe(200)
  expect(await page()).not.toContain("verspätet sich")
  const browser = await signedIn(server.current, ["doctor", world.doctor, world.organisation_uid])
  expect((await browser.ask("/console/doctor")).text).toContain("I am late")
})

test("a call and the patient's card are frames of one page, and only it may frame the card; Rule 17.6.18", async () => {
  const world = await makeWorld(server.current)
  const uid = await openAppointment(world)
  const browser = await signedIn(server.current, ["doctor", world.doctor, world.organisation_uid])
  const joined = await browser.ask("/console/doctor/join", { "@csrf": browser.csrf, appointment_uid: uid })
  expect([joined.status, joined.location]).toEqual([
    303,
    expect.stringContaining(`/console/doctor/appointments/${uid}/call?room=`)
  ])
  const { text, answer } = await browser.ask(joined.location)
  const { url } = server.current
  expect(answer.headers.get("permissions-policy")).toContain(`camera=(self "${url}")`)
  expect(answer.headers.get("content-security-policy")).toContain(`frame-src 'self' ${url};`)
  const [room = "", card = ""] = [...text.matchAll(/<iframe[^>]* src="([^"]+)"/g)].map(([, src = ""]) =>
    src.replaceAll("&amp;", "&")
  )
  const meeting = await fetch(room)
  expect([meeting.status, meeting.headers.get("content-security-policy")]).toEqual([
    200,
    expect.stringMatching(new RegExp(`frame-ancestors 'self' .*${url}$`))
  ])
  expect(await meeting.text()).toContain(`data-return-url="${url}/console/doctor/appointments/${uid}"`)

  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
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
