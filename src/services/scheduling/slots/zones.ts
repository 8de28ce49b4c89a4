/**
 * Offsets of IANA time zones as integers.
 * Temporal is called once per period of constant offset (a "span", half a year in Europe), never per slot: a Temporal operation takes a
 * microsecond, an integer comparison nothing. Every other file of this folder uses plain arithmetic.
 */
import { DAY } from "../../../schemas/seconds.ts"
import { canonicalZone, temporal } from "../../../schemas/timeZones.ts"

/** A period, `[from, until)` in Unix seconds, in which a zone keeps one offset (seconds east of UTC). */
export interface Span {
  readonly from: number
  readonly until: number
  readonly offset: number
}

/** A zone with a cache of its spans. */
export interface Zone {
  readonly name: string
  /** The span of the last look-up: the next one is nearly always in it. */
  last: Span
  spans: Array<Span>
}

/** The service's calendar ends a week before the limits of Temporal. */
export const LATEST = 8.64e12 - 7 * DAY
export const EARLIEST = -LATEST

const SPANS_KEPT = 64
const zones = new Map<string, Zone>()
const EMPTY_SPAN: Span = { from: 0, until: 0, offset: 0 }

/** The zone of that name, in the tz database's own spelling. Throws for a name that `isZone` rejects. */
export const zoneOf = (name: string): Zone => {
  const canonical = canonicalZone(name)
  if (canonical === undefined) throw new RangeError("not an IANA time zone")
  const known = zones.get(canonical)
  if (known !== undefined) return known
  const zone = { name: canonical, last: EMPTY_SPAN, spans: [] }
  zones.set(canonical, zone)
  return zone
}

const readSpan = (zone: Zone, instant: number): Span => {
  const at = temporal.Instant.fromEpochMilliseconds(instant * 1000).toZonedDateTimeISO(zone.name)
  const next = at.getTimeZoneTransition("next")
  // "previous" is strictly before, so the search starts a second later to include a transition at `instant` itself.
  const previous = at.add({ seconds: 1 }).getTimeZoneTransition("previous")
  return {
    from: previous ? previous.epochMilliseconds / 1000 : Number.NEGATIVE_INFINITY,
    until: next ? next.epochMilliseconds / 1000 : Number.POSITIVE_INFINITY,
    offset: Math.round(at.offsetNanoseconds / 1e9)
  }
}

/** The span that contains `instant` (Unix seconds, within `EARLIEST` and `LATEST`). */
export const spanAt = (zone: Zone, instant: number): Span => {
  if (instant >= zone.last.from && instant < zone.last.until) return zone.last
  let span = zone.spans.find((one) => instant >= one.from && instant < one.until)
  if (span === undefined) {
    span = readSpan(zone, instant)
    zone.spans = zone.spans.length < SPANS_KEPT ? [...zone.spans, span] : [span]
  }
  zone.last = span
  return span
}

/**
 * The instant of a wall-clock time, given as seconds since 1970-01-01T00:00 local time. A time in a gap moves forward by the gap; an
 * ambiguous time is its first occurrence.
 */
export const instantOfWall = (zone: Zone, wall: number): number => {
  const guess = wall - zone.last.offset
  // More than a day from any transition the reading is unique. (No transition has ever been greater than a day.)
  if (guess - DAY > zone.last.from && guess + DAY < zone.last.until) return guess
  let span = spanAt(zone, wall - DAY)
  for (;;) {
    const instant = wall - span.offset
    if (instant < span.until) return instant
    const next = spanAt(zone, span.until)
    if (wall - next.offset < span.until) return instant // in the gap: use the offset before it
    span = next
  }
}
