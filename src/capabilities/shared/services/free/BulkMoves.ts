/** Moves the appointments of a doctor's absence, or of a room that is closed, each to its first free time (Rule 7.2.8). */
import { Effect, Schema } from "effect"
import { UnixSeconds } from "../../../../schemas/fields.ts"
import { type AppointmentUid, DoctorUid, type OrganisationUid } from "../../../../schemas/ids.ts"
import {
  AppointmentNotConfirmed,
  AppointmentNotFound,
  BookableTypeNotFound,
  SlotTaken
} from "../../../../schemas/scheduling/errors.ts"
import { DomainClock } from "../../../../services/DomainClock.ts"
import { rowsOf } from "../../../../services/database/rows.ts"
import { Sql } from "../../../../services/database/Sql.ts"
import { ANSWER_LIMITS } from "../../../../services/recordLimits.ts"
import { Service } from "../../../../services/Service.ts"
import { AppointmentLists } from "../../../../services/scheduling/appointments/AppointmentLists.ts"
import { Appointments, type Caller } from "../../../../services/scheduling/appointments/Appointments.ts"
import { Rebookings } from "../../../../services/scheduling/appointments/Rebookings.ts"
import type { StoredAppointment } from "../../../../services/scheduling/appointments/StoredAppointment.ts"
import { formatOf } from "../../../../services/scheduling/booking/HoldManager.ts"
import { LONGEST_RANGE } from "../../../../services/scheduling/booking/SlotEngine.ts"
import { Doctors } from "../../../../services/scheduling/practice/Doctors.ts"
import { Resources } from "../../../../services/scheduling/practice/Resources.ts"
import type { BulkMove } from "../../schemas/BulkMove.ts"
import { type CalendarCache, makeCalendarCache, withSubjectsTaken } from "./CalendarCache.ts"
import { FirstStarts } from "./FirstStarts.ts"

/** Times tried for one appointment, since others may take them concurrently. */
const TIMES_TRIED = 5

interface Target {
  readonly doctor_uid: DoctorUid
  readonly start_date: number
}

/** What the appointment takes beside its doctor and has to leave: the closed resource, or the absent further doctor. */
const leftBy = (
  { doctor_uid: own }: StoredAppointment,
  { doctor_uid: absent, resource_uid }: BulkMove
): { readonly kind: "resource" | "doctor"; readonly uid: string } | undefined => {
  if (resource_uid !== undefined) return { kind: "resource", uid: resource_uid }
  return absent === undefined || absent === own ? undefined : { kind: "doctor", uid: absent }
}

