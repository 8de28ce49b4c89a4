/** A notice as a mail: the same content as text and as HTML. */
import { type AppointmentNotice, counterpart, shownReason } from "./AppointmentNotice.ts"
import { type Phrases, phrases } from "./texts.ts"
import { longPeriod, shortTime } from "./times.ts"

export interface MailText {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The subject shows on lock screens: it holds the time and nothing about health. */
export const mailOf = (notice: AppointmentNotice): MailText => {
  const words = phrases[notice.recipient.language]
  const { timezone } = notice.recipient
  const content: Content = {
    greeting: words.greeting(notice.recipient.display_name),
    opening: openingOf(notice, words),
    facts: factsOf(notice, words),
    links: linksOf(notice, words),
    hint: notice.links.join === undefined ? null : words.joinHint,
    closing: words.closing(notice.organisation_name)
  }
  return {
    subject: words.subject[notice.kind](shortTime(words.locale, timezone, notice.appointment.start_date)),
    text: asText(content),
    html: asHtml(content, notice.recipient.language)
  }
}

/** A move names both times in its first sentence. */
const openingOf = (notice: AppointmentNotice, words: Phrases) => {
  const { previous_start_date: previous, recipient, appointment } = notice
  if (notice.kind !== "rebooking") return words.opening[notice.kind](counterpart(notice))
  const shown = (instant: number) => shortTime(words.locale, recipient.timezone, instant)
  return words.moved(counterpart(notice), shown(previous ?? appointment.start_date), shown(appointment.start_date))
}

interface Content {
  readonly greeting: string
  readonly opening: string
  readonly facts: ReadonlyArray<readonly [label: string, value: string]>
  readonly links: ReadonlyArray<readonly [label: string, url: string]>
  readonly hint: string | null
  readonly closing: string
}

const factsOf = (notice: AppointmentNotice, words: Phrases): Content["facts"] => {
  const { appointment, previous_start_date: previous, recipient } = notice
  const reason = shownReason(notice)
  return [
    [words.when, longPeriod(words.locale, recipient.timezone, appointment.start_date, appointment.end_date)],
    ...(previous === undefined
      ? []
      : [[words.previously, shortTime(words.locale, recipient.timezone, previous)] as const]),
    ...(appointment.appointment_type_name === null ? [] : [[words.what, appointment.appointment_type_name] as const]),
    [words.where, appointment.meeting_format === "DIGITAL" ? words.video : words.onSite],
    ...(reason === null ? [] : [[words.reason, reason] as const])
  ]
}

const linksOf = ({ links }: AppointmentNotice, words: Phrases): Content["links"] => [
  ...(links.join === undefined ? [] : [[words.join, links.join] as const]),
  ...(links.rebook === undefined ? [] : [[words.rebook, links.rebook] as const]),
  ...(links.cancel === undefined ? [] : [[words.cancel, links.cancel] as const])
]

const asText = ({ greeting, opening, facts, links, hint, closing }: Content) =>
  [
    greeting,
    opening,
    facts.map(([label, value]) => `${label}: ${value}`).join("\n"),
    ...links.map(([label, url]) => `${label}:\n${url}`),
    ...(hint === null ? [] : [hint]),
    closing
  ].join("\n\n")

const asHtml = ({ greeting, opening, facts, links, hint, closing }: Content, language: string) => {
  const rows = facts.map(
    ([label, value]) =>
      `<tr><th align="left" valign="top" style="padding:2px 16px 2px 0">${escaped(label)}</th><td>${escaped(value)}</td></tr>`
  )
  const buttons = links.map(([label, url]) => `<p><a href="${escaped(url)}">${escaped(label)}</a></p>`)
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"></head>`,
    `<body style="font-family:sans-serif;line-height:1.5;color:#1a1a1a">`,
    paragraph(greeting),
    paragraph(opening),
    `<table role="presentation">${rows.join("")}</table>`,
    ...buttons,
    ...(hint === null ? [] : [paragraph(hint)]),
    paragraph(closing),
    "</body></html>"
  ].join("\n")
}

const paragraph = (text: string) => `<p>${escaped(text)}</p>`

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "\n": "<br>"
}

const escaped = (text: string) => text.replace(/[&<>"'\n]/g, (character) => entities[character] ?? character)
