/** Recurrence rules (RFC 5545, 3.3.10) on wall-clock times: seconds since 1970-01-01T00:00 of the series' own zone. */
import { DAY, HOUR, MINUTE } from "../../../../schemas/seconds.ts"

const FREQUENCIES = ["SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"] as const
type Frequency = (typeof FREQUENCIES)[number]
const WEEKDAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]
/** Times of one day that a rule may name. */
const TIMES_OF_DAY_MAX = 1_440
/** Seconds of a period; months and years have none. */
const LENGTHS: Partial<Record<Frequency, number>> = {
  SECONDLY: 1,
  MINUTELY: MINUTE,
  HOURLY: HOUR,
  DAILY: DAY,
  WEEKLY: 7 * DAY
}

/** A weekday; `nth` of the month or year, from its end if negative, 0: every. */
interface Weekday {
  readonly nth: number
  readonly weekday: number
}

/** A rule without its `UNTIL`. An empty list: the part is absent. */
export interface Rule {
  readonly frequency: Frequency
  readonly interval: number
  readonly count: number
  readonly weekStart: number
  readonly months: ReadonlyArray<number>
  readonly weeks: ReadonlyArray<number>
  readonly yearDays: ReadonlyArray<number>
  readonly monthDays: ReadonlyArray<number>
  readonly weekdays: ReadonlyArray<Weekday>
  readonly hours: ReadonlyArray<number>
  readonly minutes: ReadonlyArray<number>
  readonly seconds: ReadonlyArray<number>
  readonly positions: ReadonlyArray<number>
}

/** A rule's parts by name, in capitals; empty ones are left out. */
export const partsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .toUpperCase()
      .split(";")
      .map((part) => part.trim().split("="))
      .flatMap(([name = "", value = ""]) => (value === "" ? [] : [[name, value] as const]))
  )

/** Undefined for what is no rule. */
export const ruleOf = (parts: ReadonlyMap<string, string>): Rule | undefined => {
  let isValid = true
  const list = <A>(name: string, read: (text: string) => A | undefined): ReadonlyArray<A> =>
    [...new Set(parts.get(name)?.split(","))].flatMap((text) => {
      const value = read(text)
      if (value === undefined) isValid = false
      return value === undefined ? [] : [value]
    })
  const whole = (least: number, most: number) => (text: string) => {
    const value = /^[+-]?\d{1,6}$/.test(text) ? Number(text) : Number.NaN
    return value >= least && value <= most ? value : undefined
  }
  /** From the beginning or, if negative, from the end. */
  const ordinal = (most: number) => (text: string) => whole(-most, most)(text) || undefined
  const weekday = (text: string): Weekday | undefined => {
    const [, nth = "", code = ""] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(text) ?? []
    const day = WEEKDAYS.indexOf(code)
    return day === -1 ? undefined : { nth: Number(nth), weekday: day }
  }
  const frequency = FREQUENCIES.find((one) => one === parts.get("FREQ"))
  if (frequency === undefined) return undefined
  const rule: Rule = {
    frequency,
    // programs write INTERVAL=0 and mean 1
    interval: Math.max(1, list("INTERVAL", whole(0, 100_000))[0] ?? 1),
    count: list("COUNT", whole(0, 999_999))[0] ?? Number.POSITIVE_INFINITY,
    weekStart: list("WKST", weekday)[0]?.weekday ?? 1,
    months: list("BYMONTH", whole(1, 12)),
    weeks: list("BYWEEKNO", ordinal(53)),
    yearDays: list("BYYEARDAY", ordinal(366)),
    monthDays: list("BYMONTHDAY", ordinal(31)),
    weekdays: list("BYDAY", weekday),
    hours: list("BYHOUR", whole(0, 23)),
    minutes: list("BYMINUTE", whole(0, 59)),
    seconds: list("BYSECOND", whole(0, 60)),
    positions: list("BYSETPOS", ordinal(366))
  }
  const timesOfDay = [rule.hours, rule.minutes, rule.seconds].reduce((all, list) => all * Math.max(1, list.length), 1)
  return isValid && timesOfDay <= TIMES_OF_DAY_MAX ? rule : undefined
}

