/** Calendars that one request reads once and uses for several appointments, kept up to date with its own changes. */
import { Effect } from "effect"
import { MINUTE } from "../../../../schemas/seconds.ts"
import type { BookedType, Calendars } from "../../../../services/scheduling/booking/Calendars.ts"
import { type Busy, busyTimes } from "../../../../services/scheduling/slots/busy.ts"
import type { DoctorCalendar, Neighbour, Surroundings, Unit } from "../../../../services/scheduling/slots/calendar.ts"
import type { Units } from "../../../../services/scheduling/slots/units.ts"

/** Calendars kept: each read of a practice has one for each doctor. */
const CALENDARS_KEPT = 8_000

interface Times {
  readonly start_date: number
  readonly end_date: number
}

/** An appointment that the request has booked, or would book. */
export interface Taken extends Times, Units {
  readonly doctor_uid: string
  readonly type: BookedType
  /** Of the window it is booked in. */
  readonly buffer_minutes: number
}

/** With `[start, end)` busy as well. */
export const withBusy = ({ starts, ends }: Busy, start: number, end: number): Busy => {
  const all = [...starts].map((one, at) => [one, ends[at] as number] as const) // a valid index
  const sorted = [...all, [start, end] as const].sort(([a], [b]) => a - b)
  return busyTimes(
    sorted.map(([one]) => one),
    sorted.map(([, one]) => one)
  )
}

const withNeighbour = ({ neighbours = [] }: DoctorCalendar, one: Neighbour) =>
  [...neighbours, one].sort((a, b) => a.start - b.start)

const hasUnit = ({ kind, uid }: Unit, { resource_uids, further_doctor_uids }: Units) =>
  (kind === "resource" ? resource_uids : further_doctor_uids).includes(uid)

/** The calendars without what the appointment takes beside its doctor: it is to be moved. */
export const withUnitsFree = (calendars: Calendars, moved: Times & Units): Calendars => {
  const freed = (unit: Unit): Unit => {
    if (!hasUnit(unit, moved)) return unit
    const kept = unit.starts.flatMap((start, at) =>
      start === moved.start_date ? [] : [[start, unit.ends[at] ?? start]]
    )
    return { ...unit, starts: kept.map(([start = 0]) => start), ends: kept.map(([, end = 0]) => end) }
  }
  return { ...calendars, surroundings: { ...calendars.surroundings, units: calendars.surroundings.units.map(freed) } }
}

/** The calendars with these doctors and resources taken for a time, of an appointment of the first doctor with these buffers, or for none. */
export const withSubjectsTaken = (
  calendars: Calendars,
  {
    doctor_uids,
    resource_uids,
    start_date,
    end_date,
    buffer_before_minutes = 0,
    buffer_after_minutes = 0,
    buffer_minutes = 0
  }: Times & {
    readonly doctor_uids: ReadonlyArray<string>
    readonly resource_uids: ReadonlyArray<string>
    readonly buffer_before_minutes?: number
    readonly buffer_after_minutes?: number
    readonly buffer_minutes?: number
  }
): Calendars => {
  const own = {
    start: start_date,
    end: end_date,
    before: buffer_before_minutes * MINUTE,
    after: buffer_after_minutes * MINUTE,
    buffer: buffer_minutes * MINUTE
  }
  const isTaken = ({ kind, uid }: Unit) => (kind === "resource" ? resource_uids : doctor_uids).includes(uid)
  return {
    ...calendars,
    doctors: calendars.doctors.map((doctor) =>
      doctor_uids.includes(doctor.doctor_uid)
        ? {
            ...doctor,
            busy: withBusy(doctor.busy, start_date, end_date),
            ...(doctor.doctor_uid === doctor_uids[0] &&
              own.before + own.after + own.buffer > 0 && { neighbours: withNeighbour(doctor, own) })
          }
        : doctor
    ),
    surroundings: {
      ...calendars.surroundings,
      units: calendars.surroundings.units.map((unit) => (isTaken(unit) ? taken(unit, start_date, end_date) : unit))
    }
  }
}

