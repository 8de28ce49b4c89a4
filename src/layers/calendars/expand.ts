/**
 * Expands a calendar file (RFC 5545) into busy ranges. Pure; runs in a worker, since a file can be crafted to take long. Nothing but ranges
 * and counts leaves it: no titles, places or people.
 */
import ICAL from "ical.js"
import { findIana } from "windows-iana"
import { DAY } from "../../schemas/seconds.ts"
import { canonicalZone } from "../../schemas/timeZones.ts"
import { instantOfWall, zoneOf } from "../../services/scheduling/slots/zones.ts"

export interface ExpandRequest {
  readonly text: string
  /** IANA name: the zone of all-day events and of floating times. */
  readonly timezone: string
  /** Period whose ranges are wanted, `[from, to)`, Unix seconds. */
  readonly from: number
  readonly to: number
  /** Occurrences in `[now, now + 28 days)` are counted. */
  readonly now: number
  readonly all_day_blocks: boolean
}

export interface Expanded {
  /** start, end, start, end …: disjoint, ascending, Unix seconds. */
  readonly ranges: ReadonlyArray<number>
  /** Blocking occurrences in the next four weeks, all-day ones included, whether or not these block. */
  readonly events: number
  readonly all_day_events: number
}

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

/** Instants of a file's times: its own zone definitions first, as RFC 5545 asks. */
const instants = (timezone: string) => {
  const home = zoneOf(timezone)
  return (time: ICAL.Time): number => {
    const wall = wallOf(time)
    if (time.isDate || time.zone === ICAL.Timezone.localTimezone) return instantOfWall(home, wall)
    return time.zone === ICAL.Timezone.utcTimezone ? wall : wall - time.zone.utcOffset(time)
  }
}

const midnightOf = (day: number) => {
  const date = new Date(day * DAY * 1000)
  const fields = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
  return new ICAL.Time(fields, ICAL.Timezone.localTimezone)
}

/**
 * The library searches and copies the changes of a zone that a file defines whenever it compares two times: two thirds of the work of a
 * calendar. The offset depends on the wall time alone, and is that of the whole day where the day begins and ends with the same.
 */
const rememberOffsets = (calendar: ICAL.Component) => {
  const names = calendar.getAllSubcomponents("vtimezone").map((zone) => zone.getFirstPropertyValue("tzid"))
  // the library fails at a zone without a name, if a time asks for a zone
  if (!names.every((name) => typeof name === "string")) return
  for (const name of new Set(names)) {
    const zone = calendar.getTimeZoneByID(name)
    const offsetOf = zone.utcOffset.bind(zone)
    const known = new Map<number, number>()
    const atMidnight = (day: number) => {
      const found = known.get(day) ?? offsetOf(midnightOf(day))
      known.set(day, found)
      return found
    }
    zone.utcOffset = (time) => {
      const day = Math.floor(wallOf(time) / DAY)
      const offset = atMidnight(day)
      return offset === atMidnight(day + 1) ? offset : offsetOf(time)
    }
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
    rememberOffsets(first)
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

/** Visits the occurrences of all events that block and meet the period. */
const eachOccurrence = (
  calendar: ICAL.Component,
  { timezone, from, to }: Pick<ExpandRequest, "timezone" | "from" | "to">,
  visit: (occurrence: Occurrence) => void
) => {
  const instantOf = instants(timezone)
  let visits = 0
  const visited = () => {
    if (++visits > VISITS_MAX) throw new CalendarUnreadable("too_large")
  }
  const add = (startDate: ICAL.Time, endDate: ICAL.Time) => {
    visited()
    const [start, end] = [instantOf(startDate), instantOf(endDate)]
    if (end > start && start < to && end > from) visit({ start, end, isAllDay: startDate.isDate })
  }

  const components = calendar.getAllSubcomponents("vevent").filter((one) => one.hasProperty("dtstart"))
  const uidOf = (one: ICAL.Component) => String(one.getFirstPropertyValue("uid") ?? "")
  const exceptions = Map.groupBy(
    components.filter((one) => one.hasProperty("recurrence-id")),
    uidOf
  )
  // A moved or cancelled occurrence counts where it is now, whatever its series does
  for (const one of [...exceptions.values()].flat()) {
    if (!blocks(one) || !isSingle(one)) continue
    const event = new ICAL.Event(one)
    add(event.startDate, event.endDate)
  }
  for (const one of components) {
    if (one.hasProperty("recurrence-id")) continue
    const own = exceptions.get(uidOf(one)) ?? []
    const event = new ICAL.Event(one, { exceptions: own.filter((exception) => !isSingle(exception)) })
    if (!event.isRecurring()) {
      if (blocks(one)) add(event.startDate, event.endDate)
      continue
    }
    const replaced = new Set([
      ...own.filter(isSingle).map((exception) => instantOf(new ICAL.Event(exception).recurrenceId)),
      ...excludedFrom(one).map(instantOf)
    ])
    const iterator = event.iterator()
    for (let next = iterator.next(); next !== undefined && next !== null; next = iterator.next()) {
      visited()
      const at = instantOf(next)
      // A later change of the series may move its occurrences forward
      if (at >= to + FOUR_WEEKS) break
      if (replaced.has(at)) continue
      const { item, startDate, endDate } = event.getOccurrenceDetails(next)
      if (blocks(item.component)) add(startDate, endDate)
    }
  }

  for (const busy of calendar.getAllSubcomponents("vfreebusy"))
    for (const property of busy.getAllProperties("freebusy")) {
      if (String(property.getFirstParameter("fbtype") ?? "BUSY").toUpperCase() === "FREE") continue
      for (const period of property.getValues()) if (period instanceof ICAL.Period) add(period.start, period.getEnd())
    }
}

/** The library overlooks an excluded time after one that is no occurrence. */
const excludedFrom = (component: ICAL.Component) =>
  component
    .getAllProperties("exdate")
    .flatMap((property) => property.getValues())
    .filter((value) => value instanceof ICAL.Time)

/** Whether an exception replaces one occurrence, not all later ones as well. */
const isSingle = (exception: ICAL.Component) =>
  String(exception.getFirstProperty("recurrence-id")?.getFirstParameter("range") ?? "").toUpperCase() !==
  "THISANDFUTURE"

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
