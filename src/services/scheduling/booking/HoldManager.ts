/**
 * Holding, booking and confirming slots (Rules 4.2, 4.4 and 4.5). Each step is one transaction, serialised per doctor; search, hold and
 * booking use the same predicate; the exclusion constraint guarantees that bookings never overlap.
 */
import { Effect, Option } from "effect"
import type { Actor } from "../../../schemas/access/Actor.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import {
  AppointmentUid,
  type BookingSessionUid,
  type DoctorUid,
  type OrganisationUid,
  type PatientUid,
  type SeriesUid
} from "../../../schemas/ids.ts"
import { invalid } from "../../../schemas/problems.ts"
import { transition } from "../../../schemas/scheduling/AppointmentStates.ts"
import { type MeetingFormat, standardFormat } from "../../../schemas/scheduling/AppointmentType.ts"
import type { Confirmed, Hold, NewHold } from "../../../schemas/scheduling/Booking.ts"
import { HoldNotConfirmable, HoldNotFound, SlotTaken, type StartField } from "../../../schemas/scheduling/errors.ts"
import { DomainClock } from "../../DomainClock.ts"
import { Database } from "../../database/Database.ts"
import { EventLog } from "../../events/EventLog.ts"
import { confirmations, countingOutcomes, holds } from "../../metrics.ts"
import { Service } from "../../Service.ts"
import type { CurrentTenant } from "../../tenancy/Tenancy.ts"
import { newUid } from "../../uid.ts"
import { Replacements } from "../appointments/Replacements.ts"
import {
  type HeldBy,
  type NewAppointment,
  publicAppointment,
  type StoredAppointment
} from "../appointments/StoredAppointment.ts"
import { roomName } from "../joining/rooms.ts"
import { Doctors } from "../practice/Doctors.ts"
import { type Conditions, nextSeat } from "../slots/predicate.ts"
import { BookingLocks, type Lockable } from "./BookingLocks.ts"
import { BookingRepo } from "./BookingRepo.ts"
import { DoctorQueue } from "./DoctorQueue.ts"
import { SlotEngine } from "./SlotEngine.ts"
import { sharedGroupOf } from "./sharedGroup.ts"

/** Who books: the bearer of a session, or an API key on behalf of a patient. */
export interface Booker {
  readonly organisation_uid: OrganisationUid
  readonly patient_uid: PatientUid
  readonly actor: Actor
  /** Null for an API key. */
  readonly session_uid: BookingSessionUid | null
  readonly replaces_appointment_uid: AppointmentUid | null
  /** Doctor of the replaced appointment, if already known: it never changes. */
  readonly replaced_doctor_uid?: DoctorUid
}

/** Limits per patient do not apply to an organisation's API keys and administrators. */
const isLimited = ({ actor }: Booker) => actor.kind !== "api_key" && actor.kind !== "admin"

/** The part of a booker that decides which times are taken. */
export type BookingScope = Pick<
  Booker,
  "organisation_uid" | "session_uid" | "replaces_appointment_uid" | "replaced_doctor_uid"
>

/** A requested slot. Without `visit_reason` and `meeting_format` those of the replaced appointment are kept. */
export type RequestedSlot = NewHold & {
  readonly meeting_format?: MeetingFormat
  /** Limits of types and doctors do not count; for API keys and administrators only. */
  readonly over_limit?: boolean
  /** Where nothing is offered, over one taken time at most; for API keys and administrators only. */
  readonly squeeze_in?: boolean
  /** A resource or further doctor that it does not take. */
  readonly avoids?: NonNullable<Conditions["avoids"]>
  /** The act that books it with others; a move keeps it. */
  readonly series_uid?: SeriesUid
}

/** A hold that the service makes for a patient, such as an offer. It does not count as the patient's. */
export interface Offer {
  readonly ttl_seconds: number
}

/** The wished format, else that of the replaced appointment. Fails with `Invalid` if the type does not offer it. Rule 7.3.5. */
export const formatOf = (formats: ReadonlyArray<MeetingFormat>, wished: MeetingFormat | undefined) => {
  const format = wished ?? standardFormat(formats)
  return formats.includes(format)
    ? Effect.succeed(format)
    : Effect.fail(invalid("meeting_format", `must be ${formats.join(" or ")}: the type has no other`))
}

/** Undefined keeps the hold's value. */
type VisitReason = string | null | undefined

/** The response of Rule 4.5.2. */
export const confirmedForm = ({ uid, start_date, end_date, visit_reason }: StoredAppointment): Confirmed => ({
  uid,
  status: "confirmed",
  start_date,
  end_date,
  visit_reason
})

