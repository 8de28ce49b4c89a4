/** Actions at the console in a browser, with their clicks counted. */
import { expect } from "bun:test"
import { readFileSync } from "node:fs"
import type { BrowserContextOptions, Locator, Page } from "playwright-core"
import type { TestBrowser } from "../../../support/browser.ts"
import { signedIn } from "../../../support/console.ts"
import type { TestServer } from "../../../support/server.ts"
import type { World } from "../../../support/world.ts"

/** Clicks by action, from docs/console.md. */
export const documentedClicks: Readonly<Record<string, number>> = Object.fromEntries(
  [...readFileSync("docs/console.md", "utf8").matchAll(/^\| ([^|`]+?) +\| +(\d+) +\|/gm)].map(
    ([, name = "", clicks]) => [name, Number(clicks)]
  )
)

/** With CONSOLE_SCREENSHOTS set to a folder, saves a screenshot of the page. */
export const picture = async (page: Page, name: string) => {
  const folder = process.env.CONSOLE_SCREENSHOTS
  if (folder !== undefined)
    await page.screenshot({ path: `${folder}/${name.replaceAll(/[^\wäöü]+/g, "-")}.png`, fullPage: true })
}

/** A page of the console in a browser that has the session of a user of the organisation; it signed in by requests alone. */
export const atConsole = async (
  { browser, at, world }: { readonly browser: TestBrowser; readonly at: TestServer; readonly world: World },
  role: "admin" | "doctor",
  options: BrowserContextOptions = {},
  prepare: (page: Page) => Promise<unknown> = async () => {}
) => {
  const { organisation_uid, doctor } = world
  const { cookies } = await signedIn(at, [role, role === "admin" ? organisation_uid : doctor, organisation_uid])
  const opened = await browser.open("about:blank", options)
  const { page } = opened
  await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url: at.url })))
  await prepare(page)
  await page.goto(`${at.url}/console/${role === "admin" ? "practice" : role}`)
  return opened
}

/** Marks the page, so that the next page can be distinguished from the current one. */
export const markRequested = (page: Page) =>
  page.evaluate(() => {
    document.documentElement.dataset.asked = ""
  })
/** Waits for the page after the pressed control. */
const next = (page: Page) => page.locator("html:not([data-asked])")
/** Waits until the next page confirms the action. */
export const isDone = (page: Page) => next(page).locator("[data-done]").waitFor()

/** Opens the menu of the pages, which is folded on a phone. */
export const openMenu = async (page: Page) => {
  const menu = page.getByRole("button", { name: /^Men[uü]/ })
  if (await menu.isVisible()) await menu.click()
}

export const desk = (page: Page, url: string) => {
  let clicks = 0
  /** Another press than of a control, such as a key. */
  const counted = async (act: Promise<unknown>) => {
    clicks += 1
    await act
  }
  const press = async (locator: Locator) => {
    await markRequested(page)
    await counted(locator.click())
  }
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" }).first()
  const link = (name: string | RegExp) => page.getByRole("link", { name, exact: typeof name === "string" }).first()
  const done = () => isDone(page)
  /** A press that is confirmed with "Done." */
  const send = async (name: string | RegExp) => {
    await press(button(name))
    await done()
  }
  /** An action of docs/console.md, which takes as many clicks as that says; an action may consist of others. */
  const action = async (name: string, work: () => Promise<void>) => {
    const before = clicks
    await work()
    expect([name, clicks - before]).toEqual([name, documentedClicks[name]])
  }
  /** To another page of the room by its link. */
  const turn = async (name: string, heading: string | RegExp = name) => {
    await openMenu(page)
    await press(link(name))
    await next(page).getByRole("heading", { name: heading, level: 1 }).waitFor()
  }
  const at = (path: string) => page.goto(`${url}/console/${path}`)
  const shownOnce = () => next(page).getByText("Shown only now").waitFor()
  /** The text of the file that a link downloads. */
  const fileOf = async (name: string) => {
    const [download] = await Promise.all([page.waitForEvent("download"), press(link(name))])
    return readFileSync(await download.path(), "utf8")
  }
  return { counted, press, button, link, done, send, action, turn, at, shownOnce, fileOf }
}
