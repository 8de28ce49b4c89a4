/** Moving the appointments of an absence, each to the first time that is free (Rule 7.2.8). */
import { Effect } from "effect"
import { UnixSeconds } from "../../../schemas/fields.ts"
import type { AppointmentUid, DoctorUid } from "../../../schemas/ids.ts"
import { TooManyRequests } from "../../../schemas/problems.ts"
import { AppointmentNotConfirmed, BookableTypeNotFound, SlotTaken } from "../../../schemas/scheduling/errors.ts"
import type { BulkMove } from "../../../schemas/scheduling/Rebooking.ts"
import { makeFairBulkhead } from "../../bulkhead.ts"
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
type Given = Array<Target & { readonly end_date: number }>

/** Starts that one request looks at, for all appointments together; what is left then stays, to be asked for again. */
const LOOKED_AT_MOST = 30_000_000
/** Of requests that move many, two run at a time in a process, one of an organisation, of which so many wait. */
const [AT_ONCE, WAITING_MAX] = [2, 4]

interface Progress {
  /** Times that a dry run has given away. */
  readonly given: Given
  /** Whether more starts may be looked at than these. */
  readonly looked: (starts: number) => boolean
}

const isGiven = (given: Given, { doctor_uid, start_date }: Target, duration: number) =>
  given.some(
    (one) => one.doctor_uid === doctor_uid && one.start_date < start_date + duration && one.end_date > start_date
  )

export class BulkMoves extends Effect.Service<BulkMoves>()("scheduling/BulkMoves", {
  effect: Effect.gen(function* () {
    const clock = yield* DomainClock
    const inTurnOf = makeFairBulkhead(AT_ONCE, WAITING_MAX)
    const engine = yield* SlotEngine
    const doctors = yield* Doctors
    const lists = yield* AppointmentLists
    const appointments = yield* Appointments
    const rebookings = yield* Rebookings

    /** The first free times in which it may lie: not within the absence with whoever is away. */
    const timesFor = Effect.fnUntraced(function* (
      original: StoredAppointment,
      { doctor_uid, to }: BulkMove,
      { given, looked }: Progress
    ) {
      const { appointment_type_uid, organisation_uid, rebooking_mode, start_date, end_date } = original
      if (appointment_type_uid === null) return yield* new BookableTypeNotFound()
      const anyDoctor = rebooking_mode === "any_doctor_same_organisation"
      const query = {
        appointment_type_uid,
        from: anyDoctor && doctor_uid !== undefined ? start_date : to,
        to: to + LONGEST_RANGE,
        ...(anyDoctor ? {} : { doctor_uids: [original.doctor_uid] })
      }
      return yield* engine.firstStarts(organisation_uid, query, MOST_TIMES, {
        accepts: (time) =>
          (time.start_date >= to || time.doctor_uid !== doctor_uid) && !isGiven(given, time, end_date - start_date),
        looked
      })
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
      progress: Progress
    ) {
      if (!progress.looked(0)) return yield* new TooManyRequests({ retry_after_seconds: 1 })
      const original = yield* appointments.find(caller, uid)
      if (original.status !== "confirmed") return yield* new AppointmentNotConfirmed({ reason: original.status })
      const duration = original.end_date - original.start_date
      for (const time of yield* timesFor(original, request, progress)) {
        const moved = { uid, new_doctor_uid: time.doctor_uid, new_start_date: UnixSeconds.make(time.start_date) }
        if (request.dry_run) {
          progress.given.push({ ...time, end_date: time.start_date + duration })
          return { ...moved, new_uid: null }
        }
        const done = yield* Effect.either(rebook(caller, uid, time))
        if (done._tag === "Right") return { ...moved, new_uid: done.right.appointment_uid }
        if (!(done.left instanceof SlotTaken)) return yield* done.left
      }
      return yield* progress.looked(0) ? new SlotTaken() : new TooManyRequests({ retry_after_seconds: 1 })
    })

    /**
     * Moves what is confirmed, has not begun and starts in the range, at most 200 by start, one after the other, each in a transaction of its
     * own; gives what was moved where, and what stays with its error. A dry run changes nothing. Fails with `DoctorNotFound`. A defect,
     * `Overloaded`, where others of the organisation wait already, or for long.
     */
    const moveEach = Effect.fn("BulkMoves.moveAll")(function* (caller: Caller, request: BulkMove, most: number) {
      const { doctor_uid, from, to } = request
      if (doctor_uid !== undefined) yield* doctors.ensure(caller.organisation_uid, doctor_uid)
      const now = yield* clock.now
      const range = { from: Math.max(from, now), to, ...(doctor_uid !== undefined && { doctor_uid }) }
      const uids = yield* lists.confirmedBetween(caller.organisation_uid, range, MAX_MOVED)
      let sum = 0
      const looked = (starts: number) => {
        sum += starts
        return sum < most
      }
      const progress: Progress = { given: [], looked }
      const [left, moved] = yield* Effect.partition(uids, (uid) =>
        Effect.mapError(move(caller, uid, request, progress), (error) => ({ uid, error }))
      )
      return { moved, left }
    })
    const moveAll = (caller: Caller, request: BulkMove, most = LOOKED_AT_MOST) =>
      inTurnOf(caller.organisation_uid)(moveEach(caller, request, most))

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
