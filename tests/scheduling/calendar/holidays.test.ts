/** Holidays of the Länder against two libraries; where they differ, the law's text decides (Rule 3.11). */
import { expect, test } from "bun:test"
import DateHolidays from "date-holidays"
import { getHolidays, type Region } from "feiertagejs"
import { HolidayRegion } from "../../../src/schemas/scheduling/Holiday.ts"
import { isoDateOf } from "../../../src/services/scheduling/calendar/dates.ts"
import { holidaysOf } from "../../../src/services/scheduling/calendar/holidays.ts"

const regions = HolidayRegion.literals
const landOf = (region: HolidayRegion) => region.slice(3)
const ours = (region: HolidayRegion, year: number) => new Set(holidaysOf(region, year).map(({ day }) => isoDateOf(day)))

const localDate = (date: Date) =>
  [date.getFullYear(), String(date.getMonth() + 1).padStart(2, "0"), String(date.getDate()).padStart(2, "0")].join("-")
const oracles: Readonly<Record<string, (region: HolidayRegion, year: number) => ReadonlySet<string>>> = {
  "date-holidays": (region, year) =>
    new Set(
      new DateHolidays("DE", landOf(region))
        .getHolidays(year)
        .filter(({ type }) => type === "public")
        .map(({ date }) => date.slice(0, 10))
    ),
  feiertagejs: (region, year) => new Set(getHolidays(year, landOf(region) as Region).map(({ date }) => localDate(date)))
}

/** Differences from an oracle that the law's text decides for us. */
const REASONED: ReadonlyArray<{
  readonly oracle: keyof typeof oracles
  readonly is: (region: HolidayRegion, date: string) => boolean
  readonly why: string
}> = [
  {
    oracle: "feiertagejs",
    is: (region, date) => region === "DE-BY" && date.endsWith("-08-15"),
    why: "Art. 1 (1) Nr. 2 BayFTG: only in municipalities with a Catholic majority"
  },
  {
    oracle: "feiertagejs",
    is: (region, date) => region === "DE-BE" && ["2020-05-08", "2025-05-08", "2028-06-17"].includes(date),
    why: "one-off days of Berlin's law, which the library does not have"
  },
  {
    oracle: "feiertagejs",
    is: (region, date) =>
      ["DE-HB", "DE-HH", "DE-NI", "DE-SH"].includes(region) && date.endsWith("-10-31") && date < "2017",
    why: "the four laws of 2018 do not reach back, except for 2017"
  }
]

for (const [oracle, of] of Object.entries(oracles))
  test(`2000 to 2035 as ${oracle}, but for the reasoned differences`, () => {
    const unexplained: Array<string> = []
    let compared = 0
    for (const region of regions)
      for (let year = 2000; year <= 2035; year++) {
        const [own, theirs] = [ours(region, year), of(region, year)]
        compared += own.size
        for (const date of own.symmetricDifference(theirs))
          if (!REASONED.some((one) => one.oracle === oracle && one.is(region, date)))
            unexplained.push(`${region} ${date}`)
      }
    expect(unexplained).toEqual([])
    expect(compared).toBeGreaterThan(16 * 36 * 9)
  })

test("days of the years before the libraries' own", () => {
  // Buß- und Bettag was a holiday of every Land until 1994
  for (const region of regions) {
    expect(ours(region, 1994)).toContain("1994-11-16")
    expect(ours(region, 1995).has("1995-11-22")).toBe(region === "DE-SN")
  }
  expect(ours("DE-NI", 1990)).toContain("1990-10-03")
  expect(ours("DE-TH", 2018)).not.toContain("2018-09-20")
  expect(ours("DE-TH", 2019)).toContain("2019-09-20")
  expect(ours("DE-MV", 2022)).not.toContain("2022-03-08")
  expect(ours("DE-MV", 2023)).toContain("2023-03-08")
})

test("31 October 2017 is a holiday everywhere", () => {
  for (const region of regions) expect(ours(region, 2017)).toContain("2017-10-31")
})

test("Easter to the end of the calendar", () => {
  const easter = (year: number) => {
    const found = holidaysOf("DE-BB", year).find(({ name }) => name === "Ostersonntag")
    return found === undefined ? undefined : isoDateOf(found.day)
  }
  // The earliest and the latest of the period, and its ends
  expect([1990, 2008, 2038, 2100].map(easter)).toEqual(["1990-04-15", "2008-03-23", "2038-04-25", "2100-03-28"])
})
