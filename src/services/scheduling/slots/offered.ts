import { type Busy, busyTimes } from "./busy.ts"
import type { Hours } from "./calendar.ts"
import { datesAround } from "./cut.ts"
import { type Window, weekOf, windowsOf } from "./windows.ts"
import { zoneOf } from "./zones.ts"

/** A rule's validity bounds the starts of its slots, and so the time that it offers. */
export const bounded = ({ start, end, from, until }: Window) => [Math.max(start, from), Math.min(end, until)] as const

/** Disjoint and ascending. */
export const mergedTimes = (found: Array<readonly [start: number, end: number]>): Busy => {
  found.sort(([a], [b]) => a - b)
  return busyTimes(
    found.map(([start]) => start),
    found.map(([, end]) => end)
  )
}

/** The times in which the hours for a type are open around the range, disjoint and ascending: adjacent windows are one. */
export const openTimes = (
  hours: Hours,
  appointment_type_uid: string | null,
  { from, to }: { readonly from: number; readonly to: number }
): Busy => {
  const week = weekOf(hours, appointment_type_uid, zoneOf(hours.timezone))
  const found: Array<readonly [start: number, end: number]> = []
  const { first, last } = datesAround({ from, to })
  for (let day = first; day <= last; day++)
    windowsOf(week, day, (window) => {
      const [start, end] = bounded(window)
      if (end > start) found.push([start, end])
    })
  return mergedTimes(found)
}
