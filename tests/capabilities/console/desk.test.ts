/** A day at the desk: walk-ins, what is known of a patient, closed rooms. Section 17.6. */
import { expect, test } from "bun:test"
import { signOf } from "../../../src/capabilities/console/pages/practice/CalendarPage.tsx"
import { organisationPermissions } from "../../../src/schemas/access/permissions.ts"
import { present } from "../../support/body.ts"
import { asAdmin, asDoctor, unescaped, visitor } from "../../support/console.ts"
import { testServer } from "../../support/server.ts"
import { dayOf, inDays, makeWorld, random } from "../../support/world.ts"

const server = testServer()
const base = "/v1/management/scheduling"

/** The fields of the page's form whose button has this name. */
const formOf = (html: string, label: RegExp) => {
  const form = html.split("<form").find((text) => label.test(text.split("</form>")[0] ?? "")) ?? ""
  const fields = [...form.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  return Object.fromEntries(fields.map(([, name = "", value = ""]) => [name, unescaped(value)]))
}

test("any time of a doctor's day leads to squeezing somebody in, with what speaks against it; Rule 17.6.28", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const start = inDays(3, 18)
  const rule = { weekday: (new Date(start * 1000).getUTCDay() + 6) % 7, start_time: 540, end_time: 720 }
  await world.api("PUT", `${base}/doctors/${world.doctor}/availability-rules`, { rules: [rule] })
  const zora = await world.patient({ first_name: "Zora", last_name: "Laufkundin" })
  const { ask } = await asAdmin(server.current, world)
  const day = await ask(`/console/practice?day=${dayOf(start)}`)
  const [, press = "", from = "", seconds = ""] =
    /data-press="([^"]+)" data-from="(\d+)" data-seconds="(\d+)"/.exec(day.text) ?? []
  expect([Number(from) <= start, Number(from) + Number(seconds) >= inDays(3, 12)]).toEqual([true, true])
  const found = await ask(`${unescaped(press)}&start=${start}&search=Laufkundin`)
  expect(found.text).toContain("This is outside of the hours.")
  const form = formOf(found.text, /Squeeze in: Zora Laufkundin/)
  expect((await ask("/console/practice/do", form)).location).toStartWith(`/console/practice/patients/${zora}?done=`)
  const yara = await world.patient({ first_name: "Yara", last_name: "Laufkundin" })
  const hers = {
    uid: random("apt"),
    organisation_uid: world.organisation_uid,
    doctor_uid: random("doc"),
    patient_uid: yara,
    appointment_type_uid: world.type_uid,
    start_date: start,
    end_date: start + 1200,
    status: "confirmed"
  }
  const { organisation_uid } = world
  await world.provision({
    doctors: [{ uid: hers.doctor_uid, organisation_uid, display_name: "Dr. Andere" }],
    appointments: [hers]
  })
  // without JavaScript by a form, where somebody is booked already
  const { text } = await ask(
    `/console/practice/patients?${new URLSearchParams({ type: world.type_uid, doctor: world.doctor, squeeze: "true", day: dayOf(start), time: "18:00", search: "Laufkundin" })}`
  )
  expect(text).toContain("Booked already at this time: 18:00 Zora Laufkundin.")
  // each patient's own visit then, and nobody else's
  const badges = [...text.matchAll(/class="badge warn">([^<]+)/g)].map(([, badge = ""]) => badge)
  expect(badges.map((badge) => badge.replace(/18:00 .*/, "18:00"))).toEqual(Array(2).fill("at the same time: 18:00"))
  expect(new Set(badges).size).toBe(2)
  const inside = await ask(`${unescaped(press)}&start=${inDays(3, 10)}`)
  expect(inside.text).not.toContain("outside of the hours")
})

test("a free time is booked for a known patient by one press of the search's result; Rule 17.6.2", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const start_date = inDays(3, 9)
  await world.patient({ first_name: "Kurt", last_name: "Bekannt" })
  const { ask } = await asAdmin(server.current, world)
  const query = { type: world.type_uid, doctor: world.doctor, start: String(start_date), search: "Bekannt" }
  const { text } = await ask(`/console/practice/patients?${new URLSearchParams(query)}`)
  expect((await ask("/console/practice/do", formOf(text, /: Kurt Bekannt/))).status).toBe(303)
  const { data } = (await world.api("GET", `${base}/appointments`)).body
  expect(data).toMatchObject([{ start_date, patient_display_name: "Kurt Bekannt" }])
})

