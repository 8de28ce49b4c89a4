/** The tour at the root of a demo: every step opens the thing itself, with one press for those who sign in. */
import { expect, test } from "bun:test"
import { meetingTexts } from "../../../src/capabilities/video/texts/meeting.ts"
import { testBrowser } from "../../support/browser.ts"
import { CALL_VIEWPORT, callOf } from "../../support/callers.ts"
import { testServer } from "../../support/server.ts"

const server = testServer({ PROVISION_FILE: "" })
const browser = testBrowser()

test("six steps lead to a booking, a doctor with somebody who waits, the practice, the pharmacy, the operator and the documentation", async () => {
  const { page, complaints } = await browser.open(server.current.url, { locale: "en-GB" })
  /** Opens a step's first link, and signs in where that is asked. */
  const open = async (step: string, link = 0) => {
    await page.goto(server.current.url)
    await page.locator(`#${step} .actions a`).nth(link).click()
    const person = page.locator("button[name=person]")
    await page.locator("button[name=person], h1").first().waitFor()
    if ((await person.count()) > 0) {
      expect(await person.count()).toBe(1)
      await person.click()
      await page.getByRole("button", { name: "Sign out" }).waitFor()
    }
    return page.locator("body").textContent()
  }
  expect(await page.locator("section[id]").count()).toBe(6)
  expect(await open("patient")).toContain("Praxis am Stadtgarten")
  await page.locator(".times button, .next button").first().waitFor()
  expect(await open("patient", 1)).toContain("Dr. med. Anna Berger")
  await open("doctor")
  await page.getByText("waiting since").first().waitFor()
  for (const step of ["practice", "pharmacy", "operator"]) {
    await page.context().clearCookies()
    await open(step)
    expect(new URL(page.url()).pathname).toBe(`/console/${step}`)
  }
  expect(await open("partner")).toContain("Sprechstunde")
  expect(complaints).toEqual([])
})

test("the steps of patient and doctor open the same call, in two browsers", async () => {
  const opened = async (link: string) => {
    const visitor = await browser.open(server.current.url, { locale: "en-GB", viewport: CALL_VIEWPORT })
    await visitor.page.locator(link).click()
    return visitor
  }
  const patient = await opened("#patient .actions a >> nth=1")
  const enter = patient.page.getByRole("button", { name: "Enter the waiting room" })
  await enter.click()
  await patient.page.getByRole("heading", { name: meetingTexts("en").checkTitle }).waitFor()
  await enter.click()
  await patient.page.getByRole("heading", { name: "You are in the waiting room" }).waitFor()

  const doctor = await opened("#doctor .actions a")
  await doctor.page.locator("button[name=person]").click()
  // the row of the patient who waits
  await doctor.page
    .locator("#now")
    .locator("xpath=..")
    .getByRole("button", { name: /^Start the call/ })
    .first()
    .click()
  const call = doctor.page.frameLocator("iframe.call-room")
  await call.getByRole("button", { name: meetingTexts("en").enterDoctor }).click()
  await call.getByRole("button", { name: "Admit" }).click()
  const room = callOf(doctor.page)
  for (const end of [patient.page, room]) await end.locator('[data-call="connected"]').waitFor()
  const roomOf = (place: { readonly url: () => string }) => new URL(place.url()).pathname
  expect(roomOf(room)).toMatch(/^\/meet\/meeting\/room_/)
  expect(roomOf(patient.page)).toBe(roomOf(room))
  expect([...patient.complaints, ...doctor.complaints]).toEqual([])
})
