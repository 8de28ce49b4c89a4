/** The menu of the practice's pages on a phone. */
import { expect, test } from "bun:test"
import { accessibilityFaults, testBrowser } from "../../../support/browser.ts"
import { testServer } from "../../../support/server.ts"
import { makeWorld } from "../../../support/world.ts"
import { atConsole } from "../support/consoleDesk.ts"

const server = testServer()
const browser = testBrowser()

test.each([[true], [false]])(
  "on a phone the practice's menu is folded, and opens by one press; with JavaScript: %p",
  async (javaScriptEnabled) => {
    const world = await makeWorld(server.current, { doctors: 1 })
    const options = { viewport: { width: 390, height: 844 }, javaScriptEnabled }
    const { page } = await atConsole({ browser, at: server.current, world }, "admin", options)
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
