/** Which slots are free: one statement reads the calendars, a pure core cuts them (Rules 3.5 and 3.8). */
import { Duration, Effect, Metric } from "effect"
import { invalid } from "../../../schemas/problems.ts"
import type { SlotSearch } from "../../../schemas/scheduling/Booking.ts"
import { SlotNotOffered, SlotTaken } from "../../../schemas/scheduling/errors.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../DomainClock.ts"
import { slotSearchDuration } from "../../metrics.ts"
import { offeringOf } from "../slots/cut.ts"
import { encodeSlots } from "../slots/encode.ts"
import { type FoundSlots, findSlots } from "../slots/find.ts"
import { type CalendarQuery, CalendarsRepo } from "./Calendars.ts"

/** Longest range of one search and of a booking session, seconds. */
export const LONGEST_RANGE = 31 * DAY

/** One start of one doctor, as a hold or a rebooking asks for it. */
export type OfferQuery = Omit<CalendarQuery, "owner" | "from" | "to" | "doctor_uid"> & {
  readonly organisation_uid: string
  readonly doctor_uid: string
  readonly start_date: number
}

export class SlotEngine extends Effect.Service<SlotEngine>()("scheduling/SlotEngine", {
  effect: Effect.gen(function* () {
    const calendars = yield* CalendarsRepo
    const clock = yield* DomainClock

    /** Free slots, in order of start and then of doctor; an empty range has none. Fails with `BookableTypeNotFound`. */
    const find = Effect.fn("SlotEngine.find")(function* (search: Omit<SlotSearch, "timezone">) {
      const { from, to, shop_uid, appointment_type_uid, doctor_uid } = search
      const now = yield* clock.now
      const found = yield* calendars.read({ owner: { shop_uid }, appointment_type_uid, doctor_uid, from, to, now })
      const slots: FoundSlots = findSlots(found.doctors, found.type, { from, to, now })
      return slots
    })

    /**
     * The response body of a search, JSON in UTF-8, written once. Fails with `BookableTypeNotFound`, and with `Invalid`
     * for a range that is empty or over 31 days.
     */
    const search = Effect.fn("SlotEngine.search")(
      function* (request: SlotSearch) {
        const { from, to, timezone } = request
        if (to <= from) return yield* invalid("to", "must be after from")
        if (to - from > LONGEST_RANGE) return yield* invalid("to", "must be at most 31 days after from")
        return encodeSlots(yield* find(request), timezone)
      },
      Metric.trackDurationWith(slotSearchDuration, Duration.toSeconds)
    )

    /**
     * The same predicate for one start: the type's terms when the start is free. Fails with `BookableTypeNotFound`,
     * `SlotNotOffered` (naming `field`) or `SlotTaken`.
     */
    const offer = Effect.fn("SlotEngine.offer")(function* (
      { organisation_uid, ...query }: OfferQuery,
      field: "start_date" | "new_start_date"
    ) {
      const { start_date, now } = query
      const owner = { organisation_uid }
      const { type, doctors } = yield* calendars.read({ ...query, owner, from: start_date, to: start_date + 1 })
      const doctor = doctors.find(({ doctor_uid }) => doctor_uid === query.doctor_uid)
      const offering = doctor === undefined ? "not_offered" : offeringOf(doctor, type, start_date, now)
      if (offering === "not_offered") return yield* new SlotNotOffered({ field })
      if (offering === "taken") return yield* new SlotTaken()
      return type
    })
    return { find, search, offer } as const
  }),
  dependencies: [CalendarsRepo.Default, DomainClock.Default]
}) {}
