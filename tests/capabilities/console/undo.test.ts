/** What was pressed wrongly is taken back, or asked before it happens. Rules 4.11.3, 17.2.14 and 17.6.8. */
import { expect, test } from "bun:test"
import { asAdmin, asDoctor, unescaped } from "../../support/console.ts"
import { eventually } from "../../support/eventually.ts"
import { openAppointment } from "../../support/meetings.ts"
import { testServer } from "../../support/server.ts"
import { dayOf, inDays, makeWorld, random } from "../../support/world.ts"

const server = testServer()
const base = "/v1/management/scheduling"

test("completed and missed are undone by one press of the page that says so; Rule 17.2.14", async () => {
  const world = await makeWorld(server.current, { doctors: 1, organisation: { messages: ["confirmation"] } })
  const uid = await openAppointment(world)
  const status = async () => (await world.api("GET", `${base}/appointments/${uid}`)).body.status
  const practice = await asAdmin(server.current, world)
  const doctor = await asDoctor(server.current, world)
  const back = `/console/practice/appointments/${uid}`
  const { patient_uid } = (await world.api("GET", `${base}/appointments/${uid}`)).body
  const card = `/console/doctor/patients/${patient_uid}?appointment=${uid}`
  for (const [browser, path, page, act, becomes] of [
    [practice, `${base}/appointments`, back, "no-show", "no_show"],
    [practice, `${base}/appointments`, back, "complete", "completed"],
    [doctor, "/v1/doctor/appointments", card, "no-show", "no_show"]
  ] as const) {
    const ended = await browser.send(`POST ${path}/${uid}/${act}`, { "@back": page })
    expect([ended.status, await status()]).toEqual([303, becomes])
    const { text } = await browser.open(ended.location)
    const notice = text.slice(text.indexOf("data-done"))
    const [, operation = ""] = /name="@operation" value="([^"]+\/reopen)"/.exec(notice) ?? []
    expect(operation).toBe(`POST ${path}/${uid}/reopen`)
    expect((await browser.send(operation)).status).toBe(303)
    expect(await status()).toBe("confirmed")
  }
  // the note's button that also ends the visit has the same way back
  const noted = await doctor.send(`PUT /v1/doctor/appointments/${uid}/note`, {
    "@back": card,
    "@then": `POST /v1/doctor/appointments/${uid}/complete`,
    note: "Well"
  })
  expect((await doctor.open(noted.location)).text).toContain(`POST /v1/doctor/appointments/${uid}/reopen`)
  expect((await practice.ask(back)).text).toContain(`POST ${base}/appointments/${uid}/reopen`)
  expect((await world.api("GET", "/v1/management/messages?status=sent")).body.data).toEqual([])
})

test("a time that was taken since stays taken, and ten minutes are the end; Rule 4.11.3", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const uid = await openAppointment(world)
  const act = (name: string) => world.api("POST", `${base}/appointments/${uid}/${name}`)
  expect((await act("no-show")).status).toBe(200)
  const { body: one } = await world.api("GET", `${base}/appointments/${uid}`)
  const other = await world.bookByKey({
    ...{ patient_uid: await world.patient(), doctor_uid: world.doctor, start_date: one.start_date + 120 },
    squeeze_in: true
  })
  expect(other.status).toBe(201)
  expect(await act("reopen")).toMatchObject({ status: 409, body: { code: "slot_taken" } })
  await world.api("POST", `${base}/appointments/${other.body.uid}/cancel`, { reason: "mistake" })
  expect(await act("reopen")).toMatchObject({ status: 200, body: { status: "confirmed" } })
  expect((await act("reopen")).status).toBe(200)
  const { data } = (await world.api("GET", `/v1/management/events?type=patient_doctor_meeting_updated`)).body
  const changes = data.filter((event: { data: { appointment: { uid: string } } }) => event.data.appointment.uid === uid)
  expect(changes.map((event: { data: { change: string } }) => event.data.change)).toEqual(["no_show", "confirmed"])
})

