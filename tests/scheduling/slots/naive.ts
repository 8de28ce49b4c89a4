/**
 * A second, slow implementation of the slot rules: every wall-clock time, instant and text comes from Temporal, and
 * every list is searched from the start. It shares only the input's type with the engine.
 */
import type {
  BookableType,
  DateOverride,
  DoctorCalendar,
  Range
} from "../../../src/services/scheduling/slots/calendar.ts"

export interface NaiveDoctor extends Omit<DoctorCalendar, "busy"> {
  readonly appointments: ReadonlyArray<readonly [start: number, end: number]>
}

const instant = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(seconds * 1000)
const seconds = (at: { readonly epochMilliseconds: number }) => at.epochMilliseconds / 1000

const wall = (date: Temporal.PlainDate, minutes: number, timeZone: string) => {
  const day = minutes === 1440 ? date.add({ days: 1 }) : date
  const plainTime = new Temporal.PlainTime(Math.floor((minutes % 1440) / 60), minutes % 60)
  return seconds(day.toPlainDateTime(plainTime).toZonedDateTime(timeZone, { disambiguation: "compatible" }))
}

interface NaiveWindow {
  readonly start_time: number | null
  readonly end_time: number | null
  readonly buffer_minutes: number
  readonly valid_from?: number | null
  readonly valid_until?: number | null
}

const windowsOn = (doctor: NaiveDoctor, type: string, date: Temporal.PlainDate): ReadonlyArray<NaiveWindow> => {
  const sameDate = (one: DateOverride) => instant(one.date).toZonedDateTimeISO("UTC").toPlainDate().equals(date)
  const own = doctor.overrides.filter((one) => sameDate(one) && one.appointment_type_uid === type)
  const general = doctor.overrides.filter((one) => sameDate(one) && one.appointment_type_uid === null)
  if (own.length + general.length === 0) {
    return doctor.rules.filter(
      (rule) =>
        rule.weekday + 1 === date.dayOfWeek &&
        (rule.appointment_type_uid === null || rule.appointment_type_uid === type)
    )
  }
  if (own.some((one) => one.start_time === null)) return []
  return general.some((one) => one.start_time === null) ? own : [...general, ...own]
}

/** Free starts of one doctor. */
export const naiveStarts = (doctor: NaiveDoctor, type: BookableType, range: Range): ReadonlyArray<number> => {
  const free = new Set<number>()
  const first = instant(range.from).toZonedDateTimeISO(doctor.timezone).toPlainDate().subtract({ days: 3 })
  const last = instant(range.to).toZonedDateTimeISO(doctor.timezone).toPlainDate().add({ days: 3 })
  for (let date = first; Temporal.PlainDate.compare(date, last) <= 0; date = date.add({ days: 1 })) {
    for (const window of windowsOn(doctor, type.uid, date)) {
      if (window.start_time === null || window.end_time === null) continue
      const closes = wall(date, window.end_time, doctor.timezone)
      let start = wall(date, window.start_time, doctor.timezone)
      while (start + type.duration_minutes * 60 <= closes) {
        const end = start + type.duration_minutes * 60
        const buffer = window.buffer_minutes * 60
        const wanted = range.from <= start && start < range.to && start >= range.now + doctor.notice_minutes * 60
        const valid =
          start >= (window.valid_from ?? start) && !(window.valid_until != null && start >= window.valid_until)
        const met = doctor.appointments.some(([from, until]) => from < end + buffer && until > start - buffer)
        if (wanted && valid && !met) free.add(start)
        start = end + buffer
      }
    }
  }
  return [...free].sort((a, b) => a - b)
}

/** The response text. */
export const naiveSearch = (
  doctors: ReadonlyArray<NaiveDoctor>,
  type: BookableType,
  range: Range,
  timezone: string
): string => {
  const local = (at: number) =>
    instant(at).toZonedDateTimeISO(timezone).toString({ timeZoneName: "never", smallestUnit: "second" })
  const slots = doctors
    .flatMap((doctor) =>
      naiveStarts(doctor, type, range).map((start_date) => {
        const end_date = start_date + type.duration_minutes * 60
        return {
          doctor_uid: doctor.doctor_uid,
          doctor_name: doctor.doctor_name,
          start_date,
          end_date,
          timezone,
          start_local: local(start_date),
          end_local: local(end_date)
        }
      })
    )
    .sort((a, b) => a.start_date - b.start_date || (a.doctor_uid < b.doctor_uid ? -1 : 1))
  return JSON.stringify({ slots })
}
