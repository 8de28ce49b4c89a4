import type { BookableType, DoctorCalendar, Range } from "./calendar.ts"
import { cutCounted } from "./cut.ts"

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

/** Starts that are kept beyond those that are asked for, before the later ones are dropped. */
const SPARE = 50_000

/**
 * A search that is worked through doctor by doctor: `cut` each of `doctors`, then `found`. Of a search with a `limit` the first so
 * many are kept, and few more meanwhile, however many there are.
 */
export const slotFinder = (
  calendars: ReadonlyArray<DoctorCalendar>,
  type: BookableType,
  range: Range,
  limit = Number.POSITIVE_INFINITY
) => {
  const doctors = calendars.toSorted(byUid)
  // Start and doctor in one number, so that the engine's own number sort does the work: a range is at most 31 days wide
  // when it comes from a search, and the product stays a safe integer for any range that fits into memory.
  const origin = range.from
  let kept: Array<Float64Array> = []
  let count = 0
  const merged = (): Float64Array => {
    const keys = new Float64Array(count)
    let at = 0
    for (const some of kept) {
      keys.set(some, at)
      at += some.length
    }
    if (kept.length > 1) keys.sort()
    return keys.subarray(0, Math.min(count, limit))
  }
  /** How many starts of this doctor were looked at, and how many are free. */
  const cut = (d: number) => {
    const { starts, visits } = cutCounted(doctors[d] as DoctorCalendar, type, range) // within the array
    kept.push(Float64Array.from(starts, (start) => (start - origin) * doctors.length + d))
    count += starts.length
    if (count > limit + SPARE) {
      kept = [merged().slice()]
      count = limit
    }
    return { visits, free: starts.length }
  }
  const found = (): FoundSlots => {
    const keys = merged()
    const starts = new Float64Array(keys.length)
    const doctorAt = new Uint32Array(keys.length)
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as number
      const doctor = key % doctors.length
      doctorAt[i] = doctor
      starts[i] = (key - doctor) / doctors.length + origin
    }
    return { starts, doctorAt, doctors, duration_minutes: type.duration_minutes }
  }
  return { doctors, cut, found }
}

/** Every free slot of the type in the range, or the first `limit`. */
export const findSlots = (
  calendars: ReadonlyArray<DoctorCalendar>,
  type: BookableType,
  range: Range,
  limit?: number
): FoundSlots => {
  const { cut, found } = slotFinder(calendars, type, range, limit)
  for (let d = 0; d < calendars.length; d++) cut(d)
  return found()
}