export class BulkMoves extends Service<BulkMoves>()("scheduling/BulkMoves", {
  effect: Effect.gen(function* () {
    const clock = yield* DomainClock
    const { firstStarts } = yield* FirstStarts
    const doctors = yield* Doctors
    const resources = yield* Resources
    const lists = yield* AppointmentLists
    const appointments = yield* Appointments
    const rebookings = yield* Rebookings
    const sql = yield* Sql
    const keys = rowsOf(Schema.Struct({ uid: DoctorUid }))

    /** The doctors of this one's specialty, with this one, also if it is deleted. */
    const sameSpecialty = (owner: OrganisationUid, uid: DoctorUid) =>
      Effect.map(
        keys.all(sql`SELECT d.uid FROM doctors d JOIN doctors own USING (organisation_uid, specialty_code)
          WHERE d.organisation_uid = ${owner} AND own.uid = ${uid} AND (d.deleted_at IS NULL OR d.uid = own.uid)
          ORDER BY d.uid`),
        (rows) => rows.map((row) => row.uid)
      )

    /**
     * The first free times: not within the absence if with the absent doctor, or with the closed resource or the absent further doctor, whom
     * the appointment otherwise leaves at its own time, with its doctor where possible.
     */
    const timesFor = Effect.fnUntraced(function* (
      original: StoredAppointment,
      request: BulkMove,
      cache: CalendarCache
    ) {
      const { doctor_uid, from, to, any_specialty } = request
      const left = leftBy(original, request)
      const { appointment_type_uid, organisation_uid, rebooking_mode, start_date, slot_group } = original
      if (appointment_type_uid === null) return yield* new BookableTypeNotFound()
      const anyDoctor = rebooking_mode === "any_doctor_same_organisation"
      const isKept = left !== undefined || (anyDoctor && doctor_uid !== undefined)
      const colleagues =
        anyDoctor && !any_specialty ? { doctor_uids: yield* sameSpecialty(organisation_uid, original.doctor_uid) } : {}
      const query = {
        appointment_type_uid,
        from: isKept ? start_date : to,
        to: to + LONGEST_RANGE,
        ...(anyDoctor ? colleagues : { doctor_uids: [original.doctor_uid] }),
        ...(left !== undefined && { except_group: slot_group })
      }
      const accepts = (time: Target) => time.start_date >= to || time.doctor_uid !== doctor_uid
      if (left === undefined) return yield* firstStarts(organisation_uid, query, TIMES_TRIED, accepts, cache, original)
      const closed = {
        doctor_uids: left.kind === "doctor" ? [left.uid] : [],
        resource_uids: left.kind === "resource" ? [left.uid] : [],
        start_date: from,
        end_date: to
      }
      const search = (doctors: Pick<typeof query, "doctor_uids">, accepted: typeof accepts) =>
        firstStarts(organisation_uid, { ...query, ...doctors }, TIMES_TRIED, accepted, cache, original, (read) =>
          withSubjectsTaken(read, closed)
        )
      const isOwn = (time: Target) => time.doctor_uid === original.doctor_uid
      const own = yield* search({ doctor_uids: [original.doctor_uid] }, accepts)
      const others = anyDoctor ? yield* search({}, (time) => accepts(time) && !isOwn(time)) : []
      return [...own, ...others].toSorted((a, b) => a.start_date - b.start_date).slice(0, TIMES_TRIED)
    })

    const rebook = (
      caller: Caller,
      original: StoredAppointment,
      { doctor_uid, start_date }: Target,
      request: BulkMove
    ) => {
      const left = leftBy(original, request)
      return rebookings.rebookFound(caller, original, {
        new_doctor_uid: doctor_uid,
        new_start_date: UnixSeconds.make(start_date),
        over_limit: false,
        by_practice: true,
        ...(left !== undefined && start_date < request.to && { avoids: left })
      })
    }

    const move = Effect.fn("BulkMoves.move")(function* (
      caller: Caller,
      original: StoredAppointment | undefined,
      request: BulkMove,
      cache: CalendarCache
    ) {
      if (original === undefined) return yield* new AppointmentNotFound()
      const { uid, status } = original
      if (status !== "confirmed") return yield* new AppointmentNotConfirmed({ reason: status })
      for (const time of yield* timesFor(original, request, cache)) {
        yield* formatOf(time.type.formats, original.meeting_format)
        const moved = { uid, new_doctor_uid: time.doctor_uid, new_start_date: UnixSeconds.make(time.start_date) }
        if (request.dry_run) {
          cache.book(time, false)
          return { ...moved, new_uid: null }
        }
        const done = yield* Effect.either(rebook(caller, original, time, request))
        if (done._tag === "Right") {
          cache.book(time, true)
          return { ...moved, new_uid: done.right.appointment_uid }
        }
        if (!(done.left instanceof SlotTaken)) return yield* done.left
        // Others book at the same time
        cache.clear()
      }
      return yield* new SlotTaken()
    })

    /**
     * Moves confirmed appointments that start in the range and have not begun, at most 200 by start, one after the other, each in a
     * transaction of its own. Returns those moved with their new times, and those left with their errors. A dry run changes nothing.
     * Fails with `DoctorNotFound` and `ResourceNotFound`.
     */
    const moveAll = Effect.fn("BulkMoves.moveAll")(function* (caller: Caller, request: BulkMove) {
      const { doctor_uid, resource_uid, including_further, from, to } = request
      if (doctor_uid !== undefined) yield* doctors.ensure(caller.organisation_uid, doctor_uid)
      if (resource_uid !== undefined) yield* resources.ensure(caller.organisation_uid, resource_uid)
      const now = yield* clock.now
      const range = {
        from: Math.max(from, now),
        to,
        ...(doctor_uid !== undefined && { doctor_uid, including_further }),
        ...(resource_uid !== undefined && { resource_uid })
      }
      const uids = yield* lists.confirmedBetween(caller.organisation_uid, range, ANSWER_LIMITS.moved)
      const originals = yield* appointments.findAll(caller, uids)
      const cache = makeCalendarCache()
      const [left, moved] = yield* Effect.partition(uids, (uid) =>
        Effect.mapError(move(caller, originals.get(uid), request, cache), (error) => ({ uid, error }))
      )
      return { moved, left }
    })

    /** As `moveAll` for one appointment of the range; fails with the error of its move. */
    const moveOne = Effect.fn("BulkMoves.moveOne")(function* (
      caller: Caller,
      uid: AppointmentUid,
      request: BulkMove,
      cache: CalendarCache
    ) {
      const found = yield* appointments.findAll(caller, [uid])
      return yield* move(caller, found.get(uid), request, cache)
    })
    return { moveAll, moveOne } as const
  }),
  dependencies: [
    FirstStarts.Default,
    Doctors.Default,
    Resources.Default,
    AppointmentLists.Default,
    Appointments.Default,
    Rebookings.Default
  ]
}) {}
