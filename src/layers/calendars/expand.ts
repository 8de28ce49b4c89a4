/**
 * Expands a calendar file (RFC 5545) into busy ranges. Pure; runs in a worker, since a file can be crafted to take long. Nothing but ranges
 * and counts leaves it: no titles, places or people.
 */
import ICAL from "ical.js"
import { findIana } from "windows-iana"
import { DAY } from "../../schemas/seconds.ts"
import { canonicalZone } from "../../schemas/timeZones.ts"
import type { CalendarContent, CalendarRequest } from "../../services/scheduling/calendar/CalendarReader.ts"
import { instantOfWall, zoneOf } from "../../services/scheduling/slots/zones.ts"

export interface ExpandRequest extends Pick<CalendarRequest, "timezone" | "from" | "to" | "now" | "all_day_blocks"> {
  readonly text: string
}
export type Expanded = Omit<CalendarContent, "tag">

/** Why a file has no ranges. */
export type Unreadable = "not_a_calendar" | "cut_short" | "malformed" | "too_large"

export class CalendarUnreadable extends Error {
  constructor(readonly reason: Unreadable) {
    super(reason)
  }
}

/** Occurrences of one file within the period, and visits of occurrences before it. */
const [OCCURRENCES_MAX, VISITS_MAX] = [50_000, 2_000_000]
const FOUR_WEEKS = 28 * DAY

const wallOf = ({ year, month, day, hour, minute, second }: ICAL.Time) =>
  Date.UTC(year, month - 1, day, hour, minute, second) / 1000

/** The IANA zone of a name that the file does not define itself: an IANA name, or one of Windows. */
const namedZone = (name: string) => canonicalZone(name) ?? findIana(name)[0]

/** An IANA zone for the library, which has only those that a file defines. */
class NamedZone extends ICAL.Timezone {
  constructor(readonly iana: string) {
    super({ tzid: iana })
  }
  override utcOffset(time: ICAL.Time) {
    const wall = wallOf(time)
    return wall - instantOfWall(zoneOf(this.iana), wall)
  }
}

/** Registers the zones that a file names without defining them; their definitions, where there are some, win. */
const registerZones = (text: string) => {
  for (const [, quoted, plain] of text.matchAll(/;TZID=(?:"([^"\r\n]{1,64})"|([^:;"\r\n]{1,64}))/gi)) {
    const name = quoted ?? plain ?? ""
    if (ICAL.TimezoneService.has(name)) continue
    const iana = namedZone(name)
    if (iana !== undefined) ICAL.TimezoneService.register(new NamedZone(iana), name)
  }
}

const timeOf = (wall: number) => {
  const date = new Date(wall * 1000)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
  const [hour, minute, second] = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()]
  return new ICAL.Time({ year, month, day, hour, minute, second, isDate: false }, ICAL.Timezone.localTimezone)
}

/** Offsets at midnight, by a zone's definition and by day: programs write the same definition into every calendar. */
const midnights = new Map<string, Map<number, number>>()
const [DEFINITIONS_MAX, DAYS_MAX] = [100, 5_000]
const kept = <Key, Value>(all: Map<Key, Value>, max: number, key: Key, make: () => Value) => {
  const found = all.get(key)
  if (found !== undefined) return found
  if (all.size >= max) all.clear()
  const made = make()
  all.set(key, made)
  return made
}

/**
 * Offsets, in seconds, of wall times in a zone that a file defines. The library searches and copies the zone's changes each time it is asked.
 * The offset depends on the wall time alone, and is that of the whole day where the day begins and ends with the same.
 */
const offsetsIn = (zone: ICAL.Timezone) => {
  const days = kept(midnights, DEFINITIONS_MAX, JSON.stringify(zone.component), () => new Map<number, number>())
  const atMidnight = (day: number) => kept(days, DAYS_MAX, day, () => zone.utcOffset(timeOf(day * DAY)))
  return (wall: number): number => {
    const day = Math.floor(wall / DAY)
    const offset = atMidnight(day)
    return offset === atMidnight(day + 1) ? offset : zone.utcOffset(timeOf(wall))
  }
}

/** Instants of wall times in the zone of a file's time: its own zone definitions first, as RFC 5545 asks. */
const instants = (timezone: string) => {
  const home = zoneOf(timezone)
  const defined = new Map<ICAL.Timezone, (wall: number) => number>()
  return (wall: number, { isDate, zone }: Pick<ICAL.Time, "isDate" | "zone">): number => {
    if (isDate || zone === ICAL.Timezone.localTimezone) return instantOfWall(home, wall)
    if (zone === ICAL.Timezone.utcTimezone) return wall
    if (zone instanceof NamedZone) return instantOfWall(zoneOf(zone.iana), wall)
    const offsetOf = defined.get(zone) ?? offsetsIn(zone)
    defined.set(zone, offsetOf)
    return wall - offsetOf(wall)
  }
}

const textOf = (component: ICAL.Component, name: string) =>
  String(component.getFirstPropertyValue(name) ?? "").toUpperCase()
