/**
 * Deletes records past their retention period, in small batches, so that other statements are not blocked; drops whole months of tables
 * partitioned by month. Section 12.6.
 */
import { Effect, Number, Schema } from "effect"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { MessageUid, OrganisationUid, PrescriptionUid } from "../../../schemas/ids.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Database } from "../../../services/database/Database.ts"
import { rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { interpolate } from "../../../services/database/sqlTemplate.ts"
import { nameOf, type RetentionRule } from "../../../services/operation/addedRetention.ts"
import { Jobs } from "../../../services/queue/Jobs.ts"
import { batches, Owners } from "../../../services/tenancy/Owners.ts"
import { asWorker } from "../../../services/tenancy/Tenancy.ts"
import { forEachThenFail } from "../../shared/services/forEachThenFail.ts"
import { isOver, keyOf, ownerColumn, retentionRules } from "../../shared/services/retentionRules.ts"

const BATCH = 2_000

/** Periods configured by organisations, in days. */
const Own = Schema.Struct({
  organisation_uid: OrganisationUid,
  retention: Schema.Record({ key: Schema.String, value: Schema.Number })
})
type Own = typeof Own.Type

/** A period and its scope: one organisation's rows, or everybody's except those with a period of their own. */
interface Period {
  readonly seconds: number
  readonly only?: string
  readonly others: ReadonlyArray<string>
}

const Gone = Schema.Struct({ owner: Schema.String, id: Schema.String })

/** One line of the report. */
const Due = Schema.Struct({
  rows: Schema.Number,
  due: Schema.Number,
  oldest: Schema.NullOr(UnixSeconds)
})
export interface ReportLine extends Schema.Schema.Type<typeof Due> {
  readonly rule: RetentionRule
  /** Null: all organisations without a period of their own. */
  readonly organisation: string | null
  readonly seconds: number
  /** When the oldest row is deleted, unless a condition keeps it; null if there is none. */
  readonly next: number | null
}

/** A table partitioned by month by `cli partition`. */
const MonthTable = Schema.Struct({ name: Schema.String })

/** Start of the UTC month. */
const monthOf = (seconds: number) => {
  const at = new Date(seconds * 1000)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth()) / 1000
}
const monthAfter = (seconds: number) => monthOf(monthOf(seconds) + 32 * DAY)

const periodsOf = ({ after }: RetentionRule, own: ReadonlyArray<Own>): ReadonlyArray<Period> => {
  if (typeof after === "number") return [{ seconds: after, others: [] }]
  const set = own.flatMap(({ organisation_uid, retention }) => {
    const days = retention[after.name]
    return days === undefined ? [] : [{ seconds: days * DAY, only: organisation_uid, others: [] }]
  })
  return [{ seconds: after.days * DAY, others: set.map(({ only }) => only) }, ...set]
}

