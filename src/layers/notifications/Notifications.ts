/** Ports of the notifications domain, implemented with appointments. */
import { Effect, Layer, Option } from "effect"
import type { AppointmentUid, OrganisationUid } from "../../schemas/ids.ts"
import { DomainClock } from "../../services/DomainClock.ts"
import { Presentations } from "../../services/hosted/Presentations.ts"
import { AppointmentSource, type NotifiedAppointment } from "../../services/notifications/AppointmentSource.ts"
import { LinkIssuer, offeredActions } from "../../services/scheduling/appointments/LinkIssuer.ts"
import { publicAppointment, type StoredAppointment } from "../../services/scheduling/appointments/StoredAppointment.ts"
import { BookingRepo } from "../../services/scheduling/booking/BookingRepo.ts"
import { BookingSessions } from "../../services/scheduling/booking/BookingSessions.ts"
import type { CurrentTenant } from "../../services/tenancy/Tenancy.ts"

/** After a cancellation, the page that leads to another appointment, where the type can be booked. */
const actionsOf = (appointment: StoredAppointment) =>
  appointment.status !== "cancelled"
    ? offeredActions(appointment)
    : appointment.type_bookable && appointment.appointment_type_uid !== null
      ? (["join"] as const)
      : []

export const AppointmentSourceLive = Layer.effect(
  AppointmentSource,
  Effect.gen(function* () {
    const clock = yield* DomainClock
    const repo = yield* BookingRepo
    const links = yield* LinkIssuer
    const sessions = yield* BookingSessions
    const presentations = yield* Presentations

    const stored = (owner: OrganisationUid, uid: AppointmentUid) =>
      Effect.flatMap(clock.now, (now) => repo.find(owner, uid, now))

    /** The number of its predecessors in the chain of rebookings. */
    const movesOf = (appointment: StoredAppointment): Effect.Effect<number, never, CurrentTenant> =>
      appointment.previous_meeting_uid === null
        ? Effect.succeed(0)
        : stored(appointment.organisation_uid, appointment.previous_meeting_uid).pipe(
            Effect.flatMap(movesOf),
            Effect.map((moves) => moves + 1),
            Effect.orDie
          )

    /** Of the appointment's booking page, else of the one that was moved. */
    const choicesOf = Effect.fnUntraced(function* (appointment: StoredAppointment) {
      let one = Option.some(appointment)
      while (Option.isSome(one) && one.value.booking_session_uid === null) {
        const { organisation_uid, previous_meeting_uid } = one.value
        one =
          previous_meeting_uid === null
            ? Option.none()
            : yield* Effect.option(stored(organisation_uid, previous_meeting_uid))
      }
      if (Option.isNone(one) || one.value.booking_session_uid === null) return Option.none()
      return yield* sessions.choicesOf(one.value.organisation_uid, one.value.booking_session_uid)
    })

    const notified = Effect.fnUntraced(function* (appointment: StoredAppointment) {
      const { language = null, timezone = null } = Option.getOrUndefined(yield* choicesOf(appointment)) ?? {}
      const type = yield* presentations.type(appointment.organisation_uid, appointment.appointment_type_uid, null)
      const found: NotifiedAppointment = {
        ...publicAppointment(appointment),
        first_uid: appointment.slot_group,
        moves: yield* movesOf(appointment),
        rooms: appointment.rooms,
        doctor_late_minutes: appointment.doctor_late_minutes,
        moved_by_practice: appointment.moved_by_practice,
        patient_language: language,
        patient_timezone: timezone,
        type
      }
      return found
    })

    return {
      find: (owner, uid) => Effect.orDie(Effect.flatMap(stored(owner, uid), notified)),
      lock: (owner, uid) =>
        clock.now.pipe(
          Effect.flatMap((now) => repo.findForShare(owner, uid, now)),
          Effect.flatMap(notified),
          Effect.orDie
        ),
      issueLinks: (owner, uid) =>
        stored(owner, uid).pipe(
          Effect.flatMap((appointment) => links.issuePages(appointment, actionsOf(appointment))),
          Effect.orDie
        )
    }
  })
).pipe(Layer.provide([BookingRepo.Default, LinkIssuer.Default, BookingSessions.Default, Presentations.Default]))
