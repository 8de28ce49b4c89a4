/** The pages on which patients answer, on a phone, with and without a script (Rule 22.9). */
import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { accessibilityFaults, scripting, testBrowser } from "../../support/browser.ts"
import { testServer } from "../../support/server.ts"
import { inDays, makeWorld, random } from "../../support/world.ts"
import { clamd, EICAR } from "./support/clamd.ts"
import { jpegOf } from "./support/pictures.ts"

const scanner = clamd()
const server = testServer({ CLAMAV_URL: `tcp://127.0.0.1:${scanner.port}` })
const browser = testBrowser()
const PHONE = { width: 375, height: 667 }
/** What a rule leads to: its field is called `then`. */
const OUTCOME: string = "then"

const items = [
  {
    link_id: "person",
    type: "group",
    text: { de: "Zu Ihnen", en: "About you" },
    items: [
      { link_id: "smokes", type: "boolean", text: "Rauchen Sie?", required: true },
      {
        link_id: "how_many",
        type: "integer",
        text: "Wie viele am Tag?",
        required: true,
        min: 1,
        max: 100,
        enable_when: [{ link_id: "smokes", operator: "=", answer: true }]
      }
    ]
  },
  {
    link_id: "skin",
    type: "group",
    text: "Ihre Haut",
    items: [
      {
        link_id: "where",
        type: "choice",
        text: "Wo?",
        repeats: true,
        options: [
          { code: "arm", text: "Arm" },
          { code: "leg", text: "Bein" }
        ]
      },
      { link_id: "since", type: "date", text: "Seit wann?" },
      { link_id: "photo", type: "file", text: "Fotos", repeats: true },
      { link_id: "note", type: "text", text: "Was noch?" }
    ]
  }
]

const scene = async (fields: (form_uid: string, longer: string) => Readonly<Record<string, unknown>>) => {
  const world = await makeWorld(server.current, { organisation: { branding: { phone: "+49 30 1234" } } })
  const form = await world.api("POST", "/v1/management/forms", { title: "Anamnese", items })
  const longer = await world.otherType()
  const sent = fields(form.body.uid, longer)
  const type = await world.api("PATCH", `/v1/management/scheduling/appointment-types/${world.type_uid}`, sent)
  expect(type.status).toBe(200)
  return { world, form_uid: form.body.uid as string, longer }
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name, level: 1 }).waitFor()

