import { DAY, HOUR } from "../../../schemas/seconds.ts"
import { firstEndingAfter } from "./busy.ts"
import type { BookableType, DoctorCalendar, Range } from "./calendar.ts"
import { type Window, weekOf, windowsOf } from "./windows.ts"
import { EARLIEST, LATEST, zoneOf } from "./zones.ts"

/** No zone is or was further than this from UTC. */
const MAX_OFFSET = 16 * HOUR

/** Starts on one grid, `start`, `start + step` … below `upper`; `step` is the duration and the buffer. Seconds. */
interface Span {
  readonly start: number
  upper: number
  readonly step: number
}

/** The same starts by spans of which no two on one grid overlap: a start is looked at once for each of its grids. */
const unitedOf = (spans: ReadonlyArray<Span>): ReadonlyArray<Span> => {
  const phase = ({ start, step }: Span) => start % step
  const united: Array<Span> = []
  for (const span of spans.toSorted((a, b) => a.step - b.step || phase(a) - phase(b) || a.start - b.start)) {
    const last = united[united.length - 1]
    if (last !== undefined && last.step === span.step && phase(last) === phase(span) && span.start < last.upper)
      last.upper = Math.max(last.upper, span.upper)
    else united.push({ ...span })
  }
  return united
}

const ignore = () => undefined

/**
 * The one predicate: every start in the range that the doctor offers for the type, with whether it is free. Search,
 * hold, confirm and rebook all use it, so that they cannot disagree. Date by date; `dayDone` is told after
 * each whether its starts came out of order, some perhaps twice. Gives how many starts it looked at.
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
    for (; start < upper; start += step) {
      while (next < busy.ends.length && (busy.ends[next] as number) <= start - buffer) next++
      visit(start, next === busy.starts.length || (busy.starts[next] as number) >= start + step)
    }
  }

  const week = weekOf(doctor, type.uid, zoneOf(doctor.timezone))
  // Local dates whose windows can reach into the range: a window may have begun on the date before.
  const lastDay = Math.floor((to + MAX_OFFSET) / DAY)
  for (let day = Math.floor((from - MAX_OFFSET) / DAY) - 1; day <= lastDay; day++) {
    windowsOf(week, day, addWindow)
    for (const span of inOrder ? spans : unitedOf(spans)) cutSpan(span)
    dayDone(!inOrder)
    spans = []
    inOrder = true
  }
  return visits
}

/** Sorts `starts` from index `at` on, each once. */
const sortFrom = (starts: Array<number>, at: number): void => {
  const sorted = Float64Array.from(starts.slice(at)).sort()
  let end = at
  for (const start of sorted) if (end === at || start !== starts[end - 1]) starts[end++] = start
  starts.length = end
}

/** As `cutDoctor`, with how much was looked at: starts of every grid, and windows. */
export const cutCounted = (doctor: DoctorCalendar, type: BookableType, range: Range) => {
  const starts: Array<number> = []
  let ascending = true
  let day = 0
  const keep = (start: number, free: boolean) => {
    if (free) starts.push(start)
  }
  // What is held is a date's starts, however many windows it has
  const visits = eachOffered(doctor, type, range, keep, (outOfOrder) => {
    if (outOfOrder) sortFrom(starts, day)
    day = starts.length
  })
  for (let i = 1; i < starts.length; i++) if ((starts[i] as number) <= (starts[i - 1] as number)) ascending = false
  if (!ascending) sortFrom(starts, 0)
  return { starts, visits }
}

/** The free starts (Unix seconds) of one doctor in the range, ascending, each once. */
export const cutDoctor = (doctor: DoctorCalendar, type: BookableType, range: Range): Array<number> =>
  cutCounted(doctor, type, range).starts

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
