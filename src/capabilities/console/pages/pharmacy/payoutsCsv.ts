/** Payouts as a file that a spreadsheet of the page's language opens as columns. Pure. */

import type { Payout } from "../../../../schemas/pharmacy/Payout.ts"
import type { Language } from "../../../../texts/language.ts"
import { dayIn } from "../../../shared/pages/zoned.ts"

/** Text that a spreadsheet would calculate is preceded by an apostrophe. */
const cell = (text: string) => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[";\r\n,]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** `1234,50` in German and `1234.50` in English, without groups of three. */
const amountIn = (language: Language, cents: number) =>
  (cents / 100).toFixed(2).replace(".", language === "en" ? "." : ",")

/** `23.11.2026` in German, `2026-11-23` in English, which every spreadsheet reads. */
const dateIn = (language: Language, zone: string, seconds: number | null) => {
  if (seconds === null) return ""
  const day = dayIn(seconds, zone)
  return language === "en" ? day : day.split("-").reverse().join(".")
}

interface Words {
  readonly order: string
  readonly part: string
  readonly status: string
  readonly ordered: string
  readonly paidOut: string
  readonly route: string
  readonly sum: string
  readonly currency: string
  readonly components: Readonly<Record<Payout["component_type"], string>>
  readonly projected: string
  readonly routed: string
}

/** With a byte order mark, by which spreadsheets recognise UTF-8; semicolons in German, where commas are decimal points. */
export const payoutsCsv = (payouts: ReadonlyArray<Payout>, language: Language, zone: string, words: Words): string => {
  const separator = language === "en" ? "," : ";"
  const head = [
    words.order,
    words.ordered,
    words.part,
    words.status,
    words.paidOut,
    words.route,
    words.sum,
    words.currency
  ]
  const rows = payouts.map((one) => [
    one.pharmacy_order_name ?? one.pharmacy_order_uid,
    dateIn(language, zone, one.pharmacy_order_created_at),
    words.components[one.component_type],
    words[one.status],
    dateIn(language, zone, one.routing_created_at),
    one.provider_route_id ?? "",
    amountIn(language, one.amount),
    one.currency
  ])
  return `\ufeff${[head, ...rows].map((cells) => `${cells.map(cell).join(separator)}\r\n`).join("")}`
}
