import { describe, expect, test } from "bun:test"
import { testBrowser } from "../support/browser.ts"
import { eventually } from "../support/eventually.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld, type World } from "../support/world.ts"

const server = testServer()
const browser = testBrowser()

const pageOf = (code: string) => `${server.current.url}/meet/booking/${code}`
const sessionFrom = (world: World, customer: string) => world.session(customer, { from: inDays(1), to: inDays(8) })

describe("the booking page", () => {
  test("loses nothing when the network fails: the press is undone with a message, and works the second time", async () => {
    const world = await makeWorld(server.current)
    const { page } = await browser.open(pageOf(await sessionFrom(world, "tunnel")))
    await page.getByRole("button", { name: "Diesen Termin wählen" }).click()
    await page.getByLabel("Worum geht es?").fill("Mein Rücken")
    await page.context().setOffline(true)
    const press = page.getByRole("button", { name: "Termin verbindlich buchen" })
    await press.click()
    await page.locator("[data-unreachable]:focus").getByText("Keine Verbindung").waitFor()
    expect(await page.getByLabel("Worum geht es?").inputValue()).toBe("Mein Rücken")
    await page.context().setOffline(false)
    await press.click()
    await page.getByRole("heading", { name: "Ihr Termin steht" }).waitFor()
  })

  test("books once however often its button is pressed, and shows the same state in a second tab", async () => {
    const world = await makeWorld(server.current)
    const address = pageOf(await sessionFrom(world, "twice"))
    const { page } = await browser.open(address)
    const posts: Array<string> = []
    page.on("request", (request) => {
      if (request.method() === "POST") posts.push(request.url())
    })
    await page.getByRole("button", { name: "Diesen Termin wählen" }).dblclick()
    await page.getByRole("heading", { name: "Noch ein Schritt" }).waitFor()
    const second = await page.context().newPage()
    await second.goto(address)
    await second.getByRole("button", { name: "Anderen Termin wählen" }).click()
    await second.locator(".times button:visible").last().click()
    await second.getByRole("heading", { name: "Noch ein Schritt" }).waitFor()
    await page.getByRole("button", { name: "Termin verbindlich buchen" }).dblclick()
    await page.locator("[role=alert]:focus").getByText("Diese Reservierung gilt nicht mehr").waitFor()
    await page.goto(address)
    await page.getByRole("button", { name: "Termin verbindlich buchen" }).dblclick()
    await page.getByRole("heading", { name: "Ihr Termin steht" }).waitFor()
    expect(posts).toHaveLength(3)
    await page.goBack()
    await page.getByRole("heading", { name: "Ihr Termin steht" }).waitFor()
    await second.reload()
    await second.getByRole("heading", { name: "Ihr Termin steht" }).waitFor()
  })

  test("announces an expiring hold once, not every second", async () => {
    const world = await makeWorld(server.current, { type: { hold_ttl_seconds: 62 } })
    const { page } = await browser.open(pageOf(await sessionFrom(world, "slow")))
    await page.getByRole("button", { name: "Diesen Termin wählen" }).click()
    const shown = page.getByRole("timer")
    await shown.waitFor()
    await page.evaluate(() => {
      const said: Array<string | null> = []
      Object.assign(window, { said })
      for (const region of document.querySelectorAll("[role=status], [role=alert], [aria-live]"))
        new MutationObserver(() => said.push(region.textContent)).observe(region, {
          subtree: true,
          childList: true,
          characterData: true
        })
    })
    const first = await shown.textContent()
    const seen = new Set([first])
    await eventually(
      async () => seen.add(await shown.textContent()),
      (all) => all.size > 6
    )
    const said = await page.evaluate(() => Reflect.get(window, "said"))
    expect(said).toEqual(["Ihre Reservierung läuft in weniger als einer Minute ab."])
  })
})