const weekdayOf = (day: number) => (((day + 4) % 7) + 7) % 7
const dayOf = (year: number, month: number, date = 1) => {
  const at = new Date(0)
  at.setUTCFullYear(year, month - 1, date) // `Date.UTC` takes the years 0 to 99 for those of the 20th century
  return at.getTime() / 1000 / DAY
}
const civil = (day: number) => {
  const at = new Date(day * DAY * 1000)
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, date: at.getUTCDate() }
}
/** The first day of week 1: the first week with four days in the year. */
const firstWeekOf = (year: number, weekStart: number) => {
  const fourth = dayOf(year, 1, 4)
  return fourth - ((weekdayOf(fourth) - weekStart + 7) % 7)
}

/** A list has a place that counts from 1, of `size`, or one from the end. */
const has = (list: ReadonlyArray<number>, place: number, size: number) =>
  list.includes(place) || list.includes(place - size - 1)

/** The days, counted from 1970-01-01, that a rule admits. */
const dayFilter = (rule: Rule) => {
  const { frequency, months, weeks, yearDays, monthDays, weekdays, weekStart } = rule
  const isNth = weekdays.some(({ nth }) => nth !== 0) && weeks.length === 0
  const isOfMonth = frequency === "MONTHLY" || (frequency === "YEARLY" && months.length > 0)
  const needsDate = months.length + weeks.length + yearDays.length + monthDays.length > 0 || isNth
  const week = (day: number, year: number) => {
    const at = [year + 1, year, year - 1].find((one) => firstWeekOf(one, weekStart) <= day) ?? year
    const first = firstWeekOf(at, weekStart)
    return has(weeks, Math.floor((day - first) / 7) + 1, (firstWeekOf(at + 1, weekStart) - first) / 7)
  }
  return (day: number): boolean => {
    const weekday = weekdayOf(day)
    if (!needsDate) return weekdays.length === 0 || weekdays.some((one) => one.weekday === weekday)
    const { year, month, date } = civil(day)
    if (months.length > 0 && !months.includes(month)) return false
    const monthLength = () => dayOf(year, month + 1) - dayOf(year, month)
    const yearDay = () => day - dayOf(year, 1) + 1
    const yearLength = () => dayOf(year + 1, 1) - dayOf(year, 1)
    if (weeks.length > 0 && !week(day, year)) return false
    if (yearDays.length > 0 && !has(yearDays, yearDay(), yearLength())) return false
    if (monthDays.length > 0 && !has(monthDays, date, monthLength())) return false
    if (weekdays.length === 0) return true
    return weekdays.some((one) => {
      if (one.weekday !== weekday) return false
      if (one.nth === 0 || !isNth || LENGTHS[frequency] !== undefined) return true
      const [place, size] = isOfMonth ? [date, monthLength()] : [yearDay(), yearLength()]
      const fromEnd = -Math.floor((size - place) / 7) - 1
      return one.nth === Math.floor((place - 1) / 7) + 1 || one.nth === fromEnd
    })
  }
}

export type Step = (count: number) => void

interface Period {
  /** First and last wall time that matter. Occurrences before are left out where they need not be counted. */
  readonly from: number
  readonly to: number
  /** Called with the number of days and times that are looked at: it throws to end a rule that takes too many. */
  readonly step: Step
}

