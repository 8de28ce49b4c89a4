import type { BookableType, DoctorCalendar, Range } from "./calendar.ts"
import { cutDoctor } from "./cut.ts"

/** Free slots of several doctors, in order of start and then of `doctor_uid`: two columns, one entry a slot. */
export interface FoundSlots {
  readonly starts: Float64Array
  /** Index into `doctors`. */
  readonly doctorAt: Uint32Array
  /** In order of `doctor_uid`. */
  readonly doctors: ReadonlyArray<DoctorCalendar>
  readonly duration_minutes: number
}

const byUid = (a: DoctorCalendar, b: DoctorCalendar) =>
  a.doctor_uid < b.doctor_uid ? -1 : a.doctor_uid > b.doctor_uid ? 1 : 0

/** A search that is worked through doctor by doctor: `cut` each of `doctors`, then `merge`. */
export const slotFinder = (calendars: ReadonlyArray<DoctorCalendar>, type: BookableType, range: Range) => {
  const doctors = calendars.toSorted(byUid)
  const cuts: Array<Array<number>> = []
  const cut = (from: number, to: number): void => {
    for (const doctor of doctors.slice(from, to)) cuts.push(cutDoctor(doctor, type, range))
  }
  /** The first `limit` free slots. */
  const merge = (limit = Number.POSITIVE_INFINITY): FoundSlots => {
    const count = cuts.reduce((sum, starts) => sum + starts.length, 0)
    // Start and doctor in one number, so that the engine's own number sort does the work: a range is at most 31 days wide
    // when it comes from a search, and the product stays a safe integer for any range that fits into memory.
    const origin = range.from
    const keys = new Float64Array(count)
    let k = 0
    for (let d = 0; d < cuts.length; d++) {
      for (const start of cuts[d] ?? []) keys[k++] = (start - origin) * doctors.length + d
    }
    if (doctors.length > 1) keys.sort()
    const length = Math.min(count, limit)
    const found = { starts: new Float64Array(length), doctorAt: new Uint32Array(length) }
    for (let i = 0; i < length; i++) {
      const key = keys[i] as number
      const doctor = key % doctors.length
      found.doctorAt[i] = doctor
      found.starts[i] = (key - doctor) / doctors.length + origin
    }
    return { ...found, doctors, duration_minutes: type.duration_minutes }
  }
  return { doctors, cut, merge }
}

/** Every free slot of the type in the range. */
export const findSlots = (calendars: ReadonlyArray<DoctorCalendar>, type: BookableType, range: Range): FoundSlots => {
  const { cut, merge } = slotFinder(calendars, type, range)
  cut(0, calendars.length)
  return merge()
}
