/** Public holidays of all countries and regions that date-holidays knows, by its codes. Rule 3.11.1. */
import type DateHolidays from "date-holidays"
import { DAY, HOUR } from "../../../schemas/seconds.ts"
import { onFirstUse } from "../../../services/onFirstUse.ts"

/** Loaded on its first use: it has the rules of all countries, 27 MiB in memory. */
const dateHolidays = (): typeof DateHolidays => require("date-holidays")

interface Region {
  readonly code: string
  /** Names of the country, its part and the part of this, the country's by its code. */
  readonly names: readonly [country: string, ...parts: ReadonlyArray<string>]
}

const regionsOf = (all: DateHolidays): ReadonlyArray<Region> =>
  Object.keys(all.getCountries()).flatMap((country) => [
    { code: country, names: [country] },
    ...Object.entries(all.getStates(country) ?? {}).flatMap(([state, name]): ReadonlyArray<Region> => {
      const code = `${country}-${state}`
      const parts = Object.entries(all.getRegions(country, state) ?? {})
      return [
        { code, names: [country, name] },
        ...parts.map(([part, ofPart]): Region => ({ code: `${code}-${part}`, names: [country, name, ofPart] }))
      ]
    })
  ])

/** Countries, each with its regions after it. */
export const regions = onFirstUse(() => regionsOf(new (dateHolidays())()))

const codes = onFirstUse(() => new Set(regions().map(({ code }) => code)))
export const isRegion = (code: string) => codes().has(code)

/** The local time of day, in seconds, at which a holiday closes its day: not one that begins at noon, but one that began at sunset. */
const MORNING = 8 * HOUR

/** The holidays of a year, by local day (days since 1970-01-01). Two of one day are both listed. */
export const holidaysOf = (region: string, year: number) => {
  const [country = "", state = "", part = ""] = region.split("-")
  const calendar = new (dateHolidays())(country, state, part, { types: ["public"] })
  // Given up for the long-term care insurance, except in Saxony
  if (country === "DE" && state !== "SN" && year < 1995)
    calendar.setHoliday("wednesday before 11-23", { name: "Buß- und Bettag", type: "public" })
  return calendar
    .getHolidays(year)
    .flatMap(({ date, start, end, name }) => {
      const from = Date.parse(`${date.slice(0, 19).replace(" ", "T")}Z`) / 1000 - MORNING
      const to = from + (end.getTime() - start.getTime()) / 1000
      const [first, after] = [Math.ceil(from / DAY), Math.ceil(to / DAY)]
      return Array.from({ length: after - first }, (_, at) => ({ day: first + at, name }))
    })
    .sort((a, b) => a.day - b.day)
}