/** The calendars with one more appointment of the type and the doctor that limits count, and that takes nothing. */
export const withCounted = (
  calendars: Calendars,
  one: { readonly doctor_uid: string; readonly appointment_type_uid: string; readonly start_date: number }
): Calendars => {
  const { type, surroundings } = calendars
  const ofType = one.appointment_type_uid === type.uid ? [one.start_date] : []
  return {
    ...calendars,
    doctors: calendars.doctors.map((doctor) => {
      const { counted = { all: [], ofType: [] } } = doctor
      return doctor.doctor_uid === one.doctor_uid
        ? {
            ...doctor,
            counted: { all: [...counted.all, one.start_date], ofType: [...counted.ofType, ...ofType] }
          }
        : doctor
    }),
    surroundings: { ...surroundings, counted: [...surroundings.counted, ...ofType] }
  }
}

const taken = (unit: Unit, start: number, end: number): Unit => {
  const times = [...unit.starts.map((one, at) => [one, unit.ends[at] ?? one] as const), [start, end] as const]
  times.sort(([a], [b]) => a - b)
  return { ...unit, starts: times.map(([one]) => one), ends: times.map(([, one]) => one) }
}

/** The calendars with one more appointment. */
const withTaken = (calendars: Calendars, booked: Taken): Calendars => {
  const { start_date: start, end_date: end, type: ofType } = booked
  const isOfType = ofType.uid === calendars.type.uid
  const joined = (doctor: DoctorCalendar) => {
    const group = doctor.groups?.get(start)
    const { resource_uids, further_doctor_uids } = booked
    const seats = [...(group?.taken ?? []), Math.max(0, ...(group?.taken ?? [])) + 1]
    return new Map(doctor.groups).set(start, { end, taken: seats, resource_uids, further_doctor_uids })
  }
  const isShared = isOfType && ofType.seats > 1
  const before = ofType.buffer_before_minutes * MINUTE
  const after = ofType.buffer_after_minutes * MINUTE
  const buffer = booked.buffer_minutes * MINUTE
  const isNeighbour = isShared || before + after + buffer > 0
  const changed = <D extends DoctorCalendar>(doctor: D): D => {
    if (doctor.doctor_uid !== booked.doctor_uid && !booked.further_doctor_uids.includes(doctor.doctor_uid))
      return doctor
    const isOwn = doctor.doctor_uid === booked.doctor_uid
    const { counted = { all: [], ofType: [] } } = doctor
    return {
      ...doctor,
      ...(isOwn && isShared ? { groups: joined(doctor) } : { busy: withBusy(doctor.busy, start, end) }),
      ...(isOwn && isNeighbour && { neighbours: withNeighbour(doctor, { start, end, before, after, buffer }) }),
      ...(isOwn && {
        counted: { all: [...counted.all, start], ofType: isOfType ? [...counted.ofType, start] : counted.ofType }
      })
    }
  }
  const isTaken = (unit: Unit) => hasUnit(unit, booked) || (unit.kind === "doctor" && unit.uid === booked.doctor_uid)
  const { timezone, units, counted } = calendars.surroundings
  const surroundings: Surroundings = {
    timezone,
    units: units.map((unit) => (isTaken(unit) ? taken(unit, start, end) : unit)),
    counted: isOfType ? [...counted, start] : counted
  }
  return { ...calendars, doctors: calendars.doctors.map(changed), surroundings }
}

export const makeCalendarCache = () => {
  const known = new Map<string, Calendars>()
  /** Appointments that a dry run would book: it stores none, so that calendars read later do not have them. */
  let foreseen: ReadonlyArray<Taken> = []
  const size = () => [...known.values()].reduce((sum, { doctors }) => sum + doctors.length, 0)

  /** The calendars of this key, read once. */
  const read = <E, R>(key: string, reading: Effect.Effect<Calendars, E, R>) => {
    const calendars = known.get(key)
    if (calendars !== undefined) return Effect.succeed(calendars)
    return Effect.map(reading, (found) => {
      const current = foreseen.reduce(withTaken, found)
      if (size() + current.doctors.length > CALENDARS_KEPT) known.clear()
      known.set(key, current)
      return current
    })
  }

  /** Adds an appointment that the request has stored, or in a dry run would store, to what was read. */
  const book = (taken: Taken, isStored: boolean) => {
    if (!isStored) foreseen = [...foreseen, taken]
    for (const [key, calendars] of known) known.set(key, withTaken(calendars, taken))
  }
  return { read, book, clear: () => known.clear() }
}
export type CalendarCache = ReturnType<typeof makeCalendarCache>