test("insurance, address and language are fields of a patient, found by number, at the top and on the doctor's card; Rule 1.6.1", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const practice = await asAdmin(server.current, world)
  const number = `A${random("").slice(-9)}`
  const made = await practice.send(
    "POST /v1/management/patients",
    {
      ...{ "@back": "/console/practice/patients/{uid}", shop_uid: world.shop_uid, "profile.first_name": "Ida" },
      ...{ "profile.last_name": "Versichert", "profile.date_of_birth": "1985-03-14", "profile.language": "tr" },
      ...{ "profile.street": "Hauptstr. 1", "profile.zip": "20095", "profile.city": "Hamburg" },
      ...{ "profile.insurance_kind": "statutory", "profile.insurance_number": number },
      "profile.insurance_carrier": "Kasse Nord"
    },
    "patients"
  )
  const uid = new URL(made.location, server.current.url).pathname.split("/").at(-1) ?? ""
  const { body } = await world.api("GET", `/v1/management/patients?search=${number.toLowerCase()}`)
  expect(body.data).toMatchObject([{ uid, profile: { insurance_kind: "statutory", language: "tr", city: "Hamburg" } }])
  const card = await practice.ask(`/console/practice/patients/${uid}`)
  const [head = ""] = card.text.split('id="book"')
  expect(head).toContain("born 14 Mar 1985")
  expect(card.text).toContain(`value="${number}"`)
  expect(card.text).toMatch(/<option value="tr" selected[^>]*>Turkish/)
  await world.bookByKey({ patient_uid: uid, doctor_uid: world.doctor, start_date: inDays(2, 9) })
  const doctor = await asDoctor(server.current, world)
  expect((await doctor.ask(`/console/doctor/patients/${uid}`)).text).toContain(`statutory · Kasse Nord · ${number}`)
  const wrong = { profile: { insurance_kind: "unknown" } }
  expect((await world.api("PATCH", `/v1/management/patients/${uid}`, wrong)).status).toBe(400)
})

test("a room that is always available is closed for an afternoon; Rule 18.1.3", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const { body: room } = await world.api("POST", `${base}/resources`, { kind: "room", name: "Room Blue" })
  const requirements = [{ resource_uids: [room.uid] }]
  await world.api("PATCH", `${base}/appointment-types/${world.type_uid}`, { requirements })
  const uid = await world.booked(inDays(3, 14))
  await world.booked(inDays(3, 9), "other")
  const { ask, send } = await asAdmin(server.current, world)
  const query = { resource: room.uid, kind: "closed", day: dayOf(inDays(3)), start: "13:00", end: "18:00" }
  const preview = await ask(`/console/practice/resources?${new URLSearchParams(query)}`)
  const [, effects = ""] = preview.text.split('<div role="status"')
  expect(effects.split("</ul>")[0]?.match(/appointments\/apt_[\w-]+/g)).toEqual([`appointments/${uid}`])
  const fields = formOf(preview.text, /Close on .* from 13:00 to 18:00/)
  expect((await send(fields["@operation"] ?? "", fields)).status).toBe(303)
  const search = async (from: number, to: number) =>
    (
      await server.current.api("POST", "/v1/scheduling/slots/search", {
        body: { shop_uid: world.shop_uid, appointment_type_uid: world.type_uid, from, to }
      })
    ).body.slots.length
  expect(await search(inDays(3, 13), inDays(3, 18))).toBe(0)
  expect(await search(inDays(3, 10), inDays(3, 13))).toBeGreaterThan(5)
  expect(await search(inDays(3, 18), inDays(3, 22))).toBeGreaterThan(5)
  expect(await search(inDays(4, 13), inDays(4, 18))).toBeGreaterThan(5)
  const calendar = await world.api("GET", `${base}/calendar?from=${inDays(3)}&to=${inDays(4)}`)
  const { open } = present(calendar.body.subjects.find((one: { uid: string }) => one.uid === room.uid))
  expect(open).toContainEqual({ from: inDays(3, 18), to: expect.any(Number) })
})

test("the sign of a strip is of its words and number", () => {
  expect(["Sprechzimmer 1", "Consulting room 12", "Ultraschall", "OP"].map(signOf)).toEqual(["S1", "CR12", "Ult", "OP"])
})

test("an absence whose last day lies before its first is said; Rule 17.5.4", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const { ask } = await asAdmin(server.current, world)
  const query = new URLSearchParams({ doctor: world.doctor, from: dayOf(inDays(5)), until: dayOf(inDays(2)) })
  expect((await ask(`/console/practice/absences?${query}`)).text).toContain("The last day lies before the first one")
  expect((await ask("/console/practice/absences")).text).not.toContain("The last day lies before")
})

