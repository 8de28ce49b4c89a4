/** The practice's name and the appointment type are shown on every step, in the widget, on notices and in print. Rules 12.1.19, 11.8.2. */
import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { makeShop } from "../checkout/support/shop.ts"
import { accessibilityFaults, testBrowser } from "../support/browser.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld } from "../support/world.ts"

const server = testServer()
const browser = testBrowser()

const PARTNER = "https://partner.example"

const branded = () =>
  makeWorld(server.current, {
    type: {
      description: "Für alle, die zum ersten Mal kommen",
      preparation: "Befunde bereithalten",
      cancellation_rule: "Bis zum Vortag",
      price: "Zahlt die Kasse"
    },
    organisation: {
      name: "Praxis am Markt",
      embed_origins: [PARTNER],
      branding: { phone: "+49 30 123", address: "Markt 1, Berlin", privacy_url: "https://praxis.example/datenschutz" }
    }
  })

const says = async (page: Page, ...texts: ReadonlyArray<string>) => {
  for (const text of texts) await page.getByText(text).first().waitFor()
}

test("every step names the practice, the appointment type, its price and its preparation", async () => {
  const world = await branded()
  const code = await world.session("p", { from: inDays(1), to: inDays(3) })
  const { page } = await browser.open(`${server.current.url}/meet/booking/${code}`)
  const practice = ["Praxis am Markt", "Markt 1, Berlin", "+49 30 123"]
  await says(page, "Für alle, die zum ersten Mal kommen", "Zahlt die Kasse", "Bis zum Vortag", ...practice)
  await page.getByRole("button", { name: "Diesen Termin wählen" }).click()
  await page.getByRole("heading", { name: "Noch ein Schritt" }).waitFor()
  await says(page, "Zahlt die Kasse", "Bis zum Vortag", ...practice)
  await page.getByRole("button", { name: "Termin verbindlich buchen" }).click()
  await page.getByRole("heading", { name: "Ihr Termin steht" }).waitFor()
  await says(page, "Befunde bereithalten", "Bis zum Vortag", ...practice)
  // printed: the appointment and the practice, without controls
  await page.emulateMedia({ media: "print" })
  await says(page, "Befunde bereithalten", ...practice)
  expect(await page.locator("button:visible").count()).toBe(0)
})

test("the widget's frame shows the same, and opens the practice outside of the frame", async () => {
  const world = await branded()
  const code = await world.session("p", { from: inDays(1), to: inDays(3) })
  const address = `${server.current.url}/meet/booking/${code}?parent=${encodeURIComponent(PARTNER)}`
  const { page } = await browser.open(address)
  await page.locator("html.embedded").waitFor()
  await says(page, "Praxis am Markt", "Markt 1, Berlin")
  expect(await page.getByRole("link", { name: "Datenschutz" }).getAttribute("target")).toBe("_blank")
})

test("the checkout names the product, the amount and what it costs, before and after paying", async () => {
  const shop = await makeShop(server.current)
  const made = await shop.prescribe()
  const { page, complaints } = await browser.open(made.body.checkout_url)
  await page.getByRole("cell", { name: "Remedy Drops" }).waitFor()
  await page.getByRole("row", { name: /^Remedy Drops 2 39,80/ }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole("button", { name: "Zahlungspflichtig bestellen" }).click()
  await page.getByText("Bezahlt. Ihre Bestellnummer").waitFor()
  await page.getByRole("link", { name: "Zur Startseite" }).waitFor()
  await page.getByRole("cell", { name: "Remedy Drops" }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  expect(complaints).toEqual([])
})
