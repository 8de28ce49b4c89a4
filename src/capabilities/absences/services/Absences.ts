/**
 * Absences: the only writer of their tables. One transaction closes the time and notes what is to become of each appointment in it; a job
 * settles them, and goes on where it was interrupted. Rule 3.14.
 */

import { Data, Effect, Schema } from "effect"
import { Actor } from "../../../schemas/access/Actor.ts"
import { byWord } from "../../../schemas/byWord.ts"
import { isNothing, UnixSeconds } from "../../../schemas/fields.ts"
import { AppointmentUid, DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { changedSince } from "../../../services/database/changedSince.ts"
import { Database } from "../../../services/database/Database.ts"
import { anyOr, rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { timestamp } from "../../../services/database/SqlErrors.ts"
import { EventLog } from "../../../services/events/EventLog.ts"
import { Jobs } from "../../../services/queue/Jobs.ts"
import { queue } from "../../../services/queue/queues.ts"
import { Service } from "../../../services/Service.ts"
import { AppointmentLists } from "../../../services/scheduling/appointments/AppointmentLists.ts"
import { Appointments, type Caller } from "../../../services/scheduling/appointments/Appointments.ts"
import { Replacements } from "../../../services/scheduling/appointments/Replacements.ts"
import { publicAppointment } from "../../../services/scheduling/appointments/StoredAppointment.ts"
import { BookingLocks } from "../../../services/scheduling/booking/BookingLocks.ts"
import { FreedTime } from "../../../services/scheduling/booking/FreedTime.ts"
import { Doctors } from "../../../services/scheduling/practice/Doctors.ts"
import { Envelope } from "../../../services/sealing/Envelope.ts"
import { newUid } from "../../../services/uid.ts"
import { BulkMoves } from "../../shared/services/free/BulkMoves.ts"
import { makeCalendarCache } from "../../shared/services/free/CalendarCache.ts"
import { PatientRecords } from "../../shared/services/patients/PatientRecords.ts"
import { TakenTime } from "../../shared/services/TakenTime.ts"
import {
  Absence,
  type AbsenceChanges,
  AbsenceNotFound,
  type AbsenceQuery,
  type AbsenceStep,
  AbsenceUid,
  type AskAgain,
  type NewAbsence,
  NumberChanged
} from "../schemas/Absence.ts"

const notFound = () => new AbsenceNotFound()

/** The kind of taken time. */
const ABSENCE = "absence"

/** Absences in a list, and appointments in the list of one absence. */
const LISTED = 500
const LISTED_APPOINTMENTS = 1_000

/** Appointments settled between two looks at what waits. */
const AT_ONCE = 50

export const absenceQueues = {
  "absence.settle": queue(Schema.Struct({ organisation_uid: OrganisationUid, absence_uid: AbsenceUid }))
}
type AbsenceQueues = typeof absenceQueues
declare module "../../../services/queue/queues.ts" {
  interface Queues extends AbsenceQueues {}
}

const step = Schema.Literal("move", "offer", "cancel")
const Waiting = Schema.Struct({ appointment_uid: AppointmentUid, step, repeated: Schema.Boolean })
const Settled = Schema.Struct({
  appointment_uid: AppointmentUid,
  step,
  status: Schema.Literal("waiting", "moved", "offered", "cancelled", "left"),
  fault: Schema.NullOr(Schema.String)
})
/** What the job needs of an absence. */
const Settling = Schema.Struct({
  doctor_uid: Schema.NullOr(DoctorUid),
  from: UnixSeconds,
  to: UnixSeconds,
  message: Schema.NullOr(Schema.String),
  any_specialty: Schema.Boolean,
  actor_kind: Actor.fields.kind,
  actor_uid: Schema.String
})

/** Codes of what only an offer can be refused for. */
const offerFaults = byWord<string>({
  Unreachable: "no_address",
  RebookingBlocked: "rebooking_blocked"
})

/** The patient has neither a mail address nor a telephone number. */
class Unreachable extends Data.TaggedError("Unreachable") {}

type Outcome =
  | { readonly status: "moved" | "offered" | "cancelled" }
  | { readonly status: "left"; readonly fault: string }

export class Absences extends Service<Absences>()("absences/Absences", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const envelope = yield* Envelope
    const jobs = yield* Jobs
    const doctors = yield* Doctors
    const lists = yield* AppointmentLists
    const appointments = yield* Appointments
    const moves = yield* BulkMoves
    const locks = yield* BookingLocks
    const freed = yield* FreedTime
    const replacements = yield* Replacements
    const patients = yield* PatientRecords
    const events = yield* EventLog
    const taken = yield* TakenTime
    const absences = rowsOf(Absence)
    const settling = rowsOf(Settling, envelope.openRows("absences", ["organisation_uid", "uid"]))
    const waiting = rowsOf(Waiting)
    const settled = rowsOf(Settled)

    const of = (owner: OrganisationUid, uid: AbsenceUid) =>
      sql`x.organisation_uid = ${owner} AND x.uid = ${uid} AND x.deleted_at IS NULL`
    const columns = (owner: OrganisationUid) => sql`x.uid, x.doctor_uid, x.kind,
      extract(epoch FROM x.start_date)::bigint AS "from", extract(epoch FROM x.end_date)::bigint AS "to",
      extract(epoch FROM x.created_at)::bigint AS created_at, extract(epoch FROM x.updated_at)::bigint AS updated_at,
      (SELECT json_build_object('waiting', count(*) FILTER (WHERE s.status = 'waiting'),
          'moved', count(*) FILTER (WHERE s.status = 'moved'), 'offered', count(*) FILTER (WHERE s.status = 'offered'), 'cancelled', count(*) FILTER (WHERE s.status = 'cancelled'),
          'left', count(*) FILTER (WHERE s.status = 'left'))
        FROM absence_appointments s WHERE s.organisation_uid = ${owner} AND s.absence_uid = x.uid) AS appointments`

    /** By start; without a time those that have not ended. */
    const list = Effect.fn("Absences.list")(function* (owner: OrganisationUid, query: AbsenceQuery) {
      const { from = yield* clock.now, to, doctor_uid } = query
      return yield* absences.all(
        sql`SELECT ${columns(owner)} FROM absences x WHERE ${sql.and([
          sql`x.organisation_uid = ${owner} AND x.deleted_at IS NULL AND x.end_date > to_timestamp(${from})`,
          ...(to === undefined ? [] : [sql`x.start_date < to_timestamp(${to})`]),
          ...changedSince(sql, query, "x.updated_at"),
          ...(doctor_uid === undefined ? [] : [sql`(x.doctor_uid IS NULL OR x.doctor_uid = ${doctor_uid})`])
        ])} ORDER BY x.start_date, x.uid LIMIT ${LISTED}`
      )
    })

    const one =
      (locking = sql``) =>
      (owner: OrganisationUid, uid: AbsenceUid) =>
        absences.firstOr(sql`SELECT ${columns(owner)} FROM absences x WHERE ${of(owner, uid)} ${locking}`, notFound)
    /** Fails with `AbsenceNotFound`. */
    const get = one()
    /** As `get`, locked until the transaction ends. */
    const findForChange = one(sql`FOR NO KEY UPDATE OF x`)

    /** Live appointments that start within it from now on, also those in which the doctor is a further one. */
    const liveIn = (owner: OrganisationUid, doctor: DoctorUid | null, from: number, to: number, now: number) =>
      lists.liveBetween(
        owner,
        { ...(doctor !== null && { doctor_uid: doctor, including_further: true }), from: Math.max(from, now), to },
        now
      )

    /** Locks the absent doctors, so that nothing is booked between the count and the end of the transaction. */
    const lockAbsent = Effect.fnUntraced(function* (owner: OrganisationUid, doctor: DoctorUid | null) {
      if (doctor !== null) yield* doctors.ensure(owner, doctor)
      const all = doctor === null ? (yield* doctors.list(owner, {})).map(({ uid }) => uid) : [doctor]
      yield* locks.lockDoctors(owner, all)
    })

    /**
     * Closes the time, and has what is booked in it settled, in one transaction. Fails with `DoctorNotFound`, and with `NumberChanged` if
     * there are not as many appointments as expected.
     */
    const create = Effect.fn("Absences.create")(function* (
      { organisation_uid: owner, actor }: Caller,
      wanted: NewAbsence
    ) {
      const { doctor_uid, from, to, kind, message, choices, expected, any_specialty } = wanted
      yield* lockAbsent(owner, doctor_uid)
      const now = yield* clock.now
      const live = yield* liveIn(owner, doctor_uid, from, to, now)
      if (expected !== undefined && expected !== live.length) return yield* new NumberChanged()
      const uid = yield* newUid(AbsenceUid)
      const row = {
        organisation_uid: owner,
        uid,
        doctor_uid,
        start_date: timestamp(from),
        end_date: timestamp(to),
        kind,
        any_specialty,
        message_encrypted: yield* envelope.seal(
          { table: "absences", column: "message_encrypted", row: [owner, uid] },
          message
        ),
        actor_kind: actor.kind,
        actor_uid: actor.uid,
        created_at: timestamp(now),
        updated_at: timestamp(now)
      }
      yield* Effect.orDie(sql`INSERT INTO absences ${sql.insert(row)}`)
      yield* taken.put({ organisation_uid: owner, kind: ABSENCE, uid }, doctor_uid, [from, to])
      const chosen = new Map<string, AbsenceStep>(choices.map(({ appointment_uid, step }) => [appointment_uid, step]))
      const steps = live.flatMap((appointment_uid) => {
        const step = chosen.get(appointment_uid) ?? wanted.appointments
        return step === "keep" ? [] : [{ appointment_uid, step }]
      })
      if (steps.length > 0) {
        yield* Effect.orDie(sql`INSERT INTO absence_appointments
            (organisation_uid, absence_uid, appointment_uid, place, step, status)
          SELECT ${owner}, ${uid}, s.appointment_uid, s.place, s.step, 'waiting'
          FROM unnest(${steps.map((one) => one.appointment_uid)}::text[], ${steps.map((one) => one.step)}::text[])
            WITH ORDINALITY AS s (appointment_uid, step, place)
          ON CONFLICT (organisation_uid, absence_uid, appointment_uid) DO NOTHING`) // else several nodes copy it in, which row-level security refuses
        yield* jobs.send("absence.settle", { organisation_uid: owner, absence_uid: uid })
      }
      return yield* Effect.orDie(get(owner, uid))
    }, transaction)

    /** Updates the fields sent; it may open time. Fails with `AbsenceNotFound`. */
    const update = Effect.fn("Absences.update")(function* (
      owner: OrganisationUid,
      uid: AbsenceUid,
      changes: AbsenceChanges
    ) {
      const before = yield* findForChange(owner, uid)
      if (isNothing(changes)) return before
      const { from, to, kind } = { ...before, ...changes }
      const end = Math.max(to, from + 1)
      const change = Effect.zipRight(
        sql`UPDATE absences AS x SET start_date = to_timestamp(${from}), end_date = to_timestamp(${end}),
          kind = ${kind}, updated_at = to_timestamp(${yield* clock.now}) WHERE ${of(owner, uid)}`,
        taken.put({ organisation_uid: owner, kind: ABSENCE, uid }, before.doctor_uid, [from, end])
      )
      yield* freed.around(owner, before.doctor_uid === null ? undefined : [before.doctor_uid], Effect.orDie(change))
      return yield* get(owner, uid)
    }, transaction)

    /** Ends it: the time is open again, and what has not been settled yet stays as it is. Fails with `AbsenceNotFound`. */
    const remove = Effect.fn("Absences.remove")(function* (owner: OrganisationUid, uid: AbsenceUid) {
      const { doctor_uid } = yield* findForChange(owner, uid)
      const change = Effect.zipRight(
        anyOr(
          sql`UPDATE absences AS x SET deleted_at = to_timestamp(${yield* clock.now}) WHERE ${of(owner, uid)} RETURNING uid`,
          notFound
        ),
        taken.clear({ organisation_uid: owner, kind: ABSENCE, uid })
      )
      yield* freed.around(owner, doctor_uid === null ? undefined : [doctor_uid], change)
    }, transaction)

    /** The appointments that it settles, in order; at most 1,000, those that were left first. Fails with `AbsenceNotFound`. */
    const settledOf = Effect.fn("Absences.appointments")(function* (caller: Caller, uid: AbsenceUid) {
      const { organisation_uid: owner } = caller
      yield* get(owner, uid)
      const rows = yield* settled.all(sql`SELECT appointment_uid, step, status, fault FROM absence_appointments s
        WHERE s.organisation_uid = ${owner} AND s.absence_uid = ${uid}
        ORDER BY s.status <> 'left', s.place LIMIT ${LISTED_APPOINTMENTS}`)
      const found = yield* appointments.findAll(
        caller,
        rows.map(({ appointment_uid }) => appointment_uid)
      )
      return rows.flatMap(({ appointment_uid, ...row }) => {
        const stored = found.get(appointment_uid)
        return stored === undefined ? [] : [{ appointment: publicAppointment(stored), ...row }]
      })
    })

    const note = (owner: OrganisationUid, absence: AbsenceUid, uid: AppointmentUid, outcome: Outcome) =>
      Effect.orDie(sql`UPDATE absence_appointments SET status = ${outcome.status},
          fault = ${outcome.status === "left" ? outcome.fault : null}
        WHERE organisation_uid = ${owner} AND absence_uid = ${absence} AND appointment_uid = ${uid}`)

    /** Asks the patient to choose another time, if that is possible for them: the message's link moves the appointment. */
    const offer = Effect.fnUntraced(function* (
      caller: Caller,
      absence: AbsenceUid,
      { appointment_uid: uid, repeated }: typeof Waiting.Type
    ) {
      const { organisation_uid: owner, actor } = caller
      const asked = Effect.gen(function* () {
        const found = yield* appointments.find(caller, uid)
        // answered since: there is nothing to ask again
        if (repeated && found.status !== "confirmed") return
        const patient: Actor = { kind: "patient", uid: found.patient_uid }
        yield* replacements.ensureMovable(found, patient, yield* clock.now)
        const { email, phone } = (yield* patients.find(owner, found.patient_uid)).profile
        if (!email && !phone) return yield* new Unreachable()
        yield* events.append({
          organisation_uid: owner,
          type: "scheduling.times_offered",
          subject: uid,
          data: { appointment: publicAppointment(found), actor }
        })
      })
      const outcome = yield* Effect.match(asked, {
        onSuccess: (): Outcome => ({ status: "offered" }),
        onFailure: ({ _tag }): Outcome => ({ status: "left", fault: offerFaults[_tag] ?? _tag })
      })
      yield* note(owner, absence, uid, outcome)
    }, transaction)

    /**
     * Asks those again who were asked and have not answered: their appointments are still confirmed and to come. Fails with
     * `AbsenceNotFound`, and with `NumberChanged` if they are not as many as expected.
     */
    const askAgain = Effect.fn("Absences.askAgain")(function* (
      caller: Caller,
      uid: AbsenceUid,
      { expected }: AskAgain
    ) {
      const { organisation_uid: owner } = caller
      yield* findForChange(owner, uid)
      const now = yield* clock.now
      const offered = yield* settled.all(sql`SELECT appointment_uid, step, status, fault FROM absence_appointments
        WHERE organisation_uid = ${owner} AND absence_uid = ${uid} AND status = 'offered'`)
      const found = yield* appointments.findAll(
        caller,
        offered.map(({ appointment_uid }) => appointment_uid)
      )
      const silent = [...found.values()].filter(({ status, start_date }) => status === "confirmed" && start_date > now)
      if (expected !== undefined && expected !== silent.length) return yield* new NumberChanged()
      if (silent.length > 0) {
        yield* Effect.orDie(sql`UPDATE absence_appointments SET status = 'waiting', repeated = true
          WHERE organisation_uid = ${owner} AND absence_uid = ${uid}
            AND appointment_uid = ANY (${silent.map((one) => one.uid)})`)
        yield* jobs.send("absence.settle", { organisation_uid: owner, absence_uid: uid })
      }
      return yield* get(owner, uid)
    }, transaction)

    /** Settles what waits, in order: cancellations together with their notes, moves one by one. Safe to run again. */
    const settle = Effect.fn("Absences.settle")(function* (owner: OrganisationUid, uid: AbsenceUid) {
      const cache = makeCalendarCache()
      while (true) {
        const found =
          yield* settling.first(sql`SELECT x.organisation_uid, x.uid, x.doctor_uid, x.message_encrypted, x.any_specialty,
            extract(epoch FROM x.start_date)::bigint AS "from", extract(epoch FROM x.end_date)::bigint AS "to",
            x.actor_kind, x.actor_uid
          FROM absences x WHERE ${of(owner, uid)}`)
        if (found._tag === "None") return
        const { doctor_uid, from, to, message, any_specialty, actor_kind, actor_uid } = found.value
        const caller: Caller = { organisation_uid: owner, actor: { kind: actor_kind, uid: actor_uid } }
        const rows = yield* waiting.all(sql`SELECT appointment_uid, step, repeated FROM absence_appointments
          WHERE organisation_uid = ${owner} AND absence_uid = ${uid} AND status = 'waiting' ORDER BY place LIMIT ${AT_ONCE}`)
        if (rows.length === 0) return
        const cancelling = rows.flatMap(({ appointment_uid, step }) => (step === "cancel" ? [appointment_uid] : []))
        if (cancelling.length > 0)
          yield* transaction(
            Effect.gen(function* () {
              const { cancelled, skipped } = yield* appointments.cancelSome(caller, cancelling, message)
              for (const one of cancelled) yield* note(owner, uid, one, { status: "cancelled" })
              for (const one of skipped) yield* note(owner, uid, one.uid, { status: "left", fault: one.error._tag })
            })
          )
        const range = {
          from,
          to,
          dry_run: false,
          including_further: true,
          any_specialty,
          ...(doctor_uid !== null && { doctor_uid })
        }
        for (const row of rows) {
          const { appointment_uid, step } = row
          if (step === "offer") yield* offer(caller, uid, row)
          if (step !== "move") continue
          const done = yield* Effect.either(moves.moveOne(caller, appointment_uid, range, cache))
          yield* note(
            owner,
            uid,
            appointment_uid,
            done._tag === "Right" ? { status: "moved" } : { status: "left", fault: done.left._tag }
          )
        }
      }
    })

    return { list, get, findForChange, create, update, remove, settledOf, askAgain, settle } as const
  }),
  dependencies: [
    Doctors.Default,
    AppointmentLists.Default,
    Appointments.Default,
    BulkMoves.Default,
    BookingLocks.Default,
    FreedTime.Default,
    TakenTime.Default,
    Replacements.Default,
    PatientRecords.Default
  ]
}) {}
