/**
 * Hours and days off on single dates, which replace the weekly rules, of doctors (Rule 7.6) and of resources (Rule 18.1.3): the only writer
 * of their table.
 */
import { Effect, type Schema } from "effect"
import { isNothing } from "../../../schemas/fields.ts"
import { type OrganisationUid, OverrideUid } from "../../../schemas/ids.ts"
import { paged } from "../../../schemas/paging.ts"
import { invalid } from "../../../schemas/problems.ts"
import type { OverrideEntry } from "../../../schemas/provisioning/scheduling.ts"
import {
  DateOverride,
  type DateOverrideChanges,
  type DateOverrideQuery,
  type NewDateOverride,
  ResourceOverride,
  type StoredOverride
} from "../../../schemas/scheduling/DateOverride.ts"
import { DateOverrideNotFound } from "../../../schemas/scheduling/errors.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../DomainClock.ts"
import { changedSince } from "../../database/changedSince.ts"
import { Database } from "../../database/Database.ts"
import { anyOr, countOf, done, rowsOf } from "../../database/rows.ts"
import { Sql } from "../../database/Sql.ts"
import { calendarDate, onConstraint, timestamp } from "../../database/SqlErrors.ts"
import { pageOf, windowOf } from "../../database/totals.ts"
import { ANSWER_LIMITS, ensureBelowLimit, RECORD_LIMITS } from "../../recordLimits.ts"
import { Service } from "../../Service.ts"
import { newUid } from "../../uid.ts"
import { FreedTime } from "../booking/FreedTime.ts"
import { AppointmentTypes } from "./AppointmentTypes.ts"
import { Doctors } from "./Doctors.ts"
import { Resources } from "./Resources.ts"
import { doctorSubject, type HoursOf, resourceSubject } from "./subjects.ts"

/** The fields that decide which overrides displace each other; a day off has no start. */
interface Displacing {
  readonly date: number
  readonly start_time: number | null
  readonly appointment_type_uid: string | null
}

/** Whether a new or changed override deletes this one: the same rules as `displace`, which documents them. */
export const isDisplaced = (one: Displacing, by: Displacing) => {
  const isSameScope = one.appointment_type_uid === by.appointment_type_uid
  if (one.date !== by.date) return false
  if (one.start_time === null) return isSameScope
  return by.start_time === null && (by.appointment_type_uid === null || isSameScope)
}

/** A search also reads the three dates before now: their hours may reach into today in some zone. */
const READ_BACK = 3 * DAY

const notFound = () => new DateOverrideNotFound()
const window = () => invalid("end_time", "must be after start_time, and both are required unless day_off is true")

/** The dates of a list: truncated at the end, starting or ending at the given bound, else starting today (UTC). */
export const listedDates = (bounds: { readonly from?: number; readonly to?: number }, now: number) => {
  const span = (ANSWER_LIMITS.overrideDates - 1) * DAY
  const from = bounds.from ?? (bounds.to === undefined ? Math.floor(now / DAY) * DAY : bounds.to - span)
  return { from, to: Math.min(bounds.to ?? from + span, from + span) }
}

/** The columns that an update sets. */
const assignmentsOf = ({ day_off, clear_appointment_type, date, ...plain }: DateOverrideChanges) => ({
  ...plain,
  ...(date !== undefined && { date: calendarDate(date) }),
  ...(day_off === true && { start_time: null, end_time: null }),
  ...(clear_appointment_type === true && { appointment_type_uid: null })
})

