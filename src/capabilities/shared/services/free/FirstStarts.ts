/** The first free starts, for work that is not a search. */
import { Effect } from "effect"
import type { DoctorUid, OrganisationUid } from "../../../../schemas/ids.ts"
import { DAY, MINUTE } from "../../../../schemas/seconds.ts"
import { DomainClock } from "../../../../services/DomainClock.ts"
import { inChunks } from "../../../../services/eventLoop.ts"
import { Service } from "../../../../services/Service.ts"
import type { StoredAppointment } from "../../../../services/scheduling/appointments/StoredAppointment.ts"
import {
  type BookedType,
  type CalendarQuery,
  type Calendars,
  CalendarsRepo
} from "../../../../services/scheduling/booking/Calendars.ts"
import { LONGEST_RANGE } from "../../../../services/scheduling/booking/SlotEngine.ts"
import { bufferOf, cutDoctor } from "../../../../services/scheduling/slots/cut.ts"
import { predicateOf } from "../../../../services/scheduling/slots/predicate.ts"
import type { Units } from "../../../../services/scheduling/slots/units.ts"
import { type CalendarCache, withUnitsFree } from "./CalendarCache.ts"

/** A start that an appointment of the type can take, with its units. */
export interface FreeStart extends Units {
  readonly doctor_uid: DoctorUid
  readonly type: BookedType
  readonly start_date: number
  readonly end_date: number
  /** Of the window, read when it is booked. */
  readonly buffer_minutes: number
}

export class FirstStarts extends Service<FirstStarts>()("scheduling/FirstStarts", {
  effect: Effect.gen(function* () {
    const clock = yield* DomainClock
    const calendars = yield* CalendarsRepo

    /**
     * The first free starts of an organisation that `accepts`, by start. Searches the first day (UTC), then
     * ever longer ranges, so that it does not read a whole year for a few starts. `cache` has the calendars that the caller has read
     * already, `as` what is asked instead of them. Fails with `BookableTypeNotFound`.
     */
    const firstStarts = Effect.fn("FirstStarts.firstStarts")(function* (
      organisation_uid: OrganisationUid,
      { from, to, ...query }: Pick<CalendarQuery, "appointment_type_uid" | "doctor_uids" | "from" | "to">,
      most: number,
      accepts: (one: Pick<FreeStart, "doctor_uid" | "start_date">) => boolean,
      cache: CalendarCache,
      moved?: StoredAppointment,
      as: (calendars: Calendars) => Calendars = (calendars) => calendars
    ) {
      const now = yield* clock.now
      let found: ReadonlyArray<FreeStart> = []
      // Only starts before the last one found can be among the first
      const before = (end: number) => (found.length < most ? end : (found.at(-1)?.start_date ?? end))
      // Ranges begin at midnight, so that appointments of one day share what was read for the first of them
      let begin = Math.floor(from / DAY) * DAY
      for (let span = DAY; begin < to && found.length < most; span = Math.min(2 * span, LONGEST_RANGE)) {
        const range = { from: begin, to: Math.min(to, begin + span) }
        const reading = calendars.read({ ...query, ...range, owner: { organisation_uid }, now })
        const read = yield* cache.read(JSON.stringify([query, range]), reading)
        const { doctors, type, surroundings } = as(moved === undefined ? read : withUnitsFree(read, moved))
        const { admits, unitsFor } = predicateOf(type, surroundings, range, { moved, kept: moved })
        yield* inChunks(doctors.length, (at) => {
          const doctor = doctors[at] as Calendars["doctors"][number] // within the array
          const { doctor_uid } = doctor
          const within = { from: Math.max(from, begin), to: before(range.to), now }
          const starts = cutDoctor(doctor, type, within, admits)
          const own: Array<FreeStart> = []
          for (const start_date of starts) {
            if (own.length === most) break
            const group = doctor.groups?.get(start_date)
            const end_date = group?.end ?? start_date + type.duration_minutes * MINUTE
            const isAccepted = accepts({ doctor_uid, start_date })
            const units = isAccepted ? unitsFor(doctor_uid, start_date, end_date, group) : undefined
            if (units === undefined) continue
            own.push({
              ...units,
              doctor_uid,
              type,
              start_date,
              end_date,
              get buffer_minutes() {
                return bufferOf(doctor, type, start_date, now, admits)
              }
            })
          }
          found = [...found, ...own].sort((a, b) => a.start_date - b.start_date).slice(0, most)
        })
        begin = range.to
      }
      return found
    })

    /** As `firstStarts`, all of them; none of a type that cannot be booked. */
    const allStarts = (
      owner: OrganisationUid,
      query: Parameters<typeof firstStarts>[1],
      cache: CalendarCache,
      as?: (calendars: Calendars) => Calendars
    ) =>
      Effect.catchTag(
        firstStarts(owner, query, Number.POSITIVE_INFINITY, () => true, cache, undefined, as),
        "BookableTypeNotFound",
        () => Effect.succeed([])
      )

    return { firstStarts, allStarts } as const
  }),
  dependencies: [CalendarsRepo.Default]
}) {}
