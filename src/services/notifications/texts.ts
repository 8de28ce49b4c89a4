/** Every phrase that people read, in both languages, side by side. */
import type { Language, NoticeKind } from "./AppointmentNotice.ts"

export interface Phrases {
  readonly locale: string
  readonly greeting: (name: string) => string
  readonly subject: Readonly<Record<NoticeKind, (when: string) => string>>
  readonly opening: Readonly<Record<Exclude<NoticeKind, "rebooking">, (counterpart: string) => string>>
  readonly moved: (counterpart: string, from: string, to: string) => string
  readonly when: string
  readonly previously: string
  readonly what: string
  readonly where: string
  readonly video: string
  readonly onSite: string
  readonly reason: string
  readonly join: string
  readonly rebook: string
  readonly cancel: string
  readonly joinHint: string
  readonly closing: (organisation: string) => string
  readonly sms: Readonly<Record<NoticeKind, (counterpart: string, when: string) => string>>
  readonly calendarTitle: (counterpart: string) => string
}

const german: Phrases = {
  locale: "de-DE",
  greeting: (name) => `Guten Tag ${name},`,
  subject: {
    reminder: (when) => `Erinnerung: Termin am ${when}`,
    confirmation: (when) => `Terminbestätigung: ${when}`,
    cancellation: (when) => `Termin abgesagt: ${when}`,
    rebooking: (when) => `Termin verschoben auf ${when}`
  },
  opening: {
    reminder: (counterpart) => `wir erinnern Sie an Ihren Termin mit ${counterpart}.`,
    confirmation: (counterpart) => `Ihr Termin mit ${counterpart} ist bestätigt.`,
    cancellation: (counterpart) => `Ihr Termin mit ${counterpart} wurde abgesagt.`
  },
  moved: (counterpart, from, to) => `Ihr Termin mit ${counterpart} wurde verschoben, von ${from} auf ${to}.`,
  when: "Wann",
  previously: "Bisher",
  what: "Terminart",
  where: "Wo",
  video: "Videosprechstunde",
  onSite: "Vor Ort",
  reason: "Grund des Besuchs",
  join: "Zum Termin",
  rebook: "Termin verschieben",
  cancel: "Termin absagen",
  joinHint: "Der Raum öffnet 10 Minuten vor Beginn.",
  closing: (organisation) => `Freundliche Grüße\n${organisation}`,
  sms: {
    reminder: (counterpart, when) => `Erinnerung: Ihr Termin mit ${counterpart} am ${when}.`,
    confirmation: (counterpart, when) => `Ihr Termin mit ${counterpart} am ${when} ist bestätigt.`,
    cancellation: (counterpart, when) => `Ihr Termin mit ${counterpart} am ${when} wurde abgesagt.`,
    rebooking: (counterpart, when) => `Ihr Termin mit ${counterpart} wurde verschoben auf ${when}.`
  },
  calendarTitle: (counterpart) => `Termin: ${counterpart}`
}

const english: Phrases = {
  locale: "en-GB",
  greeting: (name) => `Dear ${name},`,
  subject: {
    reminder: (when) => `Reminder: appointment on ${when}`,
    confirmation: (when) => `Appointment confirmed: ${when}`,
    cancellation: (when) => `Appointment cancelled: ${when}`,
    rebooking: (when) => `Appointment moved to ${when}`
  },
  opening: {
    reminder: (counterpart) => `this is a reminder of your appointment with ${counterpart}.`,
    confirmation: (counterpart) => `your appointment with ${counterpart} is confirmed.`,
    cancellation: (counterpart) => `your appointment with ${counterpart} has been cancelled.`
  },
  moved: (counterpart, from, to) => `your appointment with ${counterpart} was moved from ${from} to ${to}.`,
  when: "When",
  previously: "Previously",
  what: "Type",
  where: "Where",
  video: "Video consultation",
  onSite: "On site",
  reason: "Reason for the visit",
  join: "Join",
  rebook: "Move the appointment",
  cancel: "Cancel the appointment",
  joinHint: "The room opens 10 minutes before the start.",
  closing: (organisation) => `Kind regards\n${organisation}`,
  sms: {
    reminder: (counterpart, when) => `Reminder: your appointment with ${counterpart} on ${when}.`,
    confirmation: (counterpart, when) => `Your appointment with ${counterpart} on ${when} is confirmed.`,
    cancellation: (counterpart, when) => `Your appointment with ${counterpart} on ${when} has been cancelled.`,
    rebooking: (counterpart, when) => `Your appointment with ${counterpart} has been moved to ${when}.`
  },
  calendarTitle: (counterpart) => `Appointment: ${counterpart}`
}

export const phrases: Readonly<Record<Language, Phrases>> = { de: german, en: english }
