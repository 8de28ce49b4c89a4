import { describe, expect, test } from "bun:test"
import { scripting, testBrowser } from "../support/browser.ts"
import { eventually } from "../support/eventually.ts"
import { chooseLanguage } from "../support/examine.ts"
import { testServer } from "../support/server.ts"
import { DAY, HOUR, inDays, makeWorld, type World } from "../support/world.ts"

const server = testServer()
const browser = testBrowser()

const pageOf = (code: string, query = "") => `${server.current.url}/meet/booking/${code}${query}`
const sessionFrom = (world: World, customer: string, body = {}) =>
  world.session(customer, { from: inDays(1), to: inDays(13), ...body })

/** Moves every session of a practice into the past, as if `seconds` had gone by. */
const age = (world: World, seconds: number) =>
  server.current.sql`UPDATE booking_sessions SET expires_at = expires_at - make_interval(secs => ${seconds})
    WHERE organisation_uid = ${world.organisation_uid}`

describe.each(scripting)("the list of times %s", (_, javaScriptEnabled) => {
  test("stays open after a first choice: pager, doctor, zone, language and reload keep it", async () => {
    const world = await makeWorld(server.current)
    const { page } = await browser.open(pageOf(await sessionFrom(world, "undecided")), { javaScriptEnabled })
    await page.getByRole("button", { name: "Diesen Termin wählen" }).click()
    await page.getByRole("button", { name: "Anderen Termin wählen" }).click()
    const list = page.locator(".day h2")
    await list.first().waitFor()
    expect(page.url()).toContain("step=times")
    const first = await list.allInnerTexts()
    await page.getByRole("link", { name: "Spätere Tage" }).click()
    await page.getByRole("link", { name: "Frühere Tage" }).waitFor()
    expect(await list.allInnerTexts()).not.toEqual(first)
    await page.reload()
    await page.getByRole("link", { name: "Frühere Tage" }).waitFor()
    await page.getByLabel("Ärztin oder Arzt").selectOption({ index: 1 })
    if (!javaScriptEnabled) await page.getByRole("button", { name: "Anzeigen" }).click()
    await page.waitForURL(/doctor=/)
    await list.first().waitFor()
    await chooseLanguage(page, "English")
    await page.getByRole("heading", { name: "When would suit you?" }).waitFor()
    await page.getByRole("link", { name: "Continue with this time" }).click()
    await page.getByRole("heading", { name: "One more step" }).waitFor()
  })
})

