/** Time zones of calendars: IANA's, those of Windows, and those that a calendar defines itself (RFC 5545, 3.6.5). */
import type * as WindowsZones from "windows-iana"
import { DAY, HOUR, MINUTE } from "../../../../schemas/seconds.ts"
import { canonicalZone } from "../../../../schemas/timeZones.ts"
import { instantOfWall, zoneOf } from "../../../../services/scheduling/slots/zones.ts"
import { type Rule, wallsOf } from "./rules.ts"

export interface CalendarZone {
  readonly instantOf: (wall: number) => number
  /** The name, where it says no zone: its times are read in another one. */
  readonly unknown?: string
}

export const utc: CalendarZone = { instantOf: (wall) => wall }
export const ianaZone = (name: string): CalendarZone => {
  const zone = zoneOf(name)
  return { instantOf: (wall) => instantOfWall(zone, wall) }
}

const windowsZones = (): typeof WindowsZones => require("windows-iana")

const NAME_MAX = 128
/** `UTC+02:00`, `GMT+0200`, `+2`: east of Greenwich is positive, unlike in `Etc/GMT-2`. */
const OFFSET_NAME = /^(?:utc|gmt)?([+-])(\d{1,2}):?(\d\d)?$/i

/**
 * The zone that a name says without a definition: IANA's, also at the end of a path (`/example.org/Europe/Berlin`), one of Windows, also
 * numbered by Outlook (`GMT Standard Time 1`), or an offset.
 */
export const namedZone = (name: string): CalendarZone | undefined => {
  if (name.length > NAME_MAX) return undefined
  const parts = name.split("/")
  const ends = [3, 2, 1].map((count) => parts.slice(-count).join("/"))
  const iana =
    canonicalZone(name) ??
    windowsZones().findIana(name.replace(/ \d$/, ""))[0] ??
    (parts.length > 1 ? ends.map(canonicalZone).find((found) => found !== undefined) : undefined)
  if (iana !== undefined) return ianaZone(iana)
  const [, sign, hours, minutes] = OFFSET_NAME.exec(name) ?? []
  if (hours === undefined) return undefined
  const offset = (sign === "-" ? -1 : 1) * (Number(hours) * HOUR + Number(minutes ?? 0) * MINUTE)
  return { instantOf: (wall) => wall - offset }
}

/** A part of a zone's definition: when its offset begins, in the wall time before it, and both offsets in seconds. */
export interface Observance {
  readonly start: number
  readonly rules: ReadonlyArray<{ readonly rule: Rule /** Unix seconds. */; readonly until: number }>
  readonly dates: ReadonlyArray<number>
  readonly before: number
  readonly offset: number
}

interface Change {
  readonly at: number
  readonly offset: number
}

/** The changes of offset until then, ascending. */
const changesOf = (observances: ReadonlyArray<Observance>, to: number): ReadonlyArray<Change> =>
  observances
    .flatMap(({ start, rules, dates, before, offset }) => {
      const repeated = rules.flatMap(({ rule, until }) =>
        wallsOf(rule, start, start, to).filter((wall) => wall - before <= until)
      )
      return [start, ...dates, ...repeated].map((wall) => ({ at: wall - before, offset }))
    })
    .sort((a, b) => a.at - b.at)

/** Zones by their definition: programs write the same one into every calendar. */
const known = new Map<string, CalendarZone>()
const KNOWN_MAX = 200

/**
 * The zone of a definition. A time that the clocks pass over moves forward, one that comes twice is the first. Undefined for a definition
 * that says nothing. `to`: the last wall time that matters.
 */
export const definedZone = (observances: ReadonlyArray<Observance>, to: number): CalendarZone | undefined => {
  const [first] = [...observances].sort((a, b) => a.start - b.start)
  if (first === undefined) return undefined
  // a whole year further, so that a definition is worked out once a year, not once a reading
  const end = (Math.floor(to / (366 * DAY)) + 2) * 366 * DAY
  const key = JSON.stringify([observances, end])
  const found = known.get(key)
  if (found !== undefined) return found
  const changes = changesOf(observances, end)
  if (known.size >= KNOWN_MAX) known.clear()
  const zone = { instantOf: (wall: number) => instantIn(changes, first.before, wall) }
  known.set(key, zone)
  return zone
}

const instantIn = (changes: ReadonlyArray<Change>, initial: number, wall: number) => {
  const offsetAt = (index: number) => changes[index - 1]?.offset ?? initial
  const endOf = (index: number) => changes[index]?.at ?? Number.POSITIVE_INFINITY
  // the first span, from change `index - 1` to change `index`, that ends after the time as it reads there
  let [low, high] = [0, changes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (wall - offsetAt(middle) < endOf(middle)) high = middle
    else low = middle + 1
  }
  const instant = wall - offsetAt(low)
  const isInGap = low > 0 && instant < endOf(low - 1)
  return isInGap ? wall - offsetAt(low - 1) : instant
}
