/** An absence as one act, telephone booking at any date, and text that is kept. Sections 17.5 and 17.6. */
import { expect, test } from "bun:test"
import { hiddenField, signedIn } from "../support/console.ts"
import { eventually } from "../support/eventually.ts"
import { place } from "../support/provisioned.ts"
import { testServer } from "../support/server.ts"
import { dayOf, inDays, makeWorld, random } from "../support/world.ts"

const server = testServer()

const enter = async () => {
  const world = await makeWorld(server.current, { doctors: 2 })
  const browser = await signedIn(server.current, ["admin", world.organisation_uid, world.organisation_uid])
  const { csrf } = browser
  const settle = (fields: Readonly<Record<string, string>>) =>
    browser.ask("/console/practice/absences", { "@csrf": csrf, ...fields })
  const free = async (day: number, doctor_uid = world.doctor) =>
    (await world.search({ from: inDays(day), to: inDays(day + 1), doctor_uid })).body.slots.length
  const statusOf = async (uid: string) =>
    (await world.api("GET", `/v1/management/scheduling/appointments/${uid}`)).body.status
  return { world, browser, settle, free, statusOf }
}

test("an absence names the number, closes the time and settles what was counted, each as chosen; Rules 17.5.1 to 17.5.3", async () => {
  const { world, browser, settle, free, statusOf } = await enter()
  const uids = [await world.booked(inDays(3, 9), "a"), await world.booked(inDays(3, 10), "b")]
  const other = await world.booked(inDays(3, 9), "c", { doctor_uid: world.doctors[1] })
  const day = dayOf(inDays(3))
  const absence = { doctor: world.doctor, kind: "illness", from: day, until: day }
  const { text } = await browser.ask(`/console/practice/absences?${new URLSearchParams(absence)}`)
  expect(text).toContain("2 booked appointments in this time")
  expect(hiddenField(text, "expected")).toBe("2")
  for (const uid of uids) expect(text).toContain(`name="choice.${uid}"`)
  expect(await free(3)).toBeGreaterThan(0)

  const kept = await world.booked(inDays(3, 11), "d")
  const cancel = { ...absence, appointments: "cancel", message: "ill" }
  const stale = await settle({ ...cancel, expected: "2" })
  expect([stale.status, stale.text.includes("The number of appointments has changed")]).toEqual([409, true])
  expect(await free(3)).toBeGreaterThan(0)

  const done = await settle({ ...cancel, expected: "3", [`choice.${kept}`]: "keep", [`choice.${uids[1]}`]: "move" })
  expect(done.status).toBe(303)
  // closed at once, settled afterwards
  expect(await free(3)).toBe(0)
  const page = done.location.split("&done")[0] ?? ""
  const shown = await eventually(
    async () => (await browser.ask(page)).text,
    (html) => html.includes("2 of 2 appointments settled")
  )
  expect(shown).toContain("1 moved, 0 asked, 1 cancelled, 0 not possible")
  expect(await Promise.all([...uids, other, kept].map(statusOf))).toEqual([
    "cancelled",
    "cancelled",
    "confirmed",
    "confirmed"
  ])
  const { data } = (await world.api("GET", `/v1/management/scheduling/appointments`)).body
  expect(data.some((one: { previous_meeting_uid: string }) => one.previous_meeting_uid === uids[1])).toBe(true)

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
  const settled = () =>
    eventually(
      async () => (await browser.ask(page)).text,
      (html) => html.includes("2 of 2 appointments settled")
    )
  const before = await settled()
  expect(before).toContain("Ask 2 patients without an answer again")
  await world.api("POST", `/v1/management/scheduling/appointments/${answered}/cancel`, { reason: "another day" })

  const operation = /POST [^"]+\/ask-again/.exec(before)?.[0] ?? ""
  const ask = (html: string) => {
    const form = html.split("<form").find((text) => text.includes(operation)) ?? ""
    return browser.send(operation, { "@back": page, expected: hiddenField(form, "expected") })
  }
  // the page of before somebody answered
  const stale = await ask(before)
  expect([stale.status, stale.text.includes("The number of appointments has changed")]).toEqual([409, true])
  expect(stale.text).toContain("Ask 1 patient without an answer again")
  expect((await ask(stale.text)).status).toBe(303)
  await settled()
  const { data } = (await world.api("GET", "/v1/management/events?type=scheduling.times_offered")).body
  expect(data.length).toBe(3)
})

test("three weeks of vacation are one step, and its appointments are moved out of it; Rule 17.5.2", async () => {
  const { world, settle, free, statusOf } = await enter()
  const uid = await world.booked(inDays(5, 9))
  const absence = { doctor: world.doctor, kind: "vacation", from: dayOf(inDays(4)), until: dayOf(inDays(24)) }
  expect((await settle({ ...absence, appointments: "move", expected: "1" })).status).toBe(303)
  const { data } = await eventually(
    async () => (await world.api("GET", "/v1/management/scheduling/appointments")).body,
    (body) => body.data[0]?.previous_meeting_uid === uid
  )
  expect(await statusOf(uid)).toBe("cancelled")
  // with another doctor, or after the vacation
  expect(data[0].doctor_uid !== world.doctor || data[0].start_date >= inDays(25)).toBe(true)
  expect([await free(4), await free(24), (await free(25)) > 0]).toEqual([0, 0, true])
  expect((await settle({ ...absence, appointments: "cancel", expected: "0", "@csrf": "another" })).status).toBe(403)
})

test("a free time in the calendar leads to the patient and is booked; times are found from any day on; Rules 17.6.1 and 17.6.2", async () => {
  const { world, browser } = await enter()
  const calendar = await browser.ask(`/console/practice?view=week&day=${dayOf(inDays(8))}&doctor=${world.doctor}`)
  const pressed = /href="(\/console\/practice\/patients\?type=[^"]+start=(\d+))"/.exec(calendar.text)
  const [address, start = ""] = [pressed?.[1]?.replaceAll("&amp;", "&") ?? "", pressed?.[2]]
  const made = await browser.send(
    "POST /v1/management/patients",
    {
      "@back": address.replace("/patients?", "/patients/{uid}?"),
      shop_uid: world.shop_uid,
      "profile.last_name": random("Muster")
    },
    "patients"
  )
  expect(made.status).toBe(303)
  const { text } = await browser.ask(made.location)
  expect(text).toContain(`name="@slot" value="${start}.${world.doctor}"`)

  const later = await browser.ask(`${made.location.split("?")[0]}?day=${dayOf(inDays(12))}&part=afternoon`)
  const starts = [...later.text.matchAll(/name="@slot" value="(\d+)\./g)].map(([, second]) => Number(second))
  expect(starts.length).toBeGreaterThan(0)
  expect(
    starts.every((second) => second >= inDays(12) && (second % 86_400) / 3_600 >= 12 && (second % 86_400) / 3_600 < 17)
  ).toBe(true)
})

test("a caller's wish for a visit in the practice goes along to the booking; Rule 17.6.2", async () => {
  const { world, browser } = await enter()
  const uid = await world.booked(inDays(8, 9))
  const { patient_uid } = (await world.api("GET", `/v1/management/scheduling/appointments/${uid}`)).body
  const next = await browser.ask(`/console/practice?view=next&type=${world.type_uid}&format=IN_PERSON`)
  const link = /href="(\/console\/practice\/patients\?type=[^"]+)"/.exec(next.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
  expect(link).toContain("format=IN_PERSON")
  const found = await browser.ask(`${link}&search=testa`)
  const chosen = new RegExp(`href="(/console/practice/patients/${patient_uid}[^"]+)"`).exec(found.text)?.[1]
  const { text } = await browser.ask(chosen?.replaceAll("&amp;", "&") ?? "")
  expect(text).toContain('<option value="IN_PERSON" selected')
})