test("what a caller wishes goes into the search and the waiting list; where that day is full, it is said; Rule 17.6.29", async () => {
  const world = await makeWorld(server.current, { doctors: 1, type: { waitlist: true } })
  const day = inDays(5)
  await world.api("POST", `${base}/doctors/${world.doctor}/availability-date-overrides`, { date: day, day_off: true })
  const patient = await world.patient({ first_name: "Wanda", last_name: "Wartet" })
  const { ask, send } = await asAdmin(server.current, world)
  const page = `/console/practice/patients/${patient}`
  const { text } = await ask(`${page}?${new URLSearchParams({ day: dayOf(day), part: "afternoon" })}`)
  expect(text).toMatch(/Nothing is free in the afternoon on [A-Z][a-z]+ \d+ [A-Z][a-z]+\. The next times:/)
  const weekday = (new Date(day * 1000).getUTCDay() + 6) % 7
  const [, form = ""] = text.split('id="waitlist"')
  const ticked = [...form.matchAll(/<input[^>]*name="([^"]+)" value="([^"]+)"[^>]*\bchecked/g)].map(([, ...one]) => one)
  expect(ticked).toEqual([
    ["weekdays", String(weekday)],
    ["times@ranges", "720-1020"]
  ])
  const entry = { patient_uid: patient, appointment_type_uid: world.type_uid, doctor_uids: "", need: "routine" }
  const wish = { need_reason: "", weekdays: String(weekday), "times@ranges": "720-1020", "@back": page }
  expect((await send(`POST ${base}/waitlist-entries`, { ...entry, ...wish })).status).toBe(303)
  const [, card = ""] = (await ask(page)).text.split('id="waits"')
  expect(card).toContain("12:00–17:00")
  expect((await ask(`/console/practice/patients/${await world.patient()}`)).text).not.toContain('id="waits"')
})

test("reminders, rights of keys, colours and zones are words and choices; Rule 17.6.30", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const { ask, send } = await asAdmin(server.current, world)
  const types = await ask(`/console/practice/types?type=${world.type_uid}`)
  expect(types.text).toMatch(/<option value="1440" selected[^>]*>1 day<\/option>/)
  expect(types.text).toContain('<option value="120">2 hours</option>')
  const access = await ask("/console/practice/access")
  expect(access.text).toContain("Book, move and cancel for patients")
  const keys = organisationPermissions.filter((one) => !access.text.includes(`value="${one}"`))
  expect(keys).toEqual([])
  const rights = [
    ["name", "Website"],
    ["permissions", "scheduling:read"],
    ["permissions", "patients:read"]
  ] as const
  await send("POST /v1/admin/api-keys", rights)
  expect((await ask("/console/practice/access")).text).toContain(
    "Read appointments and the calendar · Read patients' data"
  )
  expect((await ask("/console/practice/branding")).text).toContain('type="color"')
})

test("the first page of a new practice is its checklist; Rule 17.6.31", async () => {
  const world = await makeWorld(server.current, { doctors: 0, type: { active: false } })
  const { ask } = await asAdmin(server.current, world)
  const { text } = await ask("/console/practice")
  expect(text).toContain('id="first-steps"')
  expect(text).toMatch(/href="\/console\/practice\/types">[^<]+<\/a><span class="badge warn">missing/)
  expect(text).toMatch(/href="\/console\/practice\/shops">[^<]+<\/a><span class="badge">there/)
  const other = await makeWorld(server.current, { doctors: 1 })
  expect((await (await asAdmin(server.current, other)).ask("/console/practice")).text).not.toContain("first-steps")
})

test("one signs in in the demo as reception, assistant and billing, each with its own pages; Rule 17.1.6", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const owner = world.organisation_uid
  for (const [role, sees] of [
    ["reception", true],
    ["assistant", true],
    ["billing", false]
  ] as const) {
    const browser = visitor(server.current)
    const { location } = await browser.ask("/console/sign-in")
    const chosen = { person: JSON.stringify([role, owner, owner]) }
    const page = await browser.open(`${location}&only=${owner}`, chosen)
    expect([role, page.status]).toEqual([role, 200])
    expect((await browser.ask("/console/practice")).status).toBe(200)
    const absences = (await browser.ask("/console/practice/absences")).status
    expect([role, absences]).toEqual([role, sees ? 200 : 403])
    expect((await browser.ask("/console/practice/access")).status).toBe(403)
  }
})

test("on a day on which nobody works the calendar shows every doctor beside the rooms; Rule 17.6.6", async () => {
  const world = await makeWorld(server.current, { doctors: 2 })
  await world.api("POST", `${base}/resources`, { kind: "room", name: "Room Blue" })
  for (const doctor of world.doctors)
    await world.api("PUT", `${base}/doctors/${doctor}/availability-rules`, { rules: [] })
  const { ask } = await asAdmin(server.current, world)
  const { text } = await ask("/console/practice")
  for (const doctor of world.doctors) expect(text).toContain(`id="column-${doctor}"`)
  // a strip has a sign and its whole name
  expect(text).toContain('title="Room Blue"><span aria-hidden="true">RB</span><span class="unseen">Room Blue</span>')
})
