/** Validation of IANA time zones. */

type TemporalApi = typeof globalThis.Temporal

// Bun's own Temporal if it exists; the polyfill declares the same interface under another name.
export const temporal: TemporalApi =
  "Temporal" in globalThis ? globalThis.Temporal : (require("@js-temporal/polyfill").Temporal as TemporalApi)

// Names only: Temporal also accepts "+02:00" and whole timestamps as a zone.
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/

/** Canonical names by their lower-case form. Only valid names are added, so the tz database bounds its size. */
const known = new Map<string, string>()

const lookUp = (name: string): string | undefined => {
  if (!ZONE_NAME.test(name)) return undefined
  try {
    return temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId
  } catch {
    return undefined // a RangeError: Temporal's only way to report an unknown zone
  }
}

/** The canonical name of a zone; case-insensitive. Undefined for other texts. */
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
