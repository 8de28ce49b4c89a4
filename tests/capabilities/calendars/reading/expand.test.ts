/** Busy ranges of calendar files: recurrence, exceptions, zones, floating times, days, and the forms of five programs. */
import { expect, test } from "bun:test"
import { type ExpandRequest, expand } from "../../../../src/capabilities/calendars/services/ics/expand.ts"
import { CalendarUnreadable, type Unreadable } from "../../../../src/capabilities/calendars/services/ics/unreadable.ts"

const at = (iso: string) => Date.parse(iso) / 1000
const calendar = (...lines: ReadonlyArray<string>) =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN", ...lines, "END:VCALENDAR", ""].join("\r\n")
const event = (...lines: ReadonlyArray<string>) => ["BEGIN:VEVENT", ...lines, "END:VEVENT"]
const offset = (part: string, start: string, from: string, to: string, ...rule: ReadonlyArray<string>) => [
  `BEGIN:${part}`,
  ...[`DTSTART:${start}`, `TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`, ...rule],
  `END:${part}`
]
const zone = (tzid: string, ...offsets: ReadonlyArray<string>) => [
  ...["BEGIN:VTIMEZONE", `TZID:${tzid}`],
  ...offsets,
  "END:VTIMEZONE"
]
const berlin = (tzid = "Europe/Berlin", [summer, winter] = ["19810329", "19961027"]) =>
  zone(
    tzid,
    ...offset("DAYLIGHT", `${summer}T020000`, "+0100", "+0200", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU"),
    ...offset("STANDARD", `${winter}T030000`, "+0200", "+0100", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU")
  )

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
/** In UTC: `03-28 08:00–09:00`, or with both dates. */
const rangesOf = (lines: ReadonlyArray<string>, changes?: Partial<ExpandRequest>) => {
  const instants = expanded(lines, changes).ranges.map((instant) => new Date(instant * 1000).toISOString())
  return instants.flatMap((start, index) => {
    const end = instants[index + 1] ?? ""
    const isOneDay = start.slice(0, 10) === end.slice(0, 10)
    const text = (iso: string) => iso.slice(5, 16).replace("T", " ")
    return index % 2 === 1 ? [] : [`${text(start)}–${text(end).slice(isOneDay ? 6 : 0)}`]
  })
}

test("a floating time is in the doctor's zone and keeps its wall-clock time across a clock change", () => {
  const daily = event("UID:1", "DTSTART:20260328T090000", "DTEND:20260328T100000", "RRULE:FREQ=DAILY;COUNT=3")
  expect(rangesOf(daily)).toEqual(["03-28 08:00–09:00", "03-29 07:00–08:00", "03-30 07:00–08:00"])
  expect(rangesOf(daily, { timezone: "America/New_York" })[0]).toBe("03-28 13:00–14:00")
})

test("a file's own definition of a zone counts, also under a known name", () => {
  const own = event("UID:1", "DTSTART;TZID=Europe/Berlin:20260328T090000", "DURATION:PT1H")
  const east = zone("Europe/Berlin", ...offset("STANDARD", "19700101T000000", "+0500", "+0500"))
  expect(rangesOf([...east, ...own])).toEqual(["03-28 04:00–05:00"])
  expect(rangesOf(own)).toEqual(["03-28 08:00–09:00"])
})

test("names of zones without a definition: IANA's, and those of Windows", () => {
  for (const name of ["Europe/Berlin", "W. Europe Standard Time"])
    expect(
      rangesOf(event("UID:1", `DTSTART;TZID=${name}:20260330T090000`, "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=2"))
    ).toEqual(["03-30 07:00–08:00", "04-06 07:00–08:00"])
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
  expect(rangesOf([...series, ...moved, ...cancelled])).toEqual(["04-20 12:00–13:00"])
})

test("a change of this and all later occurrences", () => {
  const series = event("UID:1", "DTSTART:20260302T090000Z", "DTEND:20260302T100000Z", "RRULE:FREQ=WEEKLY;COUNT=3")
  const later = event(
    "UID:1",
    "RECURRENCE-ID;RANGE=THISANDFUTURE:20260309T090000Z",
    "DTSTART:20260309T140000Z",
    "DTEND:20260309T150000Z"
  )
  const ranges = ["03-02 09:00–10:00", "03-09 14:00–15:00", "03-16 14:00–15:00"]
  expect(rangesOf([...series, ...later])).toEqual(ranges)
})

test("days are the doctor's, end before their DTEND, and block only where they are to", () => {
  const holiday = event("UID:1", "DTSTART;VALUE=DATE:20260328", "DTEND;VALUE=DATE:20260330")
  expect(rangesOf(holiday)).toEqual(["03-27 23:00–03-29 22:00"])
  expect(rangesOf(event("UID:1", "DTSTART;VALUE=DATE:20260328"))).toEqual(["03-27 23:00–03-28 23:00"])
  // a long one began before the period
  const monthly = event("UID:1", "DTSTART;VALUE=DATE:20260124", "DURATION:P7D", "RRULE:FREQ=MONTHLY;COUNT=2")
  expect(rangesOf(monthly)).toEqual(["03-01 00:00–03-02 23:00"])
  const { ranges, events, all_day_events } = expanded(holiday, { all_day_blocks: false })
  expect({ ranges, events, all_day_events }).toEqual({ ranges: [], events: 1, all_day_events: 1 })
})

test("transparent, cancelled and empty events do not block; overlapping ones are one range, cut at the period's ends", () => {
  const timed = (uid: number, from: string, to: string, ...more: ReadonlyArray<string>) =>
    event(`UID:${uid}`, `DTSTART:2026${from}00Z`, `DTEND:2026${to}00Z`, ...more)
  expect(
    rangesOf([
      ...timed(1, "0310T0900", "0310T1000", "TRANSP:TRANSPARENT"),
      ...timed(2, "0310T0900", "0310T1000", "STATUS:CANCELLED"),
      ...timed(9, "0310T0900", "0310T1000", "TRANSP:TRANSPARENT", "RRULE:FREQ=DAILY"),
      ...timed(3, "0310T1100", "0310T1100"),
      ...timed(4, "0310T1200", "0310T1300"),
      ...timed(5, "0310T1230", "0310T1400", "TRANSP:OPAQUE"),
      ...timed(6, "0310T1400", "0310T1430", "STATUS:TENTATIVE"),
      ...timed(7, "0228T2300", "0301T0100"),
      ...timed(8, "0430T2300", "0501T0100")
    ])
  ).toEqual(["03-01 00:00–01:00", "03-10 12:00–14:30", "04-30 23:00–05-01 00:00"])
})

test("published free and busy times", () => {
  const busy = ["FREEBUSY;FBTYPE=BUSY:20260401T100000Z/PT30M", "FREEBUSY;FBTYPE=FREE:20260401T110000Z/PT30M"]
  expect(rangesOf(["BEGIN:VFREEBUSY", ...busy, "END:VFREEBUSY"])).toEqual(["04-01 10:00–10:30"])
})

test("events in the next four weeks are counted", () => {
  const again = "RDATE:20260305T090000Z"
  const daily = event("UID:1", "DTSTART:20260201T090000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY", again)
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
  expect(reasonFor(calendar(...event("UID:1", "DTSTART:2026031009"), "RRULE:x"))).toBe("read")
  const secondly = event("UID:1", "DTSTART:20260310T090000Z", "DURATION:PT1S", "RRULE:FREQ=SECONDLY;INTERVAL=2")
  expect(() => expanded(secondly)).toThrow("too_large")
})

test("a series is read by itself, whatever the library says of its rule", () => {
  const other = event("UID:2", "DTSTART:20260310T120000Z", "DURATION:PT1H")
  const skipping = event("UID:1", "DTSTART:20260310T090000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY;SKIP=OMIT")
  const { skipped_events, notice } = expanded([...skipping, ...other])
  expect([skipped_events, notice?.detail]).toEqual([1, "RRULE, 20260310T090000"])
  const times = ["03-10 09:00–10:00", "03-10 12:00–13:00"]
  expect(rangesOf([...skipping, ...other])).toEqual(times)
  const last = event("UID:1", "DTSTART:99991231T240000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY")
  expect(rangesOf([...last, ...other])).toEqual(times.slice(1))
  const ended = event(
    "UID:1",
    "DTSTART:20250310T090000Z",
    "DURATION:PT1S",
    "RRULE:FREQ=SECONDLY;UNTIL=20250310T100000Z"
  )
  expect(rangesOf([...ended, ...other])).toEqual(times.slice(1))
})

test("an excluded time counts also after one that is no occurrence", () => {
  const biweekly = event(
    "UID:1",
    "DTSTART:20260302T090000Z",
    "DURATION:PT1H",
    "RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=3",
    "EXDATE:20260309T090000Z,20260316T090000Z"
  )
  expect(rangesOf(biweekly)).toEqual(["03-02 09:00–10:00", "03-30 09:00–10:00"])
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
  const ranges = ["03-02 08:00–09:00", "03-30 07:00–08:00", "03-31 09:00–10:00", "04-01 10:00–12:00"]
  expect(rangesOf(dates)).toEqual(ranges)
})

test("a duty over night ends at its hour, also where the first one lies across a clock change", () => {
  const duty = event(
    "UID:1",
    "DTSTART;TZID=Europe/Berlin:20260328T220000",
    "DTEND;TZID=Europe/Berlin:20260329T060000",
    "RRULE:FREQ=WEEKLY;COUNT=2"
  )
  for (const own of [[], berlin()])
    expect(rangesOf([...own, ...duty])).toEqual(["03-28 21:00–03-29 04:00", "04-04 20:00–04-05 04:00"])
})

test("a rule that ends on a date has that day's occurrence; a date excludes the day's", () => {
  const daily = event(
    "UID:1",
    "DTSTART:20260310T090000Z",
    "DURATION:PT1H",
    "RRULE:FREQ=DAILY;UNTIL=20260312",
    "EXDATE;VALUE=DATE:20260311"
  )
  expect(rangesOf(daily)).toEqual(["03-10 09:00–10:00", "03-12 09:00–10:00"])
  const days = event("UID:1", "DTSTART;VALUE=DATE:20260310", "RRULE:FREQ=DAILY;UNTIL=20260312")
  expect(rangesOf(days)).toEqual(["03-09 23:00–03-12 23:00"])
  // a time without a zone is in that of the start
  const until = "RRULE:FREQ=DAILY;UNTIL=20260311T210000"
  const evening = event("UID:1", "DTSTART;TZID=America/New_York:20260310T200000", "DURATION:PT1H", until)
  expect(rangesOf(evening)).toEqual(["03-11 00:00–01:00", "03-12 00:00–01:00"])
})

test("rules of all kinds", () => {
  const daysOf = (rule: string) =>
    rangesOf(event("UID:1", "DTSTART:20260302T090000Z", "DURATION:PT1H", `RRULE:${rule}`))
      .map((range) => range.slice(0, 5))
      .join(" ")
  expect(daysOf("FREQ=DAILY;INTERVAL=10;COUNT=3")).toBe("03-02 03-12 03-22")
  expect(daysOf("FREQ=WEEKLY;INTERVAL=2;BYDAY=FR,MO;COUNT=3")).toBe("03-02 03-06 03-16")
  expect(daysOf("FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=SU,MO;COUNT=3")).toBe("03-02 03-15 03-16")
  expect(daysOf("FREQ=WEEKLY;BYMONTH=4;UNTIL=20260414T000000Z")).toBe("03-02 04-06 04-13")
  expect(daysOf("FREQ=DAILY;BYDAY=MO;UNTIL=20260316T090000Z")).toBe("03-02 03-09 03-16")
  expect(daysOf("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=-1;UNTIL=20260401T090000Z")).toBe("03-02 03-30")
})

const alarm = (trigger: string) => ["BEGIN:VALARM", `TRIGGER${trigger}`, "ACTION:DISPLAY", "END:VALARM"]

test("Google Calendar: a defined zone, folded lines, an exception on another day", () => {
  const single = event(
    "DTSTART:20260312T080000Z",
    "DTEND:20260312T093000Z",
    "UID:0@google.com",
    "ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;CN=someone@",
    " example.org;X-NUM-GUESTS=0:mailto:someone@example.org",
    "SUMMARY:Besprechung\\, Station 3"
  )
  const series = event(
    "DTSTART;TZID=Europe/Berlin:20260324T140000",
    "DTEND;TZID=Europe/Berlin:20260324T150000",
    "RRULE:FREQ=WEEKLY;BYDAY=TU,TH;COUNT=5",
    "EXDATE;TZID=Europe/Berlin:20260331T140000",
    "UID:1@google.com"
  )
  const moved = event(
    "DTSTART;TZID=Europe/Berlin:20260403T160000",
    "DTEND;TZID=Europe/Berlin:20260403T170000",
    "RECURRENCE-ID;TZID=Europe/Berlin:20260402T140000",
    "UID:1@google.com"
  )
  expect(rangesOf(["X-WR-TIMEZONE:Europe/Berlin", ...berlin(), ...single, ...series, ...moved])).toEqual([
    ...["03-12 08:00–09:30", "03-24 13:00–14:00", "03-26 13:00–14:00"],
    ...["04-03 14:00–15:00", "04-07 12:00–13:00"]
  ])
})

test("Outlook and Exchange: a zone by its Windows name, defined from 1601 on; a list of excluded times, an alarm", () => {
  const W_EUROPE = "W. Europe Standard Time"
  const series = event(
    "RRULE:FREQ=WEEKLY;UNTIL=20260429T060000Z;INTERVAL=2;BYDAY=WE;WKST=MO",
    `EXDATE;TZID=${W_EUROPE}:20260318T080000,20260401T080000`,
    "UID:040000008200E00074C5B7101A82E008",
    `DTSTART;TZID=${W_EUROPE}:20260304T080000`,
    `DTEND;TZID=${W_EUROPE}:20260304T103000`,
    "X-MICROSOFT-CDO-BUSYSTATUS:BUSY",
    ...alarm(";RELATED=START:-PT15M")
  )
  const moved = event(
    "UID:040000008200E00074C5B7101A82E008",
    `RECURRENCE-ID;TZID=${W_EUROPE}:20260415T080000`,
    `DTSTART;TZID=${W_EUROPE}:20260415T120000`,
    `DTEND;TZID=${W_EUROPE}:20260415T130000`
  )
  const monthly = event(
    "UID:140000008200E00074C5B7101A82E008",
    "RRULE:FREQ=MONTHLY;COUNT=12;INTERVAL=1;BYDAY=2MO",
    `DTSTART;TZID=${W_EUROPE}:20260112T180000`,
    `DTEND;TZID=${W_EUROPE}:20260112T200000`
  )
  expect(rangesOf([...berlin(W_EUROPE, ["16010101", "16010101"]), ...series, ...moved, ...monthly])).toEqual([
    ...["03-04 07:00–09:30", "03-09 17:00–19:00", "04-13 16:00–18:00"],
    ...["04-15 10:00–11:00", "04-29 06:00–08:30"]
  ])
})

test("Apple Calendar: an absolute alarm, an end in another zone, a floating series", () => {
  const daily = event(
    "UID:6A0E1C42-1",
    "RRULE:FREQ=DAILY;INTERVAL=3;UNTIL=20260405T215959Z",
    "DTEND;TZID=Europe/Berlin:20260326T073000",
    "DTSTART;TZID=Europe/Berlin:20260326T063000",
    ...alarm(";VALUE=DATE-TIME:19760401T005545Z")
  )
  const flight = event(
    "UID:6A0E1C42-2",
    "DTSTART;TZID=Europe/Berlin:20260420T101500",
    "DTEND;TZID=America/New_York:20260420T133000",
    "RRULE:FREQ=WEEKLY;COUNT=2"
  )
  const floating = event(
    "UID:6A0E1C42-3",
    "DTSTART:20260121T090000",
    "DURATION:PT1H30M",
    "RRULE:FREQ=MONTHLY;BYMONTHDAY=21"
  )
  expect(rangesOf([...berlin(), ...daily, ...flight, ...floating])).toEqual([
    ...["03-21 08:00–09:30", "03-26 05:30–06:30", "03-29 04:30–05:30", "04-01 04:30–05:30"],
    ...["04-04 04:30–05:30", "04-20 08:15–17:30", "04-21 07:00–08:30", "04-27 08:15–17:30"]
  ])
})

test("Thunderbird: a cancelled and a moved occurrence, the last day and the last Friday of each month", () => {
  const of = (id: string, at: string) => [
    ...["UID:5d3f7c00-1", `RECURRENCE-ID;TZID=Europe/Berlin:${id}`, `DTSTART;TZID=Europe/Berlin:${at}`]
  ]
  const series = event(
    "UID:5d3f7c00-1",
    "RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR;UNTIL=20260403T070000Z",
    "DTSTART;TZID=Europe/Berlin:20260323T090000",
    "DTEND;TZID=Europe/Berlin:20260323T100000"
  )
  const cancelled = event(...of("20260325T090000", "20260325T090000"), "DURATION:PT1H", "STATUS:CANCELLED")
  const moved = event(...of("20260330T090000", "20260330T111500"), "DURATION:PT45M")
  // at the time of the cancelled one
  const start = "DTSTART;TZID=Europe/Berlin:20260325T090000"
  const other = event("UID:5d3f7c00-4", start, "DURATION:PT30M", "RRULE:FREQ=DAILY;COUNT=1")
  const lastDay = event(
    "UID:5d3f7c00-2",
    "RRULE:FREQ=MONTHLY;BYMONTHDAY=-1;UNTIL=20260430T150000Z",
    "DTSTART;TZID=Europe/Berlin:20260131T170000",
    "DTEND;TZID=Europe/Berlin:20260131T183000"
  )
  const lastFriday = event(
    "UID:5d3f7c00-3",
    "RRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=10",
    "DTSTART;TZID=Europe/Berlin:20260130T120000",
    "DURATION:PT2H"
  )
  expect(rangesOf([...berlin(), ...series, ...cancelled, ...moved, ...other, ...lastDay, ...lastFriday])).toEqual([
    ...["03-23 08:00–09:00", "03-25 08:00–08:30", "03-27 08:00–09:00", "03-27 11:00–13:00", "03-30 09:15–10:00"],
    ...["03-31 15:00–16:30", "04-01 07:00–08:00", "04-03 07:00–08:00", "04-24 10:00–12:00", "04-30 15:00–16:30"]
  ])
})

test("Nextcloud Calendar: every fourth week, days that are tentative, a series in UTC without an end", () => {
  const monthly = event(
    "UID:77aa0000-1",
    "DTSTART;TZID=Europe/Berlin:20260202T170000",
    "DTEND;TZID=Europe/Berlin:20260202T174500",
    "RRULE:FREQ=WEEKLY;INTERVAL=4;COUNT=3"
  )
  const easter = event("UID:77aa0000-2", "DTSTART;VALUE=DATE:20260403", "DTEND;VALUE=DATE:20260407", "STATUS:TENTATIVE")
  const endless = event(
    "UID:77aa0000-3",
    "DTSTART:20260425T053000Z",
    "DTEND:20260425T060000Z",
    "RRULE:FREQ=DAILY;INTERVAL=2",
    "EXDATE:20260427T053000Z",
    "RDATE:20260428T053000Z"
  )
  expect(rangesOf([...berlin(), ...monthly, ...easter, ...endless])).toEqual([
    ...["03-02 16:00–16:45", "03-30 15:00–15:45", "04-02 22:00–04-06 22:00"],
    ...["04-25 05:30–06:00", "04-28 05:30–06:00", "04-29 05:30–06:00"]
  ])
})

test("what is made to take long ends in time", () => {
  const many = (count: number, of: (at: number) => ReadonlyArray<string>) =>
    Array.from({ length: count }, (_, at) => of(at)).flat()
  const series = (...lines: ReadonlyArray<string>) =>
    event("UID:1", "DTSTART:19000101T090000Z", "DURATION:PT1H", ...lines)
  const each = (name: string, count: number) => `${name}=${Array.from({ length: count }, (_, at) => at).join(",")}`
  const clocks = `${each("BYHOUR", 24)};${each("BYMINUTE", 60)};${each("BYSECOND", 60)}`
  const slow: Readonly<Record<string, ReadonlyArray<string>>> = {
    never: series("RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30;COUNT=9"),
    seconds: series(`RRULE:FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;${clocks}`),
    minutes: series(
      `RRULE:FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;${each("BYHOUR", 24)};${each("BYMINUTE", 60)};BYSETPOS=-1,1`
    ),
    repeated: series(`RRULE:FREQ=DAILY;BYHOUR=${"1,".repeat(100_000)}1;BYMINUTE=${"1,".repeat(100_000)}1`),
    zone: many(2_000, (at) =>
      zone(
        `Z${at}`,
        ...offset("STANDARD", `19${10 + (at % 90)}0101T000000`, "+0100", `+0${100 + at}`, "RRULE:FREQ=SECONDLY")
      )
    ),
    nested: [...many(200_000, () => ["BEGIN:A"]), ...many(200_000, () => ["END:B"])],
    masters: many(3_000, () => series("RRULE:FREQ=DAILY")).concat(
      many(3_000, (at) =>
        event("UID:1", `RECURRENCE-ID;RANGE=THISANDFUTURE:2026030${1 + (at % 9)}T090000Z`, "DTSTART:20260301T090000Z")
      )
    )
  }
  for (const [name, lines] of Object.entries(slow)) {
    const before = process.cpuUsage()
    try {
      expanded(lines)
    } catch (error) {
      expect([name, error instanceof CalendarUnreadable]).toEqual([name, true])
    }
    // the worker is ended after ten seconds; of processor time, whatever else runs
    expect([name, process.cpuUsage(before).user < 10_000_000]).toEqual([name, true])
  }
})
