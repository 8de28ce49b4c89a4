/** An absence as one act, telephone booking at any date, and text that is kept. Sections 17.5 and 17.6. */
import { expect, test } from "bun:test"
import { asAdmin, asDoctor, type ConsoleVisitor, hiddenField, unescaped } from "../../support/console.ts"
import { eventually } from "../../support/eventually.ts"
import { openAppointment } from "../../support/meetings.ts"
import { stored } from "../../support/records.ts"
import { testServer } from "../../support/server.ts"
import { DAY, dayOf, HOUR, inDays, makeWorld, random } from "../../support/world.ts"

const server = testServer()

const enter = async () => {
  const world = await makeWorld(server.current, { doctors: 2 })
  const browser = await asAdmin(server.current, world)
  const settle = (fields: Readonly<Record<string, string>>) =>
    browser.ask("/console/practice/absences", { "@csrf": browser.csrf, ...fields })
  const free = async (day: number, doctor_uid = world.doctor) =>
    (await world.search({ from: inDays(day), to: inDays(day + 1), doctor_uid })).body.slots.length
  return { world, browser, settle, free }
}
const statusOf = async (uid: string) => (await stored(server.current, uid)).status
/** The page of an absence, once this many appointments are settled. */
const settled = (browser: ConsoleVisitor, page: string, count: number) =>
  eventually(
    async () => (await browser.ask(page)).text,
    (html) => html.includes(`${count} of ${count} appointments settled`)
  )
/** A refusal of a page that is older than what it is about. */
const STALE = { status: 409, text: expect.stringContaining("The number of appointments has changed") }

test("an absence names the number, closes the time and settles what was counted, each as chosen; Rules 17.5.1 to 17.5.3", async () => {
  const { world, browser, settle, free } = await enter()
  const uids = [await world.booked(inDays(3, 9), "a"), await world.booked(inDays(3, 10), "b")]
  const other = await world.booked(inDays(3, 9), "c", { doctor_uid: world.doctors[1] })
  const day = dayOf(inDays(3))
  const absence = { doctor: world.doctor, kind: "illness", from: day, until: day }
  const { text } = await browser.ask(`/console/practice/absences?${new URLSearchParams(absence)}`)
  expect(text).toContain("2 booked appointments in this time")
  expect(hiddenField(text, "expected")).toBe("2")
  expect(text).toMatch(/<input[^>]* name="any_specialty" value="true"/)
  for (const uid of uids) expect(text).toContain(`name="choice.${uid}"`)
  expect(await free(3)).toBeGreaterThan(0)

  const kept = await world.booked(inDays(3, 11), "d")
  const cancel = { ...absence, appointments: "cancel", message: "ill" }
  expect(await settle({ ...cancel, expected: "2" })).toMatchObject(STALE)
  expect(await free(3)).toBeGreaterThan(0)

  const done = await settle({ ...cancel, expected: "3", [`choice.${kept}`]: "keep", [`choice.${uids[1]}`]: "move" })
  expect(done.status).toBe(303)
  // closed at once, settled afterwards
  expect(await free(3)).toBe(0)
  const page = done.location.split("&done")[0] ?? ""
  expect(await settled(browser, page, 2)).toContain("1 moved, 0 asked, 1 cancelled, 0 not possible")
  const statuses = await Promise.all([...uids, other, kept].map(statusOf))
  expect(statuses).toEqual(["cancelled", "cancelled", "confirmed", "confirmed"])
  const { data } = (await world.api("GET", `/v1/management/scheduling/appointments`)).body
  expect(data).toContainEqual(expect.objectContaining({ previous_meeting_uid: uids[1] }))

  const [, uid = ""] = /absence=(\w+)/.exec(page) ?? []
  const path = `/v1/management/scheduling/absences/${uid}`
  // back at noon
  const form = { "@back": "/console/practice/absences" }
  const back = await browser.send(`PATCH ${path}`, { ...form, "@zone": "UTC", "to@local": `${day}T12:00` })
  expect([back.status, (await free(3)) > 0]).toEqual([303, true])
  expect((await browser.send(`DELETE ${path}`, form)).status).toBe(303)
  expect((await world.api("GET", path)).status).toBe(404)
  expect(await statusOf(kept)).toBe("confirmed")
})

