/** The operator's workspace. Sections 8.5 and 17.2. */
import { expect, test } from "bun:test"
import { asAdmin, asOperator, becomes, liveOf } from "../../support/console.ts"
import { giveUpJob } from "../../support/givenUp.ts"
import { testServer } from "../../support/server.ts"
import { makeWorld, random } from "../../support/world.ts"

const server = testServer()
const enter = () => asOperator(server.current)

test("a file's differences are shown before a second press applies it; Rule 8.5.8", async () => {
  const browser = await enter()
  const { csrf } = browser
  const uid = random("org")
  const file = JSON.stringify({ organisations: [{ uid, name: "Praxis am Park", timezone: "UTC" }] })
  const form = { "@csrf": csrf, file }
  const compared = await browser.ask("/console/operator/provisioning", form)
  expect([compared.status, compared.text.includes("organisations[0]")]).toEqual([200, true])
  expect((await browser.ask("/console/operator/provisioning", { file })).status).toBe(403)
  const apply = { ...form, "@operation": "POST /v1/operator/provisioning", dry_run: "false" }
  expect((await browser.ask("/console/operator/do", apply)).status).toBe(303)
  expect((await browser.ask("/console/operator/provisioning", form)).text).toContain("would change nothing")
  const refused = await browser.ask("/console/operator/provisioning", { "@csrf": csrf, file: "{" })
  expect([refused.status, refused.text.includes('role="alert"')]).toEqual([400, true])
  const faulty = { "@csrf": csrf, file: '{"organisations": [{}]}' }
  expect((await browser.ask("/console/operator/provisioning", faulty)).text).toContain("file.organisations[0].uid")
  const log = await browser.ask(`/console/operator/audit?owner=${uid}&action=operator.provision`)
  expect(log.text).toContain("operator.provision</td>")
  expect((await browser.ask(`/console/operator/audit?owner=${uid}&after=none`)).status).toBe(404)
})

test("an audit log is found by its owner's name, and an unknown name is said; Rule 17.2.15", async () => {
  const browser = await enter()
  const [first, second] = [await makeWorld(server.current), await makeWorld(server.current)]
  const word = random("Praxis")
  for (const [index, { organisation_uid: uid, provision }] of [first, second].entries())
    await provision({ organisations: [{ uid, name: `${word} ${index}`, timezone: "Europe/Berlin" }] })
  const of = (owner: string) => browser.ask(`/console/operator/audit?${new URLSearchParams({ owner })}`)
  expect((await of(`${word} 1`)).text).toMatch(new RegExp(`<h1>[^<]*: ${word} 1</h1>`))
  const several = (await of(word)).text
  for (const { organisation_uid } of [first, second]) expect(several).toContain(`owner=${organisation_uid}`)
  expect((await of(random("none"))).text).toContain("No organisation and no pharmacy is called")
  expect((await of("installation")).text).toContain("<h1>Audit log: This installation</h1>")
})

test("people and keys have names in an organisation's log, patients have none; Rule 17.2.15", async () => {
  const world = await makeWorld(server.current)
  const patient = await world.patient({ first_name: "Ottilie" })
  const desk = await asAdmin(server.current, world)
  await desk.ask(`/console/practice/patients/${patient}`)
  const [person] = (await world.api("GET", "/v1/management/staff")).body.data
  const { text } = await (await enter()).ask(`/console/operator/audit?owner=${world.organisation_uid}`)
  const named = (name: string, uid: string) => new RegExp(`${name}<br ?/?><a class="help" href="[^"]*">${uid}`)
  expect(text).toMatch(named(person.display_name, person.subject))
  const key = await world.keyWith("patients:read")
  await server.current.api("GET", `/v1/management/patients/${patient}`, { key })
  const again = await (await enter()).ask(`/console/operator/audit?owner=${world.organisation_uid}`)
  expect(again.text).toMatch(named("some", "[^<]+"))
  expect(again.text).toContain(patient)
  expect(again.text).not.toContain("Ottilie")
})

