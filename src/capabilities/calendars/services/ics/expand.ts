/**
 * Expands a calendar file (RFC 5545) into busy ranges. Pure; runs in a worker, since a file can be crafted to take long. Nothing but ranges
 * and counts leaves it, and of what cannot be read the property and the time: no titles, places or people.
 */
import { DAY } from "../../../../schemas/seconds.ts"
import type { CalendarContent, CalendarRequest } from "../CalendarServers.ts"
import { type Calendar, type CalendarEvent, calendarsOf, instantOf, type Moment } from "./events.ts"
import { joined, type Range } from "./ranges.ts"
import { wallsOf } from "./rules.ts"
import { CalendarUnreadable } from "./unreadable.ts"

export interface ExpandRequest
  extends Pick<CalendarRequest, "timezone" | "from" | "to" | "now" | "all_day_blocks" | "own"> {
  readonly text: string
}
export type Expanded = Omit<CalendarContent, "tag">

/** Called with the number of occurrences that are looked at: it throws to end a file that takes too many. */
type Step = (count: number) => void

/** Occurrences of one file within the period, and steps to find them. */
const [OCCURRENCES_MAX, STEPS_MAX] = [50_000, 2_000_000]
const FOUR_WEEKS = 28 * DAY
/** A later change of a series may move its occurrences forward: so far after the period they are looked for. */
const MOVES = FOUR_WEEKS
/** An unreadable event that began so long before the period, once, no longer matters. */
const YEAR = 366 * DAY

interface Occurrence {
  readonly start: number
  readonly end: number
  readonly isAllDay: boolean
}
type Visit = (occurrence: Occurrence) => void

/** The end of an event that begins at this wall time. */
const endOf = ({ wallLength, exactLength }: CalendarEvent, wall: number, { zone }: Moment) =>
  zone.instantOf(wall + wallLength) + exactLength

/** Of versions of one event, or of one occurrence, those with the highest sequence. Events without a UID have no versions. */
const newest = (events: ReadonlyArray<CalendarEvent>): ReadonlyArray<CalendarEvent> => {
  const keyOf = ({ uid, recurrenceId, isSingle }: CalendarEvent) =>
    JSON.stringify([uid, recurrenceId && instantOf(recurrenceId), isSingle])
  const counts = new Map<string, number>()
  for (const { uid } of events) counts.set(uid, (counts.get(uid) ?? 0) + 1)
  const hasVersions = ({ uid }: CalendarEvent) => uid !== "" && (counts.get(uid) ?? 0) > 1
  const highest = new Map<string, number>()
  for (const one of events.filter(hasVersions)) {
    const key = keyOf(one)
    highest.set(key, Math.max(one.sequence, highest.get(key) ?? 0))
  }
  return events.filter((one) => !hasVersions(one) || one.sequence >= (highest.get(keyOf(one)) ?? 0))
}

/** Whether an occurrence is later than a rule's `UNTIL`; dates are compared as dates. */
const isAfter = (until: Moment | undefined, start: Moment) => {
  if (until === undefined) return () => false
  if (start.isDate || until.isDate) {
    const end = (Math.floor(until.wall / DAY) + 1) * DAY
    return (wall: number) => wall >= end
  }
  const last = instantOf(until)
  return (_wall: number, at: number) => at > last
}

/** A series as its event, or a change of all later occurrences, has it from an occurrence on. */
const versionOf = (event: CalendarEvent) => ({
  event,
  from: event.recurrenceId === undefined ? Number.NEGATIVE_INFINITY : instantOf(event.recurrenceId),
  shift: event.recurrenceId === undefined ? 0 : event.start.wall - event.recurrenceId.wall
})

const expandSeries = (
  own: CalendarEvent,
  exceptions: ReadonlyArray<CalendarEvent>,
  { from, to }: Pick<ExpandRequest, "from" | "to">,
  step: Step,
  visit: Visit
) => {
  step(exceptions.length)
  const changes = exceptions.filter(({ isSingle }) => !isSingle).map(versionOf)
  const versions = [versionOf(own), ...changes.sort((a, b) => a.from - b.from)]
  const replaced = exceptions.flatMap(({ isSingle, recurrenceId }) => (isSingle ? (recurrenceId ?? []) : []))
  const without = [...replaced, ...own.excluded]
  const done = new Set(without.map(instantOf))
  // days of a series of days are left out by a time of theirs, too
  const doneDays = new Set(
    without.filter(({ isDate }) => isDate || own.start.isDate).map(({ wall }) => Math.floor(wall / DAY))
  )
  /** Adds what is at this time; `time` says in which zone. */
  const addAt = (wall: number, at: number, { zone, isDate }: Moment) => {
    step(versions.length)
    if (done.has(at) || doneDays.has(Math.floor(wall / DAY))) return
    done.add(at)
    const { event, shift } = versions.reduce((a, b) => (b.from <= at ? b : a))
    if (!event.isBlocking) return
    const zoned = event === own ? { zone, isDate } : event.start
    const start = wall + shift
    const moment = { wall: start, ...zoned }
    visit({ start: zoned.zone.instantOf(start), end: endOf(event, start, moment), isAllDay: zoned.isDate })
  }
  const reach = Math.max(...versions.map(({ shift, event }) => shift + event.wallLength + event.exactLength))
  // the first one belongs to a series whatever its rule says
  for (const time of [own.start, ...own.dates]) addAt(time.wall, instantOf(time), time)
  for (const { rule, until } of own.series) {
    const isLate = isAfter(until, own.start)
    // two days: wherever its zone is
    const last = Math.min(until?.wall ?? Number.POSITIVE_INFINITY, to + MOVES) + 2 * DAY
    const walls = wallsOf(rule, own.start.wall, from - reach - 2 * DAY, last)
    step(walls.length)
    for (const wall of walls) {
      const at = own.start.zone.instantOf(wall)
      if (at >= to + MOVES || isLate(wall, at)) break
      addAt(wall, at, own.start)
    }
  }
}