test("those who did not answer are asked again by a button that names their number; Rule 3.14.6", async () => {
  const { world, browser, settle } = await enter()
  const [, answered] = [await world.booked(inDays(3, 9), "silent"), await world.booked(inDays(3, 10), "answered")]
  const day = dayOf(inDays(3))
  const made = await settle({ doctor: world.doctor, from: day, until: day, appointments: "offer", expected: "2" })
  const page = made.location.split("&done")[0] ?? ""
  const before = await settled(browser, page, 2)
  expect(before).toContain("Ask 2 patients without an answer again")
  await world.api("POST", `/v1/management/scheduling/appointments/${answered}/cancel`, { reason: "another day" })

  const operation = /POST [^"]+\/ask-again/.exec(before)?.[0] ?? ""
  const ask = (html: string) => {
    const form = html.split("<form").find((text) => text.includes(operation)) ?? ""
    return browser.send(operation, { "@back": page, expected: hiddenField(form, "expected") })
  }
  // the page of before somebody answered
  const stale = await ask(before)
  const { text } = stale // before it is compared: what a matcher fits is replaced by it
  expect(text).toContain("Ask 1 patient without an answer again")
  expect(stale).toMatchObject(STALE)
  expect((await ask(text)).status).toBe(303)
  await settled(browser, page, 2)
  const { data } = (await world.api("GET", "/v1/management/events?type=scheduling.times_offered")).body
  expect(data.length).toBe(3)
})

test("three weeks of vacation are one step, and its appointments are moved to whom the box allows; Rules 3.14.7 and 17.5.2", async () => {
  const { world, settle, free } = await enter()
  const [, colleague] = world.doctors
  await world.api("PATCH", `/v1/management/doctors/${colleague}`, { specialty_code: "AUGE" })
  const uid = await world.booked(inDays(5, 9))
  const absence = { doctor: world.doctor, kind: "vacation", from: dayOf(inDays(4)), until: dayOf(inDays(24)) }
  expect((await settle({ ...absence, any_specialty: "true", appointments: "move", expected: "1" })).status).toBe(303)
  const { data } = await eventually(
    async () => (await world.api("GET", "/v1/management/scheduling/appointments")).body,
    (body) => body.data[0]?.previous_meeting_uid === uid
  )
  expect(await statusOf(uid)).toBe("cancelled")
  expect([data[0].doctor_uid, data[0].start_date]).toEqual([colleague, inDays(5, 9)])
  expect([await free(4), await free(24), (await free(25)) > 0]).toEqual([0, 0, true])
})

test("a free time in the calendar leads to the patient and is booked; times are found from any day on; Rules 17.6.1 and 17.6.2", async () => {
  const { world, browser } = await enter()
  const calendar = await browser.ask(`/console/practice?view=week&day=${dayOf(inDays(8))}&doctor=${world.doctor}`)
  const pressed = /href="(\/console\/practice\/patients\?type=[^"]+start=(\d+))"/.exec(calendar.text)
  const [back, start = ""] = [unescaped(pressed?.[1]).replace("/patients?", "/patients/{uid}?"), pressed?.[2]]
  const person = { "@back": back, shop_uid: world.shop_uid, "profile.last_name": random("Muster") }
  const made = await browser.send("POST /v1/management/patients", person, "patients")
  expect(made.status).toBe(303)
  const { text } = await browser.ask(made.location)
  expect(text).toContain(`name="@slot" value="${start}.${world.doctor}"`)

  const later = await browser.ask(`${made.location.split("?")[0]}?day=${dayOf(inDays(12))}&part=afternoon`)
  const starts = [...later.text.matchAll(/name="@slot" value="(\d+)\./g)].map(([, second]) => Number(second))
  expect(starts.length).toBeGreaterThan(0)
  expect(
    starts.filter((second) => second < inDays(12) || second % DAY < 12 * HOUR || second % DAY >= 17 * HOUR)
  ).toEqual([])
})

test("a caller's wish for a visit in the practice goes along to the booking; Rule 17.6.2", async () => {
  const { world, browser } = await enter()
  const uid = await world.booked(inDays(8, 9))
  const { patient_uid } = await stored(server.current, uid)
  const next = await browser.ask(`/console/practice?view=next&type=${world.type_uid}&format=IN_PERSON`)
  const link = unescaped(/href="(\/console\/practice\/patients\?type=[^"]+)"/.exec(next.text)?.[1])
  expect(link).toContain("format=IN_PERSON")
  const found = await browser.ask(`${link}&search=testa`)
  const chosen = new RegExp(`href="(/console/practice/patients/${patient_uid}[^"]+)"`).exec(found.text)?.[1]
  const { text } = await browser.ask(unescaped(chosen))
  expect(text).toContain('<option value="IN_PERSON" selected')
})

