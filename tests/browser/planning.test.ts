/** The calendar of a practice at the console, in the browser: its acts with their presses counted, and its pages checked with axe. */
import { afterAll, expect, test } from "bun:test"
import { accessibilityFaults, testBrowser } from "../support/browser.ts"
import { atConsole, desk, picture } from "../support/consoleDesk.ts"
import { eventually } from "../support/eventually.ts"
import { openAppointment } from "../support/meetings.ts"
import { someOf } from "../support/scale.ts"
import { testServer } from "../support/server.ts"
import { dayOf, inDays, makeWorld, type World } from "../support/world.ts"

const server = testServer()
const browser = testBrowser()
const base = "/v1/management/scheduling"
const languages = ["de", "en"] as const

const enter = async (role: "admin" | "doctor", world: World, language: (typeof languages)[number] = "de") => {
  const { page, complaints } = await atConsole({ browser, at: server.current, world }, role, { locale: language })
  const workspace = new URL(page.url()).pathname
  const faults: Array<string> = []
  /** Opens a page with all that it folds, and checks it, then the colours of the dark one. */
  const look = async (path: string) => {
    await page.goto(`${server.current.url}${workspace}${path}`)
    await page.evaluate(() => {
      for (const folded of document.querySelectorAll("main details")) folded.setAttribute("open", "")
      // a page with unsaved input is not refreshed
      document.querySelector("main > *")?.setAttribute("data-changed", "")
    })
    for (const [colorScheme, rules] of [
      ["light", undefined],
      ["dark", ["color-contrast"]]
    ] as const) {
      await page.emulateMedia({ colorScheme })
      for (const fault of await accessibilityFaults(page, rules))
        faults.push(`${path}, ${language}, ${colorScheme}: ${fault}`)
    }
    await picture(page, `planning ${path.split("?")[0]} ${language}`)
    await page.evaluate(() => document.querySelector("main > *")?.removeAttribute("data-changed"))
  }
  return { page, look, faults, complaints, ...desk(page, server.current.url) }
}

test("a doctor sets a recall by two presses at the end of a visit, and the practice sees it; Rule 17.6.13", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  await openAppointment(world)
  const { page, press, link, button, done, action, expectCounts } = await enter("doctor", world)
  await action("Set a recall at the end of a visit", async () => {
    await press(link("Testa Patient"))
    await page.getByRole("heading", { name: "Testa Patient" }).waitFor()
    await press(button("Wiedervorstellung in 6 Monaten"))
    await done()
  })
  expectCounts(["Set a recall at the end of a visit"])
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
  fetch: () => {
    const day = dayOf(inDays(2)).replaceAll("-", "")
    const lines = ["BEGIN:VEVENT", "UID:1", `DTSTART:${day}T090000Z`, "DURATION:PT1H", "END:VEVENT"]
    return new Response(["BEGIN:VCALENDAR", "VERSION:2.0", ...lines, "END:VCALENDAR"].join("\r\n"))
  }
})
afterAll(() => elsewhere.stop(true))

const patientOf = (world: World) => world.patient({ first_name: "Kim", last_name: "Wartend", email: "kim@example.org" })

test("a practice books a series, reads a calendar kept elsewhere and has holidays, with the presses counted", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const patient = await patientOf(world)
  const room = await enter("admin", world)
  const { page, press, link, button, send, action, at } = room
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
  room.expectCounts(["Plan and book a series", "Add a calendar kept elsewhere and test it", "Switch on holidays"])
  expect(room.complaints).toEqual([])
})

test.each(someOf(languages, languages.length))(
  "the pages of series, holidays, other calendars, recalls and the waiting list have no faults: %s",
  async (language) => {
    const world = await makeWorld(server.current, { doctors: 2 })
    const create = async (path: string, body: object) => {
      const made = await world.api("POST", `${base}${path}`, body)
      if (made.status >= 300) throw new Error(`${path}: ${JSON.stringify(made.body)}`)
      return made.body
    }
    const patient_uid = await patientOf(world)
    const first = inDays(3, 9)
    const of = { patient_uid, appointment_type_uid: world.type_uid }
    const booking = { ...of, shop_uid: world.shop_uid, doctor_uid: world.doctor, start_date: first }
    const { series_uid } = await create("/appointment-series", { ...booking, count: 3, interval_weeks: 1 })
    const waits = await create("/waitlist-entries", { ...of, need: "soon", need_reason: "Schmerzen" })
    await create("/recalls", { ...of, due_date: dayOf(inDays(90)), message_text: "Bitte nüchtern kommen." })
    const source = { kind: "ics", name: "Dienstplan", url: "http://127.0.0.1:9/rota.ics" }
    await create(`/doctors/${world.doctor}/busy-sources`, source)

    const planned = new URLSearchParams({
      patient: patient_uid,
      plan: "1",
      type: world.type_uid,
      doctor: world.doctor,
      day: dayOf(first),
      time: "09:00",
      count: "4",
      weeks: "1"
    })
    const practice = await enter("admin", world, language)
    const pages = [
      `/series?${planned}`,
      `/series?series=${series_uid}&patient=${patient_uid}`,
      `/holidays?region=DE-BE&date=${dayOf(first)}&name=Betriebsausflug`,
      `/calendars?doctor=${world.doctor}`,
      "/recalls",
      "/waitlist",
      `/waitlist/${waits.uid}`
    ]
    for (const path of someOf(pages, 2)) await practice.look(path)
    const doctor = await enter("doctor", world, language)
    await doctor.look("/calendars")
    expect([...practice.faults, ...practice.complaints, ...doctor.faults, ...doctor.complaints]).toEqual([])
  }
)
