import fc from "fast-check"
import type { DateOverride, Rule } from "../../../src/services/scheduling/slots/calendar.ts"
import type { NaiveDoctor } from "./naive.ts"

const DAY = 86_400

export const ALL_ZONES: ReadonlyArray<string> = Intl.supportedValuesOf("timeZone")

/** Zones with edge cases: changes at midnight, half-hour changes, odd offsets, extreme offsets. */
export const HARD_ZONES = [
  "Asia/Beirut",
  "America/Havana",
  "America/Santiago",
  "Australia/Lord_Howe",
  "Asia/Kolkata",
  "America/St_Johns",
  "Europe/Berlin",
  "Africa/Casablanca",
  "Africa/Cairo",
  "America/Asuncion",
  "Pacific/Chatham",
  "Pacific/Kiritimati",
  "Pacific/Apia",
  "Asia/Gaza"
] as const

/** Instants at which a zone changes its offset, from 2005 to 2035 (Apia skips a whole day in 2011). */
export const changesOf = (zone: string): ReadonlyArray<number> => {
  const changes: Array<number> = []
  let at = Temporal.Instant.from("2005-01-01T00:00Z").toZonedDateTimeISO(zone)
  for (;;) {
    const next = at.getTimeZoneTransition("next")
    if (next === null || next.epochMilliseconds > Date.UTC(2035, 0)) return changes
    changes.push(next.epochMilliseconds / 1000)
    at = next
  }
}

const remembered = new Map<string, ReadonlyArray<number>>()
const changes = (zone: string): ReadonlyArray<number> => {
  const known = remembered.get(zone) ?? changesOf(zone)
  remembered.set(zone, known)
  return known
}

export const zone = fc.oneof(fc.constantFrom(...HARD_ZONES), fc.constantFrom(...ALL_ZONES))

/** A time near an offset change in three of four cases, else any time in those thirty years. */
export const momentIn = (name: string): fc.Arbitrary<number> => {
  const anyTime = fc.integer({ min: Date.UTC(2005, 0) / 1000, max: Date.UTC(2035, 0) / 1000 })
  const near = changes(name)
  if (near.length === 0) return anyTime
  const nearChange = fc
    .tuple(fc.constantFrom(...near), fc.integer({ min: -2 * DAY, max: 2 * DAY }))
    .map(([change, away]) => change + away)
  return fc.oneof({ weight: 3, arbitrary: nearChange }, { weight: 1, arbitrary: anyTime })
}

const minutes = fc.oneof(
  fc.integer({ min: 0, max: 96 }).map((n) => n * 15),
  fc.integer({ min: 0, max: 1440 })
)
const window = fc
  .tuple(minutes, minutes)
  .filter(([a, b]) => a !== b)
  .map(([a, b]) => ({ start_time: Math.min(a, b), end_time: Math.max(a, b) }))
const buffer_minutes = fc.constantFrom(0, 0, 5, 10, 17, 60)
const scope = fc.constantFrom(null, null, "type_a", "type_b")

const rule = (around: number): fc.Arbitrary<Rule> => {
  const bound = fc.option(
    fc.integer({ min: around - 3 * DAY, max: around + 5 * DAY }),
    { freq: 2 } // one in two has none
  )
  return fc
    .record({
      weekday: fc.integer({ min: 0, max: 6 }),
      window,
      buffer_minutes,
      valid_from: bound,
      valid_until: bound,
      scope
    })
    .map(({ window, scope, ...rest }) => ({ ...rest, ...window, appointment_type_uid: scope }))
}

const override = (around: number): fc.Arbitrary<DateOverride> =>
  fc
    .record({
      away: fc.integer({ min: -2, max: 5 }),
      window: fc.oneof(window, window, fc.constant({ start_time: null, end_time: null })),
      buffer_minutes,
      scope
    })
    .map(({ away, window, buffer_minutes, scope }) => ({
      date: (Math.floor(around / DAY) + away) * DAY,
      ...window,
      buffer_minutes,
      appointment_type_uid: scope
    }))

const appointment = (around: number) =>
  fc
    .tuple(fc.integer({ min: -24 * 12, max: 3 * 24 * 12 }), fc.oneof(fc.integer({ min: 1, max: 18 }), fc.constant(144)))
    .map(([from, length]) => [around + from * 300, around + (from + length) * 300] as const)

const NAMES = ['Dr. "Åsa" O\'Neill', "医生 \\ 王", "Dr. Weiß\u2028", "Dr. 👩‍⚕️"]

const doctor = (around: number, name: string): fc.Arbitrary<NaiveDoctor> =>
  fc.record({
    doctor_uid: fc.uuid().map((id) => `doc_${id}`),
    doctor_name: fc.constantFrom(...NAMES),
    timezone: fc.oneof({ weight: 4, arbitrary: fc.constant(name) }, { weight: 1, arbitrary: zone }),
    notice_minutes: fc.constantFrom(0, 0, 0, 60, 1440),
    rules: fc.array(rule(around), { maxLength: 6 }),
    overrides: fc.array(override(around), { maxLength: 3 }),
    appointments: fc.array(appointment(around), { maxLength: 8 })
  })

/** A complete search: doctors, type, range, current time, zone of the response. */
export const searchIn = (name: string) =>
  momentIn(name).chain((around) =>
    fc.record({
      doctors: fc.uniqueArray(doctor(around, name), {
        minLength: 1,
        maxLength: 3,
        selector: (one) => one.doctor_uid
      }),
      type: fc.record({
        uid: fc.constant("type_a"),
        duration_minutes: fc.constantFrom(15, 20, 30, 45, 60, 100, 240, 1440)
      }),
      range: fc
        .tuple(fc.integer({ min: -DAY, max: DAY }), fc.integer({ min: 1, max: 4 * DAY }), fc.constantFrom(-9, 0, 1))
        .map(([away, width, asked]) => ({
          from: around + away,
          to: around + away + width,
          now: around + away + asked * DAY
        })),
      timezone: fc.oneof(fc.constant(name), zone)
    })
  )

export const search = zone.chain(searchIn)
