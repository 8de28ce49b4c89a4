import { type Language, localeOf } from "../texts/language.ts"

const formats = new Map<string, Intl.DateTimeFormat>()

/** `Intl.DateTimeFormat` costs far more to build than to use: one for each zone, language and shape is kept. */
const format = (language: Language, zone: string, name: string, options: Intl.DateTimeFormatOptions) => {
  const key = `${language}|${zone}|${name}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(localeOf(language), { ...options, timeZone: zone })
  formats.set(key, made)
  return made
}

/** `23 November 2026` style calendar day with its weekday, in `zone`. Instants are Unix seconds. */
export const longDay = (language: Language, zone: string, instant: number) =>
  format(language, zone, "day", { weekday: "long", day: "numeric", month: "long" }).format(instant * 1000)

/** The same with the year. */
export const fullDay = (language: Language, zone: string, instant: number) =>
  format(language, zone, "full", { weekday: "long", day: "numeric", month: "long", year: "numeric" }).format(
    instant * 1000
  )

/** `09:00` in `zone`. */
export const clockTime = (language: Language, zone: string, instant: number) =>
  format(language, zone, "time", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(instant * 1000)

/** `2026-11-23`: the calendar date of an instant in `zone`; sorts, and serves as a page's anchor. */
export const dateIn = (zone: string, instant: number) => {
  const parts = format("en", zone, "iso", { year: "numeric", month: "2-digit", day: "2-digit" }).formatToParts(
    instant * 1000
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? ""
  return `${part("year")}-${part("month")}-${part("day")}`
}

/** `Europe/Berlin` as people read it, with its offset at that instant: `Berlin (GMT+1)`. */
export const zoneName = (language: Language, zone: string, instant: number) => {
  const offset = format(language, zone, "offset", { timeZoneName: "shortOffset" })
    .formatToParts(instant * 1000)
    .find((part) => part.type === "timeZoneName")?.value
  const city = zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ")
  return offset === undefined || offset === city ? city : `${city} (${offset})`
}

/** `30 minutes`, in words. */
export const duration = (language: Language, minutes: number) =>
  new Intl.NumberFormat(localeOf(language), { style: "unit", unit: "minute", unitDisplay: "long" }).format(minutes)

/** `in 3 days`, or in hours when it is less than a day. */
export const waitUntil = (language: Language, seconds: number) => {
  const days = Math.floor(seconds / 86_400)
  const format = new Intl.RelativeTimeFormat(localeOf(language))
  return days > 0 ? format.format(days, "day") : format.format(Math.floor(seconds / 3600), "hour")
}

/** `4:09`, as a countdown shows it; never below zero. */
export const countdown = (seconds: number) => {
  const left = Math.max(0, Math.ceil(seconds))
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`
}

/** Zones offered for choosing: one for each offset and habit a patient of a European practice may sit in. */
export const offeredZones: ReadonlyArray<string> = [
  "Europe/Berlin",
  "Europe/Vienna",
  "Europe/Zurich",
  "Europe/London",
  "Europe/Lisbon",
  "Europe/Madrid",
  "Europe/Paris",
  "Europe/Rome",
  "Europe/Warsaw",
  "Europe/Athens",
  "Europe/Istanbul",
  "Europe/Kyiv",
  "Atlantic/Canary",
  "Africa/Cairo",
  "Africa/Johannesburg",
  "Africa/Lagos",
  "America/New_York",
  "America/Chicago",
  "America/Denver",
  "America/Los_Angeles",
  "America/Mexico_City",
  "America/Sao_Paulo",
  "Asia/Dubai",
  "Asia/Kolkata",
  "Asia/Bangkok",
  "Asia/Shanghai",
  "Asia/Singapore",
  "Asia/Tokyo",
  "Australia/Sydney",
  "Pacific/Auckland",
  "UTC"
]
