import type { BookableType, DoctorCalendar, Range } from "./calendar.ts"
import { type Admits, cutDoctor } from "./cut.ts"

/** Free slots of several doctors, by start and then `doctor_uid`: two columns, one entry a slot. */
export interface FoundSlots {
  readonly starts: Float64Array
  /** Index into `doctors`. */
  readonly doctorAt: Uint32Array
  /** In order of `doctor_uid`. */
  readonly doctors: ReadonlyArray<DoctorCalendar>
  readonly duration_minutes: number
  /** Of a group: the seats left at each slot. */
  readonly seatsLeft?: Uint16Array
}

const byUid = (a: DoctorCalendar, b: DoctorCalendar) =>
  a.doctor_uid < b.doctor_uid ? -1 : a.doctor_uid > b.doctor_uid ? 1 : 0

/** Starts kept above the limit before the latest ones are dropped: as many as the limit, within these bounds. */
const [SPARE_MIN, SPARE_MAX] = [32, 50_000]

/**
 * A search that runs doctor by doctor: call `cut` for each of `doctors`, then `found`. With a `limit` only the first starts are kept, and
 * some more while it runs; once there are enough, a doctor's later starts are not visited.
 */
export const slotFinder = (
  calendars: ReadonlyArray<DoctorCalendar>,
  type: BookableType,
  range: Range,
  limit = Number.POSITIVE_INFINITY,
  admits?: Admits
) => {
  const doctors = calendars.toSorted(byUid)
  // Start and doctor are packed into one number, so that the engine's native sort can be used: a search range is at most 31 days, and the
  // product stays a safe integer for any range that fits into memory.
  const origin = range.from
  let kept: Array<Float64Array> = []
  let count = 0
  const spare = Math.min(Math.max(limit, SPARE_MIN), SPARE_MAX)
  /** No further start from here on is among the first: doctors come in order, and of equal starts an earlier doctor's is first. */
  let to = range.to
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
  /** Returns how many starts of this doctor are free. */
  const cut = (d: number) => {
    const starts = cutDoctor(doctors[d] as DoctorCalendar, type, { ...range, to }, admits) // within the array
    kept.push(Float64Array.from(starts, (start) => (start - origin) * doctors.length + d))
    count += starts.length
    if (count > limit + spare) {
      const first = merged().slice()
      kept = [first]
      count = limit
      const last = first.at(-1) ?? 0 // there is one: `limit` is at least 1
      to = (last - (last % doctors.length)) / doctors.length + origin
    }
    return starts.length
  }
  const found = (): FoundSlots => {
    const keys = merged()
    const starts = new Float64Array(keys.length)
    const doctorAt = new Uint32Array(keys.length)
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as number // the cast: a valid index
      const doctor = key % doctors.length
      doctorAt[i] = doctor
      starts[i] = (key - doctor) / doctors.length + origin
    }
    return { starts, doctorAt, doctors, duration_minutes: type.duration_minutes, ...seatsAt(starts, doctorAt) }
  }
  const { seats = 1 } = type
  const seatsAt = (starts: Float64Array, doctorAt: Uint32Array) => {
    if (seats === 1) return {}
    const taken = (at: number) => doctors[doctorAt[at] as number]?.groups?.get(starts[at] as number)?.taken.length ?? 0
    return { seatsLeft: Uint16Array.from(starts, (_, at) => seats - taken(at)) }
  }
  return { doctors, cut, found }
}
