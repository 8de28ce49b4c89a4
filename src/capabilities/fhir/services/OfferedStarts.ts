/** Every start that doctors offer, free or taken. */
import { Effect } from "effect"
import { DomainClock } from "../../../services/DomainClock.ts"
import { readFromReplica } from "../../../services/database/staleReads.ts"
import { inChunks } from "../../../services/eventLoop.ts"
import { Service } from "../../../services/Service.ts"
import { type CalendarQuery, type Calendars, CalendarsRepo } from "../../../services/scheduling/booking/Calendars.ts"
import { visitOffered } from "../../../services/scheduling/slots/cut.ts"
import { predicateOf } from "../../../services/scheduling/slots/predicate.ts"

/** Starts that doctors offer: columns, one entry a start. */
export interface Starts {
  readonly doctors: Calendars["doctors"]
  readonly duration_minutes: number
  /** Index into `doctors`. */
  readonly doctorAt: ReadonlyArray<number>
  readonly starts: ReadonlyArray<number>
  /** 1: free, 0: taken. */
  readonly isFree: ReadonlyArray<number>
  /** Ends of groups' appointments, by index. */
  readonly ends: ReadonlyArray<readonly [at: number, end: number]>
}

export class OfferedStarts extends Service<OfferedStarts>()("fhir/OfferedStarts", {
  effect: Effect.gen(function* () {
    const clock = yield* DomainClock
    const calendars = yield* CalendarsRepo

    /**
     * Every start that an organisation's doctors offer in the range, free or taken, in no order; where windows overlap, several times.
     * Fails with `BookableTypeNotFound`.
     */
    const within = Effect.fn("OfferedStarts.within")(function* (query: Omit<CalendarQuery, "now">) {
      const now = yield* clock.now
      const range = { from: Math.max(query.from, now), to: Math.max(query.to, now) }
      const { doctors, type, surroundings } = yield* readFromReplica(calendars.read({ ...query, ...range, now }))
      const { admits } = predicateOf(type, surroundings, range)
      const [doctorAt, starts, isFree]: [Array<number>, Array<number>, Array<number>] = [[], [], []]
      const ends: Array<readonly [at: number, end: number]> = []
      yield* inChunks(doctors.length, (at) => {
        const doctor = doctors[at] as Calendars["doctors"][number] // within the array
        const visit = (start: number, free: boolean) => {
          const group = doctor.groups?.get(start)
          if (group !== undefined) ends.push([starts.length, group.end])
          doctorAt.push(at)
          starts.push(start)
          isFree.push(free ? 1 : 0)
        }
        visitOffered(doctor, type, { ...range, now }, visit, admits)
      })
      const { duration_minutes } = type
      return { doctors, duration_minutes, doctorAt, starts, isFree, ends } satisfies Starts
    })

    return { within } as const
  }),
  dependencies: [CalendarsRepo.Default]
}) {}