describe.each(scripting)("a form, %s,", (_, javaScriptEnabled) => {
  const examine = async (page: Page) => {
    if (javaScriptEnabled) expect(await accessibilityFaults(page)).toEqual([])
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true)
  }
  const options = { viewport: PHONE, javaScriptEnabled }

  /** From the first screen to the summary. */
  const answer = async (page: Page) => {
    await heading(page, "Zu Ihnen")
    await examine(page)
    await page.getByLabel("Ja").check()
    await press(page, "Weiter")
    await page.getByText("Zu Ihren Antworten gibt es noch Fragen.").waitFor()
    await page.getByLabel("Wie viele am Tag?").fill("300")
    await press(page, "Weiter")
    await page.getByText("Diese Angabe passt hier nicht.").waitFor()
    expect(await page.getByLabel("Wie viele am Tag?").inputValue()).toBe("300")
    await examine(page)
    await page.getByLabel("Wie viele am Tag?").fill("10")
    await press(page, "Weiter")
    await heading(page, "Ihre Haut")
    await page.getByText("Schritt 2 von 2").waitFor()
    await page.getByLabel("Arm").check()
    await page.getByLabel("Seit wann?").fill("2026-01-31")
    const file = (name: string, buffer: Uint8Array) =>
      page.getByLabel("Fotos").setInputFiles({ name, mimeType: "image/jpeg", buffer: Buffer.from(buffer) })
    await file("arm.jpg", jpegOf(100_000))
    await press(page, "Datei hinzufügen")
    await page.getByRole("button", { name: "arm.jpg entfernen" }).waitFor()
    await file("virus.pdf", Buffer.from(`%PDF-1.4\n${EICAR}`))
    await press(page, "Datei hinzufügen")
    await page.getByText("Diese Datei enthält Schadsoftware").waitFor()
    await file("archive.jpg", Buffer.from("PK\x03\x04"))
    await press(page, "Datei hinzufügen")
    await page.getByText("Diese Datei können wir nicht annehmen.").waitFor()
    await examine(page)
    await file("bein.jpg", jpegOf(1_000))
    await page.getByLabel("Was noch?").fill("Es juckt\nnachts")
    await press(page, "Weiter")
    await heading(page, "Bitte prüfen Sie Ihre Angaben")
    await examine(page)
    const said = await page.locator("main").textContent()
    for (const text of ["Ja", "10", "Arm", "31. Januar 2026", "arm.jpg\nbein.jpg", "Es juckt\nnachts"])
      expect(said).toContain(text)
    // Back, and a file is taken back
    await page.getByRole("link", { name: /^Ändern.*Wo\?$/ }).click()
    await press(page, "bein.jpg entfernen")
    await page.getByRole("button", { name: "bein.jpg entfernen" }).waitFor({ state: "detached" })
    await press(page, "Zurück")
    await heading(page, "Zu Ihnen")
    expect(await page.getByLabel("Ja").isChecked()).toBe(true)
    await press(page, "Weiter")
    await press(page, "Weiter")
    await heading(page, "Bitte prüfen Sie Ihre Angaben")
    expect(await page.locator("main").textContent()).not.toContain("bein.jpg")
  }

  test("is asked before times are shown", async () => {
    const { world } = await scene((form_uid) => ({ entry: { form_uid, rules: [] } }))
    const code = await world.session()
    const { page, complaints } = await browser.open(`${server.current.url}/meet/booking/${code}`, options)
    await answer(page)
    await press(page, "Weiter zu den Terminen")
    await page.locator(".times button:visible").first().click()
    await press(page, "Termin verbindlich buchen")
    await heading(page, "Ihr Termin steht")
    expect(complaints).toEqual([])
    const { data } = (await world.api("GET", "/v1/management/scheduling/appointments?status=confirmed")).body
    const read = await world.api("GET", `/v1/management/scheduling/appointments/${data[0]?.uid}/intake`)
    expect(read.body.data).toMatchObject([
      {
        door: "entry",
        complete: true,
        answers: { smokes: true, how_many: 10, where: ["arm"], since: "2026-01-31", note: "Es juckt\nnachts" },
        // whoever reads it sees that something was refused
        files: [
          { name: "arm.jpg", status: "clean" },
          { name: "virus.pdf", status: "rejected", url: null }
        ]
      }
    ])
  })

  test("refuses with what to do instead, and leads to another type", async () => {
    const { world } = await scene((form_uid, longer) => ({
      entry: {
        form_uid,
        rules: [
          {
            when: [{ link_id: "how_many", operator: ">", answer: 20 }],
            [OUTCOME]: "refuse",
            text: { de: "Bitte rufen Sie an." }
          },
          {
            when: [{ link_id: "smokes", operator: "=", answer: false }],
            [OUTCOME]: "type",
            appointment_type_uid: longer
          }
        ]
      }
    }))
    const { page } = await browser.open(`${server.current.url}/meet/booking/${await world.session()}`, options)
    await page.getByLabel("Ja").check()
    await press(page, "Weiter")
    await page.getByLabel("Wie viele am Tag?").fill("40")
    await press(page, "Weiter")
    await press(page, "Weiter")
    await press(page, "Weiter zu den Terminen")
    await heading(page, "Diesen Termin können Sie nicht online buchen")
    await page.getByText("Bitte rufen Sie an.").waitFor()
    await page.getByRole("link", { name: "+49 30 1234" }).first().waitFor()
    await examine(page)
    await page.getByRole("link", { name: "Angaben ändern" }).click()
    await page.getByLabel("Nein").check()
    await press(page, "Weiter")
    await press(page, "Weiter")
    await press(page, "Weiter zu den Terminen")
    await heading(page, /^Für Sie passt: /)
    await examine(page)
    await page.getByRole("link", { name: "Weiter zu den Terminen" }).click()
    await page.locator(".times button:visible").first().waitFor()
  })

  test("is sent instead of a visit; Rule 22.9.6", async () => {
    const { world, form_uid } = await scene(() => ({}))
    const at = `${server.current.url}/meet/booking/${await world.session()}/requests`
    expect(await (await fetch(at)).text()).toContain("nimmt hier zurzeit keine Anfragen an")
    await world.api("POST", "/v1/management/request-types", {
      name: { de: "Überweisung", en: "Referral" },
      kind: "referral",
      form_uid,
      answer_within_minutes: 60
    })
    const { page, complaints } = await browser.open(at, options)
    await examine(page)
    await page.getByRole("link", { name: "Überweisung" }).click()
    await answer(page)
    await press(page, "Anfrage absenden")
    await heading(page, "Überweisung")
    await page.getByText("Ihre Praxis hat Ihre Anfrage erhalten.").waitFor()
    await examine(page)
    const { data } = (await world.api("GET", "/v1/management/requests")).body
    const read = await world.api("GET", `/v1/management/requests/${data[0]?.uid}`)
    expect([data.length, read.body.form.answers.how_many, read.body.form.files.length]).toEqual([1, 10, 1])
    const [left] = await server.current.sql`SELECT count(*)::int AS drafts FROM form_responses
      WHERE organisation_uid = ${world.organisation_uid} AND NOT complete`
    expect(left).toEqual({ drafts: 0 })
    expect(complaints).toEqual([])
  })

  test("is answered before the visit", async () => {
    const { world, form_uid } = await scene((form_uid) => ({
      intake: [{ form_uid, due_minutes_before: 60, blocks: "join" }]
    }))
    const appointment = await world.booked(inDays(5, 9))
    const link = await world.api("POST", `/v1/management/scheduling/appointments/${appointment}/action-links`, {
      action: "join"
    })
    const at = `${server.current.url}/meet/appointment/${link.body.code}`
    const { page, complaints } = await browser.open(at, options)
    await page.getByText("Anamnese (fehlt noch)").waitFor()
    await examine(page)
    await page.getByRole("link", { name: "Anamnese" }).click()
    await answer(page)
    await press(page, "Angaben absenden")
    await heading(page, "Danke, Ihre Angaben sind gespeichert")
    await examine(page)
    const read = await world.api("GET", `/v1/management/scheduling/appointments/${appointment}/intake`)
    expect(read.body.data).toMatchObject([{ door: "intake", form_uid, complete: true }])
    await page.getByRole("link", { name: "Zum Termin" }).click()
    await page.getByText("Anamnese (ausgefüllt)").waitFor()
    await page.getByRole("link", { name: "Anamnese" }).click()
    expect(await page.getByLabel("Ja").isChecked()).toBe(true)
    expect(complaints).toEqual([])
  })
})

