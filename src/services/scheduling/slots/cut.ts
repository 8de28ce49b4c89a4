import { DAY, HOUR, MINUTE } from "../../../schemas/seconds.ts"
import { type Busy, busyTimes, firstEndingAfter, meets } from "./busy.ts"
import type { BookableType, DoctorCalendar, Group, Neighbour, Range } from "./calendar.ts"
import { type Window, weekOf, windowsOf } from "./windows.ts"
import { EARLIEST, LATEST, zoneOf } from "./zones.ts"

/** Upper bound of the offset of any zone from UTC, past or present, seconds. */
const MAX_OFFSET = 16 * HOUR

/** Local dates, in days since 1970-01-01, whose windows can reach into the range: a window may begin on the date before. */
export const datesAround = ({ from, to }: Pick<Range, "from" | "to">) => ({
  first: Math.floor((from - MAX_OFFSET) / DAY) - 1,
  last: Math.floor((to + MAX_OFFSET) / DAY)
})

/** Starts on one grid, `start`, `start + step` … below `upper`, with the time to keep free before and after an appointment. Seconds. */
interface Span {
  readonly start: number
  upper: number
  readonly step: number
  readonly before: number
  readonly after: number
  /** Of the window. */
  readonly buffer: number
}

/** The type's terms in seconds. */
const termsOf = (type: BookableType) => ({
  duration: type.duration_minutes * MINUTE,
  before: (type.buffer_before_minutes ?? 0) * MINUTE,
  after: (type.buffer_after_minutes ?? 0) * MINUTE,
  step: type.slot_step_minutes == null ? undefined : type.slot_step_minutes * MINUTE,
  seats: type.seats ?? 1
})

const gapOf = (own: Gap, { buffer }: Window): Gap => ({
  before: Math.max(own.before, buffer),
  after: Math.max(own.after, buffer)
})

/** Time to keep free around an appointment of the type, seconds: its own buffers, and those or the rule's if larger. */
interface Gap {
  readonly before: number
  readonly after: number
}

/**
 * The times in which no appointment of a type with these `own` buffers may lie, in a window with this buffer, for the sake of the neighbours:
 * between two appointments lies the largest of their windows' buffers and of what their types need together.
 */
export const closedBy = (neighbours: ReadonlyArray<Neighbour>, own: Gap, buffer: number): Busy => {
  const closed = neighbours.map((one) => [
    one.start - Math.max(buffer, one.buffer, own.after + one.before),
    one.end + Math.max(buffer, one.buffer, one.after + own.before)
  ])
  closed.sort(([a = 0], [b = 0]) => a - b)
  return busyTimes(
    closed.map(([start = 0]) => start),
    closed.map(([, end = 0]) => end)
  )
}

/** Whether the start can be taken by all that the calendar of the doctor does not show: limits, resources, further doctors. */
export type Admits = (doctor: DoctorCalendar, start: number, end: number, group: Group | undefined) => boolean
const always: Admits = () => true

/** Merges overlapping spans of the same grid, so that a start is visited once for each of its grids. */
const mergeSpans = (spans: ReadonlyArray<Span>): ReadonlyArray<Span> => {
  const phase = ({ start, step }: Span) => start % step
  const gaps = (a: Span, b: Span) => a.buffer - b.buffer || a.before - b.before || a.after - b.after
  const merged: Array<Span> = []
  for (const span of spans.toSorted(
    (a, b) => a.step - b.step || phase(a) - phase(b) || gaps(a, b) || a.start - b.start
  )) {
    const last = merged[merged.length - 1]
    const isSameGrid =
      last !== undefined && last.step === span.step && phase(last) === phase(span) && gaps(last, span) === 0
    if (isSameGrid && span.start < last.upper) last.upper = Math.max(last.upper, span.upper)
    else merged.push({ ...span })
  }
  return merged
}

const ignore = () => undefined

/**
 * The one availability predicate: visits every start in the range that the doctor offers for the type, with whether it is free. Search,
 * hold, confirm and rebook all use it, so they cannot disagree. Works date by date; after each date `dayDone` receives whether its starts
 * came out of order, possibly with duplicates.
 */
