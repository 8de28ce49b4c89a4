/** The telephone at reception, in the browser, with the presses counted. */
import { expect, test } from "bun:test"
import { accessibilityFaults, testBrowser } from "../support/browser.ts"
import { atConsole, desk, picture } from "../support/consoleDesk.ts"
import { testServer } from "../support/server.ts"
import { dayOf, inDays, makeWorld } from "../support/world.ts"

const server = testServer()
const browser = testBrowser()

test("a known patient is booked, moved to a named date and put on the waiting list by three presses each; Rules 17.6.1, 17.6.4 and 17.6.13", async () => {
  const world = await makeWorld(server.current, { doctors: 2 })
  const patient = await world.patient({
    first_name: "Ayşe",
    last_name: "Yılmaz",
    date_of_birth: "1980-03-05",
    phone: "+49 171 1234567"
  })
  const { page } = await atConsole({ browser, at: server.current, world }, "admin", {
    viewport: { width: 1366, height: 768 }
  })
  const faults = new Map<string, ReadonlyArray<string>>()
  const look = async (name: string) => {
    if (faults.has(name)) return
    faults.set(name, await accessibilityFaults(page))
    await picture(page, `telephone-${name}`)
  }
  const room = desk(page, server.current.url)
  let count = 0
  const counted = async (press: Promise<void>) => {
    count += 1
    await press
  }
  /** Presses since the last call. */
  const presses = () => {
    const counts = count
    count = 0
    return counts
  }
  const search = page.getByRole("searchbox", { name: /^Patient suchen/ })
  /** From the search's field to the patient's page. */
  const findPatient = async () => {
    await page.keyboard.press("Alt+S")
    expect(await search.evaluate((one) => one === document.activeElement)).toBe(true)
    await search.fill("yilmaz 5.3.80")
    await counted(search.press("Enter"))
    await page.waitForURL(/search=yilmaz/)
    await look("found")
    await counted(page.getByRole("link", { name: "Ayşe Yılmaz" }).click())
    await page.waitForURL(new RegExp(patient))
    await look("patient")
  }
  await findPatient()
  await counted(room.press(room.button(/^Buchen:/)))
  await room.done()
  expect(presses()).toBe(3)
  const listed = async () =>
    (await world.api("GET", `/v1/management/scheduling/appointments?patient_uid=${patient}&status=confirmed`)).body.data
  const [booked] = await listed()
  expect(booked.patient_display_name).toBe("Ayşe Yılmaz")

  await page.goto(`${server.current.url}/console/practice/appointments/${booked.uid}`)
  await look("appointment")
  const target = dayOf(inDays(12, 12))
  await page.getByLabel("Ab dem").fill(target)
  await counted(page.getByRole("button", { name: "Freie Termine suchen" }).click())
  await page.waitForURL(new RegExp(`day=${target}`))
  await counted(room.press(room.button(/^Verschieben auf/)))
  await room.done()
  expect(presses()).toBeLessThanOrEqual(3)
  const [moved] = await listed()
  expect([moved.previous_meeting_uid, dayOf(moved.start_date + 7_200)]).toEqual([booked.uid, target])

  await page.goto(`${server.current.url}/console/practice?day=${target}&cancelled=true`)
  // where it is scrolled to the first hours, the columns' heads cover a part of the times below them
  await page.locator(".time-grid").waitFor()
  await page.evaluate(() => {
    for (const one of document.querySelectorAll("*")) one.scrollTop = 0
  })
  await look("day")
  await page.goto(`${server.current.url}/console/practice/absences?from=${target}&until=${target}`)
  await page.locator("#absence-choices summary").first().click()
  await look("absence")

  await findPatient()
  await counted(room.press(room.button("Auf die Warteliste")))
  await room.done()
  expect(presses()).toBe(3)
  const { data } = (await world.api("GET", "/v1/management/scheduling/waitlist-entries")).body
  expect(data).toMatchObject([
    { patient_uid: patient, appointment_type_uid: world.type_uid, doctor_uids: [], need: "routine", status: "waiting" }
  ])
  expect([...faults].filter(([, found]) => found.length > 0)).toEqual([])
})
