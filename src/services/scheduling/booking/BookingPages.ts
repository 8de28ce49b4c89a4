/** What the hosted booking page shows: how far a session has come, and which times it may still choose from. */
import { Effect } from "effect"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { DomainClock } from "../../DomainClock.ts"
import { AppointmentsRepo, type StoredAppointment } from "../appointments/AppointmentsRepo.ts"
import { type BookingSession, BookingSessions } from "./BookingSessions.ts"
import { SlotEngine } from "./SlotEngine.ts"

const LONGEST_SEARCH_SECONDS = 31 * 86_400

/** A free time as a page lists it. */
export interface OfferedTime {
  readonly doctor_uid: string
  readonly doctor_name: string
  readonly start_date: number
  readonly end_date: number
}

/** A session with what has come of it so far. */
export interface BookingProgress {
  readonly session: BookingSession
  readonly now: number
  /** the session's confirmed appointment, else its newest hold, lapsed or not; null before the first */
  readonly latest: StoredAppointment | null
  /** in a rebooking, the appointment that is to be replaced */
  readonly original: StoredAppointment | null
}

export class BookingPages extends Effect.Service<BookingPages>()("scheduling/BookingPages", {
  effect: Effect.gen(function* () {
    const clock = yield* DomainClock
    const sessions = yield* BookingSessions
    const appointments = yield* AppointmentsRepo
    const engine = yield* SlotEngine

    /** The session of a launch code and how far it has come; 404 when it is unknown or expired. */
    const progress = Effect.fn("BookingPages.progress")(function* (code: string) {
      const session = yield* sessions.byLaunchCode(code)
      const now = yield* clock.now
      const { organisation_uid, uid, replaces_appointment_uid } = session
      const latest = yield* appointments.latestOfSession(organisation_uid, uid, now)
      const original =
        replaces_appointment_uid === null
          ? null
          : yield* appointments.find(organisation_uid, replaces_appointment_uid, now)
      const found: BookingProgress = { session, now, latest, original }
      return found
    })

    /** Free times of the session's range. A range that has passed, or a type no longer bookable, has none. */
    const offers = Effect.fn("BookingPages.offers")(
      function* ({ session, original, now }: BookingProgress) {
        const from = UnixSeconds.make(Math.max(session.start_from, now))
        const slots = yield* engine.find({
          shop_uid: session.shop_uid,
          appointment_type_uid: session.appointment_type_uid,
          from,
          to: UnixSeconds.make(Math.min(session.start_to, from + LONGEST_SEARCH_SECONDS)),
          ...(original?.rebooking_mode === "same_doctor_only" && { doctor_uid: original.doctor_uid })
        })
        return Array.from(slots.starts, (start_date, index): OfferedTime => {
          const doctor = slots.doctors[slots.doctorAt[index] ?? 0]
          return {
            doctor_uid: doctor?.doctor_uid ?? "",
            doctor_name: doctor?.doctor_name ?? "",
            start_date,
            end_date: start_date + slots.duration_minutes * 60
          }
        })
      },
      Effect.catchTags({ Invalid: () => Effect.succeed([]), NotFound: () => Effect.succeed([]) })
    )

    return { progress, offers } as const
  }),
  dependencies: [DomainClock.Default, BookingSessions.Default, AppointmentsRepo.Default, SlotEngine.Default]
}) {}
