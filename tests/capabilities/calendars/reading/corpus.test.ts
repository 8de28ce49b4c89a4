/**
 * Calendars as programs write them, read by this service and by a second reader (`node-ical`) over thirteen months, and made ones from
 * seeds. Where the second reader is known to be wrong, or reads nothing, the busy times stand here with the reason. Rule 3.12.3.
 */
import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expand } from "../../../../src/capabilities/calendars/services/ics/expand.ts"

const FOLDER = join(import.meta.dir, "files")
const [from, to] = [Date.UTC(2026, 0, 1) / 1000, Date.UTC(2027, 1, 1) / 1000]
const read = (text: string) => expand({ text, timezone: "Europe/Berlin", from, to, now: from, all_day_blocks: true })
const pairs = (ranges: ReadonlyArray<number>) =>
  ranges.flatMap((start, at) => (at % 2 === 0 ? [[start, ranges[at + 1] ?? 0] as const] : []))
/** In UTC: `2026-03-28 08:00/09:00`, or with both dates. */
const shown = (ranges: ReadonlyArray<readonly [number, number]>) =>
  ranges.map((range) => {
    const [start = "", end = ""] = range.map((at) => new Date(at * 1000).toISOString().slice(0, 16).replace("T", " "))
    return `${start}/${start.slice(0, 10) === end.slice(0, 10) ? end.slice(11) : end}`
  })

const secondReading = (
  texts: ReadonlyArray<string>
): ReadonlyArray<ReadonlyArray<readonly [number, number]> | string> => {
  const reader = Bun.spawnSync([process.execPath, join(import.meta.dir, "secondReader.ts"), String(from), String(to)], {
    stdin: new TextEncoder().encode(JSON.stringify(texts)),
    env: { ...process.env, TZ: "Europe/Berlin" },
    stderr: "ignore"
  })
  return JSON.parse(reader.stdout.toString())
}

const weekly = (...days: ReadonlyArray<string>) => days.map((day) => `2026-${day} 08:00/09:00`)
const MOVED_ON = "A change of all later occurrences moves the first one alone"
const OWN_ZONE = "The file's own definition of the zone is not used"
const SKIPS_LINES = "Lines that end so are not told apart"

