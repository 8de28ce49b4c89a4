/** The console's pages before anything is there: each list says what belongs in it, and its link leads to where that is done. Rule 17.6.17. */

import { expect, test } from "bun:test"
import { Effect } from "effect"
import { deskTextsOf as ofAbsences } from "../../../src/capabilities/absences/texts/desk.ts"
import { deskTextsOf as ofCalendars } from "../../../src/capabilities/calendars/texts/desk.ts"
import { empty as en } from "../../../src/capabilities/console/texts/empty.en.ts"
import { deskTextsOf as ofFhir } from "../../../src/capabilities/fhir/texts/desk.ts"
import { deskTextsOf as ofForms } from "../../../src/capabilities/forms/texts/desk.ts"
import { deskTextsOf as ofHolidays } from "../../../src/capabilities/holidays/texts/desk.ts"
import { deskTextsOf as ofPublicBooking } from "../../../src/capabilities/public-booking/texts/desk.ts"
import { deskTextsOf as ofRecalls } from "../../../src/capabilities/recalls/texts/desk.ts"
import { Provisioning } from "../../../src/capabilities/shared/services/provisioning/Provisioning.ts"
import { deskTextsOf } from "../../../src/capabilities/shared/texts/desk.ts"
import { deskTextsOf as ofStatistics } from "../../../src/capabilities/statistics/texts/desk.ts"
import { deskTextsOf as ofWaitlist } from "../../../src/capabilities/waiting-list/texts/desk.ts"
import { asAdmin, asOperator, asPharmacy, type ConsoleVisitor, signedIn, unescaped } from "../../support/console.ts"
import { testServer } from "../../support/server.ts"
import { random } from "../../support/world.ts"

const server = testServer()
const { filtered } = deskTextsOf("en").empty

const provision = (json: unknown) => server.current.run(Effect.flatMap(Provisioning, ({ apply }) => apply(json)))

const linksIn = (html: string) => [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => unescaped(href))

/** What a page's lists say that are empty, and where they lead. */
const emptyIn = (html: string) =>
  [...html.matchAll(/<p class="help" data-empty="(\w+)">(.*?)<\/p>/g)].map(([, name = "", content = ""]) => ({
    name,
    text: content.replaceAll(/<[^>]+>/g, ""),
    link: linksIn(content)[0]
  }))

