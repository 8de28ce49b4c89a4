/** Hours and days off on single dates, which replace the weekly rules, of doctors (Rule 7.6) and of resources (Rule 18.1.3). */
import { Effect } from "effect"
import { isNothing } from "../../../schemas/fields.ts"
import { type OrganisationUid, OverrideUid } from "../../../schemas/ids.ts"
import { paged } from "../../../schemas/paging.ts"
import { invalid } from "../../../schemas/problems.ts"
import type {
  DateOverrideChanges,
  DateOverrideQuery,
  NewDateOverride,
  StoredOverride
} from "../../../schemas/scheduling/DateOverride.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../DomainClock.ts"
import { Database } from "../../database/Database.ts"
import { ANSWER_LIMITS } from "../../recordLimits.ts"
import { newUid } from "../../uid.ts"
import { FreedTime } from "../booking/FreedTime.ts"
import { AppointmentTypes } from "./AppointmentTypes.ts"
import {
  DateOverridesRepo,
  type OverrideColumns,
  type OverridesRepoOf,
  ResourceOverridesRepo
} from "./DateOverridesRepo.ts"
import { Doctors } from "./Doctors.ts"
import { Resources } from "./Resources.ts"
import { doctorSubject, type HoursOf, resourceSubject } from "./subjects.ts"

/** The dates of a list: truncated at the end, starting or ending at the given bound, else starting today (UTC). */
export const listedDates = (bounds: { readonly from?: number; readonly to?: number }, now: number) => {
  const span = (ANSWER_LIMITS.overrideDates - 1) * DAY
  const from = bounds.from ?? (bounds.to === undefined ? Math.floor(now / DAY) * DAY : bounds.to - span)
  return { from, to: Math.min(bounds.to ?? from + span, from + span) }
}

const assignmentsOf = ({ day_off, clear_appointment_type, ...plain }: DateOverrideChanges): OverrideColumns => ({
  ...plain,
  ...(day_off === true ? { start_time: null, end_time: null } : {}),
  ...(clear_appointment_type === true ? { appointment_type_uid: null } : {})
})

/** The overrides of one kind of subject. Methods fail with the subject's error where it does not exist. */
const overridesOf = <Uid extends string, E, R, A extends StoredOverride, R2>(
  subject: HoursOf<Uid, E, R>,
  repo: Effect.Effect<OverridesRepoOf<Uid, A>, never, R2>
) =>
  Effect.gen(function* () {
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const types = yield* AppointmentTypes
    const ensureSubject = yield* subject.ensure
    const freed = yield* FreedTime
    const overrides = yield* repo

    /** A page of the overrides of at most 184 dates. */
    const list = Effect.fn("DateOverrides.list")(function* (
      owner: OrganisationUid,
      whose: Uid,
      query: DateOverrideQuery
    ) {
      yield* ensureSubject(owner, whose)
      const dates = listedDates(query, yield* clock.now)
      return paged(yield* overrides.list(owner, whose, query, dates))
    })

    /**
     * Adds hours or a day off and deletes the overrides that it displaces. Fails with `AppointmentTypeNotFound`, and with `Invalid`
     * at a limit.
     */
    const create = Effect.fn("DateOverrides.create")(function* (
      owner: OrganisationUid,
      whose: Uid,
      { day_off: _, ...fields }: NewDateOverride
    ) {
      yield* ensureSubject(owner, whose)
      yield* types.ensure(owner, fields.appointment_type_uid)
      const now = yield* clock.now
      yield* overrides.lock(owner, whose)
      const created = yield* overrides.insert(owner, whose, { ...fields, uid: yield* newUid(OverrideUid) }, now)
      yield* overrides.displace(owner, whose, created, now)
      yield* overrides.ensureBelowLimits(owner, whose, created, now)
      return created
    }, transaction)

    /**
     * Updates the fields sent; the result displaces the same overrides as a new one would. Fails with `DateOverrideNotFound`,
     * `AppointmentTypeNotFound`, or `Invalid` if they conflict with stored ones.
     */
    const update = Effect.fn("DateOverrides.update")(function* (
      owner: OrganisationUid,
      whose: Uid,
      uid: OverrideUid,
      changes: DateOverrideChanges
    ) {
      if (isNothing(changes)) return yield* overrides.findForChange(owner, whose, uid)
      yield* types.ensure(owner, changes.appointment_type_uid)
      yield* overrides.lock(owner, whose)
      const now = yield* clock.now
      const before = changes.date === undefined ? undefined : yield* overrides.findForChange(owner, whose, uid)
      const updated = yield* overrides.update(owner, whose, uid, assignmentsOf(changes), now)
      if (changes.day_off === false && updated.start_time === null) {
        return yield* invalid("start_time", "is required to make a day off a window, and end_time too")
      }
      yield* overrides.displace(owner, whose, updated, now)
      if (before !== undefined && before.date !== updated.date)
        yield* overrides.ensureBelowLimits(owner, whose, updated, now)
      return updated
    }, transaction)

    /** Fails with `DateOverrideNotFound`, also if it was already deleted. */
    const remove = Effect.fn("DateOverrides.remove")(function* (owner: OrganisationUid, whose: Uid, uid: OverrideUid) {
      yield* overrides.remove(owner, whose, uid, yield* clock.now)
    })
    /** Time that a change opens is offered to the waiting list. */
    const offering = freed.offering(subject.doctors)
    return {
      list,
      findForChange: overrides.findForChange,
      create: offering(create),
      update: offering(update),
      remove: offering(remove)
    } as const
  })

export class DateOverrides extends Effect.Service<DateOverrides>()("scheduling/DateOverrides", {
  effect: overridesOf(doctorSubject, DateOverridesRepo),
  dependencies: [
    Database.Default,
    DomainClock.Default,
    Doctors.Default,
    AppointmentTypes.Default,
    DateOverridesRepo.Default,
    FreedTime.Default
  ]
}) {}

export class ResourceOverrides extends Effect.Service<ResourceOverrides>()("scheduling/ResourceOverrides", {
  effect: overridesOf(resourceSubject, ResourceOverridesRepo),
  dependencies: [
    Database.Default,
    DomainClock.Default,
    Resources.Default,
    AppointmentTypes.Default,
    ResourceOverridesRepo.Default,
    FreedTime.Default
  ]
}) {}
