/**
 * The page behind a code: offers what the code's kind permits (`codePowers`). A code of a moved appointment leads to its replacement
 * (Rule 5.5.2), and to no other appointment.
 */

import { Effect } from "effect"
import { AppointmentChanged } from "../../../schemas/hosted/errors.ts"
import { type CodePowerName, permits } from "../../../schemas/scheduling/ActionLink.ts"
import { ActionNotPossible } from "../../../schemas/scheduling/errors.ts"
import { joinWindowState } from "../../../schemas/scheduling/joinWindow.ts"
import { HOUR } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Database } from "../../../services/database/Database.ts"
import { Extensions } from "../../../services/Extensions.ts"
import { Service } from "../../../services/Service.ts"
import { ActionLinks, asNotPossible, callerOf } from "../../../services/scheduling/appointments/ActionLinks.ts"
import { Appointments } from "../../../services/scheduling/appointments/Appointments.ts"
import type { StoredAppointment } from "../../../services/scheduling/appointments/StoredAppointment.ts"
import { BookingRepo } from "../../../services/scheduling/booking/BookingRepo.ts"
import { BookingSessions } from "../../../services/scheduling/booking/BookingSessions.ts"
import { nameInRoom } from "../../../services/scheduling/joining/rooms.ts"
import type { Language } from "../../../texts/language.ts"
import { announceLate } from "./addedExtension.ts"

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

export class AppointmentPages extends Service<AppointmentPages>()("scheduling/AppointmentPages", {
  effect: Effect.gen(function* () {
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const links = yield* ActionLinks
    const repo = yield* BookingRepo
    const extensions = yield* Extensions
    const appointments = yield* Appointments
    const sessions = yield* BookingSessions

    /** The page's data, for a code that permits `power`. Read-only. Fails with `ActionLinkNotFound`. */
    const standing = Effect.fn("AppointmentPages.standing")(function* (code: string, power: CodePowerName = "read") {
      const link = yield* links.resolve(code, power)
      const now = yield* clock.now
      const appointment = yield* appointments.find(callerOf(link), link.appointment_uid)
      const context = yield* links.contextOf({ link, appointment })
      const over = fateOf(appointment) ?? (joinWindowState(appointment, now) === "too_late" ? "over" : null)
      return {
        link,
        moved: link.is_followed,
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
      const link = yield* links.resolve(code, power)
      const appointment = yield* appointments.find(callerOf(link), link.appointment_uid)
      const { uid, start_date } = appointment
      if (uid !== shown.uid || start_date !== shown.start_date) return yield* new AppointmentChanged()
      return { link, appointment }
    })

    /** Dates that belong to it, for its page. */
    const dates = (appointment: StoredAppointment, language: Language) =>
      Effect.flatMap(extensions.having("datesOf"), (some) =>
        Effect.map(
          Effect.forEach(some, ({ datesOf }) => datesOf?.(appointment, language) ?? Effect.succeed([])),
          (found) => found.flat()
        )
      )

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
      if (shown !== undefined) yield* seen(code, "join", shown)
      return yield* links.join(code)
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
      const { room_name, patient_uid: uid } = appointment
      yield* announceLate(extensions, { room_name, by: "patient", uid, name: nameInRoom(appointment), minutes })
    }, transaction)

    return { standing, seen, dates, choose, join, cancel, rebook, late } as const
  }),
  dependencies: [ActionLinks.Default, BookingRepo.Default, BookingSessions.Default, Appointments.Default]
}) {}
