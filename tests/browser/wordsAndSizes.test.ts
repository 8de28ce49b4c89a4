/** Times and words in every width, font and font size: none breaks inside, and nothing is wider than the screen. */
import { expect, test } from "bun:test"
import { testBrowser } from "../support/browser.ts"
import { someOf } from "../support/scale.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld } from "../support/world.ts"

const server = testServer()
const browser = testBrowser()

const LONG =
  "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsvorstandsvorsitzendenwahl"

test.each(["times", "form"])(
  "of the %s nothing breaks or widens the page, at 320 to 1,440 px and 16 to 24 px",
  async (of) => {
    const world = await makeWorld(server.current, {
      doctors: 1,
      type: { description: LONG },
      organisation: { public_booking: true }
    })
    const path =
      of === "form"
        ? `book/${world.shop_identifier}`
        : `booking/${await world.session("p", { from: inDays(1), to: inDays(4) })}`
    const address = `${server.current.url}/meet/${path}`
    const { page } = await browser.open(address)
    const shown = ["de", "en-US", "ar"].flatMap((language) =>
      [320, 390, 1440].map((width) => [language, width] as const)
    )
    for (const [language, width] of someOf(shown, 2)) {
      await page.setViewportSize({ width, height: 844 })
      await page.goto(`${address}?lang=${language}`)
      const found = await page.evaluate(() =>
        ["Roboto", "Noto Sans", "monospace"].flatMap((family) =>
          [16, 20, 24].map((size) => {
            document.documentElement.style.setProperty("--font", family)
            document.documentElement.style.fontSize = `${size}px`
            const broken = [...document.querySelectorAll<HTMLElement>(".times .time")]
              .filter((time) => time.checkVisibility())
              .filter((time) => {
                const range = document.createRange()
                range.selectNodeContents(time)
                return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1
              })
            const over = [...document.querySelectorAll<HTMLElement>(".times .time, .strip a")].filter(
              (element) => element.checkVisibility() && element.scrollWidth > element.clientWidth + 1
            )
            return {
              family,
              size,
              broken: broken.map((time) => time.textContent),
              over: over.map((element) => element.textContent),
              wide: document.documentElement.scrollWidth > innerWidth
            }
          })
        )
      )
      expect(found).toHaveLength(9)
      const faults = found.filter(({ broken, over, wide }) => broken.length > 0 || over.length > 0 || wide)
      expect([language, width, faults]).toEqual([language, width, []])
    }
  }
)

const TEXTS = {
  description:
    "Für neue Beschwerden, Fragen zu Befunden und zur laufenden Behandlung. Bitte bringen Sie Ihre Unterlagen und die Liste Ihrer Medikamente mit.",
  price: "Gesetzlich Versicherte: kostenlos",
  cancellation_rule: "bis 24 Stunden vorher kostenlos"
}

test("on a phone of 390 × 844 px the first time of the list is in view, whatever the type's texts", async () => {
  const { page } = await browser.open("about:blank", { viewport: { width: 390, height: 844 }, timezoneId: "UTC" })
  for (const type of [
    {},
    { description: "Für alle Fragen zu Ihrer Behandlung." },
    TEXTS,
    { ...TEXTS, seats: 12 },
    { ...TEXTS, waitlist: true }
  ]) {
    const world = await makeWorld(server.current, { doctors: 3, type })
    const code = await world.session("p", { from: inDays(1), to: inDays(20) })
    await page.goto(`${server.current.url}/meet/booking/${code}`)
    const box = await page.locator(".times .time").first().boundingBox()
    const bottom = (box?.y ?? Number.NaN) + (box?.height ?? 0)
    expect([type, bottom <= 844]).toEqual([type, true])
  }
})
