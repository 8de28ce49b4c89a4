/** Forms and requests at the console, in the browser, with the presses counted. Rule 22.8. */
import { expect, test } from "bun:test"
import { accessibilityFaults, testBrowser } from "../../../support/browser.ts"
import { testServer } from "../../../support/server.ts"
import { makeWorld } from "../../../support/world.ts"
import { atConsole, desk, picture } from "../../console/support/consoleDesk.ts"

const server = testServer()
const browser = testBrowser()
const enter = async (role: "admin" | "doctor") => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const { page, complaints } = await atConsole({ browser, at: server.current, world }, role)
  return { world, page, complaints, ...desk(page, server.current.url) }
}

test("a form of five questions is built in at most 14 presses, without JSON; Rule 22.8.1", async () => {
  const { world, page, complaints, press, counted, link, button, send, action, at } = await enter("admin")
  await at("practice/forms")
  const added = async (type: string, question: string, number: number) => {
    await press(button(type))
    const field = page.locator(`[name="items.${number}.text.de"]`)
    // what is typed next goes into it
    await field.and(page.locator(":focus")).waitFor()
    await field.fill(question)
  }
  const tick = async (name: string) => {
    await page.locator(`[name="${name}"]`).click()
  }
  await action("Build a form of five questions, one with a condition", async () => {
    await press(link("Neues Formular"))
    await page.locator('[name="title.de"]').fill("Erstgespräch")
    await added("Ja oder nein", "Haben Sie Allergien?", 0)
    await added("Langer Text", "Wogegen?", 1)
    await added("Auswahl", "Rauchen Sie?", 2)
    await page.locator('[name="items.2.options@lines.de"]').fill("nie\nfrüher\nja")
    await added("Datum", "Seit wann?", 3)
    await added("Langer Text", "Was noch?", 4)
    await counted(page.locator('[name="items.1.enable_when.0.link_id@when"]').selectOption("q1 = true"))
    await send("Speichern")
  })
  const { body } = await world.api("GET", "/v1/management/forms")
  expect(body.data).toMatchObject([
    {
      title: { de: "Erstgespräch" },
      version: 1,
      items: [
        { type: "boolean", text: { de: "Haben Sie Allergien?" } },
        { type: "text", enable_when: [{ link_id: "q1", operator: "=", answer: true }] },
        { type: "choice", options: [{ code: "nie" }, { code: "früher" }, { code: "ja" }] },
        { type: "date" },
        { type: "text", text: { de: "Was noch?" } }
      ]
    }
  ])
  await tick("items.0.required")
  await press(button("Nach oben: Was noch?"))
  await page.locator('[name="items.3.text.de"]').waitFor()
  expect(await page.locator('[name="items.3.text.de"]').inputValue()).toBe("Was noch?")
  expect(await page.locator('[name="items.0.required"]').isChecked()).toBe(true)
  // an answer to a question that is gone is none to a new one
  await press(button("Entfernen: Was noch?"))
  await added("Langer Text", "Ganz anderes?", 4)
  await send("Speichern")
  const saved = await world.api("GET", `/v1/management/forms/${body.data[0].uid}`)
  expect(saved.body.items.at(-1)).toMatchObject({ link_id: "q1-1", text: { de: "Ganz anderes?" } })
  expect(await accessibilityFaults(page)).toEqual([])
  await picture(page, "builder")
  expect(complaints).toEqual([])
})
