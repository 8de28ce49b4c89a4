/** Which names are IANA time zones. */

type TemporalApi = typeof globalThis.Temporal

// Bun's own Temporal where there is one; the polyfill declares the same interface under another name.
export const temporal: TemporalApi =
  "Temporal" in globalThis ? globalThis.Temporal : (require("@js-temporal/polyfill").Temporal as TemporalApi)

// Names only: Temporal also takes "+02:00" and whole timestamps where a zone is expected.
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/

/** Canonical names by their lower-case spelling. Only names of zones get in, so the tz database is its bound. */
const known = new Map<string, string>()

const lookUp = (name: string): string | undefined => {
  if (!ZONE_NAME.test(name)) return undefined
  try {
    return temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId
  } catch {
    return undefined // a RangeError: Temporal has no other way to say that it knows no such zone
  }
}

/** The zone's name in the tz database's own spelling; upper and lower case do not matter. Undefined for any other text. */
export const canonicalZone = (name: string): string | undefined => {
  if (name.length > 64) return undefined
  const spelling = name.toLowerCase()
  const found = known.get(spelling)
  if (found !== undefined) return found
  const canonical = lookUp(name)
  if (canonical !== undefined) known.set(spelling, canonical)
  return canonical
}

/** Whether `name` is the name of an IANA time zone. */
export const isZone = (name: string): boolean => canonicalZone(name) !== undefined
