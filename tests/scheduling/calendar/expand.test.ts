/** Busy ranges of calendar files: recurrence, exceptions, zones, floating times, days. */
import { expect, test } from "bun:test"
import {
  CalendarUnreadable,
  type ExpandRequest,
  expand,
  type Unreadable
} from "../../../src/layers/calendars/expand.ts"

const at = (iso: string) => Date.parse(iso) / 1000
const calendar = (...lines: ReadonlyArray<string>) =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN", ...lines, "END:VCALENDAR", ""].join("\r\n")
const event = (...lines: ReadonlyArray<string>) => ["BEGIN:VEVENT", ...lines, "END:VEVENT"]
const zone = (tzid: string, offset: string) => [
  "BEGIN:VTIMEZONE",
  `TZID:${tzid}`,
  "BEGIN:STANDARD",
  "DTSTART:19700101T000000",
  `TZOFFSETFROM:${offset}`,
  `TZOFFSETTO:${offset}`,
  "END:STANDARD",
  "END:VTIMEZONE"
]

/** In March and April 2026; the clocks of Europe change on 29 March. */
const expanded = (lines: ReadonlyArray<string>, changes: Partial<ExpandRequest> = {}) =>
  expand({
    text: calendar(...lines),
    timezone: "Europe/Berlin",
    from: at("2026-03-01T00:00Z"),
    to: at("2026-05-01T00:00Z"),
    now: at("2026-03-01T00:00Z"),
    all_day_blocks: true,
    ...changes
  })
const rangesOf = (lines: ReadonlyArray<string>, changes?: Partial<ExpandRequest>) =>
  expanded(lines, changes).ranges.map((instant) => new Date(instant * 1000).toISOString().slice(0, 16))

test("a floating time is in the doctor's zone and keeps its wall-clock time across a clock change", () => {
  const daily = event("UID:1", "DTSTART:20260328T090000", "DTEND:20260328T100000", "RRULE:FREQ=DAILY;COUNT=3")
  expect(rangesOf(daily)).toEqual([
    ...["2026-03-28T08:00", "2026-03-28T09:00"],
    ...["2026-03-29T07:00", "2026-03-29T08:00"],
    ...["2026-03-30T07:00", "2026-03-30T08:00"]
  ])
  expect(rangesOf(daily, { timezone: "America/New_York" })[0]).toBe("2026-03-28T13:00")
})

test("a file's own definition of a zone counts, also under a known name", () => {
  const own = event("UID:1", "DTSTART;TZID=Europe/Berlin:20260328T090000", "DURATION:PT1H")
  expect(rangesOf([...zone("Europe/Berlin", "+0500"), ...own])).toEqual(["2026-03-28T04:00", "2026-03-28T05:00"])
  expect(rangesOf(own)).toEqual(["2026-03-28T08:00", "2026-03-28T09:00"])
})

test("names of zones without a definition: IANA's, and those of Windows", () => {
  for (const name of ["Europe/Berlin", "W. Europe Standard Time"])
    expect(
      rangesOf(event("UID:1", `DTSTART;TZID=${name}:20260330T090000`, "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=2"))
    ).toEqual(["2026-03-30T07:00", "2026-03-30T08:00", "2026-04-06T07:00", "2026-04-06T08:00"])
})

test("a deleted occurrence does not block, a moved one where it is now, also from outside of the period", () => {
  const series = event(
    "UID:1",
    "DTSTART:20260427T090000Z",
    "DTEND:20260427T100000Z",
    "RRULE:FREQ=WEEKLY;COUNT=3",
    "EXDATE:20260427T090000Z"
  )
  const moved = event("UID:1", "RECURRENCE-ID:20260504T090000Z", "DTSTART:20260420T120000Z", "DTEND:20260420T130000Z")
  const cancelled = event("UID:1", "RECURRENCE-ID:20260511T090000Z", "DTSTART:20260429T090000Z", "STATUS:CANCELLED")
  expect(rangesOf([...series, ...moved, ...cancelled])).toEqual(["2026-04-20T12:00", "2026-04-20T13:00"])
})

