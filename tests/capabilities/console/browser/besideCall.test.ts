/** The patient beside a running call: whatever is opened or sent there, the call goes on. Rule 17.6.18. */
import { expect, test } from "bun:test"
import type { FrameLocator, Page } from "playwright-core"
import { accessibilityFaults, testBrowser } from "../../../support/browser.ts"
import { callOf, enterWaitingRoom } from "../../../support/callers.ts"
import { pageLink } from "../../../support/codes.ts"
import { eventually } from "../../../support/eventually.ts"
import { callFigures, openAppointment, watchCalls } from "../../../support/meetings.ts"
import { testServer } from "../../../support/server.ts"
import { doctorOf } from "../../../support/staff.ts"
import { inDays, makeWorld, type World } from "../../../support/world.ts"
import { atConsole } from "../support/consoleDesk.ts"

const server = testServer()
const browser = testBrowser()

/** A patient with data, an earlier prescription and an answered questionnaire. */
const known = async (world: World, uid: string) => {
  const { body } = await world.api("GET", `/v1/management/scheduling/appointments/${uid}`)
  const { patient_uid } = body
  const profile = {
    date_of_birth: "1980-11-23",
    phone: "+49301234567",
    street: "Markt 1",
    zip: "10115",
    city: "Berlin",
    insurance_number: "A123456789",
    allergies: ["Penicillin", "Nüsse"]
  }
  expect((await world.api("PATCH", `/v1/management/patients/${patient_uid}`, { profile })).status).toBe(200)
  return patient_uid
}

const doctorsDay = (world: World) =>
  atConsole({ browser, at: server.current, world }, "doctor", { viewport: { width: 1366, height: 768 } }, watchCalls)

const entered = async (uid: string) => {
  const opened = await browser.open(await pageLink(server.current, uid, "join"))
  await enterWaitingRoom(opened.page)
  return opened
}

/** Fails where the call was begun anew: its connection is the page's first one, and frames still arrive. */
const goesOn = async (page: Page) => {
  const room = callOf(page)
  const before = await callFigures(room)
  expect(before.frames).toHaveLength(1)
  await eventually(
    () => callFigures(room),
    ({ frames }) => (frames[0] ?? 0) > (before.frames[0] ?? 0)
  )
}

/** Typed, and saved by itself. */
const noteThere = async (card: FrameLocator, text: string) => {
  await card.getByLabel(/^Notiz zum Termin/).fill(text)
  await card.getByText("Entwurf gespeichert").waitFor()
}

test("beside a running call are the patient's data, history, note and prescriptions, and follow-up and recall by one press each", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const uid = await openAppointment(world)
  const patient_uid = await known(world, uid)
  const doctor = await doctorsDay(world)
  const patient = await entered(uid)
  await doctor.page.getByRole("button", { name: "Gespräch beginnen: Testa Patient" }).first().click()
  const room = doctor.page.frameLocator("iframe.call-room")
  const card = doctor.page.frameLocator("iframe[name=patient]")
  await room.getByRole("button", { name: "Sprechzimmer öffnen" }).click()
  await room.getByRole("button", { name: "Hereinbitten" }).click()
  await room.locator('[data-call="connected"]').waitFor()
  await patient.page.locator('[data-call="connected"]').waitFor()
  await room.getByText(/Uhr, Gespräch seit 0 Min\./).waitFor()

  for (const text of ["23.11.1980", "Markt 1, 10115 Berlin", "A123456789", "Penicillin, Nüsse"])
    await card.getByText(text).first().waitFor()
  await card.getByRole("link", { name: "+49301234567" }).waitFor()
  // the card has no head of its own, which would lead away from the patient
  expect(await card.locator(".console-head").count()).toBe(0)
  await noteThere(card, "Blutdruck")
  await goesOn(doctor.page)

  // the follow-up: the first free time in three weeks
  const frame = doctor.page.frame({ name: "patient" })
  const soonest = card.locator(".soonest li").filter({ hasText: "in 3 Wochen" })
  await soonest.getByRole("button", { name: /^Folgetermin buchen/ }).click()
  await card.locator("[data-done]").waitFor()
  // the recall: one press
  await card.getByRole("button", { name: "Wiedervorstellung in 3 Monaten" }).click()
  await card.locator("[data-done]").waitFor()
  // another visit, a prescription, a search without a result
  const visit = card.getByRole("link", { name: /^\d\d?\.\d\d?\.\d\d, / }).last()
  const address = (await visit.getAttribute("href")) ?? ""
  await visit.click()
  // what is typed before the next page has come is lost with this one
  await frame?.waitForURL((url) => url.href.endsWith(address), { waitUntil: "domcontentloaded" })
  await card.getByLabel("Arzneimittel suchen (Name oder PZN)").fill("gibt es nicht")
  await card.locator("[aria-labelledby=prescribe] search button").click()
  await card.getByText("Nichts gefunden.").waitFor()
  await frame?.waitForLoadState()
  await doctor.page.getByRole("link", { name: "Rezepte" }).click()
  await card.getByRole("heading", { name: "Warten auf Ihre Unterschrift" }).waitFor()
  await doctor.page.getByRole("link", { name: "Patientenkarte" }).click()
  await card.getByRole("heading", { name: "Testa Patient" }).waitFor()
  await goesOn(doctor.page)
  const { body } = await world.api("GET", `/v1/management/scheduling/appointments?patient_uid=${patient_uid}`)
  // those to come: the follow-up
  expect(body.data.map((one: { start_date: number }) => one.start_date > inDays(20))).toEqual([true])
  const note = await server.current.api("GET", `/v1/doctor/appointments/${uid}/note`, {
    bearer: await doctorOf(server.current, world)
  })
  expect(note.body.note).toBe("Blutdruck")

  for (const frame of doctor.page.frames()) expect(await accessibilityFaults(frame)).toEqual([])
  await doctor.page.emulateMedia({ colorScheme: "dark" })
  for (const frame of doctor.page.frames()) expect(await accessibilityFaults(frame, ["color-contrast"])).toEqual([])
  await doctor.page.emulateMedia({ colorScheme: "light" })
  expect(doctor.complaints).toEqual([])

  // on a phone the call and the card are below each other, and either may have the screen
  await doctor.page.setViewportSize({ width: 390, height: 844 })
  const heightOf = async (selector: string) => (await doctor.page.locator(selector).boundingBox())?.height ?? 0
  expect(await heightOf("iframe.call-room")).toBeGreaterThan(250)
  expect(await heightOf("iframe.call-patient")).toBeGreaterThan(350)
  await doctor.page.getByLabel("Gespräch groß").check()
  expect(await heightOf("iframe.call-room")).toBeGreaterThan(700)
  await goesOn(doctor.page)

  // the call's end leads the whole window back to the card
  await room.getByRole("button", { name: "Für beide beenden" }).click()
  await room.getByRole("button", { name: "Verlassen" }).click()
  await room.getByRole("button", { name: "Zurück" }).click()
  await doctor.page.waitForURL(/\/console\/doctor\/patients\//)

  // the devices are known by now: one press joins
  await doctor.page.goto(`${server.current.url}/console/doctor`)
  await doctor.page.getByRole("button", { name: "Gespräch beginnen: Testa Patient" }).first().click()
  await room.getByRole("heading", { name: "Im Wartezimmer" }).waitFor()
})
