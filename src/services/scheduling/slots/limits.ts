/** Limits of how many appointments start in a day, week or month (Rules 18.4). */
import { DAY } from "../../../schemas/seconds.ts"
import type { BookableType, DoctorCalendar, Limit, Surroundings } from "./calendar.ts"
import { spanAt, type Zone, zoneOf } from "./zones.ts"

/** An appointment that is being moved: within one period the move is exempt. */
export interface Moved {
  readonly doctor_uid: string
  readonly appointment_type_uid: string | null
  readonly start_date: number
}

const monthOf = (day: number) => {
  const date = new Date(day * DAY * 1000)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** The period of an instant, as a number: periods begin at midnight of the zone, weeks on Monday. */
export const periodOf = (per: Limit["per"], zone: Zone) => (instant: number) => {
  const day = Math.floor((instant + spanAt(zone, instant).offset) / DAY)
  // 1970-01-01 was a Thursday
  return per === "day" ? day : per === "week" ? Math.floor((day + 3) / 7) : monthOf(day)
}

type IsFull = (start: number) => boolean

const isFullBy = (
  { per, max }: Limit,
  zone: Zone,
  counted: ReadonlyArray<number>,
  moved: number | undefined
): IsFull => {
  const period = periodOf(per, zone)
  const counts = new Map<number, number>()
  for (const start of counted) counts.set(period(start), (counts.get(period(start)) ?? 0) + 1)
  return (start) => {
    const found = period(start)
    return (counts.get(found) ?? 0) >= max && !(moved !== undefined && period(moved) === found)
  }
}

/** Whether a limit of the organisation, as one function for all doctors. */
export const fullForAll = (
  type: BookableType,
  { timezone, counted }: Surroundings,
  moved: Moved | undefined
): IsFull => {
  const own = moved?.appointment_type_uid === type.uid ? moved.start_date : undefined
  const all = (type.limits ?? [])
    .filter(({ scope }) => scope === "organisation")
    .map((limit) => isFullBy(limit, zoneOf(timezone), counted, own))
  return (start) => all.some((isFull) => isFull(start))
}

/** Whether the start lies in a period that is full for the doctor: by the doctor's own limits, or by the type's. */
export const fullFor = (doctor: DoctorCalendar, type: BookableType, moved: Moved | undefined): IsFull => {
  const { limits = [], counted = { all: [], ofType: [] } } = doctor
  const ofType = (type.limits ?? []).filter(({ scope }) => scope !== "organisation")
  if (limits.length + ofType.length === 0) return () => false
  const zone = zoneOf(doctor.timezone)
  const own = moved?.doctor_uid === doctor.doctor_uid ? moved : undefined
  const ownOfType = own?.appointment_type_uid === type.uid ? own : undefined
  const all = [
    ...limits.map((limit) => isFullBy(limit, zone, counted.all, own?.start_date)),
    ...ofType.map((limit) => isFullBy(limit, zone, counted.ofType, ownOfType?.start_date))
  ]
  return (start) => all.some((isFull) => isFull(start))
}
