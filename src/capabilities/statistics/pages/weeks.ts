/** Sums over the weeks of doctors. */

import { DAY } from "../../../schemas/seconds.ts"
import type { DoctorsWeek } from "../schemas/Statistics.ts"

export interface Sum {
  readonly booked: number
  readonly completed: number
  readonly cancelled: number
  readonly no_show: number
  /** Average lead time in days, weighted by appointments; null without any. */
  readonly lead_days: number | null
  /** 0 to 1; null without offered hours. */
  readonly utilisation: number | null
}

const total = (rows: ReadonlyArray<DoctorsWeek>, of: (row: DoctorsWeek) => number) =>
  rows.reduce((sum, row) => sum + of(row), 0)

export const sumOf = (rows: ReadonlyArray<DoctorsWeek>): Sum => {
  const booked = total(rows, (row) => row.booked)
  const offered = total(rows, (row) => row.offered_minutes)
  const lead = total(rows, (row) => row.booked * (row.lead_time_seconds ?? 0))
  return {
    booked,
    completed: total(rows, (row) => row.completed),
    cancelled: total(rows, (row) => row.cancelled),
    no_show: total(rows, (row) => row.no_show),
    lead_days: booked === 0 ? null : lead / booked / DAY,
    utilisation: offered === 0 ? null : Math.min(1, total(rows, (row) => row.booked_minutes) / offered)
  }
}

/**
 * The rows of weeks in which the practice had appointments. Weeks without any say nothing; in the sums by doctor alone they would count
 * as hours that were offered in vain.
 */
export const activeWeeks = (rows: ReadonlyArray<DoctorsWeek>) => {
  const active = new Set(rows.filter(({ booked }) => booked > 0).map(({ week_starts_at }) => week_starts_at))
  return rows.filter(({ week_starts_at }) => active.has(week_starts_at))
}

const columns = [
  "week_starts_at",
  "doctor_uid",
  "doctor_display_name",
  "booked",
  "completed",
  "cancelled",
  "no_show",
  "lead_time_seconds",
  "booked_minutes",
  "offered_minutes",
  "utilisation_percent"
] as const

/** A quoted CSV cell that no spreadsheet interprets as a formula. */
const cell = (value: string | number | null) => {
  const text = value === null ? "" : String(value)
  const plain = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** One line per doctor and week; the week as a date. */
export const csvOf = (rows: ReadonlyArray<DoctorsWeek>, dayOf: (monday: number) => string) =>
  [
    columns.join(","),
    ...rows.map((row) =>
      columns.map((name) => cell(name === "week_starts_at" ? dayOf(row.week_starts_at) : row[name])).join(",")
    )
  ]
    .map((line) => `${line}\r\n`)
    .join("")
