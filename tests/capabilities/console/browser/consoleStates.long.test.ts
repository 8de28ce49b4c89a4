/** The console's pages in the states that they have, in German, light and dark: axe finds nothing in any of them. */
import { expect, test } from "bun:test"
import type { BrowserContextOptions } from "playwright-core"
import { deskTextsOf as absenceTextsOf } from "../../../../src/capabilities/absences/texts/desk.ts"
import { consoleTexts } from "../../../../src/capabilities/console/texts/catalogue.ts"
import { deskTextsOf as rightsTextsOf } from "../../../../src/capabilities/patient-rights/texts/desk.ts"
import { makePharmacy } from "../../../pharmacy/pharmacyWorld.ts"
import { accessibilityFaults, testBrowser } from "../../../support/browser.ts"
import { pageLink } from "../../../support/codes.ts"
import { giveUpJob } from "../../../support/givenUp.ts"
import { connect, openAppointment } from "../../../support/meetings.ts"
import { testServer } from "../../../support/server.ts"
import { waitingPrescriptions } from "../../../support/waitingPrescriptions.ts"
import { dayOf, inDays, makeWorld, random, type World } from "../../../support/world.ts"
import { picture } from "../support/consoleDesk.ts"

const server = testServer()
const browser = testBrowser()
const { rights } = rightsTextsOf("de")
const { frame, workspaces, signIn, practice, doctor, pharmacy, operator, webhooks, team } = consoleTexts("de")

const enter = async (role: keyof typeof workspaces, only: string, options: BrowserContextOptions = {}) => {
  const opened = await browser.open(`${server.current.url}/console`, options)
  const { page } = opened
  await page.goto(`${page.url()}&only=${only}`)
  const isPhone = options.viewport?.width === 360
  const faults: Array<string> = []
  const examine = async (state: string, colorScheme: "light" | "dark", rules?: ReadonlyArray<string>) => {
    await page.emulateMedia({ colorScheme })
    for (const fault of await accessibilityFaults(page, rules)) faults.push(`${state}, ${colorScheme}: ${fault}`)
    await picture(page, `${state} ${colorScheme}`)
  }
  const look = async (state: string) => {
    // a page with unsaved input is not refreshed
    await page.evaluate(() => document.querySelector("main > *")?.setAttribute("data-changed", ""))
    await examine(state, "light")
    // after the light ones, what the dark colours change
    await examine(state, "dark", ["color-contrast"])
    await page.evaluate(() => document.querySelector("main > *")?.removeAttribute("data-changed"))
    if (!isPhone) return
    if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) faults.push(`${state}: too wide`)
  }
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" }).first()
  await look("choosing a person")
  await button(new RegExp(`^${workspaces[role]}`)).click()
  // on a phone in the folded menu
  await page.locator(".console-self form").waitFor({ state: "attached" })
  const workspace = new URL(page.url()).pathname
  const at = async (path: string, state = `${workspace}${path.split("?")[0]}`) => {
    await page.goto(`${server.current.url}${workspace}${path}`)
    await page.evaluate(() => {
      for (const folded of document.querySelectorAll("main details")) folded.setAttribute("open", "")
    })
    await look(state)
  }
  const done = async (state: string) => {
    await page.locator("[data-done]").waitFor()
    await look(state)
  }
  const shown = async (state: string) => {
    await page.getByText(frame.shownOnce).waitFor()
    await look(state)
  }
  /** Submits the form like a browser without form validation. */
  const refused = async (name: string | RegExp, state: string) => {
    await page.evaluate(() => {
      document.querySelector("main > *")?.setAttribute("data-changed", "")
      for (const form of document.querySelectorAll("form")) form.noValidate = true
    })
    await button(name).click()
    await page.getByRole("alert").waitFor()
    await look(state)
  }
  const leave = async () => {
    await page.goto(server.current.url + workspace)
    if (isPhone) await button(new RegExp(`^${frame.menu}`)).click()
    await button(frame.signOut).click()
    await page.getByText(signIn.signedOut.text).waitFor()
    await look("signed out")
    expect(faults).toEqual([])
  }
  return { page, look, button, at, done, shown, refused, leave }
}
/** Few times a day, so that the pages that list them are small. */
const type = { duration_minutes: 180 }

const exceptionOf = async (world: World): Promise<string> => {
  const path = `/v1/management/scheduling/doctors/${world.doctor}/availability-date-overrides`
  const body = { date: inDays(9), start_time: 540, end_time: 720 }
  return (await world.api("POST", path, body)).body.uid
}

