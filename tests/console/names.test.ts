/** Lists name people, not identifiers alone; every page marks its entry of the menu; a completed visit is asked about. Rule 17.6.20 to 17.6.23. */
import { expect, test } from "bun:test"
import { operations } from "../../src/http/operations.ts"
import { consoleTexts } from "../../src/texts/console/catalogue.ts"
import { signedIn } from "../support/console.ts"
import { eventually } from "../support/eventually.ts"
import { openAppointment } from "../support/meetings.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld, type World } from "../support/world.ts"

const server = testServer()
const owner = ({ organisation_uid }: World) => signedIn(server.current, ["admin", organisation_uid, organisation_uid])

test("messages name the patient, with a link to the record; Rule 17.6.20", async () => {
  const world = await makeWorld(server.current, { doctors: 1, organisation: { messages: ["confirmation"] } })
  const uid = await world.booked(inDays(8, 9))
  const { patient_uid } = (await world.api("GET", `/v1/management/scheduling/appointments/${uid}`)).body
  const { body } = await eventually(
    () => world.api("GET", "/v1/management/messages"),
    (answer) => answer.body.data.length > 0
  )
  expect(body.data[0]).toMatchObject({ appointment_uid: uid, patient_uid })
  const { text } = await (await owner(world)).ask("/console/practice/messages")
  expect(text).toContain(`<a href="/console/practice/patients/${patient_uid}">Testa Patient</a>`)
})

test("the names on a page are no search for patients in the audit log; Rule 13.1.7", async () => {
  const world = await makeWorld(server.current, { doctors: 1, organisation: { messages: ["confirmation"] } })
  await world.booked(inDays(8, 9))
  await eventually(
    () => world.api("GET", "/v1/management/messages"),
    (answer) => answer.body.data.length > 0
  )
  const browser = await owner(world)
  for (const page of ["messages", "audit"])
    expect((await browser.ask(`/console/practice/${page}`)).text).toContain("Testa Patient</a>")
  const { data } = (await world.api("GET", "/v1/management/audit-log?limit=500")).body
  const reads = data.flatMap(({ action, actor }: { action: string; actor: { kind: string } }) =>
    actor.kind === "admin" ? [action] : []
  )
  expect(reads).toContain("management.reports.messages")
  expect(reads).toContain("management.audit.list")
  expect(reads).not.toContain("organisation.patients.list")
})

test("the audit log names people and patients, and has the identifiers second; Rule 17.6.21", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const uid = await world.booked(inDays(8, 9))
  const { patient_uid } = (await world.api("GET", `/v1/management/scheduling/appointments/${uid}`)).body
  const doctor = await signedIn(server.current, ["doctor", world.doctor, world.organisation_uid])
  expect((await doctor.ask(`/console/doctor/patients/${patient_uid}`)).status).toBe(200)
  const doctors = (await world.api("GET", "/v1/management/scheduling/doctors")).body.data
  const browser = await owner(world)
  const { text } = await browser.ask(`/console/practice/audit?subject=${patient_uid}`)
  const row = text.slice(text.lastIndexOf("doctor.day.patient<") - 200)
  expect(row).toContain(doctors[0].display_name)
  expect(row).toContain("patient card looked at")
  expect(row).toContain(`<a href="/console/practice/patients/${patient_uid}">Testa Patient</a>`)
  const actor = await browser.ask(`/console/practice/audit?actor=${world.doctor}`)
  expect(actor.text).toContain(`actor=${world.doctor}`)
})

test("the texts of the audit log's actions are of operations that exist; Rule 17.6.21", () => {
  const known = new Set([...operations.values(), "console.sign_in", "console.sign_in.denied", "console.sign_out"])
  const named = Object.keys(consoleTexts("de").team.looked.actions)
  expect(named.filter((name) => !known.has(name))).toEqual([])
})

test("a page without an entry in the menu marks the one that it belongs to; Rule 17.6.22", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const uid = await world.booked(inDays(8, 9))
  const { patient_uid } = (await world.api("GET", `/v1/management/scheduling/appointments/${uid}`)).body
  const practice = await owner(world)
  const doctor = await signedIn(server.current, ["doctor", world.doctor, world.organisation_uid])
  const marked = async (browser: typeof practice, path: string) =>
    [
      ...((await browser.ask(path)).text.split("<main")[0] ?? "").matchAll(
        /<a href="([^"]+)" aria-current="(page|true)">/g
      )
    ]
      .map(([, address, kind]) => `${address} ${kind}`)
      .filter((one) => !one.includes("?"))
  expect(await marked(practice, "/console/practice")).toEqual(["/console/practice page"])
  expect(await marked(practice, `/console/practice/appointments/${uid}`)).toEqual(["/console/practice true"])
  const patients = ["/console/practice/patients true", "/console/practice/patients true"]
  expect(await marked(practice, `/console/practice/patients/${patient_uid}`)).toEqual(patients)
  expect(await marked(practice, `/console/practice/patients/${patient_uid}/looked`)).toEqual(patients)
  expect(await marked(practice, "/console/practice/team")).toEqual([
    "/console/practice/settings true",
    "/console/practice/team page"
  ])
  expect(await marked(doctor, `/console/doctor/patients/${patient_uid}`)).toEqual(["/console/doctor/patients true"])
})

test("that a visit took place is asked first, with the patient's name, on every page; Rule 17.6.8", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const uid = await openAppointment(world)
  const practice = await owner(world)
  for (const page of [`/console/practice/appointments/${uid}`, `/console/practice?appointment=${uid}`]) {
    const { text } = await practice.ask(page)
    const form = text.slice(0, text.indexOf(`/appointments/${uid}/complete"`))
    expect(form.slice(form.lastIndexOf("<details"))).toContain("<summary>Took place …</summary>")
    expect(text).toMatch(/Testa Patient, [^<]+: did the appointment take place\? This cannot be undone\./)
  }
  const doctor = await signedIn(server.current, ["doctor", world.doctor, world.organisation_uid])
  const today = await doctor.ask("/console/doctor")
  expect(today.text).not.toContain(`/appointments/${uid}/complete`)
  const [, link = ""] = /href="([^"]+complete=true[^"]*)"/.exec(today.text) ?? []
  const card = await doctor.ask(link.replaceAll("&amp;", "&").replace("#note", ""))
  // open, so that it is one press with the note
  expect(card.text).toMatch(
    /<details open(="[^"]*")?><summary>Took place …<\/summary><div class="stack"><p>Testa Patient, /
  )
  const done = await doctor.send(`PUT /v1/doctor/appointments/${uid}/note`, {
    "@back": "/console/doctor",
    "@then": `POST /v1/doctor/appointments/${uid}/complete`,
    note: "Well"
  })
  expect(done.status).toBe(303)
})

test("the next free times of many doctors are by doctor, the earliest first, and most are folded; Rule 17.6.23", async () => {
  const world = await makeWorld(server.current, { doctors: 12 })
  const browser = await owner(world)
  const { text } = await browser.ask(
    `/console/practice?view=next&day=${new Date(inDays(8) * 1000).toISOString().slice(0, 10)}`
  )
  const day = text.slice(text.indexOf("<fieldset"), text.indexOf("</fieldset>"))
  const [shown = "", folded = ""] = day.split("<details>")
  expect(shown.match(/class="times"/g)).toHaveLength(5)
  expect(folded).toContain("<summary>7 more doctors</summary>")
  expect(folded.match(/class="times"/g)).toHaveLength(7)
})
