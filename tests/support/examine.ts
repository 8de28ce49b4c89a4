import { expect } from "bun:test"
import type { BrowserContextOptions, Page } from "playwright-core"
import { accessibilityFaults, type TestBrowser } from "./browser.ts"

/**
 * The two configurations in which every state of every page is checked: in German on a phone, and in Arabic, right to left,
 * at 400 % zoom on a screen of 1280 × 1024.
 */
export const looks = [
  ["in German on a phone", { locale: "de-DE", viewport: { width: 360, height: 740 } }],
  ["in Arabic at 400 %", { locale: "ar", viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 }]
] as const satisfies ReadonlyArray<readonly [string, BrowserContextOptions]>

export type Look = (typeof looks)[number][1]

/** Opens pages with one of the configurations. */
export const withLook = (browser: TestBrowser, look: Look) => (address: string) => browser.open(address, look)

/** Chooses a language in the page's menu, by its own name. */
export const chooseLanguage = async (page: Page, name: string) => {
  await page.locator(".languages summary").click()
  await page.locator(".languages").getByRole("link", { name, exact: true }).click()
}

/** Elements that overflow the screen or are clipped by their container. */
const overflowing = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => {
    const name = (element: Element) => `${element.tagName.toLowerCase()}.${element.className}`
    const found: Array<string> = []
    if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls sideways")
    for (const element of document.querySelectorAll("body *")) {
      if (element.closest(".unseen, .skip, svg, select, textarea, video") !== null) continue
      const { left, right, width } = element.getBoundingClientRect()
      if (width > 0 && (left < -1 || right > innerWidth + 1)) found.push(`${name(element)} sticks out`)
      const { overflow, clipPath } = getComputedStyle(element)
      const clips = overflow !== "visible" && clipPath === "none" // elements that are hidden by clipping appear when focused
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element
      if (clips && (scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1))
        found.push(`${name(element)} is cut off`)
    }
    return found
  })

/** Elements that receive focus by keyboard but are not visible, or are covered. */
const hiddenFocus = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.keyboard.press("Tab") // from now on the browser shows focus indicators
  return page.evaluate(() => {
    const before = document.activeElement
    const found: Array<string> = []
    const reachable = "a[href], button, select, textarea, input:not([type=hidden])"
    for (const element of document.querySelectorAll<HTMLElement>(reachable)) {
      if (!element.checkVisibility()) continue
      element.focus()
      const { left, top, right, bottom } = element.getBoundingClientRect()
      const [x, y] = [(left + right) / 2, (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2]
      const hit = document.elementFromPoint(x, y)
      const label = element.textContent || element.id
      if (getComputedStyle(element).outlineStyle === "none") found.push(`${label}: no outline`)
      if (hit === null || !(element.contains(hit) || hit.contains(element))) found.push(`${label}: covered`)
    }
    if (before instanceof HTMLElement) before.focus()
    return found
  })
}

/** Presses Tab until the element with this text has the focus; every element on the way must be visible and show its focus. */
export const tabTo = async (page: Page, label: string) => {
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press("Tab")
    const focused = page.locator(":focus")
    if ((await focused.count()) === 0) continue
    const { text, outline, inSight } = await focused.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      const outline = getComputedStyle(element).outlineStyle
      return { text: element.textContent.trim(), outline, inSight: top < innerHeight && bottom > 0 }
    })
    expect({ text, outline, inSight }).toEqual({ text, outline: expect.not.stringMatching("none"), inSight: true })
    if (text === label) return
  }
  throw new Error(`Tab never reached ${label}`)
}

/** With forced colours, a button must be recognisable by its border and a link by its underline. */
const lostInForcedColors = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("button, a[href], select, textarea")]
      .filter((element) => element.checkVisibility())
      .filter((element) => {
        const { borderTopStyle, borderTopWidth, textDecorationLine } = getComputedStyle(element)
        return (borderTopStyle === "none" || borderTopWidth === "0px") && textDecorationLine === "none"
      })
      .map((element) => element.textContent || element.id)
  )

const frame = (page: Page) =>
  page.evaluate(() => ({
    language: document.documentElement.lang,
    headings: document.querySelectorAll("h1").length,
    mains: document.querySelectorAll("main").length,
    moving: document.getAnimations().filter(({ playState }) => playState === "running").length
  }))

/**
 * Checks one state of a page: WCAG 2.2 AA in light and dark mode, nothing clipped, a visible focus,
 * forced colours, reduced motion, and a title that differs from those of all other checked states.
 */
export const examiner = (look: Look) => {
  const titles = new Map<string, string>()
  return async (page: Page, state: string) => {
    const faults: Array<string> = []
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce", forcedColors: "none" })
    faults.push(...(await accessibilityFaults(page)), ...(await overflowing(page)), ...(await hiddenFocus(page)))
    await page.emulateMedia({ colorScheme: "dark" })
    faults.push(...(await accessibilityFaults(page, ["color-contrast"])).map((fault) => `dark: ${fault}`))
    await page.emulateMedia({ colorScheme: "light", forcedColors: "active" })
    faults.push(...(await lostInForcedColors(page)).map((label) => `forced colours: ${label} has no edge`))
    await page.emulateMedia({ forcedColors: "none" })
    const { language, headings, mains, moving } = await frame(page)
    expect({ state, faults, language, headings, mains, moving }).toEqual({
      state,
      faults: [],
      language: look.locale.slice(0, 2),
      headings: 1,
      mains: 1,
      moving: 0
    })
    const title = await page.title()
    expect({ state, title, seen: titles.get(title) }).toEqual({ state, title, seen: undefined })
    titles.set(title, state)
  }
}
