/**
 * A second reader of calendar files, written from RFC 5545 alone and without the service's library: it looks at every day of a series, one
 * after the other. Slow, and for files without zone definitions that differ from IANA's.
 */

const DAY = 86_400
const CODES = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]

interface Moment {
  /** Seconds of the wall clock, as if it were UTC. */
  readonly wall: number
  /** IANA name; "UTC"; undefined: floating or a date. */
  readonly zone: string | undefined
  readonly isDate: boolean
}

interface Property {
  readonly name: string
  readonly parameters: ReadonlyMap<string, string>
  readonly value: string
}

export interface PlainRequest {
  readonly text: string
  readonly timezone: string
  readonly from: number
  readonly to: number
  readonly all_day_blocks: boolean
  /** IANA names of zones that a file calls otherwise. */
  readonly zones?: Readonly<Record<string, string>>
}

const formats = new Map<string, Intl.DateTimeFormat>()
const offsetAt = (zone: string, instant: number) => {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric"
    })
  formats.set(zone, format)
  const parts = Object.fromEntries(format.formatToParts(instant * 1000).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - instant
}
/** The earlier of the instants with this wall time; in a gap that of the offset before it. */
const instantOf = (wall: number, zone: string) => {
  const before = offsetAt(zone, wall - DAY)
  const candidates = [wall - before, wall - offsetAt(zone, wall + DAY)]
  return candidates.find((instant) => instant + offsetAt(zone, instant) === wall) ?? wall - before
}

const propertiesOf = (lines: ReadonlyArray<string>) =>
  lines.map((line): Property => {
    let isQuoted = false
    let colon = 0
    for (; colon < line.length; colon++) {
      if (line[colon] === '"') isQuoted = !isQuoted
      if (line[colon] === ":" && !isQuoted) break
    }
    const [name = "", ...parameters] = line.slice(0, colon).split(";")
    return {
      name: name.toUpperCase(),
      parameters: new Map(
        parameters.map((one) => {
          const [key = "", value = ""] = one.split("=")
          return [key.toUpperCase(), value.replaceAll('"', "")]
        })
      ),
      value: line.slice(colon + 1)
    }
  })

const wallOf = (text: string) => {
  const [, year, month, day, hour = "0", minute = "0", second = "0"] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d))?/.exec(text) ?? []
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)) / 1000
}

const momentsOf = ({ value, parameters }: Property, zones: Readonly<Record<string, string>>) =>
  value.split(",").map((text): Moment => {
    const named = parameters.get("TZID")
    return {
      wall: wallOf(text),
      zone: text.endsWith("Z") ? "UTC" : named === undefined ? undefined : (zones[named] ?? named),
      isDate: !text.includes("T")
    }
  })

const durationOf = (text: string) => {
  const [, sign, weeks = "0", days = "0", hours = "0", minutes = "0", seconds = "0"] =
    /^([+-])?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text) ?? []
  const days_ = Number(weeks) * 7 + Number(days)
  return {
    days: sign === "-" ? -days_ : days_,
    seconds: (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * (sign === "-" ? -1 : 1)
  }
}

const dateOf = (wall: number) => {
  const date = new Date(wall * 1000)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate(), weekday: date.getUTCDay() }
}
const daysIn = (year: number, month: number) => new Date(Date.UTC(year, month + 1, 0)).getUTCDate()

/** Whether a day belongs to the rule of a series that began at `first`; both walls. */
const matcherOf = (rule: ReadonlyMap<string, string>, first: number) => {
  const list = (name: string) => rule.get(name)?.split(",") ?? []
  const frequency = rule.get("FREQ")
  const interval = Number(rule.get("INTERVAL") ?? 1)
  const begin = dateOf(first)
  const weekStart = CODES.indexOf(rule.get("WKST") ?? "MO")
  const weekOf = (wall: number) =>
    Math.floor((Math.floor(wall / DAY) - ((dateOf(wall).weekday - weekStart + 7) % 7)) / 7)
  const months = list("BYMONTH").map((one) => Number(one) - 1)
  const monthDays = list("BYMONTHDAY").map(Number)
  const weekdays = list("BYDAY").map((one) => ({
    nth: Number.parseInt(one, 10) || 0,
    weekday: CODES.indexOf(one.slice(-2))
  }))
  return (wall: number) => {
    const { year, month, day, weekday } = dateOf(wall)
    if (months.length > 0 && !months.includes(month)) return false
    if (monthDays.length > 0 && !monthDays.some((one) => (one > 0 ? one : daysIn(year, month) + one + 1) === day))
      return false
    const isNth = ({ nth, weekday: wanted }: (typeof weekdays)[number]) => {
      if (wanted !== weekday) return false
      if (nth === 0) return true
      return nth > 0 ? Math.ceil(day / 7) === nth : Math.ceil((daysIn(year, month) - day + 1) / 7) === -nth
    }
    if (weekdays.length > 0 && !weekdays.some(isNth)) return false
    if (frequency === "DAILY") return (Math.floor(wall / DAY) - Math.floor(first / DAY)) % interval === 0
    if (frequency === "WEEKLY")
      return (weekOf(wall) - weekOf(first)) % interval === 0 && (weekdays.length > 0 || weekday === begin.weekday)
    const isDay = weekdays.length + monthDays.length > 0 || day === begin.day
    if (frequency === "MONTHLY") return ((year - begin.year) * 12 + month - begin.month) % interval === 0 && isDay
    return (year - begin.year) % interval === 0 && isDay && (months.length > 0 || month === begin.month)
  }
}