/** Busy times of files that the second reader reads otherwise, and why it does. */
const differing: Readonly<Record<string, readonly [why: string, ...busy: ReadonlyArray<string>]>> = {
  "clock-duration-day": ["A day of 24 hours, also where the clocks change", "2026-03-28 21:00/2026-03-29 20:00"],
  "clock-overnight-series": [
    "The length in seconds of the first night, not the hour at which each ends",
    ...["2026-10-17 20:00/2026-10-18 04:00", "2026-10-24 20:00/2026-10-25 05:00", "2026-10-31 21:00/2026-11-01 05:00"]
  ],
  "clock-twice": ["A time that comes twice is the second (RFC 5545, 3.3.5: the first)", "2026-10-25 00:30/02:30"],
  "clock-twice-defined": ["A time that comes twice is the second", "2026-10-25 00:30/02:30"],
  "end-in-24-hours": ["24:00 is 23:00", "2026-07-08 20:00/22:00"],
  "exdate-floating": [
    "A left out time without a zone is not in the zone of its series",
    ...["01-05", "01-07", "01-08"].map((day) => `2026-${day} 14:00/15:00`)
  ],
  floating: [
    "A series without a zone keeps its UTC time where the clocks change",
    ...["2026-03-28 08:00/09:00", "2026-03-29 07:00/08:00", "2026-03-30 07:00/08:00", "2026-07-08 12:00/13:00"]
  ],
  freebusy: [
    "Published busy times are not read",
    ...["2026-04-01 10:00/10:30", "2026-04-02 10:00/11:00", "2026-04-03 10:00/10:15"]
  ],
  "lines-cr": [SKIPS_LINES, "2026-07-08 12:00/13:00"],
  "lines-doubled-cr": [SKIPS_LINES, "2026-07-08 12:00/13:00"],
  "lines-lower-case": ["Names in small letters are not read", "2026-07-08 12:00/13:00"],
  "lines-trailing-blanks": ["Blanks at the ends of lines count", "2026-07-08 12:00/13:00"],
  "lines-second-colon": ["The whole file fails", "2026-04-03 08:00/09:00", "2026-04-04 08:00/09:00"],
  "moved-recurrence-id-as-date": [
    "An occurrence that is named by its day stays beside the moved one",
    ...["2026-01-05 08:00/09:00", "2026-01-13 14:00/16:00", ...weekly("01-19", "01-26")]
  ],
  "odd-calendar-cut-in-between": [
    "The event before the cut is lost",
    ...["2026-12-14 07:00/11:00", "2027-01-01 08:00/09:00"]
  ],
  "odd-event-not-ended": ["The event without an end is lost", "2026-12-14 07:00/11:00", "2027-01-01 08:00/09:00"],
  "odd-rule-count-unreadable": ["The whole file fails", "2026-12-14 07:00/11:00", "2027-01-01 08:00/09:00"],
  "odd-rule-of-vcalendar-1": ["The whole file fails", "2026-12-14 07:00/11:00", "2027-01-01 08:00/09:00"],
  "odd-rule-unreadable": ["The whole file fails", "2026-12-14 07:00/11:00", "2027-01-01 08:00/09:00"],
  "rdate-and-rule": ["Added dates are not read", ...weekly("01-05", "01-07", "01-12", "01-19")],
  "rdate-dates": [
    "Added dates are not read",
    "2026-01-05 08:00/09:00",
    "2026-01-12 10:00/11:00",
    "2026-01-19 12:00/13:00"
  ],
  "rdate-periods": [
    "Added periods are not read",
    ...["2026-01-05 08:00/09:00", "2026-01-12 11:00/13:00", "2026-01-19 13:00/13:30"]
  ],
  "rdate-periods-in-a-zone": ["Added periods are not read", "2026-01-05 08:00/09:00", "2026-01-12 10:00/11:00"],
  "rule-interval-0": ["The whole file fails", ...weekly("01-05", "01-06", "01-07")],
  "rule-lower-case": ["The whole file fails", ...weekly("01-05", "01-12", "01-19")],
  "rule-never": ["The first one counts whatever the rule says (RFC 5545, 3.8.5.3)", "2026-01-05 08:00/09:00"],
  "rule-start-outside": ["The first one counts", ...weekly("01-06", "01-09", "01-16", "01-23")],
  "rule-two": [
    "The last of several rules alone is read",
    ...weekly("01-05", "01-08", "01-12", "01-15", "01-19", "01-22")
  ],
  "rule-until-before-start": ["The first one counts", "2026-01-05 08:00/09:00"],
  "rule-until-iso": ["The whole file fails", ...weekly("01-05", "01-06", "01-07")],
  "rule-until-short-time": ["The whole file fails", ...weekly("01-05", "01-06", "01-07")],
  "rule-weekly-months": [
    "The first one counts",
    "2026-01-05 07:00/08:00",
    ...["06-01", "06-08", "06-15", "06-22", "06-29", "07-06", "07-13", "07-20", "07-27"].map(
      (day) => `2026-${day} 06:00/07:00`
    )
  ],
  "status-method-cancel": ["A file that cancels (METHOD) is read as one that publishes"],
  "this-and-future": [MOVED_ON, ...weekly("01-05", "01-12"), "2026-01-19 13:00/13:30", "2026-01-26 13:00/13:30"],
  "this-and-future-cancelled": [MOVED_ON, ...weekly("01-05", "01-12")],
  "version-same-uid-different-events": [
    "Of two events with one UID and one SEQUENCE the last counts: programs that number their events from 1 lose time so",
    ...["2026-12-07 08:00/09:00", "2026-12-08 08:00/09:00"]
  ],
  "zone-names-without-definition": [
    "Zones without a definition are the reader's own",
    ...["2026-12-07 14:00/15:00", "2026-12-08 14:00/15:00", "2026-12-09 12:00/13:00", "2026-12-10 14:00/15:00"]
  ],
  "zone-continued-later": [OWN_ZONE, "2026-07-15 13:00/14:00", "2026-12-15 14:00/15:00"],
  "zone-onset-beside-its-rule": [OWN_ZONE, "2026-01-12 12:00/13:00", "2026-05-12 13:00/14:00"],
  "zone-half-hours": [OWN_ZONE, "2026-06-15 08:30/09:30"],
  "zone-known-name-other-offset": [OWN_ZONE, "2026-06-15 09:00/10:00"],
  "zone-numbered-windows-name": ["Zones without a definition are the reader's own", "2026-07-08 13:00/14:00"],
  "zone-offset-names": [
    "A zone named by an offset to the west is left out",
    ...["2026-12-09 12:00/13:00", "2026-12-10 19:00/20:00", "2026-12-11 12:00/13:00"]
  ],
  "zone-paths": [
    "Zones without a definition are the reader's own",
    ...["2026-07-08 13:00/14:00", "2026-07-09 13:00/14:00", "2026-07-10 08:00/09:00", "2026-07-11 10:00/11:00"]
  ],
  "zone-rule-ended": ["The end of a zone's rule is not used", "2026-07-15 07:00/08:00"],
  "zone-seconds": [OWN_ZONE, "2026-06-15 13:06/14:06"],
  "zone-southern": [OWN_ZONE, "2026-04-01 09:00/10:00", "2026-04-08 10:00/11:00", "2026-04-15 10:00/11:00"],
  "zone-two-calendars-reversed": ["All calendars share the last definition", "2026-12-14 09:00/10:00"],
  "zone-unquoted-colon": ["A colon in a zone's name ends it", "2026-07-08 12:00/13:00"]
}