/** Opens each page that the workspace's pages link to, and returns what is empty in it, by its address. */
const walk = async (browser: ConsoleVisitor, workspace: string) => {
  const start = `/console/${workspace}`
  const found = new Map<string, ReturnType<typeof emptyIn>>()
  const isPage = (href: string) =>
    (href === start || href.startsWith(`${start}/`)) && !/[?#]/.test(href) && !href.endsWith(".csv")
  for (const due = [start]; due.length > 0; ) {
    const address = due.pop() ?? ""
    if (found.has(address)) continue
    const page = await browser.open(address)
    expect([address, page.status]).toEqual([address, 200])
    // an empty list is a text, never a list or a table without rows; a list that fills itself stays
    expect([address, page.text.match(/<ul class="rows"><\/ul>|<tbody><\/tbody>/g)]).toEqual([address, null])
    const all = emptyIn(page.text)
    found.set(address, all)
    for (const { link } of all) {
      if (link === undefined) continue
      if (link.startsWith("#")) expect([address, page.text.includes(`id="${link.slice(1)}"`)]).toEqual([address, true])
      else expect([link, (await browser.open(link)).status]).toEqual([link, 200])
    }
    due.push(...linksIn(page.text).filter(isPage))
  }
  return found
}

const namesOf = (found: Awaited<ReturnType<typeof walk>>) =>
  Object.fromEntries(
    [...found].flatMap(([address, all]) => (all.length === 0 ? [] : [[address, all.map(({ name }) => name)]]))
  )

const organisation = random("org")
const doctor = random("doc")
const pharmacy = random("pha")

test("a practice without anything: every page says what belongs there and leads on", async () => {
  await provision({ organisations: [{ uid: organisation, name: "Praxis", timezone: "Europe/Berlin" }] })
  const found = await walk(await asAdmin(server.current, { organisation_uid: organisation }), "practice")
  const page = (name: string) => `/console/practice/${name}`
  expect(namesOf(found)).toEqual({
    "/console/practice": ["calendar"],
    [page("absences")]: ["absences"],
    [page("access")]: ["keys", "secrets"],
    [page("branding")]: ["logo", "bookingPages"],
    [page("calendars")]: ["ofDoctor"],
    [page("fhir")]: ["clients"],
    [page("forms")]: ["forms"],
    [page("holidays")]: ["holidays"],
    [page("hours")]: ["ofDoctor"],
    [page("messages")]: ["messages"],
    [page("calls")]: ["calls"],
    [page("patients")]: ["patients"],
    [page("people")]: ["doctors", "admins"],
    [page("prescriptions")]: ["prescriptionsOfPractice"],
    [page("recalls")]: ["recalls"],
    [page("request-types")]: ["requestTypes"],
    [page("requests")]: ["requests"],
    [page("resources")]: ["resources"],
    [page("shops")]: ["shops"],
    [page("statistics")]: ["statistics"],
    [page("types")]: ["types"],
    [page("waitlist")]: ["waitlist"],
    [page("webhooks")]: ["subscriptions"]
  })
  const texts: Readonly<Record<string, { readonly text: string; readonly action?: string }>> = {
    ...en,
    absences: ofAbsences("en").empty,
    forms: ofForms("en").noForms,
    requestTypes: ofForms("en").noRequestTypes,
    requests: ofForms("en").noRequests,
    holidays: ofHolidays("en").empty,
    recalls: ofRecalls("en").empty,
    statistics: ofStatistics("en").empty,
    waitlist: ofWaitlist("en").empty,
    busy: { text: ofCalendars("en").empty },
    clients: { text: ofFhir("en").empty },
    bookingPages: ofPublicBooking("en").empty
  }
  for (const { name, text } of [...found.values()].flat())
    expect(text).toBe([texts[name]?.text, texts[name]?.action].filter(Boolean).join(" "))
})

test("a doctor's, a pharmacy's and an operator's pages without anything", async () => {
  await provision({
    organisations: [{ uid: organisation, name: "Praxis", timezone: "Europe/Berlin" }],
    doctors: [{ uid: doctor, organisation_uid: organisation, display_name: "Dr. med. Leer" }],
    pharmacies: [{ uid: pharmacy, name: "Apotheke" }]
  })
  expect(namesOf(await walk(await signedIn(server.current, ["doctor", doctor, organisation]), "doctor"))).toEqual({
    "/console/doctor": ["nobodyWaits", "nothingToday", "nothingElse"],
    "/console/doctor/calendars": ["connections", "busy"],
    "/console/doctor/hours": ["hours", "overrides"],
    "/console/doctor/patients": ["ownPatients"],
    "/console/doctor/prescriptions": ["ownPrescriptions"]
  })
  expect(namesOf(await walk(await asPharmacy(server.current, pharmacy), "pharmacy"))).toEqual({
    "/console/pharmacy": ["orders", ...Array(6).fill("column")],
    "/console/pharmacy/payouts": ["payouts"],
    "/console/pharmacy/stock": ["stock"],
    "/console/pharmacy/webhooks": ["subscriptions"]
  })
})

test("an operator's pages of an installation in which nothing waits", async () => {
  const found = await walk(await asOperator(server.current), "operator")
  // other tests share the installation: what they leave waiting is listed
  const ofAll = [...found.keys()].filter((path) => !path.startsWith("/console/operator/organisations/"))
  expect(ofAll.sort()).toEqual(
    ["", "/audit", "/backlog", "/jobs", "/organisations", "/provisioning"].map((path) => `/console/operator${path}`)
  )
})

test("a selection without a result leads back to everything", async () => {
  const browser = await asAdmin(server.current, { organisation_uid: organisation })
  for (const address of [
    "patients?search=nobody",
    "messages?status=failed",
    "waitlist?status=all",
    "recalls?status=sent"
  ]) {
    const page = `/console/practice/${address}`
    expect([address, emptyIn((await browser.open(page)).text)]).toEqual([
      address,
      [{ name: "filtered", text: `${filtered.text} ${filtered.action}`, link: page.split("?")[0] ?? "" }]
    ])
  }
})
