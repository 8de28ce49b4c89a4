/**
 * The page behind a code: offers what the code's kind permits (`codePowers`). A code of a moved appointment leads to its replacement
 * (Rule 5.5.2), and to no other appointment.
 */
import { Effect, Schema } from "effect"
import { AppointmentChanged } from "../../../schemas/hosted/errors.ts"
import { AppointmentUid, type OrganisationUid } from "../../../schemas/ids.ts"
import { type CodePowerName, permits } from "../../../schemas/scheduling/ActionLink.ts"
import { ActionNotPossible } from "../../../schemas/scheduling/errors.ts"
import { joinWindowState } from "../../../schemas/scheduling/joinWindow.ts"
import { HOUR } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../DomainClock.ts"
import { Database } from "../../database/Database.ts"
import { rowsOf } from "../../database/rows.ts"
import { Sql } from "../../database/Sql.ts"
import { MeetingSender } from "../../meetings/MeetingBus.ts"
import { BookingRepo } from "../booking/BookingRepo.ts"
import { BookingSessions } from "../booking/BookingSessions.ts"
import { Meetings } from "../joining/Meetings.ts"
import { nameInRoom } from "../joining/rooms.ts"
import { ActionLinks, asNotPossible, callerOf, type Link } from "./ActionLinks.ts"
import { Appointments } from "./Appointments.ts"
import { MOVES_FOLLOWED } from "./LinkIssuer.ts"
import type { StoredAppointment } from "./StoredAppointment.ts"

/** How long before the start a patient can announce to be late. Seconds. */
const LATE_FROM = 3 * HOUR

/** Whether "I am late" is offered: from three hours before the start until the end. */
const canAnnounceLate = ({ status, start_date, end_date }: StoredAppointment, now: number) =>
  status === "confirmed" && start_date - LATE_FROM <= now && now < end_date

/** The appointment that a page showed. An action on another one, or at another time, was never asked for. */
export interface Shown {
  readonly uid: string
  readonly start_date: number
}

export type Standing = Effect.Effect.Success<ReturnType<AppointmentPages["standing"]>>

const fateOf = ({ status }: StoredAppointment) =>
  status === "confirmed" ? null : status === "cancelled" ? ("cancelled" as const) : ("over" as const)

