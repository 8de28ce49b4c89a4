/** The repository of date overrides, of doctors and of resources. */
import { Effect, Schema } from "effect"
import type { OrganisationUid, OverrideUid } from "../../../schemas/ids.ts"
import { invalid } from "../../../schemas/problems.ts"
import type { OverrideEntry } from "../../../schemas/provisioning/scheduling.ts"
import {
  DateOverride,
  type DateOverrideQuery,
  ResourceOverride,
  type StoredOverride
} from "../../../schemas/scheduling/DateOverride.ts"
import { DateOverrideNotFound } from "../../../schemas/scheduling/errors.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { changedSince } from "../../database/changedSince.ts"
import { anyOr, rowsOf } from "../../database/rows.ts"
import { Sql } from "../../database/Sql.ts"
import { calendarDate, onConstraint, timestamp } from "../../database/SqlErrors.ts"
import { pageOf, windowOf } from "../../database/totals.ts"
import { ensureBelowLimit, RECORD_LIMITS } from "../../recordLimits.ts"
import { doctorSubject, type HoursOf, resourceSubject } from "./subjects.ts"

/** Columns that an update may set; `date` in Unix seconds. */
export type OverrideColumns = Partial<Omit<DateOverride, "uid" | "doctor_uid" | "updated_at">>

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

/** The overrides of one kind of subject. */
const repoOf = <Uid extends string, A extends StoredOverride, I>(
  { column, noun }: Pick<HoursOf<Uid, unknown, unknown>, "column" | "noun">,
  record: Schema.Schema<A, I>
) =>
  Effect.gen(function* () {
    const sql = yield* Sql
    const overrides = rowsOf(record)
    const counts = rowsOf(Schema.Struct({ total: Schema.Number }))
    const columns = sql`uid, ${sql(column)}, extract(epoch FROM date)::bigint AS date, start_time, end_time, buffer_minutes,
      appointment_type_uid, updated_at`
    const of = (owner: OrganisationUid, whose: Uid) =>
      sql`organisation_uid = ${owner} AND ${sql(column)} = ${whose} AND deleted_at IS NULL`

    /** Serialises changes of one subject's dates, so that each sees the previous ones. */
    const lock = (owner: OrganisationUid, whose: Uid) =>
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${`dates ${owner}/${whose}`}, 0))`.pipe(
        Effect.orDie,
        Effect.asVoid
      )

    /** Dates from `from` to `to`, both inclusive. */
    const list = Effect.fn("DateOverridesRepo.list")(
      (
        owner: OrganisationUid,
        whose: Uid,
        query: DateOverrideQuery,
        dates: { readonly from: number; readonly to: number }
      ) => {
        const within = sql.and([
          sql`${of(owner, whose)} AND date BETWEEN ${calendarDate(dates.from)} AND ${calendarDate(dates.to)}`,
          ...changedSince(sql, query)
        ])
        const window = windowOf(query)
        const [date, start, uid] = query.after ?? []
        const afterCursor =
          date === undefined
            ? []
            : [sql`(date, coalesce(start_time, -1), uid) > (${calendarDate(date)}, ${start}::integer, ${uid})`]
        return pageOf(
          query,
          overrides.all(sql`SELECT ${columns} FROM availability_date_overrides WHERE ${sql.and([within, ...afterCursor])}
            ORDER BY date, coalesce(start_time, -1), uid LIMIT ${window.limit} OFFSET ${window.offset}`),
          (one) => [one.date, one.start_time ?? -1, one.uid] as const,
          counts.one(sql`SELECT count(*) AS total FROM availability_date_overrides WHERE ${within}`)
        )
      }
    )

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
    const findForChange = Effect.fn("DateOverridesRepo.findForChange")(
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

    const insert = Effect.fn("DateOverridesRepo.insert")(
      (owner: OrganisationUid, whose: Uid, { date, ...row }: Omit<StoredOverride, "updated_at">, now: number) =>
        overrides.one(
          sql`INSERT INTO availability_date_overrides ${sql.insert({
            ...row,
            [column]: whose,
            organisation_uid: owner,
            date: calendarDate(date),
            created_at: timestamp(now),
            updated_at: timestamp(now)
          })} RETURNING ${columns}`
        )
    )

    /** Creates or replaces an override of a provisioning file, also one that was deleted. */
    const provision = Effect.fn("DateOverridesRepo.provision")(
      (owner: OrganisationUid, { uid, date, day_off: _, ...entry }: OverrideEntry, now: number) => {
        const row = { ...entry, date: calendarDate(date), updated_at: timestamp(now) }
        const key = { organisation_uid: owner, uid, created_at: timestamp(now) }
        return sql`INSERT INTO availability_date_overrides ${sql.insert({ ...key, ...row })}
          ON CONFLICT (organisation_uid, uid) DO UPDATE SET ${sql.update(row)}, deleted_at = NULL`
      }
    )

    /** Fails with `DateOverrideNotFound`, or `Invalid` if the row would have only one bound or an empty window. */
    const update = Effect.fn("DateOverridesRepo.update")(
      (owner: OrganisationUid, whose: Uid, uid: OverrideUid, { date, ...plain }: OverrideColumns, now: number) =>
        overrides.firstOr(
          sql`UPDATE availability_date_overrides
            SET ${sql.update({ ...plain, ...(date !== undefined && { date: calendarDate(date) }), updated_at: timestamp(now) })}
            WHERE ${of(owner, whose)} AND uid = ${uid} RETURNING ${columns}`.pipe(
            onConstraint("availability_date_overrides_window", window)
          ),
          notFound
        )
    )

    /**
     * Deletes the overrides that `by` replaces. A day off replaces the windows of its date, only those of its own type if it has one. A
     * day off or a window replaces another day off of the same scope.
     */
    const displace = (owner: OrganisationUid, whose: Uid, by: A, now: number) =>
      sql`UPDATE availability_date_overrides SET deleted_at = to_timestamp(${now})
        WHERE ${of(owner, whose)} AND date = ${calendarDate(by.date)} AND uid <> ${by.uid}
          AND CASE WHEN start_time IS NULL
            THEN appointment_type_uid IS NOT DISTINCT FROM ${by.appointment_type_uid}
            ELSE ${by.start_time === null} AND (${by.appointment_type_uid}::text IS NULL
              OR appointment_type_uid = ${by.appointment_type_uid}) END`.pipe(Effect.orDie, Effect.asVoid)

    /** Fails with `DateOverrideNotFound`. */
    const remove = (owner: OrganisationUid, whose: Uid, uid: OverrideUid, now: number) =>
      anyOr(
        sql`UPDATE availability_date_overrides SET deleted_at = to_timestamp(${now})
          WHERE ${of(owner, whose)} AND uid = ${uid} RETURNING uid`,
        notFound
      )
    return {
      lock,
      list,
      onDates,
      since,
      ensure,
      findForChange,
      ensureBelowLimits,
      insert,
      provision,
      update,
      displace,
      remove
    } as const
  })

export type OverridesRepoOf<Uid extends string, A extends StoredOverride> = Effect.Effect.Success<
  ReturnType<typeof repoOf<Uid, A, unknown>>
>

export class DateOverridesRepo extends Effect.Service<DateOverridesRepo>()("scheduling/DateOverridesRepo", {
  effect: repoOf(doctorSubject, DateOverride)
}) {}

export class ResourceOverridesRepo extends Effect.Service<ResourceOverridesRepo>()("scheduling/ResourceOverridesRepo", {
  effect: repoOf(resourceSubject, ResourceOverride)
}) {}
