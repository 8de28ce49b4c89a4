/** Times and words in every width, font and font size: none breaks inside, and nothing is wider than the screen. */
import { expect, test } from "bun:test"
import { testBrowser } from "../support/browser.ts"
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
    for (const language of ["de", "en-US", "ar"])
      for (const width of [320, 390, 1440]) {
        await page.setViewportSize({ width, height: 844 })
        await page.goto(`${address}?lang=${language}`)
        for (const family of ["Roboto", "Noto Sans", "monospace"])
          for (const size of [16, 20, 24]) {
            const found = await page.evaluate(
              ([name, pixels]) => {
                document.documentElement.style.setProperty("--font", String(name))
                document.documentElement.style.fontSize = `${pixels}px`
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
                  broken: broken.map((time) => time.textContent),
                  over: over.map((element) => element.textContent),
                  wide: document.documentElement.scrollWidth > innerWidth
                }
              },
              [family, size] as const
            )
            expect([language, width, family, size, found]).toEqual([
              language,
              width,
              family,
              size,
              { broken: [], over: [], wide: false }
            ])
          }
      }
  }
)

const TEXTS = {
  description:
    "Für neue Beschwerden, Fragen zu Befunden und zur laufenden Behandlung. Bitte bringen Sie Ihre Unterlagen und die Liste Ihrer Medikamente mit.",
  price: "Gesetzlich Versicherte: kostenlos",
  cancellation_rule: "bis 24 Stunden vorher kostenlos"
}

test.each([
  ["no texts", {}],
  ["a short text", { description: "Für alle Fragen zu Ihrer Behandlung." }],
  ["every text", TEXTS],
  ["a group", { ...TEXTS, seats: 12 }],
  ["a waiting list", { ...TEXTS, waitlist: true }]
])("on a phone of 390 × 844 px the first time of the list is in view, with %s", async (_, type) => {
  const world = await makeWorld(server.current, { doctors: 3, type })
  const code = await world.session("p", { from: inDays(1), to: inDays(20) })
  const { page } = await browser.open(`${server.current.url}/meet/booking/${code}`, {
    viewport: { width: 390, height: 844 },
    timezoneId: "UTC"
  })
  const box = await page.locator(".times .time").first().boundingBox()
  expect((box?.y ?? Number.NaN) + (box?.height ?? 0)).toBeLessThanOrEqual(844)
})