export class Retention extends Effect.Service<Retention>()("services/Retention", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const jobs = yield* Jobs
    const owners = yield* Owners
    const owns = rowsOf(Own)
    const gone = rowsOf(Gone)
    const dues = rowsOf(Due)
    const monthTables = rowsOf(MonthTable)

    const own = owns.all(sql`SELECT organisation_uid, retention FROM retention_periods()`).pipe(asWorker())

    const byMonth = Effect.map(
      monthTables.all(sql`SELECT name FROM month_tables() name`),
      (found) => new Set(found.map(({ name }) => name))
    )

    /**
     * Time before which rows are past retention. In a table partitioned by month, rows with the default period are deleted with their
     * month.
     */
    const endOf = ({ table }: RetentionRule, { seconds, only }: Period, now: number, months: ReadonlySet<string>) =>
      only === undefined && months.has(table) ? monthOf(now - seconds) : now - seconds

    const ownerOf = (rule: RetentionRule) => sql(ownerColumn(rule))
    const within = (rule: RetentionRule, { only, others }: Period) =>
      only !== undefined
        ? sql`r.${ownerOf(rule)} = ${only}`
        : others.length === 0
          ? sql`true`
          : sql`r.${ownerOf(rule)} <> ALL (${[...others]}::text[])`
    /** Condition for rows past retention; with `owner`, subqueries are restricted to that owner too. */
    const isPastRetention = (rule: RetentionRule, end: number, owner?: string) =>
      interpolate(sql, isOver(rule), {
        end: sql`to_timestamp(${end})`,
        owner: owner === undefined ? sql`r.organisation_uid` : sql`${owner}`
      })

    /** The owners of rows past retention. */
    const ownersOf = (rule: RetentionRule, { only, others }: Period, end: number) =>
      sql`SELECT owner FROM owners_past_retention(${nameOf(rule)}, to_timestamp(${end}), ${only ?? null},
        ${[...others]}::text[]) AS owner`

    const expireBatch = Effect.fnUntraced(function* (rule: RetentionRule, period: Period, of: string, end: number) {
      const { table, since, set } = rule
      const key = keyOf(rule)
      const columns = sql.literal(key.map((column) => `"${column}"`).join(", "))
      const [owner, id] = key
      const rows =
        yield* gone.all(sql`${set === undefined ? sql`DELETE FROM ${sql(table)}` : sql`UPDATE ${sql(table)} SET ${sql.literal(set)}`}
        WHERE ${sql(owner)} = ${of} AND (${columns}) IN (SELECT ${columns} FROM ${sql(table)} r
          WHERE r.${sql(owner)} = ${of} AND ${within(rule, period)} AND ${isPastRetention(rule, end, of)}
          ORDER BY ${sql(since)} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
        RETURNING ${sql(owner)} AS owner, ${sql(id ?? owner)}::text AS id`)
      if (table === "prescriptions")
        yield* jobs.sendAll(
          "prescription.forget",
          rows.map((row) => ({
            organisation_uid: OrganisationUid.make(row.owner),
            prescription_uid: PrescriptionUid.make(row.id)
          }))
        )
      if (table === "messages" && rows.length > 0)
        yield* jobs.send("message.forget", {
          organisation_uid: OrganisationUid.make(of),
          message_uids: rows.map((row) => MessageUid.make(row.id))
        })
      return rows.length
    }, transaction)

    const expireAll = Effect.fnUntraced(function* (rule: RetentionRule, period: Period, end: number) {
      const found = yield* owners.found(ownersOf(rule, period, end))
      return (yield* owners.each(found, (owner) => batches(BATCH, expireBatch(rule, period, owner, end)))).count
    })

    /**
     * Drops the months that are past retention for everybody. In months that one organisation retains longer, other rows are deleted one
     * by one.
     */
    const dropMonths = ({ table }: RetentionRule, periods: ReadonlyArray<Period>, now: number) => {
      const longest = Math.max(...periods.map(({ seconds }) => seconds))
      return sql`SELECT drop_months(${table}, to_timestamp(${now - longest}))`.pipe(
        transaction,
        Effect.orDie,
        asWorker()
      )
    }

    /** Safe to run in several workers at once. Returns the number of rows deleted or blanked. */
    const deleteExpired = Effect.fn("Retention.deleteExpired")(function* () {
      const set = yield* own
      const months = yield* byMonth
      if (months.size > 0) yield* Effect.orDie(sql`SELECT add_months()`)
      // What one rule cannot end keeps no other from its rows
      const ended = yield* forEachThenFail(
        retentionRules(),
        Effect.fnUntraced(function* (rule) {
          const periods = periodsOf(rule, set)
          const now = yield* clock.now
          const drop = Effect.when(dropMonths(rule, periods, now), () => months.has(rule.table))
          const end = Effect.forEach(periods, (period) => expireAll(rule, period, endOf(rule, period, now, months)))
          // messages have copies, each deleted by a job: their months are dropped once they are empty
          return yield* rule.table === "messages" ? Effect.zipLeft(end, drop) : Effect.zipRight(drop, end)
        })
      )
      return Number.sumAll(ended.flat())
    })

    /** Forecast of deletions, for everybody or one organisation. */
    const report = Effect.fn("Retention.report")(function* (organisation?: OrganisationUid) {
      const now = yield* clock.now
      const months = yield* byMonth
      const set = (yield* own).filter(
        ({ organisation_uid }) => organisation === undefined || organisation_uid === organisation
      )
      const lineOf = Effect.fnUntraced(function* (rule: RetentionRule, period: Period) {
        const ownerCondition = organisation === undefined ? sql`true` : sql`r.${ownerOf(rule)} = ${organisation}`
        const end = endOf(rule, period, now, months)
        const found = yield* dues.one(sql`SELECT count(*) AS rows, min(r.${sql(rule.since)}) AS oldest,
            count(*) FILTER (WHERE ${isPastRetention(rule, end)}) AS due
          FROM ${sql(rule.table)} r WHERE ${ownerCondition} AND ${within(rule, period)} AND r.${sql(rule.since)} IS NOT NULL`)
        const next = found.oldest === null ? null : found.oldest + period.seconds
        const line: ReportLine = {
          ...found,
          rule,
          organisation: period.only ?? organisation ?? null,
          seconds: period.seconds,
          next: next !== null && period.only === undefined && months.has(rule.table) ? monthAfter(next) : next
        }
        return line
      })
      const lines = yield* Effect.forEach(retentionRules(), (rule) => {
        const periods = periodsOf(rule, set)
        const [own] = periods.filter(({ only }) => only !== undefined)
        return Effect.forEach(organisation !== undefined && own !== undefined ? [own] : periods, (period) =>
          lineOf(rule, period)
        )
      })
      return lines.flat()
    })

    return { deleteExpired, report } as const
  })
}) {}