/** Names profile fields whose values could not be used, where there are any. Rule 1.6.5. */
export const withIgnored =
  (fields: ReadonlyArray<string>) =>
  <A extends { readonly ignored_profile_fields?: ReadonlyArray<string> }>(answer: A): A =>
    fields.length === 0 ? answer : { ...answer, ignored_profile_fields: fields }

export class HoldManager extends Service<HoldManager>()("scheduling/HoldManager", {
  effect: Effect.gen(function* () {
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const engine = yield* SlotEngine
    const appointments = yield* BookingRepo
    const replacements = yield* Replacements
    const events = yield* EventLog
    const queue = yield* DoctorQueue
    const locks = yield* BookingLocks
    const doctors = yield* Doctors

    /**
     * Locks what the booking can take, and then the patient if appointments are limited or a session has one hold. If another process holds
     * the lock of the only doctor, runs `precheck` first, which fails early when the slot is already taken, instead of waiting.
     */
    const lock = Effect.fnUntraced(function* <E, R>(
      booker: Booker,
      lockable: Lockable,
      precheck: Effect.Effect<unknown, E, R>
    ) {
      const { organisation_uid, patient_uid, session_uid } = booker
      const patient = isLimited(booker) || session_uid !== null ? patient_uid : null
      if (yield* locks.lock(organisation_uid, lockable, patient, false)) return
      yield* precheck
      yield* locks.lock(organisation_uid, lockable, patient, true)
    })

    /** Locks doctors, patient and the replaced appointment, always in this order. Returns the appointment to insert. */
    const reserve = Effect.fnUntraced(function* (
      booker: Booker,
      {
        doctor_uid,
        appointment_type_uid,
        start_date,
        avoids,
        over_limit = false,
        squeeze_in = false,
        ...wanted
      }: RequestedSlot,
      status: "held" | "confirmed",
      field: StartField,
      given?: Offer
    ) {
      const { organisation_uid, patient_uid, session_uid, replaces_appointment_uid } = booker
      const isSqueezed = squeeze_in && !isLimited(booker)
      const offer = (now: number, moved?: StoredAppointment) => {
        const except = { except_group: moved?.slot_group, except_session: session_uid ?? undefined }
        const conditions = { moved, kept: moved, avoids, over_limit: over_limit && !isLimited(booker) }
        const query = { organisation_uid, appointment_type_uid, start_date, now, ...except, ...conditions }
        return isSqueezed ? engine.squeezed(query, doctor_uid, field) : engine.offer(query, doctor_uid, field)
      }
      const appointment_uids = replaces_appointment_uid === null ? [] : [replaces_appointment_uid]
      const lockable = { doctor_uids: [doctor_uid], appointment_type_uids: [appointment_type_uid], appointment_uids }
      yield* lock(booker, lockable, Effect.flatMap(clock.now, offer))
      const now = yield* clock.now
      const replaced = yield* replacements.lockOriginal(booker, doctor_uid, now)
      const { type, end_date, seat, ...units } = yield* offer(now, replaced ?? undefined)
      const meeting_format = yield* formatOf(type.formats, wanted.meeting_format ?? replaced?.meeting_format)
      const isHold = status === "held"
      const { ttl_seconds } = given ?? { ttl_seconds: type.hold_ttl_seconds }
      const expires_at = UnixSeconds.make(now + ttl_seconds)
      if (replaced !== null && !isHold) yield* replacements.replace(replaced, end_date, booker.actor, now)
      const uid = yield* newUid(AppointmentUid)
      const shared_group = seat === null ? null : sharedGroupOf({ appointment_type_uid, doctor_uid, start_date })
      const taking = isSqueezed
        ? yield* appointments.groupsTaking(organisation_uid, doctor_uid, start_date, end_date, now)
        : []
      // the database lets it share the time of one appointment, and of no second one
      if (taking.length > 1) return yield* new SlotTaken()
      const visit_reason = wanted.visit_reason === undefined ? (replaced?.visit_reason ?? null) : wanted.visit_reason
      const row: NewAppointment = {
        organisation_uid,
        uid,
        doctor_uid,
        patient_uid,
        appointment_type_uid,
        booking_session_uid: session_uid,
        previous_meeting_uid: isHold ? null : replaces_appointment_uid,
        replaces_appointment_uid,
        slot_group: replaced?.slot_group ?? uid,
        series_uid: wanted.series_uid ?? replaced?.series_uid ?? null,
        ...units,
        shared_group,
        seat,
        squeezed_in: isSqueezed,
        squeezed_into: taking[0] ?? null,
        status,
        meeting_type: type.meeting_type,
        meeting_format,
        visit_reason,
        start_date,
        end_date,
        hold_ttl_seconds: isHold ? ttl_seconds : null,
        hold_expires_at: isHold ? expires_at : null,
        is_offer: given !== undefined,
        room_name: yield* roomName(type.room_strategy, organisation_uid, doctor_uid, shared_group),
        limited: isLimited(booker) && given === undefined
      }
      return { row, now, terms: { expires_at, ttl_seconds, visit_reason } }
    })

    const announce = Effect.fnUntraced(function* <Stored extends StoredAppointment>(actor: Actor, stored: Stored) {
      const { organisation_uid, uid: subject, previous_meeting_uid } = stored
      const appointment = publicAppointment(stored)
      yield* events.append(
        previous_meeting_uid === null
          ? {
              organisation_uid,
              type: "patient_doctor_meeting_updated",
              subject,
              data: { change: "confirmed", appointment, actor }
            }
          : { organisation_uid, type: "rebooked", subject, data: { appointment, previous_meeting_uid, actor } }
      )
      return stored
    })

    /**
     * Takes a slot for the type's `hold_ttl_seconds`, or for those of `given`; a session's earlier hold is released. Fails with `SlotNotOffered`, `SlotTaken`,
     * `BookableTypeNotFound`, `PatientRestricted`, `TooManyHolds`, `TooManyAppointments`; in a rebooking also with `AppointmentNotFound`,
     * `AppointmentNotConfirmed`, `RebookingBlocked` and `Invalid` (a doctor whom the type does not allow).
     */
    const hold = Effect.fn("HoldManager.hold")(
      function* (booker: Booker, wanted: RequestedSlot, given?: Offer) {
        const field = "start_date"
        const { row, now, terms } = yield* reserve(booker, wanted, "held", field, given)
        yield* appointments.hold(row, now, field)
        const held: Hold = { hold_uid: row.uid, status: "held", ...terms }
        return held
      },
      transaction,
      countingOutcomes(holds, "held")
    )

    /** Hold and confirmation in one step; returns the confirmed appointment. Fails as `hold`, except with `TooManyHolds`. */
    const book = Effect.fn("HoldManager.book")(function* (
      booker: Booker,
      wanted: RequestedSlot,
      field: StartField = "start_date"
    ) {
      const { row, now } = yield* reserve(booker, wanted, "confirmed", field)
      return yield* announce(booker.actor, yield* appointments.book(row, now, field))
    }, transaction)

    /** Runs `work`, which books with the doctor, in the doctor's queue; not within a transaction. */
    const queued = <A, E, R>(scope: BookingScope, doctor_uid: DoctorUid, work: Effect.Effect<A, E, R>) =>
      Effect.flatMap(appointments.doctorsOf({ ...scope, doctor_uid }), (doctors) =>
        queue.within(scope.organisation_uid, doctors, work)
      )

    /** The hold if it belongs to this booker: a session owns its holds, an API key owns those without a session. */
    const findHold = (booker: Booker, uid: AppointmentUid, now: number) =>
      appointments.find(booker.organisation_uid, uid, now).pipe(
        Effect.filterOrFail(
          (found) => found.booking_session_uid === booker.session_uid,
          () => new HoldNotFound()
        ),
        Effect.catchTag("AppointmentNotFound", () => new HoldNotFound())
      )

    /**
     * What an expired hold takes when it is confirmed: what it held, and another one of the requirement in place of a resource or further
     * doctor that is taken; nothing but appointments and live holds counts. Fails with `SlotTaken`, and with `HoldNotConfirmable` if the type
     * or the doctor is deleted.
     */
    const regained = Effect.fnUntraced(function* (held: StoredAppointment, now: number) {
      const { organisation_uid, appointment_type_uid, doctor_uid, shared_group, resource_uids, further_doctor_uids } =
        held
      const deleted = () => new HoldNotConfirmable({ reason: "expired" })
      yield* Effect.catchTag(doctors.ensure(organisation_uid, doctor_uid), "DoctorNotFound", deleted)
      const { type_deleted, taken_uids, seats, group } = yield* appointments.standing(held, now)
      if (type_deleted) return yield* deleted()
      const seat = shared_group === null ? null : (nextSeat({ seats: seats.length + 1 }, seats) ?? 1)
      if (group !== null) return { ...group, seat }
      if (taken_uids.includes(doctor_uid)) return yield* new SlotTaken()
      const isLost = [...resource_uids, ...further_doctor_uids].some((uid) => taken_uids.includes(uid))
      // an appointment without a type takes nothing else
      if (!isLost || appointment_type_uid === null) return { resource_uids, further_doctor_uids, seat }
      return { ...(yield* engine.regained({ ...held, appointment_type_uid, now }, taken_uids)), seat }
    })

    /** Confirms any hold that is not a live hold of a plain booking, or fails with the reason. */
    const confirmOther = Effect.fnUntraced(function* (
      booker: Booker,
      held: HeldBy,
      visit_reason: VisitReason,
      now: number
    ) {
      const { actor } = booker
      const found = yield* findHold(booker, held.uid, now)
      if (found.status === "confirmed") return found
      const reason = found.end_date <= now ? "over" : found.status
      if (reason === "over" || transition(found.status, "confirm") === "refused")
        return yield* new HoldNotConfirmable({ reason })
      const regain = Effect.gen(function* () {
        yield* appointments.ensureConfirmable({ ...found, status: "confirmed", limited: isLimited(booker) }, now)
        const units = yield* regained(found, now)
        yield* appointments.expire({ ...found, ...units }, now)
        return units
      })
      const units = found.status === "expired" ? yield* regain : undefined
      yield* replacements.carryOut(found, actor, now)
      return yield* announce(actor, yield* appointments.confirm(held, visit_reason, now, units))
    })

    const confirmOnce = Effect.fnUntraced(
      function* (booker: Booker, doctor_uid: DoctorUid, held: HeldBy, visit_reason: VisitReason) {
        const { replaces_appointment_uid: replaced } = booker
        const appointment_uids = replaced === null ? [held.uid] : [held.uid, replaced]
        yield* lock(booker, { doctor_uids: [doctor_uid], appointment_uids }, Effect.void)
        const now = yield* clock.now
        const live = yield* appointments.confirmLive(held, visit_reason, now)
        return Option.isSome(live)
          ? yield* announce(booker.actor, live.value)
          : yield* confirmOther(booker, held, visit_reason, now)
      },
      transaction,
      countingOutcomes(confirmations, "confirmed")
    )

    /**
     * Turns a hold into a confirmed appointment; a rebooking cancels the old one in the same transaction. A repeated confirmation returns
     * the same record. An expired hold can be confirmed if no other appointment and no live hold overlaps. Fails with
     * `HoldNotFound`, `HoldNotConfirmable` (cancelled, ended, doctor or type deleted), `SlotTaken`, `TooManyAppointments` (expired, and others booked since),
     * and in a rebooking as `hold`.
     */
    const confirm = Effect.fn("HoldManager.confirm")(function* (
      booker: Booker,
      doctor_uid: DoctorUid,
      uid: AppointmentUid,
      visit_reason: VisitReason
    ) {
      const { organisation_uid, session_uid } = booker
      const held = { organisation_uid, uid, session_uid }
      return confirmedForm(yield* queued(booker, doctor_uid, confirmOnce(booker, doctor_uid, held, visit_reason)))
    })

    /** As `confirm` of a hold without a session, within the caller's transaction; returns the appointment. */
    const confirmWithin = (booker: Booker, doctor_uid: DoctorUid, uid: AppointmentUid) =>
      confirmOnce(
        booker,
        doctor_uid,
        { organisation_uid: booker.organisation_uid, uid, session_uid: booker.session_uid },
        undefined
      )

    /** A hold's current state, in the form of `hold`; once its row is deleted it counts as expired. */
    const present = (owner: OrganisationUid, first: Hold): Effect.Effect<Hold, never, CurrentTenant> =>
      Effect.flatMap(clock.now, (now) => appointments.find(owner, first.hold_uid, now)).pipe(
        Effect.map(({ status, visit_reason }): Hold => ({ ...first, status, visit_reason })),
        Effect.catchTag("AppointmentNotFound", () => Effect.succeed<Hold>({ ...first, status: "expired" }))
      )

    /** Doctors who are free for the booker at the start, the one to be booked first; fails as `SlotEngine.freeDoctors`. */
    const freeDoctors = Effect.fn("HoldManager.freeDoctors")(function* (
      { organisation_uid, session_uid, replaces_appointment_uid }: BookingScope,
      { appointment_type_uid, start_date, over_limit }: Omit<RequestedSlot, "doctor_uid">
    ) {
      const now = yield* clock.now
      const except_session = session_uid ?? undefined
      const query = { organisation_uid, appointment_type_uid, start_date, now, except_session, over_limit }
      if (replaces_appointment_uid === null) return yield* engine.freeDoctors(query, "start_date")
      const original = yield* appointments.find(organisation_uid, replaces_appointment_uid, now)
      return original.rebooking_mode === "same_doctor_only"
        ? [original.doctor_uid]
        : yield* engine.freeDoctors({ ...query, except_group: original.slot_group, moved: original }, "start_date")
    })

    return { hold, book, confirm, confirmWithin, present, freeDoctors, queued } as const
  }),
  dependencies: [
    SlotEngine.Default,
    BookingRepo.Default,
    Replacements.Default,
    DoctorQueue.Default,
    BookingLocks.Default,
    Doctors.Default
  ]
}) {}
