/**
 * Reads the events of calendar files (RFC 5545): only what says when somebody is busy. Programs depart from the standard in many ways; what
 * is clear is read. A property that cannot be read is left out and named, the rest of its event counts.
 */
import { DAY, HOUR, MINUTE } from "../../../../schemas/seconds.ts"
import { type CalendarZone, definedZone, ianaZone, namedZone, type Observance, utc } from "./definedZones.ts"
import { type Rule, ruleOf } from "./rules.ts"
import { CalendarUnreadable } from "./unreadable.ts"

interface Property {
  readonly name: string
  readonly parameters: string
  value: string
}
interface Component {
  readonly name: string
  readonly properties: Map<string, Array<Property>>
  readonly components: Array<Component>
}
/** A calendar object; `isCut`: another one begins before its end. */
interface CalendarObject extends Component {
  isCut: boolean
}

/** A time as a file has it: of the wall clock, seconds since 1970-01-01T00:00 in its zone. */
export interface Moment {
  readonly wall: number
  readonly isDate: boolean
  readonly zone: CalendarZone
}

export interface Series {
  readonly rule: Rule
  readonly until: Moment | undefined
}

export interface CalendarEvent {
  readonly uid: string
  readonly sequence: number
  readonly start: Moment
  /** How long it lasts: by the wall clock, and after that exact seconds. */
  readonly wallLength: number
  readonly exactLength: number
  readonly isBlocking: boolean
  readonly recurrenceId: Moment | undefined
  /** Whether an exception replaces one occurrence, not all later ones as well. */
  readonly isSingle: boolean
  readonly series: ReadonlyArray<Series>
  readonly dates: ReadonlyArray<Moment>
  /** Busy in addition: Unix seconds. */
  readonly periods: ReadonlyArray<readonly [start: number, end: number]>
  readonly excluded: ReadonlyArray<Moment>
}

/** A property that could not be read, with the start of its event as the file has it, if that could be. */
export interface Unread {
  readonly property: string
  readonly start: Moment | undefined
  readonly isRecurring: boolean
}

export interface Calendar {
  readonly events: ReadonlyArray<CalendarEvent>
  readonly busy: ReadonlyArray<readonly [start: number, end: number]>
  readonly unread: ReadonlyArray<Unread>
}

/** Values without a colon: an unquoted zone name may have one (`TZID=(UTC+01:00) Berlin:2026…`). */
const TIMES = new Set(["DTSTART", "DTEND", "RECURRENCE-ID", "RDATE", "EXDATE", "FREEBUSY"])
const READ = new Set([
  ...TIMES,
  ...["BEGIN", "END", "UID", "SEQUENCE", "STATUS", "TRANSP", "DURATION", "RRULE", "METHOD"],
  ...["TZID", "TZOFFSETFROM", "TZOFFSETTO"]
])

/** Letters of the longest of them. */
const NAME_MAX = Math.max(...[...READ].map(({ length }) => length))
/** Components within components: there are three (calendar, event, alarm). */
const DEPTH_MAX = 8
/** Components that no other component than a calendar has. */
const OF_CALENDARS = new Set(["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VTIMEZONE"])

/** A time with the separators of ISO 8601, at the end of a line. */
const ISO_TIME = /:(?=\d{4}-\d\d-\d\dT[\d:]{5,8}Z?\s*$)/

/** Where a property's value begins: after the first colon outside of quotes, before a time after the last one. */
const colonIn = (name: string, line: string) => {
  if (TIMES.has(name)) return ISO_TIME.exec(line)?.index ?? line.lastIndexOf(":")
  if (!line.includes('"')) return line.indexOf(":")
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '"') isQuoted = !isQuoted
    else if (line[at] === ":" && !isQuoted) return at
  }
  return -1
}

/** The name of a property that is read, else empty: this is asked of every line. */
const nameOf = (line: string) => {
  let end = 0
  while (end <= NAME_MAX && line[end] !== ":" && line[end] !== ";") end++
  const name = line.slice(0, end)
  if (READ.has(name)) return name
  const capitals = name.toUpperCase()
  return READ.has(capitals) ? capitals : ""
}

