import { busyTimes } from "../../../src/services/scheduling/slots/busy.ts"
import type { BookableType, DoctorCalendar, Range } from "../../../src/services/scheduling/slots/calendar.ts"
import { encodeSlots } from "../../../src/services/scheduling/slots/encode.ts"
import { type FoundSlots, slotFinder } from "../../../src/services/scheduling/slots/find.ts"
import type { NaiveDoctor } from "./naive.ts"

export const calendar = ({ appointments, ...doctor }: NaiveDoctor): DoctorCalendar => {
  const sorted = appointments.toSorted((a, b) => a[0] - b[0])
  return {
    ...doctor,
    busy: busyTimes(
      sorted.map(([start]) => start),
      sorted.map(([, end]) => end)
    )
  }
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

/** The engine's response text. */
export const engineSearch = (
  doctors: ReadonlyArray<NaiveDoctor>,
  type: BookableType,
  range: Range,
  timezone: string
): string => new TextDecoder().decode(encodeSlots(findSlots(doctors.map(calendar), type, range), timezone))