export class AppointmentPages extends Effect.Service<AppointmentPages>()("scheduling/AppointmentPages", {
  effect: Effect.gen(function* () {
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const links = yield* ActionLinks
    const repo = yield* BookingRepo
    const appointments = yield* Appointments
    const meetings = yield* Meetings
    const sessions = yield* BookingSessions
    const sender = yield* MeetingSender
    const sql = yield* Sql
    const uids = rowsOf(Schema.Struct({ uid: AppointmentUid }))

    /**
     * The end of the chain of replacements that starts at this appointment, at most 100 long; the appointment itself if it was not
     * replaced.
     */
    const newestOf = (owner: OrganisationUid, uid: AppointmentUid) =>
      uids.one(sql`WITH RECURSIVE chain AS (
          SELECT ${uid}::text AS uid, 0 AS place
          UNION ALL SELECT a.uid, chain.place + 1 FROM appointments a JOIN chain ON a.previous_meeting_uid = chain.uid
            WHERE a.organisation_uid = ${owner} AND chain.place < ${MOVES_FOLLOWED}::integer)
        SELECT uid FROM chain ORDER BY place DESC LIMIT 1`)

    /** The link, redirected to the newest appointment of its chain, and whether that differs from the original. */
    const current = Effect.fnUntraced(function* (code: string, power: CodePowerName) {
      const made = yield* links.resolve(code, power)
      const { uid } = yield* newestOf(made.organisation_uid, made.appointment_uid)
      const link: Link = { ...made, appointment_uid: uid }
      return { link, moved: uid !== made.appointment_uid }
    })

    /** The page's data, for a code that permits `power`. Read-only. Fails with `ActionLinkNotFound`. */
    const standing = Effect.fn("AppointmentPages.standing")(function* (code: string, power: CodePowerName = "read") {
      const { link, moved } = yield* current(code, power)
      const now = yield* clock.now
      const appointment = yield* appointments.find(callerOf(link), link.appointment_uid)
      const context = yield* links.contextOf({ link, appointment })
      const over = fateOf(appointment) ?? (joinWindowState(appointment, now) === "too_late" ? "over" : null)
      return {
        link,
        moved,
        appointment,
        context,
        /** final outcome; null while the appointment is live */
        fate: over,
        late_offered: permits(link.kind, "late") && canAnnounceLate(appointment, now),
        /** another appointment of the type can be booked */
        again:
          permits(link.kind, "again") &&
          over !== null &&
          appointment.type_bookable &&
          appointment.appointment_type_uid !== null
      }
    })

    /** The code's newest appointment, if it is the one that the page showed. Fails with `AppointmentChanged`. */
    const seen = Effect.fnUntraced(function* (code: string, power: CodePowerName, shown: Shown) {
      const { link } = yield* current(code, power)
      const appointment = yield* appointments.find(callerOf(link), link.appointment_uid)
      const { uid, start_date } = appointment
      if (uid !== shown.uid || start_date !== shown.start_date) return yield* new AppointmentChanged()
      return { link, appointment }
    })

    /** The appointments of its series, by start, without those that others have replaced. */
    const series = Effect.fn("AppointmentPages.series")(function* ({
      organisation_uid,
      series_uid
    }: StoredAppointment) {
      if (series_uid === null) return []
      const all = yield* repo.ofSeries(organisation_uid, series_uid, yield* clock.now)
      const replaced = new Set(all.map(({ previous_meeting_uid }) => previous_meeting_uid))
      return all
        .filter(({ uid, status }) => !replaced.has(uid) && status !== "held" && status !== "expired")
        .map(({ uid, start_date, status }) => ({ uid, start_date, cancelled: status === "cancelled" }))
    })

    /** Stores the language chosen on the page; messages about the appointment use it. */
    const choose = Effect.fnUntraced(function* (
      { organisation_uid, booking_session_uid: uid }: StoredAppointment,
      language: string | undefined
    ) {
      if (language !== undefined && uid !== null)
        yield* sessions.choose({ organisation_uid, uid }, { language, timezone: null })
    })

    /** A join token, any number of times while the window is open. Fails as `Meetings.join`. */
    const join = Effect.fn("AppointmentPages.join")(function* (code: string, shown?: Shown) {
      const { link } = yield* shown === undefined ? current(code, "join") : seen(code, "join", shown)
      return yield* meetings.join(callerOf(link), link.appointment_uid)
    })

    /** As `ActionLinks.cancel`, for the appointment shown. */
    const cancel = Effect.fn("AppointmentPages.cancel")(
      function* (code: string, shown: Shown, reason: string | null) {
        const { link } = yield* seen(code, "cancel", shown)
        return yield* appointments.cancel(callerOf(link), link.appointment_uid, reason)
      },
      Effect.catchTag("CancellationTooLate", asNotPossible)
    )

    /** As `ActionLinks.rebookSession`, for the appointment shown. */
    const rebook = Effect.fn("AppointmentPages.rebook")(
      function* (code: string, shown: Shown) {
        const { link } = yield* seen(code, "rebook", shown)
        return yield* links.openSession(link)
      },
      Effect.catchTag("RebookingBlocked", asNotPossible)
    )

    /** Announces to the practice that the patient will be so many minutes late; the doctor's list shows it at once. */
    const late = Effect.fn("AppointmentPages.late")(function* (code: string, shown: Shown, minutes: number) {
      const { link, appointment } = yield* seen(code, "late", shown)
      if (!canAnnounceLate(appointment, yield* clock.now))
        return yield* new ActionNotPossible({ reason: "The appointment is not near" })
      yield* repo.announceLate(link.organisation_uid, link.appointment_uid, minutes)
      const { room_name: room, patient_uid: from } = appointment
      yield* sender.publish({ kind: "late", room, from, name: nameInRoom(appointment), minutes })
    }, transaction)

    return { standing, seen, series, choose, join, cancel, rebook, late } as const
  }),
  dependencies: [
    ActionLinks.Default,
    BookingRepo.Default,
    BookingSessions.Default,
    Appointments.Default,
    Meetings.Default,
    MeetingSender.Default
  ]
}) {}
