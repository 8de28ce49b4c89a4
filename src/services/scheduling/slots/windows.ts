import { DAY } from "../../../schemas/seconds.ts"
import type { DateOverride, DoctorCalendar, Rule } from "./calendar.ts"
import { instantOfWall, type Zone } from "./zones.ts"

/** A stretch of elapsed time in which slots may lie; `from` and `until` bound the starts (a rule's validity). */
export interface Window {
  readonly start: number
  readonly end: number
  /** seconds */
  readonly buffer: number
  readonly from: number
  readonly until: number
}

/** A doctor's rules and overrides as they stand for one appointment type, ready to be asked day by day. */
export interface Week {
  readonly zone: Zone
  /** by weekday, 0 = Monday */
  readonly rules: ReadonlyArray<ReadonlyArray<Rule>>
  readonly overrides: ReadonlyMap<number, ReadonlyArray<DateOverride>>
}

/** The records that count. */
export const weekWith = (
  doctor: Pick<DoctorCalendar, "rules" | "overrides">,
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
  return { zone, rules, overrides }
}

/** Leaves the records that count for the type: those of its own scope and those of none. */
export const weekOf = (
  doctor: Pick<DoctorCalendar, "rules" | "overrides">,
  appointment_type_uid: string,
  zone: Zone
): Week =>
  weekWith(
    doctor,
    (one) => one.appointment_type_uid === null || one.appointment_type_uid === appointment_type_uid,
    zone
  )

/**
 * Overrides of a date as windows. A day off of the type's own scope closes it; one of no scope closes the date except
 * for windows of the type's own scope.
 */
const openOverrides = (overrides: ReadonlyArray<DateOverride>): ReadonlyArray<DateOverride> => {
  const daysOff = overrides.filter((one) => one.start_time === null)
  if (daysOff.some((one) => one.appointment_type_uid !== null)) return []
  return overrides.filter(
    (one) => one.start_time !== null && (daysOff.length === 0 || one.appointment_type_uid !== null)
  )
}

/** The windows of one local calendar date, `day` being days since 1970-01-01. Any override puts the weekly rules aside. */
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
  // 1970-01-01 was a Thursday.
  for (const rule of week.rules[(((day + 3) % 7) + 7) % 7] ?? []) {
    visit({
      start: at(rule.start_time),
      end: at(rule.end_time),
      buffer: rule.buffer_minutes * 60,
      from: rule.valid_from ?? Number.NEGATIVE_INFINITY,
      until: rule.valid_until ?? Number.POSITIVE_INFINITY
    })
  }
}
