/**
 * Input of the availability predicate: the type, the doctors who offer it, their rules, overrides and busy times, in one statement; for a
 * type that has requirements, seats or limits, and for doctors with limits, a second one reads resources, groups and counts. Search, hold,
 * confirm and rebook all read it here.
 */
import type { Statement } from "@effect/sql"
import { Array, Effect } from "effect"
import type { DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import { type AppointmentType, BUFFER_MAX, DURATION_MAX } from "../../../schemas/scheduling/AppointmentType.ts"
import { BookableTypeNotFound } from "../../../schemas/scheduling/errors.ts"
import { DAY, HOUR, MINUTE } from "../../../schemas/seconds.ts"
import { withGenericPlan } from "../../database/Database.ts"
import { Sql } from "../../database/Sql.ts"
import { Service } from "../../Service.ts"
import { OwnerByKey } from "../../tenancy/OwnerByKey.ts"
import { closedDays, type HolidaySettings } from "../calendar/closedDays.ts"
import { busyTimes } from "../slots/busy.ts"
import type {
  DateOverride,
  DoctorCalendar,
  Group,
  Limit,
  Neighbour,
  Rule,
  Surroundings,
  Unit
} from "../slots/calendar.ts"
import { hoursOfResource } from "../slots/calendar.ts"
import { closedBy, datesAround } from "../slots/cut.ts"
import { weekdayOf } from "../slots/windows.ts"
import { instantOfWall, spanAt, zoneOf } from "../slots/zones.ts"

export interface CalendarQuery {
  /** Either the organisation itself or one of its shops. */
  readonly owner: { readonly organisation_uid: string } | { readonly shop_uid: string }
  readonly appointment_type_uid: string
  /** With rules and overrides of every type, and busy times for a type of any duration: a calendar for all types of these doctors. */
  readonly every_type?: boolean
  /** Resources that are read though they are not active. */
  readonly inactive_uids?: ReadonlyArray<string>
  /** Also a type that is not active. */
  readonly inactive?: boolean
  /** Only these doctors. */
  readonly doctor_uids?: ReadonlyArray<string> | undefined
  /** Requested starts, `[from, to)`, Unix seconds. */
  readonly from: number
  readonly to: number
  readonly now: number
  /** These doctors as further doctors: whether or not they offer the type, with all that takes them. */
  readonly as_further?: boolean
  /** Appointments of this group do not count: the one that a rebooking replaces. */
  readonly except_group?: string | undefined
  /** Holds of this session do not count either: a new hold releases them. */
  readonly except_session?: string | undefined
}

export type BookedType = Pick<
  AppointmentType,
  | "uid"
  | "name"
  | "duration_minutes"
  | "hold_ttl_seconds"
  | "meeting_type"
  | "room_strategy"
  | "active"
  | "buffer_before_minutes"
  | "buffer_after_minutes"
  | "slot_step_minutes"
  | "seats"
  | "requirements"
  | "limits"
  | "closed_on_holidays"
  | "doctor_choice"
  | "formats"
>

export interface Calendars {
  readonly organisation_uid: OrganisationUid
  readonly type: BookedType
  readonly surroundings: Surroundings
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
  limits: ReadonlyArray<Limit>,
  /** start, end, start, end … in order of start */
  busy: ReadonlyArray<number>,
  /** start, end, the type's minutes before and after, the window's minutes … in order of start */
  neighbours: ReadonlyArray<number>,
  /** Null: none of the doctor's own. */
  holidays: HolidaySettings | null,
  /** Without buffers: start, end … in order of start. */
  away: ReadonlyArray<number>
]

/** The numbers as rows of `size`. */
const rowsIn = (numbers: ReadonlyArray<number>, size: number) =>
  numbers.length === 0 ? [] : Array.chunksOf(numbers, size)

const timesIn = (busy: ReadonlyArray<number>) => {
  const [starts, ends]: [Array<number>, Array<number>] = [[], []]
  for (let at = 0; at < busy.length; at += 2) {
    starts.push(busy[at] as number) // valid indices
    ends.push(busy[at + 1] as number)
  }
  return { starts, ends }
}

/** Times of several records may overlap. */
const awayOf = (times: ReadonlyArray<number>) => {
  const { starts, ends } = timesIn(times)
  return busyTimes(starts, ends)
}

const neighboursIn = (near: ReadonlyArray<number>) =>
  rowsIn(near, 5).map(([start = 0, end = 0, before = 0, after = 0, buffer = 0]): Neighbour => {
    return { start, end, before: before * MINUTE, after: after * MINUTE, buffer: buffer * MINUTE }
  })

type ClosedOf = (holidays: HolidaySettings | null) => ReadonlySet<number>

const doctorOf = (columns: DoctorColumns, closedOf: ClosedOf): Calendars["doctors"][number] => {
  const [doctor_uid, doctor_name, timezone, notice_minutes, rules, overrides, limits, busy, near, holidays, away] =
    columns
  const { starts, ends } = timesIn(busy)
  const neighbours = neighboursIn(near)
  return {
    doctor_uid,
    doctor_name,
    timezone,
    notice_minutes,
    rules: rules.map(ruleOf),
    overrides,
    busy: busyTimes(starts, ends),
    closed: closedOf(holidays),
    ...(away.length > 0 && { away: awayOf(away) }),
    ...(neighbours.length > 0 && { neighbours }),
    ...(limits.length > 0 && { limits })
  }
}

const furtherOf = (columns: DoctorColumns, closedOf: ClosedOf): Unit => {
  const [uid, , timezone, , rules, overrides, , busy, near, holidays, away] = columns
  const hours = { timezone, rules: rules.map(ruleOf), overrides, closed: closedOf(holidays) }
  // an appointment takes a further doctor without buffers
  const gaps = closedBy(neighboursIn(near), { before: 0, after: 0 }, 0)
  const unit = { kind: "doctor" as const, uid, hours, ...(near.length > 0 && { gaps }) }
  if (away.length === 0) return { ...unit, ...timesIn(busy) }
  const all = [...rowsIn(busy, 2), ...rowsIn(away, 2)].sort(([a = 0], [b = 0]) => a - b)
  return { ...unit, ...timesIn(all.flat()) }
}

type ResourceColumns = readonly [
  uid: string,
  always_available: boolean,
  rules: ReadonlyArray<RuleColumns>,
  overrides: ReadonlyArray<DateOverride>,
  busy: ReadonlyArray<number>
]
const resourceOf =
  (timezone: string) =>
  ([uid, always_available, rules, overrides, busy]: ResourceColumns): Unit => ({
    kind: "resource",
    uid,
    hours: hoursOfResource(always_available, { timezone, rules: rules.map(ruleOf), overrides }),
    ...timesIn(busy)
  })

type SeatColumns = readonly [
  doctor_uid: DoctorUid,
  start: number,
  end: number,
  seat: number,
  resource_uids: ReadonlyArray<string>,
  further_doctor_uids: ReadonlyArray<string>
]
/** A doctor's groups, by start. */
const groupsOf = (seats: ReadonlyArray<SeatColumns>): ReadonlyMap<number, Group> =>
  new Map(
    [...Map.groupBy(seats, ([, start]) => start)].map(([start, all]) => {
      const [, , end, , resource_uids, further_doctor_uids] = all[0] as SeatColumns // groups are not empty
      return [start, { end, taken: all.map(([, , , seat]) => seat), resource_uids, further_doctor_uids }]
    })
  )

/** Starts that count for limits, `[doctor, start, whether it is of the type]`. */
type CountedColumns = readonly [doctor_uid: DoctorUid, start: number, of_type: boolean]

interface Extras {
  readonly timezone: string
  readonly resources: ReadonlyArray<ResourceColumns> | null
  readonly seats: ReadonlyArray<SeatColumns> | null
  readonly counted: ReadonlyArray<CountedColumns> | null
}

/** Appointments of a doctor. */
interface Load {
  readonly doctor_uid: DoctorUid
  readonly in_day: number
  readonly in_week: number
}

const nothingElse: Surroundings = { timezone: "UTC", units: [], counted: [] }

/** Around the range: a period of a limit, and a day with its zone. */
const PERIOD = 33 * DAY
const DAY_AROUND = 36 * HOUR

interface Row {
  readonly organisation_uid: OrganisationUid
  readonly type: BookedType
  /** The organisation's. */
  readonly holidays: HolidaySettings
  /**
   * JSON of an array of `DoctorColumns`; null: none. Cast, not decoded: a search reads tens of thousands of numbers, which are consumed at
   * once. One text, since a row for each doctor takes the driver five times as long as reading its JSON.
   */
  readonly doctors: string | null
}
/** The closed days of the range, by a doctor's own settings. A calendar for all types has them: they count for types that are closed then. */
const closedIn = (query: CalendarQuery, { type, holidays: organisation }: Row): ClosedOf => {
  const { first, last } = datesAround(query)
  const isClosing = type.closed_on_holidays || query.every_type === true
  const ofMost = isClosing ? closedDays(organisation, NO_HOLIDAYS, first, last) : NEVER
  return (own) => (own === null || !isClosing ? ofMost : closedDays(organisation, own, first, last))
}
const NEVER: ReadonlySet<number> = new Set()
const NO_HOLIDAYS: HolidaySettings = { holiday_region: null, extra_holidays: [] }

const doctorsIn = ({ doctors }: Row): ReadonlyArray<DoctorColumns> => (doctors === null ? [] : JSON.parse(doctors))

export class CalendarsRepo extends Service<CalendarsRepo>()("scheduling/CalendarsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const owners = yield* OwnerByKey

    const ofType = ({ every_type = false }: CalendarQuery) =>
      every_type ? sql`true` : sql`(appointment_type_uid IS NULL OR appointment_type_uid = t.uid)`
    const durationOf = ({ every_type = false }: CalendarQuery) =>
      every_type ? sql`${DURATION_MAX}::integer` : sql`t.duration_minutes`

    /** Appointments of the caller's own, which do not count. */
    const ownIn = (owner: string, { except_group, except_session }: CalendarQuery) => [
      ...(except_group === undefined
        ? []
        : [
            sql`SELECT g.uid FROM appointments g WHERE g.organisation_uid = ${owner} AND g.slot_group = ${except_group}
              AND g.status IN ('held', 'confirmed')`
          ]),
      ...(except_session === undefined
        ? []
        : [
            sql`SELECT h.uid FROM appointments h WHERE h.organisation_uid = ${owner}
              AND h.booking_session_uid = ${except_session} AND h.status = 'held'`
          ])
    ]
    const countingBut = (owner: string, query: CalendarQuery, uid: Statement.Fragment) => {
      const own = ownIn(owner, query)
      return own.length === 0 ? sql`true` : sql`${uid} <> ALL (ARRAY(${sql.join(" UNION ALL ", false)(own)}))`
    }
    /** Holds that have expired by then no longer count, stored or not. */
    const lapsedBy = (owner: string, { now }: CalendarQuery) =>
      sql`to_timestamp(${now} - ${MINUTE} * (SELECT keeper.lapsed_holds_close::integer FROM organisations keeper
        WHERE keeper.organisation_uid = ${owner}))`
    /** Claims `c` that count against the caller. */
    const closing = (owner: string, query: CalendarQuery) =>
      sql`(c.held_until IS NULL OR c.held_until > ${lapsedBy(owner, query)})
        AND ${countingBut(owner, query, sql`c.claimed_by`)}
        AND (c.counts_from IS NULL OR c.counts_from <= to_timestamp(${query.now}))`
    /** The same for appointments `a`, with those that have ended. */
    const countedWith = (owner: string, query: CalendarQuery) =>
      sql`(a.status IN ('confirmed', 'completed', 'no_show') OR a.status = 'held' AND a.hold_expires_at > to_timestamp(${query.now}))
        AND ${countingBut(owner, query, sql`a.uid`)}`

    /** Whether limits still count the appointment `a`, whose time is kept from the caller: as `closing`. */
    const keptFrom = (owner: string, query: CalendarQuery) =>
      sql`a.uid = ANY (ARRAY(SELECT claimed_by FROM claims WHERE organisation_uid = ${owner} AND NOT exclusive
          AND held_until > to_timestamp(${query.now})))
        OR a.status = 'held' AND a.hold_expires_at > ${lapsedBy(owner, query)} AND ${countingBut(owner, query, sql`a.uid`)}`

    /** Whether the claim `c` is a seat of a group of the type: another patient may join it. */
    const isOfGroup = ({ as_further = false }: CalendarQuery) =>
      as_further ? sql`false` : sql`(t.seats > 1 AND c.shared AND c.appointment_type_uid = t.uid)`

    const select = (owner: string, query: CalendarQuery) =>
      withGenericPlan(sql<Row>`
      SELECT t.organisation_uid,
        json_build_object('uid', t.uid, 'name', t.name, 'duration_minutes', t.duration_minutes,
          'hold_ttl_seconds', t.hold_ttl_seconds, 'meeting_type', t.meeting_type,
          'room_strategy', t.room_strategy, 'active', t.active, 'buffer_before_minutes', t.buffer_before_minutes,
          'buffer_after_minutes', t.buffer_after_minutes, 'slot_step_minutes', t.slot_step_minutes, 'seats', t.seats,
          'requirements', t.requirements, 'limits', t.limits, 'closed_on_holidays', t.closed_on_holidays,
          'doctor_choice', t.doctor_choice, 'formats', t.formats) AS type,
        (SELECT json_build_object('holiday_region', o.holiday_region, 'extra_holidays', o.extra_holidays)
          FROM organisations o WHERE o.organisation_uid = ${owner}) AS holidays,
        '[' || string_agg(concat('[', to_json(d.uid), ',', to_json(d.display_name), ',', to_json(d.timezone), ',',
          coalesce(s.booking_min_notice_minutes, t.booking_min_notice_minutes), ',[', windows.rules, '],',
          dates.overrides, ',', d.limits, ',[', taken.times, '],[', taken.neighbours, '],',
          CASE WHEN d.holiday_region IS NULL AND d.extra_holidays = '[]' THEN 'null'
            ELSE json_build_object('holiday_region', d.holiday_region, 'extra_holidays', d.extra_holidays)::text END,
          ',[', taken.away, ']]'), ',') FILTER (WHERE d.uid IS NOT NULL) || ']' AS doctors
      FROM appointment_types t
      LEFT JOIN (doctors d LEFT JOIN doctor_appointment_type_settings s
          ON s.organisation_uid = ${owner} AND s.doctor_uid = d.uid
          AND s.appointment_type_uid = ${query.appointment_type_uid})
        ON d.organisation_uid = ${owner} AND d.deleted_at IS NULL
        AND ${query.doctor_uids === undefined ? sql`true` : sql`d.uid = ANY (${[...query.doctor_uids]})`}
        AND ${query.as_further ? sql`true` : sql`coalesce(s.active, t.doctor_assignment_mode = 'all_available_doctors')`}
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
        SELECT max(l.buffer_minutes) AS buffer FROM claims l
        WHERE l.organisation_uid = ${owner} AND l.subject_uid = d.uid AND l.buffer_minutes > 240) long
      CROSS JOIN LATERAL (
        SELECT string_agg(concat(date_part('epoch', c.start_date)::bigint, ',', date_part('epoch', c.end_date)::bigint), ','
            ORDER BY c.start_date) FILTER (WHERE c.buffered AND NOT ${isOfGroup(query)}) AS times,
          string_agg(concat(date_part('epoch', c.start_date)::bigint, ',', date_part('epoch', c.end_date)::bigint), ','
            ORDER BY c.start_date) FILTER (WHERE NOT c.buffered) AS away,
          string_agg(concat(date_part('epoch', c.start_date)::bigint, ',', date_part('epoch', c.end_date)::bigint, ',',
            c.buffer_before_minutes, ',', c.buffer_after_minutes, ',', c.buffer_minutes), ',' ORDER BY c.start_date)
            FILTER (WHERE c.buffer_before_minutes + c.buffer_after_minutes + c.buffer_minutes > 0 OR ${isOfGroup(query)}) AS neighbours
        FROM claims c
        WHERE c.organisation_uid = ${owner} AND c.subject_uid = ANY (ARRAY[d.uid, '']) AND c.subject_kind = 'doctor'
          AND c.start_date < to_timestamp(${query.to}) + make_interval(mins => ${durationOf(query)}
            + greatest(windows.buffer, dates.buffer, long.buffer, t.buffer_after_minutes + ${BUFFER_MAX}))
          AND c.end_date > to_timestamp(${query.from})
            - make_interval(mins => greatest(windows.buffer, dates.buffer, long.buffer, t.buffer_before_minutes + ${BUFFER_MAX}))
          AND ${closing(owner, query)}) taken
      WHERE t.organisation_uid = ${owner} AND t.uid = ${query.appointment_type_uid}
        AND ${query.inactive ? sql`true` : sql`t.active`} AND t.deleted_at IS NULL
      GROUP BY t.organisation_uid, t.uid`)

    /** What a type or its doctors have beyond calendars. */
    const selectExtras = (
      owner: string,
      query: CalendarQuery,
      { uid, requirements, seats, limits }: BookedType,
      doctors: ReadonlyArray<DoctorCalendar>
    ) => {
      const resources = requirements.flatMap(({ resource_uids = [] }) => resource_uids)
      const uids = doctors.map(({ doctor_uid }) => doctor_uid)
      const limited = doctors.flatMap(({ doctor_uid, limits }) => (limits === undefined ? [] : [doctor_uid]))
      const isOfType = sql`a.appointment_type_uid = ${uid}`
      const forAll = limits.some(({ scope }) => scope === "organisation")
      const counted = sql.or([
        ...(forAll ? [isOfType] : []),
        ...(limits.length > 0 ? [sql`(${isOfType} AND a.doctor_uid = ANY (${uids}))`] : []),
        ...(limited.length > 0 ? [sql`a.doctor_uid = ANY (${limited})`] : [])
      ])
      const within = (column: Statement.Fragment, around: number) =>
        sql`${column} >= to_timestamp(${query.from - around}) AND ${column} < to_timestamp(${query.to + around})`
      const epoch = (column: Statement.Fragment) => sql`date_part('epoch', ${column})::bigint`
      return sql<Extras>`SELECT o.timezone,
        ${
          resources.length === 0
            ? sql`NULL`
            : sql`(SELECT json_agg(json_build_array(r.uid, r.always_available, windows.rules, dates.overrides,
                ('[' || coalesce(taken.times, '') || ']')::json))
              FROM resources r
              CROSS JOIN LATERAL (SELECT coalesce(json_agg(json_build_array(weekday, start_time, end_time, 0,
                    ${epoch(sql`valid_from`)}, ${epoch(sql`valid_until`)}, appointment_type_uid)), '[]') AS rules
                FROM availability_rules w WHERE w.organisation_uid = ${owner} AND w.resource_uid = r.uid
                  AND w.active AND w.deleted_at IS NULL) windows
              CROSS JOIN LATERAL (SELECT coalesce(json_agg(json_build_object('date', extract(epoch FROM date)::bigint,
                    'start_time', start_time, 'end_time', end_time, 'buffer_minutes', 0,
                    'appointment_type_uid', appointment_type_uid)), '[]') AS overrides
                FROM availability_date_overrides v WHERE v.organisation_uid = ${owner} AND v.resource_uid = r.uid
                  AND v.deleted_at IS NULL AND v.date BETWEEN (to_timestamp(${query.from}) AT TIME ZONE 'UTC')::date - 3
                    AND (to_timestamp(${query.to}) AT TIME ZONE 'UTC')::date + 3) dates
              CROSS JOIN LATERAL (SELECT string_agg(concat(${epoch(sql`c.start_date`)}, ',', ${epoch(sql`c.end_date`)}), ','
                    ORDER BY c.start_date) AS times
                FROM claims c WHERE c.organisation_uid = ${owner} AND c.subject_uid = r.uid AND c.subject_kind = 'resource'
                  AND c.end_date > to_timestamp(${query.from - DAY_AROUND})
                  AND c.start_date < to_timestamp(${query.to + DAY + DAY_AROUND}) AND ${closing(owner, query)}) taken
              WHERE r.organisation_uid = ${owner} AND r.uid = ANY (${[...resources]}) AND r.deleted_at IS NULL
                AND (r.active OR r.uid = ANY (${[...(query.inactive_uids ?? [])]})))`
        } AS resources,
        ${
          seats === 1
            ? sql`NULL`
            : sql`(SELECT json_agg(json_build_array(a.doctor_uid, ${epoch(sql`a.start_date`)}, ${epoch(sql`a.end_date`)}, a.seat,
                a.resource_uids, a.further_doctor_uids))
              FROM appointments a WHERE a.organisation_uid = ${owner} AND a.doctor_uid = ANY (${uids}) AND ${isOfType}
                AND a.shared_group IS NOT NULL AND a.status IN ('held', 'confirmed') AND ${within(sql`a.start_date`, 0)}
                AND ${countedWith(owner, query)})`
        } AS seats,
        ${
          limits.length + limited.length === 0
            ? sql`NULL`
            : sql`(SELECT json_agg(json_build_array(a.doctor_uid, ${epoch(sql`a.start_date`)}, coalesce(${isOfType}, false)))
              FROM appointments a WHERE a.organisation_uid = ${owner} AND ${within(sql`a.start_date`, PERIOD)}
                AND (${countedWith(owner, query)} OR ${keptFrom(owner, query)}) AND ${counted})`
        } AS counted
      FROM organisations o WHERE o.organisation_uid = ${owner}`
    }

    /** The calendars with what `selectExtras` reads. */
    const withExtras = Effect.fnUntraced(function* (owner: string, query: CalendarQuery, plain: Calendars) {
      const { type, doctors } = plain
      const isPlain =
        type.requirements.length + type.limits.length === 0 &&
        type.seats === 1 &&
        doctors.every(({ limits }) => limits === undefined)
      if (isPlain || query.every_type) return plain
      const [extras] = yield* selectExtras(owner, query, type, doctors)
      if (extras === undefined) return plain
      const { timezone, resources, seats, counted } = extras
      const further_uids = type.requirements.flatMap(({ doctor_uids = [] }) => doctor_uids)
      const [further] =
        further_uids.length === 0
          ? []
          : yield* select(owner, {
              ...query,
              doctor_uids: further_uids,
              as_further: true,
              from: query.from - DAY_AROUND,
              to: query.to + DAY_AROUND
            })
      const units = [
        ...(resources ?? []).map(resourceOf(timezone)),
        ...(further === undefined
          ? []
          : doctorsIn(further).map((columns) => furtherOf(columns, closedIn(query, further))))
      ]
      const seatsOf = Map.groupBy(seats ?? [], ([doctor]) => doctor)
      const countedOf = Map.groupBy(counted ?? [], ([doctor]) => doctor)
      const startsIn = (some: ReadonlyArray<CountedColumns>) => some.map(([, start]) => start)
      const ofType = (counted ?? []).filter(([, , isOfType]) => isOfType)
      const full: Calendars = {
        ...plain,
        doctors: doctors.map((doctor) => {
          const own = countedOf.get(doctor.doctor_uid) ?? []
          return {
            ...doctor,
            groups: groupsOf(seatsOf.get(doctor.doctor_uid) ?? []),
            counted: { all: startsIn(own), ofType: startsIn(own.filter(([, , isOfType]) => isOfType)) }
          }
        }),
        surroundings: { timezone, units, counted: startsIn(ofType) }
      }
      return full
    }, Effect.orDie)

    /** The calendars of every doctor who offers the type, or of `doctor_uids`. Fails with `BookableTypeNotFound`. */
    const read = Effect.fnUntraced(function* (query: CalendarQuery) {
      const { owner } = query
      const unknown = () => new BookableTypeNotFound()
      const selected = (uid: string) =>
        select(uid, query).pipe(
          Effect.orDie,
          Effect.filterOrElse(Array.isNonEmptyReadonlyArray, () => Effect.fail(unknown())),
          Effect.flatMap(([first]) => {
            const { organisation_uid, type } = first
            const closedOf = closedIn(query, first)
            const doctors = doctorsIn(first).map((columns) => doctorOf(columns, closedOf))
            return withExtras(uid, query, { organisation_uid, type, doctors, surroundings: nothingElse })
          })
        )
      // A shop is public, so its organisation is looked up by key
      return yield* "shop_uid" in owner
        ? owners.within({ kind: "shop", key: owner.shop_uid }, unknown, selected)
        : selected(owner.organisation_uid)
    })
    /**
     * How many appointments of each doctor start on the day of `start` and in its week, from Monday to Sunday in the doctor's zone. They count
     * as for limits; those of a further doctor do not.
     */
    const loads = (
      owner: OrganisationUid,
      query: CalendarQuery,
      doctors: ReadonlyArray<Pick<DoctorCalendar, "doctor_uid" | "timezone">>,
      start: number
    ) => {
      const periods = doctors.map(({ timezone }) => {
        const zone = zoneOf(timezone)
        const day = Math.floor((start + spanAt(zone, start).offset) / DAY)
        const monday = day - weekdayOf(day)
        return [day, day + 1, monday, monday + 7].map((date) => instantOfWall(zone, date * DAY))
      })
      const bounds = (at: number) => sql`${periods.map((own) => own[at] ?? 0)}::float8[]`
      const inDay = sql`a.start_date >= to_timestamp(d.day) AND a.start_date < to_timestamp(d.next_day)`
      return Effect.orDie(sql<Load>`SELECT d.doctor_uid, count(a.uid) FILTER (WHERE ${inDay})::integer AS in_day, count(a.uid)::integer AS in_week
        FROM unnest(${doctors.map(({ doctor_uid }) => doctor_uid)}::text[], ${bounds(0)}, ${bounds(1)}, ${bounds(2)}, ${bounds(3)})
          AS d (doctor_uid, day, next_day, monday, next_monday)
        LEFT JOIN appointments a ON a.organisation_uid = ${owner} AND a.doctor_uid = d.doctor_uid
          AND a.start_date >= to_timestamp(d.monday) AND a.start_date < to_timestamp(d.next_monday) AND ${countedWith(owner, query)}
        GROUP BY d.doctor_uid`)
    }
    return { read, loads } as const
  }),
  dependencies: [OwnerByKey.Default]
}) {}
