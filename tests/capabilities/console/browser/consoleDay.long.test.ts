/**
 * A working day in the browser, one test per role: sign-in at a real OpenID provider (oidc-provider), work, sign-out.
 * Counts the clicks of the most frequent actions; docs/console.md has the same counts.
 */
import { afterAll, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { Glob } from "bun"
import type { BrowserContextOptions, Page } from "playwright-core"
import { testBrowser } from "../../../support/browser.ts"
import { pageLink } from "../../../support/codes.ts"
import { eventually } from "../../../support/eventually.ts"
import { connect, openAppointment } from "../../../support/meetings.ts"
import { pharmacyWithOrder } from "../../../support/pharmacyWithOrder.ts"
import { waitingPrescriptions } from "../../../support/waitingPrescriptions.ts"
import { dayOf, inDays, makeWorld, random, type World, type WorldOptions } from "../../../support/world.ts"
import { desk, documentedClicks, openMenu, picture } from "../support/consoleDesk.ts"
import { consoleWithProvider } from "../support/consoleProvider.ts"

const browser = testBrowser()
const running = consoleWithProvider()
const receiver = Bun.serve({ port: 0, fetch: () => new Response(null, { status: 200 }) })

afterAll(() => receiver.stop(true))

/** Signs in through the provider's own pages. */
const signIn = async (login: string, claims: Record<string, unknown>, options: BrowserContextOptions = {}) => {
  running.current.people.set(login, claims)
  const opened = await browser.open(`${running.current.server.url}/console`, { locale: "en-GB", ...options })
  const { page } = opened
  await page.locator("[name=login]").fill(login)
  await page.locator("[name=password]").fill("any")
  await page.locator("[type=submit]").click()
  await page.locator("[name=prompt][value=consent]").waitFor({ state: "attached" })
  await page.locator("[type=submit]").click()
  // on a phone in the folded menu
  await page.locator(".console-self form").waitFor({ state: "attached" })
  // the provider's own pages request third-party fonts
  const before = opened.complaints.length
  const leave = async () => {
    expect(opened.complaints.slice(before)).toEqual([])
    await signOut(page)
  }
  return { page, ...desk(page, running.current.server.url), leave }
}

/** Signs out of the console and the provider. */
const signOut = async (page: Page) => {
  await openMenu(page)
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.waitForURL(({ href }) => href.startsWith(`${running.current.provider.issuer}/session/end`))
  await page.locator("[name=logout]").click()
  await page.getByText("You are signed out.").waitFor()
  await page.goto(`${running.current.server.url}/console`)
  expect(page.url()).toStartWith(running.current.provider.issuer)
}

/** A practice with one doctor, as in the screenshots. */
const practiceOf = async (options: WorldOptions = {}) => {
  const world = await makeWorld(running.current.server, { doctors: 1, ...options })
  const { organisation_uid, doctor: uid } = world
  await world.provision({ doctors: [{ uid, organisation_uid, display_name: "Dr. Vera Beispiel" }] })
  return world
}
const listed = async (world: World, query = "") =>
  (await world.api("GET", `/v1/management/scheduling/appointments${query}`)).body.data
const hook = (name: string) => `http://127.0.0.1:${receiver.port}/${name}`

/** Creates and tests a subscription, and sends its delivery again. */
const workWebhooks = async ({ page, link, send, press, button, shownOnce }: Awaited<ReturnType<typeof signIn>>) => {
  const url = hook(random("hook"))
  await page.getByLabel("Address", { exact: true }).last().fill(url)
  await page.locator("#types").selectOption({ index: 0 })
  await press(button("Add a subscription"))
  await shownOnce()
  await send(`Test: ${url}`)
  await press(link(url))
  const status = page.locator("[aria-labelledby=deliveries] .badge").first()
  await status.waitFor()
  await eventually(
    async () => {
      await page.reload()
      return status.textContent()
    },
    (text) => text === "delivered"
  )
  await send(/^Send again/)
}

test("a doctor works through a day on a phone and books the follow-up right after the call", async () => {
  const world = await practiceOf()
  const uid = await openAppointment(world)
  const before = Math.floor(Date.now() / 1000) - 1800
  await openAppointment(world, "Nora", { start_date: before, end_date: before + 1200 })
  const claims = { roles: ["doctor"], organisation_uid: world.organisation_uid, doctor_uid: world.doctor }
  const room = await signIn("vera", claims, { viewport: { width: 360, height: 740 } })
  const { page, press, button, link, action, send, turn, at, shownOnce, leave } = room
  // current without a click; patients in the waiting room appear automatically
  await page.getByText("Nobody is waiting.").waitFor()
  const code = (await pageLink(running.current.server, uid, "join")).split("/").at(-1)
  const { body } = await running.current.server.api("POST", `/v1/scheduling/appointment-actions/${code}/join`)
  const patient = connect(running.current.server, body.room_name, body.token)
  await page.getByText("waiting since").waitFor()
  await picture(page, "console-doctor-today")
  await action("Join the call", async () => {
    await press(button("Start the call: Testa Patient"))
    await page.waitForURL(/\/call\?/)
  })
  patient.close()
  // the page after the call: the card with the next actions
  await page.goto(page.url().split("/call")[0] ?? "")
  await page.getByRole("heading", { name: "Testa Patient" }).waitFor()
  await press(page.locator("summary", { hasText: /^Took place/ }))
  await send("Save and mark as took place")
  await action("Book the follow-up", () => send(/^Book the follow-up/))
  await at("doctor")
  await action("Patient card with a note", async () => {
    await press(link("Testa Patient"))
    await page.getByLabel(/^Note on the appointment/).fill("Blutdruck im Blick behalten")
    await send("Save")
  })
  await picture(page, "console-doctor-patient")
  await turn("Today", /./)
  await press(page.locator("summary", { hasText: /^Did not come/ }))
  await send("Did not come: Nora Patient")
  await turn("Week", /Week of/)
  await page.getByRole("link", { name: /Testa/ }).first().waitFor()
  await waitingPrescriptions(world)
  await turn("Prescriptions", "Waiting for your signature")
  await send(/^Make the PDF: /)
  await page.locator("object").waitFor({ state: "attached" })
  await action("Sign a prescription", () => send(/^Signed outside: /))
  await turn("Hours")
  await send(/^Add$/)
  await action("Take a day off", async () => {
    await page.getByLabel("Day", { exact: true }).fill("2035-01-08")
    await press(button(/^Preview/))
    await page.getByText("Would no longer be free").waitFor()
    await send("Add the day off")
  })
  await turn("Other calendars")
  await press(button("Make the address"))
  await shownOnce()
  await leave()
})

test("a practice books by phone, moves, cancels, changes its settings and reads its statistics", async () => {
  const world = await practiceOf({ organisation: { messages: ["confirmation"] } })
  const start = inDays(8, 9)
  const uid = await world.booked(start, "erika")
  await world.booked(start + 2400, "max")
  const claims = { roles: ["admin"], organisation_uid: world.organisation_uid }
  const room = await signIn("empfang", claims, { viewport: { width: 1150, height: 900 } })
  const { page, press, button, link, action, send, turn, at, shownOnce, fileOf, leave } = room
  const week = `practice?view=week&day=${dayOf(start)}`
  await at(week)
  await picture(page, "console-practice-calendar")
  await at(`practice/appointments/${uid}`)
  await action("Move an appointment", async () => {
    await press(button(/^Move to/))
    await room.done()
  })
  expect(await listed(world)).toContainEqual(expect.objectContaining({ previous_meeting_uid: uid }))
  await turn("Patients")
  await page.getByLabel("First name").fill("Erika")
  await page.getByLabel("Last name").fill("Muster")
  await page.getByLabel("Mail address", { exact: true }).fill("erika.muster@example.org")
  await send("Create")
  await page.getByLabel(/^Find a patient/).fill("Muster")
  await page.keyboard.press("Enter")
  await page.waitForURL(/search=Muster/)
  await action("Book by telephone", async () => {
    await press(link("Erika Muster"))
    await send(/^Book:/)
  })
  const [person] = (await world.api("GET", "/v1/management/patients?search=Muster")).body.data
  const [theirs] = await listed(world, `?patient_uid=${person.uid}`)
  await at(`practice/appointments/${theirs.uid}`)
  await action("Cancel with a reason", async () => {
    await press(page.locator("summary", { hasText: /^Cancel/ }))
    await page.getByLabel("Reason").fill("The doctor is ill")
    await send("Cancel")
  })
  const absence = `practice/absences?from=${dayOf(start)}&until=${dayOf(start)}`
  await at(absence)
  await action("Move an absence's appointments", async () => {
    await press(page.locator("summary", { hasText: /^Close and move/ }))
    await send("Move now")
  })
  await page.getByText(/1 moved|2 moved/).waitFor()
  const left = await listed(world, "?status=confirmed")
  const day = dayOf(left[0].start_date)
  await at(`practice/absences?from=${day}&until=${day}`)
  await press(page.locator("summary", { hasText: /^Close and cancel/ }))
  await page.getByLabel("Reason, as the patients read it").fill("Closed")
  await send("Cancel now")
  await page.getByText(/[1-9] cancelled/).waitFor()
  expect((await listed(world, "?status=confirmed")).length).toBeLessThan(left.length)

  await turn("Hours")
  await send("Add")
  await page.getByLabel("Day", { exact: true }).fill(dayOf(inDays(9)))
  await press(button(/^Preview/))
  await page.getByText("Would no longer be free").waitFor()
  await send("Add the day off")
  await turn("Types")
  await press(page.getByText("New type"))
  await page.locator("details[open] [name=name]").fill("Kontrolle")
  await send("Create")
  await at(`practice/types?type=${world.type_uid}`)
  await action("Add a reminder", () => send("Add"))
  await press(link("What the mail looks like"))
  await page.getByRole("heading", { name: "What the mail looks like" }).waitFor()
  await turn("Settings")
  await turn("People")
  const newDoctor = page.getByRole("form", { name: "New doctor" })
  await newDoctor.locator("[name=display_name]").fill("Dr. Neu")
  await press(newDoctor.getByRole("button"))
  await page.waitForURL(/hours\?doctor=/)
  await turn("Settings")
  await turn("Branding")
  await page.getByLabel("Telephone").fill("030 1")
  await send("Save")
  await turn("Access")
  await page.locator("[aria-labelledby=keys] [name=name]").fill("Shop")
  await page.locator("[aria-labelledby=keys] [name=permissions]").first().check()
  await press(button("Create"))
  await shownOnce()
  await press(button("New secret"))
  await shownOnce()
  expect(await page.locator("pre").textContent()).toContain("/booking-widget.js")
  await turn("Webhooks")
  await workWebhooks(room)
  await turn("Messages")
  await page.locator("main .rows li, main tbody tr").first().waitFor()
  await action("See the statistics", async () => {
    await press(link("Statistics"))
    await page.getByRole("img", { name: "By week" }).waitFor()
  })
  await picture(page, "console-practice-statistics")
  expect(await fileOf("As CSV")).toStartWith("week_starts_at,")
  await leave()
})

/** A pharmacy with a paid order and its signed prescription. */
const pharmacyOf = async (world: World) => {
  const [prescription_uid] = await waitingPrescriptions(world)
  const prescription = `/v1/management/prescriptions/${prescription_uid}`
  await world.api("POST", `${prescription}/render`)
  await eventually(
    () => world.api("GET", prescription),
    ({ body }) => body.file !== null
  )
  await world.api("POST", `${prescription}/external-sign`)
  const terms = { commission_bps: 1_000, markup_share_bps: 5_000, shipping_share_bps: 8_000, payment_account: null }
  const { pharmacy_uid } = await pharmacyWithOrder(world, {
    pharmacy: { name: "Apotheke am Markt", payout_terms: terms },
    order: { prescription_uid, payment_id: random("tr") }
  })
  return pharmacy_uid
}

test("a pharmacy takes an order from acceptance to its payout, and corrects its stock", async () => {
  const pharmacy_uid = await pharmacyOf(await makeWorld(running.current.server))
  const room = await signIn("apotheke", { roles: ["pharmacy"], pharmacy_uid })
  const { page, press, button, link, action, send, turn, fileOf, leave } = room
  await action("Ship a new order with a tracking code", async () => {
    await action("Accept an order", async () => {
      await press(button("Accept: #1001"))
      await button("Prepare: #1001").waitFor()
    })
    await send("Prepare: #1001")
    await press(link("#1001"))
    await page.locator("object.pdf").waitFor({ state: "attached" })
    await picture(page, "console-pharmacy-order")
    await action("Ship with a tracking code", async () => {
      await page.getByLabel("Tracking code").fill("JJD1")
      await press(page.locator("form:has([name='tracking.number']) button"))
      await room.done()
    })
  })
  expect(await page.locator("[name=number]").inputValue()).toBe("JJD1")
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute("data-printed", "")
  })
  await press(page.getByRole("link", { name: "Print" }))
  await page.locator("[data-printed]").waitFor()
  await press(page.locator("summary", { hasText: "Complete" }))
  await send("Complete: #1001")

  await turn("Stock")
  await action("Change a price", async () => {
    await page.getByLabel("Price (euro): Ibuprofen").fill("5,25")
    await send("Save: Ibuprofen")
  })
  const rows = page.locator('[name="rows"]')
  const price = () => page.getByLabel("Price (euro): Ibuprofen").inputValue()
  const apply = async () => {
    await press(button("Show the changes"))
    await send("Apply 1 change")
  }
  const buffer = Buffer.from('Nummer;Bestand;Preis\r\n"A1";12;6,10\r\n')
  await page.waitForLoadState() // the script that reads a file has attached its listener
  await page.locator('[type="file"]').setInputFiles({ name: "stock.csv", mimeType: "text/csv", buffer })
  await page.waitForFunction(() => document.querySelector("textarea")?.value.includes("6,10"))
  await apply()
  expect(await price()).toBe("6.10")
  // copied from a spreadsheet: cells with tabs between them
  await rows.fill("A1\t15\t7,20")
  await rows.press("ControlOrMeta+a")
  await rows.press("ControlOrMeta+x")
  expect(await rows.inputValue()).toBe("")
  await rows.press("ControlOrMeta+v")
  expect(await rows.inputValue()).toBe("A1\t15\t7,20")
  await apply()
  expect([await price(), await page.getByLabel("Stock: Ibuprofen").inputValue()]).toEqual(["7.20", "15"])

  await turn("Payouts")
  await page.getByText("Sums of the month").waitFor()
  expect(await fileOf("As CSV")).toContain("#1001")
  await turn("Webhooks")
  await workWebhooks(room)
  await leave()
})

test("every documented action is counted by a test, and none but building a form takes more than four clicks", () => {
  const tests = [...new Glob("tests/**/browser/*.test.ts").scanSync(".")]
    .map((path) => readFileSync(path, "utf8"))
    .join("")
  // those beside the call are pressed in besideCall.test.ts
  const faults = Object.entries(documentedClicks).filter(
    ([name, clicks]) =>
      (clicks > 4 && !name.startsWith("Build a form")) ||
      !(name.endsWith("beside the call") || tests.includes(`"${name}"`))
  )
  expect(faults).toEqual([])
})
