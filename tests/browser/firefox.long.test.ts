import { afterAll, beforeAll, expect, test } from "bun:test"
import { type Browser, launch, type Page } from "puppeteer-core"
import { pageLink } from "../support/codes.ts"
import { doctorsMeeting, openAppointment } from "../support/meetings.ts"
import { stored } from "../support/records.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld } from "../support/world.ts"

// The main paths in Firefox, over WebDriver BiDi, which Debian's Firefox supports.
// Puppeteer, because Playwright's BiDi uses commands that this Firefox does not have yet (emulation.setMediaFeaturesOverride),
// while Puppeteer lacks contexts with a time zone and a language, which the tests in Chromium need.

const server = testServer()

/** Only a guard against hanging; no test depends on speed. */
const PATIENCE_MS = 120_000

let firefox: Browser | undefined
beforeAll(async () => {
  firefox = await launch({
    browser: "firefox",
    executablePath: process.env.TEST_FIREFOX ?? "/usr/bin/firefox-esr",
    timeout: PATIENCE_MS,
    protocolTimeout: PATIENCE_MS,
    extraPrefsFirefox: {
      "intl.accept_languages": "de-DE",
      "media.navigator.streams.fake": true,
      "media.navigator.permission.disabled": true,
      "media.autoplay.default": 0,
      // required for two tabs on one machine without a network to connect
      "media.peerconnection.ice.loopback": true,
      "media.peerconnection.ice.obfuscate_host_addresses": false
    }
  })
})
afterAll(() => firefox?.close())

const complaints: Array<unknown> = []
const open = async (address: string) => {
  if (firefox === undefined) throw new Error("the browser runs only while tests do")
  const page = await firefox.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  page.on("pageerror", (error) => complaints.push(error))
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text())
  })
  await page.goto(address)
  return page
}

/** Of a tab in the background no frames are drawn, for which a click waits. */
const press = async (page: Page, selector: string) => {
  await page.bringToFront()
  await page.locator(selector).click()
}
const titled = (page: Page, title: string) =>
  page.waitForFunction((wanted) => document.title === wanted, { polling: 50 }, title)
/** Waits until the videos of so many others play. */
const sees = (page: Page, others = 1) =>
  page.waitForFunction(
    (count) => {
      const videos = [...document.querySelectorAll<HTMLVideoElement>('[data-call="connected"] > video')]
      return videos.filter((video) => video.videoWidth > 0 && video.currentTime > 0.2).length === count
    },
    { polling: 50 },
    others
  )

test("Firefox books, moves, cancels, and holds a call of two, with a guest and with text", async () => {
  const world = await makeWorld(server.current)
  const code = await world.session("fox", { from: inDays(1), to: inDays(4) })
  const booking = await open(`${server.current.url}/meet/booking/${code}`)
  await titled(booking, "Wann passt es Ihnen? – Termin buchen")
  await press(booking, ".next button")
  await titled(booking, "Noch ein Schritt – Termin buchen")
  await booking.locator("textarea").fill("Husten")
  await press(booking, ".actions .primary")
  await titled(booking, "Ihr Termin steht – Termin buchen")
  const facts = await booking.evaluate(() => JSON.parse(document.body.dataset.facts ?? "{}"))
  expect(await stored(server.current, facts.appointment_uid)).toMatchObject({
    status: "confirmed",
    visit_reason: "Husten"
  })
  await press(booking, "button[value=rebook]")
  await titled(booking, "Termin verschieben – Ihr Termin")
  await press(booking, "button[value=rebook]")
  await titled(booking, "Wann passt es Ihnen stattdessen? – Termin verschieben")
  await press(booking, ".strip li:nth-child(7) a")
  await booking.locator('.strip li:nth-child(7) a[aria-current="date"]').wait()
  await press(booking, ".times button")
  await titled(booking, "Neuen Termin bestätigen – Termin verschieben")
  await press(booking, ".actions .primary")
  await titled(booking, "Ihr Termin ist verschoben – Termin verschieben")
  const moved = await booking.evaluate(() => JSON.parse(document.body.dataset.facts ?? "{}"))
  expect((await stored(server.current, facts.appointment_uid)).status).toBe("cancelled")
  // a page that was opened to move does nothing else
  await booking.goto(await pageLink(server.current, moved.appointment_uid, "cancel"))
  await titled(booking, "Termin absagen – Ihr Termin")
  await press(booking, "button[value=cancel]")
  await titled(booking, "Ihr Termin ist abgesagt")
  expect((await stored(server.current, moved.appointment_uid)).status).toBe("cancelled")

  const uid = await openAppointment(world)
  const patient = await open(await pageLink(server.current, uid, "join"))
  await press(patient, "form .primary")
  await patient.locator("#video").wait()
  await press(patient, ".controls .primary")
  await patient.locator("[data-standing]").wait()
  const doctor = await open(await doctorsMeeting(server.current, world, uid))
  await press(doctor, ".controls .primary")
  await press(doctor, ".queue button")
  await sees(patient)
  await sees(doctor)
  const invited = await world.api("POST", `/v1/management/scheduling/appointments/${uid}/guests`, {
    role: "interpreter",
    name: "Ana"
  })
  const guest = await open(String(invited.body.url))
  await press(guest, "form .primary")
  await guest.locator("#video").wait()
  await press(guest, ".controls .primary")
  // the doctor admits, the patient agrees
  for (const page of [doctor, patient]) await press(page, "[role=status] .notice .primary")
  for (const page of [doctor, patient, guest]) await sees(page, 2)
  await press(guest, "[aria-controls=live-text]")
  await guest.locator("#own-text").fill("Dobar dan")
  for (const page of [doctor, patient])
    await page.waitForFunction(
      () => [...document.querySelectorAll(".lines")].some(({ textContent }) => textContent === "Dobar dan"),
      { polling: 50 }
    )
  await press(doctor, ".controls .leave")
  await titled(guest, "Das Gespräch ist beendet – Videogespräch")
  await titled(patient, "Das Gespräch ist beendet – Videogespräch")
  expect(complaints).toEqual([])
})
