/** Every state of the patients' pages in two looks, and the order in which a screen reader reads them (Rule 22.9). */
import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { questionTexts } from "../../../src/capabilities/forms/texts/questions.ts"
import { testBrowser } from "../../support/browser.ts"
import { examiner, looks, withLook } from "../../support/examine.ts"
import { testServer } from "../../support/server.ts"
import { inDays, makeWorld } from "../../support/world.ts"
import { clamd } from "./support/clamd.ts"
import { jpegOf } from "./support/pictures.ts"

const scanner = clamd()
const server = testServer({ CLAMAV_URL: `tcp://127.0.0.1:${scanner.port}` })
const browser = testBrowser()
/** What a rule leads to: its field is called `then`. */
const OUTCOME: string = "then"

const items = [
  {
    link_id: "person",
    type: "group",
    text: { de: "Zu Ihnen", ar: "عنكم" },
    items: [
      { link_id: "note", type: "display", text: { de: "Bitte in Ruhe.", ar: "بهدوء من فضلكم." } },
      { link_id: "smokes", type: "boolean", text: { de: "Rauchen Sie?", ar: "هل تدخنون؟" }, required: true },
      {
        link_id: "many",
        type: "integer",
        text: { de: "Wie viele am Tag?", ar: "كم في اليوم؟" },
        required: true,
        min: 1
      }
    ]
  },
  {
    link_id: "skin",
    type: "group",
    text: { de: "Ihre Haut", ar: "بشرتكم" },
    items: [
      { link_id: "since", type: "date", text: { de: "Seit wann?", ar: "منذ متى؟" } },
      { link_id: "photo", type: "file", text: { de: "Foto", ar: "صورة" }, repeats: true }
    ]
  }
]

interface Node {
  readonly ignored: boolean
  readonly nodeId: string
  readonly childIds?: ReadonlyArray<string>
  readonly role?: { readonly value: string }
  readonly name?: { readonly value: string }
  readonly description?: { readonly value: string }
  readonly properties?: ReadonlyArray<{ readonly name: string; readonly value: { readonly value?: unknown } }>
}
const READ = ["heading", "group", "radio", "textbox", "button", "link", "StaticText", "Date"]

/** What a screen reader reads of the main part, in its order, each with its description. */
const read = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  const { nodes } = (await session.send("Accessibility.getFullAXTree")) as { nodes: ReadonlyArray<Node> }
  await session.detach()
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  const said: Array<string> = []
  const visit = (node: Node, named: string, inLabel = false) => {
    const [role = "", name = "", description = ""] = [node.role?.value, node.name?.value, node.description?.value]
    const isRead =
      !node.ignored &&
      READ.includes(role) &&
      name !== "" &&
      !(role === "StaticText" && (inLabel || named.includes(name)))
    if (isRead) said.push([`${role}: ${name}`, description].filter(Boolean).join(" | "))
    for (const id of node.childIds ?? []) {
      const child = byId.get(id)
      // a label's text is the name of its field
      if (child !== undefined) visit(child, isRead ? name : named, inLabel || role === "LabelText")
    }
  }
  const main = nodes.find(({ role }) => role?.value === "main")
  if (main !== undefined) visit(main, "")
  return said
}

