/** Which slots are free: one statement reads the calendars, a pure core cuts them (Rules 3.5 and 3.8). */
import { Duration, Effect, Metric } from "effect"
import type { DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import { invalid } from "../../../schemas/problems.ts"
import type { SlotSearch } from "../../../schemas/scheduling/Booking.ts"
import { SlotNotOffered, SlotTaken } from "../../../schemas/scheduling/errors.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../DomainClock.ts"
import { giveWay, inPieces } from "../../eventLoop.ts"
import { slotSearchDuration } from "../../metrics.ts"
import { readBehind } from "../../readBehind.ts"
import { makeSharedTurns } from "../../turns.ts"
import { cutCounted, offeringOf } from "../slots/cut.ts"
import { encodedPieces } from "../slots/encode.ts"
import { slotFinder } from "../slots/find.ts"
import { type CalendarQuery, CalendarsRepo } from "./Calendars.ts"

/** Longest range of one search and of a booking session, seconds. */
export const LONGEST_RANGE = 31 * DAY

/** Starts that are looked at, and slots that are written, before other requests get their turn. */
const CUT_AT_ONCE = 30_000
const SLOTS_AT_ONCE = 5_000
/** What a doctor costs who offers nothing, in starts. */
const DOCTOR_COST = 600
/** Slots that one search gives at most; several times what the largest practice has in a month. Rule 3.8.6. */
const SLOTS_MAX = 250_000
/** Slots of an answer that is written while it is sent: in memory is a piece of it alone. */
const SENT_IN_PIECES = 25_000
/** Of searches over more days of doctors than this, two run at a time in a process, one of an organisation, of which 20 wait. */
const LARGE_DOCTOR_DAYS = 2_000
const largeSearches = { atOnce: 2, waitingMax: 20 }

/** One start, as a hold or a booking asks for it. */
export type OfferQuery = Omit<CalendarQuery, "owner" | "from" | "to" | "doctor_uids"> & {
  readonly organisation_uid: string
  readonly start_date: number
}

/** The field of a request that names the start. */
export type StartField = "start_date" | "new_start_date"

export class SlotEngine extends Effect.Service<SlotEngine>()("scheduling/SlotEngine", {
  effect: Effect.gen(function* () {
    const calendars = yield* CalendarsRepo
    const clock = yield* DomainClock
    const inTurnOf = makeSharedTurns(largeSearches.atOnce, largeSearches.waitingMax)

    /**
     * Free slots, in order of start and then of doctor; an empty range has none. Without a limit at most 250,001, in no order of
     * doctors if there are more. Fails with `BookableTypeNotFound`. A defect, `Overloaded`, where many large searches of the organisation wait.
     */
    const find = Effect.fn("SlotEngine.find")(function* (search: Omit<SlotSearch, "timezone">) {
      const { from, to, shop_uid, appointment_type_uid, doctor_uid, limit } = search
      const doctor_uids = doctor_uid === undefined ? search.doctor_uids : [doctor_uid]
      const now = yield* clock.now
      const found = yield* readBehind(
        calendars.read({ owner: { shop_uid }, appointment_type_uid, doctor_uids, from, to, now })
      )
      const finder = slotFinder(found.doctors, found.type, { from, to, now }, limit ?? SLOTS_MAX + 1)
      const count = finder.doctors.length
      let slots = 0
      const cut = inPieces(count, CUT_AT_ONCE, (at) => {
        if (limit === undefined && slots > SLOTS_MAX) return 0
        const { visits, free } = finder.cut(at)
        slots += free
        return visits + DOCTOR_COST
      })
      yield* (count * (to - from)) / DAY > LARGE_DOCTOR_DAYS ? inTurnOf(found.organisation_uid)(cut) : cut
      return finder.found()
    })

    /** Free slots of an organisation by doctor; for work that is not a search. Fails with `BookableTypeNotFound`. */
    const freeStarts = Effect.fn("SlotEngine.freeStarts")(function* (
      organisation_uid: OrganisationUid,
      query: Pick<CalendarQuery, "appointment_type_uid" | "doctor_uids" | "from" | "to">
    ) {
      const now = yield* clock.now
      const { doctors, type } = yield* calendars.read({ ...query, owner: { organisation_uid }, now })
      const free: Array<{ readonly doctor_uid: DoctorUid; readonly start_date: number }> = []
      yield* inPieces(doctors.length, CUT_AT_ONCE, (at) => {
        let work = DOCTOR_COST
        for (const doctor of doctors.slice(at, at + 1)) {
          const { starts, visits } = cutCounted(doctor, type, { from: query.from, to: query.to, now })
          for (const start_date of starts) free.push({ doctor_uid: doctor.doctor_uid, start_date })
          work += visits
        }
        return work
      })
      return free.sort((a, b) => a.start_date - b.start_date)
    })

    /**
     * The response body of a search, JSON in UTF-8, written once. Fails with `BookableTypeNotFound`, and with `Invalid`
     * for a range that is empty, over 31 days or has over 250,000 slots. A large one is written piece by piece as it is sent.
     */
    const search = Effect.fn("SlotEngine.search")(
      function* (request: SlotSearch) {
        const { from, to, timezone } = request
        if (to <= from) return yield* invalid("to", "must be after from")
        if (to - from > LONGEST_RANGE) return yield* invalid("to", "must be at most 31 days after from")
        const found = yield* find(request)
        const slots = found.starts.length
        if (slots > SLOTS_MAX)
          return yield* invalid("to", `more than ${SLOTS_MAX} slots: narrow the range or the doctors, or send a limit`)
        const pieces = encodedPieces(found, timezone, SLOTS_AT_ONCE)
        if (slots > SENT_IN_PIECES) return { pieces, slots }
        const written: Array<Uint8Array> = []
        for (const piece of pieces) {
          written.push(piece)
          if (written.length * SLOTS_AT_ONCE < slots) yield* giveWay
        }
        const [only = Buffer.concat(written)] = written.length === 1 ? written : []
        return { bytes: only }
      },
      Metric.trackDurationWith(slotSearchDuration, Duration.toSeconds)
    )

    /** The doctors who offer the start, each with whether it is free, and the type. */
    const offerings = Effect.fnUntraced(function* (
      { organisation_uid, start_date, ...query }: OfferQuery,
      doctor_uids?: ReadonlyArray<string>
    ) {
      const range = { from: start_date, to: start_date + 1 }
      const { type, doctors } = yield* calendars.read({ ...query, ...range, owner: { organisation_uid }, doctor_uids })
      const offered = doctors.flatMap((doctor) => {
        const offering = offeringOf(doctor, type, start_date, query.now)
        return offering === "not_offered" ? [] : [{ doctor_uid: doctor.doctor_uid, isFree: offering === "free" }]
      })
      return { type, offered }
    })

    /**
     * The same predicate for one start of one doctor: the type's terms when it is free. Fails with
     * `BookableTypeNotFound`, `SlotNotOffered` (naming `field`) or `SlotTaken`.
     */
    const offer = Effect.fn("SlotEngine.offer")(function* (
      query: OfferQuery,
      doctor_uid: DoctorUid,
      field: StartField
    ) {
      const { type, offered } = yield* offerings(query, [doctor_uid])
      const [found] = offered
      if (found === undefined) return yield* new SlotNotOffered({ field })
      return found.isFree ? type : yield* new SlotTaken()
    })

    /** The doctors who are free at the start, in order of their uids. Fails as `offer` does when there is none. */
    const freeDoctors = Effect.fn("SlotEngine.freeDoctors")(function* (query: OfferQuery, field: StartField) {
      const { offered } = yield* offerings(query)
      if (offered.length === 0) return yield* new SlotNotOffered({ field })
      const free = offered.flatMap(({ doctor_uid, isFree }) => (isFree ? doctor_uid : []))
      return free.length === 0 ? yield* new SlotTaken() : free.toSorted()
    })
    return { find, freeStarts, search, offer, freeDoctors } as const
  }),
  dependencies: [CalendarsRepo.Default, DomainClock.Default]
}) {}
