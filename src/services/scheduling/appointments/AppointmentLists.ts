/** Lists of appointments, the same for management, doctors and admins (Rule 7.2). */
import { SqlClient, type Statement } from "@effect/sql"
import { Effect, Schema } from "effect"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import { type Page, paged } from "../../../schemas/paging.ts"
import type { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import type { AppointmentQuery } from "../../../schemas/scheduling/AppointmentQuery.ts"
import { AppointmentStatus, finalStatuses } from "../../../schemas/scheduling/AppointmentStates.ts"
import { DomainClock } from "../../DomainClock.ts"
import { rowsOf } from "../../rows.ts"
import { AppointmentsRepo } from "./AppointmentsRepo.ts"
import { publicAppointment, StoredAppointment } from "./StoredAppointment.ts"

const isFinal = (status: AppointmentQuery["status"]) => finalStatuses.some((final) => final === status)
const Total = Schema.Struct({ total: Schema.Number })

export class AppointmentLists extends Effect.Service<AppointmentLists>()("scheduling/AppointmentLists", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const appointments = yield* AppointmentsRepo
    const stored = rowsOf(StoredAppointment)
    const totals = rowsOf(Total)

    /**
     * The statuses asked for, as conditions that exclude each other: counted apart, each is a scan of one index. A hold
     * counts as expired from the second its lifetime is over.
     */
    const statusFilters = (status: AppointmentQuery["status"], now: number): ReadonlyArray<Statement.Fragment> => {
      const held = sql`(a.status = 'held' AND a.hold_expires_at > to_timestamp(${now}))`
      const overdue = appointments.isOverdue(now)
      if (status === undefined) return [sql`a.status = 'confirmed'`, held]
      if (status === "held") return [held]
      if (status === "expired") return [sql`a.status = 'expired'`, overdue]
      if (status === "all") return AppointmentStatus.literals.map((one) => sql`a.status = ${one}`)
      return [sql`a.status = ${status}`]
    }

    /** Expiring is a change, whether or not it is stored yet. */
    const changedAfter = (moment: number, now: number) => sql`(a.updated_at > to_timestamp(${moment})
      OR (${appointments.isOverdue(now)} AND a.hold_expires_at > to_timestamp(${moment})))`

    const within = (owner: OrganisationUid, query: AppointmentQuery, now: number): Statement.Fragment => {
      const readsHistory = isFinal(query.status) || (query.to !== undefined && query.to < now)
      const from = query.from ?? (readsHistory ? undefined : now)
      return sql.and([
        sql`a.organisation_uid = ${owner}`,
        ...(query.doctor_uid === undefined ? [] : [sql`a.doctor_uid = ${query.doctor_uid}`]),
        ...(query.patient_uid === undefined ? [] : [sql`a.patient_uid = ${query.patient_uid}`]),
        ...(from === undefined ? [] : [sql`a.start_date >= to_timestamp(${from})`]),
        ...(query.to === undefined ? [] : [sql`a.start_date <= to_timestamp(${query.to})`]),
        ...(query.updated_after === undefined ? [] : [changedAfter(query.updated_after, now)])
      ])
    }

    const count = (range: Statement.Fragment, filters: ReadonlyArray<Statement.Fragment>) => {
      const counts = filters.map((filter) => sql`(SELECT count(*) FROM appointments a WHERE ${range} AND ${filter})`)
      return Effect.map(totals.one(sql`SELECT ${sql.join(" + ", false)(counts)} AS total`), ({ total }) => total)
    }

    /** Uids of one page. The index is walked from whichever end is nearer, so that the last page is as fast as the first. */
    const pageOf = (matches: Statement.Fragment, { page, limit }: Page, total: number) => {
      const before = page * limit
      const rows = Math.min(limit, total - before)
      const behind = total - before - rows
      return before <= behind
        ? sql`SELECT a.uid FROM appointments a WHERE ${matches}
            ORDER BY a.start_date, a.uid COLLATE "C" LIMIT ${rows} OFFSET ${before}`
        : sql`SELECT a.uid FROM appointments a WHERE ${matches}
            ORDER BY a.start_date DESC, a.uid COLLATE "C" DESC LIMIT ${rows} OFFSET ${behind}`
    }

    /**
     * By start, then uid. Without `status`: held and confirmed; without `from`: from now on, unless one final status is
     * asked for or `to` lies in the past. A doctor or patient that is not the organisation's gives an empty list.
     */
    const list = Effect.fn("AppointmentLists.list")(function* (owner: OrganisationUid, query: AppointmentQuery) {
      const now = yield* clock.now
      const range = within(owner, query, now)
      const filters = statusFilters(query.status, now)
      const total = yield* count(range, filters)
      const matches = query.status === "all" ? range : sql.and([range, sql.or(filters)])
      if (query.page * query.limit >= total) return paged<Appointment>([], total, query.limit)
      const rows = yield* stored.all(sql`SELECT ${appointments.columns(now)} ${appointments.joined}
        WHERE a.organisation_uid = ${owner} AND a.uid = ANY(ARRAY(${pageOf(matches, query, total)}))
        ORDER BY a.start_date, a.uid COLLATE "C"`)
      return paged(rows.map(publicAppointment), total, query.limit)
    })
    return { list } as const
  }),
  dependencies: [DomainClock.Default, AppointmentsRepo.Default]
}) {}
