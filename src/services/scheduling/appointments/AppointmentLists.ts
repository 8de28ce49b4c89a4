/** Lists of appointments, shared by management, doctors and admins (Rule 7.2). */

import type { Statement } from "@effect/sql"
import { Effect, Schema } from "effect"
import { PatientNotFound } from "../../../schemas/access/errors.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import {
  AppointmentTypeUid,
  AppointmentUid,
  DoctorUid,
  type OrganisationUid,
  type PatientUid,
  type ResourceUid
} from "../../../schemas/ids.ts"
import { paged } from "../../../schemas/paging.ts"
import { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import type { AppointmentQuery } from "../../../schemas/scheduling/AppointmentQuery.ts"
import { AppointmentStatus, finalStatuses } from "../../../schemas/scheduling/AppointmentStates.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../DomainClock.ts"
import { withGenericPlan } from "../../database/Database.ts"
import { any, anyOr, countOf, rowsOf } from "../../database/rows.ts"
import { Sql } from "../../database/Sql.ts"
import { readFromReplica } from "../../database/staleReads.ts"
import {
  fromNearerEnd,
  isShort,
  pageOf,
  partialDays,
  type Range,
  type Window,
  wholeDays,
  windowOf
} from "../../database/totals.ts"
import { Extensions } from "../../Extensions.ts"
import { ANSWER_LIMITS } from "../../recordLimits.ts"
import { Envelope } from "../../sealing/Envelope.ts"
import { type AppointmentFields, appointmentRows, sealedIn } from "./appointmentRows.ts"
import { StoredAppointment } from "./StoredAppointment.ts"

/** A doctor who asks for what is their own. */
interface DoctorCaller {
  readonly organisation_uid: OrganisationUid
  readonly doctor_uid: DoctorUid
}

type Status = AppointmentQuery["status"]
const isFinal = (status: Status) => finalStatuses.some((final) => final === status)
/** The final statuses among those requested. */
const finalsOf = (status: Status) => finalStatuses.filter((final) => status === "all" || status === final)
/** Starts in `[from, to)`, of one doctor or of all. */
interface StartRange {
  readonly doctor_uid?: DoctorUid
  /** Also those in which it is a further doctor. */
  readonly including_further?: boolean
  readonly resource_uid?: ResourceUid
  readonly from: number
  readonly to: number
}
/** A row of a page, with the total of the list, and whether capabilities may have added anything to it. */
const Listed = Schema.Struct({ ...Appointment.fields, total: Schema.Number, has_added: Schema.Boolean })

/** A condition made of these expressions. */
type Condition<Fields> = (fields: Fields) => Statement.Fragment
/** With those of the type and the doctor, for conditions alone. */
export type SearchFields = AppointmentFields & {
  readonly type_specialty: Statement.Fragment
  readonly doctor_specialty: Statement.Fragment
}

/** When an appointment is. */
const Time = Schema.Struct({
  doctor_uid: DoctorUid,
  appointment_type_uid: Schema.NullOr(AppointmentTypeUid),
  start_date: UnixSeconds,
  end_date: UnixSeconds,
  status: AppointmentStatus
})
export type AppointmentTime = typeof Time.Type

/** `day_of`: appointments that this doctor has, also as a further doctor. */
export interface ListedAppointments extends Omit<AppointmentQuery, "including_further"> {
  readonly day_of?: DoctorUid
}

/** `doctor_uid` of the rows of `appointment_counts` that count all doctors. */
const ALL_DOCTORS = ""

/** Whether it is filtered by what neither an index by start nor the counts by day have. */
const isByRow = ({ patient_uid, resource_uid, updated_after }: ListedAppointments) =>
  patient_uid !== undefined || resource_uid !== undefined || updated_after !== undefined

export class AppointmentLists extends Effect.Service<AppointmentLists>()("scheduling/AppointmentLists", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const envelope = yield* Envelope
    const extensions = yield* Extensions
    const { isOverdue, isFurther, fields, publicColumns, columns, joined } = appointmentRows(sql)
    const stored = rowsOf(StoredAppointment, envelope.openRows(...sealedIn))
    const shown = rowsOf(Appointment, envelope.openRows(...sealedIn))
    const listed = rowsOf(Listed, envelope.openRows(...sealedIn))
    const uids = rowsOf(Schema.Struct({ uid: AppointmentUid }))
    const times = rowsOf(Time)

    /**
     * The non-final statuses as disjoint conditions: counted separately, each is a scan of one index. A hold counts as expired from the
     * second it expires.
     */
    const liveFilters = (status: Status, now: number): ReadonlyArray<Statement.Fragment> => {
      const held = sql`(a.status = 'held' AND a.hold_expires_at > to_timestamp(${now}))`
      if (status === undefined) return [sql`a.status = 'confirmed'`, held]
      if (status === "held") return [held]
      if (status === "expired") return [isOverdue(now)]
      if (status === "all") return [sql`a.status = 'held'`, sql`a.status = 'confirmed'`]
      return status === "confirmed" ? [sql`a.status = 'confirmed'`] : []
    }

    /** Expiring is a change, whether or not it is stored yet. */
    const changedAfter = (moment: number, now: number) => sql`(a.updated_at > to_timestamp(${moment})
      OR (${isOverdue(now)} AND a.hold_expires_at > to_timestamp(${moment})))`

    const rangeOf = (query: ListedAppointments, now: number): Range => {
      const readsHistory = isFinal(query.status) || (query.to !== undefined && query.to < now)
      return { from: query.from ?? (readsHistory ? undefined : now), to: query.to }
    }

    const within = (owner: OrganisationUid, query: ListedAppointments, { from, to }: Range, now: number) =>
      sql.and([
        sql`a.organisation_uid = ${owner}`,
        ...(query.doctor_uid === undefined ? [] : [sql`a.doctor_uid = ${query.doctor_uid}`]),
        ...(query.resource_uid === undefined
          ? []
          : [sql`a.resource_uids <> '{}' AND ${query.resource_uid} = ANY (a.resource_uids)`]),
        ...(query.patient_uid === undefined ? [] : [sql`a.patient_uid = ${query.patient_uid}`]),
        ...(from === undefined ? [] : [sql`a.start_date >= to_timestamp(${from})`]),
        ...(to === undefined ? [] : [sql`a.start_date <= to_timestamp(${to})`]),
        ...(query.updated_after === undefined ? [] : [changedAfter(query.updated_after, now)])
      ])

    /** All appointments `a`, or those of the doctor whose day is listed, each part by an index of its own. */
    const source = (owner: OrganisationUid, { day_of }: ListedAppointments) =>
      day_of === undefined
        ? sql`appointments a`
        : sql`(SELECT a.* FROM appointments a WHERE a.organisation_uid = ${owner} AND a.doctor_uid = ${day_of}
            UNION ALL SELECT a.* FROM appointments a
              WHERE a.organisation_uid = ${owner} AND a.doctor_uid <> ${day_of} AND ${isFurther(day_of)}) a`

    const rowsWith = (
      owner: OrganisationUid,
      query: ListedAppointments,
      conditions: ReadonlyArray<Statement.Fragment>
    ) => sql`(SELECT count(*) FROM ${source(owner, query)} WHERE ${sql.and(conditions)})`

    /** Final appointments on the whole days of the range, from the counts by day. */
    const endedByDay = (owner: OrganisationUid, query: ListedAppointments, range: Range) => {
      const { first, last } = wholeDays(range)
      return sql`(SELECT coalesce(sum(c.rows), 0) FROM appointment_counts c WHERE ${sql.and([
        sql`c.organisation_uid = ${owner} AND c.doctor_uid = ${query.day_of ?? query.doctor_uid ?? ALL_DOCTORS}`,
        sql.in("c.status", finalsOf(query.status)),
        ...(first === undefined ? [] : [sql`c.day >= date '1970-01-01' + ${first}::integer`]),
        ...(last === undefined ? [] : [sql`c.day < date '1970-01-01' + ${last}::integer`])
      ])})`
    }

    /** Final appointments of a further doctor on the same days: the counts by day are those of the booked doctors. */
    const furtherOnWholeDays = (owner: OrganisationUid, query: ListedAppointments, range: Range) => {
      const { day_of } = query
      if (day_of === undefined) return []
      const { first, last } = wholeDays(range)
      return [
        sql`(SELECT count(*) FROM appointments a WHERE ${sql.and([
          sql`a.organisation_uid = ${owner} AND a.doctor_uid <> ${day_of} AND ${isFurther(day_of)}`,
          sql.in("a.status", finalsOf(query.status)),
          ...(first === undefined ? [] : [sql`a.start_date >= to_timestamp(${first * DAY})`]),
          ...(last === undefined ? [] : [sql`a.start_date < to_timestamp(${last * DAY})`])
        ])})`
      ]
    }

    /** How many there are: final appointments are counted by day; live ones, and those filtered by patient, resource or change, by row. */
    const count = (owner: OrganisationUid, query: ListedAppointments, range: Range, now: number) => {
      const live = liveFilters(query.status, now).map((filter) =>
        rowsWith(owner, query, [within(owner, query, range, now), filter])
      )
      const finals = finalsOf(query.status)
      const endedIn = (part: Range) =>
        rowsWith(owner, query, [within(owner, query, part, now), sql.in("a.status", finals)])
      const ended =
        isByRow(query) || isShort(range)
          ? [endedIn(range)]
          : [
              endedByDay(owner, query, range),
              ...furtherOnWholeDays(owner, query, range),
              ...partialDays(range).map(endedIn)
            ]
      return sql`(${sql.join(" + ", false)(finals.length === 0 ? live : [...live, ...ended])})::bigint`
    }

    const matchesOf = (owner: OrganisationUid, query: ListedAppointments, range: Range, now: number) => {
      const finals = finalsOf(query.status)
      const all = within(owner, query, range, now)
      if (query.status === "all") return all
      const ended = finals.length === 0 ? [] : [sql.in("a.status", finals)]
      return sql.and([all, sql.or([...liveFilters(query.status, now), ...ended])])
    }

    const afterPlace = (after: readonly [start: number, uid: string] | undefined) =>
      after === undefined
        ? sql`true`
        : sql`(a.start_date, a.uid COLLATE "C") > (to_timestamp(${after[0]}), ${after[1]})`

    /**
     * By start, then uid. Without `status`: held and confirmed; without `from`: from now on, unless one final status is requested or `to`
     * lies in the past. A doctor or patient of another organisation gives an empty list.
     */
    const list = Effect.fn("AppointmentLists.list")(function* (owner: OrganisationUid, query: ListedAppointments) {
      const now = yield* clock.now
      const adding = (yield* extensions.having("ofAppointments")).map(({ ofAppointments }) =>
        ofAppointments.isAny(owner)
      )
      const hasAdded = sql.or([sql`false`, ...adding])
      const range = rangeOf(query, now)
      const matches = sql`${matchesOf(owner, query, range, now)} AND ${afterPlace(query.after)}`
      const counted = count(owner, query, range, now)
      const counting = countOf(sql`SELECT ${counted} AS count`)
      const read = (total: Statement.Fragment) => (window: Window) => {
        const order = window.reversed
          ? sql`a.start_date DESC, a.uid COLLATE "C" DESC`
          : sql`a.start_date, a.uid COLLATE "C"`
        const uids = sql`SELECT a.uid FROM ${source(owner, query)} WHERE ${matches}
          ORDER BY ${order} LIMIT ${window.limit} OFFSET ${window.offset}`
        const rows = listed.all(sql`SELECT ${publicColumns(now)}, ${total} AS total, ${hasAdded} AS has_added
          ${joined(owner, sql`a.uid = ANY(ARRAY(${uids}))`)} ORDER BY ${order}`)
        // otherwise the best index depends on the values
        return isByRow(query) ? rows : withGenericPlan(rows)
      }
      const isLater = query.after === undefined && query.page > 0
      const known = isLater ? yield* counting : undefined
      // the first page brings the total with its rows
      const rows = yield* known === undefined
        ? read(counted)({ ...windowOf(query), reversed: false })
        : fromNearerEnd(query, known, read(sql`${known}::bigint`))
      const total = known ?? rows[0]?.total
      const found = yield* pageOf(
        query,
        Effect.succeed(rows),
        (row) => [row.start_date, row.uid] as const,
        total === undefined ? counting : Effect.succeed(total)
      )
      return paged<Appointment>(found)
    }, readFromReplica)
    /** Every appointment and hold of a patient, by start. */
    const ofPatient = Effect.fn("AppointmentLists.ofPatient")(function* (owner: OrganisationUid, patient: PatientUid) {
      const now = yield* clock.now
      return yield* shown.all(sql`SELECT ${publicColumns(now)}
        ${joined(owner, sql`a.patient_uid = ${patient}`)} ORDER BY a.start_date, a.uid COLLATE "C"`)
    })

    /**
     * Those that fit the condition, by start, and how many there are, null above 10,000. `after` is the last row of the page before.
     */
    const matching = Effect.fn("AppointmentLists.matching")(function* (
      owner: OrganisationUid,
      condition: Condition<SearchFields>,
      limit: number,
      after?: readonly [start: number, uid: string]
    ) {
      const now = yield* clock.now
      const wanted = condition({
        ...fields(now),
        type_specialty: sql`t.specialty_code`,
        doctor_specialty: sql`d.specialty_code`
      })
      const found = yield* stored.all(sql`SELECT ${columns(now)}
        ${joined(owner, sql`${wanted} AND ${afterPlace(after)}`)} ORDER BY a.start_date, a.uid COLLATE "C" LIMIT ${limit}`)
      const total = yield* countOf(sql`SELECT count(*) FROM (
        SELECT 1 ${joined(owner, wanted)} LIMIT ${ANSWER_LIMITS.countedAppointments + 1}) counted`)
      return { found, total: total > ANSWER_LIMITS.countedAppointments ? null : total }
    }, readFromReplica)

    /** When those are that fit the condition; one for all of the same time and status. */
    const timesOf = Effect.fn("AppointmentLists.timesOf")(function* (
      owner: OrganisationUid,
      condition: Condition<AppointmentFields>
    ) {
      const all = fields(yield* clock.now)
      return yield* times.all(sql`SELECT DISTINCT a.doctor_uid, a.appointment_type_uid, a.start_date, a.end_date,
          ${all.status} AS status
        FROM appointments a WHERE a.organisation_uid = ${owner} AND ${condition(all)}`)
    })

    const ofDoctor = ({ doctor_uid: doctor, including_further = false }: StartRange) => {
      if (doctor === undefined) return sql`true`
      return including_further ? sql`(a.doctor_uid = ${doctor} OR ${isFurther(doctor)})` : sql`a.doctor_uid = ${doctor}`
    }

    /** Uids of appointments that start in `[from, to)`, by start, of one doctor or of all. */
    const startingBetween = Effect.fn("AppointmentLists.startingBetween")(function* (
      status: Statement.Fragment,
      owner: OrganisationUid,
      range: StartRange,
      limit: number | null = null
    ) {
      const rows = yield* uids.all(sql`SELECT a.uid FROM appointments a
        WHERE a.organisation_uid = ${owner} AND ${status}
          AND a.start_date >= to_timestamp(${range.from}) AND a.start_date < to_timestamp(${range.to})
          AND ${ofDoctor(range)}
          AND (${range.resource_uid ?? null}::text IS NULL OR ${range.resource_uid ?? null} = ANY (a.resource_uids))
        ORDER BY a.start_date, a.uid COLLATE "C" LIMIT ${limit}`)
      return rows.map(({ uid }) => uid)
    })

    /** Live holds and confirmed appointments. */
    const liveBetween = (owner: OrganisationUid, range: StartRange, now: number, limit?: number) =>
      startingBetween(sql`a.status IN ('held', 'confirmed') AND NOT ${isOverdue(now)}`, owner, range, limit)

    /** Confirmed appointments only. */
    const confirmedBetween = (owner: OrganisationUid, range: StartRange, limit: number) =>
      startingBetween(sql`a.status = 'confirmed'`, owner, range, limit)

    /** Whether the doctor has a live hold or a confirmed appointment that has not ended, also as a further doctor. */
    const hasLive = (owner: OrganisationUid, doctor: DoctorUid, now: number) =>
      any(sql`SELECT 1 FROM appointments a WHERE a.organisation_uid = ${owner} AND (a.doctor_uid = ${doctor} OR ${isFurther(doctor)})
        AND a.status IN ('held', 'confirmed') AND NOT ${isOverdue(now)} AND a.end_date > to_timestamp(${now}) LIMIT 1`)

    /** Requires a past or future appointment of the patient with the doctor, also as a further one. Fails with `PatientNotFound`. */
    const ensureOwnPatient = ({ organisation_uid: owner, doctor_uid: doctor }: DoctorCaller, patient: PatientUid) =>
      anyOr(
        sql`SELECT 1 FROM appointments a WHERE organisation_uid = ${owner} AND patient_uid = ${patient}
          AND (doctor_uid = ${doctor} OR ${isFurther(doctor)}) AND confirmed_at IS NOT NULL LIMIT 1`,
        () => new PatientNotFound()
      )

    return { list, matching, timesOf, ofPatient, liveBetween, confirmedBetween, hasLive, ensureOwnPatient } as const
  })
}) {}
