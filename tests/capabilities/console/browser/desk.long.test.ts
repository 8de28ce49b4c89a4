/**
 * The day of a reception desk and of a doctor, in the browser, in a practice of 20 doctors, 2,000 patients and 3,000 appointments: presses are
 * counted, typing is not; every page is checked with axe. With CONSOLE_SCREENSHOTS each main page is pictured in three sizes.
 */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { Effect } from "effect"
import { Provisioning } from "../../../../src/capabilities/shared/services/provisioning/Provisioning.ts"
import { present } from "../../../support/body.ts"
import { accessibilityFaults, testBrowser } from "../../../support/browser.ts"
import { eventually } from "../../../support/eventually.ts"
import { startServer, type TestServer } from "../../../support/server.ts"
import { volume } from "../../../support/volume.ts"
import { DAY, random } from "../../../support/world.ts"
import { desk, markRequested, picture } from "../support/consoleDesk.ts"

const browser = testBrowser()
const SIZES = [
  [1366, 768],
  [1920, 1080],
  [390, 844]
] as const

let server: TestServer
const now = Math.floor(Date.now() / 1000)
const practice = volume({ doctors: 20, patients: 2_000, appointments: 3_000, around: now })
beforeAll(async () => {
  server = await startServer({})
  const organisations = practice.file.organisations.map((one) => ({ ...one, messages: ["confirmation"] }))
  await server.run(Effect.flatMap(Provisioning, ({ apply }) => apply({ ...practice.file, organisations })))
}, 600_000)
afterAll(() => server.stop())

const api = async (method: string, path: string, body?: object) =>
  (await server.api(method, path, { key: practice.key, ...(body !== undefined && { body }) })).body
const appointmentsOf = async (patient: string) =>
  (await api("GET", `/v1/management/scheduling/appointments?patient_uid=${patient}&status=confirmed`)).data
const dayOf = (seconds: number) => new Date(seconds * 1000).toLocaleDateString("sv-SE", { timeZone: "Europe/Berlin" })
/** The first weekday at least so many days from now. */
const weekday = (days: number) => {
  const day = Math.floor(now / DAY) + days
  const past = (day + 3) % 7
  return dayOf((past > 4 ? day + 7 - past : day) * DAY + 43_200)
}

const enter = async (role: RegExp, only: string = practice.organisation_uid) => {
  const { page, complaints } = await browser.open(`${server.url}/console`, {
    locale: "de-DE",
    viewport: { width: 1366, height: 768 }
  })
  await page.goto(`${page.url()}&only=${only}`)
  await page.getByRole("button", { name: role }).first().click()
  await page.getByRole("button", { name: "Abmelden" }).waitFor()
  const faults: Array<string> = []
  const seen = new Set<string>()
  const look = async (name: string) => {
    if (seen.has(name)) return
    seen.add(name)
    // an entry at the edge of what is scrolled is cut by the headings, and no fault
    await page.evaluate(() => {
      for (const one of document.querySelectorAll(".table-scroll")) one.scrollTo(0, 0)
    })
    for (const fault of await accessibilityFaults(page)) faults.push(`${name}: ${fault}`)
    if (process.env.CONSOLE_SCREENSHOTS === undefined) return
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height })
      await picture(page, `desk-${name}-${width}`)
    }
    await page.setViewportSize({ width: 1366, height: 768 })
  }
  const leave = () => expect([faults, complaints]).toEqual([[], []])
  return { page, look, leave, ...desk(page, server.url) }
}