test("the practice: appointments, patients, absences and hours", async () => {
  const world = await makeWorld(server.current, { doctors: 1, type })
  const uid = await world.booked(inDays(8, 9))
  const exception = await exceptionOf(world)
  const { body } = await world.api("GET", "/v1/management/patients")
  const patient = `/patients/${body.data[0].uid}`
  const { page, button, at, done, shown, refused, leave } = await enter("admin", world.organisation_uid)
  const booked = dayOf(inDays(8))
  await at(`?view=week&day=${booked}`, "a week with an appointment")
  await at("?view=week&day=2020-01-06", "a week long ago")
  await at(`/appointments/${uid}`, "an appointment")
  await refused(practice.cancel, "a cancellation without a reason")
  await page.goto(`${server.current.url}/console/practice/appointments/${uid}`)
  await button(practice.linkTo.join).click()
  await shown("a link, shown once")
  await at("/appointments/apt_other", "what is not there")
  await at("/patients", "patients")
  await page.getByLabel(practice.email, { exact: true }).fill("no address")
  await refused(practice.create, "a person whose mail address is none")
  await at("/patients?search=nobody-is-called-so", "nobody found")
  await at(patient, "a patient")
  await at(`${patient}/rights`, "a patient's rights")
  await at(`/absences?from=${booked}&until=${booked}`, "an absence that hits somebody")
  await at("/absences?from=2035-01-08&until=2035-01-08", "an absence that hits nobody")
  await at(`/hours?day=${booked}`, "a day off, looked at")
  await at(`/hours?day=${dayOf(inDays(9))}&override=${exception}&kind=hours`, "an exception that is changed")
  await at("/hours?day=2035-01-08&kind=hours&start=12:00&end=09:00", "hours that end before they begin")
  await page.goto(`${server.current.url}/console/practice/absences?from=${booked}&until=${booked}`)
  await page.locator("#absence-choices summary").first().click()
  await button(absenceTextsOf("de").moveNow).click()
  await done("an absence whose appointments were moved")
  await page.goto(`${server.current.url}/console/practice${patient}/rights`)
  await page.getByLabel(practice.reason).fill("Auf Wunsch")
  await page.getByLabel(rights.sure).check()
  await button(rights.eraseNow).click()
  await page.getByRole("heading", { name: rights.done }).waitFor()
  await at(patient, "a patient who was erased")
  await leave()
})

test("the practice: types, messages, statistics and settings, its header on 1,150 px", async () => {
  const world = await makeWorld(server.current, {
    doctors: 1,
    organisation: { messages: ["confirmation"] },
    type
  })
  await world.booked(inDays(8, 9))
  const viewport = { width: 1150, height: 900 }
  const { page, button, at, done, shown, refused, look, leave } = await enter("admin", world.organisation_uid, {
    viewport
  })
  const tops = await page
    .locator(".console-pages a")
    .evaluateAll((links) => [...new Set(links.map((link) => Math.round(link.getBoundingClientRect().top)))])
  expect(tops).toHaveLength(1)
  await at("/types", "types")
  await page.goto(`${server.current.url}/console/practice/types?type=${world.type_uid}`)
  await button(practice.add).click()
  await done("a reminder that was added")
  await at(`/types?type=${world.type_uid}&preview=patient&doctor=${world.doctor}`, "a reminder's mail")
  await at("/messages")
  await at("/statistics")
  await at("/statistics?from=2035-01-08&until=2035-01-14", "weeks without appointments")
  await at("/prescriptions")
  await at("/prescriptions?status=cancelled", "no prescription of a status")
  await at("/prescriptions?uid=prx_other", "a prescription that is not there")
  await at("/settings")
  await page.goto(`${server.current.url}/console/practice/settings`)
  await button(frame.save).click()
  await done("settings that were saved")
  await at("/texts?kind=reminder&language=de", "texts of a message")
  await page.getByLabel(practice.own.parts.opening, { exact: true }).fill("Bitte bringen Sie am {when} Ihre Karte mit.")
  await button(practice.own.preview).click()
  await page
    .frameLocator("iframe")
    .getByText(/^Bitte bringen Sie am .* Ihre Karte mit\.$/)
    .waitFor()
  await button(frame.save).click()
  await done("texts that were changed")
  await page.getByLabel(practice.own.parts.opening, { exact: true }).fill("am {datum}")
  await refused(frame.save, "a placeholder that there is not")
  await at("/texts?kind=waitlist_offer&language=ar", "Arabic texts")
  await at("/people")
  await at("/team", "people of the practice")
  const invite = page.locator("[aria-labelledby=invite]")
  await invite.getByLabel(practice.email, { exact: true }).fill("no address")
  await refused(team.invite, "an invitation to no address")
  await at("/shops")
  await at("/branding")
  await at("/access")
  await button(practice.newSecret).click()
  await shown("a secret, shown once")
  await at("/webhooks", "no webhooks")
  await page.getByLabel(webhooks.address).fill("http://127.0.0.1:9/hook")
  await page.getByLabel(webhooks.types).selectOption({ index: 0 })
  await button(webhooks.create).click()
  await shown("a webhook that was made")
  await page.goto(`${server.current.url}/console/practice/webhooks`)
  await button(/^Testen/).click()
  await page.locator("[data-done]").waitFor()
  await page.getByRole("link", { name: "http://127.0.0.1:9/hook" }).click()
  await page.getByRole("heading", { name: webhooks.deliveries }).waitFor()
  await page.locator("[aria-labelledby=deliveries] a").first().click()
  await page.getByRole("heading", { name: webhooks.sentData }).waitFor()
  await look("a webhook's delivery")
  await at("/audit")
  await at("/audit?action=nothing", "an empty search of the log")
  await leave()
})