test("a doctor's note is kept by the buttons beside it; Rule 17.6.3", async () => {
  const { world } = await enter()
  const browser = await asDoctor(server.current, world)
  const begun = await openAppointment(world)
  const patient = (await stored(server.current, begun)).patient_uid
  const page = `/console/doctor/patients/${patient}?appointment=${begun}&day=${dayOf(inDays(21))}`
  const { text } = await browser.ask(page)
  const send = (fields: Readonly<Record<string, string>>) =>
    browser.send(`PUT /v1/doctor/appointments/${begun}/note`, { "@back": page, ...fields })
  const then = [...text.matchAll(/name="@then" value="([^"]+)"/g)].map(([, value]) => unescaped(value))
  const followUp = then.find((value) => value.startsWith("POST /v1/doctor/appointments {")) ?? ""
  expect((await send({ note: "first words", "@then": followUp })).status).toBe(303)
  expect((await browser.ask(page)).text).toContain("first words")
  const { data } = (await world.api("GET", `/v1/management/scheduling/appointments?patient_uid=${patient}`)).body
  expect(data.at(-1)?.start_date).toBeGreaterThanOrEqual(inDays(21) - 2 * HOUR)
  const complete = `POST /v1/doctor/appointments/${begun}/complete`
  expect((await send({ note: "last words", "@then": complete })).status).toBe(303)
  expect([(await browser.ask(page)).text, await statusOf(begun)]).toEqual([
    expect.stringContaining("last words"),
    "completed"
  ])
  // a refused second step says so, and the note stands
  const refused = await send({ note: "more", "@then": complete })
  expect(refused).toMatchObject({ status: 409, text: expect.stringMatching(/role="alert".*more/s) })
  expect((await send({ note: "x", "@then": "POST /v1/nothing" })).status).toBe(404)
})

test("a likely double is shown before a patient is made; Rule 17.6.5", async () => {
  const { world, browser } = await enter()
  const { shop_uid } = world
  const uid = await world.patient({ first_name: "Jörg", last_name: "Schröder", phone: "030 55512345" })
  const create = (fields: Readonly<Record<string, string>>) =>
    browser.send("POST /v1/management/patients", fields, "patients")
  const count = async () => (await world.api("GET", "/v1/management/patients?limit=1")).body.totalRegistries
  const before = await count()
  const form = {
    "@back": "/console/practice/patients/{uid}",
    shop_uid,
    "profile.first_name": "Joerg",
    "profile.last_name": "Schroder"
  }
  for (const fields of [
    {},
    { "profile.first_name": "J.", "profile.last_name": "S.", "profile.phone": "+49 30 555 123 45" }
  ]) {
    const { status, text } = await create({ ...form, ...fields })
    expect([status, text.includes(`/patients/${uid}`), text.includes("Create nevertheless")]).toEqual([409, true, true])
  }
  expect(await count()).toBe(before)
  expect((await create({ ...form, "@sure": "1" })).status).toBe(303)
  expect(await count()).toBe(before + 1)
  const page = await browser.ask("/console/practice/patients?search=Schmidt-Nomatch, Ute")
  expect(page.text).toContain('value="Schmidt-Nomatch"')
  // all that the caller has said is in the form
  const said = new URLSearchParams({ search: "Neu, Ute Maria 3.4.1980 0171 5551234" })
  const { text } = await browser.ask(`/console/practice/patients?${said}`)
  for (const value of ["Neu", "Ute Maria", "1980-04-03", "0171 5551234"]) expect(text).toContain(`value="${value}"`)
})

test("a day shows all doctors, and cancelled appointments on wish; Rule 17.6.6", async () => {
  const { world, browser } = await enter()
  const uids = [
    await world.booked(inDays(3, 9), "a"),
    await world.booked(inDays(3, 9), "b", { doctor_uid: world.doctors[1] })
  ]
  const path = `/v1/management/scheduling/appointments/${uids[1]}/cancel`
  await world.api("POST", path, { reason: "caught a cold" })
  const day = `/console/practice?day=${dayOf(inDays(3))}`
  const plain = (await browser.ask(day)).text
  expect(uids.map((uid) => plain.includes(`appointment=${uid}`))).toEqual([true, false])
  for (const doctor of world.doctors) expect(plain).toContain(`doctor=${doctor}&amp;start=${inDays(3, 11)}`)
  expect(plain).not.toContain(`doctor=${world.doctor}&amp;start=${inDays(3, 9)}`)
  const wished = (await browser.ask(`${day}&cancelled=true`)).text
  expect([wished.includes(`appointment=${uids[1]}`), wished.includes("caught a cold")]).toEqual([true, true])
})