test("a doctor's note is kept by the buttons beside it; Rule 17.6.3", async () => {
  const { world } = await enter()
  const browser = await signedIn(server.current, ["doctor", world.doctor, world.organisation_uid])
  const uid = await world.booked(inDays(1, 9))
  const patient = (await world.api("GET", `/v1/management/scheduling/appointments/${uid}`)).body.patient_uid
  const now = Math.floor(Date.now() / 1000)
  const begun = await place(world, patient, { status: "confirmed", start_date: now - 60, minutes: 21 })
  const page = `/console/doctor/patients/${patient}?appointment=${begun}&day=${dayOf(inDays(21))}`
  const { text } = await browser.ask(page)
  const send = (fields: Readonly<Record<string, string>>) =>
    browser.send(`PUT /v1/doctor/appointments/${begun}/note`, { "@back": page, ...fields })
  const then = [...text.matchAll(/name="@then" value="([^"]+)"/g)].map(([, value = ""]) =>
    value.replaceAll("&quot;", '"')
  )
  const followUp = then.find((value) => value.startsWith("POST /v1/doctor/appointments {")) ?? ""
  expect((await send({ note: "first words", "@then": followUp })).status).toBe(303)
  expect((await browser.ask(page)).text).toContain("first words")
  const { data } = (await world.api("GET", `/v1/management/scheduling/appointments?patient_uid=${patient}`)).body
  expect(data.some((one: { start_date: number }) => one.start_date >= inDays(21) - 7_200)).toBe(true)
  expect((await send({ note: "last words", "@then": `POST /v1/doctor/appointments/${begun}/complete` })).status).toBe(
    303
  )
  const after = await browser.ask(page)
  expect(after.text).toContain("last words")
  expect((await world.api("GET", `/v1/management/scheduling/appointments/${begun}`)).body.status).toBe("completed")
  // a refused second step says so, and the note stands
  const refused = await send({ note: "more", "@then": `POST /v1/doctor/appointments/${begun}/complete` })
  expect([refused.status, refused.text.includes('role="alert"'), refused.text.includes("more")]).toEqual([
    409,
    true,
    true
  ])
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
    const warned = await create({ ...form, ...fields })
    expect([
      warned.status,
      warned.text.includes(`/patients/${uid}`),
      warned.text.includes("Create nevertheless")
    ]).toEqual([409, true, true])
  }
  expect(await count()).toBe(before)
  const made = await create({ ...form, "@sure": "1" })
  expect(made.status).toBe(303)
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
