/** Holidays of the Länder against another library; where they differ, the law's text decides (Rule 3.11). */
import { expect, test } from "bun:test"
import { getHolidays, type Region } from "feiertagejs"
import {
  regions as everyRegion,
  holidaysOf,
  isRegion
} from "../../../src/capabilities/holidays/services/publicHolidays.ts"
import { isoDateOf } from "../../../src/services/scheduling/calendar/dates.ts"

const regions = "BW BY BE BB HB HH HE MV NI NW RP SL SN ST SH TH".split(" ").map((land) => `DE-${land}`)
const ours = (region: string, year: number) => new Set(holidaysOf(region, year).map(({ day }) => isoDateOf(day)))

const localDate = (date: Date) =>
  [date.getFullYear(), String(date.getMonth() + 1).padStart(2, "0"), String(date.getDate()).padStart(2, "0")].join("-")
const theirs = (region: string, year: number) =>
  new Set(getHolidays(year, region.slice(3) as Region).map(({ date }) => localDate(date)))

/** Differences that the law's text decides for us. */
const REASONED: ReadonlyArray<{
  readonly is: (region: string, date: string) => boolean
  readonly why: string
}> = [
  {
    is: (region, date) => region === "DE-BY" && date.endsWith("-08-15"),
    why: "Art. 1 (1) Nr. 2 BayFTG: only in municipalities with a Catholic majority"
  },
  {
    is: (region, date) => region === "DE-BE" && ["2020-05-08", "2025-05-08", "2028-06-17"].includes(date),
    why: "one-off days of Berlin's law, which the library does not have"
  },
  {
    is: (region, date) =>
      ["DE-HB", "DE-HH", "DE-NI", "DE-SH"].includes(region) && date.endsWith("-10-31") && date < "2017",
    why: "the four laws of 2018 do not reach back, except for 2017"
  }
]

test("2000 to 2035 as feiertagejs, but for the reasoned differences", () => {
  const unexplained: Array<string> = []
  let compared = 0
  for (const region of regions)
    for (let year = 2000; year <= 2035; year++) {
      const own = ours(region, year)
      compared += own.size
      for (const date of own.symmetricDifference(theirs(region, year)))
        if (!REASONED.some((one) => one.is(region, date))) unexplained.push(`${region} ${date}`)
    }
  expect(unexplained).toEqual([])
  expect(compared).toBeGreaterThan(16 * 36 * 9)
})

test("days of other countries and their regions, with those of several days", () => {
  expect(ours("AT", 2027)).toContain("2027-10-26")
  expect(ours("CH-ZH", 2027)).toContain("2027-08-01")
  expect(ours("DE-BY-KATH", 2027)).toContain("2027-08-15")
  expect(ours("DE-BY", 2027)).not.toContain("2027-08-15")
  // three days of Ramazan Bayramı, and the afternoon before
  for (const day of ["10", "11", "12"]) expect(ours("TR", 2027)).toContain(`2027-03-${day}`)
  // Yom Kippur begins at sunset of the day before
  expect(ours("IL", 2027)).toContain("2027-10-11")
  // Christmas Eve in Iceland begins at one o'clock
  expect(ours("IS", 2027)).not.toContain("2027-12-24")
})

test("every region has holidays", () => {
  for (const { code } of everyRegion()) {
    expect(isRegion(code)).toBe(true)
    expect(code.length).toBeLessThanOrEqual(16)
    expect([code, holidaysOf(code, 2027).length > 0]).toEqual([code, true])
  }
  expect(isRegion("DE-XX")).toBe(false)
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