test("an organisation has a page: what it lacks, its messages, webhooks and members; Rules 8.5.12 and 17.2.15", async () => {
  const browser = await enter()
  const world = await makeWorld(server.current)
  const list = await browser.ask(`/console/operator/organisations?search=${world.organisation_uid}`)
  const page = `/console/operator/organisations/${world.organisation_uid}`
  expect(list.text).toContain(`href="${page}"`)
  const { text } = await browser.ask(page)
  const stepOf = (name: string) => new RegExp(`${name}</span><span class="(badge[ a-z]*)"`).exec(text)?.[1]
  expect(["Enter the hours", "State imprint and privacy notice", "First booking"].map(stepOf)).toEqual([
    "badge",
    "badge warn",
    "badge warn"
  ])
  for (const id of ["mails", "webhooks", "members"]) expect(text).toContain(`id="${id}"`)
  expect(text).toContain(`Dr. ${world.doctor}`)
  expect((await browser.ask("/console/operator/organisations/none")).status).toBe(404)
})

test("mail, disk, backup and errors are on the overview; Rule 8.5.1", async () => {
  const { text } = await (await enter()).ask("/console/operator")
  for (const id of ["mails", "disk", "backup", "errors"]) expect(text).toContain(`id="${id}"`)
  expect(text).toContain("The database's log is kept nowhere")
})

test("a dead letter appears without a reload, and is retried by one press; Rules 8.5.4 and 17.3.1", async () => {
  const browser = await enter()
  const page = "/console/operator/jobs"
  const live = liveOf(await browser.ask(page))
  const prescription_uid = random("pre")
  await giveUpJob(server.current, prescription_uid)
  await becomes(server.current, browser, { page, live, fits: (html) => html.includes(prescription_uid) })
  const { text } = await browser.ask(page)
  const own = text.slice(text.indexOf(prescription_uid))
  const operation = /value="(POST \/v1\/operator\/dead-letters\/[^"]+)"/.exec(own)?.[1] ?? ""
  expect((await browser.send(operation, { "@back": page })).location).toStartWith(`${page}?done=`)
  expect((await browser.ask(page)).text).not.toContain(prescription_uid)
})

test("a new organisation is made by a form, with its shop and who gets its notices; Rule 17.2.11", async () => {
  const browser = await enter()
  const identifier = random("shop")
  const form = {
    "@csrf": browser.csrf,
    name: "Praxis am Hafen",
    timezone: "Europe/Berlin",
    shop_identifier: identifier,
    admin: "Empfang",
    email: "empfang@example.org"
  }
  const made = await browser.ask("/console/operator/organisations", form)
  expect(made.status).toBe(303)
  const uid = new URL(made.location, server.current.url).searchParams.get("made") ?? ""
  const list = (await browser.ask(made.location)).text
  expect(list).toContain("Praxis am Hafen was created")
  expect(list).toContain(identifier)
  expect(list).toContain(`/console/operator/audit?owner=${uid}`)
  const found = await browser.ask(`/console/operator/organisations?search=${identifier}`)
  expect(found.text).toContain("1 organisation<")
  expect((await browser.ask("/console/operator/organisations?search=no-such-practice")).text).toContain(
    "0 organisations"
  )
  const head = await asAdmin(server.current, { organisation_uid: uid })
  const page = await head.ask("/console/practice/shops")
  expect([page.status, page.text.includes(identifier)]).toEqual([200, true])
  // two share no name in addresses, and what was entered stands
  const twice = await browser.ask("/console/operator/organisations", { ...form, name: "Praxis am Markt" })
  expect(twice.status).toBe(400)
  expect(twice.text).toMatch(/role="alert".*value="Praxis am Markt"/s)
  // said at the field
  expect(twice.text).toMatch(/name="shop_identifier"[^>]*aria-invalid="true"/)
  const people = await head.ask("/console/practice/team")
  expect(people.text).toContain("empfang@example.org")
})