const blocks = (component: ICAL.Component) =>
  textOf(component, "transp") !== "TRANSPARENT" && textOf(component, "status") !== "CANCELLED"

const parsed = (text: string): ICAL.Component => {
  const content = text.replace(/^\uFEFF/, "").trim()
  if (!/^BEGIN:VCALENDAR\b/i.test(content)) throw new CalendarUnreadable("not_a_calendar")
  if (!/\nEND:VCALENDAR$/i.test(content)) throw new CalendarUnreadable("cut_short")
  registerZones(content)
  try {
    const read: unknown = ICAL.parse(content)
    // A file may hold several calendars; the parser then returns a list of them
    const calendars = (Array.isArray(read) && Array.isArray(read[0]) ? read : [read]) as Array<Array<unknown>> // jCal
    const [first, ...others] = calendars.map((one) => new ICAL.Component(one))
    if (first === undefined) throw new CalendarUnreadable("not_a_calendar")
    for (const other of others) for (const one of [...other.getAllSubcomponents()]) first.addSubcomponent(one)
    return first
  } catch (error) {
    throw error instanceof CalendarUnreadable ? error : new CalendarUnreadable("malformed")
  }
}

interface Occurrence {
  readonly start: number
  readonly end: number
  readonly isAllDay: boolean
}

const eventOf = (component: ICAL.Component) => new ICAL.Event(component, { exceptions: [] })

/** Whether an exception replaces one occurrence, not all later ones as well. */
const isSingle = (exception: ICAL.Component) =>
  String(exception.getFirstProperty("recurrence-id")?.getFirstParameter("range") ?? "").toUpperCase() !==
  "THISANDFUTURE"

const valuesOf = (component: ICAL.Component, name: string): ReadonlyArray<unknown> =>
  component.getAllProperties(name).flatMap((property) => property.getValues())
const isTime = (value: unknown) => value instanceof ICAL.Time

const WEEKDAY = /^(?:SU|MO|TU|WE|TH|FR|SA)$/

/**
 * Wall times of a rule without its `UNTIL`, ascending. Daily and weekly rules, nearly all there are, are stepped through here: the library
 * takes some 5 µs for each time, and series are often years old.
 */
function* wallsOf(rule: ICAL.Recur, start: ICAL.Time): Generator<number> {
  const first = wallOf(start)
  const { BYDAY = [], ...others } = rule.parts
  const codes = [BYDAY].flat().map(String)
  const isDaily = rule.freq === "DAILY" && codes.length === 0
  const isWeekly = rule.freq === "WEEKLY" && codes.every((code) => WEEKDAY.test(code))
  if (Object.keys(others).length === 0 && (isDaily || isWeekly)) {
    const step = (isDaily ? 1 : 7) * rule.interval * DAY
    const weekday = (code: string) => ICAL.Recur.icalDayToNumericDay(code, rule.wkst) - start.dayOfWeek(rule.wkst)
    const days = codes.length === 0 ? [0] : codes.map(weekday).sort((a, b) => a - b)
    let seen = 0
    for (let period = first; ; period += step)
      for (const day of days) {
        const wall = period + day * DAY
        if (wall < first) continue
        if (seen++ === rule.count) return
        yield wall
      }
  }
  const own = rule.clone()
  own.until = null
  const iterator = own.iterator(timeOf(first))
  for (let next = iterator.next(); next !== undefined && next !== null; next = iterator.next()) yield wallOf(next)
}