/** Unfolded lines of the properties that are read; line ends may be any, also doubled. */
function* linesOf(text: string): Generator<readonly [name: string, line: string]> {
  let [name, line] = ["", ""]
  for (const physical of text.split(/\r\n|\r|\n/)) {
    if (physical === "") continue
    if (physical.startsWith(" ") || physical.startsWith("\t")) {
      if (name !== "") line += physical.slice(1)
      continue
    }
    if (name !== "") yield [name, line]
    name = nameOf(physical)
    line = physical
  }
  if (name !== "") yield [name, line]
}

/** The calendar objects of a file. Throws `CalendarUnreadable`. */
const objectsOf = (text: string): ReadonlyArray<CalendarObject> => {
  if (!/^\uFEFF?\s*BEGIN:VCALENDAR\s*(?:$|[\r\n])/i.test(text)) throw new CalendarUnreadable("not_a_calendar")
  const objects: Array<CalendarObject> = []
  let open: Array<Component> = []
  for (const [name, line] of linesOf(text.replace(/^\uFEFF?\s*/, ""))) {
    const colon = colonIn(name, line)
    // programs write a second colon
    const value =
      colon === -1
        ? ""
        : line
            .slice(colon + 1)
            .replace(/^:/, "")
            .trimEnd()
    const within = open.at(-1)
    if (name === "BEGIN") {
      const component = { name: value.toUpperCase(), properties: new Map(), components: [] }
      if (component.name === "VCALENDAR") {
        const last = objects.at(-1)
        if (open.length > 0 && last !== undefined) last.isCut = true
        const object = { ...component, isCut: false }
        objects.push(object)
        open = [object]
      } else if (open.length > 0) {
        // one without an end is over where the next one begins
        if (OF_CALENDARS.has(component.name)) open = open.slice(0, 1)
        open.at(-1)?.components.push(component)
        if (open.length < DEPTH_MAX) open.push(component)
      }
    } else if (name === "END") {
      const at = open.findLastIndex((one) => one.name === value.toUpperCase())
      if (at !== -1) open = open.slice(0, at)
    } else if (within !== undefined) {
      const property = { name, parameters: line.slice(name.length, Math.max(colon, name.length)), value }
      const others = within.properties.get(name)
      if (others === undefined) within.properties.set(name, [property])
      else others.push(property)
    }
  }
  if (open.length > 0) throw new CalendarUnreadable("cut_short")
  return objects
}

const parameterOf = ({ parameters }: Property, name: "VALUE" | "TZID" | "FBTYPE" | "RANGE") => {
  const [, quoted, plain] = new RegExp(`;${name}=(?:"([^"]*)"|([^";]*))`, "i").exec(parameters) ?? []
  return (quoted ?? plain ?? "").trim()
}
const allOf = ({ properties }: Component, name: string) => properties.get(name) ?? []
const firstOf = ({ properties }: Component, name: string) => properties.get(name)?.[0]
const textOf = (component: Component, name: string) => firstOf(component, name)?.value.toUpperCase() ?? ""
const componentsOf = ({ components }: Component, name: string) => components.filter((one) => one.name === name)

const TIME = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?)?(Z)?$/

/** A wall-clock time or a date; undefined for what is none. */
const wallOf = (text: string) => {
  const [, ...parts] = TIME.exec(text.replace(/[-:]/g, "")) ?? []
  if (parts.length === 0) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(0, 6)
    .map((part) => Number(part ?? 0))
  const isValid = month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour <= 24 && minute <= 59 && second <= 60
  // the year 1601, in which Outlook's zones begin, is no special case; those before 100 are
  if (!isValid || year < 100) return undefined
  const wall = Date.UTC(year, month - 1, day, hour, minute, second) / 1000
  return { wall, isDate: parts[3] === undefined, isUtc: parts[6] !== undefined }
}

/** The `T` may stand anywhere: programs write `PT1D`. */
const DURATION = /^([+-])?P(?=T?\d)T?(?:(\d{1,5})W)?T?(?:(\d{1,6})D)?T?(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,8})S)?$/i
const durationOf = (text: string) => {
  const [whole, sign, ...parts] = DURATION.exec(text) ?? []
  if (whole === undefined) return undefined
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0))
  const factor = sign === "-" ? -1 : 1
  return {
    wallLength: factor * (weeks * 7 + days) * DAY,
    exactLength: factor * (hours * HOUR + minutes * MINUTE + seconds)
  }
}

