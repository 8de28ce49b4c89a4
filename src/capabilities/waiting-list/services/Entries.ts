/** Entries of the waiting list: who waits for what (section 19.1). */

import { Effect, Option } from "effect"
import { type Actor, system } from "../../../schemas/access/Actor.ts"
import { isNothing, UnixSeconds } from "../../../schemas/fields.ts"
import type { AppointmentUid, OrganisationUid, PatientUid } from "../../../schemas/ids.ts"
import { paged } from "../../../schemas/paging.ts"
import { Invalid, invalid } from "../../../schemas/problems.ts"
import { DAY, HOUR } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Database } from "../../../services/database/Database.ts"
import { Patients } from "../../../services/patients/Patients.ts"
import { Service } from "../../../services/Service.ts"
import type { Caller } from "../../../services/scheduling/appointments/Appointments.ts"
import { rebookingBlock } from "../../../services/scheduling/appointments/Replacements.ts"
import type { StoredAppointment } from "../../../services/scheduling/appointments/StoredAppointment.ts"
import { BookingLocks } from "../../../services/scheduling/booking/BookingLocks.ts"
import { BookingRepo } from "../../../services/scheduling/booking/BookingRepo.ts"
import { BookingSessions } from "../../../services/scheduling/booking/BookingSessions.ts"
import { AppointmentTypes } from "../../../services/scheduling/practice/AppointmentTypes.ts"
import { Doctors } from "../../../services/scheduling/practice/Doctors.ts"
import { OwnerByKey } from "../../../services/tenancy/OwnerByKey.ts"
import { hashOf, newCodeOf, newUid } from "../../../services/uid.ts"
import { TooManyEntries, WaitlistEntryNotFound, WaitlistEntryOver } from "../schemas/errors.ts"
import {
  ENTRIES_MAX,
  ENTRY_DAYS_MAX,
  type NewWaitlistEntry,
  type OwnWaitlistEntry,
  type WaitlistEntryChanges,
  type WaitlistEntryQuery,
  WaitlistEntryUid
} from "../schemas/Waitlist.ts"
import type { WaitlistEntryEntry } from "../schemas/WaitlistEntryEntry.ts"
import { Offers } from "./Offers.ts"
import { publicEntry, type StoredEntry, staffEntry, WaitlistRepo } from "./WaitlistRepo.ts"

type Wish = Omit<NewWaitlistEntry, "patient_uid" | "need" | "need_reason">

/** Identifies a wish; a range that was not sent is none, so that the same request finds its entry again. */
const wishOf = ({ doctor_uids, weekdays, times, from, to, ...wish }: Wish) =>
  hashOf(
    JSON.stringify([
      wish.appointment_type_uid,
      wish.appointment_uid,
      [...new Set(doctor_uids)].sort(),
      [...new Set(weekdays)].sort(),
      times.map((one) => [one.from, one.to]).sort(([a = 0], [b = 0]) => a - b),
      from ?? null,
      to ?? null
    ])
  ).toString("base64url")

/** The range that is waited for. Fails with `Invalid`. */
const rangeOf = ({ from, to, times }: Pick<Wish, "from" | "to" | "times">, now: number) => {
  const first = from ?? UnixSeconds.make(now)
  const last = to ?? UnixSeconds.make(Math.max(first, now) + ENTRY_DAYS_MAX * DAY)
  const faults = [
    ...times.flatMap((one, at) =>
      one.to <= one.from ? [{ field: `times[${at}].to`, message: "must be after from" }] : []
    ),
    ...(last <= first ? [{ field: "to", message: "must be after from" }] : []),
    ...(last > first && last <= now ? [{ field: "to", message: "must be in the future" }] : []),
    ...(last - Math.max(first, now) > ENTRY_DAYS_MAX * DAY
      ? [{ field: "to", message: `must be at most ${ENTRY_DAYS_MAX} days after from` }]
      : [])
  ]
  return faults.length > 0 ? Effect.fail(new Invalid({ faults })) : Effect.succeed({ from: first, to: last })
}

