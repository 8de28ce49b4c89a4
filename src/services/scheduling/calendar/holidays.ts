/**
 * Public holidays of the sixteen Länder, computed from their laws (Rule 3.11). Right for 1990 to 2100. Days that a law grants to some
 * municipalities only are not of the Land: Mariä Himmelfahrt in Bavaria, Fronleichnam in Saxony and Thuringia, Augsburg's Friedensfest.
 */
import type { HolidayRegion } from "../../../schemas/scheduling/Holiday.ts"
import { weekdayOf } from "../slots/windows.ts"
import { dayOf } from "./dates.ts"

export interface Holiday {
  /** Days since 1970-01-01. */
  readonly day: number
  readonly name: string
}

/** Easter Sunday by the Gregorian reckoning (Meeus, Jones, Butcher), in days since 1970-01-01. */
export const easterSunday = (year: number): number => {
  const a = year % 19
  const [b, c] = [Math.floor(year / 100), year % 100]
  const [d, e] = [Math.floor(b / 4), b % 4]
  const f = Math.floor((b + 8) / 25)
  const g = Math.floor((b - f + 1) / 3)
  const h = (19 * a + b - d - g + 15) % 30
  const [i, k] = [Math.floor(c / 4), c % 4]
  const l = (32 + 2 * e + 2 * i - h - k) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const n = h + l - 7 * m + 114
  return dayOf(year, Math.floor(n / 31), (n % 31) + 1)
}

/** The Wednesday before 23 November. */
const repentanceDay = (year: number): number => {
  const day = dayOf(year, 11, 22)
  return day - ((weekdayOf(day) - 2 + 7) % 7)
}

type DayOfYear = (year: number) => number
const on =
  (month: number, day: number): DayOfYear =>
  (year) =>
    dayOf(year, month, day)
const easter =
  (offset: number): DayOfYear =>
  (year) =>
    easterSunday(year) + offset

type Land = HolidayRegion extends `DE-${infer Code}` ? Code : never
interface Rule {
  readonly name: string
  readonly day: DayOfYear
  readonly lands: "all" | ReadonlyArray<Land>
  /** First and last year; open where absent. */
  readonly since?: number
  readonly until?: number
}

/** One row a day and law, in the order of the year. */
const RULES: ReadonlyArray<Rule> = [
  { name: "Neujahr", day: on(1, 1), lands: "all" },
  { name: "Heilige Drei Könige", day: on(1, 6), lands: ["BW", "BY", "ST"] },
  { name: "Internationaler Frauentag", day: on(3, 8), lands: ["BE"], since: 2019 },
  { name: "Internationaler Frauentag", day: on(3, 8), lands: ["MV"], since: 2023 },
  { name: "Karfreitag", day: easter(-2), lands: "all" },
  { name: "Ostersonntag", day: easter(0), lands: ["BB"] },
  { name: "Ostermontag", day: easter(1), lands: "all" },
  { name: "Tag der Arbeit", day: on(5, 1), lands: "all" },
  // 75 and 80 years after the end of the war
  { name: "Tag der Befreiung", day: on(5, 8), lands: ["BE"], since: 2020, until: 2020 },
  { name: "Tag der Befreiung", day: on(5, 8), lands: ["BE"], since: 2025, until: 2025 },
  { name: "Christi Himmelfahrt", day: easter(39), lands: "all" },
  { name: "Pfingstsonntag", day: easter(49), lands: ["BB"] },
  { name: "Pfingstmontag", day: easter(50), lands: "all" },
  { name: "Fronleichnam", day: easter(60), lands: ["BW", "BY", "HE", "NW", "RP", "SL"] },
  // 75 years after the uprising of 1953
  { name: "75. Jahrestag des Volksaufstandes", day: on(6, 17), lands: ["BE"], since: 2028, until: 2028 },
  { name: "Mariä Himmelfahrt", day: on(8, 15), lands: ["SL"] },
  { name: "Weltkindertag", day: on(9, 20), lands: ["TH"], since: 2019 },
  { name: "Tag der Deutschen Einheit", day: on(10, 3), lands: "all" },
  { name: "Reformationstag", day: on(10, 31), lands: ["BB", "MV", "SN", "ST", "TH"] },
  // 500 years after the theses
  {
    name: "Reformationstag",
    day: on(10, 31),
    lands: ["BW", "BY", "BE", "HB", "HH", "HE", "NI", "NW", "RP", "SL", "SH"],
    since: 2017,
    until: 2017
  },
  { name: "Reformationstag", day: on(10, 31), lands: ["HB", "HH", "NI", "SH"], since: 2018 },
  { name: "Allerheiligen", day: on(11, 1), lands: ["BW", "BY", "NW", "RP", "SL"] },
  // Given up for the long-term care insurance, except in Saxony
  { name: "Buß- und Bettag", day: repentanceDay, lands: "all", until: 1994 },
  { name: "Buß- und Bettag", day: repentanceDay, lands: ["SN"], since: 1995 },
  { name: "1. Weihnachtstag", day: on(12, 25), lands: "all" },
  { name: "2. Weihnachtstag", day: on(12, 26), lands: "all" }
]

/** The holidays of a year in a Land, by day. Two of one day (Christi Himmelfahrt on 1 May) are both listed. */
export const holidaysOf = (region: HolidayRegion, year: number): ReadonlyArray<Holiday> => {
  const land = region.slice(3)
  return RULES.filter(
    ({ lands, since = year, until = year }) =>
      since <= year && year <= until && (lands === "all" || lands.some((one) => one === land))
  )
    .map(({ name, day }) => ({ name, day: day(year) }))
    .sort((a, b) => a.day - b.day)
}
