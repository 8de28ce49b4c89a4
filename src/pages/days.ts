import { dateIn } from "./time.ts"

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

/** A page of days, and the dates at which its neighbours begin. */
export interface DayPage {
  readonly days: ReadonlyArray<OfferedDay>
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
  doctors: [...Map.groupBy(slots, (slot) => slot.doctor_uid)]
    .map(([doctor_uid, own]) => ({ doctor_uid, doctor_name: own[0]?.doctor_name ?? "", slots: own }))
    .sort(byName)
})

/** How many days stand on one page: enough to choose from, few enough for a phone. */
export const DAYS_ON_A_PAGE = 5

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
 * Puts free times, in order of start, under the calendar dates they have in `zone` and cuts out the page that begins at `from`
 * (`YYYY-MM-DD`; anything else means the first page). Only dates with a free time are shown, so a page is never
 * empty while there is one.
 */
export const dayPage = (slots: ReadonlyArray<OfferedSlot>, zone: string, from: string | undefined): DayPage => {
  const days = [...byDate(slots, zone)]
  const wanted = days.findIndex(([date]) => date >= (from ?? ""))
  const first = wanted === -1 ? Math.max(0, days.length - DAYS_ON_A_PAGE) : wanted
  const next = first + DAYS_ON_A_PAGE
  return {
    days: days.slice(first, next).map(([date, own]) => byDoctor(date, own)),
    earlier: first > 0 ? (days[Math.max(0, first - DAYS_ON_A_PAGE)]?.[0] ?? null) : null,
    later: days[next]?.[0] ?? null
  }
}