test("what the service knows itself is asked of nobody", async () => {
  const { world } = await scene(() => ({
    entry: {
      rules: [{ when: [{ link_id: "@known_patient", operator: "=", answer: false }], [OUTCOME]: "refuse" }]
    }
  }))
  const code = await world.session(random("customer"))
  const answer = await fetch(`${server.current.url}/meet/booking/${code}`)
  expect(answer.url).toEndWith("/questions")
  expect(await answer.text()).toContain("Diesen Termin können Sie nicht online buchen")
  await world.api("PATCH", `/v1/management/scheduling/appointment-types/${world.type_uid}`, { entry: null })
  const times = await fetch(`${server.current.url}/meet/booking/${code}`)
  expect(times.url).not.toContain("questions")
})

test("a draft that led to no appointment goes with its session; Rule 22.9.5", async () => {
  const { world } = await scene((form_uid) => ({ entry: { form_uid, rules: [] } }))
  const code = await world.session()
  const body = new FormData()
  for (const [name, value] of [
    ["shown", "person smokes"],
    ["a.smokes", "no"],
    ["action", "next"]
  ] as const)
    body.append(name, value)
  const at = `${server.current.url}/meet/booking/${code}/questions`
  const sent = await fetch(`${at}?page=0`, { method: "POST", body, redirect: "manual" })
  expect([sent.status, sent.headers.get("location")]).toEqual([303, `/meet/booking/${code}/questions?page=1`])
  const photo = new FormData()
  photo.append("shown", "skin photo")
  photo.append("a.photo", new File([jpegOf(100)], "photo.jpg"))
  expect((await fetch(`${at}?page=1`, { method: "POST", body: photo, redirect: "manual" })).status).toBe(303)
  const large = new FormData()
  large.append("a.photo", new File([new Uint8Array(12 * 1024 * 1024)], "photo.jpg"))
  const refused = await fetch(`${at}?page=1`, { method: "POST", body: large, redirect: "manual" })
  expect(refused.headers.get("location")).toEndWith("?page=1&notice=tooLarge")
  const count = () =>
    server.current.query(
      `SELECT (SELECT count(*)::int FROM form_responses WHERE organisation_uid = $1) AS drafts,
        (SELECT count(*)::int FROM form_files WHERE organisation_uid = $1 AND status <> 'expired') AS files`,
      [world.organisation_uid]
    )
  expect(await count()).toEqual([{ drafts: 1, files: 1 }])
  await server.current.query("DELETE FROM booking_sessions WHERE organisation_uid = $1", [world.organisation_uid])
  expect(await count()).toEqual([{ drafts: 0, files: 0 }])
})
