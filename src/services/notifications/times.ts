/** Formats instants in the recipient's zone, which is named, and in the zone in which the time was chosen. */
import { HOUR } from "../../schemas/seconds.ts"
import { catalogue } from "../../texts/catalogue.ts"
import { fill } from "../../texts/fill.ts"
import { clockOf, localeOf } from "../../texts/language.ts"
import { cityOf } from "../../texts/zones.ts"
import type { Recipient } from "./AppointmentNotice.ts"

/** The locale and zones of a recipient. */
export type Reader = Pick<Recipient, "language" | "timezone" | "chosen_timezone">

/** "Montag, 16. März 2026, 10:00–10:30 Uhr (Ortszeit Berlin)" */
export const longPeriod = (reader: Reader, start: number, end: number): string => {
  const day = formatted(reader, start, { weekday: "long", day: "numeric", month: "long", year: "numeric" })
  return `${day}, ${timeOf(reader, `${clock(reader, start)}–${clock(reader, end)}`)} ${zone(reader, start)}`
}

/** "16.03.2026, 10:00 Uhr (Ortszeit Berlin)" */
export const shortTime = (reader: Reader, instant: number): string =>
  `${formatted(reader, instant, { dateStyle: "medium" })}, ${timeOf(reader, clock(reader, instant))} ${zone(reader, instant)}`

const formatted = ({ language, timezone }: Reader, instant: number, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(localeOf(language), { ...options, timeZone: timezone }).format(instant * 1000)

const clock = (reader: Reader, instant: number) => formatted(reader, instant, clockOf(reader.language))

const timeOf = ({ language }: Reader, time: string) => fill(catalogue[language].messages.time, { time })

/** The place of the clock; in an hour that occurs twice, when clocks go back, also the zone's own name: "(MEZ, Ortszeit Berlin)". */
const zone = (reader: Reader, instant: number) => {
  const { language, timezone } = reader
  const city = cityOf(language, timezone)
  const place = timezone === "UTC" ? city : fill(catalogue[language].messages.zone, { city })
  const isTwice = [-HOUR, HOUR].some((shift) => clock(reader, instant + shift) === clock(reader, instant))
  const name = isTwice ? `${shortName(reader, instant)}, ` : ""
  return `(${name}${place})${inChosenZone(reader, instant)}`
}

/** "MEZ" */
const shortName = ({ language, timezone }: Reader, instant: number) => {
  const parts = new Intl.DateTimeFormat(localeOf(language), {
    timeZone: timezone,
    timeZoneName: "short"
  }).formatToParts(instant * 1000)
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? timezone
}

/** ", 14:00 Uhr in New York"; with the weekday if it differs there; empty if both clocks agree. */
const inChosenZone = (reader: Reader, instant: number) => {
  const { language, chosen_timezone: timezone } = reader
  if (timezone === undefined) return ""
  const there = { language, timezone }
  const weekday = (one: Reader) => formatted(one, instant, { weekday: "short" })
  const isSameDay = weekday(there) === weekday(reader)
  if (isSameDay && clock(there, instant) === clock(reader, instant)) return ""
  const time = `${isSameDay ? "" : `${weekday(there)}, `}${timeOf(there, clock(there, instant))}`
  return `, ${fill(catalogue[language].messages.elsewhere, { time, city: cityOf(language, timezone) })}`
}