test("reception: a new and a known patient by telephone, a move, a sick day and a vacation", async () => {
  const { page, look, leave, counted, press, button, link, send, action, at } = await enter(/^Praxis/)
  await look("day")
  const search = page.getByRole("searchbox", { name: /^Patient suchen/ })

  await action("Book a new patient by telephone", async () => {
    await search.fill("Neumeister, Ottilie")
    await counted(search.press("Enter"))
    await page.waitForURL(/search=/)
    await page.locator("[name='profile.phone']").fill("0171 99887766")
    await press(button(/^Anlegen/))
    await page.getByRole("heading", { name: "Ottilie Neumeister" }).waitFor()
    await send(/^Buchen:/)
  })
  const { uid: known, profile } = present(practice.patients[5])
  /** From the search's field to the patient's page. */
  const findKnown = async () => {
    await page.waitForLoadState() // the key's listener is attached
    await page.keyboard.press("Alt+S")
    expect(await search.evaluate((one) => one === document.activeElement)).toBe(true)
    const [year, month, day] = (profile.date_of_birth ?? "").split("-")
    await search.fill(`${profile.last_name} ${Number(day)}.${Number(month)}.${year?.slice(2)}`)
    await counted(search.press("Enter"))
    // with a date of birth it leads to the patient
    await page.waitForURL(new RegExp(known))
    await look("patient")
  }
  await at("practice")
  await action("Book a known patient by telephone", async () => {
    await findKnown()
    await send(/^Buchen:/)
  })
  const booked = present((await appointmentsOf(known)).at(-1))
  const target = weekday(21)
  await at(`practice?day=${dayOf(booked.start_date)}`)
  await action("Move an appointment to a named date", async () => {
    await press(page.locator(`a[href*="appointment=${booked.uid}"]`).first())
    await page.locator("#panel").waitFor()
    await look("panel")
    await page.locator("#panel [name=day]").fill(target)
    await press(page.locator("#panel").getByRole("button", { name: "Freie Termine suchen" }))
    await page.waitForURL(new RegExp(`day=${target}`))
    await look("move")
    await send(/^Verschieben auf/)
  })
  const walkIn = present(practice.patients[7])
  await at(`practice?day=${weekday(7)}`)
  await action("Squeeze in a walk-in", async () => {
    const lane = page.locator(".time-lane[data-press]").first()
    const { height = 0 } = (await lane.boundingBox()) ?? {}
    await counted(lane.click({ position: { x: 4, y: height - 4 } }))
    await page.waitForURL(/squeeze=true/)
    // those who fit appear while it is typed
    await page.locator("main [name=search]").fill(walkIn.profile.email ?? "")
    await page.locator("[data-found] a.grow").nth(1).waitFor({ state: "detached" })
    await look("walk-in")
    await send(/^Als Einschub buchen/)
  })
  const sent = async () => (await api("GET", `/v1/management/messages?patient_uid=${known}`)).data
  await eventually(sent, ([one]) => one !== undefined && one.status !== "pending")
  await at("practice")
  await action("Send a confirmation again", async () => {
    await press(link("Nachrichten"))
    await send(/^Noch einmal senden/)
  })
  await at("practice")
  await action("Put on the waiting list by telephone", async () => {
    await findKnown()
    await send("Auf die Warteliste")
  })
  const waits = (await api("GET", "/v1/management/scheduling/waitlist-entries")).data
  expect(waits).toMatchObject([{ patient_uid: known, doctor_uids: [], need: "routine", status: "waiting" }])
  // new hours are kept for who waits, also those of the tests after this one
  await api("DELETE", `/v1/management/scheduling/waitlist-entries/${waits[0]?.uid}`)
  const moved = (await appointmentsOf(known)).find((one) => one.previous_meeting_uid === booked.uid)
  expect(dayOf(present(moved).start_date)).toBe(target)

  const [ill, away] = practice.doctors.slice(2).map(({ uid }) => uid)
  const absence = async (name: string, doctor: string, from: string, until: string, step: RegExp, now: string) => {
    await at("practice/absences")
    await page.locator("[name=doctor]").selectOption(doctor)
    await page.locator("[name=from]").fill(from)
    await page.locator("[name=until]").fill(until)
    await action(name, async () => {
      await press(button("Betroffene Termine anzeigen"))
      await page.locator("#absence-choices summary").first().waitFor()
      await press(page.locator("#absence-choices summary", { hasText: step }))
      await look(name)
      if (now === "Jetzt absagen")
        await page.locator("#absence-choices [name=message]").fill("Ihre Ärztin ist im Urlaub")
      await send(now)
    })
    await page.getByText(/^(\d+) von \1 Terminen erledigt/).waitFor()
    await look(`${name} settled`)
  }
  await absence(
    "Close a sick day and move what is booked",
    ill ?? "",
    weekday(1),
    weekday(1),
    /verschieben/,
    "Jetzt verschieben"
  )
  await absence(
    "Close three weeks and cancel what is booked",
    away ?? "",
    weekday(7),
    weekday(27),
    /absagen/,
    "Jetzt absagen"
  )
  const range = `from=${Date.parse(weekday(8)) / 1000}&to=${Date.parse(weekday(26)) / 1000}`
  const left = await api("GET", `/v1/management/scheduling/appointments?doctor_uid=${away}&${range}&status=confirmed`)
  expect(left.data).toEqual([])

  for (const view of ["week", "list", "next"]) {
    await at(`practice?view=${view}&day=${weekday(1)}`)
    await look(view)
  }
  leave()
}, 900_000)

