/** A notice as a mail: the same content as text and as HTML. */
import { catalogue } from "../../texts/catalogue.ts"
import type { Texts } from "../../texts/de.ts"
import { fill } from "../../texts/fill.ts"
import { directionOf, type Language } from "../../texts/language.ts"
import { type AppointmentNotice, counterpart, shownReason } from "./AppointmentNotice.ts"
import { longPeriod, shortTime } from "./times.ts"

export interface MailText {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The subject shows on lock screens: it holds the time and nothing about health. */
export const mailOf = (notice: AppointmentNotice): MailText => {
  const { recipient, appointment } = notice
  const texts = catalogue[recipient.language].messages
  const content: Content = {
    greeting: fill(texts.greeting, { name: recipient.display_name }),
    opening: openingOf(notice, texts),
    facts: factsOf(notice, texts),
    links: linksOf(notice, texts),
    hint: notice.links.join === undefined ? null : texts.joinHint,
    closing: fill(texts.closing, { organisation: notice.organisation_name })
  }
  return {
    subject: fill(texts.subject[notice.kind], { when: shortTime(recipient, appointment.start_date) }),
    text: asText(content),
    html: asHtml(content, recipient.language)
  }
}

/** A move names both times in its first sentence. */
const openingOf = (notice: AppointmentNotice, texts: Phrases) => {
  const { previous_start_date: previous, recipient, appointment } = notice
  if (notice.kind !== "rebooking") return fill(texts.opening[notice.kind], { counterpart: counterpart(notice) })
  return fill(texts.moved, {
    counterpart: counterpart(notice),
    from: shortTime(recipient, previous ?? appointment.start_date),
    to: shortTime(recipient, appointment.start_date)
  })
}

type Phrases = Texts["messages"]

interface Content {
  readonly greeting: string
  readonly opening: string
  readonly facts: ReadonlyArray<readonly [label: string, value: string]>
  readonly links: ReadonlyArray<readonly [label: string, url: string]>
  readonly hint: string | null
  readonly closing: string
}

const factsOf = (notice: AppointmentNotice, texts: Phrases): Content["facts"] => {
  const { appointment, previous_start_date: previous, recipient } = notice
  const reason = shownReason(notice)
  return [
    [texts.when, longPeriod(recipient, appointment.start_date, appointment.end_date)],
    ...(previous === undefined ? [] : [[texts.previously, shortTime(recipient, previous)] as const]),
    ...(appointment.appointment_type_name === null ? [] : [[texts.what, appointment.appointment_type_name] as const]),
    [texts.where, appointment.meeting_format === "DIGITAL" ? texts.video : texts.onSite],
    ...(reason === null ? [] : [[texts.reason, reason] as const])
  ]
}

const linksOf = ({ links }: AppointmentNotice, texts: Phrases): Content["links"] => [
  ...(links.join === undefined ? [] : [[texts.join, links.join] as const]),
  ...(links.rebook === undefined ? [] : [[texts.rebook, links.rebook] as const]),
  ...(links.cancel === undefined ? [] : [[texts.cancel, links.cancel] as const])
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

const asHtml = ({ greeting, opening, facts, links, hint, closing }: Content, language: Language) => {
  const rows = facts.map(
    ([label, value]) =>
      `<tr><th valign="top" style="text-align:start;padding-inline-end:16px">${escaped(label)}</th><td>${escaped(value)}</td></tr>`
  )
  const buttons = links.map(([label, url]) => `<p><a href="${escaped(url)}">${escaped(label)}</a></p>`)
  return [
    `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8"></head>`,
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
