/** The page of a practice's own texts of messages. Rule 7.8.5. */
import { expect, test } from "bun:test"
import { standardTexts } from "../../../src/texts/standardTexts.ts"
import { hiddenField, signedIn } from "../../support/console.ts"
import { testServer } from "../../support/server.ts"
import { makeWorld } from "../../support/world.ts"

const server = testServer()
const ORGANISATION = "/v1/management/organisation"
const own = { kind: "confirmation", language: "de" }

const versionIn = (page: string) => hiddenField(page, "@version").replaceAll("&quot;", '"')

test("the console changes the texts of one kind and language, shows them and goes back to the standard", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const browser = await signedIn(server.current, ["admin", world.organisation_uid, world.organisation_uid])
  const page = "/console/practice/texts?kind=recall&language=en"
  const stored = async () => (await world.api("GET", ORGANISATION)).body.message_texts
  await world.api("PATCH", ORGANISATION, { message_texts: [{ ...own, closing: "Bis bald" }] })
  const kept = await stored()
  const { text } = await browser.ask(page)
  const standard = standardTexts("recall", "en")
  expect(text).toContain(`value="${standard.subject}"`)
  const fields = {
    "@csrf": hiddenField(text, "@csrf"),
    "@version": versionIn(text),
    "@in": "de",
    kind: "recall",
    language: "en"
  }
  const parts = { ...standard, opening: "we should meet again." }

  const seen = await browser.ask("/console/practice/texts/preview", { ...fields, ...parts })
  expect(seen.answer.headers.get("content-security-policy")).toContain("sandbox")
  expect(seen.text).toContain("we should meet again.")
  const fault = await browser.ask("/console/practice/texts/preview", { ...fields, ...parts, opening: "{wann}" })
  expect(fault.text).toContain("{wann} ist kein Platzhalter. Möglich sind hier: {name}, {organisation}.")
  expect(await stored()).toEqual(kept)

  const refused = await browser.ask("/console/practice/texts", { ...fields, ...parts, opening: "{wann}" })
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("{wann} is not a placeholder")])
  const saved = await browser.ask("/console/practice/texts", { ...fields, ...parts })
  expect(saved.status).toBe(303)
  // what is the standard's stays the standard's
  const texts = { kind: "recall", language: "en", subject: null, greeting: null, closing: null, sms: null }
  expect(await stored()).toEqual([...kept, { ...texts, opening: "we should meet again." }])
  const old = await browser.ask("/console/practice/texts", { ...fields, ...parts, opening: "Again" })
  expect([old.status, old.text]).toEqual([412, expect.stringContaining("we should meet again.")])

  const now = await browser.ask(page)
  expect((await browser.ask("/console/practice/texts/preview?kind=recall&language=en")).text).toContain("meet again")
  const back = await browser.ask("/console/practice/texts", { ...fields, "@version": versionIn(now.text) })
  expect(back.status).toBe(303)
  expect(await stored()).toEqual(kept)
})