const offsetOf = (component: Component, name: string) => {
  const [, sign, hours, minutes, seconds] =
    /^([+-])?(\d\d?):?(\d\d)?:?(\d\d)?$/.exec(firstOf(component, name)?.value ?? "") ?? []
  if (hours === undefined) return undefined
  return (sign === "-" ? -1 : 1) * (Number(hours) * HOUR + Number(minutes ?? 0) * MINUTE + Number(seconds ?? 0))
}

/** A part of a zone's definition; undefined where it says no offset. */
const observanceOf = (component: Component): Observance | undefined => {
  const start = wallOf(firstOf(component, "DTSTART")?.value ?? "")
  const [before, offset] = [offsetOf(component, "TZOFFSETFROM"), offsetOf(component, "TZOFFSETTO")]
  if (start === undefined || offset === undefined) return undefined
  const rules = allOf(component, "RRULE").flatMap(({ value }) => {
    const { rule, until = "" } = ruleOf(value)
    return rule === undefined ? [] : [{ rule, until: wallOf(until)?.wall ?? Number.MAX_SAFE_INTEGER }]
  })
  const dates = allOf(component, "RDATE").flatMap(({ value }) =>
    value.split(",").flatMap((one) => wallOf(one.split("/")[0] ?? "")?.wall ?? [])
  )
  return { start: start.wall, rules, dates, before: before ?? offset, offset }
}

/** The zones of one calendar object, by the name that its times have. Its own definitions come first, as RFC 5545 asks. */
const zonesOf = (calendar: Component, home: CalendarZone, to: number) => {
  const defined = new Map(
    componentsOf(calendar, "VTIMEZONE").flatMap((component) => {
      const observances = component.components.flatMap((one) => observanceOf(one) ?? [])
      const zone = definedZone(observances, to)
      const name = firstOf(component, "TZID")?.value.replace(/^"(.*)"$/, "$1")
      return zone === undefined || name === undefined ? [] : [[name.trim(), zone] as const]
    })
  )
  return (name: string): CalendarZone => {
    const found = defined.get(name) ?? namedZone(name) ?? { instantOf: home.instantOf, unknown: name }
    defined.set(name, found)
    return found
  }
}

interface Reading {
  readonly home: CalendarZone
  readonly zoneOf: (name: string) => CalendarZone
  readonly isCancelled: boolean
}

const momentOf = ({ home, zoneOf }: Reading, property: Property, text = property.value): Moment | undefined => {
  const isDay = parameterOf(property, "VALUE").toUpperCase() === "DATE"
  const found = wallOf(isDay ? text.slice(0, 8) : text)
  if (found === undefined) return undefined
  if (found.isDate) return { wall: found.wall, isDate: true, zone: home }
  const name = parameterOf(property, "TZID")
  const zone = found.isUtc ? utc : name === "" ? home : zoneOf(name)
  return { wall: found.wall, isDate: false, zone }
}

export const instantOf = ({ wall, zone }: Moment) => zone.instantOf(wall)

const periodOf = (reading: Reading, property: Property, text: string) => {
  const [first = "", last = ""] = text.split("/")
  const start = momentOf(reading, property, first)
  const end = momentOf(reading, property, last)
  const length = durationOf(last)
  if (start === undefined) return undefined
  if (end !== undefined) return [instantOf(start), instantOf(end)] as const
  if (length === undefined) return undefined
  return [instantOf(start), start.zone.instantOf(start.wall + length.wallLength) + length.exactLength] as const
}
const valuesOf = ({ value }: Property) => value.split(",").filter((one) => one !== "")

