/** The booking page's data: the progress of a session and its free times. */
import { Effect, Option, Schema } from "effect"
import { UnixSeconds } from "../../../schemas/fields.ts"
import type { AppointmentUid, DoctorUid } from "../../../schemas/ids.ts"
import type { LinkAction } from "../../../schemas/scheduling/ActionLink.ts"
import { AppointmentNotFound } from "../../../schemas/scheduling/errors.ts"
import { Holiday } from "../../../schemas/scheduling/Holiday.ts"
import { DomainClock } from "../../DomainClock.ts"
import { rowsOf } from "../../database/rows.ts"
import { Sql } from "../../database/Sql.ts"
import { ANSWER_LIMITS } from "../../recordLimits.ts"
import { Service } from "../../Service.ts"
import { LinkIssuer } from "../appointments/LinkIssuer.ts"
import type { StoredAppointment } from "../appointments/StoredAppointment.ts"
import { holidayName } from "../calendar/closedDays.ts"
import { weekdayOf } from "../slots/windows.ts"
import { BookingRepo } from "./BookingRepo.ts"
import { type BookingSession, BookingSessions, powersOf, type SessionChoices } from "./BookingSessions.ts"
import { LONGEST_RANGE, SlotEngine } from "./SlotEngine.ts"

/** A free time as listed on a page. */
export interface OfferedTime {
  readonly doctor_uid: string
  readonly doctor_name: string
  readonly start_date: number
  readonly end_date: number
  /** Of a group. */
  readonly seats_left?: number
}

/** A session and its current state. */
export interface BookingProgress {
  readonly session: BookingSession
  readonly now: number
  /** The session has expired and has no appointment to show. */
  readonly expired: boolean
  /** The session's confirmed appointment, else its newest hold, expired or not; null before the first. */
  readonly latest: StoredAppointment | null
  /** In a rebooking, the appointment to be replaced. */
  readonly original: StoredAppointment | null
}

const MailAddress = Schema.Struct({ email: Schema.NullOr(Schema.String) })

