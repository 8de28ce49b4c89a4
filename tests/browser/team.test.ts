/** The practice's pages: an invitation that is refused (Rules 17.2.3 and 17.2.9), and the menu on a phone. */
import { expect, test } from "bun:test"
import type { BrowserContextOptions } from "playwright-core"
import { accessibilityFaults, testBrowser } from "../support/browser.ts"
import { atConsole, markRequested } from "../support/consoleDesk.ts"
import { testServer } from "../support/server.ts"
import { makeWorld } from "../support/world.ts"

const server = testServer()
const browser = testBrowser()

const enter = async (options: BrowserContextOptions = {}) => {
  const world = await makeWorld(server.current, { doctors: 1 })
  return atConsole({ browser, at: server.current, world }, "admin", options)
}

test("a refused invitation has what was typed and says what is wrong, and is sent again", async () => {
  const { page, complaints } = await enter()
  await page.goto(`${server.current.url}/console/practice/team`)
  const form = page.getByRole("form", { name: "Einladen" })
  const press = async () => {
    await markRequested(page)
    await form.getByRole("button", { name: "Einladen" }).click()
  }
  // the browser itself does not send what is no address
  await form.getByLabel("Name").fill("Kim Beispiel")
  await form.getByLabel("E-Mail").fill("kim@praxis..example")
  await form.getByRole("button", { name: "Einladen" }).click()
  expect(await form.locator("[name=email]").evaluate((one) => one.matches(":invalid:focus"))).toBe(true)
  // a name of blanks is refused by the service
  await form.getByLabel("Name").fill("   ")
  await form.getByLabel("E-Mail").fill("kim@praxis.example")
  await form.getByLabel("Rolle").selectOption("billing")
  await press()
  await page.locator("html:not([data-asked]) main [role=alert]").waitFor()
  expect(await form.locator("[name=email]").inputValue()).toBe("kim@praxis.example")
  expect(await form.locator("[name=role]").inputValue()).toBe("billing")
  expect(await form.locator("[name=display_name]").getAttribute("aria-invalid")).toBe("true")
  expect(await accessibilityFaults(page)).toEqual([])
  await form.getByLabel("Name").fill("Kim Beispiel")
  await press()
  await page.locator("html:not([data-asked]) main output.code").waitFor()
  expect(complaints.filter((one) => !one.includes("400"))).toEqual([])
})

test.each([[true], [false]])(
  "on a phone the practice's menu is folded, and opens by one press; with JavaScript: %p",
  async (javaScriptEnabled) => {
    const { page } = await enter({ viewport: { width: 390, height: 844 }, javaScriptEnabled })
    const link = page.getByRole("link", { name: "Abwesenheiten" })
    expect(await link.isVisible()).toBe(false)
    // the content begins on the upper half of the screen
    expect((await page.locator("main h1").boundingBox())?.y).toBeLessThan(422)
    await page.getByRole("button", { name: /^Menü/ }).click()
    await link.waitFor()
    if (javaScriptEnabled) expect(await accessibilityFaults(page)).toEqual([])
    await link.click()
    await page.getByRole("heading", { name: "Abwesenheiten", level: 1 }).waitFor()
    await page.getByRole("button", { name: "Menü: Abwesenheiten" }).waitFor()
    await page.setViewportSize({ width: 1366, height: 768 })
    await link.waitFor()
    expect(await page.getByRole("button", { name: /^Menü/ }).isVisible()).toBe(false)
  }
)
