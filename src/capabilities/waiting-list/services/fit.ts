/** Pure rules of the waiting list: what fits an entry, when an offer is sent and how long it lives (section 19). */
import { DAY, HOUR, MINUTE } from "../../../schemas/seconds.ts"
import { weekdayOf } from "../../../services/scheduling/slots/windows.ts"
import { instantOfWall, spanAt, zoneOf } from "../../../services/scheduling/slots/zones.ts"

/** Starts nearer than this are offered to several at once, without a hold. Seconds. */
export const NEAR = DAY
/** Live offers of one near start. */
export const AT_ONCE = 5
/** How long an offer can be answered, from its sending. Seconds. */
export const ANSWER_TIME = 2 * HOUR
/** Offers left unanswered, one after another, that pause an entry. */
export const UNANSWERED_MAX = 3
/** Hours of the patient's day in which nothing is sent. */
const QUIET = { from: 21, until: 8 }

export interface Wish {
  readonly doctor_uids: ReadonlyArray<string>
  readonly from: number
  readonly to: number
  readonly weekdays: ReadonlyArray<number>
  readonly times: ReadonlyArray<{ readonly from: number; readonly to: number }>
}

/** The appointment that an entry would replace, as far as it restricts what fits. */
export interface Replaceable {
  readonly start_date: number
  /** Only this doctor may take it over; null: any. */
  readonly only_doctor: string | null
  /** Until when the patient may move it; null: the practice made the entry, and any time is allowed. */
  readonly movable_until: number | null
}

const wallOf = (timezone: string, instant: number) => instant + spanAt(zoneOf(timezone), instant).offset

/** Whether a start of a doctor, in the doctor's zone, is what the entry waits for. */
export const fits = (
  wish: Wish,
  replaced: Replaceable | null,
  doctor: { readonly uid: string; readonly timezone: string },
  start: number,
  now: number
): boolean => {
  if (start < wish.from || start >= wish.to) return false
  if (wish.doctor_uids.length > 0 && !wish.doctor_uids.includes(doctor.uid)) return false
  if (replaced !== null) {
    if (start >= replaced.start_date) return false
    if (replaced.only_doctor !== null && replaced.only_doctor !== doctor.uid) return false
    if (replaced.movable_until !== null && now > replaced.movable_until) return false
  }
  const wall = wallOf(doctor.timezone, start)
  if (wish.weekdays.length > 0 && !wish.weekdays.includes(weekdayOf(Math.floor(wall / DAY)))) return false
  const minute = Math.floor((((wall % DAY) + DAY) % DAY) / MINUTE)
  return wish.times.length === 0 || wish.times.some(({ from, to }) => minute >= from && minute < to)
}

/** The weekdays and minutes of the day between two moments, inclusive; undefined if the local day changes between them. */
export const wallsBetween = (timezone: string, from: number, to: number) => {
  const [first, last] = [wallOf(timezone, from), wallOf(timezone, to)]
  const day = Math.floor(first / DAY)
  if (day !== Math.floor(last / DAY) || last - first !== to - from) return undefined
  const minute = (wall: number) => Math.floor((wall - day * DAY) / MINUTE)
  return { weekdays: [weekdayOf(day)], first: minute(first), last: minute(last) }
}

export const isNear = (start: number, now: number) => start - now <= NEAR

/** When a message may go out: at once, or at the end of the quiet hours of the zone. */
export const afterQuietHours = (now: number, timezone: string): number => {
  const wall = wallOf(timezone, now)
  const second = ((wall % DAY) + DAY) % DAY
  if (second >= QUIET.until * HOUR && second < QUIET.from * HOUR) return now
  const midnight = wall - second + (second >= QUIET.from * HOUR ? DAY : 0)
  return instantOfWall(zoneOf(timezone), midnight + QUIET.until * HOUR)
}

/**
 * When an offer is sent and until when it can be answered. Near ones are sent at once, and end at the latest when the type's notice
 * closes the start.
 */
export const termsOf = (start: number, notice_minutes: number, timezone: string, now: number) => {
  if (isNear(start, now))
    return { sent_at: now, expires_at: Math.max(now, Math.min(now + ANSWER_TIME, start - notice_minutes * MINUTE)) }
  const sent_at = afterQuietHours(now, timezone)
  return { sent_at, expires_at: sent_at + ANSWER_TIME }
}