/** Visits the occurrences of all events that block and meet the period. */
const eachOccurrence = (
  calendar: ICAL.Component,
  { timezone, from, to }: Pick<ExpandRequest, "timezone" | "from" | "to">,
  visit: (occurrence: Occurrence) => void
) => {
  const instantAt = instants(timezone)
  const instantOf = (time: ICAL.Time) => instantAt(wallOf(time), time)
  let visits = 0
  const visited = () => {
    if (++visits > VISITS_MAX) throw new CalendarUnreadable("too_large")
  }
  const addBetween = (start: number, end: number, isAllDay: boolean) => {
    if (end > start && start < to && end > from) visit({ start, end, isAllDay })
  }
  const add = (startDate: ICAL.Time, endDate: ICAL.Time) => {
    visited()
    addBetween(instantOf(startDate), instantOf(endDate), startDate.isDate)
  }

  const addPeriods = (values: ReadonlyArray<unknown>) => {
    for (const value of values) if (value instanceof ICAL.Period) add(value.start, value.getEnd())
  }

  /** A series as its event, or a change of all later occurrences, has it from an occurrence on. */
  const versionOf = (component: ICAL.Component) => {
    const { startDate, endDate, recurrenceId } = eventOf(component)
    const hasOneZone = startDate.zone === endDate.zone
    return {
      start: startDate,
      from: recurrenceId === null ? Number.NEGATIVE_INFINITY : instantOf(recurrenceId),
      isBlocking: blocks(component),
      shift: recurrenceId === null ? 0 : wallOf(startDate) - wallOf(recurrenceId),
      /** Of the wall clock: a duty from 22:00 to 6:00 ends at 6:00 also where the clocks change. */
      length: hasOneZone ? wallOf(endDate) - wallOf(startDate) : instantOf(endDate) - instantOf(startDate)
    }
  }

  /** Whether an occurrence is later than a rule's `UNTIL`; dates are compared as dates. */
  const lateness = (until: ICAL.Time | null, start: ICAL.Time) => {
    if (until === null) return () => false
    if (start.isDate || until.isDate) {
      const end = (Math.floor(wallOf(until) / DAY) + 1) * DAY
      return (wall: number) => wall >= end
    }
    const last = instantAt(wallOf(until), until.zone === ICAL.Timezone.localTimezone ? start : until)
    return (_wall: number, at: number) => at > last
  }

  const addSeries = (component: ICAL.Component, exceptions: ReadonlyArray<ICAL.Component>) => {
    const { startDate } = eventOf(component)
    const changes = exceptions.filter((one) => !isSingle(one)).map(versionOf)
    const own = versionOf(component)
    const versions = [own, ...changes.sort((a, b) => a.from - b.from)]
    const replaced = exceptions.filter(isSingle).map((one) => eventOf(one).recurrenceId)
    const without = [...replaced, ...valuesOf(component, "exdate").filter(isTime)]
    const done = new Set(without.map(instantOf))
    const doneDays = new Set(without.filter(({ isDate }) => isDate).map(wallOf))
    /** Adds what is at this time; `time` says in which zone. */
    const addAt = (wall: number, at: number, time: ICAL.Time) => {
      visited()
      if (done.has(at) || doneDays.has(Math.floor(wall / DAY) * DAY)) return
      const version = versions.reduce((a, b) => (b.from <= at ? b : a))
      if (!version.isBlocking) return
      const start = wall + version.shift
      const zoned = version === own ? time : version.start
      addBetween(instantAt(start, zoned), instantAt(start + version.length, zoned), zoned.isDate)
    }
    const reach = Math.max(...versions.map(({ shift, length }) => shift + length))
    // the first one belongs to a series whatever its rule says
    const dates = valuesOf(component, "rdate")
    for (const time of [startDate, ...dates.filter(isTime)]) {
      const at = instantOf(time)
      addAt(wallOf(time), at, time)
      done.add(at)
    }
    if (own.isBlocking) addPeriods(dates)
    for (const rule of valuesOf(component, "rrule").filter((value) => value instanceof ICAL.Recur)) {
      const isLate = lateness(rule.until, startDate)
      for (const wall of wallsOf(rule, startDate)) {
        // wherever its zone is, it is over: a series is often years old
        if (wall + reach < from - 2 * DAY) {
          visited()
          continue
        }
        const at = instantAt(wall, startDate)
        // a later change of the series may move its occurrences forward
        if (at >= to + FOUR_WEEKS || isLate(wall, at)) break
        addAt(wall, at, startDate)
      }
    }
  }

  const components = calendar.getAllSubcomponents("vevent").filter((one) => one.hasProperty("dtstart"))
  const uidOf = (one: ICAL.Component) => String(one.getFirstPropertyValue("uid") ?? "")
  const exceptions = Map.groupBy(
    components.filter((one) => one.hasProperty("recurrence-id")),
    uidOf
  )
  for (const one of components) {
    const event = eventOf(one)
    if (event.isRecurrenceException() ? isSingle(one) : !event.isRecurring()) {
      // A moved or cancelled occurrence counts where it is now, whatever its series does
      if (blocks(one)) add(event.startDate, event.endDate)
    } else if (!event.isRecurrenceException()) addSeries(one, exceptions.get(uidOf(one)) ?? [])
  }

  for (const busy of calendar.getAllSubcomponents("vfreebusy"))
    for (const property of busy.getAllProperties("freebusy"))
      if (String(property.getFirstParameter("fbtype") ?? "BUSY").toUpperCase() !== "FREE")
        addPeriods(property.getValues())
}

/** Throws `CalendarUnreadable`. */
export const expand = (request: ExpandRequest): Expanded => {
  const { from, to, now, all_day_blocks } = request
  const found: Array<readonly [start: number, end: number]> = []
  let [events, all_day_events] = [0, 0]
  try {
    eachOccurrence(parsed(request.text), request, ({ start, end, isAllDay }) => {
      if (start < now + FOUR_WEEKS && end > now) {
        events++
        if (isAllDay) all_day_events++
      }
      if (isAllDay && !all_day_blocks) return
      found.push([Math.max(start, from), Math.min(end, to)])
      if (found.length > OCCURRENCES_MAX) throw new CalendarUnreadable("too_large")
    })
  } catch (error) {
    // The library throws errors of its own for values that it cannot read
    throw error instanceof CalendarUnreadable ? error : new CalendarUnreadable("malformed")
  }
  const ranges: Array<number> = []
  for (const [start, end] of found.sort(([a], [b]) => a - b)) {
    const last = ranges.at(-1)
    if (last !== undefined && start <= last) ranges[ranges.length - 1] = Math.max(last, end)
    else ranges.push(start, end)
  }
  return { ranges, events, all_day_events }
}
