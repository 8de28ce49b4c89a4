import { HOUR } from "../schemas/seconds.ts"
import { clockOf, type Language, localeOf } from "../texts/language.ts"
import { cityOf, offeredZones } from "../texts/zones.ts"

/** About 25 kB each: of every zone in every language they were 600 MB. */
const FORMATS_MAX = 1_000
const formats = new Map<string, Intl.DateTimeFormat>()

/** Caches `Intl.DateTimeFormat`, which is expensive to construct, by zone, language and format. */
export const format = (language: Language, zone: string, name: string, options: Intl.DateTimeFormatOptions) => {
  const key = `${language}|${zone}|${name}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(localeOf(language), { ...options, timeZone: zone })
  if (formats.size >= FORMATS_MAX) formats.clear()
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

/** Between a day and a time. */
export const commaIn = (language: Language) => (language === "ar" ? "،" : ",")

const offsetIn = (language: Language, zone: string, instant: number) =>
  format(language, zone, "offset", { timeZoneName: "shortOffset" })
    .formatToParts(instant * 1000)
    .find((part) => part.type === "timeZoneName")?.value ?? ""

/** `09:00` in `zone`; when clocks go back, times in the repeated hour have their offset: `02:00 (GMT+2)`. */
export const clockTime = (language: Language, zone: string, instant: number) => {
  const clock = format(language, zone, "time", clockOf(language))
  const time = clock.format(instant * 1000)
  const isTwice = [-HOUR, HOUR, -HOUR / 2, HOUR / 2].some((shift) => clock.format((instant + shift) * 1000) === time)
  return isTwice ? `${time}\u00a0(${offsetIn(language, zone, instant)})` : time
}

/** `2026-11-23`: the calendar date of an instant in `zone`; sortable, and used as an anchor. */
export const dateIn = (zone: string, instant: number) => {
  const parts = format("en", zone, "iso", { year: "numeric", month: "2-digit", day: "2-digit" }).formatToParts(
    instant * 1000
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? ""
  return `${part("year")}-${part("month")}-${part("day")}`
}

/** The hour of the day, 0 to 23. */
export const hourIn = (zone: string, instant: number) =>
  Number(format("en", zone, "hour", { hour: "2-digit", hourCycle: "h23" }).format(instant * 1000))

/** `Mon` and `23 Nov`, for a small tile. */
export const tileDay = (language: Language, zone: string, instant: number) =>
  [
    format(language, zone, "weekday", { weekday: "short" }).format(instant * 1000),
    format(language, zone, "short", { day: "numeric", month: "short" }).format(instant * 1000)
  ] as const

/** `Ostafrikanische Zeit`: the CLDR name of a zone for which the texts have no city. */
const genericName = (language: Language, zone: string, instant: number) =>
  format(language, zone, "generic", { timeZoneName: "longGeneric" })
    .formatToParts(instant * 1000)
    .find((part) => part.type === "timeZoneName")?.value

/** `Berlin (GMT+1)`: the city of a zone, with its offset at that instant. */
export const cityWithOffset = (language: Language, zone: string, instant: number) => {
  const offset = offsetIn(language, zone, instant)
  const city = cityOf(language, zone)
  return offset === city ? city : `${city} (${offset})`
}

/** The display name of a zone, with its offset at that instant: `Berlin (GMT+1)`. */
export const zoneName = (language: Language, zone: string, instant: number) => {
  const offset = offsetIn(language, zone, instant)
  const name = offeredZones.includes(zone)
    ? cityOf(language, zone)
    : (genericName(language, zone, instant) ?? cityOf(language, zone))
  return offset === name ? name : `${name} (${offset})`
}

/** `30 minutes`, in words. */
export const duration = (language: Language, minutes: number) =>
  new Intl.NumberFormat(localeOf(language), { style: "unit", unit: "minute", unitDisplay: "long" }).format(minutes)