/** What is said of files in which something could not be read. */
const notices: Readonly<Record<string, readonly [skipped: number, kind: "skipped" | "zone", detail: string]>> = {
  "day-duration-empty": [1, "skipped", "DURATION, 20260403"],
  "end-before-start": [1, "skipped", "DTEND, 20260708T140000"],
  "odd-calendar-cut-in-between": [1, "skipped", "END"],
  "odd-duration-empty": [1, "skipped", "DURATION, 20270101"],
  "odd-duration-p": [1, "skipped", "DURATION, 20270101T080000"],
  "odd-end-unreadable": [1, "skipped", "DTEND, 20270101T080000"],
  "odd-exdate-unreadable": [1, "skipped", "EXDATE, 20270101T080000"],
  "odd-rule-count-unreadable": [1, "skipped", "RRULE, 20270101T080000"],
  "odd-rule-of-vcalendar-1": [1, "skipped", "RRULE, 20270101T080000"],
  "odd-rule-unreadable": [1, "skipped", "RRULE, 20270101T080000"],
  "odd-start-impossible": [1, "skipped", "DTSTART"],
  "odd-start-unreadable": [1, "skipped", "DTSTART"],
  "odd-without-start": [1, "skipped", "DTSTART"],
  "zone-in-brackets-unknown": [0, "zone", "(GMT +1)"],
  "zone-unknown": [0, "zone", "Customized Time Zone"]
}

const names = readdirSync(FOLDER)
  .map((file) => file.replace(/\.ics$/, ""))
  .sort()
const textOf = (name: string) => readFileSync(join(FOLDER, `${name}.ics`), "utf8")

test("files: the busy times are those of a second reader, or those that stand here", () => {
  const second = secondReading(names.map(textOf))
  const wrong = names.flatMap((name, index) => {
    const own = shown(pairs(read(textOf(name)).ranges))
    const other = second[index] ?? []
    const theirs = typeof other === "string" ? [other] : shown(other)
    const [, ...expected] = differing[name] ?? ["", ...theirs]
    const isKnownWrong = name in differing && Bun.deepEquals(theirs, expected)
    return Bun.deepEquals(own, expected) && !isKnownWrong ? [] : [{ name, own, theirs, expected }]
  })
  expect(wrong).toEqual([])
  expect(names.length).toBeGreaterThan(150)
  expect(names).toEqual(expect.arrayContaining(Object.keys({ ...differing, ...notices })))
})

