import { describe, expect, test } from "bun:test"
import { accessibilityFaults, scripting, testBrowser } from "../support/browser.ts"
import { pageLink } from "../support/codes.ts"
import { openAppointment } from "../support/meetings.ts"
import { stored } from "../support/records.ts"
import { isLong } from "../support/scale.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld } from "../support/world.ts"

const server = testServer()
const browser = testBrowser()

const inSeconds = (seconds: number) => {
  const start_date = Math.floor(Date.now() / 1000) + seconds
  return { start_date, end_date: start_date + 1200 }
}

describe.each(scripting)("an appointment's page %s", (_, javaScriptEnabled) => {
  test("cancels on a button press, never on a GET, and then shows the cancellation", async () => {
    const world = await makeWorld(server.current)
    const uid = await world.booked(inDays(2, 10))
    const link = await pageLink(server.current, uid, "cancel")
    const { page, complaints } = await browser.open(link, { javaScriptEnabled })
    expect(await page.title()).toBe("Termin absagen – Ihr Termin")
    expect((await stored(server.current, uid)).status).toBe("confirmed")
    await page.getByLabel("Grund").fill("Es geht mir besser")
    await page.getByRole("button", { name: "Termin absagen" }).click()
    await page.getByRole("heading", { name: "Ihr Termin ist abgesagt" }).waitFor()
    expect(await stored(server.current, uid)).toMatchObject({
      status: "cancelled",
      cancellation_reason: "Es geht mir besser"
    })
    await page.reload()
    await page.getByRole("heading", { name: "Ihr Termin ist abgesagt" }).waitFor()
    const struck = page
      .locator(".moment-day, .moment-time")
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).textDecorationLine))
    expect(await struck).toEqual(["line-through", "line-through"])
    expect(complaints).toEqual([])
  })

  test("shows when the waiting room opens, and admits nobody before", async () => {
    const world = await makeWorld(server.current)
    const uid = await openAppointment(world, "Früh", inSeconds(1200))
    const { page } = await browser.open(await pageLink(server.current, uid, "join"), {
      javaScriptEnabled
    })
    await page.getByText("Das Wartezimmer öffnet 10 Minuten vor Beginn.").waitFor()
    expect(await page.getByRole("button", { name: "Wartezimmer betreten" }).count()).toBe(0)
    await page.getByRole("heading", { name: "Das Wartezimmer ist noch nicht offen" }).waitFor()
    expect(await page.getByRole("timer").textContent()).toMatch(/^\d{1,2}:\d{2}$/)
    if (javaScriptEnabled) expect(await accessibilityFaults(page)).toEqual([])
  })
})

describe("an appointment's page", () => {
  test("opens the waiting room automatically at its time", async () => {
    const world = await makeWorld(server.current)
    const uid = await openAppointment(world, "Gleich", inSeconds(603))
    const { page } = await browser.open(await pageLink(server.current, uid, "join"))
    await page.getByRole("button", { name: "Wartezimmer betreten" }).waitFor()
  })

  if (isLong)
    test("on a phone that slept past that time, waits for the network and then opens the waiting room at once", async () => {
      const world = await makeWorld(server.current)
      const uid = await openAppointment(world, "Schlaf", inSeconds(1200))
      const { page } = await browser.open(await pageLink(server.current, uid, "join"))
      await page.getByRole("timer").waitFor()
      await page.context().setOffline(true)
      // like a sleeping phone: the wall clock advances, the monotonic one does not
      await page.evaluate(() => {
        const real = Date.now
        Date.now = () => real() + 3_600_000
      })
      await page.getByText("in 0:00 Minuten").waitFor()
      await server.current.sql`UPDATE appointments SET start_date = start_date - interval '20 minutes',
        end_date = end_date - interval '20 minutes' WHERE uid = ${uid}`
      await page.context().setOffline(false)
      await page.getByRole("button", { name: "Wartezimmer betreten" }).waitFor()
    })

  test("says when it is too late to cancel, and shows the current state", async () => {
    const world = await makeWorld(server.current)
    const uid = await world.booked(inDays(2, 10))
    const { page } = await browser.open(await pageLink(server.current, uid, "cancel"))
    await world.run(world.practice.cancel(uid))
    await page.getByRole("button", { name: "Termin absagen" }).click()
    await page.locator("[role=alert]:focus").getByText("Das ist leider nicht mehr möglich.").waitFor()
    expect(await page.title()).toBe("Achtung: Ihr Termin ist abgesagt")
    await page.getByRole("heading", { name: "Ihr Termin ist abgesagt" }).waitFor()
  })

  test("on a page loaded before the practice moved the appointment does not cancel the new one, and shows it; Rule 5.5.12", async () => {
    const world = await makeWorld(server.current)
    const uid = await world.booked(inDays(2, 10), "p")
    const { page, complaints } = await browser.open(await pageLink(server.current, uid, "cancel"))
    const { practice, doctor } = world
    const moved = await world.run(practice.rebook(uid, { new_start_date: inDays(4, 10), new_doctor_uid: doctor }))
    await page.getByRole("button", { name: "Termin absagen" }).click()
    await page.locator("[role=alert]:focus").getByText("Ihr Termin wurde inzwischen geändert.").waitFor()
    expect((await stored(server.current, moved.appointment_uid)).status).toBe("confirmed")
    const newTime = new Date(inDays(4, 10) * 1000).toISOString()
    expect(await page.locator("time").first().getAttribute("datetime")).toBe(newTime)
    expect(page.url()).not.toContain("notice")
    await page.reload()
    expect(await page.getByRole("alert").count()).toBe(0)
    await page.getByRole("button", { name: "Termin absagen" }).click()
    await page.getByRole("heading", { name: "Ihr Termin ist abgesagt" }).waitFor()
    expect(complaints).toEqual([])
  })

  test("does nothing for a mail scanner that follows every link", async () => {
    const world = await makeWorld(server.current)
    const uid = await world.booked(inDays(3, 10))
    for (const action of ["join", "cancel", "rebook"] as const) {
      const link = await pageLink(server.current, uid, action)
      expect((await fetch(link)).status).toBe(200)
      expect((await fetch(link, { method: "HEAD" })).ok).toBe(true)
    }
    expect(await stored(server.current, uid)).toMatchObject({ status: "confirmed", patient_joined_at: null })
  })
})
