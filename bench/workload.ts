/**
 * The workload of the slot benchmark: weekdays 09–12 and 13–17 in Berlin, 20-minute slots with a 5-minute buffer, 31 days
 * from 2026-03-15 (which includes a change to summer time), 100 bookings per doctor.
 */
import { busyTimes } from "../src/services/scheduling/slots/busy.ts"
import type { DoctorCalendar } from "../src/services/scheduling/slots/calendar.ts"

export const ZONE = "Europe/Berlin"
export const FROM = Date.UTC(2026, 2, 15) / 1000
export const DAYS = 31
export const RANGE = { from: FROM, to: FROM + DAYS * 86_400, now: FROM }
export const TYPE = { uid: "apt_bench", duration_minutes: 20 }
export const BUFFER_MINUTES = 5
/** minutes from midnight */
export const WINDOWS = [
  { start_time: 540, end_time: 720 },
  { start_time: 780, end_time: 1020 }
] as const

const SUMMER_TIME = Date.UTC(2026, 2, 29, 1) / 1000
/** Berlin's offset from UTC in seconds on the day that begins at `midnight` UTC, precomputed. */
export const offsetOf = (midnight: number) => (midnight + 9 * 3600 < SUMMER_TIME ? 3600 : 7200)

/** A pseudo-random generator of numbers in [0, 1), the same in every run (Park and Miller). */
const numbers = (seed: number) => {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

const grid = Array.from({ length: DAYS }, (_, i) => FROM + i * 86_400)
  .filter((midnight) => (midnight / 86_400 + 3) % 7 < 5)
  .flatMap((midnight) =>
    WINDOWS.flatMap(({ start_time, end_time }) =>
      Array.from({ length: Math.floor((end_time - start_time + BUFFER_MINUTES) / 25) }, (_, i) => {
        return midnight - offsetOf(midnight) + (start_time + i * 25) * 60
      })
    )
  )

const bookings = (doctor: number) => {
  const next = numbers(doctor + 1)
  const taken = new Set<number>()
  while (taken.size < 100) taken.add(grid[Math.floor(next() * grid.length)] ?? 0)
  const starts = [...taken].sort((a, b) => a - b)
  return busyTimes(
    starts,
    starts.map((start) => start + TYPE.duration_minutes * 60)
  )
}

export const doctors = (count: number): ReadonlyArray<DoctorCalendar> =>
  Array.from({ length: count }, (_, d) => ({
    doctor_uid: `doc_${String(d).padStart(6, "0")}`,
    doctor_name: `Dr. Åsa Müller-${d}`,
    timezone: ZONE,
    notice_minutes: 0,
    rules: [0, 1, 2, 3, 4].flatMap((weekday) =>
      WINDOWS.map((window) => ({
        ...window,
        weekday,
        buffer_minutes: BUFFER_MINUTES,
        valid_from: null,
        valid_until: null,
        appointment_type_uid: null
      }))
    ),
    overrides: [],
    busy: bookings(d)
  }))
