/** Rendered mails: with the components of the pages, at a phone's width, in light and dark mode. Rule 12.1.19. */
import { expect, test } from "bun:test"
import { noBranding } from "../../src/capabilities/shared/schemas/BrandingBodies.ts"
import { mailHtml } from "../../src/layers/mail/MailTemplateLive.tsx"
import type { AppointmentNotice } from "../../src/services/notifications/AppointmentNotice.ts"
import { inviteOf } from "../../src/services/notifications/invite.ts"
import { mailOf } from "../../src/services/notifications/mail.ts"
import { languages } from "../../src/texts/language.ts"
import { accessibilityFaults, testBrowser } from "../support/browser.ts"

const browser = testBrowser()
const start_date = Date.UTC(2035, 0, 8, 9) / 1000

const notice: AppointmentNotice = {
  kind: "confirmation",
  recipient: { role: "patient", display_name: "Erika Muster", timezone: "Europe/Berlin", language: "de" },
  organisation_name: "Praxis am Markt",
  message_texts: [],
  branding: {
    ...noBranding,
    logo: "x.png",
    accent_colour: "#7a1f5c",
    phone: "+49 30 123",
    address: "Markt 1, Berlin",
    imprint_url: "https://praxis.example/impressum",
    support_email: "hilfe@praxis.example"
  },
  appointment: {
    first_uid: "apt_1",
    moves: 0,
    start_date,
    end_date: start_date + 1200,
    doctor_display_name: "Dr. Weber",
    patient_display_name: "Erika Muster",
    appointment_type_name: "Sprechstunde",
    meeting_format: "IN_PERSON",
    visit_reason: null,
    cancellation_reason: null,
    rooms: [],
    preparation: "Medikamentenliste mitbringen"
  },
  visit_reason_in_messages: true,
  links: {
    join: "https://meet.example.org/appointment/aac_join_with_a_code_of_43_characters_0000",
    rebook: "https://meet.example.org/appointment/aac_rebook",
    cancel: "https://meet.example.org/appointment/aac_cancel"
  }
}

const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

test.each([["light", "de"], ["dark", "de"], ...languages.map((language) => ["light", language] as const)] as const)(
  "a mail fits a phone and is legible in %s, in %s",
  async (colorScheme, language) => {
    const localised = { ...notice, recipient: { ...notice.recipient, language } }
    const { html } = mailOf(localised, (content) => mailHtml(content, PIXEL))
    const { page, requests } = await browser.open("about:blank", {
      viewport: { width: 360, height: 780 },
      colorScheme
    })
    await page.setContent(html)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    expect(await page.locator("a.button").count()).toBe(3)
    // a landmark and a heading belong to pages, not to mails
    const faults = await accessibilityFaults(page)
    expect(faults.filter((fault) => !/^(page-has-heading-one|region):/.test(fault))).toEqual([])
    expect(requests.filter((address) => /^https?:/.test(address))).toEqual([])
    const picture = await page.screenshot({ fullPage: true })
    expect(picture.length).toBeGreaterThan(10_000)
    if (process.env.SCREENSHOTS !== undefined && language === "de")
      await Bun.write(`${process.env.SCREENSHOTS}/mail-phone-${colorScheme}.png`, picture)
  }
)

test("the plain-text part says the same, with full links and how to reach the practice", () => {
  const { text, html } = mailOf(notice, (content) => mailHtml(content))
  for (const words of [
    "Praxis am Markt",
    "Markt 1, Berlin",
    "+49 30 123",
    "hilfe@praxis.example",
    "Medikamentenliste mitbringen",
    ...Object.values(notice.links)
  ]) {
    expect(text).toContain(words)
    expect(html).toContain(words)
  }
  expect(html).toContain('src="cid:logo@sprechstunde"')
})

test("the invitation has a place, a telephone, a link to manage it and an alarm; a withdrawal has no alarm", () => {
  const people = {
    organiser: { name: "", address: "a@example.org" },
    attendee: { name: "E", address: "e@example.org" }
  }
  const contentOf = (method: "REQUEST" | "CANCEL") =>
    inviteOf(method, notice, { ...people, stamp: start_date }).content.replace(/\r\n[ \t]/g, "")
  const content = contentOf("REQUEST")
  for (const words of [
    "LOCATION:Markt 1\\, Berlin",
    "Praxis am Markt: +49 30 123",
    notice.links.join ?? "",
    "BEGIN:VALARM"
  ])
    expect(content).toContain(words)
  expect(contentOf("CANCEL")).not.toContain("VALARM")
})
