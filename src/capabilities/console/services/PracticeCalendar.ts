/** The calendar of a practice: hours and busy times of its doctors and resources, and who is waiting. Rule 7.2.9. */

import { Effect, Schema } from "effect"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { AppointmentUid, type OrganisationUid } from "../../../schemas/ids.ts"
import { CLOSES_AFTER_END_SECONDS, OPENS_BEFORE_START_SECONDS } from "../../../schemas/scheduling/joinWindow.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { Extensions } from "../../../services/Extensions.ts"
import { Service } from "../../../services/Service.ts"
import { type HolidaySettings, holidayName } from "../../../services/scheduling/calendar/closedDays.ts"
import { isoDateOf } from "../../../services/scheduling/calendar/dates.ts"
import { Doctors } from "../../../services/scheduling/practice/Doctors.ts"
import { type DateOverride, hoursOfResource, type Rule } from "../../../services/scheduling/slots/calendar.ts"
import { datesAround } from "../../../services/scheduling/slots/cut.ts"
import type {
  AddedCalendarFields,
  Calendar,
  CalendarQuery,
  CalendarSubject,
  Period,
  Presence
} from "../../shared/schemas/Calendar.ts"
import { presenceOf } from "../../shared/services/addedExtension.ts"
import { openForAny } from "../../shared/services/free/offered.ts"

/** Cast, not decoded: rules and overrides of hundreds of doctors. */
interface Row {
  readonly kind: CalendarSubject["kind"]
  readonly uid: string
  readonly name: string
  readonly timezone: string
  /** A resource that is free at all times, but for its overrides. */
  readonly always: boolean
  readonly holidays: HolidaySettings
  readonly rules: ReadonlyArray<Rule>
  readonly overrides: ReadonlyArray<DateOverride>
  /** start, end, start, end … in order of start */
  readonly busy: ReadonlyArray<number>
}

const Open = Schema.Struct({
  uid: AppointmentUid,
  patient_uid: Schema.String,
  room_name: Schema.String,
  in_call_since: Schema.NullOr(UnixSeconds)
})

const NO_HOLIDAYS: HolidaySettings = { holiday_region: null, extra_holidays: [] }

const periodOf = (from: number, to: number): Period => ({ from: UnixSeconds.make(from), to: UnixSeconds.make(to) })

const periodsIn = (numbers: ReadonlyArray<number>): ReadonlyArray<Period> =>
  Array.from({ length: numbers.length / 2 }, (_, at) => periodOf(numbers[2 * at] ?? 0, numbers[2 * at + 1] ?? 0))

/** What a doctor or a resource has in the range. */
const subjectOf = (
  { kind, uid, name, timezone, ...row }: Row,
  range: CalendarQuery,
  added: AddedCalendarFields
): CalendarSubject => {
  const { first, last } = datesAround(range)
  const nameOf = holidayName(row.holidays, NO_HOLIDAYS)
  const holidays = Array.from({ length: last - first + 1 }, (_, at) => first + at).flatMap((day) => {
    const holiday = nameOf(day)
    return holiday === undefined ? [] : [{ day, name: holiday }]
  })
  const closed = new Set(holidays.map(({ day }) => day))
  const hours = hoursOfResource(row.always, { timezone, rules: row.rules, overrides: row.overrides, closed })
  const open = hours === null ? { starts: [range.from], ends: [range.to] } : openForAny(hours, range)
  return {
    kind,
    uid,
    name,
    open: [...open.starts].flatMap((start, at) => {
      const end = open.ends[at] ?? start
      return end > range.from && start < range.to ? [periodOf(start, end)] : []
    }),
    busy: periodsIn(row.busy),
    days_off: row.overrides
      .filter(({ start_time, appointment_type_uid }) => start_time === null && appointment_type_uid === null)
      .map(({ date }) => UnixSeconds.make(date)),
    holidays: holidays.map(({ day, name }) => ({ date: isoDateOf(day), name })),
    ...added
  }
}

