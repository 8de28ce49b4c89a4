/** Calendars that one request reads once and uses for several appointments, kept up to date with its own changes. */
import { Effect } from "effect"
import { type Busy, withBusy, withoutBusy } from "../slots/busy.ts"
import type { Calendars } from "./Calendars.ts"

/** Maximum calendars kept: each read of a practice has one for each doctor. */
const DOCTORS_MAX = 8_000

interface Times {
  readonly start_date: number
  readonly end_date: number
}

export const makeCalendarCache = () => {
  const known = new Map<string, Calendars>()
  /** Times taken by this request, by doctor: a dry run stores none, so that calendars read later do not have them. */
  const booked = new Map<string, ReadonlyArray<Times>>()
  const size = () => [...known.values()].reduce((sum, { doctors }) => sum + doctors.length, 0)

  const withBookings = ({ doctors, ...rest }: Calendars): Calendars => ({
    ...rest,
    doctors: doctors.map((doctor) => {
      const own = booked.get(doctor.doctor_uid) ?? []
      const busy = own.reduce((before, one) => withBusy(before, one.start_date, one.end_date), doctor.busy)
      return { ...doctor, busy }
    })
  })

  /** The calendars of this key, read once. */
  const read = <E, R>(key: string, reading: Effect.Effect<Calendars, E, R>) => {
    const calendars = known.get(key)
    if (calendars !== undefined) return Effect.succeed(calendars)
    return Effect.map(reading, (found) => {
      const current = withBookings(found)
      if (size() + current.doctors.length > DOCTORS_MAX) known.clear()
      known.set(key, current)
      return current
    })
  }

  const change = (doctor_uid: string, changed: (busy: Busy) => Busy) => {
    for (const [key, { doctors, ...rest }] of known) {
      const at = doctors.findIndex((one) => one.doctor_uid === doctor_uid)
      const doctor = doctors[at]
      if (doctor === undefined) continue
      known.set(key, { ...rest, doctors: doctors.with(at, { ...doctor, busy: changed(doctor.busy) }) })
    }
  }
  const book = (doctor_uid: string, times: Times) => {
    booked.set(doctor_uid, [...(booked.get(doctor_uid) ?? []), times])
    change(doctor_uid, (busy) => withBusy(busy, times.start_date, times.end_date))
  }
  const free = (doctor_uid: string, { start_date, end_date }: Times) =>
    change(doctor_uid, (busy) => withoutBusy(busy, start_date, end_date))

  return { read, book, free, clear: () => known.clear() }
}
export type CalendarCache = ReturnType<typeof makeCalendarCache>