/** Wall times of a series, ascending, from its start on. The start itself is among them only if the rule says so. */
export function* wallsOf(given: Rule, start: number, { from, to, step }: Period): Generator<number> {
  const startDay = Math.floor(start / DAY)
  const { month, date } = civil(startDay)
  const { weeks, yearDays, monthDays, weekdays, frequency } = given
  const length = LENGTHS[frequency]
  const isBare = weeks.length + yearDays.length + monthDays.length + weekdays.length === 0
  const rule: Rule = {
    ...given,
    ...(isBare && frequency === "YEARLY" && { monthDays: [date] }),
    ...(isBare && frequency === "YEARLY" && given.months.length === 0 && { months: [month] }),
    ...(isBare && frequency === "MONTHLY" && { monthDays: [date] }),
    ...((isBare
      ? frequency === "WEEKLY"
      : weeks.length > 0 && yearDays.length + monthDays.length + weekdays.length === 0) && {
      weekdays: [{ nth: 0, weekday: weekdayOf(startDay) }]
    })
  }
  const isAdmitted = dayFilter(rule)
  const { interval, count, positions, months, weekStart } = rule

  /** Times of the day, or of a shorter period within it. */
  const clock = start - startDay * DAY
  const [hour, minute, second] = [Math.floor(clock / HOUR), Math.floor(clock / MINUTE) % 60, clock % MINUTE]
  const timesOf = (at: number) => {
    const own = [Math.floor(at / HOUR), Math.floor(at / MINUTE) % 60, at % MINUTE] as const
    const part = (list: ReadonlyArray<number>, of: number, fixed: number, longest: number) => {
      if (length === undefined || length > longest) return list.length === 0 ? [fixed] : list
      return list.length === 0 || list.includes(of) ? [of] : []
    }
    const hours = part(rule.hours, own[0], hour, HOUR)
    const minutes = part(rule.minutes, own[1], minute, MINUTE)
    const seconds = part(rule.seconds, own[2], second, 1)
    return hours
      .flatMap((h) => minutes.flatMap((m) => seconds.map((s) => h * HOUR + m * MINUTE + s)))
      .sort((a, b) => a - b)
  }
  const ofDay = length === undefined || length >= DAY ? timesOf(0) : undefined

  const monthFrom = (year: number, of: number) => {
    const first = dayOf(year, of)
    return Array.from({ length: dayOf(year, of + 1) - first }, (_, at) => first + at)
  }
  const { year } = civil(startDay)
  const ascending =
    months.length === 0 ? Array.from({ length: 12 }, (_, at) => at + 1) : [...months].sort((a, b) => a - b)
  const weekOffset = frequency === "WEEKLY" ? (weekdayOf(startDay) - weekStart + 7) % 7 : 0
  const firstPeriod =
    length === undefined ? 0 : length >= DAY ? (startDay - weekOffset) * DAY : Math.floor(start / length) * length
  /** Where nothing is counted, periods before the one that is asked for are passed over. */
  const skipped =
    length === undefined || count !== Number.POSITIVE_INFINITY
      ? 0
      : Math.max(0, Math.floor((from - firstPeriod) / (length * interval)) - 1)

  let seen = 0
  for (let at = skipped; ; at++) {
    let days: Array<number>
    let times = ofDay ?? []
    if (length !== undefined) {
      const begins = firstPeriod + at * interval * length
      if (begins > to) return
      const first = Math.floor(begins / DAY)
      days = frequency === "WEEKLY" ? Array.from({ length: 7 }, (_, n) => first + n) : [first]
      times = ofDay ?? timesOf(begins - first * DAY)
    } else {
      const index = frequency === "MONTHLY" ? year * 12 + month - 1 + at * interval : (year + at * interval) * 12
      const [ofYear, ofMonth] = [Math.floor(index / 12), (index % 12) + 1]
      if (dayOf(ofYear, ofMonth) * DAY > to) return
      days = frequency === "MONTHLY" ? monthFrom(ofYear, ofMonth) : ascending.flatMap((one) => monthFrom(ofYear, one))
    }
    const admitted = days.filter(isAdmitted)
    step(days.length + admitted.length * times.length)
    const walls = admitted.flatMap((day) => times.map((time) => day * DAY + time))
    const chosen = positions.length === 0 ? walls : walls.filter((_, index) => has(positions, index + 1, walls.length))
    for (const wall of chosen) {
      if (wall < start) continue
      if (seen++ >= count) return
      yield wall
    }
  }
}
