import { expect, test } from "bun:test"
import { noBranding } from "../../src/capabilities/shared/schemas/BrandingBodies.ts"
import { mailHtml } from "../../src/layers/mail/MailTemplateLive.tsx"
import type { AppointmentNotice } from "../../src/services/notifications/AppointmentNotice.ts"
import { inviteOf } from "../../src/services/notifications/invite.ts"
import { mailOf } from "../../src/services/notifications/mail.ts"
import { smsOf } from "../../src/services/notifications/sms.ts"
import { longPeriod, shortTime } from "../../src/services/notifications/times.ts"
import { languageOfProfile } from "../../src/texts/language.ts"

const at = (iso: string) => Date.parse(iso) / 1000

const mailed = (one: AppointmentNotice) => mailOf(one, mailHtml)

const notice: AppointmentNotice = {
  kind: "reminder",
  recipient: { role: "patient", display_name: "Mia Möller", timezone: "Europe/Berlin", language: "de" },
  organisation_name: "Praxis am See",
  message_texts: [],
  branding: noBranding,
  appointment: {
    first_uid: "apt_1",
    moves: 0,
    start_date: at("2026-03-16T09:00:00Z"),
    end_date: at("2026-03-16T09:30:00Z"),
    doctor_display_name: "Dr. Ada <Brandt>",
    patient_display_name: "Mia Möller",
    appointment_type_name: "Erstgespräch",
    meeting_format: "DIGITAL",
    visit_reason: 'Husten & Fieber, seit "drei" Tagen',
    cancellation_reason: null,
    rooms: [],
    preparation: null
  },
  visit_reason_in_messages: true,
  links: {
    join: "https://meet.example.org/appointment/aac_1",
    rebook: "https://meet.example.org/appointment/aac_2",
    cancel: "https://meet.example.org/appointment/aac_3?x=1&y=2"
  }
}

test("a German reminder states time with zone, doctor, reason and links, as text and as HTML", () => {
  const { subject, text, html } = mailed(notice)
  expect(subject).toBe("Erinnerung: Termin am 16.03.2026, 10:00 Uhr (Ortszeit Berlin)")
  expect(text).toContain("Guten Tag Mia Möller,")
  expect(text).toContain("Wann: Montag, 16. März 2026, 10:00–10:30 Uhr (Ortszeit Berlin)")
  expect(text).toContain("Grund des Besuchs: Husten & Fieber")
  for (const link of Object.values(notice.links)) expect(text).toContain(link)
  expect(html).toContain("Dr. Ada &lt;Brandt>")
  expect(html).toContain("Husten &amp; Fieber, seit &quot;drei&quot; Tagen")
  expect(html).toContain('href="https://meet.example.org/appointment/aac_3?x=1&amp;y=2"')
  expect(html).not.toContain("<Brandt>")
})

test("an English reader in another zone gets the time of that zone", () => {
  const recipient = { ...notice.recipient, language: "en", timezone: "America/New_York" } as const
  const { subject, text } = mailed({ ...notice, recipient })
  expect(subject).toContain("Reminder: appointment on 16 Mar 2026, 05:00")
  expect(text).toContain("Monday, 16 March 2026, 05:00–05:30")
  expect(text).toContain("(New York time)")
})

test("a time in the hour that occurs twice names the clock; a period in summer is that of the clock there", () => {
  const reader = { language: "de", timezone: "Europe/Berlin" } as const
  const read = (iso: string) => shortTime(reader, at(iso))
  expect(read("2026-10-25T00:30:00Z")).toBe("25.10.2026, 02:30 Uhr (MESZ, Ortszeit Berlin)")
  expect(read("2026-10-25T01:30:00Z")).toBe("25.10.2026, 02:30 Uhr (MEZ, Ortszeit Berlin)")
  expect(read("2026-10-25T09:30:00Z")).toBe("25.10.2026, 10:30 Uhr (Ortszeit Berlin)")
  const period = longPeriod(reader, at("2026-07-01T08:00:00Z"), at("2026-07-01T08:15:00Z"))
  expect(period).toBe("Mittwoch, 1. Juli 2026, 10:00–10:15 Uhr (Ortszeit Berlin)")
})

test("a disabled visit reason is in no mail, no text message and no calendar", () => {
  const quiet = { ...notice, visit_reason_in_messages: false }
  const details = {
    organiser: { name: "", address: "a@example.org" },
    attendee: { name: "M", address: "m@example.org" }
  }
  const everything = [
    ...Object.values(mailed(quiet)),
    smsOf(quiet),
    inviteOf("REQUEST", quiet, { ...details, stamp: 0 }).content
  ].join()
  expect(everything).not.toContain("Husten")
  expect(inviteOf("REQUEST", notice, { ...details, stamp: 0 }).content).toContain("Husten")
  expect(mailed(notice).subject).not.toContain("Husten")
})

test("a text message is short: a long reason is truncated without splitting a character", () => {
  const text = smsOf({ ...notice, appointment: { ...notice.appointment, visit_reason: "🤒".repeat(2000) } })
  expect(text).toContain("Erinnerung: Ihr Termin mit Dr. Ada <Brandt> am 16.03.2026, 10:00 Uhr (Ortszeit Berlin).")
  expect(text).toContain(`${"🤒".repeat(119)}…`)
  expect(text.isWellFormed()).toBe(true)
  expect([...text].length).toBeLessThan(400)
})

