/** Lists name people, not identifiers alone; every page marks its entry of the menu; a completed visit is asked about. Rule 17.6.20 to 17.6.23. */
import { expect, test } from "bun:test"
import { Api } from "../../../script/generate/wholeApi.ts"
import { deskTextsOf } from "../../../src/capabilities/audit/texts/desk.ts"
import { operationsOf } from "../../../src/http/operations.ts"
import { asAdmin, asDoctor, unescaped } from "../../support/console.ts"
import { eventually } from "../../support/eventually.ts"
import { openAppointment } from "../../support/meetings.ts"
import { stored } from "../../support/records.ts"
import { testServer } from "../../support/server.ts"
import { dayOf, inDays, makeWorld } from "../../support/world.ts"

const server = testServer()
const patientOf = async (uid: string) => String((await stored(server.current, uid)).patient_uid)

test("messages and the audit log name the patient, with a link to the record, which is no search in the log; Rules 17.6.20 and 13.1.7", async () => {
  const world = await makeWorld(server.current, { doctors: 1, organisation: { messages: ["confirmation"] } })
  const uid = await world.booked(inDays(8, 9))
  const patient_uid = await patientOf(uid)
  const { body } = await eventually(
    () => world.api("GET", "/v1/management/messages"),
    (answer) => answer.body.data.length > 0
  )
  expect(body.data[0]).toMatchObject({ appointment_uid: uid, patient_uid })
  const browser = await asAdmin(server.current, world)
  for (const page of ["messages", "audit"]) {
    const { text } = await browser.ask(`/console/practice/${page}`)
    expect(text).toContain(`<a href="/console/practice/patients/${patient_uid}">Testa Patient</a>`)
  }
  const { data } = (await world.api("GET", "/v1/management/audit-log?limit=500")).body
  const reads = data.flatMap(({ action, actor }: { action: string; actor: { kind: string } }) =>
    actor.kind === "admin" ? [action] : []
  )
  for (const [action, isRead] of [
    ["management.reports.messages", true],
    ["management.audit.list", true],
    ["organisation.patients.list", false]
  ] as const)
    expect([action, reads.includes(action)]).toEqual([action, isRead])
})

test("the audit log names people and patients, and has the identifiers second; Rule 17.6.21", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const uid = await world.booked(inDays(8, 9))
  const patient_uid = await patientOf(uid)
  const doctor = await asDoctor(server.current, world)
  expect((await doctor.ask(`/console/doctor/patients/${patient_uid}`)).status).toBe(200)
  const doctors = (await world.api("GET", "/v1/management/scheduling/doctors")).body.data
  const browser = await asAdmin(server.current, world)
  const { text } = await browser.ask(`/console/practice/audit?subject=${patient_uid}`)
  const row = text.slice(text.lastIndexOf("doctor.day.patient<") - 200)
  expect(row).toContain(doctors[0].display_name)
  expect(row).toContain("patient card looked at")
  expect(row).toContain(`<a href="/console/practice/patients/${patient_uid}">Testa Patient</a>`)
})

test("the texts of the audit log's actions are of operations that exist; Rule 17.6.21", () => {
  const known = new Set([
    ...operationsOf(Api).names.values(),
    "console.sign_in",
    "console.sign_in.denied",
    "console.sign_out"
  ])
  const named = Object.keys(deskTextsOf("de").looked.actions)
  expect(named.filter((name) => !known.has(name))).toEqual([])
})

test("a page without an entry in the menu marks the one that it belongs to; Rule 17.6.22", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const uid = await world.booked(inDays(8, 9))
  const patient_uid = await patientOf(uid)
  const practice = await asAdmin(server.current, world)
  const doctor = await asDoctor(server.current, world)
  const marked = async (browser: typeof practice, path: string) => {
    const [head = ""] = (await browser.ask(path)).text.split("<main")
    return [...head.matchAll(/<a href="([^"?]+)" aria-current="(page|true)">/g)].map(([, to, kind]) => `${to} ${kind}`)
  }
  const patients = Array(2).fill("/console/practice/patients true")
  for (const [browser, path, entries] of [
    [practice, "/console/practice", ["/console/practice page"]],
    [practice, `/console/practice/appointments/${uid}`, ["/console/practice true"]],
    [practice, `/console/practice/patients/${patient_uid}`, patients],
    [practice, `/console/practice/patients/${patient_uid}/looked`, patients],
    [practice, "/console/practice/team", ["/console/practice/settings true", "/console/practice/team page"]],
    [doctor, `/console/doctor/patients/${patient_uid}`, ["/console/doctor/patients true"]]
  ] as const)
    expect([path, await marked(browser, path)]).toEqual([path, [...entries]])
})

test("that a visit took place is asked first, with the patient's name, on every page; Rule 17.6.8", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const uid = await openAppointment(world)
  const practice = await asAdmin(server.current, world)
  for (const page of [`/console/practice/appointments/${uid}`, `/console/practice?appointment=${uid}`]) {
    const { text } = await practice.ask(page)
    const form = text.slice(0, text.indexOf(`/appointments/${uid}/complete"`))
    expect(form.slice(form.lastIndexOf("<details"))).toContain("<summary>Took place …</summary>")
    expect(text).toMatch(/Testa Patient, [^<]+: did the appointment take place\? It then counts as a visit/)
  }
  const doctor = await asDoctor(server.current, world)
  const today = await doctor.ask("/console/doctor")
  expect(today.text).not.toContain(`/appointments/${uid}/complete`)
  const [, link = ""] = /href="([^"]+complete=true[^"]*)"/.exec(today.text) ?? []
  const card = await doctor.ask(unescaped(link).replace("#note", ""))
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
  const browser = await asAdmin(server.current, world)
  const { text } = await browser.ask(`/console/practice?view=next&day=${dayOf(inDays(8))}`)
  const day = text.slice(text.indexOf("<fieldset"), text.indexOf("</fieldset>"))
  const [shown = "", folded = ""] = day.split("<details>")
  expect(shown.match(/class="times"/g)).toHaveLength(5)
  expect(folded).toContain("<summary>7 more doctors</summary>")
  expect(folded.match(/class="times"/g)).toHaveLength(7)
})
