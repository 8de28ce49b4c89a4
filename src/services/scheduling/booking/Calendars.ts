/**
 * Input of the availability predicate, read in one round trip: the type, the doctors who offer it, their rules, overrides and busy times.
 * Search, hold, confirm and rebook all read it here.
 */
import { SqlClient } from "@effect/sql"
import { Array, Effect } from "effect"
import type { DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import { type AppointmentType, DURATION_MAX } from "../../../schemas/scheduling/AppointmentType.ts"
import { BookableTypeNotFound } from "../../../schemas/scheduling/errors.ts"
import { OwnerByKey } from "../../tenancy/OwnerByKey.ts"
import { busyTimes } from "../slots/busy.ts"
import type { DateOverride, DoctorCalendar, Rule } from "../slots/calendar.ts"
import { datesAround } from "../slots/cut.ts"
import { weekdayOf } from "../slots/windows.ts"

export interface CalendarQuery {
  /** Either the organisation itself or one of its shops. */
  readonly owner: { readonly organisation_uid: string } | { readonly shop_uid: string }
  readonly appointment_type_uid: string
  /** With rules and overrides of every type, and busy times for a type of any duration: a calendar for all types of these doctors. */
  readonly every_type?: boolean
  /** Only these doctors. */
  readonly doctor_uids?: ReadonlyArray<string> | undefined
  /** Requested starts, `[from, to)`, Unix seconds. */
  readonly from: number
  readonly to: number
  readonly now: number
  /** Appointments of this group do not count as busy: the one that a rebooking replaces. */
  readonly except_group?: string | undefined
  /** Holds of this session do not count either: a new hold releases them. */
  readonly except_session?: string | undefined
}

export type BookedType = Pick<
  AppointmentType,
  "uid" | "name" | "duration_minutes" | "hold_ttl_seconds" | "meeting_type" | "room_strategy" | "active"
>

export interface Calendars {
  readonly organisation_uid: OrganisationUid
  readonly type: BookedType
  readonly doctors: ReadonlyArray<DoctorCalendar & { readonly doctor_uid: DoctorUid }>
}

/** Weekdays of the dates whose windows count for the range. */
const weekdaysOf = (range: Pick<CalendarQuery, "from" | "to">) => {
  const { first, last } = datesAround(range)
  return Array.dedupe(Array.makeBy(Math.min(7, last - first + 1), (at) => weekdayOf(first + at)))
}

/** A rule as an array, the last three only if one is set: building 10,000 objects takes PostgreSQL several times as long. */
type RuleColumns = readonly [
  weekday: number,
  start_time: number,
  end_time: number,
  buffer_minutes: number,
  valid_from?: number | null,
  valid_until?: number | null,
  appointment_type_uid?: string | null
]
const ruleOf = (columns: RuleColumns): Rule => {
  const [weekday, start_time, end_time, buffer_minutes, ...scope] = columns
  const [valid_from = null, valid_until = null, appointment_type_uid = null] = scope
  return { weekday, start_time, end_time, buffer_minutes, valid_from, valid_until, appointment_type_uid }
}

type DoctorColumns = readonly [
  doctor_uid: DoctorUid,
  doctor_name: string,
  timezone: string,
  notice_minutes: number,
  rules: ReadonlyArray<RuleColumns>,
  overrides: ReadonlyArray<DateOverride>,
  /** start, end, start, end … in order of start */
  busy: ReadonlyArray<number>
]
const doctorOf = (columns: DoctorColumns): Calendars["doctors"][number] => {
  const [doctor_uid, doctor_name, timezone, notice_minutes, rules, overrides, busy] = columns
  const [starts, ends]: [Array<number>, Array<number>] = [[], []]
  for (let at = 0; at < busy.length; at += 2) {
    starts.push(busy[at] as number) // valid indices
    ends.push(busy[at + 1] as number)
  }
  return {
    doctor_uid,
    doctor_name,
    timezone,
    notice_minutes,
    rules: rules.map(ruleOf),
    overrides,
    busy: busyTimes(starts, ends)
  }
}

interface Row {
  readonly organisation_uid: OrganisationUid
  readonly type: BookedType
  /**
   * JSON of an array of `DoctorColumns`; null: none. Cast, not decoded: a search reads tens of thousands of numbers, which are consumed at
   * once. One text, since a row for each doctor takes the driver five times as long as reading its JSON.
   */
  readonly doctors: string | null
}
const doctorsIn = ({ doctors }: Row): ReadonlyArray<DoctorColumns> => (doctors === null ? [] : JSON.parse(doctors))

export class CalendarsRepo extends Effect.Service<CalendarsRepo>()("scheduling/CalendarsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const owners = yield* OwnerByKey

    const ofType = ({ every_type = false }: CalendarQuery) =>
      every_type ? sql`true` : sql`(appointment_type_uid IS NULL OR appointment_type_uid = t.uid)`
    const durationOf = ({ every_type = false }: CalendarQuery) =>
      every_type ? sql`${DURATION_MAX}::integer` : sql`t.duration_minutes`

    /** Claims `c` that count against the caller. */
    const counting = (owner: string, { except_group, except_session }: CalendarQuery) =>
      sql.and([
        ...(except_group === undefined ? [sql`true`] : [sql`c.slot_group <> ${except_group}`]),
        ...(except_session === undefined
          ? []
          : [
              sql`c.appointment_uid <> ALL (ARRAY(SELECT h.uid FROM appointments h WHERE h.organisation_uid = ${owner}
                AND h.booking_session_uid = ${except_session} AND h.status = 'held'))`
            ])
      ])

    const select = (owner: string, query: CalendarQuery) => sql<Row>`
      SELECT t.organisation_uid,
        json_build_object('uid', t.uid, 'name', t.name, 'duration_minutes', t.duration_minutes,
          'hold_ttl_seconds', t.hold_ttl_seconds, 'meeting_type', t.meeting_type,
          'room_strategy', t.room_strategy, 'active', t.active) AS type,
        '[' || string_agg(concat('[', to_json(d.uid), ',', to_json(d.display_name), ',', to_json(d.timezone), ',',
          coalesce(s.booking_min_notice_minutes, t.booking_min_notice_minutes), ',[', windows.rules, '],',
          dates.overrides, ',[', taken.times, ']]'), ',') FILTER (WHERE d.uid IS NOT NULL) || ']' AS doctors
      FROM appointment_types t
      LEFT JOIN (doctors d LEFT JOIN doctor_appointment_type_settings s
          ON s.organisation_uid = ${owner} AND s.doctor_uid = d.uid
          AND s.appointment_type_uid = ${query.appointment_type_uid})
        ON d.organisation_uid = ${owner} AND d.deleted_at IS NULL
        AND ${query.doctor_uids === undefined ? sql`true` : sql`d.uid = ANY (${[...query.doctor_uids]})`}
        AND coalesce(s.active, t.doctor_assignment_mode = 'all_available_doctors')
      CROSS JOIN LATERAL (
        -- texts: functions that build JSON look up their types for every row
        SELECT string_agg(CASE WHEN num_nonnulls(valid_from, valid_until, appointment_type_uid) = 0
            THEN concat('[', weekday, ',', start_time, ',', end_time, ',', buffer_minutes, ']')
            ELSE concat('[', weekday, ',', start_time, ',', end_time, ',', buffer_minutes, ',',
              coalesce(date_part('epoch', valid_from)::bigint::text, 'null'), ',',
              coalesce(date_part('epoch', valid_until)::bigint::text, 'null'), ',',
              coalesce(to_json(appointment_type_uid)::text, 'null'), ']') END, ',') AS rules,
          coalesce(max(buffer_minutes), 0) AS buffer
        FROM availability_rules r
        WHERE r.organisation_uid = ${owner} AND r.doctor_uid = d.uid AND r.active AND r.deleted_at IS NULL
          AND weekday = ANY (${weekdaysOf(query)})
          AND ${ofType(query)}) windows
      CROSS JOIN LATERAL (
        SELECT coalesce(json_agg(json_build_object('date', extract(epoch FROM date)::bigint,
            'start_time', start_time, 'end_time', end_time, 'buffer_minutes', buffer_minutes,
            'appointment_type_uid', appointment_type_uid)), '[]') AS overrides,
          coalesce(max(buffer_minutes), 0) AS buffer
        FROM availability_date_overrides o
        WHERE o.organisation_uid = ${owner} AND o.doctor_uid = d.uid AND o.deleted_at IS NULL
          AND o.date BETWEEN (to_timestamp(${query.from}) AT TIME ZONE 'UTC')::date - 3
            AND (to_timestamp(${query.to}) AT TIME ZONE 'UTC')::date + 3
          AND ${ofType(query)}) dates
      CROSS JOIN LATERAL (
        SELECT string_agg(concat(date_part('epoch', lower(c.during))::bigint, ',', date_part('epoch', upper(c.during))::bigint), ','
            ORDER BY lower(c.during)) AS times
        FROM claims c
        WHERE c.organisation_uid = ${owner} AND c.subject_uid = d.uid AND c.subject_kind = 'doctor'
          AND (c.held_until IS NULL OR c.held_until > to_timestamp(${query.now}))
          AND lower(c.during) < to_timestamp(${query.to})
            + make_interval(mins => ${durationOf(query)} + greatest(windows.buffer, dates.buffer))
          AND upper(c.during) > to_timestamp(${query.from})
            - make_interval(mins => greatest(windows.buffer, dates.buffer))
          AND ${counting(owner, query)}) taken
      WHERE t.organisation_uid = ${owner} AND t.uid = ${query.appointment_type_uid}
        AND t.active AND t.deleted_at IS NULL
      GROUP BY t.organisation_uid, t.uid`

    /** The calendars of every doctor who offers the type, or of `doctor_uids`. Fails with `BookableTypeNotFound`. */
    const read = Effect.fnUntraced(function* (query: CalendarQuery) {
      const { owner } = query
      const unknown = () => new BookableTypeNotFound()
      const selected = (uid: string) =>
        Effect.filterOrElse(Effect.orDie(select(uid, query)), Array.isNonEmptyReadonlyArray, () =>
          Effect.fail(unknown())
        )
      // A shop is public, so its organisation is looked up by key
      const rows = yield* "shop_uid" in owner
        ? owners.within({ kind: "shop", key: owner.shop_uid }, unknown, selected)
        : selected(owner.organisation_uid)
      const [first] = rows
      const { organisation_uid, type } = first
      const calendars: Calendars = { organisation_uid, type, doctors: doctorsIn(first).map(doctorOf) }
      return calendars
    })
    return { read } as const
  }),
  dependencies: [OwnerByKey.Default]
}) {}
