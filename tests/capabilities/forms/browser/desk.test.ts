/** What types ask, requests and answers at the console, in the browser, with the presses counted. Rule 22.8. */
import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { accessibilityFaults, testBrowser } from "../../../support/browser.ts"
import { pageLink } from "../../../support/codes.ts"
import { place } from "../../../support/provisioned.ts"
import { testServer } from "../../../support/server.ts"
import { waitingPrescriptions } from "../../../support/waitingPrescriptions.ts"
import { inDays, makeWorld, type World } from "../../../support/world.ts"
import { atConsole, desk, picture } from "../../console/support/consoleDesk.ts"

const server = testServer()
const browser = testBrowser()
const FORMS = "/v1/management/forms"
const TYPES = "/v1/management/scheduling/appointment-types"
const enter = async (role: "admin" | "doctor", world: World) => {
  const { page, complaints } = await atConsole({ browser, at: server.current, world }, role)
  return { page, complaints, ...desk(page, server.current.url) }
}

const sizes = [
  [1440, 900],
  [768, 1024],
  [390, 844]
] as const
/** The page at every size, in light and dark: nothing wider than the screen, and no fault of accessibility. */
const looked = async (page: Page, name: string) => {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme })
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height })
      await picture(page, `${name} ${width} ${colorScheme}`)
      expect([name, width, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([
        name,
        width,
        width
      ])
    }
    expect([name, colorScheme, ...(await accessibilityFaults(page))]).toEqual([name, colorScheme])
  }
  await page.emulateMedia({ colorScheme: "light" })
  await page.setViewportSize({ width: 1280, height: 720 })
}

/** What a rule leads to: its field is called `then`. */
const refuses = { ["then" as string]: "refuse" }
const question = { link_id: "allergies", type: "boolean", text: { de: "Haben Sie Allergien?" }, required: true }
const makeForm = async (world: World, title = "Anamnese") =>
  (await world.api("POST", FORMS, { title: { de: title }, items: [question] })).body.uid as string

test("a ready form is copied by one press, and a type asks it by choices alone; Rules 22.8.1 and 22.8.2", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const { page, complaints, send, press, button, action, at } = await enter("admin", world)
  await at("practice/forms")
  await looked(page, "forms")
  await action("Copy a ready form", () => send("Übernehmen: Anamnese"))
  const [form] = (await world.api("GET", FORMS)).body.data
  expect(form).toMatchObject({ title: { de: "Anamnese", en: "Medical history" }, version: 1 })
  const preview = page.getByRole("group", { name: "So sehen es Patientinnen und Patienten" })
  expect(await preview.getByRole("textbox", { name: "Weshalb kommen Sie zu uns?" }).isDisabled()).toBe(true)
  expect(await preview.getByText("Welche, und wie oft?").count()).toBe(0) // not before it is asked
  await looked(page, "builder")

  await at(`practice/types?type=${world.type_uid}`)
  await send("Nur bekannte Patientinnen und Patienten")
  const entry = async () => (await world.api("GET", TYPES)).body.data[0]?.entry
  const known = { link_id: "@known_patient", operator: "=", answer: false }
  expect(await entry()).toMatchObject({
    form_uid: null,
    otherwise: "continue",
    rules: [{ when: [known], ...refuses }]
  })

  await page.locator('[name="entry.form_uid"]').selectOption(form.uid)
  await press(button("Regel hinzufügen"))
  await page.locator('[name="entry.rules.1.when.0.link_id@when"]').selectOption("@age < number")
  await page.locator('[name="entry.rules.1.when.0.answer@when"]').fill("16")
  await page.locator('[name="entry.rules.1.text.de"]').fill("Bitte kommen Sie mit einem Elternteil.")
  await page.locator("form", { hasText: "Regel 2" }).getByRole("button", { name: "Speichern" }).click()
  await page.locator("[data-done]").waitFor()
  expect(await entry()).toMatchObject({
    form_uid: form.uid,
    rules: [
      { when: [known], ...refuses },
      {
        when: [{ link_id: "@age", operator: "<", answer: 16 }],
        ...refuses,
        text: { de: "Bitte kommen Sie mit einem Elternteil." }
      }
    ]
  })
  await page.locator('[name="intake.0.form_uid@asked"]').selectOption(form.uid)
  await page.locator('[name="intake.0.blocks@asked"]').selectOption("join")
  await page.locator("form", { hasText: "Erinnern ab" }).getByRole("button", { name: "Speichern" }).click()
  await page.locator("[data-done]").waitFor()
  const [stored] = (await world.api("GET", TYPES)).body.data
  expect(stored.intake).toEqual([{ form_uid: form.uid, due_minutes_before: 4320, blocks: "join" }])
  await looked(page, "type")
  await send("Ohne Fragen buchen lassen")
  expect(await entry()).toBeNull()
  expect(complaints).toEqual([])
})

