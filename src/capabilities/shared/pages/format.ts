import { format } from "../../../pages/time.ts"
import { type Language, localeOf } from "../../../texts/language.ts"

/** Cents as `12,50 €`. */
export const money = (language: Language, cents: number, currency = "EUR") =>
  new Intl.NumberFormat(localeOf(language), { style: "currency", currency }).format(cents / 100)

/** Bytes as `12,4 GB`, in powers of 1,000. */
export const bytes = (language: Language, count: number) => {
  const power = Math.min(4, Math.max(1, Math.floor(Math.log10(Math.max(1, count)) / 3)))
  const unit = (["kilobyte", "megabyte", "gigabyte", "terabyte"] as const)[power - 1]
  const style = { style: "unit", maximumFractionDigits: 1, ...(unit !== undefined && { unit }) } as const
  return new Intl.NumberFormat(localeOf(language), style).format(count / 1000 ** power)
}

/** `23.11.26, 14:05` in the zone. */
export const moment = (language: Language, zone: string, seconds: number) =>
  format(language, zone, "moment", { dateStyle: "short", timeStyle: "short" }).format(seconds * 1000)

/** `23.11.1980` of a calendar date `1980-11-23` or of Unix seconds. */
export const calendarDate = (language: Language, date: string | number) =>
  new Intl.DateTimeFormat(localeOf(language), { dateStyle: "medium", timeZone: "UTC" }).format(
    typeof date === "number" ? date * 1000 : Date.parse(`${date}T00:00Z`)
  )

/** `23.11.` of a calendar date. */
export const shortDate = (language: Language, date: string) =>
  new Intl.DateTimeFormat(localeOf(language), { day: "2-digit", month: "2-digit", timeZone: "UTC" }).format(
    Date.parse(`${date}T00:00Z`)
  )

/** A date of birth as it is stored, written for people; other text as it is. */
export const birthDate = (language: Language, text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) ? calendarDate(language, text) : text

/** `DE` as `Deutschland`; a code without a name as it is. */
export const countryName = (language: Language, code: string) =>
  /^[A-Za-z]{2}$/.test(code)
    ? (new Intl.DisplayNames(localeOf(language), { type: "region" }).of(code.toUpperCase()) ?? code)
    : code

/** `tr` as `Türkisch`; a tag without a name as it is. */
export const languageName = (language: Language, tag: string) => {
  const names = new Intl.DisplayNames(localeOf(language), { type: "language", fallback: "code" })
  return /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(tag) ? (names.of(tag) ?? tag) : tag
}

/** `570` as `09:30`. */
export const clockOf = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`