test("a doctor: a note and completed by two presses, a follow-up in three weeks by two", async () => {
  const doctor = { ...practice.doctors[0], uid: random("doc"), display_name: "Dr. Sommer" }
  const begun = {
    ...practice.appointments[0],
    uid: random("apt"),
    doctor_uid: doctor.uid,
    status: "confirmed",
    start_date: now - 300,
    end_date: now + 900
  }
  const availability_rules = [0, 1, 2, 3, 4, 5, 6].map((day) => ({
    uid: random("rul"),
    doctor_uid: doctor.uid,
    weekday: day,
    start_time: 540,
    end_time: 720
  }))
  const file = { doctors: [doctor], availability_rules, appointments: [begun] }
  await server.run(Effect.flatMap(Provisioning, ({ apply }) => apply(file)))
  const { page, look, leave, press, link, send, done, action, at } = await enter(/Dr\. Sommer/)
  await look("today")
  await action("Write a note and mark the visit as completed", async () => {
    await press(link(/^Stattgefunden/))
    await page.getByLabel(/^Notiz zum Termin/).fill("Blutdruck im Blick behalten")
    await send(/^Speichern und als stattgefunden/)
  })
  await look("card")
  await at("doctor")
  await action("Book a follow-up in three weeks", async () => {
    await press(page.locator(`a[href*="appointment=${begun.uid}"]`).first())
    const soonest = page.locator(".soonest li").filter({ hasText: "in 3 Wochen" })
    await press(soonest.getByRole("button", { name: /^Folgetermin buchen/ }))
    await done()
  })
  const next = await appointmentsOf(String(begun.patient_uid))
  expect(next.at(-1)?.start_date).toBeGreaterThanOrEqual(now + 20 * DAY)
  for (const path of ["week", "prescriptions"]) {
    await at(`doctor/${path}`)
    await look(path)
  }
  leave()
}, 900_000)

test("a new doctor is bookable by four presses", async () => {
  const { page, look, leave, press, link, done, action, at } = await enter(/^Praxis/)
  await at("practice")
  await action("Make a new doctor bookable", async () => {
    await press(link("Einstellungen"))
    await press(link("Personen"))
    const form = page.getByRole("form", { name: "Neue Ärztin oder neuer Arzt" })
    await form.locator("[name=display_name]").fill("Dr. Neu")
    await press(form.getByRole("button"))
    await page.waitForURL(/hours\?doctor=/)
    // every day, so that there are times whatever the day is
    for (const weekday of [0, 1, 2, 3, 4, 5, 6]) {
      await page.locator(`[name="from.${weekday}.0"]`).fill("08:00")
      await page.locator(`[name="to.${weekday}.0"]`).fill("12:00")
    }
    await press(page.getByRole("form", { name: "Die Woche" }).getByRole("button", { name: "Speichern" }))
    await done()
  })
  await look("new doctor")
  const { data } = await api("GET", "/v1/management/doctors")
  const doctor_uid = data.find(({ display_name }) => display_name === "Dr. Neu")?.uid
  const wanted = { shop_uid: practice.shop_uid, appointment_type_uid: practice.type_uid, doctor_uid }
  const body = { ...wanted, from: now, to: now + 14 * DAY, timezone: "UTC" }
  const free = await server.api("POST", "/v1/scheduling/slots/search", { body })
  expect(free.body.slots.length).toBeGreaterThan(0)
  leave()
}, 900_000)

