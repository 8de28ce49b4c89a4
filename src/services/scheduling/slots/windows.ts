import { DAY } from "../../../schemas/seconds.ts"
import type { DateOverride, Hours, Rule } from "./calendar.ts"
import { instantOfWall, type Zone } from "./zones.ts"

/** A period of elapsed time in which slots may lie; `from` and `until` bound the starts (a rule's validity). */
export interface Window {
  readonly start: number
  readonly end: number
  /** seconds */
  readonly buffer: number
  readonly from: number
  readonly until: number
}

/** A doctor's rules and overrides for one appointment type, indexed by weekday and date. */
export interface Week {
  readonly zone: Zone
  /** by weekday, 0 = Monday */
  readonly rules: ReadonlyArray<ReadonlyArray<Rule>>
  readonly overrides: ReadonlyMap<number, ReadonlyArray<DateOverride>>
  readonly closed?: ReadonlySet<number> | undefined
}

/** Indexes the records for which `counts` holds. */
export const weekWith = (
  doctor: Pick<Hours, "rules" | "overrides" | "closed">,
  counts: (one: { readonly appointment_type_uid: string | null }) => boolean,
  zone: Zone
): Week => {
  const rules: Array<Array<Rule>> = [[], [], [], [], [], [], []]
  for (const rule of doctor.rules) if (counts(rule)) rules[rule.weekday]?.push(rule)
  const overrides = new Map<number, Array<DateOverride>>()
  for (const override of doctor.overrides) {
    if (!counts(override)) continue
    const day = override.date / DAY
    const others = overrides.get(day)
    if (others === undefined) overrides.set(day, [override])
    else others.push(override)
  }
  return { zone, rules, overrides, closed: doctor.closed }
}

/** The week of one type: records scoped to the type, and records without a scope. */
export const weekOf = (
  doctor: Pick<Hours, "rules" | "overrides" | "closed">,
  appointment_type_uid: string | null,
  zone: Zone
): Week =>
  weekWith(
    doctor,
    (one) => one.appointment_type_uid === null || one.appointment_type_uid === appointment_type_uid,
    zone
  )

/**
 * The overrides of a date that open a window. A day off scoped to the type closes the date; one without a scope closes it except for
 * windows scoped to the type.
 */
const openOverrides = (overrides: ReadonlyArray<DateOverride>): ReadonlyArray<DateOverride> => {
  const daysOff = overrides.filter((one) => one.start_time === null)
  if (daysOff.some((one) => one.appointment_type_uid !== null)) return []
  return overrides.filter(
    (one) => one.start_time !== null && (daysOff.length === 0 || one.appointment_type_uid !== null)
  )
}

/** 0 = Monday. 1970-01-01 was a Thursday. */
export const weekdayOf = (day: number) => (((day + 3) % 7) + 7) % 7

/**
 * Visits the windows of one local calendar date, `day` being days since 1970-01-01. Any override replaces holiday and weekly rules, a
 * holiday the weekly rules.
 */
export const windowsOf = (week: Week, day: number, visit: (window: Window) => void): void => {
  const at = (minutes: number) => instantOfWall(week.zone, day * DAY + minutes * 60)
  const overrides = week.overrides.get(day)
  if (overrides !== undefined) {
    for (const { start_time, end_time, buffer_minutes } of openOverrides(overrides)) {
      if (start_time === null || end_time === null) continue
      visit({
        start: at(start_time),
        end: at(end_time),
        buffer: buffer_minutes * 60,
        from: Number.NEGATIVE_INFINITY,
        until: Number.POSITIVE_INFINITY
      })
    }
    return
  }
  if (week.closed?.has(day)) return
  for (const rule of week.rules[weekdayOf(day)] ?? []) {
    visit({
      start: at(rule.start_time),
      end: at(rule.end_time),
      buffer: rule.buffer_minutes * 60,
      from: rule.valid_from ?? Number.NEGATIVE_INFINITY,
      until: rule.valid_until ?? Number.POSITIVE_INFINITY
    })
  }
}
