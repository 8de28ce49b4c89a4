/**
 * Offsets of IANA time zones as integers.
 *
 * Temporal is asked once per stretch of constant offset (a "span", half a year in Europe), never per slot: an operation
 * of Temporal costs a microsecond, an integer comparison nothing. Every other file of this folder does plain arithmetic.
 */

import { DAY } from "../../../schemas/seconds.ts"
import { canonicalZone, temporal } from "../../../schemas/timeZones.ts"

/** A stretch of time, `[from, until)` in Unix seconds, during which a zone keeps one offset (seconds east of UTC). */
export interface Span {
  readonly from: number
  readonly until: number
  readonly offset: number
}

/** A zone with the spans that were needed so far. */
export interface Zone {
  readonly name: string
  /** The span that the last look-up ended in: the next one is nearly always there. */
  last: Span
  spans: Array<Span>
}

/** Instants nearer than a week to the ends of what Temporal can say are outside the calendar of this service. */
export const LATEST = 8.64e12 - 7 * DAY
export const EARLIEST = -LATEST

const MOST_SPANS = 64
const zones = new Map<string, Zone>()
const EMPTY_SPAN: Span = { from: 0, until: 0, offset: 0 }

/** The zone of that name, in the tz database's own spelling. Throws for a name that `isZone` refuses. */
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
  // "previous" is strictly before, so it is asked from a second later, lest a span's own first instant be missed.
  const previous = at.add({ seconds: 1 }).getTimeZoneTransition("previous")
  return {
    from: previous ? previous.epochMilliseconds / 1000 : Number.NEGATIVE_INFINITY,
    until: next ? next.epochMilliseconds / 1000 : Number.POSITIVE_INFINITY,
    offset: Math.round(at.offsetNanoseconds / 1e9)
  }
}

/** The span that holds `instant` (Unix seconds, within `EARLIEST` and `LATEST`). */
export const spanAt = (zone: Zone, instant: number): Span => {
  if (instant >= zone.last.from && instant < zone.last.until) return zone.last
  let span = zone.spans.find((one) => instant >= one.from && instant < one.until)
  if (span === undefined) {
    span = readSpan(zone, instant)
    zone.spans = zone.spans.length < MOST_SPANS ? [...zone.spans, span] : [span]
  }
  zone.last = span
  return span
}

/**
 * The instant of a wall-clock time, which is given as seconds since 1970-01-01T00:00 on that wall. A time that the zone
 * skips moves forward by the gap; one that comes twice is its first occurrence.
 */
export const instantOfWall = (zone: Zone, wall: number): number => {
  const guess = wall - zone.last.offset
  // A day from any change there is only one reading. (No change has ever been greater than a day.)
  if (guess - DAY > zone.last.from && guess + DAY < zone.last.until) return guess
  let span = spanAt(zone, wall - DAY)
  for (;;) {
    const instant = wall - span.offset
    if (instant < span.until) return instant
    const next = spanAt(zone, span.until)
    if (wall - next.offset < span.until) return instant // in the gap between the two: read with the offset before it
    span = next
  }
}
