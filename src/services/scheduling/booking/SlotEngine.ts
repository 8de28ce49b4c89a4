/** Finds free slots: one statement reads the calendars, pure functions compute the slots (Rules 3.5 and 3.8). */
import { Duration, Effect, Metric, Option } from "effect"
import { DoctorUid, type OrganisationUid, ResourceUid } from "../../../schemas/ids.ts"
import { invalid } from "../../../schemas/problems.ts"
import type { SlotSearch } from "../../../schemas/scheduling/Booking.ts"
import { BookableTypeNotFound, SlotNotOffered, SlotTaken, type StartField } from "../../../schemas/scheduling/errors.ts"
import { DAY, MINUTE } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../DomainClock.ts"
import { readFromReplica } from "../../database/staleReads.ts"
import { inChunks } from "../../eventLoop.ts"
import { slotSearchDuration } from "../../metrics.ts"
import { ANSWER_LIMITS } from "../../recordLimits.ts"
import { Service } from "../../Service.ts"
import type { StoredAppointment } from "../appointments/StoredAppointment.ts"
import type { DoctorCalendar, Unit } from "../slots/calendar.ts"
import { bufferOf, offeringOf } from "../slots/cut.ts"
import { encodedChunks, encodeSlots } from "../slots/encode.ts"
import { slotFinder } from "../slots/find.ts"
import { type Conditions, nextSeat, predicateOf } from "../slots/predicate.ts"
import { type Units, unitsOf } from "../slots/units.ts"
import { type BookedType, type CalendarQuery, CalendarsRepo } from "./Calendars.ts"

/** Longest range of a search and of a booking session, seconds. */
export const LONGEST_RANGE = 31 * DAY

/** An answer of more slots is streamed, in chunks of so many, of which memory holds two or three. Rule 3.8.6. */
const STREAMED_ABOVE = 5_000
const SLOTS_PER_CHUNK = 1_000

/** Free slots of an organisation or of one of its shops. */
export type FreeQuery = Pick<SlotSearch, "appointment_type_uid" | "doctor_uid" | "doctor_uids" | "limit"> & {
  readonly owner: CalendarQuery["owner"]
  readonly from: number
  readonly to: number
}

/** One start, as requested by a hold or a booking. */
export type OfferQuery = Omit<CalendarQuery, "owner" | "from" | "to" | "doctor_uids"> &
  Conditions & {
    readonly organisation_uid: string
    readonly start_date: number
  }

/** What an appointment takes that can be booked. */
export interface Offered {
  readonly type: BookedType
  readonly resource_uids: ReadonlyArray<ResourceUid>
  readonly further_doctor_uids: ReadonlyArray<DoctorUid>
  readonly end_date: number
  /** Of the window. */
  readonly buffer_minutes: number
  /** Of a type with several seats. */
  readonly seat: number | null
}

const unitUids = ({ resource_uids, further_doctor_uids }: Units) => ({
  resource_uids: resource_uids.map((uid) => ResourceUid.make(uid, true)),
  further_doctor_uids: further_doctor_uids.map((uid) => DoctorUid.make(uid, true))
})

/** A unit that is always free. */
const always = { hours: null, starts: [], ends: [] }

