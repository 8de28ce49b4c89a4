/** The operator's room. Sections 8.5 and 17.2. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { Boss } from "../../src/services/Jobs.ts"
import { hiddenField, signedIn } from "../support/console.ts"
import { check } from "../support/consolePages.ts"
import { testServer } from "../support/server.ts"
import { makeWorld, random } from "../support/world.ts"

const server = testServer()
const enter = () => signedIn(server.current, ["operator", "operator", "installation"])

test("has pages whose forms are operations, and nobody else has them; Rules 17.1.3 and 17.2.1", async () => {
  const browser = await enter()
  const pages = ["", "/jobs", "/backlog", "/provisioning", "/audit"].map((path) => `/console/operator${path}`)
  await check(browser, pages)
  const world = await makeWorld(server.current)
  const practice = await signedIn(server.current, ["admin", world.organisation_uid, world.organisation_uid])
  for (const page of pages) expect([page, (await practice.ask(page)).status]).toEqual([page, 404])
  expect((await browser.ask("/console/practice")).status).toBe(404)
})

test("a file is shown with its differences before a second press applies it; Rule 8.5.8", async () => {
  const browser = await enter()
  const csrf = hiddenField(browser.page.text, "@csrf")
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

test("a job that was given up is shown, and sent back by one press; Rule 8.5.4", async () => {
  const prescription_uid = random("pre")
  await server.current.run(
    Effect.flatMap(Boss, (boss) =>
      Effect.promise(async () => {
        const data = { data: { organisation_uid: random("org"), prescription_uid } }
        // for later, so that no worker takes it before it is failed here
        await boss.insert("prescription.forget", [{ data, retryLimit: 0, startAfter: 3_600 }])
        const [job] = await boss.findJobs<object>("prescription.forget", { data })
        await boss.fail("prescription.forget", job?.id ?? "", { message: "the file store is away" })
      })
    )
  )
  const browser = await enter()
  const { text } = await browser.ask("/console/operator/jobs")
  const own = text.slice(text.indexOf("the file store is away"))
  expect(text).toContain(prescription_uid)
  const operation = /value="(POST \/v1\/operator\/dead-letters\/[^"]+)"/.exec(own)?.[1] ?? ""
  const sent = await browser.ask("/console/operator/do", {
    "@csrf": hiddenField(text, "@csrf"),
    "@operation": operation,
    "@back": "/console/operator/jobs"
  })
  expect(sent.location).toBe("/console/operator/jobs?done=1")
  expect((await browser.ask("/console/operator/jobs")).text).not.toContain(prescription_uid)
})

test("pages are made anew by themselves while they are open; Rule 17.3.1", async () => {
  const browser = await enter()
  for (const page of ["", "/jobs", "/backlog"])
    expect((await browser.ask(`/console/operator${page}`)).text).toContain('data-live="/console/operator/live"')
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
  const control = new AbortController()
  const { body } = await fetch(new URL("/console/operator/live", server.current.url), {
    headers: { cookie },
    signal: control.signal
  })
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ""
  while (!text.includes("event: changed")) {
    const part = await reader?.read()
    expect(part?.done).toBe(false)
    text += decoder.decode(part?.value)
  }
  control.abort()
})
