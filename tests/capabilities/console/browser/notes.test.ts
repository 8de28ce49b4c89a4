/** A doctor's note that saves itself, after the session's end. Rule 17.2.9. */
import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { testBrowser } from "../../../support/browser.ts"
import { testServer } from "../../../support/server.ts"
import { inDays, makeWorld } from "../../../support/world.ts"

const server = testServer()
const browser = testBrowser()

test("a note that is typed after the session's end is there again after the next sign-in", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const uid = await world.booked(inDays(1, 9))
  const { page } = await browser.open("about:blank")
  const signIn = async (on: Page) => {
    await on.goto(`${on.url()}&only=${world.organisation_uid}`)
    await on
      .getByRole("button", { name: /^Ärztin|^Arzt|^Doctor/ })
      .first()
      .click()
  }
  await page.goto(`${server.current.url}/console/doctor`)
  await signIn(page)
  await page.goto(`${server.current.url}/console/doctor/appointments/${uid}`)
  const note = page.locator("textarea[name=note]")
  await note.waitFor()
  await page.context().clearCookies()
  await note.fill("Blood pressure 120/80")
  await page.locator('a[href="/console/doctor/week"]').first().click()
  await page
    .getByRole("button", { name: /^Ärztin|^Arzt|^Doctor/ })
    .first()
    .waitFor()
  await signIn(page)
  await note.waitFor()
  expect(await note.inputValue()).toBe("Blood pressure 120/80")
})
