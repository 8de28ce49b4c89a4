/** Telephone booking at any date, and text that is kept. Section 17.6. */
import { expect, test } from "bun:test"
import { asAdmin, asDoctor, unescaped } from "../../support/console.ts"
import { openAppointment } from "../../support/meetings.ts"
import { stored } from "../../support/records.ts"
import { testServer } from "../../support/server.ts"
import { DAY, dayOf, HOUR, inDays, makeWorld, random } from "../../support/world.ts"

const server = testServer()

const enter = async () => {
  const world = await makeWorld(server.current, { doctors: 2 })
  const browser = await asAdmin(server.current, world)
  return { world, browser }
}
const statusOf = async (uid: string) => (await stored(server.current, uid)).status

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
  // a time of the day that was searched, below the first ones in some weeks
  const followUp = then.findLast((value) => value.startsWith("POST /v1/doctor/appointments {")) ?? ""
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
