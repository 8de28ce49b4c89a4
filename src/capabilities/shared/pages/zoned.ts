/** Wall-clock times in a zone. */
import { temporal as Temporal } from "../../../schemas/timeZones.ts"

/** Unix seconds of `2026-05-01T09:30` in an IANA zone; undefined for invalid text. */
export const zonedInstant = (local: string, zone: string): number | undefined => {
  try {
    const { epochMilliseconds } = Temporal.PlainDateTime.from(local).toZonedDateTime(zone)
    return epochMilliseconds / 1000
  } catch {
    return undefined
  }
}

/** `2026-05-01` */
export const dayIn = (seconds: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(seconds * 1000)
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toString()

/** `2026-05-01T09:30` in an IANA zone. */
export const localIn = (seconds: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(seconds * 1000)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: "minute" })

/** The seven days of a date's week, from Monday. */
export const weekOf = (day: string): ReadonlyArray<string> => {
  const date = Temporal.PlainDate.from(day)
  const monday = date.subtract({ days: date.dayOfWeek - 1 })
  return [0, 1, 2, 3, 4, 5, 6].map((days) => monday.add({ days }).toString())
}

export const addDays = (day: string, days: number) => Temporal.PlainDate.from(day).add({ days }).toString()

export const addMonths = (day: string, months: number) => Temporal.PlainDate.from(day).add({ months }).toString()

/** A date from 1971 to 9998; the interface accepts no others. */
export const isDay = (text: string | null | undefined): text is string => {
  if (text === null || text === undefined || text < "1971" || text >= "9999") return false
  try {
    return Temporal.PlainDate.from(text).toString() === text
  } catch {
    return false
  }
}