test("files: what could not be read is counted and named, without a word of an event's text", () => {
  const said = names.flatMap((name) => {
    const { skipped_events, notice } = read(textOf(name))
    return notice === null && skipped_events === 0 ? [] : [[name, [skipped_events, notice?.kind, notice?.detail]]]
  })
  expect(Object.fromEntries(said)).toEqual(notices)
})

/** A linear congruential generator: the same calendars from the same seed. */
const seeded = (seed: number) => {
  let state = seed
  const below = (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * limit)
  }
  const oneOf = <A>(all: ReadonlyArray<A>): A => all[below(all.length)] as A // below its length
  return { below, oneOf, some: <A>(all: ReadonlyArray<A>) => [...new Set([oneOf(all), oneOf(all)])] }
}
const stamp = (wall: number) => new Date(wall * 1000).toISOString().replace(/[-:]|\.\d+Z/g, "")
const WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

/** One series that begins where its rule says, between 2024 and 2026, in daylight, in a zone that both readers know. */
const madeFrom = (seed: number) => {
  const { below, oneOf, some } = seeded(seed)
  const zone = oneOf(["Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Sydney", "UTC"])
  const time = (wall: number) => (zone === "UTC" ? `:${stamp(wall)}Z` : `;TZID=${zone}:${stamp(wall)}`)
  const start = Date.UTC(2024 + below(3), below(12), 1 + below(28), 8 + below(9), 15 * below(4)) / 1000
  const day = WEEKDAYS[(new Date(start * 1000).getUTCDay() + 6) % 7] ?? ""
  const date = new Date(start * 1000).getUTCDate()
  const rules = {
    DAILY: [""],
    WEEKLY: ["", `;BYDAY=${[...new Set([day, ...some(WEEKDAYS)])].join(",")}`],
    MONTHLY: [
      "",
      `;BYMONTHDAY=${[...new Set([date, ...some([1, 15, 31, -1, -3])])].join(",")}`,
      `;BYDAY=${Math.ceil(date / 7)}${day}`
    ],
    YEARLY: ["", `;BYMONTH=${new Date(start * 1000).getUTCMonth() + 1};BYDAY=${Math.ceil(date / 7)}${day}`]
  }
  const frequency = oneOf(["DAILY", "WEEKLY", "WEEKLY", "MONTHLY", "MONTHLY", "YEARLY"] as const)
  const end = oneOf(["", `;COUNT=${1 + below(60)}`, `;UNTIL=${stamp(start + below(900) * 86_400)}Z`])
  const left = Array.from({ length: below(4) }, () => `EXDATE${time(start + below(60) * 86_400)}`)
  return [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "BEGIN:VEVENT",
    `UID:seed-${seed}`,
    `DTSTART${time(start)}`,
    `DTEND${time(start + 900 * (1 + below(8)))}`,
    `RRULE:FREQ=${frequency}${oneOf(["", `;INTERVAL=${1 + below(4)}`])}${oneOf(rules[frequency])}${end}`,
    ...left,
    "END:VEVENT",
    "END:VCALENDAR",
    ""
  ].join("\r\n")
}

test("calendars from seeds: the busy times are those of a second reader", () => {
  const texts = Array.from({ length: 400 }, (_, seed) => madeFrom(seed + 1))
  const second = secondReading(texts)
  const wrong = texts.flatMap((text, index) => {
    const own = pairs(read(text).ranges)
    const theirs = second[index]
    return Bun.deepEquals(own, theirs)
      ? []
      : [{ text, own: shown(own), theirs: typeof theirs === "string" ? theirs : shown(theirs ?? []) }]
  })
  expect(wrong).toEqual([])
})
