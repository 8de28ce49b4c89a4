import { dateIn, hourIn } from "./time.ts"

/** What a page needs to know of a slot; the slot of a search fits. */
export interface OfferedSlot {
  readonly doctor_uid: string
  readonly doctor_name: string
  readonly start_date: number
  readonly end_date: number
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

/** A few of the dates with free times, one of them shown with its times. */
export interface DayStrip {
  readonly dates: ReadonlyArray<{ readonly date: string; readonly first: number; readonly count: number }>
  /** the date that is shown; null where no time is free */
  readonly day: OfferedDay | null
  /** the dates at which the strips before and after begin */
  readonly earlier: string | null
  readonly later: string | null
}

const collator = new Intl.Collator("und")

/** The one order in which doctors are listed. */
export const byName = (a: { readonly doctor_name: string }, b: { readonly doctor_name: string }) =>
  collator.compare(a.doctor_name, b.doctor_name)

const byDoctor = (date: string, slots: ReadonlyArray<OfferedSlot>): OfferedDay => ({
  date,
  count: slots.length,
  doctors: [...Map.groupBy(slots.slice(0, LISTED_MAX), (slot) => slot.doctor_uid)]
    .map(([doctor_uid, own]) => ({ doctor_uid, doctor_name: own[0]?.doctor_name ?? "", slots: own }))
    .sort(byName)
})

/**
 * Times of one date that are listed: the first ones. More than any doctor has of a day, so that the choice of a doctor shows all of
 * theirs; `count` is of all.
 */
export const LISTED_MAX = 2_000

/** How many dates one strip has: two rows on a phone. */
export const DATES_IN_A_STRIP = 8

/**
 * The slots of each calendar date. Asking the calendar costs microseconds and a month has thousands of slots: between two
 * slots of one date every slot is of that date, so only the borders are looked for. `slots` are in order of start.
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
 * Puts free times, in order of start, under the calendar dates that they have in `zone`. Shows the date `wanted`
 * (`YYYY-MM-DD`), else the next one with a free time, else the last one. Dates without a free time are left out.
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

/** Morning until noon, afternoon until 17:00, evening after that, by the clock in `zone`. */
export const partOfDay = (zone: string, instant: number): PartOfDay => {
  const hour = hourIn(zone, instant)
  return hour < 12 ? "morning" : hour < 17 ? "afternoon" : "evening"
}