interface Event {
  readonly properties: ReadonlyArray<Property>
  readonly start: Moment
}

export const plainRanges = ({ text, timezone, from, to, all_day_blocks, zones = {} }: PlainRequest) => {
  const lines = text.replace(/\r?\n[ \t]/g, "").split(/\r?\n/)
  const events: Array<Event> = []
  for (let at = 0; at < lines.length; at++) {
    if (lines[at] !== "BEGIN:VEVENT") continue
    const end = lines.indexOf("END:VEVENT", at)
    // without what is nested, such as alarms
    const own: Array<string> = []
    let depth = 0
    for (const line of lines.slice(at + 1, end)) {
      if (line.startsWith("BEGIN:")) depth++
      else if (line.startsWith("END:")) depth--
      else if (depth === 0) own.push(line)
    }
    const properties = propertiesOf(own)
    const start = properties.find(({ name }) => name === "DTSTART")
    if (start !== undefined) events.push({ properties, start: momentsOf(start, zones)[0] as Moment })
    at = end
  }
  const found: Array<[number, number]> = []
  const at = (wall: number, { zone, isDate }: Pick<Moment, "zone" | "isDate">) =>
    instantOf(wall, isDate ? timezone : (zone ?? timezone))
  const valueOf = ({ properties }: Event, wanted: string) => properties.find(({ name }) => name === wanted)
  const all = ({ properties }: Event, wanted: string) =>
    properties.filter(({ name }) => name === wanted).flatMap((one) => momentsOf(one, zones))
  const instantsOf = (event: Event, wanted: string) => all(event, wanted).map((one) => at(one.wall, one))
  const blocks = (event: Event) =>
    valueOf(event, "TRANSP")?.value !== "TRANSPARENT" && valueOf(event, "STATUS")?.value !== "CANCELLED"
  const add = (event: Event, wall: number) => {
    if (!blocks(event) || (event.start.isDate && !all_day_blocks)) return
    const [end] = all(event, "DTEND")
    const duration = valueOf(event, "DURATION")
    const start = at(wall, event.start)
    const stop = () => {
      if (end !== undefined) {
        // the wall-clock length, in the zone of the start
        const zone = end.isDate ? end : event.start
        return at(wall + at_(end, event.start) - event.start.wall, zone)
      }
      if (duration === undefined) return event.start.isDate ? at(wall + DAY, event.start) : start
      const { days, seconds } = durationOf(duration.value)
      return at(wall + days * DAY + seconds, event.start)
    }
    const last = stop()
    if (last > start && start < to && last > from) found.push([Math.max(start, from), Math.min(last, to)])
  }
  /** The end's wall in the zone of the start. */
  const at_ = (end: Moment, start: Moment) =>
    end.zone === start.zone || end.isDate
      ? end.wall
      : at(end.wall, end) + offsetAt(start.zone ?? timezone, at(end.wall, end))
  const uidOf = (event: Event) => valueOf(event, "UID")?.value
  const singles = events.filter((one) => valueOf(one, "RECURRENCE-ID") !== undefined)
  for (const one of singles) add(one, one.start.wall)
  for (const event of events) {
    if (valueOf(event, "RECURRENCE-ID") !== undefined) continue
    const gone = new Set([
      ...instantsOf(event, "EXDATE"),
      ...singles.filter((one) => uidOf(one) === uidOf(event)).flatMap((one) => instantsOf(one, "RECURRENCE-ID"))
    ])
    const walls = new Set([event.start.wall, ...all(event, "RDATE").map(({ wall }) => wall)])
    const text_ = valueOf(event, "RRULE")?.value
    if (text_ !== undefined) {
      const rule = new Map(text_.split(";").map((one) => one.split("=") as [string, string]))
      const isOf = matcherOf(rule, event.start.wall)
      const [count, until] = [Number(rule.get("COUNT") ?? Number.POSITIVE_INFINITY), rule.get("UNTIL")]
      const last =
        until === undefined
          ? Number.POSITIVE_INFINITY
          : until.endsWith("Z")
            ? wallOf(until)
            : at(wallOf(until) + (until.includes("T") ? 0 : DAY - 1), { zone: event.start.zone, isDate: false })
      let seen = 0
      for (let wall = event.start.wall; seen < count && wall < to + 2 * DAY; wall += DAY) {
        if (!isOf(wall)) continue
        if (at(wall, event.start) > last) break
        seen++
        walls.add(wall)
      }
    }
    for (const wall of walls) if (!gone.has(at(wall, event.start))) add(event, wall)
  }
  const ranges: Array<number> = []
  for (const [start, end] of found.sort(([a], [b]) => a - b)) {
    const last = ranges.at(-1)
    if (last !== undefined && start <= last) ranges[ranges.length - 1] = Math.max(last, end)
    else ranges.push(start, end)
  }
  return ranges
}
