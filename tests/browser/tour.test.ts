/** The tour at the root of a demo: every step opens the thing itself, with one press for those who sign in. */
import { expect, test } from "bun:test"
import { testBrowser } from "../support/browser.ts"
import { ownServer } from "../support/server.ts"

const server = ownServer({ PROVISION_FILE: "" })
const browser = testBrowser()

test("six steps lead to a booking, a doctor with somebody who waits, the practice, the pharmacy, the operator and the documentation", async () => {
  const { page, complaints } = await browser.open(server.current.url, { locale: "en-GB" })
  /** Opens a step's first link, and signs in where that is asked. */
  const open = async (step: string, link = 0) => {
    await page.goto(server.current.url)
    await page.locator(`#${step} .actions a`).nth(link).click()
    const person = page.locator("button[name=person]")
    await page.locator("button[name=person], h1").first().waitFor()
    if ((await person.count()) > 0) {
      expect(await person.count()).toBe(1)
      await person.click()
      await page.getByRole("button", { name: "Sign out" }).waitFor()
    }
    return page.locator("body").textContent()
  }
  expect(await page.locator("section[id]").count()).toBe(6)
  expect(await open("patient")).toContain("Praxis am Stadtgarten")
  await page.locator(".times button, .next button").first().waitFor()
  expect(await open("patient", 1)).toContain("Dr. med. Anna Berger")
  await open("doctor")
  await page.getByText("waiting since").first().waitFor()
  for (const step of ["practice", "pharmacy", "operator"]) {
    await page.context().clearCookies()
    await open(step)
    expect(new URL(page.url()).pathname).toBe(`/console/${step}`)
  }
  expect(await open("partner")).toContain("Sprechstunde")
  expect(complaints).toEqual([])
})