export class Entries extends Service<Entries>()("scheduling/WaitlistEntries", {
  effect: Effect.gen(function* () {
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const byKey = yield* OwnerByKey
    const repo = yield* WaitlistRepo
    const offers = yield* Offers
    const patients = yield* Patients
    const sessions = yield* BookingSessions
    const appointments = yield* BookingRepo
    const locks = yield* BookingLocks
    const types = yield* AppointmentTypes
    const doctors = yield* Doctors

    /** Fails with `Invalid`, naming each doctor whom the organisation does not have. */
    const ensureDoctors = Effect.fnUntraced(function* (owner: OrganisationUid, uids: Wish["doctor_uids"] = []) {
      const found = yield* Effect.forEach(uids, (uid) => Effect.option(doctors.ensure(owner, uid)))
      const faults = found.flatMap((one, at) =>
        Option.isNone(one) ? [{ field: `doctor_uids[${at}]`, message: "is no doctor of the organisation" }] : []
      )
      if (faults.length > 0) return yield* new Invalid({ faults })
    })

    /**
     * Fails with `Invalid` unless it is a confirmed appointment of the patient that lies ahead, and one that a patient who asks may move.
     */
    const ensureReplaceable = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      patient: PatientUid,
      uid: AppointmentUid | null | undefined,
      actor: Actor,
      now: number
    ) {
      if (uid === null || uid === undefined) return
      const found = yield* Effect.option(appointments.find(owner, uid, now))
      const original = Option.getOrUndefined(found)
      if (original?.patient_uid !== patient || original.status !== "confirmed" || original.start_date <= now)
        return yield* invalid("appointment_uid", "must be a future, confirmed appointment of the patient")
      const block = rebookingBlock(original, actor, now)
      if (Option.isSome(block)) return yield* invalid(block.value.field, block.value.reason)
    })

    /** Adds an entry, or returns the live one with the same wish. */
    const add = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      request: NewWaitlistEntry,
      actor: Actor,
      session: StoredSession | null
    ) {
      const now = yield* clock.now
      const { patient_uid, appointment_type_uid, need, need_reason, ...rest } = request
      const wish = wishOf(request)
      yield* locks.lock(owner, { doctor_uids: [] }, patient_uid, true)
      const live = yield* repo.liveOf(owner, patient_uid)
      const same = live.find((one) => one.wish === wish)
      if (same !== undefined) return { entry: same, created: false }
      yield* types.ensure(owner, appointment_type_uid)
      if (!(yield* repo.takesEntries(owner, appointment_type_uid)))
        return yield* invalid("appointment_type_uid", "has no waiting list: `waitlist` of the type is false")
      yield* ensureDoctors(owner, rest.doctor_uids)
      yield* ensureReplaceable(owner, patient_uid, rest.appointment_uid, actor, now)
      const range = yield* rangeOf(rest, now)
      const [first] = live
      if (live.length >= ENTRIES_MAX && first !== undefined)
        return yield* new TooManyEntries({ retry_after_seconds: Math.min(DAY, Math.max(HOUR, first.to - now)) })
      const entry = yield* repo.insert(
        {
          organisation_uid: owner,
          uid: yield* newUid(WaitlistEntryUid),
          patient_uid,
          appointment_type_uid,
          ...rest,
          ...range,
          need,
          need_reason,
          actor,
          wish,
          booking_session_uid: session?.uid ?? null
        },
        now
      )
      yield* offers.closeLapsed(owner)
      return { entry, created: true }
    })

    /** Creates or replaces the wish and the need of an entry of a provisioning file. Fails with `Invalid`. */
    const provision = Effect.fn("Entries.provision")(function* (given: WaitlistEntryEntry) {
      const { organisation_uid: owner, uid, ...entry } = given
      const now = yield* clock.now
      const range = yield* rangeOf(entry, now)
      const row = { organisation_uid: owner, uid, ...entry, ...range, wish: wishOf(entry) }
      const known = yield* Effect.option(repo.lock(owner, uid))
      yield* Option.isSome(known)
        ? Effect.orDie(repo.update(owner, uid, row, now))
        : repo.insert({ ...row, actor: system, booking_session_uid: null }, now)
    })

    const shownWith = ({ entry, created }: { readonly entry: StoredEntry; readonly created: boolean }) => ({
      entry: staffEntry(entry),
      created
    })

    const list = Effect.fn("Entries.list")(function* (owner: OrganisationUid, query: WaitlistEntryQuery) {
      const found = yield* repo.list(owner, query)
      return paged({ ...found, rows: found.rows.map(staffEntry) })
    })

    /** Fails with `WaitlistEntryNotFound`. */
    const get = (owner: OrganisationUid, uid: WaitlistEntryUid) => Effect.map(repo.find(owner, uid), staffEntry)
    /** As `get`, locked until the transaction ends. */
    const findForChange = (owner: OrganisationUid, uid: WaitlistEntryUid) =>
      Effect.map(repo.lock(owner, uid), staffEntry)

    /** Fails with `PatientNotFound`, `AppointmentTypeNotFound`, `Invalid` and `TooManyEntries`. */
    const create = Effect.fn("Entries.create")(function* (
      { organisation_uid, actor }: Caller,
      request: NewWaitlistEntry
    ) {
      yield* patients.ensure(organisation_uid, request.patient_uid)
      return shownWith(yield* add(organisation_uid, request, actor, null))
    }, transaction)

    const change = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      uid: WaitlistEntryUid,
      changes: WaitlistEntryChanges,
      actor: Actor
    ) {
      const before = yield* repo.lock(owner, uid)
      const now = yield* clock.now
      if (before.status === "booked" || before.status === "ended") {
        if (changes.status === "ended" && before.status === "ended") return before
        return yield* new WaitlistEntryOver()
      }
      if (isNothing(changes)) return before
      const { status, ...fields } = changes
      yield* ensureDoctors(owner, changes.doctor_uids)
      if (changes.appointment_uid !== undefined && changes.appointment_uid !== before.appointment_uid)
        yield* ensureReplaceable(owner, before.patient_uid, changes.appointment_uid, actor, now)
      const after = { ...before, ...fields }
      const isRange = "from" in fields || "to" in fields || "times" in fields
      if (isRange) yield* rangeOf(after, now)
      const isWish = Object.keys(fields).some((field) => field !== "need" && field !== "need_reason")
      const next = status === "waiting" && before.status === "offered" ? before.status : (status ?? before.status)
      const updated = yield* repo.update(
        owner,
        uid,
        {
          ...fields,
          status: next,
          ...(status === "waiting" && { unanswered: 0 }),
          ...(isWish && { wish: wishOf(after) })
        },
        now
      )
      if (next === "ended") yield* offers.end(updated)
      if (next === "waiting" && before.status === "paused") yield* offers.closeLapsed(owner)
      return updated
    })

    /** Updates the fields sent. Fails with `WaitlistEntryNotFound`, `WaitlistEntryOver` and `Invalid`. */
    const update = Effect.fn("Entries.update")(function* (
      { organisation_uid, actor }: Caller,
      uid: WaitlistEntryUid,
      changes: WaitlistEntryChanges
    ) {
      return staffEntry(yield* change(organisation_uid, uid, changes, actor))
    }, transaction)

    const removeEntry = Effect.fnUntraced(function* (entry: StoredEntry) {
      yield* repo.remove(entry.organisation_uid, entry.uid, yield* clock.now)
      yield* offers.end(entry)
    })

    /** Fails with `WaitlistEntryNotFound`, also if it was already deleted. */
    const remove = Effect.fn("Entries.remove")(function* (owner: OrganisationUid, uid: WaitlistEntryUid) {
      yield* removeEntry(yield* repo.lock(owner, uid))
    }, transaction)

    // ---- By launch code

    const ownOf = Effect.fnUntraced(function* (session: StoredSession) {
      return yield* Effect.flatten(repo.ofSession(session.organisation_uid, session.uid)).pipe(
        Effect.mapError(() => new WaitlistEntryNotFound())
      )
    })

    /** One entry a launch code: another wish changes it, and keeps its place. */
    const createOwn = Effect.fn("Entries.createOwn")(function* (code: string, request: OwnWaitlistEntry) {
      const session = yield* sessions.byLaunchCode(code)
      const { organisation_uid: owner, patient_uid } = session
      const wanted: NewWaitlistEntry = {
        ...request,
        patient_uid,
        appointment_type_uid: request.appointment_type_uid ?? session.appointment_type_uid,
        appointment_uid:
          request.appointment_uid === undefined ? session.replaces_appointment_uid : request.appointment_uid,
        need: "routine",
        need_reason: null
      }
      if (session.mode === "booking" && wanted.appointment_type_uid !== session.appointment_type_uid)
        return yield* invalid("appointment_type_uid", "must be the type that the session was opened for")
      const actor: Actor = { kind: "patient", uid: patient_uid }
      const existing = yield* repo.ofSession(owner, session.uid)
      if (Option.isSome(existing) && existing.value.status !== "booked" && existing.value.status !== "ended") {
        const { uid, wish, ...entry } = existing.value
        if (wish === wishOf(wanted)) return { entry: publicEntry(existing.value), created: false }
        const now = yield* clock.now
        const range = yield* rangeOf(wanted, now)
        const { doctor_uids, weekdays, times, appointment_uid } = wanted
        const changed = yield* change(owner, uid, { doctor_uids, weekdays, times, appointment_uid, ...range }, actor)
        const kept = yield* repo.update(
          owner,
          uid,
          { wish: wishOf({ ...wanted, appointment_type_uid: entry.appointment_type_uid }) },
          now
        )
        return { entry: publicEntry({ ...changed, ...kept }), created: false }
      }
      return shownWith(yield* add(owner, wanted, actor, session))
    }, transaction)

    const getOwn = Effect.fn("Entries.getOwn")(function* (code: string) {
      return publicEntry(yield* ownOf(yield* sessions.byLaunchCode(code)))
    })

    const removeOwn = Effect.fn("Entries.removeOwn")(function* (code: string) {
      const own = yield* ownOf(yield* sessions.byLaunchCode(code))
      yield* remove(own.organisation_uid, own.uid)
    })

    // ---- By the patient's pages

    /** For an earlier time than the appointment's, whose patient asks on its page. Fails as `create`, without `PatientNotFound`. */
    const createSooner = Effect.fn("Entries.createSooner")(function* (
      { organisation_uid, patient_uid, uid, appointment_type_uid }: StoredAppointment,
      actor: Actor,
      times: Wish["times"]
    ) {
      if (appointment_type_uid === null) return yield* invalid("appointment_type_uid", "is not that of a type")
      const any = { doctor_uids: [], weekdays: [], need: "routine" as const, need_reason: null }
      const wanted = { ...any, patient_uid, appointment_type_uid, appointment_uid: uid, times }
      return shownWith(yield* add(organisation_uid, wanted, actor, null))
    }, transaction)

    /** The patient pauses, goes on or leaves. An entry that is over, removed or of somebody else stays as it is. */
    const steer = Effect.fn("Entries.steer")(
      function* (
        { organisation_uid, patient_uid }: Pick<StoredEntry, "organisation_uid" | "patient_uid">,
        uid: WaitlistEntryUid,
        to: "waiting" | "paused" | "ended"
      ) {
        const entry = yield* repo.lock(organisation_uid, uid)
        if (entry.patient_uid !== patient_uid) return
        if (to === "ended") return yield* removeEntry(entry)
        yield* change(organisation_uid, uid, { status: to }, { kind: "patient", uid: patient_uid })
      },
      transaction,
      Effect.catchTags({ WaitlistEntryNotFound: () => Effect.void, WaitlistEntryOver: () => Effect.void }),
      Effect.catchTag("Invalid", Effect.die)
    )

    /** The code of a new link to the entry's page. */
    const issueCode = Effect.fn("Entries.issueCode")(function* (owner: OrganisationUid, uid: WaitlistEntryUid) {
      const code = yield* newCodeOf("wle", owner)
      yield* repo.setCode(owner, uid, code)
      return code
    })

    /** The entry of the link to its page. Fails with `WaitlistEntryNotFound`, also once it was removed. */
    const behind = Effect.fn("Entries.behind")((code: string) => {
      const unknown = () => new WaitlistEntryNotFound()
      return byKey.ofCode(code, unknown, (owner) => repo.entryOfCode(owner, code))
    })

    return {
      list,
      get,
      findForChange,
      create,
      provision,
      update,
      remove,
      createOwn,
      getOwn,
      removeOwn,
      createSooner,
      steer,
      issueCode,
      behind,
      isOnPages: repo.isOnPages,
      doctorsOf: repo.offeringDoctors,
      ofPatient: repo.shownOf,
      /** Every entry of a patient with its offers, for an export. */
      exported: (owner: OrganisationUid, patient: PatientUid) =>
        Effect.flatMap(repo.ofPatient(owner, patient), (all) =>
          Effect.forEach(all, (entry) =>
            Effect.map(repo.offersTo(owner, entry.uid), (offers) => ({ ...staffEntry(entry), offers }))
          )
        )
    } as const
  }),
  dependencies: [
    OwnerByKey.Default,
    WaitlistRepo.Default,
    Offers.Default,
    Patients.Default,
    BookingSessions.Default,
    BookingRepo.Default,
    BookingLocks.Default,
    AppointmentTypes.Default,
    Doctors.Default
  ]
}) {}

type StoredSession = Effect.Effect.Success<ReturnType<BookingSessions["byLaunchCode"]>>
