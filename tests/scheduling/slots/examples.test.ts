import { describe, expect, test } from "bun:test"
import { canonicalZone, isZone } from "../../../src/schemas/timeZones.ts"
import type { DateOverride, Rule } from "../../../src/services/scheduling/slots/calendar.ts"
import { cutDoctor, offeringOf } from "../../../src/services/scheduling/slots/cut.ts"
import { calendar, engineSearch } from "./engine.ts"
import type { NaiveDoctor } from "./naive.ts"

const DAY = 86_400
const type = { uid: "type_a", duration_minutes: 60 }

const rule = (fields: Partial<Rule>): Rule => ({
  weekday: 0,
  start_time: 540,
  end_time: 720,
  buffer_minutes: 0,
  valid_from: null,
  valid_until: null,
  appointment_type_uid: null,
  ...fields
})

const everyDay = (fields: Partial<Rule>) => [0, 1, 2, 3, 4, 5, 6].map((weekday) => rule({ ...fields, weekday }))

const override = (date: string, fields: Partial<DateOverride>): DateOverride => ({
  date: Date.parse(`${date}T00:00Z`) / 1000,
  start_time: null,
  end_time: null,
  buffer_minutes: 0,
  appointment_type_uid: null,
  ...fields
})

const doctor = (fields: Partial<NaiveDoctor>): NaiveDoctor => ({
  doctor_uid: "doc_1",
  doctor_name: "Doctor",
  timezone: "Europe/Berlin",
  notice_minutes: 0,
  rules: [],
  overrides: [],
  appointments: [],
  ...fields
})

const at = (text: string) => Date.parse(text) / 1000

/** Local starts on one calendar date, as `09:00+01:00`. */
const startsOn = (date: string, who: NaiveDoctor, length = 60): ReadonlyArray<string> => {
  const from = at(`${date}T00:00Z`) - DAY
  const text = engineSearch(
    [who],
    { ...type, duration_minutes: length },
    { from, to: from + 3 * DAY, now: 0 },
    who.timezone
  )
  const { slots } = JSON.parse(text) as { slots: ReadonlyArray<{ start_local: string }> }
  return slots
    .filter((slot) => slot.start_local.startsWith(date))
    .map(({ start_local }) => start_local.slice(11, 16) + start_local.slice(19))
}

test("a day on which the clocks change", () => {
  const on = (timezone: string, date: string, [start_time, end_time]: readonly [number, number], length?: number) =>
    startsOn(date, doctor({ timezone, rules: everyDay({ start_time, end_time }) }), length).join(" ")
  // a window across the spring change keeps slots of true length
  expect(on("Europe/Berlin", "2026-03-29", [60, 300])).toBe("01:00+01:00 03:00+02:00 04:00+02:00")
  // a start that does not exist moves forward by the gap
  expect(on("Europe/Berlin", "2026-03-29", [150, 300])).toBe("03:30+02:00")
  // a repeated time is its first occurrence
  expect(on("Europe/Berlin", "2026-10-25", [120, 240])).toBe("02:00+02:00 02:00+01:00 03:00+01:00")
  // midnight is skipped
  expect(on("Asia/Beirut", "2026-03-29", [0, 120])).toBe("01:00+03:00")
  expect(on("America/Havana", "2026-03-08", [0, 120])).toBe("01:00-04:00")
  expect(on("America/Santiago", "2026-09-06", [0, 120])).toBe("01:00-03:00")
  // 24:00 of the evening before a skipped midnight is the moment of the change
  expect(on("Asia/Beirut", "2026-03-28", [1320, 1440])).toBe("22:00+02:00 23:00+02:00")
  // the last hour of a Saturday comes twice
  expect(on("America/Santiago", "2026-04-04", [1380, 1440])).toBe("23:00-03:00 23:00-04:00")
  // a change by half an hour
  expect(on("Australia/Lord_Howe", "2026-10-04", [90, 240], 30)).toBe("01:30+10:30 02:30+11:00 03:00+11:00 03:30+11:00")
})

describe("overrides and scopes", () => {
  // 2026-06-01 is a Monday.
  const rules = [rule({}), rule({ start_time: 900, end_time: 960, appointment_type_uid: "type_a" })]
  const weekly = ["09:00+02:00", "10:00+02:00", "11:00+02:00", "15:00+02:00"]
  const window = { start_time: 480, end_time: 540 }
  const late = { start_time: 1380, end_time: 1440 }
  const [own, other] = [{ appointment_type_uid: "type_a" }, { appointment_type_uid: "type_b" }]
  const on = (fields: Partial<DateOverride>) => override("2026-06-01", fields)
  const cases: ReadonlyArray<readonly [string, ReadonlyArray<DateOverride>, ReadonlyArray<string>]> = [
    ["without any, rules of no scope and of the type's own count", [], weekly],
    ["a window suppresses the rules", [on(window)], ["08:00+02:00"]],
    ["a window of another type's scope does not", [on({ ...window, ...other })], weekly],
    ["a day off closes the date", [on({})], []],
    ["a day off of another type's scope does not", [on(other)], weekly],
    ["a day off of no scope leaves the type's own window", [on({}), on({ ...window, ...own })], ["08:00+02:00"]],
    ["a day off of the type's scope closes it, windows of no scope or not", [on(window), on(own)], []],
    [
      "windows of no scope and of the type's own add up",
      [on(window), on({ ...late, ...own })],
      ["08:00+02:00", "23:00+02:00"]
    ],
    ["another date's override does nothing", [override("2026-06-02", {})], weekly]
  ]
  test.each(cases)("%s", (_, overrides, expected) => {
    expect(startsOn("2026-06-01", doctor({ rules, overrides }))).toEqual([...expected])
  })
})

