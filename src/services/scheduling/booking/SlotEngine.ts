/** Finds free slots: one statement reads the calendars, pure functions compute the slots (Rules 3.5 and 3.8). */
import { Duration, Effect, Metric } from "effect"
import type { DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import { invalid, type TooManyRequests } from "../../../schemas/problems.ts"
import type { SlotSearch } from "../../../schemas/scheduling/Booking.ts"
import { SlotNotOffered, SlotTaken, type StartField } from "../../../schemas/scheduling/errors.ts"
import { DAY, MINUTE } from "../../../schemas/seconds.ts"
import { makeFairBulkhead } from "../../bulkhead.ts"
import { DomainClock } from "../../DomainClock.ts"
import { readFromReplica } from "../../database/staleReads.ts"
import { inChunks } from "../../eventLoop.ts"
import { slotSearchDuration } from "../../metrics.ts"
import { cutWithVisits, offeringOf } from "../slots/cut.ts"
import { encodedChunks } from "../slots/encode.ts"
import { slotFinder } from "../slots/find.ts"
import type { CalendarCache } from "./CalendarCache.ts"
import { type CalendarQuery, type Calendars, CalendarsRepo } from "./Calendars.ts"

/** Longest range of a search and of a booking session, seconds. */
export const LONGEST_RANGE = 31 * DAY

/** Starts visited between yields to the event loop. */
const VISITS_PER_TURN = 30_000
/** An answer of more slots is streamed, in chunks of so many, of which memory holds two or three. Rule 3.8.6. */
const STREAMED_ABOVE = 5_000
const SLOTS_PER_CHUNK = 1_000
/** Cost of a doctor who offers nothing, in starts. */
const DOCTOR_COST = 600
/** Maximum slots of one search; several times what the largest practice has in a month. Rule 3.8.6. */
const SLOTS_MAX = 250_000
/** Maximum cached sizes, by shop and type. */
const ESTIMATES_MAX = 10_000
/** Estimated minutes that a doctor offers a day. */
const USUAL_DAY = 480
/** Above this many doctor-days a search is large: two run at a time in a process, one of an organisation, of which 20 wait. */
const LARGE_DOCTOR_DAYS = 2_000
const largeSearches = { atOnce: 2, waitingMax: 20 }

/** Cost of reading a doctor's calendar, in starts. */
const DOCTOR_READ = 200
/** The same where the budget is shared with changes of the database, and the cost of looking at a calendar again. */
const [DOCTOR_OF_CHANGE, DOCTOR_AGAIN] = [1_000, 60]

interface FreeStart {
  readonly doctor_uid: DoctorUid
  readonly start_date: number
  readonly end_date: number
}
interface FirstStarts {
  readonly accepts: (one: FreeStart) => boolean
  /** Receives the starts visited since the last call; false stops the search. */
  readonly withinBudget: (starts: number) => boolean
  /** Calendars that the request has read already. */
  readonly cache: CalendarCache
}

/** Charges the caller's rate limit with the cost of visiting this many starts. */
export type Charge = (starts: number) => Effect.Effect<void, TooManyRequests>

interface Size {
  readonly organisation: string
  readonly doctors: number
  /** Minutes of a slot. */
  readonly minutes: number
}
const sizeOf = ({ organisation_uid, doctors, type }: Calendars): Size => ({
  organisation: organisation_uid,
  doctors: doctors.length,
  minutes: type.duration_minutes
})

/** One start, as requested by a hold or a booking. */
export type OfferQuery = Omit<CalendarQuery, "owner" | "from" | "to" | "doctor_uids"> & {
  readonly organisation_uid: string
  readonly start_date: number
}

export class SlotEngine extends Effect.Service<SlotEngine>()("scheduling/SlotEngine", {
  effect: Effect.gen(function* () {
    const calendars = yield* CalendarsRepo
    const clock = yield* DomainClock
    const bulkhead = makeFairBulkhead(largeSearches.atOnce, largeSearches.waitingMax)

    /** By shop, for bookings by organisation, and type: the size found by the last search of all doctors, or the largest of partial ones. */
    const sizes = new Map<string, Size>()
    const rememberAs = (key: string, calendars: Calendars) => {
      if (sizes.size >= ESTIMATES_MAX) sizes.clear()
      sizes.set(key, sizeOf(calendars))
    }

    /**
     * Free slots, by start and then doctor; an empty range has none. Without a limit at most 250,001, in no order of doctors if there are
     * more. `charge` receives the estimated number of starts, before the search if the size is known. Fails with `BookableTypeNotFound`,
     * and as `charge` does. The defect `Overloaded` if many large searches wait, or for long.
     */
    const find = Effect.fn("SlotEngine.find")(function* (
      search: Omit<SlotSearch, "timezone">,
      charge: Charge = () => Effect.void
    ) {
      const { from, to, shop_uid, appointment_type_uid, doctor_uid, limit } = search
      const doctor_uids = doctor_uid === undefined ? search.doctor_uids : [doctor_uid]
      const days = (to - from) / DAY
      const usual = ({ doctors, minutes }: Size) =>
        Math.min(doctors, doctor_uids?.length ?? doctors) * ((days * USUAL_DAY) / minutes + DOCTOR_READ)
      const key = `${shop_uid} ${appointment_type_uid}`
      const known = sizes.get(key)
      if (known !== undefined) yield* charge(usual(known))
      const isLarge = (doctors: number) => Math.min(doctors, doctor_uids?.length ?? doctors) * days > LARGE_DOCTOR_DAYS
      const now = yield* clock.now
      // Times before now are never offered, so past calendars are not read
      const ahead = { from: Math.max(from, now), to: Math.max(to, now) }
      const read = readFromReplica(
        calendars.read({ owner: { shop_uid }, appointment_type_uid, doctor_uids, ...ahead, now })
      )
      const cut = Effect.fnUntraced(function* ({ doctors, type }: Calendars) {
        const finder = slotFinder(doctors, type, { from, to, now }, limit ?? SLOTS_MAX + 1)
        const count = finder.doctors.length
        let slots = 0
        yield* inChunks(count, VISITS_PER_TURN, (at) => {
          if (limit === undefined && slots > SLOTS_MAX) return 0
          const { visits, free } = finder.cut(at)
          slots += free
          return visits + DOCTOR_COST
        })
        return finder.found()
      })
      const remember = (calendars: Calendars) => {
        // a list of doctors gives only a lower bound
        if (doctor_uids !== undefined && (known?.doctors ?? 0) >= calendars.doctors.length) return
        rememberAs(key, calendars)
      }
      if (known !== undefined && isLarge(known.doctors)) {
        const work = Effect.gen(function* () {
          const found = yield* read
          remember(found)
          return yield* cut(found)
        })
        return yield* bulkhead(known.organisation)(work)
      }
      // The first search of a practice in this process must be read to know its size
      const found = yield* read
      if (known === undefined) yield* charge(usual(sizeOf(found)))
      remember(found)
      const work = cut(found)
      if (isLarge(found.doctors.length)) return yield* bulkhead(found.organisation_uid)(work)
      return yield* work
    })

    /**
     * The first free starts of an organisation that `accepts`, by start; for work that is not a search. Searches the first day (UTC), then
     * ever longer ranges, so that it does not read a whole year for a few starts. `withinBudget` receives the number of starts visited, with
     * 1,000 for each calendar read, and returns false to stop. Fails with `BookableTypeNotFound`.
     */
    const firstStarts = Effect.fn("SlotEngine.firstStarts")(function* (
      organisation_uid: OrganisationUid,
      { from, to, ...query }: Pick<CalendarQuery, "appointment_type_uid" | "doctor_uids" | "from" | "to">,
      most: number,
      { accepts, withinBudget, cache }: FirstStarts
    ) {
      const now = yield* clock.now
      let found: ReadonlyArray<FreeStart> = []
      let continues = true
      const among = (doctor_uid: DoctorUid, starts: ReadonlyArray<number>, length: number) => {
        const last = found.length < most ? undefined : found.at(-1)
        const own: Array<FreeStart> = []
        for (const start_date of starts) {
          if (own.length === most || (last !== undefined && start_date >= last.start_date)) break
          const one = { doctor_uid, start_date, end_date: start_date + length }
          if (accepts(one)) own.push(one)
        }
        if (own.length > 0) found = [...found, ...own].sort((a, b) => a.start_date - b.start_date).slice(0, most)
      }
      // Ranges begin at midnight, so that appointments of one day share what was read for the first of them
      let begin = Math.floor(from / DAY) * DAY
      for (let span = DAY; continues && begin < to && found.length < most; span = Math.min(2 * span, LONGEST_RANGE)) {
        const range = { from: begin, to: Math.min(to, begin + span) }
        const reading = calendars.read({ ...query, ...range, owner: { organisation_uid }, now })
        const { calendars: read, isNew } = yield* cache.read(JSON.stringify([query, range]), reading)
        const { doctors, type } = read
        yield* inChunks(doctors.length, VISITS_PER_TURN, (at) => {
          let work = isNew ? DOCTOR_OF_CHANGE : DOCTOR_AGAIN
          for (const doctor of continues ? doctors.slice(at, at + 1) : []) {
            // Only starts before the last one found can be among the first
            const last = found.length < most ? undefined : found.at(-1)
            const within = { from: Math.max(from, begin), to: last?.start_date ?? range.to, now }
            const { starts, visits } = cutWithVisits(doctor, type, within)
            among(doctor.doctor_uid, starts, type.duration_minutes * MINUTE)
            work += visits
            continues = withinBudget(work)
          }
          return work
        })
        begin = range.to
      }
      return found
    })

    /**
     * The response body of a search, JSON in UTF-8; `charge` as for `find`. A large one is streamed in chunks. Fails with
     * `BookableTypeNotFound`, and with `Invalid` for a range that is empty, over 31 days or has over 250,000 slots.
     */
    const search = Effect.fn("SlotEngine.search")(
      function* (request: SlotSearch, charge: Charge = () => Effect.void) {
        const { from, to, timezone } = request
        if (to <= from) return yield* invalid("to", "must be after from")
        if (to - from > LONGEST_RANGE) return yield* invalid("to", "must be at most 31 days after from")
        const found = yield* find(request, charge)
        const slots = found.starts.length
        if (slots > SLOTS_MAX)
          return yield* invalid("to", `more than ${SLOTS_MAX} slots: narrow the range or the doctors, or send a limit`)
        const pieces = encodedChunks(found, timezone, SLOTS_PER_CHUNK)
        return slots > STREAMED_ABOVE ? { pieces, slots } : { bytes: Buffer.concat([...pieces]) }
      },
      Metric.trackDurationWith(slotSearchDuration, Duration.toSeconds)
    )

    /** The calendars of the start, and of them the doctors who offer it, each with whether it is free. */
    const offerings = Effect.fnUntraced(function* (
      { organisation_uid, start_date, ...query }: OfferQuery,
      doctor_uids?: ReadonlyArray<string>
    ) {
      // As in a search, past calendars are not read
      const range = { from: Math.max(start_date, query.now), to: Math.max(start_date + 1, query.now) }
      const read = yield* calendars.read({ ...query, ...range, owner: { organisation_uid }, doctor_uids })
      const offered = read.doctors.flatMap((doctor) => {
        const offering = offeringOf(doctor, read.type, start_date, query.now)
        return offering === "not_offered" ? [] : [{ doctor_uid: doctor.doctor_uid, isFree: offering === "free" }]
      })
      return { read, offered }
    })

    /**
     * The availability predicate for one start of one doctor: returns the type if it is free. Fails with `BookableTypeNotFound`,
     * `SlotNotOffered` (naming `field`) or `SlotTaken`.
     */
    const offer = Effect.fn("SlotEngine.offer")(function* (
      query: OfferQuery,
      doctor_uid: DoctorUid,
      field: StartField
    ) {
      const { read, offered } = yield* offerings(query, [doctor_uid])
      const [found] = offered
      if (found === undefined) return yield* new SlotNotOffered({ field })
      return found.isFree ? read.type : yield* new SlotTaken()
    })

    /** The doctors who are free at the start, by uid; `charge` as for `find`. Fails as `offer` if there is none, and as `charge` does. */
    const freeDoctors = Effect.fn("SlotEngine.freeDoctors")(function* (
      query: OfferQuery,
      field: StartField,
      charge: Charge = () => Effect.void
    ) {
      const key = `${query.organisation_uid} ${query.appointment_type_uid}`
      const known = sizes.get(key)
      if (known !== undefined) yield* charge(known.doctors * DOCTOR_READ)
      const { read, offered } = yield* offerings(query)
      if (known === undefined) yield* charge(read.doctors.length * DOCTOR_READ)
      rememberAs(key, read)
      if (offered.length === 0) return yield* new SlotNotOffered({ field })
      const free = offered.flatMap(({ doctor_uid, isFree }) => (isFree ? doctor_uid : []))
      return free.length === 0 ? yield* new SlotTaken() : free.toSorted()
    })
    return { find, firstStarts, search, offer, freeDoctors } as const
  }),
  dependencies: [CalendarsRepo.Default, DomainClock.Default]
}) {}
