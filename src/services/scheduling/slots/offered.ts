import { DAY, MINUTE } from "../../../schemas/seconds.ts"
import type { DoctorCalendar } from "./calendar.ts"
import { type Window, weekOf, windowsOf } from "./windows.ts"
import { zoneOf } from "./zones.ts"

type Hours = Pick<DoctorCalendar, "rules" | "overrides" | "timezone">

/** A rule's validity bounds the starts of its slots, and so the time that it offers. */
const bounded = ({ start, end, from, until }: Window) => [Math.max(start, from), Math.min(end, until)] as const

/** Minutes of `[from, to)` in which the doctor is there for any type of appointment; hours that overlap count once. */
export const offeredMinutes = (hours: Hours, from: number, to: number): number => {
  const zone = zoneOf(hours.timezone)
  const scopes = new Set([...hours.rules, ...hours.overrides].map((one) => one.appointment_type_uid ?? ""))
  const found: Array<readonly [start: number, end: number]> = []
  for (const scope of scopes) {
    const week = weekOf(hours, scope, zone)
    for (let day = Math.floor(from / DAY) - 1; day * DAY <= to + DAY; day++)
      windowsOf(week, day, (window) => {
        const [start, end] = bounded(window)
        if (start >= from && start < to && end > start) found.push([start, end])
      })
  }
  found.sort(([a], [b]) => a - b)
  let seconds = 0
  let reached = Number.NEGATIVE_INFINITY
  for (const [start, end] of found) {
    if (end > reached) seconds += end - Math.max(start, reached)
    reached = Math.max(reached, end)
  }
  return Math.round(seconds / MINUTE)
}

/** Whether the doctor's hours for the type hold the whole of `[from, to)`. */
export const isWithinHours = (hours: Hours, appointment_type_uid: string, from: number, to: number): boolean => {
  const week = weekOf(hours, appointment_type_uid, zoneOf(hours.timezone))
  let found = false
  for (let day = Math.floor(from / DAY) - 1; day * DAY <= to + DAY; day++)
    windowsOf(week, day, (window) => {
      if (window.start <= from && to <= window.end && from >= window.from && from < window.until) found = true
    })
  return found
}