export class SlotEngine extends Service<SlotEngine>()("scheduling/SlotEngine", {
  effect: Effect.gen(function* () {
    const calendars = yield* CalendarsRepo
    const clock = yield* DomainClock

    /**
     * Free slots, by start and then doctor; an empty range has none. Without a limit at most 250,001, in no order of doctors if there are
     * more. Fails with `BookableTypeNotFound`.
     */
    const find = Effect.fn("SlotEngine.find")(function* (search: FreeQuery) {
      const { owner, from, to, appointment_type_uid, doctor_uid, limit } = search
      const doctor_uids = doctor_uid === undefined ? search.doctor_uids : [doctor_uid]
      const now = yield* clock.now
      // Times before now are never offered, so past calendars are not read
      const ahead = { from: Math.max(from, now), to: Math.max(to, now) }
      const { doctors, type, surroundings } = yield* readFromReplica(
        calendars.read({ owner, appointment_type_uid, doctor_uids, ...ahead, now })
      )
      const { admits } = predicateOf(type, surroundings, ahead)
      const finder = slotFinder(doctors, type, { from, to, now }, limit ?? ANSWER_LIMITS.slots + 1, admits)
      let slots = 0
      yield* inChunks(doctors.length, (at) => {
        if (limit === undefined && slots > ANSWER_LIMITS.slots) return
        slots += finder.cut(at)
      })
      return finder.found()
    })

    /**
     * The response body of a search, JSON in UTF-8. A large one is streamed in chunks. Fails with `BookableTypeNotFound`, and with
     * `Invalid` for a range that is empty, over 31 days or has over 250,000 slots.
     */
    const search = Effect.fn("SlotEngine.search")(
      function* (request: SlotSearch) {
        const { from, to, timezone } = request
        if (to <= from) return yield* invalid("to", "must be after from")
        if (to - from > LONGEST_RANGE) return yield* invalid("to", "must be at most 31 days after from")
        const { shop_uid, ...wanted } = request
        const found = yield* find({ ...wanted, owner: { shop_uid } })
        const slots = found.starts.length
        if (slots > ANSWER_LIMITS.slots)
          return yield* invalid(
            "to",
            `more than ${ANSWER_LIMITS.slots} slots: narrow the range or the doctors, or send a limit`
          )
        return slots > STREAMED_ABOVE
          ? { pieces: encodedChunks(found, timezone, SLOTS_PER_CHUNK), slots }
          : { bytes: encodeSlots(found, timezone) }
      },
      Metric.trackDurationWith(slotSearchDuration, Duration.toSeconds)
    )

    /** The calendars of the start, the predicate, and the doctors who offer it, each with whether it is free. */
    const offerings = Effect.fnUntraced(function* (
      { organisation_uid, start_date, moved, kept, avoids, over_limit, ...query }: OfferQuery,
      doctor_uids?: ReadonlyArray<string>
    ) {
      // As in a search, past calendars are not read
      const range = { from: Math.max(start_date, query.now), to: Math.max(start_date + 1, query.now) }
      const read = yield* calendars.read({ ...query, ...range, owner: { organisation_uid }, doctor_uids })
      const predicate = predicateOf(read.type, read.surroundings, range, { moved, kept, avoids, over_limit })
      const offered = read.doctors.flatMap((doctor) => {
        const offering = offeringOf(doctor, read.type, start_date, query.now, predicate.admits)
        return offering === "not_offered" ? [] : [{ doctor, isFree: offering === "free" }]
      })
      return { type: read.type, predicate, offered }
    })

    /** What the appointment takes; none if there are no units or seats for it. */
    const takes = (
      type: BookedType,
      { admits, unitsFor }: ReturnType<typeof predicateOf>,
      doctor: DoctorCalendar,
      start: number,
      end: number,
      now: number
    ): Option.Option<Offered> => {
      const { doctor_uid, groups } = doctor
      const group = groups?.get(start)
      const end_date = group?.end ?? end
      const units = unitsFor(doctor_uid, start, end_date, group)
      const seat = type.seats === 1 ? null : nextSeat(type, group?.taken)
      if (units === undefined || seat === undefined) return Option.none()
      return Option.some({
        type,
        end_date,
        buffer_minutes: bufferOf(doctor, type, start, now, admits),
        seat,
        ...unitUids(units)
      })
    }

    /**
     * The availability predicate for one start of one doctor: returns what an appointment takes if it is free. Fails with
     * `BookableTypeNotFound`, `SlotNotOffered` (naming `field`) or `SlotTaken`.
     */
    const offer = Effect.fn("SlotEngine.offer")(function* (
      query: OfferQuery,
      doctor_uid: DoctorUid,
      field: StartField
    ) {
      const { type, predicate, offered } = yield* offerings(query, [doctor_uid])
      const [found] = offered
      if (found === undefined) return yield* new SlotNotOffered({ field })
      if (!found.isFree) return yield* new SlotTaken()
      const end = query.start_date + type.duration_minutes * MINUTE
      return yield* takes(type, predicate, found.doctor, query.start_date, end, query.now).pipe(
        Effect.mapError(() => new SlotTaken())
      )
    })

    /**
     * What an appointment takes that is squeezed in: the doctor alone, whatever the hours, the grid and the notice. Fails with
     * `SlotNotOffered` for a doctor who does not offer the type, and for a time that has passed.
     */
    const squeezed = Effect.fn("SlotEngine.squeezed")(function* (
      { organisation_uid, start_date, now, appointment_type_uid }: OfferQuery,
      doctor_uid: DoctorUid,
      field: StartField
    ) {
      const query = { appointment_type_uid, now, from: start_date, to: start_date + 1 }
      const { type, doctors } = yield* calendars.read({
        ...query,
        owner: { organisation_uid },
        doctor_uids: [doctor_uid]
      })
      if (doctors.length === 0 || start_date < now) return yield* new SlotNotOffered({ field })
      const end_date = start_date + type.duration_minutes * MINUTE
      return {
        type,
        resource_uids: [],
        further_doctor_uids: [],
        end_date,
        buffer_minutes: 0,
        seat: null
      } satisfies Offered
    })

    /**
     * The units of an expired hold of which `taken_uids` are taken: those left, whatever their hours, and others of the requirements. Fails
     * with `SlotTaken`.
     */
    const regained = Effect.fn("SlotEngine.regained")(
      function* (
        held: Pick<StoredAppointment, "organisation_uid" | "doctor_uid" | "slot_group" | "start_date" | "end_date"> &
          Pick<StoredAppointment, "resource_uids" | "further_doctor_uids"> &
          Pick<CalendarQuery, "appointment_type_uid" | "now">,
        taken_uids: ReadonlyArray<string>
      ) {
        const { organisation_uid, doctor_uid, start_date: from, end_date: to, slot_group: except_group } = held
        const { appointment_type_uid, now, resource_uids, further_doctor_uids } = held
        const query = { appointment_type_uid, now, from, to, except_group, doctor_uids: [doctor_uid], inactive: true }
        const { type, surroundings } = yield* calendars.read({ ...query, owner: { organisation_uid } })
        const left = (kind: Unit["kind"], uids: ReadonlyArray<string>) =>
          uids.flatMap((uid): ReadonlyArray<Unit> => (taken_uids.includes(uid) ? [] : [{ ...always, kind, uid }]))
        const kept = [...left("resource", resource_uids), ...left("doctor", further_doctor_uids)]
        const others = surroundings.units.flatMap(({ gaps: _, ...unit }) =>
          kept.some(({ kind, uid }) => kind === unit.kind && uid === unit.uid) ? [] : [unit]
        )
        const { choose } = unitsOf(type, { ...surroundings, units: [...kept, ...others] }, { from, to })
        const found = choose(doctor_uid, from, to, held)
        return found === undefined ? yield* new SlotTaken() : unitUids(found)
      },
      Effect.catchTag("BookableTypeNotFound", () => new SlotTaken())
    )

    /**
     * The doctors who are free at the start: those with the fewest appointments on that day first, then in that week, then by uid. Fails as
     * `offer` if there is none, and with `Invalid` where patients choose the doctor.
     */
    const freeDoctors = Effect.fn("SlotEngine.freeDoctors")(function* (
      query: OfferQuery & { readonly organisation_uid: OrganisationUid },
      field: StartField
    ) {
      const { type, offered } = yield* offerings(query)
      if (type.doctor_choice === "patient")
        return yield* invalid("doctor_uid", "is required: patients choose the doctor of this type")
      if (offered.length === 0) return yield* new SlotNotOffered({ field })
      const free = offered.flatMap(({ doctor, isFree }) => (isFree ? doctor : []))
      if (free.length === 0) return yield* new SlotTaken()
      const { organisation_uid, start_date: from } = query
      const counting = { ...query, owner: { organisation_uid }, from, to: from + 1 }
      const loads = free.length === 1 ? [] : yield* calendars.loads(organisation_uid, counting, free, from)
      const loadOf = new Map(loads.map(({ doctor_uid, in_day, in_week }) => [doctor_uid, [in_day, in_week] as const]))
      return free
        .map(({ doctor_uid }) => {
          const [in_day, in_week] = loadOf.get(doctor_uid) ?? [0, 0]
          return { doctor_uid, in_day, in_week }
        })
        .toSorted((a, b) => a.in_day - b.in_day || a.in_week - b.in_week || (a.doctor_uid < b.doctor_uid ? -1 : 1))
        .map(({ doctor_uid }) => doctor_uid)
    })

    /**
     * What an appointment outside of search takes, whatever the doctor's hours: the units that its type requires, and a seat. None if there
     * are none free. Fails with `BookableTypeNotFound`, also for a doctor who does not offer the type.
     */
    const unitsAt = Effect.fn("SlotEngine.unitsAt")(function* (
      { organisation_uid, start_date, ...query }: Omit<OfferQuery, keyof Conditions>,
      doctor_uid: DoctorUid,
      end_date: number
    ) {
      const range = { from: start_date, to: end_date }
      const read = yield* calendars.read({ ...query, ...range, owner: { organisation_uid }, doctor_uids: [doctor_uid] })
      const [doctor] = read.doctors
      if (doctor === undefined) return yield* new BookableTypeNotFound()
      return takes(read.type, predicateOf(read.type, read.surroundings, range), doctor, start_date, end_date, query.now)
    })
    return {
      find,
      search,
      offer,
      squeezed,
      regained,
      unitsAt,
      freeDoctors
    } as const
  }),
  dependencies: [CalendarsRepo.Default]
}) {}
