import { describe, expect, test } from "bun:test"
import { scripting, testBrowser } from "../support/browser.ts"
import { eventually } from "../support/eventually.ts"
import { tabTo } from "../support/examine.ts"
import { stored } from "../support/records.ts"
import { isLong } from "../support/scale.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld, type World } from "../support/world.ts"

const server = testServer()
const browser = testBrowser()

const pageOf = (code: string, query = "") => `${server.current.url}/meet/booking/${code}${query}`

const freeTomorrow = async (world: World): Promise<number> => (await world.search()).body.slots.length

/** A world whose first free times are tomorrow. */
const sessionFrom = (world: World, customer: string, body = {}) =>
  world.session(customer, { from: inDays(1), to: inDays(8), ...body })

describe.each(scripting)("a booking %s", (_, javaScriptEnabled) => {
  test("takes two clicks from the link to the confirmed appointment, and leads back to the partner", async () => {
    const world = await makeWorld(server.current)
    const code = await sessionFrom(world, "p", { return_url: "https://shop.example/thanks?order=1" })
    const before = await freeTomorrow(world)
    const { page, complaints, requests } = await browser.open(pageOf(code), { javaScriptEnabled })
    expect(await page.title()).toBe("Wann passt es Ihnen? – Termin buchen")
    await page.getByRole("button", { name: "Diesen Termin wählen" }).click()
    await page.getByRole("heading", { name: "Noch ein Schritt" }).waitFor()
    await page.getByLabel("Worum geht es?").fill("Kopfschmerzen\nseit gestern")
    await page.getByRole("button", { name: "Termin verbindlich buchen" }).click()
    await page.getByRole("heading", { name: "Ihr Termin steht" }).waitFor()
    const back = page.getByRole("link", { name: "Weiter zu shop.example" })
    expect(await back.getAttribute("href")).toBe("https://shop.example/thanks?order=1")
    expect(await freeTomorrow(world)).toBe(before - 1)
    expect(page.url()).toBe(pageOf(code))
    await page.getByRole("heading", { name: "So geht es weiter" }).waitFor()
    for (const name of ["Google", "Outlook", "Kamera, Mikrofon und Verbindung jetzt testen"])
      expect([name, await page.getByRole("link", { name }).count()]).toEqual([name, 1])
    expect(complaints).toEqual([])
    expect(requests.every((address) => new URL(address).origin === server.current.url)).toBe(true)

    const download = page.waitForEvent("download")
    await page.getByRole("link", { name: "Apple und andere (Datei)" }).click()
    const path = await (await download).path()
    const file = await Bun.file(path).text()
    expect(file).toContain("BEGIN:VEVENT")
    expect(file).not.toContain("Kopfschmerzen")
  })

  test("of a time that was just taken shows fresh times and keeps what was typed", async () => {
    const world = await makeWorld(server.current, { doctors: 1, type: { hold_ttl_seconds: 1 } })
    const code = await sessionFrom(world, "slow")
    const { page } = await browser.open(pageOf(code), { javaScriptEnabled })
    await page.getByRole("button", { name: "Diesen Termin wählen" }).click()
    await page.getByLabel("Worum geht es?").fill("Mein Rücken")
    const otherSession = await world.session("quick")
    const held = await eventually(
      () => world.hold(otherSession, inDays(1)),
      (answer) => answer.status === 200
    )
    expect((await world.confirm(otherSession, held.body.hold_uid)).status).toBe(200)
    await page.getByRole("button", { name: "Termin verbindlich buchen" }).click()
    await page.getByRole("alert").getByText("Dieser Termin wurde gerade vergeben").waitFor()
    expect(await page.title()).toStartWith("Achtung: ")
    expect(await page.getByRole("button", { name: "00:00", exact: true }).count()).toBe(0)
    await page.getByRole("button", { name: "Diesen Termin wählen" }).click()
    expect(await page.getByLabel("Worum geht es?").inputValue()).toBe("Mein Rücken")
  })

  if (javaScriptEnabled || isLong)
    test("that replaces an appointment shows the old time and moves it only on confirmation", async () => {
      const world = await makeWorld(server.current)
      const old = await world.booked(inDays(2, 10), "mover")
      const code = await world.session("mover", { mode: "rebooking", appointment_uid: old })
      const { page } = await browser.open(pageOf(code), { javaScriptEnabled })
      expect(await page.title()).toBe("Wann passt es Ihnen stattdessen? – Termin verschieben")
      await page.getByText("Ihr bisheriger Termin").waitFor()
      await page.getByRole("button", { name: "Diesen Termin wählen" }).click()
      await page.getByText("Ersetzt Ihren Termin am").waitFor()
      expect(await stored(server.current, old)).toMatchObject({ status: "confirmed" })
      await page.getByRole("button", { name: "Termin verschieben" }).click()
      await page.getByRole("heading", { name: "Ihr Termin ist verschoben" }).waitFor()
      expect(await stored(server.current, old)).toMatchObject({ status: "cancelled" })
    })

  if (javaScriptEnabled || isLong)
    test("works with the keyboard alone at 400 % zoom", async () => {
      const world = await makeWorld(server.current)
      const { page } = await browser.open(pageOf(await sessionFrom(world, "keys")), {
        javaScriptEnabled,
        viewport: { width: 320, height: 256 },
        deviceScaleFactor: 4
      })
      await tabTo(page, "Diesen Termin wählen")
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: "Noch ein Schritt" }).waitFor()
      await tabTo(page, "Termin verbindlich buchen")
      await page.keyboard.press("Space")
      await page.getByRole("heading", { name: "Ihr Termin steht" }).waitFor()
    })
})

describe("the booking page", () => {
  test("transfers less than 40 kB in total, 25 of them its font", async () => {
    const world = await makeWorld(server.current, { doctors: 3 })
    const { page } = await browser.open("about:blank")
    const session = await page.context().newCDPSession(page)
    await session.send("Network.enable")
    await session.send("Network.setCacheDisabled", { cacheDisabled: true })
    let bytes = 0
    session.on("Network.loadingFinished", ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    await page.goto(pageOf(await sessionFrom(world, "scales")), { waitUntil: "load" })
    const ready = await page.evaluate(() => performance.getEntriesByType("navigation")[0]?.toJSON().domInteractive)
    console.info(`booking page: ${bytes} bytes over the wire, interactive after ${Math.round(ready)} ms`)
    expect(bytes).toBeGreaterThan(2_000)
    expect(bytes).toBeLessThan(40_000)
  })

  test("shows times in the chosen zone, offers the device's zone, and is available in English", async () => {
    const world = await makeWorld(server.current, { doctors: 1 })
    const { page } = await browser.open(pageOf(await sessionFrom(world, "far"), "?lang=en"), {
      timezoneId: "Asia/Tokyo"
    })
    await page.getByRole("heading", { name: "When would suit you?" }).waitFor()
    await page.getByRole("link", { name: "Tokyo" }).click()
    await page.getByRole("button", { name: "09:00", exact: true }).first().waitFor()
    const first = await page.locator(".times button").first().textContent()
    expect(first).toBe("09:00")
    await page.getByText("Times in Tokyo").click()
    await page.getByLabel("Time zone").selectOption("Europe/Lisbon")
    await page.waitForURL(/zone=Europe%2FLisbon/)
    expect(await page.locator(".times button").first().textContent()).toBe("00:00")
    expect(page.url()).toContain("lang=en")
  })
})