/** A practice with a type of request, and requests of a patient. */
const withRequests = async (count: number) => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const type = await world.api("POST", "/v1/management/request-types", {
    name: { de: "Wiederholungsrezept" },
    kind: "prescription",
    form_uid: await makeForm(world, "Rezept"),
    answer_within_minutes: 60,
    recipient: "doctor"
  })
  // to the doctor of the patient's last appointment
  await world.booked(inDays(1, 9))
  const code = await world.session()
  const sent: Array<string> = []
  for (let i = 0; i < count; i++) {
    const answer = await server.current.api("POST", `/v1/scheduling/booking-sessions/${code}/requests`, {
      body: { request_type_uid: type.body.uid, answers: { allergies: true } }
    })
    expect(answer.status).toBe(201)
    sent.push(answer.body.uid)
  }
  return { world, sent }
}

test("requests are taken, answered and closed from the list by one press each, and counted in the menu; Rule 22.8.3", async () => {
  const { world, sent } = await withRequests(2)
  const { page, complaints, send, action, link, at } = await enter("admin", world)
  await link("Anfragen (2)").click()
  await page.getByRole("heading", { name: "Anfragen", level: 1 }).waitFor()
  await looked(page, "requests")
  await action("Take a request from the list", () => send("Übernehmen: Testa Patient"))
  await link("Anfragen (1)").waitFor()
  await link("Meine (1)").click()
  await page.getByLabel("Antwort: Testa Patient").fill("Das Rezept liegt bereit.")
  await looked(page, "my requests")
  await action("Answer a request from the list", () => send("Antworten: Testa Patient"))
  await action("Close a request from the list", () => send("Abschließen: Testa Patient"))
  expect((await world.api("GET", `/v1/management/requests/${sent[0]}`)).body).toMatchObject({
    status: "closed",
    outcome: "done",
    text: "Das Rezept liegt bereit."
  })
  await at(`practice/requests/${sent[1]}`)
  await page.getByText("Haben Sie Allergien?").waitFor()
  await looked(page, "request")
  await at("practice/request-types")
  await looked(page, "request types")
  // another one changes the number without a reload
  await at("practice/requests")
  await link("Anfragen (1)").waitFor()
  await world.api("POST", `/v1/management/requests/${sent[1]}/close`, { outcome: "done" })
  await link("Anfragen").waitFor()
  expect(complaints).toEqual([])
})

test("a doctor writes a prescription from a request by two presses, which closes it; Rule 22.8.5", async () => {
  const { world, sent } = await withRequests(1)
  await waitingPrescriptions(world) // with an article
  const { page, complaints, send, press, action, link } = await enter("doctor", world)
  await page.getByRole("heading", { name: "Anfragen an Sie (1)" }).waitFor()
  await looked(page, "doctor's requests")
  await action("Write a prescription from a request", async () => {
    await press(link("Rezept schreiben: Testa Patient"))
    await page.getByRole("heading", { name: "Wiederholungsrezept" }).waitFor()
    await send("Rezept schreiben und abschließen")
  })
  expect((await world.api("GET", `/v1/management/requests/${sent[0]}`)).body).toMatchObject({
    status: "closed",
    outcome: "prescription",
    prescription_uid: expect.stringMatching(/./)
  })
  expect(complaints).toEqual([])
})

test("a doctor reads the answers beside the patient, what is new and what is missing, and lets the patient in; Rule 22.8.4", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const [first, second] = [await makeForm(world), await makeForm(world, "Hautbild")]
  const intake = [{ form_uid: first }, { form_uid: second, blocks: "join" }]
  await world.api("PATCH", `${TYPES}/${world.type_uid}`, { intake })
  const patient = await world.patient({ first_name: "Ada", last_name: "Meyer" })
  const start_date = Math.floor(Date.now() / 1000) + 240
  const uid = await place(world, patient, { status: "confirmed", start_date })
  const code = new URL(await pageLink(server.current, uid, "join")).pathname.split("/").at(-1)
  const answered = await server.current.api("PUT", `/v1/scheduling/appointment-actions/${code}/intake/${first}`, {
    body: { answers: { allergies: true } }
  })
  expect(answered.status).toBe(200)
  const { page, complaints, send, at } = await enter("doctor", world)
  await at(`doctor/patients/${patient}?appointment=${uid}`)
  const card = page.locator("[aria-labelledby=intake-answers]")
  expect(await card.textContent()).toMatch(
    /Anamnese neu[\s\S]*Haben Sie Allergien\?\s*Ja[\s\S]*Noch nicht ausgefüllt: Hautbild/
  )
  await looked(page, "patient's card")
  const join = () => server.current.api("POST", `/v1/scheduling/appointment-actions/${code}/join`)
  expect(await join()).toMatchObject({ status: 409, body: { code: "intake_missing" } })
  await send("Trotzdem einlassen")
  expect(await page.getByRole("button", { name: "Trotzdem einlassen" }).count()).toBe(0)
  expect((await join()).status).toBe(200)

  const practice = await enter("admin", world)
  await practice.at(`practice/appointments/${uid}`)
  const log = async () =>
    (await world.api("GET", "/v1/management/audit-log?limit=200")).body.data.filter(
      ({ action }: { action: string }) => action === "management.intake.read_answers"
    )
  expect(await log()).toHaveLength(0)
  await practice.link("Antworten ansehen").click()
  await practice.page.getByText("Haben Sie Allergien?").waitFor()
  expect(await log()).toHaveLength(1)
  await looked(practice.page, "appointment")
  expect([...complaints, ...practice.complaints]).toEqual([])
})
