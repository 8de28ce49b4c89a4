/** The calendar of a practice at the console, in the browser, with the presses of its acts counted. */
import { afterAll, expect, test } from "bun:test"
import { testBrowser } from "../../../support/browser.ts"
import { eventually } from "../../../support/eventually.ts"
import { openAppointment } from "../../../support/meetings.ts"
import { testServer } from "../../../support/server.ts"
import { dayOf, inDays, makeWorld, type World } from "../../../support/world.ts"
import { atConsole, desk } from "../support/consoleDesk.ts"

const server = testServer()
const browser = testBrowser()
const base = "/v1/management/scheduling"
const enter = async (role: "admin" | "doctor", world: World) => {
  const { page, complaints } = await atConsole({ browser, at: server.current, world }, role)
  return { page, complaints, ...desk(page, server.current.url) }
}

test("a doctor sets a recall by two presses at the end of a visit, and the practice sees it; Rule 17.6.13", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  await openAppointment(world)
  const { page, press, link, send, action } = await enter("doctor", world)
  await action("Set a recall at the end of a visit", async () => {
    await press(link("Testa Patient"))
    await page.getByRole("heading", { name: "Testa Patient" }).waitFor()
    await send("Wiedervorstellung in 6 Monaten")
  })
  const { body } = await world.api("GET", `${base}/recalls`)
  expect(body.data).toMatchObject([
    { status: "waiting", doctor_uid: world.doctor, appointment_type_uid: world.type_uid }
  ])
  const [{ due_date, patient_uid }] = body.data
  expect(Math.abs((Date.parse(due_date) - Date.now()) / 86_400_000 - 182)).toBeLessThan(4)

  const practice = await enter("admin", world)
  await practice.at("practice/recalls")
  await practice.link("Testa Patient").click()
  await practice.page.waitForURL(new RegExp(patient_uid))
  expect(practice.complaints).toEqual([])
})

/** A calendar kept elsewhere, with one event in two days. */
const elsewhere = Bun.serve({
  port: 0,
  fetch: ({ url }) => {
    if (url.endsWith("/page")) return new Response("<html>Sign in</html>")
    const day = dayOf(inDays(2)).replaceAll("-", "")
    const lines = ["BEGIN:VEVENT", "UID:1", `DTSTART:${day}T090000Z`, "DURATION:PT1H", "END:VEVENT"]
    if (url.endsWith("/odd.ics"))
      lines.push("BEGIN:VEVENT", "UID:2", `DTSTART:${day}T120000Z`, "DURATION:P", "END:VEVENT")
    return new Response(["BEGIN:VCALENDAR", "VERSION:2.0", ...lines, "END:VCALENDAR"].join("\r\n"))
  }
})
afterAll(() => elsewhere.stop(true))

test("a practice books a series, reads a calendar kept elsewhere and has holidays, with the presses counted", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const patient = await world.patient()
  const { page, complaints, press, link, button, send, action, at } = await enter("admin", world)
  await at(`practice/patients/${patient}`)
  await action("Plan and book a series", async () => {
    await press(link("Serie planen"))
    await page.locator("[name=day]").fill(dayOf(inDays(3)))
    await page.locator("[name=count]").fill("3")
    await press(button("Termine prüfen"))
    await page.locator("#plan").waitFor()
    await send("3 Termine buchen")
  })
  const { body: booked } = await world.api("GET", `${base}/appointments?patient_uid=${patient}`)
  expect(new Set(booked.data.map(({ series_uid }: { series_uid: string }) => series_uid)).size).toBe(1)
  expect(booked.data).toHaveLength(3)

  await at(`practice/calendars?doctor=${world.doctor}`)
  await action("Add a calendar kept elsewhere and test it", async () => {
    await page.locator("[name=name]").fill("Dienstplan")
    await page.locator("[name=url]").fill(`http://127.0.0.1:${elsewhere.port}/rota.ics`)
    await send("Hinzufügen und lesen")
    await send("Jetzt lesen: Dienstplan")
  })
  await eventually(
    async () => {
      await page.reload()
      return page.locator("[aria-labelledby=busy]").textContent()
    },
    (text) => text?.includes("1 Eintrag in den folgenden vier Wochen, davon 0 ganztägig") === true
  )

  await at("practice/holidays")
  await action("Switch on holidays", async () => {
    await page.locator("[name=region]").selectOption("DE-BE")
    await press(button("Betroffene Termine anzeigen"))
    await page.locator("#effects").waitFor()
    await send("Feiertage übernehmen")
  })
  await page.getByText("Internationaler Frauentag").waitFor()
  expect(complaints).toEqual([])
})

test("what came of a new calendar stands on the page without a further press; Rule 17.6.24", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const { page, complaints, send, at } = await enter("admin", world)
  const add = async (name: string, path: string) => {
    await at(`practice/calendars?doctor=${world.doctor}`)
    const form = page.locator("details:has([name=kind])")
    if ((await form.getAttribute("open")) === null) await form.locator("summary").click()
    await form.locator("[name=name]").fill(name)
    await form.locator("[name=url]").fill(`http://127.0.0.1:${elsewhere.port}${path}`)
    await send("Hinzufügen und lesen")
  }
  await add("Klinik", "/page")
  await page.getByText("Die Adresse führt zu einer Webseite").waitFor()
  await add("Dienst", "/odd.ics")
  const day = dayOf(inDays(2)).replaceAll("-", "")
  await page.getByText(`1 Eintrag war nicht lesbar`).waitFor()
  await page.getByText(`DURATION, ${day}T120000`).waitFor()
  await page.getByText("1 Eintrag in den folgenden vier Wochen").waitFor()
  expect(complaints).toEqual([])
})
