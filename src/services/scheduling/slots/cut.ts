import { DAY, HOUR } from "../../../schemas/seconds.ts"
import { firstEndingAfter } from "./busy.ts"
import type { BookableType, DoctorCalendar, Range } from "./calendar.ts"
import { type Window, weekOf, windowsOf } from "./windows.ts"
import { EARLIEST, LATEST, zoneOf } from "./zones.ts"

/** Upper bound of the offset of any zone from UTC, past or present, seconds. */
const MAX_OFFSET = 16 * HOUR

/** Local dates, in days since 1970-01-01, whose windows can reach into the range: a window may begin on the date before. */
export const datesAround = ({ from, to }: Pick<Range, "from" | "to">) => ({
  first: Math.floor((from - MAX_OFFSET) / DAY) - 1,
  last: Math.floor((to + MAX_OFFSET) / DAY)
})

/** Starts on one grid, `start`, `start + step` … below `upper`; `step` is duration plus buffer. Seconds. */
interface Span {
  readonly start: number
  upper: number
  readonly step: number
}

/** Merges overlapping spans of the same grid, so that a start is visited once for each of its grids. */
const mergeSpans = (spans: ReadonlyArray<Span>): ReadonlyArray<Span> => {
  const phase = ({ start, step }: Span) => start % step
  const merged: Array<Span> = []
  for (const span of spans.toSorted((a, b) => a.step - b.step || phase(a) - phase(b) || a.start - b.start)) {
    const last = merged[merged.length - 1]
    if (last !== undefined && last.step === span.step && phase(last) === phase(span) && span.start < last.upper)
      last.upper = Math.max(last.upper, span.upper)
    else merged.push({ ...span })
  }
  return merged
}

const ignore = () => undefined

/**
 * The one availability predicate: visits every start in the range that the doctor offers for the type, with whether it is free. Search,
 * hold, confirm and rebook all use it, so they cannot disagree. Works date by date; after each date `dayDone` receives whether its starts
 * came out of order, possibly with duplicates. Returns the number of dates, windows and starts visited.
 */
const eachOffered = (
  doctor: DoctorCalendar,
  type: BookableType,
  range: Range,
  visit: (start: number, free: boolean) => void,
  dayDone: (outOfOrder: boolean) => void = ignore
): number => {
  const from = Math.max(range.from, range.now + doctor.notice_minutes * 60, EARLIEST)
  const to = Math.min(range.to, LATEST)
  if (from >= to) return 0
  const duration = type.duration_minutes * 60
  const { busy } = doctor
  let visits = 0

  let spans: Array<Span> = []
  let inOrder = true
  const addWindow = (window: Window): void => {
    visits++
    const lower = Math.max(from, window.from)
    const upper = Math.min(to, window.until, window.end - duration + 1)
    const step = duration + window.buffer
    let start = window.start
    if (start < lower) start += Math.ceil((lower - start) / step) * step
    if (start >= upper) return
    const last = spans[spans.length - 1]
    if (last !== undefined && start < last.upper) inOrder = false
    spans.push({ start, upper, step })
  }
  const cutSpan = ({ start, upper, step }: Span): void => {
    const buffer = step - duration
    visits += Math.ceil((upper - start) / step)
    let next = firstEndingAfter(busy, start - buffer)
    // The casts: valid indices
    for (; start < upper; start += step) {
      while (next < busy.ends.length && (busy.ends[next] as number) <= start - buffer) next++
      visit(start, next === busy.starts.length || (busy.starts[next] as number) >= start + step)
    }
  }

  const week = weekOf(doctor, type.uid, zoneOf(doctor.timezone))
  const { first, last } = datesAround({ from, to })
  for (let day = first; day <= last; day++) {
    visits++
    windowsOf(week, day, addWindow)
    for (const span of inOrder ? spans : mergeSpans(spans)) cutSpan(span)
    dayDone(!inOrder)
    spans = []
    inOrder = true
  }
  return visits
}

/** Sorts `starts` from index `at` on and removes duplicates. */
const sortFrom = (starts: Array<number>, at: number): void => {
  const sorted = Float64Array.from(starts.slice(at)).sort()
  let end = at
  for (const start of sorted) if (end === at || start !== starts[end - 1]) starts[end++] = start
  starts.length = end
}

/** As `cutDoctor`, with the number of dates, windows and starts on every grid that were visited. */
export const cutWithVisits = (doctor: DoctorCalendar, type: BookableType, range: Range) => {
  const starts: Array<number> = []
  let ascending = true
  let day = 0
  const keep = (start: number, free: boolean) => {
    if (free) starts.push(start)
  }
  // Sorting date by date keeps memory bounded by the starts of one date, however many windows it has
  const visits = eachOffered(doctor, type, range, keep, (outOfOrder) => {
    if (outOfOrder) sortFrom(starts, day)
    day = starts.length
  })
  for (let i = 1; i < starts.length; i++) if ((starts[i] as number) <= (starts[i - 1] as number)) ascending = false
  if (!ascending) sortFrom(starts, 0)
  return { starts, visits }
}

/** The free starts (Unix seconds) of one doctor in the range, ascending, without duplicates. */
export const cutDoctor = (doctor: DoctorCalendar, type: BookableType, range: Range): Array<number> =>
  cutWithVisits(doctor, type, range).starts

/**
 * State of one start in a doctor's calendar: `free`, offered but `taken`, or `not_offered` (outside every window, off the grid, inside
 * the notice).
 */
export type Offering = "free" | "taken" | "not_offered"

/**
 * The same predicate for one start at the time `now` (both Unix seconds). To ignore an appointment, such as the one that a rebooking
 * replaces, leave its time out of `doctor.busy`.
 */
export const offeringOf = (doctor: DoctorCalendar, type: BookableType, start: number, now: number): Offering => {
  let offering: Offering = "not_offered"
  eachOffered(doctor, type, { from: start, to: start + 1, now }, (_, free) => {
    if (free) offering = "free"
    else if (offering === "not_offered") offering = "taken"
  })
  return offering
}

/**
 * The same predicate for the time of a hold that has expired: whether a window of the doctor's hours covers it, and nothing lies within
 * that window's buffer. Notice and grid do not count: they were checked when the hold was made.
 */
export const isStillFree = (doctor: DoctorCalendar, type: BookableType, start: number, end: number): boolean => {
  const week = weekOf(doctor, type.uid, zoneOf(doctor.timezone))
  const { first, last } = datesAround({ from: start, to: end })
  const { busy } = doctor
  let free = false
  for (let day = first; day <= last; day++)
    windowsOf(week, day, (window) => {
      if (window.start > start || window.end < end || start < window.from || start >= window.until) return
      const next = busy.starts[firstEndingAfter(busy, start - window.buffer)]
      if (next === undefined || next >= end + window.buffer) free = true
    })
  return free
}
