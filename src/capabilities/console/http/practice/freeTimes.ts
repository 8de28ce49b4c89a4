/** Free times by the public search. */
import { Effect } from "effect"
import { TimeZone, UnixSeconds } from "../../../../schemas/fields.ts"
import type { ShopUid } from "../../../../schemas/ids.ts"
import { AppointmentTypeUid, DoctorUid } from "../../../../schemas/ids.ts"
import { DAY, HOUR } from "../../../../schemas/seconds.ts"
import type { Named } from "../../../shared/http/choices.ts"
import { whereRefused } from "../../../shared/http/InProcessApi.ts"
import { dayIn, isDay, zonedInstant } from "../../../shared/pages/zoned.ts"
import { partsOfDay, type Wishes } from "../../pages/parts/Times.tsx"
import type { Visitor } from "../serving/visitor.ts"

const TIMES_SHOWN = 60
const DAYS_MAX = 31

/** The next free times; none without a shop, or for a type that cannot be booked. */
export const freeTimes = Effect.fnUntraced(function* (
  { api }: Visitor,
  shop_uid: ShopUid | undefined,
  search: { readonly type: string; readonly doctor: string | null; readonly from: number; readonly to: number },
  limit = TIMES_SHOWN
) {
  if (shop_uid === undefined || search.type === "" || search.to <= search.from) return []
  const { slots } = yield* api["patient.booking"]
    .search({
      payload: {
        shop_uid,
        appointment_type_uid: AppointmentTypeUid.make(search.type),
        from: UnixSeconds.make(search.from),
        to: UnixSeconds.make(Math.min(search.to, search.from + DAYS_MAX * DAY)),
        ...(search.doctor !== null && search.doctor !== "" && { doctor_uid: DoctorUid.make(search.doctor) }),
        limit,
        timezone: TimeZone.make("UTC")
      }
    })
    .pipe(whereRefused(404, { slots: [] }))
  return slots.map(({ doctor_uid, start_date, end_date }) => {
    return { doctor_uid: String(doctor_uid), start_date: Number(start_date), end_date: Number(end_date) }
  })
})

/** Types whose times are searched when none is named. */
const TYPES_TRIED = 10

/** The type that the query names with its free times, else the first one that has any. */
export const timesOfTypes = Effect.fnUntraced(function* <A, E, R>(
  types: Named,
  named: string | null,
  timesOf: (type: string) => Effect.Effect<ReadonlyArray<A>, E, R>
) {
  const chosen = types.find(([uid]) => uid === named)
  const tried = chosen === undefined ? types.slice(0, TYPES_TRIED) : [chosen]
  for (const [type] of tried) {
    const free = yield* timesOf(type)
    if (free.length > 0) return { type, free }
  }
  return { type: tried[0]?.[0] ?? "", free: [] }
})

/** The free time in a query, `start.doctor`; null for anything else. */
export const slotIn = (text: string | null) => {
  const [, start, doctor_uid] = /^(\d{1,12})\.(.{1,255})$/.exec(text ?? "") ?? []
  return start === undefined || doctor_uid === undefined ? null : { start_date: Number(start), doctor_uid }
}

/** Free times looked at for one page of those that a caller wishes. */
const TIMES_SEARCHED = 2_000

/** From which hour to before which, of the day's parts. */
const hoursOf = { morning: [0, 12], afternoon: [12, 17], evening: [17, 24] } as const

/** The wishes in the query; without a day from today on. */
export const wishesIn = (query: URLSearchParams, now: number, zone: string): Wishes => {
  const day = query.get("day")
  return {
    day: isDay(day) ? day : dayIn(now, zone),
    part: partsOfDay.find((part) => part === query.get("part")) ?? "",
    format: (["DIGITAL", "IN_PERSON"] as const).find((format) => format === query.get("format")) ?? ""
  }
}

/** The next free times from the wished day on, within 31 days, that lie in the wished part of the day. */
export const wishedTimes = Effect.fnUntraced(function* (
  visitor: Visitor,
  shop: ShopUid | undefined,
  search: { readonly type: string; readonly doctor: string | null; readonly zone: string; readonly wishes: Wishes },
  limit: number
) {
  const { type, doctor, zone, wishes } = search
  const from = Math.max(visitor.now, zonedInstant(`${wishes.day}T00:00`, zone) ?? 0)
  const range = { type, doctor, from, to: from + DAYS_MAX * DAY }
  if (wishes.part === "") return yield* freeTimes(visitor, shop, range, limit)
  const [first, end] = hoursOf[wishes.part]
  const found = yield* freeTimes(visitor, shop, range, TIMES_SEARCHED)
  return found
    .filter(({ start_date }) => {
      const hour = (start_date - (zonedInstant(`${dayIn(start_date, zone)}T00:00`, zone) ?? 0)) / HOUR
      return hour >= first && hour < end
    })
    .slice(0, limit)
})
