/** A notice as a mail: the same content as text and, rendered by the template, as HTML. */
import { noticeOf } from "../../schemas/notifications/notices.ts"
import { catalogue } from "../../texts/catalogue.ts"
import type { Texts } from "../../texts/de.ts"
import { fill } from "../../texts/fill.ts"
import type { Language } from "../../texts/language.ts"
import {
  type AppointmentNotice,
  counterpart,
  isOtherDoctor,
  type Previous,
  placeOf,
  shownReason
} from "./AppointmentNotice.ts"
import type { MailContent } from "./MailTemplate.ts"
import type { RecordNotice } from "./NoticeSource.ts"
import { longPeriod, shortTime } from "./times.ts"
import { type Wording, wordingOf } from "./wording.ts"

export interface MailText {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The content as text and as HTML. */
export const rendered = (content: MailContent, html: (content: MailContent) => string): MailText => ({
  subject: content.subject,
  text: asText(content),
  html: html(content)
})

/** The subject shows on lock screens: it contains the time but no health data. */
export const mailOf = (notice: AppointmentNotice, html: (content: MailContent) => string): MailText => {
  const { recipient, appointment } = notice
  const texts = catalogue[recipient.language].messages
  const { subject, greeting, opening, closing } = wordingOfNotice(notice)
  const isApology = notice.previous?.by_practice === true && recipient.role === "patient"
  const content = {
    language: recipient.language,
    subject,
    practice: { name: notice.organisation_name, branding: notice.branding },
    greeting,
    opening: isApology ? `${opening} ${texts.movedByPractice}` : opening,
    facts: factsOf(notice, texts),
    links: linksOf(notice, texts),
    hint:
      notice.kind === "cancellation" ||
      noticeOf(notice.kind).asksToMove === true ||
      notice.links.join === undefined ||
      appointment.meeting_format !== "DIGITAL"
        ? null
        : texts.joinHint,
    closing
  }
  return rendered(content, html)
}

/** A move states both times in its first sentence, and both doctors where they differ. */
export const wordingOfNotice = (notice: AppointmentNotice) => {
  const { kind, previous, recipient, appointment, organisation_name: name, message_texts } = notice
  const when = shortTime(recipient, appointment.start_date)
  const from = shortTime(recipient, previous?.start_date ?? appointment.start_date)
  const other = isOtherDoctor(notice)
  const doctor = appointment.doctor_display_name
  return wordingOf(
    kind,
    recipient,
    { name, message_texts },
    {
      counterpart: counterpart(notice),
      before: other && previous !== undefined ? previous.doctor_display_name : counterpart(notice),
      when,
      from,
      to: other ? fill(catalogue[recipient.language].messages.nowWith, { time: when, doctor }) : when,
      minutes: String(appointment.doctor_late_minutes ?? 0)
    }
  )
}

/** The mail about another record. */
export const recordMailOf = (
  { facts, links }: RecordNotice,
  { sms: _, ...texts }: Wording,
  practice: MailContent["practice"],
  language: Language,
  html: (content: MailContent) => string
): MailText => rendered({ ...texts, language, practice, facts, links, hint: null }, html)

type Phrases = Texts["messages"]

const factsOf = (notice: AppointmentNotice, texts: Phrases): MailContent["facts"] => {
  const { appointment, previous, recipient, kind } = notice
  const reason = shownReason(notice)
  const { preparation } = appointment
  const why = kind === "cancellation" && notice.visit_reason_in_messages ? appointment.cancellation_reason : null
  return [
    [texts.when, longPeriod(recipient, appointment.start_date, appointment.end_date)],
    ...(isOtherDoctor(notice) ? [[texts.withDoctor, appointment.doctor_display_name] as const] : []),
    ...(previous === undefined ? [] : [[texts.previously, formerly(notice, previous)] as const]),
    ...(appointment.appointment_type_name === null ? [] : [[texts.what, appointment.appointment_type_name] as const]),
    [texts.where, placeOf(notice)],
    ...(reason === null ? [] : [[texts.reason, reason] as const]),
    ...(why === null ? [] : [[texts.cancelReason, why] as const]),
    ...(preparation === null || kind === "cancellation" || recipient.role !== "patient"
      ? []
      : [[texts.preparation, preparation] as const]),
    ...(notice.entries ?? [])
  ]
}

/** Time, and doctor and place where the move changed them. */
const formerly = (notice: AppointmentNotice, previous: Previous) => {
  const place = placeOf(notice, previous)
  return [
    shortTime(notice.recipient, previous.start_date),
    ...(isOtherDoctor(notice) ? [previous.doctor_display_name] : []),
    ...(place === placeOf(notice) ? [] : [place])
  ].join(" · ")
}

/** To choose another time comes first where that is what is asked. */
const linksOf = ({ kind, links }: AppointmentNotice, texts: Phrases): MailContent["links"] => [
  ...(links.join === undefined || noticeOf(kind).asksToMove === true
    ? []
    : [[kind === "cancellation" ? texts.bookAgain : texts.join, links.join] as const]),
  ...(links.rebook === undefined ? [] : [[texts.rebook, links.rebook] as const]),
  ...(links.cancel === undefined ? [] : [[texts.cancel, links.cancel] as const])
]

/** The plain-text alternative. */
const asText = ({ greeting, opening, facts, links, hint, closing, practice }: MailContent) => {
  const { address, phone, support_email, imprint_url } = practice.branding
  const contact = [address, phone, support_email, imprint_url].filter((line) => line !== null)
  return [
    greeting,
    opening,
    facts.map(([label, value]) => `${label}: ${value}`).join("\n"),
    ...links.map(([label, url]) => `${label}:\n${url}`),
    ...(hint === null ? [] : [hint]),
    [closing, ...contact].join("\n")
  ].join("\n\n")
}