test("a recall that is pressed twice is one; Rule 3.13.6", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const patient_uid = await world.patient()
  const recall = { patient_uid, appointment_type_uid: world.type_uid, due_date: "2035-01-22" }
  const press = (fields: object) => world.api("POST", `${base}/recalls`, { ...recall, ...fields })
  const [one, two] = await Promise.all([press({}), press({})])
  expect([one.status, two.status, one.body.uid === two.body.uid]).toEqual([201, 201, true])
  expect((await press({ due_date: "2035-07-22" })).body.uid).not.toBe(one.body.uid)
  // with its last note
  expect((await press({ message_text: "Nüchtern" })).body).toMatchObject({
    uid: one.body.uid,
    message_text: "Nüchtern"
  })
  await world.api("PATCH", `${base}/recalls/${one.body.uid}`, { status: "cancelled" })
  expect((await press({})).body.uid).not.toBe(one.body.uid)
})

test("a move that would overlap another visit of the patient says so before the press; Rule 17.6.25", async () => {
  const world = await makeWorld(server.current, { doctors: 2 })
  const patient_uid = await world.patient()
  const [first, second] = world.doctors
  const book = async (doctor_uid: string | undefined, start_date: number) =>
    String((await world.bookByKey({ patient_uid, doctor_uid, start_date })).body.uid)
  const uid = await book(first, inDays(3, 9))
  await book(second, inDays(3, 2))
  const practice = await asAdmin(server.current, world)
  const warning = new RegExp(`at the same time: [^<]*Dr\\. ${second}`)
  const page = await practice.ask(
    `/console/practice/appointments/${uid}?${new URLSearchParams({ doctor: String(first), day: dayOf(inDays(3, 2)) })}`
  )
  const buttons = [...page.text.matchAll(/<button[^>]*name="@slot" value="(\d+)\.[^>]*>(.*?)<\/button>/g)]
  expect(buttons.filter(([, , text]) => warning.test(text ?? "")).map(([, at]) => Number(at))).toContain(inDays(3, 2))
  const panel = await practice.ask(`/console/practice?move=${uid}&to=${inDays(3, 2)}.${first}`)
  expect(panel.text).toMatch(warning)
  const doctor = await asDoctor(server.current, world)
  const card = await doctor.ask(
    `/console/doctor/patients/${patient_uid}?appointment=${uid}&move=true&part=morning&day=${dayOf(inDays(3, 2))}`
  )
  expect(card.text).toMatch(warning)
})

test("a type made in the console is not bookable before its checklist is done; Rule 17.6.26", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const practice = await asAdmin(server.current, world)
  const page = await practice.ask("/console/practice/types")
  const form = page.text.slice(0, page.text.indexOf('name="meeting_type"'))
  const fields = [...form.slice(form.lastIndexOf("<form")).matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  const sent = Object.fromEntries(fields.map(([, name = "", value = ""]) => [name, unescaped(value)]))
  const made = await practice.ask("/console/practice/do", {
    ...{ ...sent, name: "Akupunktur", meeting_type: "CONSULTATION", duration_minutes: "30", formats: "IN_PERSON" },
    ...{ "hold_ttl_seconds@minutes": "10", room_strategy: "per_appointment", rebooking_mode: "same_doctor_only" },
    ...{ booking_min_notice_minutes: "0", cancellation_min_notice_minutes: "0", rebooking_min_notice_minutes: "0" },
    ...{ doctor_assignment_mode: "all_available_doctors", doctor_choice: "any", allow_patient_rebooking: "false" },
    ...{ closed_on_holidays: "true", waitlist: "true", specialty_code: "ALLG" }
  })
  expect(made.status).toBe(303)
  const { text } = await practice.open(made.location)
  const [, card = ""] = text.split('id="checklist"')
  for (const [to, state] of [
    ["texts", "missing"],
    ["reminders", "missing"]
  ])
    expect(card).toMatch(new RegExp(`href="#${to}">[^<]+</a><span class="badge warn">${state}<`))
  const type = new URL(made.location, server.current.url).searchParams.get("type") ?? ""
  const stored = async () =>
    (await world.api("GET", `${base}/appointment-types`)).body.data.find(({ uid }: { uid: string }) => uid === type)
  expect(await stored()).toMatchObject({ name: "Akupunktur", active: false })
  expect((await practice.send(`PATCH ${base}/appointment-types/${type}`, { active: "true" })).status).toBe(303)
  expect(await stored()).toMatchObject({ active: true })
})

test("own booking pages go live with an imprint and a privacy notice alone; Rule 5.8.10", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const practice = await asAdmin(server.current, world)
  const save = (fields: Readonly<Record<string, string>>) =>
    practice.send("PATCH /v1/management/organisation", { "@back": "/console/practice/branding", ...fields })
  const on = { public_booking: "true", "branding.imprint_url": "https://praxis.example/impressum" }
  const refused = await save(on)
  expect(refused.status).toBe(400)
  expect(refused.text).toMatch(/name="branding\.privacy_url"[^>]*aria-invalid="true"/)
  const privacy = { "branding.privacy_url": "https://praxis.example/datenschutz" }
  expect((await save({ ...on, ...privacy })).status).toBe(303)
  expect((await save({ "branding.privacy_url": "" })).status).toBe(400)
  expect((await save({ public_booking: "false" })).status).toBe(303)
  expect((await save({ "branding.privacy_url": "" })).status).toBe(303)
  expect((await world.api("PATCH", "/v1/management/organisation", { public_booking: true })).status).toBe(400)
})

test("whom no message reached is on a list of calls with both times, and is ticked off; Rules 7.8.7 and 17.6.27", async () => {
  const messages = ["confirmation", "rebooking", "cancellation"]
  const world = await makeWorld(server.current, { doctors: 2, organisation: { messages } })
  const [first, second] = world.doctors
  const patient_uid = await world.patient({ first_name: "Rosa", last_name: "Festnetz", phone: "+49 30 1234567" })
  const reached = await world.patient({ first_name: "Mia", last_name: "Mail", email: `${random("mia")}@example.org` })
  const practice = await asAdmin(server.current, world)
  const booking = await practice.ask(`/console/practice/patients/${patient_uid}`)
  expect(booking.text).toContain("Without a mail address no confirmation goes out")
  expect((await practice.ask(`/console/practice/patients/${reached}`)).text).not.toContain("Without a mail address")
  const start = inDays(3, 9)
  const { body: booked } = await world.bookByKey({ patient_uid, doctor_uid: first, start_date: start })
  await world.bookByKey({ patient_uid: reached, doctor_uid: second, start_date: start })
  const unreached = async () => (await world.api("GET", "/v1/management/messages?unreached=true")).body.data
  await eventually(unreached, ({ length }) => length === 1)
  const moved = await world.api("POST", `/v1/scheduling/appointments/${booked.uid}/rebook`, {
    ...{ new_start_date: inDays(3, 11), new_doctor_uid: second }
  })
  expect(moved.status).toBe(200)
  const waiting = await eventually(unreached, ({ length }) => length === 2)
  expect((await practice.ask("/console/practice")).text).toContain("2 people have not been told")
  const { text } = await practice.ask("/console/practice/calls")
  const of = new RegExp(
    `Rosa Festnetz</a> · <a href="tel:\\+49301234567">.*09:00, Dr\\. ${first} → [^<]+11:00, Dr\\. ${second}`
  )
  expect(text).toMatch(of)
  expect(text).not.toContain("Mia Mail")
  for (const { uid } of waiting)
    expect((await practice.send(`POST /v1/management/messages/${uid}/told`)).status).toBe(303)
  expect(await unreached()).toEqual([])
  expect((await practice.ask("/console/practice/calls")).text).toContain('data-empty="calls"')
  const [one] = waiting
  // what is sent again and does not arrive is to be called again
  expect((await world.api("POST", `/v1/management/messages/${one.uid}/resend`)).status).toBe(200)
  await eventually(unreached, ({ length }) => length === 1)
})