describe("the booking page", () => {
  test("shows the list of times after the browser's back button", async () => {
    const world = await makeWorld(server.current)
    const { page } = await browser.open(pageOf(await sessionFrom(world, "back")))
    await page.getByRole("button", { name: "Diesen Termin wählen" }).click()
    await page.getByRole("heading", { name: "Noch ein Schritt" }).waitFor()
    await page.goBack()
    await page.getByRole("heading", { name: "Wann passt es Ihnen?" }).waitFor()
    await page.getByText("Für Sie reserviert").waitFor()
    await page.goForward()
    await page.getByRole("heading", { name: "Noch ein Schritt" }).waitFor()
  })

  test("keeps what was typed across reload, language change, back and another time, and clears it on confirmation", async () => {
    const world = await makeWorld(server.current)
    const { page } = await browser.open(pageOf(await sessionFrom(world, "typist")))
    const take = (name: string) => page.getByRole("button", { name }).click()
    const field = page.locator("textarea")
    await take("Diesen Termin wählen")
    await field.fill("Rückenschmerzen")
    await page.reload()
    expect(await field.inputValue()).toBe("Rückenschmerzen")
    await chooseLanguage(page, "English")
    await page.getByRole("heading", { name: "One more step" }).waitFor()
    expect(await field.inputValue()).toBe("Rückenschmerzen")
    await page.goto(pageOf(new URL(page.url()).pathname.split("/").at(-1) ?? "", "?step=times"))
    await take("Diesen Termin wählen")
    await field.waitFor()
    expect(await field.inputValue()).toBe("Rückenschmerzen")
    expect(await page.evaluate(() => sessionStorage.length)).toBe(1)
    await take("Termin verbindlich buchen")
    await page.getByRole("heading", { name: "Ihr Termin steht" }).waitFor()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  })

  test("shows how many of the 2,000 characters have been typed", async () => {
    const world = await makeWorld(server.current)
    const { page } = await browser.open(pageOf(await sessionFrom(world, "writer")))
    await page.getByRole("button", { name: "Diesen Termin wählen" }).click()
    await page.locator("textarea").fill("a".repeat(1900))
    await page.getByText("Noch 100 Zeichen").waitFor()
  })

  test("shows the confirmed appointment until it ends, with links to move and cancel it", async () => {
    const world = await makeWorld(server.current, { organisation: { messages: ["confirmation"] } })
    const { page } = await browser.open(pageOf(await sessionFrom(world, "keeper")))
    await page.getByRole("button", { name: "Diesen Termin wählen" }).click()
    await page.getByRole("button", { name: "Termin verbindlich buchen" }).click()
    await page.getByRole("heading", { name: "Ihr Termin steht" }).waitFor()
    await page.getByText("k…@example.org").waitFor()
    await age(world, 2 * HOUR)
    await page.reload()
    await page.getByRole("heading", { name: "Ihr Termin steht" }).waitFor()
    const download = page.waitForEvent("download")
    await page.getByRole("link", { name: "Apple und andere (Datei)" }).click()
    const file = (await Bun.file(await (await download).path()).text()).replaceAll("\r\n ", "")
    expect(file).toContain(`URL;VALUE=URI:${page.url()}`)
    expect(file).toContain("DESCRIPTION:")
    await page.getByRole("button", { name: "Termin verschieben" }).click()
    await page.getByRole("heading", { name: "Termin verschieben" }).waitFor()
    await page.goBack()
    await page.getByRole("button", { name: "Termin absagen" }).click()
    await page.getByRole("button", { name: "Termin absagen" }).click()
    await page.getByRole("heading", { name: "Ihr Termin ist abgesagt" }).waitFor()
  })

  test("shows a zone's offset on the displayed day, and its name in the page's language", async () => {
    const world = await makeWorld(server.current, { organisation: { timezone: "Europe/Berlin" } })
    const july = Date.UTC(new Date().getUTCFullYear() + 1, 6, 1) / 1000
    const january = Date.UTC(new Date().getUTCFullYear() + 1, 0, 8) / 1000
    for (const [from, offset] of [
      [july, "GMT+2"],
      [january, "GMT+1"]
    ] as const) {
      const code = await world.session("traveller", { from, to: from + 2 * DAY })
      const { page, close } = await browser.open(pageOf(code))
      const options = await eventually(
        () => page.getByLabel("Zeitzone").locator("option").allTextContents(),
        (all) => all.length > 5
      )
      expect(options).toContain(`Wien (${offset})`)
      expect(options).toContain("Kiew (GMT+" + (offset === "GMT+2" ? "3)" : "2)"))
      await close()
    }
  })

  test("shows every zone's full name on a phone, in every language", async () => {
    const world = await makeWorld(server.current)
    const address = pageOf(await sessionFrom(world, "traveller"))
    const { page } = await browser.open("about:blank", { viewport: { width: 360, height: 740 } })
    for (const lang of ["de", "en", "en-US", "tr", "ar", "uk", "ru"]) {
      await page.goto(`${address}?lang=${lang}`)
      await page.locator(".zone summary").click()
      const cut = await page.locator("#zone").evaluate((select) => {
        if (!(select instanceof HTMLSelectElement)) throw new Error("no list")
        const style = getComputedStyle(select)
        const context2d = document.createElement("canvas").getContext("2d")
        if (context2d === null) throw new Error("no canvas")
        context2d.font = style.font
        const ARROW = 20 // px; browsers draw it at the end
        const room = select.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight)
        return [...select.options]
          .map(({ text }) => text)
          .filter((text) => context2d.measureText(text).width > room - ARROW)
      })
      expect({ lang, cut }).toEqual({ lang, cut: [] })
    }
  })

  test("uses the CLDR name in the page's language for a zone outside of the list", async () => {
    const world = await makeWorld(server.current)
    const code = await sessionFrom(world, "nomad")
    const { page } = await browser.open(`${pageOf(code)}?lang=de&zone=Asia/Kabul`, {
      timezoneId: "Africa/Nairobi"
    })
    expect(await page.locator("#zone option:checked").textContent()).toBe("Afghanistan-Zeit (GMT+4:30)")
    await page.getByRole("link", { name: "Ostafrikanische Zeit" }).click()
    await page.waitForURL(/zone=Africa%2FNairobi/)
    expect(await page.locator("#zone option:checked").textContent()).toBe("Ostafrikanische Zeit (GMT+3)")
  })

  test("distinguishes the two repeated hours when clocks go back", async () => {
    const year = new Date().getUTCFullYear() + 1
    const lastSunday = new Date(Date.UTC(year, 10, 0)) // the last day of October
    lastSunday.setUTCDate(31 - lastSunday.getUTCDay())
    const from = lastSunday.getTime() / 1000
    const world = await makeWorld(server.current, {
      doctors: 1,
      organisation: { timezone: "Europe/Berlin" },
      type: { duration_minutes: 60 }
    })
    const { page } = await browser.open(pageOf(await world.session("owl", { from, to: from + 6 * HOUR })))
    const times = await page.locator(".times button").allInnerTexts()
    expect(new Set(times).size).toBe(times.length)
    expect(times.filter((time) => time.startsWith("02:00"))).toEqual(["02:00\u00a0(GMT+2)", "02:00\u00a0(GMT+1)"])
  })

  test("lists doctors by name, both in the filter and within the days", async () => {
    const world = await makeWorld(server.current, { doctors: 3 })
    const { organisation_uid } = world
    const names = ["Dr. Zink", "Dr. Ünal", "Dr. Adler"]
    await world.provision({
      doctors: world.doctors.map((uid, index) => ({ uid, organisation_uid, display_name: names[index] }))
    })
    const { page } = await browser.open(pageOf(await sessionFrom(world, "orderly")))
    const sorted = ["Dr. Adler", "Dr. Ünal", "Dr. Zink"]
    expect(await page.getByLabel("Ärztin oder Arzt").locator("option").allTextContents()).toEqual(["Alle", ...sorted])
    expect((await page.locator(".doctor-times h3").allInnerTexts()).slice(0, 3)).toEqual(sorted)
  })

  test("fits eight times per doctor into one and a half phone screens, and shows the others on one press", async () => {
    const world = await makeWorld(server.current, { doctors: 3, organisation: { timezone: "Europe/Berlin" } })
    const { page } = await browser.open(pageOf(await sessionFrom(world, "browser")), {
      viewport: { width: 390, height: 844 }
    })
    const inSight = async () => (await page.locator(".times button:visible").count()) / 3
    expect(await inSight()).toBe(8)
    // a long date, such as "Dienstag, 24. November", takes one line more in the offer and in the day's heading
    const most = 1.5 * 844 + 2 * 23
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    expect(height).toBeLessThanOrEqual(most)
    // with all doctors' languages shown, too, all times are visible
    await world.provision({
      doctors: world.doctors.map((uid, index) => ({
        uid,
        organisation_uid: world.organisation_uid,
        display_name: `Dr. med. Demo Abend-${index}`,
        specialty: "Allgemeinmedizin",
        languages: ["de", "ar"]
      }))
    })
    await page.reload()
    await page.getByText("spricht Deutsch, Arabisch").first().waitFor()
    const end = await page.locator(".doctor-times").last().boundingBox()
    expect((end?.y ?? 0) + (end?.height ?? Number.NaN)).toBeLessThanOrEqual(most)
    await page.locator(".more summary").first().click()
    await page.getByRole("button", { name: "23:40" }).first().waitFor()
  })

  test("applies a filter at once when it is chosen with the mouse, and keeps it on other days", async () => {
    const world = await makeWorld(server.current)
    const { page } = await browser.open(pageOf(await sessionFrom(world, "evening")))
    await page.getByLabel("Tageszeit").dispatchEvent("pointerdown")
    await page.getByLabel("Tageszeit").selectOption("evening")
    await page.waitForURL(/part=evening/)
    expect(await page.locator(".times button").first().textContent()).toBe("17:00")
    await page.locator(".strip li a").nth(2).click()
    await page.locator('.strip li:nth-child(3) a[aria-current="date"]').waitFor()
    expect(await page.locator(".times button").first().textContent()).toBe("17:00")
    await page.locator(".times button").first().click()
    await page.getByRole("heading", { name: "Noch ein Schritt" }).waitFor()
    await page.getByText("17:00").first().waitFor()
  })

  test("waits for the button when a filter is chosen with the keyboard", async () => {
    const world = await makeWorld(server.current)
    const { page } = await browser.open(pageOf(await sessionFrom(world, "keys")))
    await page.getByLabel("Tageszeit").focus()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowDown")
    expect(page.url()).not.toContain("part=")
    await page.getByRole("button", { name: "Anzeigen" }).press("Enter")
    await page.waitForURL(/part=afternoon/)
  })
})