describe("bounds", () => {
  const monday = at("2026-06-01T07:00Z") // 09:00 in Berlin
  const who = doctor({ rules: [rule({ end_time: 660 })] })
  const range = { from: monday, to: monday + 7200, now: 0 }
  const starts = (one: NaiveDoctor, bounds: Partial<typeof range> = {}) =>
    cutDoctor(calendar(one), type, { ...range, ...bounds }).map((start) => (start - monday) / 60)

  test("`from` is inclusive, `to` is exclusive", () => {
    expect(starts(who)).toEqual([0, 60])
    expect(starts(who, { from: monday + 1 })).toEqual([60])
    expect(starts(who, { to: monday + 3600 })).toEqual([0])
    expect(starts(who, { to: monday + 3601 })).toEqual([0, 60])
  })

  test("a slot may start exactly when the notice allows", () => {
    const careful = { ...who, notice_minutes: 30 }
    expect(starts(careful, { now: monday - 1800 })).toEqual([0, 60])
    expect(starts(careful, { now: monday - 1799 })).toEqual([60])
  })

  test("validity is [valid_from, valid_until) of the start", () => {
    const valid = (bounds: Partial<Rule>) => starts(doctor({ rules: [rule({ end_time: 660, ...bounds })] }))
    expect(valid({ valid_from: monday })).toEqual([0, 60])
    expect(valid({ valid_from: monday + 1 })).toEqual([60])
    expect(valid({ valid_until: monday + 3600 })).toEqual([0])
    expect(valid({ valid_until: monday + 3601 })).toEqual([0, 60])
  })

  test("an appointment at the buffer's distance leaves a slot, a nearer one takes it", () => {
    const buffered = (start: number, end: number) =>
      starts(
        doctor({ rules: [rule({ end_time: 610, buffer_minutes: 10 })], appointments: [[monday + start, monday + end]] })
      )
    expect(buffered(-3600, -600)).toEqual([0])
    expect(buffered(-3600, -599)).toEqual([])
    expect(buffered(4200, 5000)).toEqual([0])
    expect(buffered(4199, 5000)).toEqual([])
  })

  test("overlapping rules have their own grids, and an equal start appears once", () => {
    const rules = [rule({ end_time: 660 }), rule({ start_time: 570, end_time: 660 }), rule({ end_time: 660 })]
    expect(starts(doctor({ rules }))).toEqual([0, 30, 60])
  })

  test("the ends of the calendar give no slots and no error", () => {
    const everyday = calendar(doctor({ rules: everyDay({}) }))
    for (const from of [Number.MIN_SAFE_INTEGER, -8.64e12 - 31 * DAY, 8.64e12, Number.MAX_SAFE_INTEGER - 31 * DAY]) {
      expect(cutDoctor(everyday, type, { from, to: from + 31 * DAY, now: from })).toEqual([])
    }
    expect(cutDoctor({ ...everyday, notice_minutes: Number.MAX_SAFE_INTEGER }, type, range)).toEqual([])
  })
})

test("one start is free, taken, or not offered at all", () => {
  const monday = at("2026-06-01T07:00Z")
  const who = calendar(doctor({ rules: [rule({})], appointments: [[monday, monday + 60]] }))
  expect(offeringOf(who, type, monday, 0)).toBe("taken")
  expect(offeringOf(who, type, monday + 3600, 0)).toBe("free")
  expect(offeringOf(who, type, monday + 3601, 0)).toBe("not_offered")
  expect(offeringOf(who, type, monday + 3600, monday + 3601)).toBe("not_offered")
})

test("zones are IANA names, in any case", () => {
  for (const name of ["Europe/Berlin", "europe/berlin", "UTC", "Etc/GMT+5", "Asia/Calcutta"])
    expect(isZone(name)).toBe(true)
  for (const name of ["", "Mars/Olympus", "+02:00", "2026-01-01T00:00Z[Europe/Berlin]", `Europe/${"x".repeat(99)}`]) {
    expect(isZone(name)).toBe(false)
  }
})

// Shows: filling a cache with spellings of a time zone
test("a zone has one name, however it is spelled", () => {
  const spellings = ["Europe/Berlin", "europe/berlin", "EUROPE/BERLIN", "eUrOpE/bErLiN"]
  expect(new Set(spellings.map(canonicalZone))).toEqual(new Set(["Europe/Berlin"]))
})

test("each start of a date's windows on one grid is found once, whatever the number of windows", () => {
  const type = { uid: "type_1", duration_minutes: 1 }
  const from = Date.UTC(2026, 2, 2) / 1000
  const window = { date: from, start_time: 0, end_time: 1440, buffer_minutes: 0, appointment_type_uid: null }
  const overlapping = Array.from({ length: 1_000 }, (_, i) => ({ ...window, start_time: i }))
  const doctor = calendar({
    doctor_uid: "doc_1",
    doctor_name: "Doctor",
    timezone: "UTC",
    notice_minutes: 0,
    rules: [],
    overrides: [...overlapping, { ...window, buffer_minutes: 1 }],
    appointments: [[from + 60, from + 120]]
  })
  const starts = cutDoctor(doctor, type, { from, to: from + DAY, now: from })
  expect(starts).toEqual(Array.from({ length: 1_440 }, (_, i) => from + i * 60).filter((start) => start !== from + 60))
})
