/** A working day of each of the four roles, by keyboard only: sign-in, work, sign-out. */
import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { testBrowser } from "../support/browser.ts"
import { keys } from "../support/keyboard.ts"
import { pharmacyWithOrder } from "../support/pharmacyWithOrder.ts"
import { place } from "../support/provisioned.ts"
import { testServer } from "../support/server.ts"
import { waitingPrescriptions } from "../support/waitingPrescriptions.ts"
import { inDays, makeWorld, random, type World } from "../support/world.ts"

const server = testServer()
const browser = testBrowser()

const enter = async (role: string, only: string) => {
  const opened = await browser.open(`${server.current.url}/console`, { locale: "en-GB" })
  const { page } = opened
  await page.goto(`${page.url()}&only=${only}`)
  const typed = keys(page)
  await typed.press(role)
  await page.getByRole("button", { name: "Sign out" }).waitFor()
  const leave = async () => {
    expect(opened.complaints).toEqual([])
    await typed.press("Sign out")
    await page.getByText("You are signed out.").waitFor()
  }
  return { page, ...typed, leave }
}
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name, level: 1 }).waitFor()

/** An appointment that has started. */
const begun = async (world: World) => {
  await world.booked(inDays(30, 9))
  const patients = await world.api("GET", "/v1/management/patients")
  const start_date = Math.floor(Date.now() / 1000) - 60
  await place(world, patients.body.data[0].uid, { status: "confirmed", start_date })
}

test("the doctor's day", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  await begun(world)
  await waitingPrescriptions(world)
  const { page, press, send, write, leave } = await enter("Doctor", world.organisation_uid)
  // the key of the next call
  await page.waitForLoadState() // its listener is attached
  await page.keyboard.press("Alt+j")
  await page.waitForURL(/\/call\?/)
  await page.goto(page.url().split("/call")[0] ?? "")
  await heading(page, "Testa Patient")
  await write("Note on the appointment", "Blutdruck im Blick behalten")
  await send("Save")
  await press("Took place")
  await send("Save and mark as took place")
  await send("Book the follow-up")
  await press("Prescriptions")
  await heading(page, "Waiting for your signature")
  await send("Make the PDF")
  await page.locator("object").first().waitFor({ state: "attached" })
  await send("Signed outside")
  await press("Hours")
  await heading(page, "Hours")
  await write("Day", "")
  await page.keyboard.type("08012035")
  await press("Preview")
  await page.getByText("Would no longer be free").waitFor()
  await send("Add the day off")
  await press("Other calendars")
  await heading(page, "Other calendars")
  await press("Make the address")
  await page.getByText("Shown only now").waitFor()
  await press("Week")
  await heading(page, /Week of/)
  await page.waitForLoadState()
  await page.keyboard.press("Alt+n")
  await page.waitForURL(/(week|day)=/)
  await leave()
}, 240_000)

test("the practice's day", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const uid = await world.booked(inDays(8, 9))
  const { page, press, send, write, leave } = await enter("Practice", world.organisation_uid)
  await press("Patients")
  await heading(page, "Patients")
  await write("First name", "Erika")
  await write("Last name", "Muster")
  await send("Create")
  await write("Find a patient (Alt+S)", "Testa")
  await page.keyboard.press("Enter")
  await page.waitForURL(/search=Testa/)
  await press("Testa Patient")
  await heading(page, "Testa Patient")
  await send("Book: ")
  await page.goto(`${server.current.url}/console/practice/appointments/${uid}`)
  await send("Move to ", 3)
  await heading(page, /\d{4}$/)
  const list = async () => (await world.api("GET", "/v1/management/scheduling/appointments")).body.data
  const [first] = await list()
  await page.goto(`${server.current.url}/console/practice/appointments/${first.uid}`)
  await press("Cancel …")
  await write("Reason", "The doctor is ill")
  await send("Cancel")
  expect(await list()).toHaveLength(1)
  const [left] = await list()
  const day = new Date(left.start_date * 1000).toLocaleDateString("sv-SE", { timeZone: "UTC" })
  await page.goto(`${server.current.url}/console/practice/absences?from=${day}&until=${day}`)
  await press("Close and move 1 appointment …")
  await send("Move now")
  await page.goto(`${server.current.url}/console/practice/types?type=${world.type_uid}`)
  await send(/^Add$/)
  await press("Statistics")
  await heading(page, "Statistics")
  await press("Settings")
  await heading(page, "Settings")
  await write("Times held at once", "4")
  await send("Save")
  await leave()
}, 240_000)

test("the pharmacy's day", async () => {
  const world = await makeWorld(server.current)
  const { pharmacy_uid, order_uid: uid } = await pharmacyWithOrder(world)
  const { page, press, send, write, leave } = await enter("Pharmacy", pharmacy_uid)
  await send("Accept: #1001")
  await send("Prepare: #1001")
  await page.goto(`${server.current.url}/console/pharmacy/orders/${uid}`)
  await write("Tracking code", "JJD1")
  await page.keyboard.press("Enter")
  await page.locator('[name="number"][value="JJD1"]').waitFor()
  await press("Stock")
  await heading(page, "Stock")
  await write("Price (euro): Ibuprofen", "5,25")
  await send("Save: Ibuprofen")
  await write("Change many at once", "A1;12;6,10")
  await press("Show the changes")
  await heading(page, "Change many at once")
  await send("Apply 1 change")
  await press("Payouts")
  await heading(page, "Payouts")
  await leave()
}, 240_000)

test("the operator's day", async () => {
  const { page, press, send, write, leave } = await enter("Operator", "operator")
  for (const name of ["Jobs", "Backlog", "Provisioning"]) {
    await press(name)
    await heading(page, name)
  }
  const file = { organisations: [{ uid: random("org"), name: "Praxis am Park", timezone: "Europe/Berlin" }] }
  await write("Provisioning file (JSON)", JSON.stringify(file))
  await press("Show the differences")
  await page.getByRole("heading", { name: "Differences" }).waitFor()
  await send("Apply 1 entry")
  await press("Audit log")
  await heading(page, "Audit log")
  await write("Owner", file.organisations[0]?.uid ?? "")
  await page.keyboard.press("Enter")
  await page.getByRole("cell", { name: "operator.provision" }).first().waitFor()
  await leave()
}, 240_000)