/** The overrides of one kind of subject. Methods fail with the subject's error where it does not exist. */
const overridesOf = <Uid extends string, E, R, A extends StoredOverride, I>(
  { column, noun, ensure: subject, doctors }: HoursOf<Uid, E, R>,
  record: Schema.Schema<A, I>
) =>
  Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const types = yield* AppointmentTypes
    const ensureSubject = yield* subject
    const freed = yield* FreedTime
    const overrides = rowsOf(record)
    const columns = sql`uid, ${sql(column)}, extract(epoch FROM date)::bigint AS date, start_time, end_time, buffer_minutes,
      appointment_type_uid, updated_at`
    const of = (owner: OrganisationUid, whose: Uid) =>
      sql`organisation_uid = ${owner} AND ${sql(column)} = ${whose} AND deleted_at IS NULL`

    /** Serialises changes of one subject's dates, so that each sees the previous ones. */
    const lock = (owner: OrganisationUid, whose: Uid) =>
      done(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`dates ${owner}/${whose}`}, 0))`)

    /** A page of the overrides of at most 184 dates. */
    const list = Effect.fn("DateOverrides.list")(function* (
      owner: OrganisationUid,
      whose: Uid,
      query: DateOverrideQuery
    ) {
      yield* ensureSubject(owner, whose)
      const { from, to } = listedDates(query, yield* clock.now)
      const within = sql.and([
        sql`${of(owner, whose)} AND date BETWEEN ${calendarDate(from)} AND ${calendarDate(to)}`,
        ...changedSince(sql, query)
      ])
      const { limit, offset } = windowOf(query)
      const [date, start, uid] = query.after ?? []
      const afterCursor =
        date === undefined
          ? []
          : [sql`(date, coalesce(start_time, -1), uid) > (${calendarDate(date)}, ${start}::integer, ${uid})`]
      const page = yield* pageOf(
        query,
        overrides.all(sql`SELECT ${columns} FROM availability_date_overrides WHERE ${sql.and([within, ...afterCursor])}
          ORDER BY date, coalesce(start_time, -1), uid LIMIT ${limit} OFFSET ${offset}`),
        (one) => [one.date, one.start_time ?? -1, one.uid] as const,
        countOf(sql`SELECT count(*) FROM availability_date_overrides WHERE ${within}`)
      )
      return paged(page)
    })

    /** The overrides on `date`, and those on the date of the override `uid`. */
    const onDates = (
      owner: OrganisationUid,
      whose: Uid,
      { date, uid }: { readonly date: number | undefined; readonly uid: OverrideUid | undefined }
    ) => {
      const wanted = [
        ...(date === undefined ? [] : [sql`date = ${calendarDate(date)}`]),
        ...(uid === undefined
          ? []
          : [sql`date IN (SELECT date FROM availability_date_overrides WHERE ${of(owner, whose)} AND uid = ${uid})`])
      ]
      return overrides.all(sql`SELECT ${columns} FROM availability_date_overrides
        WHERE ${of(owner, whose)} AND ${sql.or(wanted)}`)
    }

    /** All overrides from three days before `now` on. */
    const since = (owner: OrganisationUid, whose: Uid, now: number) =>
      overrides.all(sql`SELECT ${columns} FROM availability_date_overrides
        WHERE ${of(owner, whose)} AND date >= ${calendarDate(now - READ_BACK)}`)

    /** Fails with `DateOverrideNotFound` unless the subject has the override. */
    const ensure = (owner: OrganisationUid, whose: Uid, uid: OverrideUid) =>
      anyOr(sql`SELECT 1 FROM availability_date_overrides WHERE ${of(owner, whose)} AND uid = ${uid}`, notFound)

    /** Locks an override until the transaction ends. Fails with `DateOverrideNotFound`. */
    const findForChange = Effect.fn("DateOverrides.findForChange")(
      (owner: OrganisationUid, whose: Uid, uid: OverrideUid) =>
        overrides.firstOr(
          sql`SELECT ${columns} FROM availability_date_overrides
            WHERE ${of(owner, whose)} AND uid = ${uid} FOR NO KEY UPDATE`,
          notFound
        )
    )

    /** Fails with `Invalid` if a new or moved override exceeds the limit of its date or of the organisation. */
    const ensureBelowLimits = (owner: OrganisationUid, whose: Uid, { uid, date }: A, now: number) =>
      Effect.zipRight(
        ensureBelowLimit(
          sql`SELECT count(*) AS count FROM availability_date_overrides
            WHERE ${of(owner, whose)} AND date = ${calendarDate(date)} AND uid <> ${uid}`,
          RECORD_LIMITS.overrides,
          "date",
          `hours of the ${noun} on this date`
        ),
        ensureBelowLimit(
          sql`SELECT count(*) AS count FROM availability_date_overrides
            WHERE organisation_uid = ${owner} AND deleted_at IS NULL AND date >= ${calendarDate(now - READ_BACK)} AND uid <> ${uid}`,
          RECORD_LIMITS.allOverrides,
          "date",
          "overrides of all doctors and resources"
        )
      )

    /**
     * Deletes the overrides that `by` replaces. A day off replaces the windows of its date, only those of its own type if it has one. A
     * day off or a window replaces another day off of the same scope.
     */
    const displace = (owner: OrganisationUid, whose: Uid, by: A, now: number) =>
      done(sql`UPDATE availability_date_overrides SET deleted_at = to_timestamp(${now})
        WHERE ${of(owner, whose)} AND date = ${calendarDate(by.date)} AND uid <> ${by.uid}
          AND CASE WHEN start_time IS NULL
            THEN appointment_type_uid IS NOT DISTINCT FROM ${by.appointment_type_uid}
            ELSE ${by.start_time === null} AND (${by.appointment_type_uid}::text IS NULL
              OR appointment_type_uid = ${by.appointment_type_uid}) END`)

    /**
     * Adds hours or a day off and deletes the overrides that it displaces. Fails with `AppointmentTypeNotFound`, and with `Invalid`
     * at a limit.
     */
    const create = Effect.fn("DateOverrides.create")(function* (
      owner: OrganisationUid,
      whose: Uid,
      { day_off: _, date, ...fields }: NewDateOverride
    ) {
      yield* ensureSubject(owner, whose)
      yield* types.ensure(owner, fields.appointment_type_uid)
      const now = yield* clock.now
      yield* lock(owner, whose)
      const row = {
        ...fields,
        organisation_uid: owner,
        uid: yield* newUid(OverrideUid),
        [column]: whose,
        date: calendarDate(date),
        created_at: timestamp(now),
        updated_at: timestamp(now)
      }
      const created = yield* overrides.one(
        sql`INSERT INTO availability_date_overrides ${sql.insert(row)} RETURNING ${columns}`
      )
      yield* displace(owner, whose, created, now)
      yield* ensureBelowLimits(owner, whose, created, now)
      return created
    }, transaction)

    /** Creates or replaces an override of a provisioning file, also one that was deleted. */
    const provision = Effect.fn("DateOverrides.provision")(function* (
      owner: OrganisationUid,
      { uid, date, day_off: _, ...entry }: OverrideEntry
    ) {
      const now = timestamp(yield* clock.now)
      const row = { ...entry, date: calendarDate(date), updated_at: now }
      const key = { organisation_uid: owner, uid, created_at: now }
      yield* sql`INSERT INTO availability_date_overrides ${sql.insert({ ...key, ...row })}
        ON CONFLICT (organisation_uid, uid) DO UPDATE SET ${sql.update(row)}, deleted_at = NULL`
    })

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
      if (isNothing(changes)) return yield* findForChange(owner, whose, uid)
      yield* types.ensure(owner, changes.appointment_type_uid)
      yield* lock(owner, whose)
      const now = yield* clock.now
      const before = changes.date === undefined ? undefined : yield* findForChange(owner, whose, uid)
      const updated = yield* overrides.firstOr(
        sql`UPDATE availability_date_overrides SET ${sql.update({ ...assignmentsOf(changes), updated_at: timestamp(now) })}
          WHERE ${of(owner, whose)} AND uid = ${uid} RETURNING ${columns}`.pipe(
          onConstraint("availability_date_overrides_window", window)
        ),
        notFound
      )
      if (changes.day_off === false && updated.start_time === null) {
        return yield* invalid("start_time", "is required to make a day off a window, and end_time too")
      }
      yield* displace(owner, whose, updated, now)
      if (before !== undefined && before.date !== updated.date) yield* ensureBelowLimits(owner, whose, updated, now)
      return updated
    }, transaction)

    /** Fails with `DateOverrideNotFound`, also if it was already deleted. */
    const remove = Effect.fn("DateOverrides.remove")(function* (owner: OrganisationUid, whose: Uid, uid: OverrideUid) {
      yield* anyOr(
        sql`UPDATE availability_date_overrides SET deleted_at = to_timestamp(${yield* clock.now})
          WHERE ${of(owner, whose)} AND uid = ${uid} RETURNING uid`,
        notFound
      )
    })
    /** A change may open time. */
    const offering = freed.offering(doctors)
    return {
      list,
      onDates,
      since,
      ensure,
      findForChange,
      create: offering(create),
      provision,
      update: offering(update),
      remove: offering(remove)
    } as const
  })

export class DateOverrides extends Service<DateOverrides>()("scheduling/DateOverrides", {
  effect: overridesOf(doctorSubject, DateOverride),
  dependencies: [Doctors.Default, AppointmentTypes.Default, FreedTime.Default]
}) {}

export class ResourceOverrides extends Service<ResourceOverrides>()("scheduling/ResourceOverrides", {
  effect: overridesOf(resourceSubject, ResourceOverride),
  dependencies: [Resources.Default, AppointmentTypes.Default, FreedTime.Default]
}) {}
