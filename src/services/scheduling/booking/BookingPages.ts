/** What the hosted booking page shows: how far a session has come, and which times it may still choose from. */
import { Effect, Option } from "effect"
import { UnixSeconds } from "../../../schemas/fields.ts"
import type { DoctorUid } from "../../../schemas/ids.ts"
import { DomainClock } from "../../DomainClock.ts"
import { AppointmentsRepo, type StoredAppointment } from "../appointments/AppointmentsRepo.ts"
import { type BookingSession, BookingSessions } from "./BookingSessions.ts"
import { LONGEST_RANGE, SlotEngine } from "./SlotEngine.ts"

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
  /** The session's confirmed appointment, else its newest hold, expired or not; null before the first. */
  readonly latest: StoredAppointment | null
  /** In a rebooking, the appointment that is to be replaced. */
  readonly original: StoredAppointment | null
}

export class BookingPages extends Effect.Service<BookingPages>()("scheduling/BookingPages", {
  effect: Effect.gen(function* () {
    const clock = yield* DomainClock
    const sessions = yield* BookingSessions
    const appointments = yield* AppointmentsRepo
    const engine = yield* SlotEngine

    /** The session of a launch code and how far it has come. Fails with `BookingSessionNotFound`. */
    const progress = Effect.fn("BookingPages.progress")(function* (code: string) {
      const session = yield* sessions.byLaunchCode(code)
      const now = yield* clock.now
      const { organisation_uid, uid, replaces_appointment_uid } = session
      const latest = Option.getOrNull(yield* appointments.latestOfSession(organisation_uid, uid, now))
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
        const { shop_uid, appointment_type_uid, start_from, start_to } = session
        const from = UnixSeconds.make(Math.max(start_from, now))
        const to = UnixSeconds.make(Math.min(start_to, from + LONGEST_RANGE))
        const onlyDoctor: { doctor_uid?: DoctorUid } =
          original?.rebooking_mode === "same_doctor_only" ? { doctor_uid: original.doctor_uid } : {}
        const slots = yield* engine.find({ shop_uid, appointment_type_uid, from, to, ...onlyDoctor })
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
      Effect.catchTag("BookableTypeNotFound", () => Effect.succeed<ReadonlyArray<OfferedTime>>([]))
    )

    return { progress, offers } as const
  }),
  dependencies: [DomainClock.Default, BookingSessions.Default, AppointmentsRepo.Default, SlotEngine.Default]
}) {}
