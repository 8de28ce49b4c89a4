/** The calendar of a practice at the console, in the browser: a recall with its presses counted, and its pages checked with axe. */
import { expect, test } from "bun:test"
import { consoleTexts } from "../../src/texts/console/catalogue.ts"
import { accessibilityFaults, testBrowser } from "../support/browser.ts"
import { desk, picture } from "../support/consoleDesk.ts"
import { openAppointment } from "../support/meetings.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld, type World } from "../support/world.ts"

const server = testServer()
const browser = testBrowser()
const base = "/v1/management/scheduling"
const { frame, workspaces } = consoleTexts("de")
const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10)

const enter = async (role: "admin" | "doctor", world: World) => {
  const { page, complaints } = await browser.open(`${server.current.url}/console`, { locale: "de-DE" })
  await page.goto(`${page.url()}&only=${world.organisation_uid}`)
  await page
    .getByRole("button", { name: new RegExp(`^${workspaces[role]}`) })
    .first()
    .click()
  await page.getByRole("button", { name: frame.signOut }).waitFor()
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
      for (const fault of await accessibilityFaults(page, rules)) faults.push(`${path}, ${colorScheme}: ${fault}`)
    }
    await picture(page, `planning ${path.split("?")[0]}`)
    await page.evaluate(() => document.querySelector("main > *")?.removeAttribute("data-changed"))
  }
  return { page, look, faults, complaints, ...desk(page, server.current.url) }
}

test("a doctor sets a recall by two presses at the end of a visit, and the practice sees it; Rule 17.6.13", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  await openAppointment(world)
  const { page, press, link, button, done } = await enter("doctor", world)
  let presses = 0
  const counted = async (pressed: Promise<void>) => {
    presses += 1
    await pressed
  }
  await counted(press(link("Testa Patient")))
  await page.getByRole("heading", { name: "Testa Patient" }).waitFor()
  await counted(press(button("Wiederkommen in 6 Monaten")))
  await done()
  expect(presses).toBe(2)
  const { body } = await world.api("GET", `${base}/recalls`)
  expect(body.data).toMatchObject([
    { status: "waiting", doctor_uid: world.doctor, appointment_type_uid: world.type_uid }
  ])
  const [{ due_date, patient_uid }] = body.data
  expect(Math.abs((Date.parse(due_date) - Date.now()) / 86_400_000 - 182)).toBeLessThan(4)

  const practice = await enter("admin", world)
  await practice.look("/recalls")
  await practice.link("Testa Patient").click()
  await practice.page.waitForURL(new RegExp(patient_uid))
  expect([...practice.faults, ...practice.complaints]).toEqual([])
})

test("the pages of series, holidays, other calendars and the waiting list have no faults", async () => {
  const world = await makeWorld(server.current, { doctors: 2 })
  const create = async (path: string, body: object) => {
    const made = await world.api("POST", `${base}${path}`, body)
    if (made.status >= 300) throw new Error(`${path}: ${JSON.stringify(made.body)}`)
    return made.body
  }
  const profile = { first_name: "Kim", last_name: "Wartend", email: "kim@example.org" }
  const { body } = await world.api("POST", "/v1/management/patients", { shop_uid: world.shop_uid, profile })
  const first = inDays(3, 9)
  const of = { patient_uid: body.uid, appointment_type_uid: world.type_uid }
  const booking = { ...of, shop_uid: world.shop_uid, doctor_uid: world.doctor, start_date: first }
  const { series_uid } = await create("/appointment-series", { ...booking, count: 3, interval_weeks: 1 })
  const waits = await create("/waitlist-entries", { ...of, need: "soon", need_reason: "Schmerzen" })
  const source = { kind: "ics", name: "Dienstplan", url: "http://127.0.0.1:9/rota.ics" }
  await create(`/doctors/${world.doctor}/busy-sources`, source)

  const planned = new URLSearchParams({
    patient: body.uid,
    plan: "1",
    type: world.type_uid,
    doctor: world.doctor,
    day: dayOf(first),
    time: "09:00",
    count: "4",
    weeks: "1"
  })
  const practice = await enter("admin", world)
  for (const path of [
    `/series?${planned}`,
    `/series?series=${series_uid}&patient=${body.uid}`,
    `/holidays?region=DE-BE&date=${dayOf(first)}&name=Betriebsausflug`,
    `/calendars?doctor=${world.doctor}`,
    "/recalls",
    "/waitlist",
    `/waitlist/${waits.uid}`
  ])
    await practice.look(path)
  const doctor = await enter("doctor", world)
  await doctor.look("/calendars")
  expect([...practice.faults, ...practice.complaints, ...doctor.faults, ...doctor.complaints]).toEqual([])
})