describe.each(looks)("pages on which patients answer, %s,", (_, look) => {
  const isGerman = look.locale === "de-DE"
  const language = isGerman ? "de" : "ar"
  const texts = questionTexts(language)
  const { next } = texts
  const say = (text: Readonly<{ de: string; ar: string }>) => text[language]
  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()
  const open = withLook(browser, look)

  test("have no fault, and are read in their order", async () => {
    const examine = examiner(look)
    const organisation = { public_booking: true, branding: { phone: "+49 30 1234" } }
    const world = await makeWorld(server.current, { organisation })
    const form = await world.api("POST", "/v1/management/forms", { title: { de: "Anamnese", ar: "السوابق" }, items })
    const form_uid = form.body.uid
    await world.api("POST", "/v1/management/request-types", {
      name: { de: "Überweisung", ar: "إحالة" },
      kind: "referral",
      form_uid,
      answer_within_minutes: 60
    })
    const when = [{ link_id: "many", operator: ">", answer: 20 }]
    await world.api("PATCH", `/v1/management/scheduling/appointment-types/${world.type_uid}`, {
      entry: { form_uid, rules: [{ when, [OUTCOME]: "refuse" }] },
      intake: [{ form_uid }]
    })
    const code = await world.session()
    const { page, complaints } = await open(`${server.current.url}/meet/booking/${code}`)
    await page.getByRole("heading", { name: say(items[0]?.text as never) }).waitFor()
    await examine(page, "first screen")
    await page.getByLabel(texts.words.yes).check()
    await page.getByLabel(say({ de: "Wie viele am Tag?", ar: "كم في اليوم؟" })).fill("viele")
    await press(page, next)
    await page.getByText(texts.faults.invalid).first().waitFor()
    await examine(page, "a fault")
    if (isGerman)
      expect(await read(page)).toEqual([
        "StaticText: Anamnese · Schritt 1 von 2",
        "heading: Zu Ihnen",
        `StaticText: ${texts.notices.check}`,
        "StaticText: Bitte in Ruhe.",
        "group: Rauchen Sie?",
        "radio: Ja",
        "radio: Nein",
        `textbox: Wie viele am Tag? | ${texts.faults.invalid}`,
        `StaticText: ${texts.faults.invalid}`,
        "button: Weiter"
      ])
    await page.getByLabel(say({ de: "Wie viele am Tag?", ar: "كم في اليوم؟" })).fill("30")
    await press(page, next)
    const photo = page.locator("input[type=file]")
    await photo.setInputFiles({ name: "arm.jpg", mimeType: "image/jpeg", buffer: Buffer.from(jpegOf(1_000)) })
    await press(page, texts.files.add)
    await page.getByRole("button", { name: /arm\.jpg/ }).waitFor()
    await examine(page, "second screen")
    if (isGerman)
      expect((await read(page)).filter((one) => !/StaticText|date picker/.test(one))).toEqual([
        "heading: Ihre Haut",
        "Date: Seit wann? (freiwillig)",
        "button: arm.jpg entfernen",
        expect.stringMatching(/^button: Foto \(freiwillig\)/),
        "button: Datei hinzufügen",
        "button: Weiter",
        "button: Zurück"
      ])
    await press(page, next)
    await page.getByRole("heading", { name: texts.check }).waitFor()
    await examine(page, "summary")
    if (isGerman)
      expect(await read(page)).toEqual([
        "StaticText: Anamnese",
        "heading: Bitte prüfen Sie Ihre Angaben",
        "StaticText: Rauchen Sie?",
        "StaticText: Ja",
        "StaticText: Wie viele am Tag?",
        "StaticText: 30",
        "link: Ändern : Rauchen Sie?",
        "StaticText: Seit wann?",
        "StaticText: keine Angabe",
        "StaticText: Foto",
        "StaticText: arm.jpg",
        "link: Ändern : Seit wann?",
        "button: Weiter zu den Terminen"
      ])
    await press(page, texts.entry.send)
    await page.getByRole("heading", { name: texts.entry.refused }).waitFor()
    await examine(page, "refusal")
    await page.getByRole("link", { name: texts.requests.instead }).click()
    await page.getByRole("heading", { name: texts.requests.title }).waitFor()
    await examine(page, "types of requests")
    if (isGerman)
      expect(await read(page)).toEqual([
        "heading: Anfrage an Ihre Praxis",
        "StaticText: Worum geht es?",
        "link: Überweisung"
      ])
    const key = await world.bookByKey({ start_date: inDays(5, 9) })
    const links = `/v1/management/scheduling/appointments/${key.body.uid}/action-links`
    const link = await world.api("POST", links, { action: "join" })
    await page.goto(`${server.current.url}/meet/appointment/${link.body.code}/intake/${form_uid}`)
    await page.getByLabel(texts.words.no).check()
    await page.getByLabel(say({ de: "Wie viele am Tag?", ar: "كم في اليوم؟" })).fill("1")
    await press(page, next)
    await press(page, next)
    await press(page, texts.intake.send)
    await page.getByRole("heading", { name: texts.intake.done }).waitFor()
    await examine(page, "sent")
    const other = await world.session("other")
    await page.goto(`${server.current.url}/meet/booking/${other}/requests`)
    await page.getByRole("link", { name: say({ de: "Überweisung", ar: "إحالة" }) }).click()
    await page.getByLabel(texts.words.no).check()
    await page.getByLabel(say({ de: "Wie viele am Tag?", ar: "كم في اليوم؟" })).fill("1")
    await press(page, next)
    await press(page, next)
    await press(page, texts.requests.send)
    await page.getByRole("heading", { name: say({ de: "Überweisung", ar: "إحالة" }) }).waitFor()
    await examine(page, "request")
    await page.goto(`${server.current.url}/meet/book/${world.shop_identifier}/requests`)
    await page.locator("[name=email]").waitFor()
    await page.goto(`${page.url()}?notice=invalid`)
    await examine(page, "who asks")
    expect(complaints).toEqual([])
  })
})
