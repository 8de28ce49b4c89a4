import { busyTimes } from "../../../src/services/scheduling/slots/busy.ts"
import type { BookableType, DoctorCalendar, Range } from "../../../src/services/scheduling/slots/calendar.ts"
import { encodeSlots } from "../../../src/services/scheduling/slots/encode.ts"
import { findSlots } from "../../../src/services/scheduling/slots/find.ts"
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

/** The engine's response text. */
export const engineSearch = (
  doctors: ReadonlyArray<NaiveDoctor>,
  type: BookableType,
  range: Range,
  timezone: string
): string => new TextDecoder().decode(encodeSlots(findSlots(doctors.map(calendar), type, range), timezone))