export class BookingPages extends Service<BookingPages>()("scheduling/BookingPages", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const sessions = yield* BookingSessions
    const appointments = yield* BookingRepo
    const engine = yield* SlotEngine
    const links = yield* LinkIssuer
    const addresses = rowsOf(MailAddress)
    const closings = rowsOf(
      Schema.Struct({
        holiday_region: Schema.NullOr(Schema.String),
        extra_holidays: Schema.Array(Holiday),
        weekdays: Schema.Array(Schema.Number)
      })
    )

    /**
     * The progress of the session with this launch code; a confirmed appointment is shown until its end, even after the session has
     * expired. Fails with `BookingSessionNotFound`.
     */
    const progress = Effect.fn("BookingPages.progress")(function* (code: string) {
      const session = yield* sessions.findStored(code)
      const now = yield* clock.now
      const { organisation_uid, uid, replaces_appointment_uid } = session
      const latest = Option.getOrNull(yield* appointments.latestOfSession(organisation_uid, uid, now))
      const original =
        replaces_appointment_uid === null
          ? null
          : yield* appointments.find(organisation_uid, replaces_appointment_uid, now)
      const isConfirmed = latest?.status === "confirmed" && latest.end_date > now
      const found: BookingProgress = {
        session,
        now,
        expired: session.expires_at <= now && !isConfirmed,
        latest,
        original
      }
      return found
    })

    /** Free times of the session's range; none if the range is in the past. Fails with `BookableTypeNotFound`. */
    const offers = Effect.fn("BookingPages.offers")(function* ({ session, original, now }: BookingProgress) {
      const { shop_uid, appointment_type_uid, start_from, start_to, mode } = session
      const from = UnixSeconds.make(Math.max(start_from, now))
      // a move may lead far ahead of now
      const to = mode === "rebooking" ? start_to : UnixSeconds.make(Math.min(start_to, from + LONGEST_RANGE))
      const onlyDoctor: { doctor_uid?: DoctorUid } =
        original?.rebooking_mode === "same_doctor_only" ? { doctor_uid: original.doctor_uid } : {}
      return yield* timesIn({ shop_uid, appointment_type_uid, from, to, ...onlyDoctor })
    })

    /** The free times of a shop's type within the next 31 days, before there is a session. Fails with `BookableTypeNotFound`. */
    const openTimes = Effect.fn("BookingPages.openTimes")(function* (
      of: Pick<BookingSession, "shop_uid" | "appointment_type_uid">
    ) {
      const from = yield* clock.now
      return yield* timesIn({ ...of, from, to: UnixSeconds.make(from + LONGEST_RANGE) })
    })

    const timesIn = Effect.fnUntraced(function* ({
      shop_uid,
      ...range
    }: Pick<BookingSession, "shop_uid" | "appointment_type_uid"> & {
      readonly from: UnixSeconds
      readonly to: UnixSeconds
      readonly doctor_uid?: DoctorUid
    }) {
      const slots = yield* engine.find({ owner: { shop_uid }, limit: ANSWER_LIMITS.offeredTimes, ...range })
      return Array.from(slots.starts).flatMap((start_date, index): ReadonlyArray<OfferedTime> => {
        const doctor = slots.doctors[slots.doctorAt[index] ?? 0]
        if (doctor === undefined) return []
        const { doctor_uid, doctor_name } = doctor
        const seats_left = slots.seatsLeft?.[index]
        const end_date = start_date + slots.duration_minutes * 60
        return [{ doctor_uid, doctor_name, start_date, end_date, ...(seats_left !== undefined && { seats_left }) }]
      })
    })

    /**
     * The holidays on which the organisation would otherwise have hours but offers none of the type, by local day from `first` to `last`
     * (days since 1970-01-01).
     */
    const holidays = Effect.fn("BookingPages.holidays")(function* (
      session: Pick<BookingSession, "organisation_uid" | "appointment_type_uid">,
      first: number,
      last: number
    ) {
      const [closing] = yield* closings.all(sql`SELECT o.holiday_region, o.extra_holidays,
          ARRAY(SELECT DISTINCT r.weekday FROM availability_rules r WHERE r.organisation_uid = ${session.organisation_uid}
            AND r.doctor_uid IS NOT NULL AND r.active AND r.deleted_at IS NULL) AS weekdays
        FROM organisations o JOIN appointment_types t ON t.organisation_uid = ${session.organisation_uid}
          AND t.uid = ${session.appointment_type_uid} AND t.closed_on_holidays
        WHERE o.organisation_uid = ${session.organisation_uid}
          AND (o.holiday_region IS NOT NULL OR o.extra_holidays <> '[]')`)
      if (closing === undefined) return []
      const nameOf = holidayName(closing, { holiday_region: null, extra_holidays: [] })
      return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at).flatMap((day) => {
        const name = closing.weekdays.includes(weekdayOf(day)) ? nameOf(day) : undefined
        return name === undefined ? [] : [{ day, name }]
      })
    })

    /** The same patient's confirmed appointments at the time of the session's hold, except the one to be replaced. */
    const overlapping = ({ session, latest, now }: BookingProgress) =>
      latest === null || !powersOf(session).others ? Effect.succeed([]) : appointments.overlapping(latest, now)

    /** The address to which the organisation mails the confirmation of this session; none if it sends no such mail. */
    const mailAddress = ({ session }: BookingProgress) =>
      Effect.map(
        addresses.first(sql`SELECT p.profile->>'email' AS email FROM patients p
          JOIN organisations o ON o.organisation_uid = p.organisation_uid
          WHERE p.organisation_uid = ${session.organisation_uid} AND p.uid = ${session.patient_uid}
            AND ${session.mode === "booking" ? "confirmation" : "rebooking"} = ANY(o.messages)`),
        Option.flatMapNullable(({ email }) => email)
      )

    /**
     * A link to move or cancel one of the appointments on the session's page: the confirmed one, or one that overlaps its hold. It
     * expires with the page. Fails with `AppointmentNotFound` for any other.
     */
    const manage = Effect.fn("BookingPages.manage")(function* (
      found: BookingProgress,
      uid: AppointmentUid,
      action: LinkAction
    ) {
      const { latest, session } = found
      const isOwn = latest?.status === "confirmed"
      const offered = isOwn ? (powersOf(session).own ? [latest] : []) : yield* overlapping(found)
      const appointment = offered.find((one) => one.uid === uid)
      if (appointment === undefined) return yield* new AppointmentNotFound()
      return yield* links.issueOnPage(appointment, action, isOwn ? latest.end_date : session.expires_at)
    })

    /** Stores the language and zone chosen on the page; messages about the appointment use them. */
    const choose = ({ session }: BookingProgress, choices: SessionChoices) =>
      choices.language === null && choices.timezone === null ? Effect.void : sessions.choose(session, choices)

    /** Keeps a typed text with the session's newest hold, for the next time that is chosen. Nothing once it is confirmed. */
    const keepReason = ({ session, latest }: BookingProgress, reason: string | null) =>
      latest === null || latest.status === "confirmed"
        ? Effect.void
        : appointments.keepReason(session.organisation_uid, latest.uid, reason)

    return { progress, keepReason, offers, openTimes, holidays, overlapping, mailAddress, manage, choose } as const
  }),
  dependencies: [BookingSessions.Default, BookingRepo.Default, SlotEngine.Default, LinkIssuer.Default]
}) {}
