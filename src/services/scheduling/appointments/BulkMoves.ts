/** Moving the appointments of an absence, each to the first time that is free (Rule 7.2.8). */
import { Effect } from "effect"
import { UnixSeconds } from "../../../schemas/fields.ts"
import type { AppointmentUid, DoctorUid } from "../../../schemas/ids.ts"
import { AppointmentNotConfirmed, BookableTypeNotFound, SlotTaken } from "../../../schemas/scheduling/errors.ts"
import type { BulkMove } from "../../../schemas/scheduling/Rebooking.ts"
import { DomainClock } from "../../DomainClock.ts"
import { LONGEST_RANGE, SlotEngine } from "../booking/SlotEngine.ts"
import { Doctors } from "../practice/Doctors.ts"
import { AppointmentLists } from "./AppointmentLists.ts"
import { Appointments, type Caller } from "./Appointments.ts"
import { Rebookings } from "./Rebookings.ts"
import type { StoredAppointment } from "./StoredAppointment.ts"

/** Appointments that one request moves at most. */
const MAX_MOVED = 200
/** Times that are tried for one appointment, where others take them meanwhile. */
const MOST_TIMES = 5

interface Target {
  readonly doctor_uid: DoctorUid
  readonly start_date: number
}
/** Times that a dry run has given away. */
type Given = Array<Target & { readonly end_date: number }>

const isGiven = (given: Given, { doctor_uid, start_date }: Target, duration: number) =>
  given.some(
    (one) => one.doctor_uid === doctor_uid && one.start_date < start_date + duration && one.end_date > start_date
  )

export class BulkMoves extends Effect.Service<BulkMoves>()("scheduling/BulkMoves", {
  effect: Effect.gen(function* () {
    const clock = yield* DomainClock
    const engine = yield* SlotEngine
    const doctors = yield* Doctors
    const lists = yield* AppointmentLists
    const appointments = yield* Appointments
    const rebookings = yield* Rebookings

    /** Free times in which it may lie: not within the absence with whoever is away. */
    const timesFor = Effect.fnUntraced(function* (original: StoredAppointment, { doctor_uid, to }: BulkMove) {
      const { appointment_type_uid, organisation_uid, rebooking_mode, start_date } = original
      if (appointment_type_uid === null) return yield* new BookableTypeNotFound()
      const anyDoctor = rebooking_mode === "any_doctor_same_organisation"
      const from = anyDoctor && doctor_uid !== undefined ? start_date : to
      const free = yield* engine.freeStarts(organisation_uid, {
        appointment_type_uid,
        from,
        to: to + LONGEST_RANGE,
        ...(anyDoctor ? {} : { doctor_uids: [original.doctor_uid] })
      })
      return free.filter((time) => time.start_date >= to || time.doctor_uid !== doctor_uid)
    })

    const rebook = (caller: Caller, uid: AppointmentUid, { doctor_uid, start_date }: Target) =>
      rebookings.rebook(
        caller,
        uid,
        { new_doctor_uid: doctor_uid, new_start_date: UnixSeconds.make(start_date) },
        undefined
      )

    const move = Effect.fn("BulkMoves.move")(function* (
      caller: Caller,
      uid: AppointmentUid,
      request: BulkMove,
      given: Given
    ) {
      const original = yield* appointments.find(caller, uid)
      if (original.status !== "confirmed") return yield* new AppointmentNotConfirmed({ reason: original.status })
      const duration = original.end_date - original.start_date
      const times = (yield* timesFor(original, request)).filter((time) => !isGiven(given, time, duration))
      for (const time of times.slice(0, MOST_TIMES)) {
        const moved = { uid, new_doctor_uid: time.doctor_uid, new_start_date: UnixSeconds.make(time.start_date) }
        if (request.dry_run) {
          given.push({ ...time, end_date: time.start_date + duration })
          return { ...moved, new_uid: null }
        }
        const done = yield* Effect.either(rebook(caller, uid, time))
        if (done._tag === "Right") return { ...moved, new_uid: done.right.appointment_uid }
        if (!(done.left instanceof SlotTaken)) return yield* done.left
      }
      return yield* new SlotTaken()
    })

    /**
     * Moves what is confirmed, has not begun and starts in the range, at most 200 by start, one after the other, each in a transaction of its
     * own; gives what was moved where, and what stays with its error. A dry run changes nothing. Fails with `DoctorNotFound`.
     */
    const moveAll = Effect.fn("BulkMoves.moveAll")(function* (caller: Caller, request: BulkMove) {
      const { doctor_uid, from, to } = request
      if (doctor_uid !== undefined) yield* doctors.ensure(caller.organisation_uid, doctor_uid)
      const now = yield* clock.now
      const range = { from: Math.max(from, now), to, ...(doctor_uid !== undefined && { doctor_uid }) }
      const uids = yield* lists.confirmedBetween(caller.organisation_uid, range, MAX_MOVED)
      const given: Given = []
      const [left, moved] = yield* Effect.partition(uids, (uid) =>
        Effect.mapError(move(caller, uid, request, given), (error) => ({ uid, error }))
      )
      return { moved, left }
    })

    return { moveAll } as const
  }),
  dependencies: [
    DomainClock.Default,
    SlotEngine.Default,
    Doctors.Default,
    AppointmentLists.Default,
    Appointments.Default,
    Rebookings.Default
  ]
}) {}