const eachOffered = (
  doctor: DoctorCalendar,
  type: BookableType,
  range: Range,
  visit: (start: number, free: boolean, buffer: number) => void,
  { dayDone = ignore, admits = always }: { dayDone?: (outOfOrder: boolean) => void; admits?: Admits | undefined } = {}
): void => {
  const from = Math.max(range.from, range.now + doctor.notice_minutes * 60, EARLIEST)
  const to = Math.min(range.to, LATEST)
  if (from >= to) return
  const { duration, step: ownStep, seats, ...own } = termsOf(type)
  const { away, busy, groups, neighbours } = doctor

  const closed = new Map<number, Busy>()
  const closedIn = (all: ReadonlyArray<Neighbour>, buffer: number) => {
    const known = closed.get(buffer) ?? closedBy(all, own, buffer)
    closed.set(buffer, known)
    return known
  }
  let spans: Array<Span> = []
  let inOrder = true
  const addWindow = (window: Window): void => {
    const lower = Math.max(from, window.from)
    const upper = Math.min(to, window.until, window.end - duration + 1)
    const step = ownStep ?? duration + window.buffer
    let start = window.start
    if (start < lower) start += Math.ceil((lower - start) / step) * step
    if (start >= upper) return
    const last = spans[spans.length - 1]
    if (last !== undefined && start < last.upper) inOrder = false
    spans.push({ start, upper, step, ...gapOf(own, window), buffer: window.buffer })
  }
  const cutSpan = ({ start, upper, step, buffer, ...gap }: Span): void => {
    const near = neighbours === undefined ? undefined : closedIn(neighbours, buffer)
    let next = firstEndingAfter(busy, start - gap.before)
    // The casts: valid indices
    for (; start < upper; start += step) {
      const end = start + duration
      const group = groups?.get(start)
      while (next < busy.ends.length && (busy.ends[next] as number) <= start - gap.before) next++
      const isFree =
        group === undefined
          ? (next === busy.starts.length || (busy.starts[next] as number) >= end + gap.after) &&
            !(near !== undefined && meets(near, start, end)) &&
            !(away !== undefined && meets(away, start, end))
          : group.taken.length < seats
      visit(start, isFree && admits(doctor, start, end, group), buffer)
    }
  }

  const week = weekOf(doctor, type.uid, zoneOf(doctor.timezone))
  const { first, last } = datesAround({ from, to })
  for (let day = first; day <= last; day++) {
    windowsOf(week, day, addWindow)
    for (const span of inOrder ? spans : mergeSpans(spans)) cutSpan(span)
    dayDone(!inOrder)
    spans = []
    inOrder = true
  }
}

/** Sorts `starts` from index `at` on and removes duplicates. */
const sortFrom = (starts: Array<number>, at: number): void => {
  const sorted = Float64Array.from(starts.slice(at)).sort()
  let end = at
  for (const start of sorted) if (end === at || start !== starts[end - 1]) starts[end++] = start
  starts.length = end
}

/** The free starts (Unix seconds) of one doctor in the range, ascending, without duplicates. */
export const cutDoctor = (doctor: DoctorCalendar, type: BookableType, range: Range, admits?: Admits): Array<number> => {
  const starts: Array<number> = []
  let ascending = true
  let day = 0
  const keep = (start: number, free: boolean) => {
    if (free) starts.push(start)
  }
  // Sorting date by date keeps memory bounded by the starts of one date, however many windows it has
  const dayDone = (outOfOrder: boolean) => {
    if (outOfOrder) sortFrom(starts, day)
    day = starts.length
  }
  eachOffered(doctor, type, range, keep, { dayDone, admits })
  for (let i = 1; i < starts.length; i++) if ((starts[i] as number) <= (starts[i - 1] as number)) ascending = false
  if (!ascending) sortFrom(starts, 0)
  return starts
}

/** Visits every start that the doctor offers in the range, with whether it is free; in any order, several times where windows overlap. */
export const visitOffered = (
  doctor: DoctorCalendar,
  type: BookableType,
  range: Range,
  visit: (start: number, isFree: boolean) => void,
  admits?: Admits
) => eachOffered(doctor, type, range, visit, { admits })

/**
 * State of one start in a doctor's calendar: `free`, offered but `taken`, or `not_offered` (outside every window, off the grid, inside
 * the notice).
 */
export type Offering = "free" | "taken" | "not_offered"

/**
 * The same predicate for one start at the time `now` (both Unix seconds). To ignore an appointment, such as the one that a rebooking
 * replaces, leave its time out of `doctor.busy`.
 */
export const offeringOf = (
  doctor: DoctorCalendar,
  type: BookableType,
  start: number,
  now: number,
  admits?: Admits
): Offering => {
  let offering: Offering = "not_offered"
  const visit = (_: number, free: boolean) => {
    if (free) offering = "free"
    else if (offering === "not_offered") offering = "taken"
  }
  eachOffered(doctor, type, { from: start, to: start + 1, now }, visit, { admits })
  return offering
}

/** The buffer, in minutes, with which the start is booked: the smallest one of the windows in which it is free; 0 if it is in none. */
export const bufferOf = (
  doctor: DoctorCalendar,
  type: BookableType,
  start: number,
  now: number,
  admits?: Admits
): number => {
  let smallest = Number.POSITIVE_INFINITY
  const visit = (_: number, free: boolean, buffer: number) => {
    if (free) smallest = Math.min(smallest, buffer)
  }
  eachOffered(doctor, type, { from: start, to: start + 1, now }, visit, { admits })
  return smallest === Number.POSITIVE_INFINITY ? 0 : smallest / MINUTE
}
