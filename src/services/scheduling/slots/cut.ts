import { DAY, HOUR } from "../../../schemas/seconds.ts"
import { firstEndingAfter } from "./busy.ts"
import type { BookableType, DoctorCalendar, Range } from "./calendar.ts"
import { type Window, weekOf, windowsOf } from "./windows.ts"
import { EARLIEST, LATEST, zoneOf } from "./zones.ts"

/** No zone is or was further than this from UTC. */
const FARTHEST_OFFSET = 16 * HOUR

/**
 * The one predicate: every start in the range that the doctor offers for the type, with whether it is free. Search,
 * hold, confirm and rebook all use it, so that they cannot disagree. The order is that of windows; a start in two windows
 * is given twice.
 */
const eachOffered = (
  doctor: DoctorCalendar,
  type: BookableType,
  range: Range,
  visit: (start: number, free: boolean) => void
): void => {
  const from = Math.max(range.from, range.now + doctor.notice_minutes * 60, EARLIEST)
  const to = Math.min(range.to, LATEST)
  if (from >= to) return
  const duration = type.duration_minutes * 60
  const { busy } = doctor

  const cutWindow = (window: Window): void => {
    const { buffer } = window
    const lower = Math.max(from, window.from)
    const upper = Math.min(to, window.until, window.end - duration + 1)
    const step = duration + buffer
    let start = window.start
    if (start < lower) start += Math.ceil((lower - start) / step) * step
    if (start >= upper) return
    let next = firstEndingAfter(busy, start - buffer)
    for (; start < upper; start += step) {
      while (next < busy.ends.length && (busy.ends[next] as number) <= start - buffer) next++
      visit(start, next === busy.starts.length || (busy.starts[next] as number) >= start + step)
    }
  }

  const week = weekOf(doctor, type.uid, zoneOf(doctor.timezone))
  // Local dates whose windows can reach into the range: a window may have begun on the date before.
  const lastDay = Math.floor((to + FARTHEST_OFFSET) / DAY)
  for (let day = Math.floor((from - FARTHEST_OFFSET) / DAY) - 1; day <= lastDay; day++) windowsOf(week, day, cutWindow)
}

/** The free starts (Unix seconds) of one doctor in the range, ascending, each once. */
export const cutDoctor = (doctor: DoctorCalendar, type: BookableType, range: Range): Array<number> => {
  const starts: Array<number> = []
  let ascending = true
  eachOffered(doctor, type, range, (start, free) => {
    if (!free) return
    const before = starts[starts.length - 1]
    if (before !== undefined && start <= before) ascending = false
    starts.push(start)
  })
  if (ascending) return starts
  starts.sort((a, b) => a - b)
  return starts.filter((start, i) => start !== starts[i - 1])
}

/**
 * What a doctor's calendar says of one start: `free`, offered but `taken`, or `not_offered` at all (outside every window,
 * off the grid, inside the notice).
 */
export type Offering = "free" | "taken" | "not_offered"

/**
 * The same predicate as search, for one start at the time `now` (both Unix seconds). Where one appointment shall be
 * overlooked, as the one that a rebooking replaces, its time is left out of `doctor.busy`.
 */
export const offeringOf = (doctor: DoctorCalendar, type: BookableType, start: number, now: number): Offering => {
  let offering: Offering = "not_offered"
  eachOffered(doctor, type, { from: start, to: start + 1, now }, (_, free) => {
    if (free) offering = "free"
    else if (offering === "not_offered") offering = "taken"
  })
  return offering
}
