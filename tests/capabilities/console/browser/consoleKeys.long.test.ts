/** A working day of a doctor and of a practice, by keyboard only: sign-in, work, sign-out. */
import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { testBrowser } from "../../../support/browser.ts"
import { openAppointment } from "../../../support/meetings.ts"
import { testServer } from "../../../support/server.ts"
import { waitingPrescriptions } from "../../../support/waitingPrescriptions.ts"
import { dayOf, inDays, makeWorld } from "../../../support/world.ts"
import { isDone, markRequested } from "../support/consoleDesk.ts"

const server = testServer()
const browser = testBrowser()

/** The accessible name of the focused element: its own, else its label's, else its text. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const one = document.activeElement
    const isField =
      one instanceof HTMLInputElement || one instanceof HTMLSelectElement || one instanceof HTMLTextAreaElement
    const label = isField ? one.labels?.[0]?.textContent : one?.textContent
    return (one?.getAttribute("aria-label") ?? label ?? "").trim()
  })

/** More tab stops than any page has. */
const MOST = 700

/** Presses Tab until this element has the focus; `nth` selects among names with this prefix, or that match. */
const reach = async (page: Page, name: string | RegExp, nth = 0) => {
  let left = nth
  for (let presses = 0; presses < MOST; presses++) {
    const found = await focused(page)
    if (typeof name === "string" ? found.startsWith(name) : name.test(found)) {
      if (left === 0) return
      left -= 1
    }
    await page.keyboard.press("Tab")
  }
  throw new Error(`the Tab key does not lead to ${name}`)
}

/** Keyboard-only use. */
const keys = (page: Page) => {
  /** Focuses the element and presses Enter. */
  const press = async (name: string | RegExp, nth = 0) => {
    await reach(page, name, nth)
    await page.keyboard.press("Enter")
  }
  /** Presses Enter on the element, and waits for the next page to confirm it. */
  const send = async (name: string | RegExp, nth = 0) => {
    await markRequested(page)
    await press(name, nth)
    await isDone(page)
  }
  const write = async (name: string, text: string, nth = 0) => {
    await reach(page, name, nth)
    await page.keyboard.press("ControlOrMeta+a")
    await page.keyboard.insertText(text)
  }
  return { press, send, write }
}

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

test("the doctor's day", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  await world.booked(inDays(30, 9))
  await openAppointment(world)
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
  const day = dayOf(left.start_date)
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
