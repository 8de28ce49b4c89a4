/** The one room for the SQL of date overrides. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { DoctorUid, OrganisationUid, OverrideUid } from "../../../schemas/ids.ts"
import { invalid } from "../../../schemas/problems.ts"
import type { DateOverride } from "../../../schemas/scheduling/DateOverride.ts"
import { calendarDate, onConstraint, timestamp } from "../../SqlErrors.ts"

export interface NewOverrideRow extends Omit<DateOverride, "uid"> {
  readonly uid: string
}

/** Columns that an update may set; `date` in Unix seconds. */
export type OverrideColumns = Partial<Omit<DateOverride, "uid" | "doctor_uid">>

const window = () => invalid("end_time", "must be after start_time, and both are required unless day_off is true")

export class DateOverridesRepo extends Effect.Service<DateOverridesRepo>()("scheduling/DateOverridesRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql`uid, doctor_uid, extract(epoch FROM date)::bigint AS date, start_time, end_time, buffer_minutes, appointment_type_uid`
    const of = (owner: OrganisationUid, doctor: DoctorUid) =>
      sql`organisation_uid = ${owner} AND doctor_uid = ${doctor} AND deleted_at IS NULL`

    /** One change at a time of a doctor's dates, so that each sees what the others put there. */
    const lock = (owner: OrganisationUid, doctor: DoctorUid) =>
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${`dates ${owner}/${doctor}`}, 0))`.pipe(
        Effect.orDie,
        Effect.asVoid
      )

    /** Dates from `from` to `to`, both included. */
    const list = Effect.fn("DateOverridesRepo.list")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      window: { readonly from: number; readonly to: number; readonly page: number; readonly limit: number }
    ) {
      const within = sql`${of(owner, doctor)}
        AND date BETWEEN ${calendarDate(window.from)} AND ${calendarDate(window.to)}`
      const [counted] = yield* sql<{ total: number }>`SELECT count(*) AS total FROM availability_date_overrides
        WHERE ${within}`.pipe(Effect.orDie)
      const rows = yield* sql<DateOverride>`SELECT ${columns} FROM availability_date_overrides WHERE ${within}
        ORDER BY date, start_time NULLS FIRST, uid LIMIT ${window.limit} OFFSET ${window.page * window.limit}`.pipe(
        Effect.orDie
      )
      return { rows, total: counted?.total ?? 0 }
    })

    const insert = Effect.fn("DateOverridesRepo.insert")(function* (
      owner: OrganisationUid,
      row: NewOverrideRow,
      now: number
    ) {
      const [created] = yield* sql<DateOverride>`INSERT INTO availability_date_overrides ${sql.insert({
        ...row,
        organisation_uid: owner,
        date: calendarDate(row.date),
        created_at: timestamp(now)
      })} RETURNING ${columns}`.pipe(Effect.orDie)
      return created ?? (yield* Effect.dieMessage("an insert returns its row"))
    })

    /** The changed row; undefined when there is none. 400 when the row would have half a window, or one of no length. */
    const update = Effect.fn("DateOverridesRepo.update")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      uid: OverrideUid,
      { date, ...plain }: OverrideColumns
    ) {
      const set = { doctor_uid: doctor, ...plain, ...(date === undefined ? {} : { date: calendarDate(date) }) }
      const [updated] = yield* sql<DateOverride>`UPDATE availability_date_overrides SET ${sql.update(set)}
        WHERE ${of(owner, doctor)} AND uid = ${uid} RETURNING ${columns}`.pipe(
        onConstraint("availability_date_overrides_window", window),
        Effect.catchTag("SqlError", Effect.die)
      )
      return updated
    })

    /**
     * Takes away what a day off or a window replaces. A day off: the windows of its date, those of its own type alone
     * when it has one. Either of them: another day off of the same scope.
     */
    const displace = (owner: OrganisationUid, by: DateOverride, now: number) =>
      sql`UPDATE availability_date_overrides SET deleted_at = to_timestamp(${now})
        WHERE ${of(owner, by.doctor_uid)} AND date = ${calendarDate(by.date)} AND uid <> ${by.uid}
          AND CASE WHEN start_time IS NULL
            THEN appointment_type_uid IS NOT DISTINCT FROM ${by.appointment_type_uid}
            ELSE ${by.start_time === null} AND (${by.appointment_type_uid}::text IS NULL
              OR appointment_type_uid = ${by.appointment_type_uid}) END`.pipe(Effect.orDie, Effect.asVoid)

    /** Whether there was one to delete. */
    const remove = (owner: OrganisationUid, doctor: DoctorUid, uid: OverrideUid, now: number) =>
      sql`UPDATE availability_date_overrides SET deleted_at = to_timestamp(${now})
        WHERE ${of(owner, doctor)} AND uid = ${uid} RETURNING uid`.pipe(
        Effect.orDie,
        Effect.map((rows) => rows.length > 0)
      )
    return { lock, list, insert, update, displace, remove } as const
  })
}) {}
