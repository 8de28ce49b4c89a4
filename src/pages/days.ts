import { dateIn, hourIn } from "./time.ts"

/** The fields of a slot that pages need; a search's slots have them. */
export interface OfferedSlot {
  readonly doctor_uid: string
  readonly doctor_name: string
  readonly start_date: number
  readonly end_date: number
  /** of a group */
  readonly seats_left?: number
}

/** One calendar date with its free times, by doctor. */
export interface OfferedDay {
  /** `YYYY-MM-DD` in the zone shown */
  readonly date: string
  readonly count: number
  readonly doctors: ReadonlyArray<{
    readonly doctor_uid: string
    readonly doctor_name: string
    readonly slots: ReadonlyArray<OfferedSlot>
  }>
}

/** A few dates with free times; the times of one of them are shown. */
export interface DayStrip {
  readonly dates: ReadonlyArray<{ readonly date: string; readonly first: number; readonly count: number }>
  /** the selected date; null if no time is free */
  readonly day: OfferedDay | null
  /** the first dates of the previous and next strip */
  readonly earlier: string | null
  readonly later: string | null
}

const collator = new Intl.Collator("und")

/** The order of doctors in the filter, and of those with the same first time. */
export const byName = (a: { readonly doctor_name: string }, b: { readonly doctor_name: string }) =>
  collator.compare(a.doctor_name, b.doctor_name)

const byDoctor = (date: string, slots: ReadonlyArray<OfferedSlot>): OfferedDay => ({
  date,
  count: slots.length,
  doctors: [...Map.groupBy(slots.slice(0, LISTED_MAX), (slot) => slot.doctor_uid)]
    .map(([doctor_uid, own]) => ({ doctor_uid, doctor_name: own[0]?.doctor_name ?? "", slots: own }))
    .sort((a, b) => (a.slots[0]?.start_date ?? 0) - (b.slots[0]?.start_date ?? 0) || byName(a, b))
})

/**
 * Maximum listed times of one date. It is more than any doctor has in a day, so that choosing a doctor shows all of
 * theirs; `count` includes the others.
 */
export const LISTED_MAX = 2_000

/** Maximum dates in a strip: with the link to later ones two rows on a phone. */
export const DATES_IN_A_STRIP = 7

/**
 * Groups slots, sorted by start, by calendar date. A calendar lookup costs microseconds and a month has thousands of slots.
 * All slots between two slots of one date have that date, so a binary search finds the borders.
 */
const byDate = (slots: ReadonlyArray<OfferedSlot>, zone: string): ReadonlyMap<string, ReadonlyArray<OfferedSlot>> => {
  const found = new Map<string, ReadonlyArray<OfferedSlot>>()
  const walk = (some: ReadonlyArray<OfferedSlot>) => {
    const [first, last] = [some[0], some.at(-1)]
    if (first === undefined || last === undefined) return
    const date = dateIn(zone, first.start_date)
    if (date === dateIn(zone, last.start_date)) return void found.set(date, (found.get(date) ?? []).concat(some))
    const middle = Math.ceil(some.length / 2)
    walk(some.slice(0, middle))
    walk(some.slice(middle))
  }
  walk(slots)
  return found
}

/**
 * Groups free times, sorted by start, by calendar date in `zone`. Selects the date `wanted`
 * (`YYYY-MM-DD`), else the next one with a free time, else the last one. Dates without a free time are omitted.
 */
export const dayStrip = (slots: ReadonlyArray<OfferedSlot>, zone: string, wanted: string | undefined): DayStrip => {
  const days = [...byDate(slots, zone)]
  const found = days.findIndex(([date]) => date >= (wanted ?? ""))
  const shown = found === -1 ? days.length - 1 : found
  const begin = Math.floor(Math.max(0, shown) / DATES_IN_A_STRIP) * DATES_IN_A_STRIP
  const [date, own] = days[shown] ?? []
  return {
    dates: days
      .slice(begin, begin + DATES_IN_A_STRIP)
      .map(([one, some]) => ({ date: one, first: some[0]?.start_date ?? 0, count: some.length })),
    day: date === undefined || own === undefined ? null : byDoctor(date, own),
    earlier: days[begin - DATES_IN_A_STRIP]?.[0] ?? null,
    later: days[begin + DATES_IN_A_STRIP]?.[0] ?? null
  }
}

export const partsOfDay = ["morning", "afternoon", "evening"] as const
export type PartOfDay = (typeof partsOfDay)[number]

/** Morning until noon, afternoon until 17:00, then evening: minutes of the day, `[from, to)`. */
export const minutesOfPart: Readonly<Record<PartOfDay, { readonly from: number; readonly to: number }>> = {
  morning: { from: 0, to: 720 },
  afternoon: { from: 720, to: 1020 },
  evening: { from: 1020, to: 1440 }
}

/** By the clock in `zone`. */
export const partOfDay = (zone: string, instant: number): PartOfDay => {
  const minute = hourIn(zone, instant) * 60
  return partsOfDay.find((part) => minute < minutesOfPart[part].to) ?? "evening"
}
