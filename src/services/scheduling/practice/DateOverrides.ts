/** What holds on single dates instead of a doctor's week (specification §2.5, §4.1). */

import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { type DoctorUid, type OrganisationUid, OverrideUid } from "../../../schemas/ids.ts"
import { paged } from "../../../schemas/paging.ts"
import { invalid, NotFound } from "../../../schemas/problems.ts"
import type {
  DateOverrideChanges,
  DateOverrideQuery,
  NewDateOverride
} from "../../../schemas/scheduling/DateOverride.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../DomainClock.ts"
import { transaction } from "../../transaction.ts"
import { newUid } from "../../uid.ts"
import { AppointmentTypes } from "./AppointmentTypes.ts"
import { DateOverridesRepo, type OverrideColumns } from "./DateOverridesRepo.ts"
import { Doctors } from "./Doctors.ts"

/** About six months: the most that one list spans, both ends counted. */
const MOST_DATES = 184

const notFound = new NotFound({ what: "Date override" })

/** The dates that a list shows: trimmed from the end, anchored at whichever bound is given, else at today (UTC). */
export const listedDates = (bounds: { readonly from?: number; readonly to?: number }, now: number) => {
  const span = (MOST_DATES - 1) * DAY
  const from = bounds.from ?? (bounds.to === undefined ? Math.floor(now / DAY) * DAY : bounds.to - span)
  return { from, to: Math.min(bounds.to ?? from + span, from + span) }
}

const columnsOf = ({ day_off, clear_appointment_type, ...plain }: DateOverrideChanges): OverrideColumns => ({
  ...plain,
  ...(day_off === true ? { start_time: null, end_time: null } : {}),
  ...(clear_appointment_type === true ? { appointment_type_uid: null } : {})
})

export class DateOverrides extends Effect.Service<DateOverrides>()("scheduling/DateOverrides", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const doctors = yield* Doctors
    const types = yield* AppointmentTypes
    const overrides = yield* DateOverridesRepo

    /** A page of at most 184 dates' overrides. 404: no such doctor. */
    const list = Effect.fn("DateOverrides.list")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      query: DateOverrideQuery
    ) {
      yield* doctors.ensure(owner, doctor)
      const dates = listedDates(query, yield* clock.now)
      const { rows, total } = yield* overrides.list(owner, doctor, { ...query, ...dates })
      return paged(rows, total, query.limit)
    })

    /** Adds hours or a day off, in place of what they replace. 404: no such doctor or appointment type. */
    const create = Effect.fn("DateOverrides.create")(
      function* (owner: OrganisationUid, doctor: DoctorUid, { day_off: _, ...fields }: NewDateOverride) {
        yield* doctors.ensure(owner, doctor)
        yield* types.ensure(owner, fields.appointment_type_uid)
        const now = yield* clock.now
        yield* overrides.lock(owner, doctor)
        const created = yield* overrides.insert(
          owner,
          { ...fields, uid: yield* newUid(OverrideUid), doctor_uid: doctor },
          now
        )
        yield* overrides.displace(owner, created, now)
        return created
      },
      transaction,
      Effect.provideService(SqlClient.SqlClient, sql)
    )

    /**
     * Changes what is sent; what it then is replaces what it would have replaced if it had been added so. 404: no such
     * override of that doctor, or no such appointment type. 400: what is sent does not fit what is there.
     */
    const update = Effect.fn("DateOverrides.update")(
      function* (owner: OrganisationUid, doctor: DoctorUid, uid: OverrideUid, changes: DateOverrideChanges) {
        yield* types.ensure(owner, changes.appointment_type_uid)
        yield* overrides.lock(owner, doctor)
        const updated = yield* overrides.update(owner, doctor, uid, columnsOf(changes))
        if (updated === undefined) return yield* notFound
        if (changes.day_off === false && updated.start_time === null) {
          return yield* invalid("start_time", "is required to make a day off a window, and end_time too")
        }
        yield* overrides.displace(owner, updated, yield* clock.now)
        return updated
      },
      transaction,
      Effect.provideService(SqlClient.SqlClient, sql)
    )

    /** 404: no such override of that doctor, or deleted already. */
    const remove = Effect.fn("DateOverrides.remove")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      uid: OverrideUid
    ) {
      const removed = yield* overrides.remove(owner, doctor, uid, yield* clock.now)
      if (!removed) return yield* notFound
    })
    return { list, create, update, remove } as const
  }),
  dependencies: [DomainClock.Default, Doctors.Default, AppointmentTypes.Default, DateOverridesRepo.Default]
}) {}