test("a change of this and all later occurrences", () => {
  const series = event("UID:1", "DTSTART:20260302T090000Z", "DTEND:20260302T100000Z", "RRULE:FREQ=WEEKLY;COUNT=3")
  const later = event(
    "UID:1",
    "RECURRENCE-ID;RANGE=THISANDFUTURE:20260309T090000Z",
    "DTSTART:20260309T140000Z",
    "DTEND:20260309T150000Z"
  )
  expect(rangesOf([...series, ...later])).toEqual([
    ...["2026-03-02T09:00", "2026-03-02T10:00"],
    ...["2026-03-09T14:00", "2026-03-09T15:00"],
    ...["2026-03-16T14:00", "2026-03-16T15:00"]
  ])
})

test("days are the doctor's, end before their DTEND, and block only where they are to", () => {
  const holiday = event("UID:1", "DTSTART;VALUE=DATE:20260328", "DTEND;VALUE=DATE:20260330")
  expect(rangesOf(holiday)).toEqual(["2026-03-27T23:00", "2026-03-29T22:00"])
  expect(rangesOf(event("UID:1", "DTSTART;VALUE=DATE:20260328"))).toEqual(["2026-03-27T23:00", "2026-03-28T23:00"])
  const { ranges, events, all_day_events } = expanded(holiday, { all_day_blocks: false })
  expect({ ranges, events, all_day_events }).toEqual({ ranges: [], events: 1, all_day_events: 1 })
})

test("transparent, cancelled and empty events do not block; overlapping ones are one range", () => {
  const timed = (uid: number, from: string, to: string, ...more: ReadonlyArray<string>) =>
    event(`UID:${uid}`, `DTSTART:20260310T${from}00Z`, `DTEND:20260310T${to}00Z`, ...more)
  expect(
    rangesOf([
      ...timed(1, "0900", "1000", "TRANSP:TRANSPARENT"),
      ...timed(2, "0900", "1000", "STATUS:CANCELLED"),
      ...timed(3, "1100", "1100"),
      ...timed(4, "1200", "1300"),
      ...timed(5, "1230", "1400", "TRANSP:OPAQUE"),
      ...timed(6, "1400", "1430", "STATUS:TENTATIVE")
    ])
  ).toEqual(["2026-03-10T12:00", "2026-03-10T14:30"])
})

test("published free and busy times", () => {
  expect(
    rangesOf([
      "BEGIN:VFREEBUSY",
      "FREEBUSY;FBTYPE=BUSY:20260401T100000Z/PT30M",
      "FREEBUSY;FBTYPE=FREE:20260401T110000Z/PT30M",
      "END:VFREEBUSY"
    ])
  ).toEqual(["2026-04-01T10:00", "2026-04-01T10:30"])
})

test("events in the next four weeks are counted", () => {
  const daily = event("UID:1", "DTSTART:20260201T090000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY")
  const { events, all_day_events } = expanded(daily)
  expect({ events, all_day_events }).toEqual({ events: 28, all_day_events: 0 })
})

test("a file that cannot be read says why", () => {
  const reasonFor = (text: string): Unreadable | "read" => {
    try {
      expand({ text, timezone: "Europe/Berlin", from: 0, to: 1, now: 0, all_day_blocks: true })
      return "read"
    } catch (error) {
      if (error instanceof CalendarUnreadable) return error.reason
      throw error
    }
  }
  expect(reasonFor("<!doctype html><title>Sign in</title>")).toBe("not_a_calendar")
  const whole = calendar(...event("UID:1", "DTSTART:20260310T090000Z", "DURATION:PT1H"))
  expect(reasonFor(whole)).toBe("read")
  expect(reasonFor(whole.slice(0, -20))).toBe("cut_short")
  expect(reasonFor(calendar(...event("UID:1", "DTSTART:2026031009"), "RRULE:x"))).toBe("malformed")
  const secondly = event("UID:1", "DTSTART:20260310T090000Z", "DURATION:PT1S", "RRULE:FREQ=SECONDLY;INTERVAL=2")
  expect(() => expanded(secondly)).toThrow("too_large")
})