test("the practice: series, recalls, holidays, calendars kept elsewhere and the waiting list", async () => {
  const world = await makeWorld(server.current, { doctors: 2 })
  const base = "/v1/management/scheduling"
  const create = async (path: string, body: object) => (await world.api("POST", `${base}${path}`, body)).body
  const patient = await world.patient({ first_name: "Kim", last_name: "Wartend", email: "kim@example.org" })
  const of = { patient_uid: patient, appointment_type_uid: world.type_uid }
  const weekly = { shop_uid: world.shop_uid, doctor_uid: world.doctor, count: 3, interval_weeks: 1 }
  const { series_uid } = await create("/appointment-series", { ...of, ...weekly, start_date: inDays(3, 9) })
  const waits = await create("/waitlist-entries", { ...of, need: "soon", need_reason: "Schmerzen" })
  await create("/recalls", { ...of, due_date: dayOf(inDays(90)), message_text: "Bitte nüchtern kommen." })
  const source = { kind: "ics", name: "Dienstplan", url: "http://127.0.0.1:9/rota.ics" }
  await create(`/doctors/${world.doctor}/busy-sources`, source)
  const plan = { patient, plan: "1", type: world.type_uid, doctor: world.doctor, time: "09:00", count: "4", weeks: "1" }
  const { at, leave } = await enter("admin", world.organisation_uid)
  await at(`/series?${new URLSearchParams({ ...plan, day: dayOf(inDays(3)) })}`, "a series that is planned")
  await at(`/series?series=${series_uid}&patient=${patient}`, "a series")
  await at(`/holidays?region=DE-BE&date=${dayOf(inDays(3))}&name=Betriebsausflug`)
  await at(`/calendars?doctor=${world.doctor}`)
  await at("/recalls")
  await at("/waitlist")
  await at(`/waitlist/${waits.uid}`, "a wish")
  await leave()
})

test("the doctor on a phone: an empty and an occupied waiting room, cards, hours and prescriptions", async () => {
  const world = await makeWorld(server.current, { doctors: 1, type })
  const viewport = { width: 360, height: 740 }
  const { page, button, at, done, shown, refused, look, leave } = await enter("doctor", world.organisation_uid, {
    viewport
  })
  await look("a day without appointments")
  const uid = await openAppointment(world)
  await waitingPrescriptions(world)
  const code = (await pageLink(server.current, uid, "join")).split("/").at(-1)
  const { body } = await server.current.api("POST", `/v1/scheduling/appointment-actions/${code}/join`)
  const patient = connect(server.current, body.room_name, body.token)
  // by itself, since the page is live
  await page.locator(".badge.now").waitFor()
  await look("somebody waits")
  patient.close()
  await button(doctor.lateTell).click()
  await done("patients were told of a delay")
  await at("/week")
  await at("/patients", "the doctor's patients")
  await at("/patients?search=nobody-is-called-so", "nobody found")
  await at(`/appointments/${uid}`, "a patient's card")
  await button(doctor.saveAndComplete).click()
  await done("an appointment that took place")
  await page.getByLabel(/^Notiz zum Termin/).fill("x".repeat(2_001))
  await refused(frame.save, "a note that is too long")
  await at("/hours", "hours")
  await at(`/hours?day=${dayOf(inDays(8))}`, "a day off, looked at")
  await at("/hours?day=2035-01-08&kind=hours&start=12:00&end=09:00", "hours that end before they begin")
  await at("/calendars")
  await button(doctor.feedMake).click()
  await shown("an address, shown once")
  await at("/prescriptions")
  await button(/^PDF erstellen/).click()
  await page.locator("object").waitFor({ state: "attached" })
  await look("a prescription to sign")
  await at("/patients/pat_other", "what is not there")
  await leave()
})

