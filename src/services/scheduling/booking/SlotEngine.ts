/** Which slots are free: one statement brings the calendars, a pure core cuts them (Rule 3.8). */
import { Duration, Effect, Metric } from "effect"
import { invalid, NotFound } from "../../../schemas/problems.ts"
import type { SlotSearch } from "../../../schemas/scheduling/Booking.ts"
import { DomainClock } from "../../DomainClock.ts"
import { slotSearchDuration } from "../../metrics.ts"
import { offeringOf } from "../slots/cut.ts"
import { encodeSlots } from "../slots/encode.ts"
import { type FoundSlots, findSlots } from "../slots/find.ts"
import { type CalendarQuery, CalendarsRepo } from "./Calendars.ts"

const LONGEST_SEARCH_SECONDS = 31 * 86_400

const noType = new NotFound({ what: "Bookable appointment type" })

/** One start of one doctor, as a hold, a late confirmation or a rebooking asks for it. */
export type OfferQuery = Omit<CalendarQuery, "from" | "to"> & {
  readonly doctor_uid: string
  readonly start_date: number
}

export class SlotEngine extends Effect.Service<SlotEngine>()("scheduling/SlotEngine", {
  effect: Effect.gen(function* () {
    const calendars = yield* CalendarsRepo
    const clock = yield* DomainClock

    /** Free slots, in order of start and then of doctor. 400 for a range that is empty or over 31 days. */
    const find = Effect.fn("SlotEngine.find")(function* (search: Omit<SlotSearch, "timezone">) {
      const { from, to, shop_uid, appointment_type_uid, doctor_uid } = search
      if (to <= from) return yield* invalid("to", "must be after from")
      if (to - from > LONGEST_SEARCH_SECONDS) return yield* invalid("to", "must be at most 31 days after from")
      const now = yield* clock.now
      const found = yield* calendars.read({ owner: { shop_uid }, appointment_type_uid, doctor_uid, from, to, now })
      if (found === undefined) return yield* noType
      const slots: FoundSlots = findSlots(found.doctors, found.type, { from, to, now })
      return slots
    })

    /** The response body of a search, JSON in UTF-8, written once. */
    const search = (request: SlotSearch) =>
      Effect.map(find(request), (slots) => encodeSlots(slots, request.timezone)).pipe(
        Metric.trackDurationWith(slotSearchDuration, Duration.toSeconds),
        Effect.withSpan("SlotEngine.search")
      )

    /**
     * The same predicate for one start. Fails 404 without such a bookable type; otherwise says whether the start is
     * free, taken or not offered, with the type's terms.
     */
    const offer = Effect.fn("SlotEngine.offer")(function* (query: OfferQuery) {
      const { start_date, now } = query
      const found = yield* calendars.read({ ...query, from: start_date, to: start_date + 1 })
      if (found === undefined) return yield* noType
      const doctor = found.doctors.find(({ doctor_uid }) => doctor_uid === query.doctor_uid)
      const offering = doctor === undefined ? ("not_offered" as const) : offeringOf(doctor, found.type, start_date, now)
      return { type: found.type, offering }
    })
    return { find, search, offer } as const
  }),
  dependencies: [CalendarsRepo.Default, DomainClock.Default]
}) {}