/** An event; undefined if its start cannot be read. `note` is told what cannot be. */
const eventOf = (reading: Reading, component: Component, note: (property: string) => void) => {
  const read = <A>(name: string, decode: (property: Property) => A | undefined): A | undefined => {
    const property = firstOf(component, name)
    if (property === undefined) return undefined
    const value = decode(property)
    if (value === undefined) note(name)
    return value
  }
  /** Those of a property's values that can be read. */
  const readAll = <A>(name: string, decode: (property: Property, text: string) => A | undefined): ReadonlyArray<A> =>
    allOf(component, name).flatMap((property) =>
      valuesOf(property).flatMap((text) => {
        const value = decode(property, text)
        if (value === undefined) note(name)
        return value === undefined ? [] : [value]
      })
    )
  const moment = (property: Property, text?: string) => momentOf(reading, property, text)
  const start = read("DTSTART", moment)
  if (start === undefined) return undefined
  const end = read("DTEND", moment)
  const duration = read("DURATION", ({ value }) => durationOf(value))
  const lengthOf = () => {
    if (end !== undefined)
      return end.zone === start.zone && end.isDate === start.isDate
        ? { wallLength: end.wall - start.wall, exactLength: 0 }
        : { wallLength: 0, exactLength: instantOf(end) - instantOf(start) }
    return duration ?? { wallLength: 0, exactLength: 0 }
  }
  const length = lengthOf()
  const total = length.wallLength + length.exactLength
  // a day lasts at least the day: programs write an inclusive end, or none
  const { wallLength, exactLength } = start.isDate && total <= 0 ? { wallLength: DAY, exactLength: 0 } : length
  if (!start.isDate && total < 0) note(end === undefined ? "DURATION" : "DTEND")
  const inSeries = (property: Property, text?: string) => {
    const found = moment(property, text)
    // without a zone it is in that of the series
    return found?.zone === reading.home && !found.isDate ? { ...found, zone: start.zone } : found
  }
  const series = allOf(component, "RRULE").flatMap(({ value }): ReadonlyArray<Series> => {
    const { rule, until: limit } = ruleOf(value)
    const limitAt = (text: string) => inSeries({ name: "UNTIL", parameters: "", value: text })
    // its day alone, where its time cannot be read
    const until = limit === undefined ? undefined : (limitAt(limit) ?? limitAt(limit.slice(0, 8)))
    if (rule !== undefined && (limit === undefined || until !== undefined)) return [{ rule, until }]
    note("RRULE")
    return []
  })
  const dates = readAll("RDATE", (property, text) =>
    text.includes("/") ? periodOf(reading, property, text) : moment(property, text)
  )
  const recurrence = firstOf(component, "RECURRENCE-ID")
  const event: CalendarEvent = {
    uid: firstOf(component, "UID")?.value ?? "",
    sequence: Number.parseInt(firstOf(component, "SEQUENCE")?.value ?? "0", 10) || 0,
    start,
    wallLength,
    exactLength,
    isBlocking:
      !reading.isCancelled &&
      textOf(component, "TRANSP") !== "TRANSPARENT" &&
      !/^CANCELL?ED$/.test(textOf(component, "STATUS")),
    recurrenceId: read("RECURRENCE-ID", inSeries),
    isSingle: recurrence === undefined || parameterOf(recurrence, "RANGE").toUpperCase() !== "THISANDFUTURE",
    series,
    dates: dates.filter((one) => "wall" in one),
    periods: dates.flatMap((one) => ("wall" in one ? [] : [one])),
    excluded: readAll("EXDATE", inSeries)
  }
  return event
}

/**
 * The calendars of a file, each read by its own zones; `timezone` has floating times and days, `to` is the end of what matters. Throws
 * `CalendarUnreadable`.
 */
export const calendarsOf = (text: string, timezone: string, to: number): ReadonlyArray<Calendar> => {
  const home = ianaZone(timezone)
  return objectsOf(text).map((object): Calendar => {
    const reading = {
      home,
      zoneOf: zonesOf(object, home, to),
      isCancelled: textOf(object, "METHOD") === "CANCEL"
    }
    const unread: Array<Unread> = []
    if (object.isCut) unread.push({ property: "END", start: undefined, isRecurring: true })
    const events: Array<CalendarEvent> = []
    for (const component of componentsOf(object, "VEVENT")) {
      const notes: Array<string> = []
      const event = eventOf(reading, component, (property) => notes.push(property))
      if (event !== undefined) events.push(event)
      const property = notes[0] ?? (event === undefined ? "DTSTART" : undefined)
      if (property !== undefined)
        unread.push({ property, start: event?.start, isRecurring: firstOf(component, "RRULE") !== undefined })
    }
    const busy = componentsOf(object, "VFREEBUSY").flatMap((component) =>
      allOf(component, "FREEBUSY")
        .filter((property) => parameterOf(property, "FBTYPE").toUpperCase() !== "FREE")
        .flatMap((property) =>
          valuesOf(property).flatMap((value) => {
            const period = periodOf(reading, property, value)
            if (period === undefined) unread.push({ property: "FREEBUSY", start: undefined, isRecurring: true })
            return period === undefined ? [] : [period]
          })
        )
    )
    return { events, busy, unread }
  })
}
