/** Calendars of five programs' forms and random ones: the service's ranges are those of a second, plain reader. Rule 3.12. */
import { expect, test } from "bun:test"
import { expand } from "../../../src/layers/calendars/expand.ts"
import { numbersFrom } from "../../support/numbers.ts"
import { sized } from "../../support/scale.ts"
import { plainRanges } from "./plainReader.ts"
import { programs } from "./programs.ts"

const at = (iso: string) => Date.parse(iso) / 1000
const period = { from: at("2026-01-01T00:00Z"), to: at("2027-03-01T00:00Z") }
const zones = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "America/St_Johns"]

const compare = (
  text: string,
  timezone: string,
  all_day_blocks: boolean,
  names: Readonly<Record<string, string>> = {}
) => {
  const { ranges } = expand({ text, timezone, ...period, now: period.from, all_day_blocks })
  const plain = plainRanges({ text, timezone, ...period, all_day_blocks, zones: names })
  expect({ text, timezone, all_day_blocks, ranges }).toEqual({ text, timezone, all_day_blocks, ranges: plain })
  return ranges.length
}

test.each(programs)("$program: the ranges of both readers", ({ text, names }) => {
  for (const timezone of zones) {
    expect(compare(text, timezone, true, names)).toBeGreaterThan(10)
    compare(text, timezone, false, names)
  }
})

const two = (n: number) => String(n).padStart(2, "0")
const CODES = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]

/** A calendar of some events with rules, exceptions, zones and states. Times of the day lie outside of clock changes. */
const randomCalendar = (seed: number) => {
  const below = numbersFrom(seed * 7919)
  const oneOf = <A>(all: ReadonlyArray<A>) => all[below(all.length)] as A
  const chance = (percent: number) => below(100) < percent
  const lines: Array<string> = []
  for (let event = 0; event < 2 + below(5); event++) {
    const day = new Date(Date.UTC(2025, 9 + below(9), 1 + below(28)))
    const isDate = chance(25)
    const zone = oneOf(["", "Z", ...zones])
    const form = (date: Date, hour: number, minute: number) => {
      const text = `${date.getUTCFullYear()}${two(date.getUTCMonth() + 1)}${two(date.getUTCDate())}`
      return isDate ? text : `${text}T${two(hour)}${two(minute)}00${zone === "Z" ? "Z" : ""}`
    }
    const [hour, minute] = [5 + below(14), oneOf([0, 15, 30])]
    const named = isDate ? ";VALUE=DATE" : zone === "" || zone === "Z" ? "" : `;TZID=${zone}`
    const until = chance(50) ? "Z" : ""
    const limit = oneOf([
      "",
      `;COUNT=${1 + below(40)}`,
      `;UNTIL=${isDate ? "20260815" : zone === "" ? "20260815T120000" : `20260815T120000${until === "" ? "Z" : until}`}`
    ])
    const interval = chance(40) ? `;INTERVAL=${1 + below(4)}` : ""
    const start = CODES[day.getUTCDay()] as string
    const rule = oneOf([
      "",
      `FREQ=DAILY${interval}`,
      `FREQ=WEEKLY${interval}`,
      `FREQ=WEEKLY${interval};BYDAY=${[...new Set([start, oneOf(CODES), oneOf(CODES)])].join(",")}`,
      `FREQ=WEEKLY${interval};WKST=SU;BYDAY=${[...new Set([start, oneOf(CODES)])].join(",")}`,
      `FREQ=MONTHLY${interval};BYMONTHDAY=${day.getUTCDate()}`,
      `FREQ=MONTHLY${interval};BYDAY=${Math.ceil(day.getUTCDate() / 7)}${start}`,
      `FREQ=YEARLY;BYMONTH=${day.getUTCMonth() + 1};BYMONTHDAY=${day.getUTCDate()}`
    ])
    const later = (days: number) => new Date(day.getTime() + days * 86_400_000)
    const uid = `event-${seed}-${event}`
    lines.push("BEGIN:VEVENT", `UID:${uid}`, `DTSTART${named}:${form(day, hour, minute)}`)
    if (isDate) lines.push(`DTEND;VALUE=DATE:${form(later(1 + below(3)), 0, 0)}`)
    else if (chance(50)) lines.push(`DTEND${named}:${form(day, hour + 1 + below(3), minute)}`)
    else lines.push(`DURATION:PT${15 * (1 + below(8))}M`)
    if (rule !== "") lines.push(`RRULE:${rule}${limit}`)
    if (rule !== "" && chance(40))
      lines.push(`EXDATE${named}:${form(later(7), hour, minute)},${form(later(14), hour, minute)}`)
    if (chance(20)) lines.push(`RDATE${named}:${form(later(3), hour, minute)}`)
    if (chance(10)) lines.push("TRANSP:TRANSPARENT")
    if (chance(10)) lines.push("STATUS:CANCELLED")
    lines.push("END:VEVENT")
    if (rule.startsWith("FREQ=WEEKLY") && chance(50))
      lines.push(
        "BEGIN:VEVENT",
        `UID:${uid}`,
        `RECURRENCE-ID${named}:${form(later(21), hour, minute)}`,
        `DTSTART${named}:${form(later(22), 5 + below(14), 0)}`,
        ...(isDate ? [] : ["DURATION:PT45M"]),
        ...(chance(30) ? ["STATUS:CANCELLED"] : []),
        "END:VEVENT"
      )
  }
  return ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Random//EN", ...lines, "END:VCALENDAR", ""].join("\r\n")
}

test("random calendars: the ranges of both readers", () => {
  let ranges = 0
  for (let seed = 1; seed <= sized(200, 5_000); seed++)
    ranges += compare(randomCalendar(seed), zones[seed % zones.length] as string, seed % 3 > 0)
  expect(ranges).toBeGreaterThan(1_000)
}, 600_000)