test("a pharmacy of 500 orders: a new one is found and shipped with tracking by four presses", async () => {
  const [pharmacy_uid, product_uid, sku_uid] = [random("pha"), random("prd"), random("sku")]
  const unit = { standard_selling_unit: 20, unit: "Stück", selling_price: 599 }
  const statuses = ["new", "accepted", "in_preparation", "shipped", "completed"]
  const file = {
    pharmacies: [{ uid: pharmacy_uid, name: "Apotheke am Hafen" }],
    products: [{ uid: product_uid, display_name: "Ibuprofen", handle: product_uid }],
    skus: [{ uid: sku_uid, product_uid, display_name: "Ibuprofen 400", ...unit }],
    pharmacy_skus: [{ uid: random("psk"), pharmacy_uid, sku_uid, external_id: "A1", price: 499, stock: 700 }],
    pharmacy_orders: Array.from({ length: 500 }, (_, index) => ({
      uid: random("ord"),
      name: `#${2000 + index}`,
      pharmacy_uid,
      shop_uid: practice.shop_uid,
      status: statuses[index % statuses.length],
      created_at: now - (500 - index) * 600,
      lines: [{ sku_uid, quantity: 1, unit_price: 599 }]
    }))
  }
  await server.run(Effect.flatMap(Provisioning, ({ apply }) => apply(file)))
  const { page, look, leave, press, button, link, send, action, at } = await enter(/Apotheke am Hafen/, pharmacy_uid)
  await look("orders")
  await action("Take a new order to shipped with a tracking code", async () => {
    const order = (await button(/^Annehmen: /).getAttribute("aria-label"))?.split(": ")[1] ?? ""
    await send(`Annehmen: ${order}`)
    await send(`Vorbereiten: ${order}`)
    await press(link(order))
    await page.locator("[name='tracking.number']").fill("JJD1")
    await press(page.locator("form:has([name='tracking.number']) button"))
    await page.locator('[name="number"]').waitFor()
  })
  await look("order")
  for (const path of ["stock", "payouts"]) {
    await at(`pharmacy/${path}`)
    await look(path)
  }
  leave()
}, 900_000)

test("what was typed is there again after a reload, and gone once it was accepted; Rule 17.2.10", async () => {
  const { page, at, done } = await enter(/^Praxis/)
  const [one] = practice.patients
  await at(`practice/patients/${one?.uid}`)
  const phone = page.locator("[aria-labelledby=details] [name='profile.phone']")
  await phone.fill("030 7654321")
  page.on("dialog", (dialog) => dialog.accept())
  await page.reload()
  await page.getByText("Ihre nicht gespeicherten Eingaben sind wieder da.").waitFor()
  expect(await phone.inputValue()).toBe("030 7654321")
  await markRequested(page)
  await page.locator("[aria-labelledby=details]").getByRole("button", { name: "Speichern" }).click()
  await done()
  await page.reload()
  expect(await page.getByText("Ihre nicht gespeicherten Eingaben").count()).toBe(0)
  // a session that has ended leads through the sign-in back to the page, with what was typed
  await phone.fill("030 1112131")
  await page.context().clearCookies()
  await page.locator("[aria-labelledby=details]").getByRole("button", { name: "Speichern" }).click()
  const role = page.getByRole("button", { name: /^Praxis/ }).first()
  await role.waitFor()
  await page.goto(`${page.url()}&only=${practice.organisation_uid}`)
  await role.click()
  await page.waitForURL(new RegExp(`/console/practice/patients/${one?.uid}`))
  await page.getByText("Ihre nicht gespeicherten Eingaben sind wieder da.").waitFor()
  expect(await phone.inputValue()).toBe("030 1112131")
}, 300_000)