export class PracticeCalendar extends Service<PracticeCalendar>()("scheduling/PracticeCalendar", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const extensions = yield* Extensions
    const doctors = yield* Doctors
    const open = rowsOf(Open)
    const marked = rowsOf(Schema.Struct({ uid: AppointmentUid }))

    const rulesOf = (owner: OrganisationUid, column: "doctor_uid" | "resource_uid", uid: "d.uid" | "r.uid") =>
      sql`(SELECT coalesce(json_agg(json_build_object('weekday', weekday, 'start_time', start_time, 'end_time', end_time,
          'buffer_minutes', buffer_minutes, 'valid_from', extract(epoch FROM valid_from)::bigint,
          'valid_until', extract(epoch FROM valid_until)::bigint, 'appointment_type_uid', appointment_type_uid)), '[]')
        FROM availability_rules w WHERE w.organisation_uid = ${owner} AND w.${sql(column)} = ${sql.literal(uid)}
          AND w.active AND w.deleted_at IS NULL)`
    const overridesOf = (
      owner: OrganisationUid,
      column: "doctor_uid" | "resource_uid",
      uid: "d.uid" | "r.uid",
      { from, to }: CalendarQuery
    ) =>
      sql`(SELECT coalesce(json_agg(json_build_object('date', (date - date '1970-01-01') * ${DAY}::integer,
          'start_time', start_time, 'end_time', end_time, 'buffer_minutes', buffer_minutes,
          'appointment_type_uid', appointment_type_uid) ORDER BY date), '[]')
        FROM availability_date_overrides v WHERE v.organisation_uid = ${owner} AND v.${sql(column)} = ${sql.literal(uid)}
          AND v.deleted_at IS NULL AND v.date BETWEEN (to_timestamp(${from}) AT TIME ZONE 'UTC')::date - 1
            AND (to_timestamp(${to}) AT TIME ZONE 'UTC')::date + 1)`

    const doctorRows = (owner: OrganisationUid, range: CalendarQuery) =>
      sql<Row>`SELECT 'doctor' AS kind, d.uid, d.display_name AS name, d.timezone, false AS always,
          json_build_object('holiday_region', coalesce(d.holiday_region, o.holiday_region),
            'extra_holidays', o.extra_holidays || d.extra_holidays) AS holidays,
          ${rulesOf(owner, "doctor_uid", "d.uid")} AS rules,
          ${overridesOf(owner, "doctor_uid", "d.uid", range)} AS overrides,
          (SELECT coalesce(json_agg(taken.edge ORDER BY b.start_date, taken.edge), '[]')
            FROM claims b CROSS JOIN LATERAL unnest(ARRAY[extract(epoch FROM b.start_date)::bigint, extract(epoch FROM b.end_date)::bigint])
                AS taken (edge)
            WHERE b.organisation_uid = ${owner} AND b.subject_uid = d.uid AND b.claimant = 'calendar'
              AND b.start_date < to_timestamp(${range.to}) AND b.end_date > to_timestamp(${range.from})) AS busy
        FROM doctors d JOIN organisations o ON o.organisation_uid = ${owner}
        WHERE d.organisation_uid = ${owner} AND d.deleted_at IS NULL
          AND ${range.doctor_uid === undefined ? sql`true` : sql`d.uid = ${range.doctor_uid}`}
        ORDER BY d.display_name, d.uid`

    const resourceRows = (owner: OrganisationUid, range: CalendarQuery) =>
      sql<Row>`SELECT r.kind, r.uid, r.name, o.timezone, r.always_available AS always,
          json_build_object('holiday_region', NULL, 'extra_holidays', json_build_array()) AS holidays,
          ${rulesOf(owner, "resource_uid", "r.uid")} AS rules,
          ${overridesOf(owner, "resource_uid", "r.uid", range)} AS overrides, json_build_array() AS busy
        FROM resources r JOIN organisations o ON o.organisation_uid = ${owner}
        WHERE r.organisation_uid = ${owner} AND r.active AND r.deleted_at IS NULL ORDER BY r.name, r.uid`

    /** Where the patients are whose appointment's join window is open. */
    const presence = Effect.fnUntraced(function* (owner: OrganisationUid, doctor: CalendarQuery["doctor_uid"]) {
      const now = yield* clock.now
      const found = yield* open.all(sql`SELECT a.uid, a.patient_uid, a.room_name,
          extract(epoch FROM greatest(a.patient_joined_at, a.doctor_joined_at))::bigint
            * CASE WHEN num_nulls(a.patient_joined_at, a.doctor_joined_at) = 0 THEN 1 END AS in_call_since
        FROM appointments a WHERE a.organisation_uid = ${owner} AND a.status = 'confirmed'
          AND ${doctor === undefined ? sql`true` : sql`a.doctor_uid = ${doctor}`}
          AND a.start_date BETWEEN to_timestamp(${now - DAY}) AND to_timestamp(${now + OPENS_BEFORE_START_SECONDS})
          AND a.end_date >= to_timestamp(${now - CLOSES_AFTER_END_SECONDS})
        ORDER BY a.start_date`)
      const { waitingSince } = yield* presenceOf(extensions)
      const states = yield* Effect.forEach(found, ({ uid: appointment_uid, patient_uid, room_name, in_call_since }) =>
        Effect.map(waitingSince(room_name, patient_uid), (since): ReadonlyArray<Presence> => {
          if (since !== undefined) return [{ appointment_uid, state: "waiting", since: UnixSeconds.make(since) }]
          return in_call_since === null ? [] : [{ appointment_uid, state: "in_call", since: in_call_since }]
        })
      )
      return states.flat()
    })

    const squeezedIn = (owner: OrganisationUid, { from, to }: CalendarQuery) =>
      Effect.map(
        marked.all(sql`SELECT a.uid FROM appointments a WHERE a.organisation_uid = ${owner} AND a.squeezed_in
          AND a.start_date >= to_timestamp(${from}) AND a.start_date < to_timestamp(${to})
          ORDER BY a.start_date`),
        (rows) => rows.map(({ uid }) => uid)
      )

    /** Fails with `DoctorNotFound`. */
    const read = Effect.fn("PracticeCalendar.read")(function* (owner: OrganisationUid, query: CalendarQuery) {
      if (query.doctor_uid !== undefined) yield* doctors.ensure(owner, query.doctor_uid)
      const own = yield* Effect.orDie(doctorRows(owner, query))
      const additions = yield* Effect.forEach(
        yield* extensions.having("inCalendar"),
        ({ inCalendar }) => inCalendar?.(owner, query) ?? Effect.succeed(() => ({}))
      )
      const resources = query.doctor_uid === undefined ? yield* Effect.orDie(resourceRows(owner, query)) : []
      const calendar: Calendar = {
        subjects: [...own, ...resources].map((row) =>
          subjectOf(row, query, Object.assign({}, ...additions.map((fieldsOf) => fieldsOf(row))))
        ),
        squeezed_in: yield* squeezedIn(owner, query),
        presence: yield* presence(owner, query.doctor_uid)
      }
      return calendar
    })

    return { read } as const
  }),
  dependencies: [Doctors.Default]
}) {}