/** Visits the occurrences of a calendar that block and meet the period; the zone of the first that names an unknown one is returned. */
const expandCalendar = (
  { events, busy }: Calendar,
  period: Pick<ExpandRequest, "from" | "to" | "own">,
  step: Step,
  visit: Visit
): string | undefined => {
  let [visits, unknown]: [number, string | undefined] = [0, undefined]
  const add: Visit = (occurrence) => {
    const { start, end } = occurrence
    if (end <= start || start >= period.to || end <= period.from) return
    visits++
    visit(occurrence)
  }
  const counted = newest(events.filter(({ uid }) => !period.own?.includes(uid)))
  const exceptions = Map.groupBy(
    counted.filter(({ recurrenceId }) => recurrenceId !== undefined),
    ({ uid }) => uid
  )
  const isSeries = ({ series, dates, periods }: CalendarEvent) => series.length + dates.length + periods.length > 0
  const masters = new Set(
    counted.filter((one) => one.recurrenceId === undefined && isSeries(one)).map(({ uid }) => uid)
  )
  for (const event of counted) {
    const before = visits
    const { start, recurrenceId, isSingle, isBlocking, uid } = event
    step(1)
    // a change of all later occurrences is read with its series, or by itself where there is none
    if (recurrenceId !== undefined && !isSingle && masters.has(uid)) continue
    if (isSeries(event) && (recurrenceId === undefined || !isSingle))
      expandSeries(event, recurrenceId === undefined ? (exceptions.get(uid) ?? []) : [], period, step, add)
    // a moved occurrence counts where it is now, whatever its series does
    else if (isBlocking) add({ start: instantOf(start), end: endOf(event, start.wall, start), isAllDay: start.isDate })
    if (isBlocking)
      for (const [from, to] of event.periods) {
        step(1)
        add({ start: from, end: to, isAllDay: false })
      }
    if (visits > before) unknown ??= start.zone.unknown
  }
  for (const [start, end] of busy) {
    step(1)
    add({ start, end, isAllDay: false })
  }
  return unknown
}

/** As a file has it, without its zone: `20261214T080000`, `20261214`. */
const textOf = ({ wall, isDate }: Moment) =>
  new Date(wall * 1000)
    .toISOString()
    .replace(/[-:]|\.\d+Z$/g, "")
    .slice(0, isDate ? 8 : undefined)

/** Throws `CalendarUnreadable`. */
export const expand = (request: ExpandRequest): Expanded => {
  const { from, to, now, all_day_blocks } = request
  const found: Array<Range> = []
  let [events, all_day_events, steps] = [0, 0, 0]
  const step: Step = (count) => {
    steps += count
    if (steps > STEPS_MAX) throw new CalendarUnreadable("too_large")
  }
  const visit: Visit = ({ start, end, isAllDay }) => {
    if (start < now + FOUR_WEEKS && end > now) {
      events++
      if (isAllDay) all_day_events++
    }
    if (isAllDay && !all_day_blocks) return
    found.push({ start: Math.max(start, from), end: Math.min(end, to) })
    if (found.length > OCCURRENCES_MAX) throw new CalendarUnreadable("too_large")
  }
  const calendars = calendarsOf(request.text, request.timezone, to + MOVES)
  const unknown = calendars.map((calendar) => expandCalendar(calendar, request, step, visit))
  const zone = unknown.find((name) => name !== undefined)
  const unread = calendars
    .flatMap((calendar) => calendar.unread)
    .filter(({ start, isRecurring }) => {
      if (start === undefined) return true
      return instantOf(start) < to && (isRecurring || instantOf(start) >= from - YEAR)
    })
  const [first] = unread
  const own = calendars.flatMap((calendar) => newest(calendar.events.filter(({ uid }) => request.own?.includes(uid))))
  return {
    ranges: joined(found),
    own: own.map(({ uid, start }) => ({ uid, start: instantOf(start) })),
    events,
    all_day_events,
    skipped_events: unread.length,
    notice:
      first !== undefined
        ? {
            kind: "skipped",
            detail: first.start === undefined ? first.property : `${first.property}, ${textOf(first.start)}`
          }
        : zone !== undefined
          ? { kind: "zone", detail: zone.replace(/\s+/g, " ").slice(0, 64) }
          : null
  }
}
