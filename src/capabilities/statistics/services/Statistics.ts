/** Weekly statistics of a practice: booked appointments, their outcomes, and the hours offered. Rule 7.8.1. */
import { Effect, Schema } from "effect"
import { UnixSeconds } from "../../../schemas/fields.ts"
import type { DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import { invalid } from "../../../schemas/problems.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { calendarDate } from "../../../services/database/SqlErrors.ts"
import { inChunks } from "../../../services/eventLoop.ts"
import { ensureBelowLimit } from "../../../services/recordLimits.ts"
import { Service } from "../../../services/Service.ts"
import { Resources } from "../../../services/scheduling/practice/Resources.ts"
import type { DoctorCalendar } from "../../../services/scheduling/slots/calendar.ts"
import type { WeeksQuery } from "../../shared/schemas/Weeks.ts"
import { offeredMinutes } from "../../shared/services/free/offered.ts"
import { Weeks } from "../../shared/services/Weeks.ts"
import { DoctorsWeek, type ResourcesWeek } from "../schemas/Statistics.ts"

/** Rows, those of 500 doctors and 60 weeks, and what is read for them. Busy practices reach the last first. Rule 7.8.1. */
const LIMITS = { rows: 30_000, overrides: 50_000, appointments: 300_000 }

/** Cast, not decoded, like `Hours`: a report may read 30,000 of them. */
interface Counted {
  readonly doctor_uid: DoctorUid
  /** Number of the week in the report, from 0. */
  readonly week: number
  readonly booked: number
  readonly completed: number
  readonly cancelled: number
  readonly no_show: number
  readonly lead_time_seconds: number | null
  readonly booked_minutes: number
}

/** An override as an array, which PostgreSQL builds in half the time of an object. */
type OverrideFields = readonly [
  date: number,
  start_time: number | null,
  end_time: number | null,
  buffer_minutes: number,
  appointment_type_uid: string | null
]

/** Cast: with 20,000 rules and 50,000 overrides decoding takes longer than all the rest. */
interface Hours extends Pick<DoctorCalendar, "rules" | "timezone"> {
  readonly doctor_uid: DoctorUid
  readonly doctor_display_name: string
  readonly overrides: ReadonlyArray<OverrideFields>
}

const overrideOf = ([date, start_time, end_time, buffer_minutes, appointment_type_uid]: OverrideFields) => ({
  date,
  start_time,
  end_time,
  buffer_minutes,
  appointment_type_uid
})

const Used = Schema.Struct({
  resource_uid: Schema.String,
  week: Schema.Number,
  booked: Schema.Number,
  booked_minutes: Schema.Number
})

const none = { booked: 0, completed: 0, cancelled: 0, no_show: 0, lead_time_seconds: null, booked_minutes: 0 }

const noOffers = { waitlist_offers: 0, refilled_appointments: 0, refilled_minutes: 0 }

export class Statistics extends Service<Statistics>()("scheduling/Statistics", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { weeksOf } = yield* Weeks
    const resources = yield* Resources
    const offered = rowsOf(
      Schema.Struct({
        doctor_uid: Schema.String,
        week: Schema.Number,
        ...DoctorsWeek.pick("waitlist_offers", "refilled_appointments", "refilled_minutes").fields
      })
    )
    const used = rowsOf(Used)

    /** At most `most` appointments of the weeks between these Mondays. A replaced one is left out: its replacement counts. */
    const countedIn = (owner: OrganisationUid, mondays: ReadonlyArray<number>, most: number) =>
      sql<Counted>`SELECT doctor_uid, width_bucket(starts, ${[...mondays]}::float8[]) - 1 AS week,
          count(*) AS booked, count(*) FILTER (WHERE status = 'completed') AS completed,
          count(*) FILTER (WHERE status = 'cancelled') AS cancelled, count(*) FILTER (WHERE status = 'no_show') AS no_show,
          round((sum(starts - confirmed) / count(*))::numeric)::bigint AS lead_time_seconds,
          coalesce(sum(ends - starts) FILTER (WHERE status <> 'cancelled') / 60, 0)::numeric::bigint AS booked_minutes
        FROM (SELECT a.doctor_uid, a.status, date_part('epoch', a.start_date) AS starts, date_part('epoch', a.end_date) AS ends,
            date_part('epoch', a.confirmed_at) AS confirmed
          FROM appointments a
          WHERE a.organisation_uid = ${owner} AND a.confirmed_at IS NOT NULL
            AND a.start_date >= to_timestamp(${mondays[0]}) AND a.start_date < to_timestamp(${mondays.at(-1)})
            AND NOT EXISTS (SELECT FROM appointments r WHERE r.organisation_uid = ${owner}
              AND r.previous_meeting_uid = a.uid AND r.previous_meeting_uid IS NOT NULL AND r.confirmed_at IS NOT NULL)
          LIMIT ${most}) a
        GROUP BY 1, 2`

    /** Offers of the waiting list between these Mondays, by doctor and week. */
    const offersIn = (owner: OrganisationUid, mondays: ReadonlyArray<number>) =>
      Effect.map(
        offered.all(sql`SELECT o.doctor_uid, width_bucket(date_part('epoch', o.start_date), ${[...mondays]}::float8[]) - 1 AS week,
            count(*) AS waitlist_offers, count(*) FILTER (WHERE o.status = 'accepted') AS refilled_appointments,
            coalesce(sum(date_part('epoch', o.end_date - o.start_date)) FILTER (WHERE o.status = 'accepted') / 60, 0)::numeric::bigint
              AS refilled_minutes
          FROM waitlist_offers o WHERE o.organisation_uid = ${owner}
            AND o.start_date >= to_timestamp(${mondays[0]}) AND o.start_date < to_timestamp(${mondays.at(-1)})
          GROUP BY 1, 2`),
        (rows) => new Map(rows.map(({ doctor_uid, week, ...counts }) => [`${doctor_uid} ${week}`, counts]))
      )

    const hoursOf = (owner: OrganisationUid, from: number, to: number) =>
      sql<Hours>`SELECT d.uid AS doctor_uid, d.display_name AS doctor_display_name, d.timezone,
          (SELECT coalesce(json_agg(json_build_object('weekday', weekday, 'start_time', start_time, 'end_time', end_time,
              'buffer_minutes', buffer_minutes, 'valid_from', extract(epoch FROM valid_from)::bigint,
              'valid_until', extract(epoch FROM valid_until)::bigint, 'appointment_type_uid', appointment_type_uid)), '[]')
            FROM availability_rules r WHERE r.organisation_uid = ${owner} AND r.doctor_uid = d.uid
              AND r.active AND r.deleted_at IS NULL) AS rules,
          (SELECT coalesce(json_agg(json_build_array((date - date '1970-01-01') * ${DAY}::integer, start_time, end_time, buffer_minutes,
              appointment_type_uid)), '[]')
            FROM availability_date_overrides o WHERE o.organisation_uid = ${owner} AND o.doctor_uid = d.uid
              AND o.deleted_at IS NULL AND o.date BETWEEN (to_timestamp(${from}) AT TIME ZONE 'UTC')::date - 3
                AND (to_timestamp(${to}) AT TIME ZONE 'UTC')::date + 3) AS overrides
        FROM doctors d WHERE d.organisation_uid = ${owner} AND d.deleted_at IS NULL ORDER BY d.display_name, d.uid`

    const rowOf = (
      doctor: Hours,
      week: UnixSeconds,
      offered_minutes: number,
      counted: Omit<Counted, "doctor_uid" | "week"> = none,
      waitlist: Pick<DoctorsWeek, "waitlist_offers" | "refilled_appointments" | "refilled_minutes"> = noOffers
    ): DoctorsWeek => {
      const percent = Math.min(100, Math.round((counted.booked_minutes / offered_minutes) * 100))
      return {
        doctor_uid: doctor.doctor_uid,
        doctor_display_name: doctor.doctor_display_name,
        week_starts_at: week,
        ...counted,
        offered_minutes,
        ...waitlist,
        utilisation_percent: offered_minutes === 0 ? null : percent
      }
    }

    /** Use of each resource in each week. The seats of a group are one appointment. */
    const usedIn = (owner: OrganisationUid, mondays: ReadonlyArray<number>) =>
      used.all(sql`SELECT resource_uid, width_bucket(starts, ${[...mondays]}::float8[]) - 1 AS week,
          count(*) AS booked, coalesce(sum(ends - starts) / 60, 0)::numeric::bigint AS booked_minutes
        FROM (SELECT DISTINCT ON (taken.resource_uid, coalesce(a.shared_group, a.uid)) taken.resource_uid,
            date_part('epoch', a.start_date) AS starts, date_part('epoch', a.end_date) AS ends
          FROM appointments a, unnest(a.resource_uids) taken (resource_uid)
          WHERE a.organisation_uid = ${owner} AND a.resource_uids <> '{}' AND a.confirmed_at IS NOT NULL
            AND a.status <> 'cancelled' AND a.start_date >= to_timestamp(${mondays[0]})
            AND a.start_date < to_timestamp(${mondays.at(-1)})) a
        GROUP BY 1, 2`)

    /** By week, then by the resource's name; deleted resources are not listed. Fails with `Invalid` above `most`. */
    const resourcesList = Effect.fn("Statistics.resources")(function* (
      owner: OrganisationUid,
      query: WeeksQuery,
      most = LIMITS
    ) {
      const starts = yield* weeksOf(owner, query)
      const weeks = starts.slice(0, -1)
      const all = yield* resources.list(owner, {})
      if (weeks.length * all.length > most.rows)
        return yield* invalid("from", `more than ${most.rows} rows of resources and weeks: name fewer weeks`)
      const counted = new Map(
        (yield* usedIn(owner, starts)).map(({ resource_uid, week, ...counts }) => [`${resource_uid} ${week}`, counts])
      )
      return weeks.flatMap((week_starts_at, index) =>
        all.map(
          ({ uid, kind, name }): ResourcesWeek => ({
            resource_uid: uid,
            kind,
            name,
            week_starts_at,
            ...(counted.get(`${uid} ${index}`) ?? { booked: 0, booked_minutes: 0 })
          })
        )
      )
    })

    /** By week, then by doctor's name; deleted doctors are not listed. Fails with `Invalid` above `most`. */
    const list = Effect.fn("Statistics.list")(function* (owner: OrganisationUid, query: WeeksQuery, most = LIMITS) {
      const starts = yield* weeksOf(owner, query)
      const [first = UnixSeconds.make(0), end = first] = [starts[0], starts.at(-1)]
      yield* ensureBelowLimit(
        sql`SELECT count(*) AS count FROM availability_date_overrides WHERE organisation_uid = ${owner} AND deleted_at IS NULL
          AND date BETWEEN ${calendarDate(first - 3 * DAY)} AND ${calendarDate(end + 3 * DAY)}`,
        most.overrides,
        "from",
        "overrides in these weeks",
        "name fewer weeks"
      )
      const doctors = yield* Effect.orDie(hoursOf(owner, first, end))
      const weeks = starts.slice(0, -1)
      if (weeks.length * doctors.length > most.rows)
        return yield* invalid("from", `more than ${most.rows} rows of doctors and weeks: name fewer weeks`)
      const refilled = yield* offersIn(owner, starts)
      const found = yield* Effect.orDie(countedIn(owner, starts, most.appointments + 1))
      if (found.reduce((sum, { booked }) => sum + booked, 0) > most.appointments)
        return yield* invalid("from", `more than ${most.appointments} appointments in these weeks: name fewer weeks`)
      const counted = new Map(found.map(({ doctor_uid, week, ...counts }) => [`${doctor_uid} ${week}`, counts]))
      const rows = weeks.map((): Array<DoctorsWeek> => [])
      yield* inChunks(doctors.length, (at) => {
        for (const doctor of doctors.slice(at, at + 1)) {
          const offered = offeredMinutes({ ...doctor, overrides: doctor.overrides.map(overrideOf) })
          for (const [index, week] of weeks.entries()) {
            const minutes = offered(week, starts[index + 1] ?? end)
            const key = `${doctor.doctor_uid} ${index}`
            rows[index]?.push(rowOf(doctor, week, minutes, counted.get(key), refilled.get(key)))
          }
        }
      })
      return rows.flat()
    })

    return { list, resources: resourcesList } as const
  }),
  dependencies: [Resources.Default, Weeks.Default]
}) {}
