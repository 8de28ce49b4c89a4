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

/** Every free slot of the type in the range. */
export const findSlots = (calendars: ReadonlyArray<DoctorCalendar>, type: BookableType, range: Range): FoundSlots => {
  const doctors = calendars.toSorted(byUid)
  const cuts = doctors.map((doctor) => cutDoctor(doctor, type, range))
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
  const found = { starts: new Float64Array(count), doctorAt: new Uint32Array(count) }
  for (let i = 0; i < count; i++) {
    const key = keys[i] as number
    const doctor = key % doctors.length
    found.doctorAt[i] = doctor
    found.starts[i] = (key - doctor) / doctors.length + origin
  }
  return { ...found, doctors, duration_minutes: type.duration_minutes }
}