test("doctors and admins get the patient's name and no action links", () => {
  const forDoctor = mailed({ ...notice, recipient: { ...notice.recipient, role: "doctor" }, links: {} })
  expect(forDoctor.text).toContain("Ihren Termin mit Mia Möller")
  expect(forDoctor.html).not.toContain("href")
  const forAdmin = smsOf({ ...notice, recipient: { ...notice.recipient, role: "admin" }, links: {} })
  expect(forAdmin).toContain("Dr. Ada <Brandt> / Mia Möller")
})

test("every kind has both languages", () => {
  for (const kind of ["reminder", "confirmation", "cancellation", "rebooking"] as const) {
    const texts = (["de", "en"] as const).map((language) => {
      const localised = { ...notice, kind, recipient: { ...notice.recipient, language } }
      return [mailed(localised).subject, mailed(localised).text, smsOf(localised)]
    })
    expect(new Set(texts.flat()).size).toBe(6)
  }
  const moved = mailed({
    ...notice,
    kind: "rebooking",
    previous: { ...notice.appointment, start_date: at("2026-03-10T09:00:00Z"), by_practice: false }
  })
  expect(moved.text).toContain("Bisher: 10.03.2026, 10:00 Uhr (Ortszeit Berlin)")
})

test("an invitation is withdrawn by the same UID and a higher sequence", () => {
  const details = {
    organiser: { name: "Praxis", address: "praxis@example.org" },
    attendee: { name: "Mia Möller", address: "mia@example.org" },
    stamp: at("2026-03-15T09:00:00Z")
  }
  const lines = (method: "REQUEST" | "CANCEL") =>
    inviteOf(method, notice, details).content.replaceAll("\r\n ", "").split("\r\n")
  const [request, cancel] = [lines("REQUEST"), lines("CANCEL")]
  const same = ["UID:apt_1@sprechstunde", "DTSTART:20260316T090000Z", "DTEND:20260316T093000Z"]
  expect(request).toEqual(
    expect.arrayContaining([...same, "METHOD:REQUEST", "SEQUENCE:0", "STATUS:CONFIRMED", "DTSTAMP:20260315T090000Z"])
  )
  expect(cancel).toEqual(expect.arrayContaining([...same, "METHOD:CANCEL", "SEQUENCE:1", "STATUS:CANCELLED"]))
  expect(request.find((line) => line.startsWith("ATTENDEE"))).toContain("MAILTO:mia@example.org")
  expect(request.find((line) => line.startsWith("ORGANIZER"))).toContain("praxis@example.org")
})

test("the patient's language is used: German unless another one is set", () => {
  expect(new Set(["de", "de-AT", "DE", null, undefined].map(languageOfProfile))).toEqual(new Set(["de"]))
  expect(new Set(["en", "en-GB", "fr"].map(languageOfProfile))).toEqual(new Set(["en"]))
})

const moved: AppointmentNotice = {
  ...notice,
  kind: "rebooking",
  previous: {
    start_date: at("2026-03-10T09:00:00Z"),
    doctor_display_name: "Dr. Bo Weiß",
    meeting_format: "IN_PERSON",
    rooms: [{ name: "Raum 2", site: null }],
    by_practice: true
  }
}

test("a move to another doctor says who, when, where, and that the practice is sorry; Rule 6.7.7", () => {
  const { text, subject } = mailed(moved)
  expect(text).toContain(
    "Ihr Termin mit Dr. Bo Weiß wurde verschoben, von 10.03.2026, 10:00 Uhr (Ortszeit Berlin) auf "
  )
  expect(text).toContain(
    "16.03.2026, 10:00 Uhr (Ortszeit Berlin), jetzt mit Dr. Ada <Brandt>. Leider kann der Termin nicht"
  )
  expect(text).toContain("Bei: Dr. Ada <Brandt>")
  expect(text).toContain("Bisher: 10.03.2026, 10:00 Uhr (Ortszeit Berlin) · Dr. Bo Weiß · Raum 2")
  expect(subject).not.toContain("Weiß")
  expect(smsOf(moved)).toContain(
    "Ihr Termin mit Dr. Bo Weiß wurde verschoben auf 16.03.2026, 10:00 Uhr (Ortszeit Berlin), jetzt mit Dr. Ada"
  )
})

test("a move with the same doctor and by the patient says the times alone; Rule 6.7.7", () => {
  const own = { ...notice.appointment, start_date: at("2026-03-10T09:00:00Z"), by_practice: false }
  const { text } = mailed({ ...moved, previous: own })
  expect(text).toContain("Ihr Termin mit Dr. Ada <Brandt> wurde verschoben, von ")
  expect(text).toContain("Bisher: 10.03.2026, 10:00 Uhr (Ortszeit Berlin)\n")
  for (const word of ["jetzt mit", "Bei:", "Entschuldigung"]) expect(text).not.toContain(word)
  const forDoctor = mailed({ ...moved, recipient: { ...notice.recipient, role: "doctor" }, links: {} })
  for (const word of ["jetzt mit", "Bei:", "Entschuldigung"]) expect(forDoctor.text).not.toContain(word)
})