test("an excluded time counts also after one that is no occurrence", () => {
  const biweekly = event(
    "UID:1",
    "DTSTART:20260302T090000Z",
    "DURATION:PT1H",
    "RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=3",
    "EXDATE:20260309T090000Z,20260316T090000Z"
  )
  expect(rangesOf(biweekly)).toEqual([
    ...["2026-03-02T09:00", "2026-03-02T10:00"],
    ...["2026-03-30T09:00", "2026-03-30T10:00"]
  ])
})

test("a series of single dates has its first, and each in its own zone", () => {
  const dates = event(
    "UID:1",
    "DTSTART;TZID=Europe/Berlin:20260302T090000",
    "DURATION:PT1H",
    "RDATE;TZID=Europe/Berlin:20260330T090000",
    "RDATE:20260331T090000Z",
    "RDATE;VALUE=PERIOD:20260401T100000Z/PT2H"
  )
  expect(rangesOf(dates)).toEqual([
    ...["2026-03-02T08:00", "2026-03-02T09:00"],
    ...["2026-03-30T07:00", "2026-03-30T08:00"],
    ...["2026-03-31T09:00", "2026-03-31T10:00"],
    ...["2026-04-01T10:00", "2026-04-01T12:00"]
  ])
})

test("a duty over night ends at its hour, also where the first one lies across a clock change", () => {
  const duty = event(
    "UID:1",
    "DTSTART;TZID=Europe/Berlin:20260328T220000",
    "DTEND;TZID=Europe/Berlin:20260329T060000",
    "RRULE:FREQ=WEEKLY;COUNT=2"
  )
  expect(rangesOf(duty)).toEqual([
    ...["2026-03-28T21:00", "2026-03-29T04:00"],
    ...["2026-04-04T20:00", "2026-04-05T04:00"]
  ])
})

test("a rule that ends on a date has that day's occurrence; a date excludes the day's", () => {
  const daily = event(
    "UID:1",
    "DTSTART:20260310T090000Z",
    "DURATION:PT1H",
    "RRULE:FREQ=DAILY;UNTIL=20260312",
    "EXDATE;VALUE=DATE:20260311"
  )
  expect(rangesOf(daily)).toEqual([
    ...["2026-03-10T09:00", "2026-03-10T10:00"],
    ...["2026-03-12T09:00", "2026-03-12T10:00"]
  ])
})

test("rules of all kinds, whether stepped through here or by the library", () => {
  const daysOf = (rule: string) =>
    rangesOf(event("UID:1", "DTSTART:20260302T090000Z", "DURATION:PT1H", `RRULE:${rule}`))
      .filter((_, at) => at % 2 === 0)
      .map((text) => text.slice(5, 10))
  expect(daysOf("FREQ=DAILY;INTERVAL=10;COUNT=3")).toEqual(["03-02", "03-12", "03-22"])
  expect(daysOf("FREQ=WEEKLY;INTERVAL=2;BYDAY=FR,MO;COUNT=4")).toEqual(["03-02", "03-06", "03-16", "03-20"])
  expect(daysOf("FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=SU,MO;COUNT=3")).toEqual(["03-02", "03-15", "03-16"])
  expect(daysOf("FREQ=WEEKLY;BYMONTH=4;UNTIL=20260414T000000Z")).toEqual(["03-02", "04-06", "04-13"])
  expect(daysOf("FREQ=DAILY;BYDAY=MO;UNTIL=20260316T090000Z")).toEqual(["03-02", "03-09", "03-16"])
  expect(daysOf("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=-1;UNTIL=20260401T090000Z")).toEqual(["03-02", "03-30"])
})
