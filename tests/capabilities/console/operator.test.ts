/** The operator's workspace. Sections 8.5 and 17.2. */
import { expect, test } from "bun:test"
import { asAdmin, asOperator, becomes, liveOf } from "../../support/console.ts"
import { giveUpJob } from "../../support/givenUp.ts"
import { testServer } from "../../support/server.ts"
import { random } from "../../support/world.ts"

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
  expect((await browser.ask(made.location)).text).toContain(uid)
  const head = await asAdmin(server.current, { organisation_uid: uid })
  const page = await head.ask("/console/practice/shops")
  expect([page.status, page.text.includes(identifier)]).toEqual([200, true])
  // two share no name in addresses, and what was entered stands
  const twice = await browser.ask("/console/operator/organisations", { ...form, name: "Praxis am Markt" })
  expect(twice).toMatchObject({ status: 400, text: expect.stringMatching(/role="alert".*value="Praxis am Markt"/s) })
})