test("the pharmacy: no orders, orders, an order, stock and its import, payouts", async () => {
  const world = await makePharmacy(server.current, { terms: { payment_account: null } })
  const { page, button, at, done, shown, look, leave } = await enter("pharmacy", world.pharmacy_uid)
  await at("", "no orders")
  await at("/payouts", "no payouts")
  const order = await world.order()
  const routed = await world.order({ status: "shipped", payment_id: "tr_x2" })
  await world.call("PATCH", `/pharmacy_orders/${routed}/complete_order`)
  await at("", "orders by status")
  await button(/^Annehmen/).click()
  await done("an order that was accepted")
  await at(`/orders/${order}`, "an order")
  await at("/orders/ord_other", "what is not there")
  await at("/stock", "stock")
  const { body } = await world.call("GET", "/pharmacy_skus/?limit=1")
  await page.locator('[name="rows"]').fill(`${body.data[0].external_id};7;1,20\nunknown;1;2`)
  await button(pharmacy.preview).click()
  await page.getByText(pharmacy.faults.unknown, { exact: true }).waitFor()
  await look("an import with an unknown line")
  await page.goto(`${server.current.url}/console/pharmacy/stock`)
  await page.locator('[name="rows"]').fill("x;1;1\n".repeat(1_001))
  await button(pharmacy.preview).click()
  await page.getByRole("alert").waitFor()
  await look("an import that is too long")
  await at("/payouts", "payouts")
  await at("/webhooks", "no webhooks")
  await page.getByLabel(webhooks.address).fill("http://127.0.0.1:9/hook")
  await page.getByLabel(webhooks.types).selectOption({ index: 0 })
  await button(webhooks.create).click()
  await shown("a webhook that was made")
  await leave()
})

test("the operator: no backlog, dead letters, parked payouts, a file's differences, the log", async () => {
  const parked = await makePharmacy(server.current, { terms: { payment_account: null } })
  const order = await parked.order({ status: "shipped", payment_id: "tr_x3" })
  await parked.call("PATCH", `/pharmacy_orders/${order}/complete_order`)
  const prescription = random("pre")
  await giveUpJob(server.current, prescription)
  const { page, button, at, done, refused, look, leave } = await enter("operator", "operator")
  await look("an installation")
  await at("/jobs")
  await page.getByText(prescription).waitFor()
  await at("/backlog")
  await page.getByText(order).first().waitFor()
  await at("/provisioning", "no file")
  const file = { organisations: [{ uid: random("org"), name: "Praxis am Park", timezone: "Europe/Berlin" }] }
  const text = page.locator('[name="file"]')
  await text.fill(JSON.stringify(file))
  await button(operator.compare).click()
  await page.getByRole("heading", { name: operator.differences }).waitFor()
  await look("a file's differences")
  await button(/anwenden$/).click()
  await done("a file that was applied")
  await text.fill("{")
  await refused(operator.compare, "a file that is no file")
  await at("/organisations", "a new organisation")
  await refused(operator.organisation.create, "an organisation without a name")
  await page.getByLabel(operator.organisation.name, { exact: true }).fill("Praxis am Markt")
  await page.locator('[name="shop_identifier"]').fill(random("markt").replaceAll("_", "-"))
  await button(operator.organisation.create).click()
  await done("an organisation that was made")
  await at("/audit", "a log to choose")
  await at("/audit?owner=installation", "the installation's log")
  await leave()
})

test("signed out: an expired sign-in attempt", async () => {
  const { page } = await browser.open(`${server.current.url}/console/callback?code=x&state=y`)
  await page.getByRole("heading", { name: signIn.refused.title }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
})
