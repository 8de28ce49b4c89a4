/** The date override in the query of an hours page, and the API's preview of its effects. */
import { Effect } from "effect"
import { UnixSeconds } from "../../../../schemas/fields.ts"
import type { Appointment } from "../../../../schemas/scheduling/Appointment.ts"
import type { StoredOverride } from "../../../../schemas/scheduling/DateOverride.ts"
import { DAY } from "../../../../schemas/seconds.ts"
import { whereRefused } from "../../../shared/http/InProcessApi.ts"
import { isDay } from "../../../shared/pages/zoned.ts"
import type { ShownEffects, WantedException } from "../../pages/parts/Exceptions.tsx"
import type { DateOverrideEffects, DateOverridePreview } from "../../schemas/Previews.ts"
import { clockMinutes } from "./formFields.ts"

const dateOf = (day: string) => Date.parse(`${day}T00:00Z`) / 1000

const clockOr = (text: string | null, other: string) =>
  text !== null && /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/.test(text) ? text : other

export const wantedException = (
  query: URLSearchParams,
  overrides: ReadonlyArray<StoredOverride>
): WantedException | null => {
  const day = query.get("day")
  if (!isDay(day)) return null
  return {
    day,
    isDayOff: query.get("kind") !== "hours",
    start: clockOr(query.get("start"), "09:00"),
    end: clockOr(query.get("end"), "12:00"),
    override: overrides.find(({ uid }) => uid === query.get("override")) ?? null
  }
}

/** The request of a preview. Fields that the form does not show keep their values. */
const previewOf = ({ day, isDayOff, start, end, override }: WantedException): DateOverridePreview => ({
  override: {
    date: UnixSeconds.make(dateOf(day)),
    day_off: isDayOff,
    start_time: isDayOff ? null : Number(clockMinutes(start)),
    end_time: isDayOff ? null : Number(clockMinutes(end)),
    buffer_minutes: isDayOff ? 0 : (override?.buffer_minutes ?? 0),
    appointment_type_uid: override?.appointment_type_uid ?? null
  },
  ...(override !== null && { override_uid: override.uid })
})

/**
 * Previews the effects of an override, with the affected appointments; null if the API rejects it. `booked` lists the doctor's
 * appointments in a range, `address` gives the page of one.
 */
export const effectsOf = <E, R, E2, R2>(
  wanted: WantedException | null,
  ask: {
    readonly preview: (payload: DateOverridePreview) => Effect.Effect<DateOverrideEffects, E, R>
    readonly booked: (from: number, to: number) => Effect.Effect<ReadonlyArray<Appointment>, E2, R2>
    readonly address: (one: Appointment) => string
  }
) =>
  Effect.gen(function* () {
    if (wanted === null) return null
    const { appearing, disappearing, hit } = yield* ask.preview(previewOf(wanted))
    const uids = new Set<string>(hit)
    const dates = [dateOf(wanted.day), ...(wanted.override === null ? [] : [wanted.override.date])]
    const booked = uids.size === 0 ? [] : yield* ask.booked(Math.min(...dates) - DAY, Math.max(...dates) + 2 * DAY)
    const startsOf = (some: DateOverrideEffects["appearing"]) =>
      [...new Set(some.map(({ start_date }) => Number(start_date)))].sort((a, b) => a - b)
    const effects: ShownEffects = {
      appearing: startsOf(appearing),
      disappearing: startsOf(disappearing),
      hit: booked.filter(({ uid }) => uids.has(uid)).map((one) => ({ ...one, address: ask.address(one) }))
    }
    return effects
  }).pipe(whereRefused(400, null))
