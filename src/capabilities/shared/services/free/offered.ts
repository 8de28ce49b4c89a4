/** Times that hours offer for any type. */
import { DAY, MINUTE } from "../../../../schemas/seconds.ts"
import type { Busy } from "../../../../services/scheduling/slots/busy.ts"
import type { Hours } from "../../../../services/scheduling/slots/calendar.ts"
import { datesAround } from "../../../../services/scheduling/slots/cut.ts"
import { bounded, mergedTimes } from "../../../../services/scheduling/slots/offered.ts"
import { type Week, weekOf, weekWith, windowsOf } from "../../../../services/scheduling/slots/windows.ts"
import { zoneOf } from "../../../../services/scheduling/slots/zones.ts"

const OPEN: Week["overrides"] = new Map()

/**
 * The weeks that apply on a date, for all types together: one for each type with its own override on that date, and one for all other
 * types. The cost of a date depends on its own records, not on the number of types.
 */
const weeksOn = (hours: Hours) => {
  const zone = zoneOf(hours.timezone)
  const usual = weekWith(hours, () => true, zone)
  const ofOthers = (own: ReadonlySet<string | null>): Week => ({
    zone,
    rules: usual.rules.map((rules) => rules.filter((rule) => !own.has(rule.appointment_type_uid))),
    overrides: OPEN
  })
  const always: ReadonlyArray<Week> = [{ ...usual, overrides: OPEN }]
  return (day: number): ReadonlyArray<Week> => {
    const all = usual.overrides.get(day)
    if (all === undefined) return always
    const own = new Set(all.map((one) => one.appointment_type_uid).filter((uid) => uid !== null))
    const countingFor = (uid: string | null): Week => ({
      zone,
      rules: [],
      overrides: new Map([[day, all.filter(({ appointment_type_uid: of }) => of === null || of === uid)]])
    })
    const isForAll = all.some((one) => one.appointment_type_uid === null)
    return [...[...own].map(countingFor), isForAll ? countingFor(null) : ofOthers(own)]
  }
}

/**
 * Returns a function of two local dates (days since 1970-01-01) that gives the times in which the doctor offers any type, disjoint and
 * ascending: overlapping hours are one. `counts` leaves windows out.
 */
const offeredTimes = (hours: Hours) => {
  const weeks = weeksOn(hours)
  return (first: number, last: number, counts: (start: number) => boolean = () => true): Busy => {
    const found: Array<readonly [start: number, end: number]> = []
    for (let day = first; day <= last; day++)
      for (const week of weeks(day))
        windowsOf(week, day, (window) => {
          const [start, end] = bounded(window)
          if (end > start && counts(start)) found.push([start, end])
        })
    return mergedTimes(found)
  }
}

/** Returns a function of `[from, to)` that gives the minutes in which the doctor offers any type; overlapping hours count once. */
export const offeredMinutes = (hours: Hours) => {
  const times = offeredTimes(hours)
  return (from: number, to: number): number => {
    const isWithin = (start: number) => start >= from && start < to
    const { starts, ends } = times(Math.floor(from / DAY) - 1, Math.floor(to / DAY) + 1, isWithin)
    return Math.round(starts.reduce((sum, start, at) => sum + (ends[at] ?? start) - start, 0) / MINUTE)
  }
}

/** The times around `[from, to)` in which the hours are open for any type. */
export const openForAny = (hours: Hours, range: { readonly from: number; readonly to: number }): Busy => {
  const { first, last } = datesAround(range)
  return offeredTimes(hours)(first, last, (start) => start < range.to)
}

/**
 * Returns a function that tells whether the doctor's hours for a type cover the whole of `[from, to)`. Type null: hours without a scope.
 */
export const coveredHours = (hours: Hours) => {
  const zone = zoneOf(hours.timezone)
  const weeks = new Map<string | null, Week>()
  return (appointment_type_uid: string | null, from: number, to: number): boolean => {
    const week = weeks.get(appointment_type_uid) ?? weekOf(hours, appointment_type_uid, zone)
    weeks.set(appointment_type_uid, week)
    let found = false
    for (let day = Math.floor(from / DAY) - 1; day * DAY <= to + DAY; day++)
      windowsOf(week, day, (window) => {
        if (window.start <= from && to <= window.end && from >= window.from && from < window.until) found = true
      })
    return found
  }
}
