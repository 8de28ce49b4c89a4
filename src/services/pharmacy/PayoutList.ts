/**
 * Projected and routed payouts in one list (Rules 10.5.10 and 10.5.11), filtered, sorted and paginated by the database. Each status is
 * read from an index in the requested order, the two are merged, and totals come from maintained counts, so that the cost of a page
 * depends on its offset, not on the pharmacy's size.
 */
import type { Statement } from "@effect/sql"
import { Effect, Option, Schema, Stream } from "effect"
import { LATEST } from "../../schemas/fields.ts"
import type { PharmacyUid } from "../../schemas/ids.ts"
import { paged } from "../../schemas/paging.ts"
import {
  Payout,
  type PayoutFilter,
  PayoutPlace,
  type PayoutQuery,
  type PayoutSort,
  type PayoutStatus
} from "../../schemas/pharmacy/Payout.ts"
import { invalid } from "../../schemas/problems.ts"
import { HOUR } from "../../schemas/seconds.ts"
import { DomainClock } from "../DomainClock.ts"
import { changedSince } from "../database/changedSince.ts"
import { likePattern } from "../database/likePattern.ts"
import { columnsOf, countOf, rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { readFromReplica } from "../database/staleReads.ts"
import { fromNearerEnd, isShort, pageOf, partialDays, type Range, wholeDays, windowOf } from "../database/totals.ts"
import { hasTrigram } from "../database/trigrams.ts"
import { ANSWER_LIMITS } from "../recordLimits.ts"
import { byTextIndex, type CurrentTenant, streamOf } from "../tenancy/Tenancy.ts"
import { lineIn, StatementPart } from "./statement.ts"

/** A range of up to this many rows is read whole and then sorted; a larger one is read in the requested order. */
const NARROW_ROWS = 500_000

interface Cut {
  readonly offset: number
  readonly limit: number
  readonly ascending: boolean
  /** The filter's range contains few rows. */
  readonly narrow: boolean
}

/** The date that ranges filter by. */
const dateOf = { projected: "pharmacy_order_created_at", routed: "routing_created_at" } as const

/** Rows of a statement read per query. */
const PART_ROWS = 10_000

/** A part of a statement, the keys of its rows that can move, and the last row's place if the part is full. */
const ReadPart = Schema.Struct({
  ...StatementPart.fields,
  movable: Schema.Array(Schema.String),
  last: Schema.NullOr(PayoutPlace)
})
type ReadPart = typeof ReadPart.Type

interface StatementCut {
  readonly narrow: boolean
  /** Condition for rows whose place can change during the statement. */
  readonly movable: Statement.Fragment
}

const placeIn =
  ({ sort_by }: PayoutQuery) =>
  (row: Payout) =>
    [row[sort_by], row.pharmacy_order_uid, row.component_type] as const

/** A row without the date sorts as the earliest in both directions. */
const nullsOf = (sort: PayoutSort, ascending: boolean) =>
  (sort === "routing_created_at") === ascending ? "NULLS FIRST" : "NULLS LAST"

const statusesOf = ({ status }: PayoutFilter): ReadonlyArray<PayoutStatus> =>
  status === undefined ? ["projected", "routed"] : [status]

export class PayoutList extends Effect.Service<PayoutList>()("pharmacy/PayoutList", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock

    const payouts = rowsOf(Payout)
    const parts = rowsOf(ReadPart)
    const columns = sql.literal(columnsOf(Payout, "p"))

    const between = (status: PayoutStatus, from: number | undefined, to: number | undefined) => {
      const date = sql(dateOf[status])
      return [
        ...(from === undefined ? [] : [sql`${date} >= to_timestamp(${from})`]),
        ...(to === undefined ? [] : [sql`${date} <= to_timestamp(${to})`])
      ]
    }

    /** Rows of a status after a cursor, in the requested order. */
    const afterCursor = (status: PayoutStatus, { sort_by, sort_direction, after }: PayoutQuery) => {
      if (after === undefined) return []
      const [value, order_uid, component] = after
      const isAscending = sort_direction === "asc"
      const follows = sql.literal(isAscending ? ">" : "<")
      // Projected rows have no routing date, so they sort before all routed ones in ascending order
      const isUndated = sort_by === "routing_created_at" && status === "projected"
      if (isUndated !== (value === null)) return isUndated === isAscending ? [sql`false`] : []
      const rest = sql`p.pharmacy_order_uid, p.component_type`
      const place = sql`${order_uid}, ${component}`
      if (value === null) return [sql`(${rest}) ${follows} (${place})`]
      const at =
        sort_by === "amount" ? sql`${value}::bigint` : sql`to_timestamp(${Math.max(0, Math.min(value, LATEST))})`
      return [sql`(p.${sql(sort_by)}, ${rest}) ${follows} (${at}, ${place})`]
    }

    const matching = (pharmacy: PharmacyUid, status: PayoutStatus, filter: PayoutFilter) => {
      const { search, start_date, end_date } = filter
      return sql.and([
        sql`pharmacy_uid = ${pharmacy}`,
        sql`status = ${status}`,
        ...between(status, start_date, end_date),
        ...(search === undefined || search === "" ? [] : [sql`search_text LIKE ${likePattern(search)}`]),
        ...changedSince(sql, filter)
      ])
    }

    /** One UNION branch per status, each an index scan. */
    const union = (filter: PayoutFilter, branch: (status: PayoutStatus) => Statement.Fragment) =>
      statusesOf(filter)
        .map((status) => sql`(${branch(status)})`)
        .reduce((all, one) => sql`${all} UNION ALL ${one}`)

    const order = (table: "b" | "p", sort: PayoutSort, ascending: boolean) => {
      const direction = ascending ? "ASC" : "DESC"
      return sql.literal(
        `${table}.${sort} ${direction} ${nullsOf(sort, ascending)},
          ${table}.pharmacy_order_uid ${direction}, ${table}.component_type ${direction}`
      )
    }

    /** The first rows of each status after the cursor, in the requested order. */
    const cutOf = (
      pharmacy: PharmacyUid,
      query: PayoutQuery,
      selected: Statement.Fragment,
      { ascending, narrow, limit }: Omit<Cut, "offset">,
      conditions: ReadonlyArray<Statement.Fragment> = []
    ) => {
      const source = (status: PayoutStatus) => {
        const matches = sql.and([matching(pharmacy, status, query), ...afterCursor(status, query), ...conditions])
        const found = sql`SELECT ${selected} FROM payouts p WHERE ${matches}`
        // OFFSET 0 is an optimisation fence: the range is read before it is sorted, since its rows may be far apart in the requested
        // order.
        const needsFence = query.updated_after !== undefined || dateOf[status] !== query.sort_by
        return narrow && needsFence ? sql`SELECT * FROM (${found} OFFSET 0) p` : found
      }
      const sorted = sql`ORDER BY ${order("p", query.sort_by, ascending)}`
      return union(query, (status) => sql`${source(status)} ${sorted} LIMIT ${limit}`)
    }

    /**
     * Keys are paged in the indexes; whole rows are fetched only for the page. Each branch is sorted and limited separately: the planner
     * does not push order and limit into a UNION.
     */
    const rows = (pharmacy: PharmacyUid, query: PayoutQuery, { offset, limit, ascending, narrow }: Cut) => {
      const keys = sql`p.pharmacy_order_uid, p.component_type, p.${sql(query.sort_by)}`
      const sorted = (table: "b" | "p") => sql`ORDER BY ${order(table, query.sort_by, ascending)}`
      const cut = cutOf(pharmacy, query, keys, { ascending, narrow, limit: offset + limit })
      return payouts.all(sql`SELECT ${columns}
        FROM (SELECT * FROM (${cut}) b ${sorted("b")} LIMIT ${limit} OFFSET ${offset}) k
          JOIN payouts p USING (pharmacy_order_uid, component_type)
        WHERE p.pharmacy_uid = ${pharmacy} ${sorted("p")}`)
    }

    const counted = (pharmacy: PharmacyUid, filter: PayoutFilter) =>
      sql`SELECT count(*)
        FROM (${union(filter, (status) => sql`SELECT FROM payouts WHERE ${matching(pharmacy, status, filter)}`)}) b`

    /** Whole days of the range from the daily counts, the partial days by row. */
    const summed = (pharmacy: PharmacyUid, filter: PayoutFilter) => {
      const range = { from: filter.start_date, to: filter.end_date }
      const { first, last } = wholeDays(range)
      const edge = ({ from, to }: Range) => {
        const within = (status: PayoutStatus) =>
          sql.and([sql`pharmacy_uid = ${pharmacy}`, sql`status = ${status}`, ...between(status, from, to)])
        return sql`+ (SELECT count(*) FROM (${union(filter, (status) => sql`SELECT FROM payouts WHERE ${within(status)}`)}) b)`
      }
      const days = sql.and([
        sql`pharmacy_uid = ${pharmacy}`,
        sql.in("status", statusesOf(filter)),
        ...(first === undefined ? [] : [sql`day >= date '1970-01-01' + ${first}::integer`]),
        ...(last === undefined ? [] : [sql`day < date '1970-01-01' + ${last}::integer`])
      ])
      return sql`SELECT ((SELECT coalesce(sum(rows), 0) FROM payout_counts WHERE ${days})
        ${sql.join(" ", false)(partialDays(range).map(edge))})::bigint AS count`
    }

    /** Short ranges, searches and filters by change are counted by row; everything else by day. */
    const total = Effect.fn("PayoutList.total")(function* (pharmacy: PharmacyUid, filter: PayoutFilter) {
      const { search, start_date, end_date, updated_after } = filter
      const isFiltered = updated_after !== undefined || (search !== undefined && search !== "")
      const byRow = isFiltered || isShort({ from: start_date, to: end_date })
      return yield* countOf((byRow ? counted : summed)(pharmacy, filter))
    })

    const list = Effect.fn("PayoutList.list")(
      function* (pharmacy: PharmacyUid, query: PayoutQuery) {
        const all = yield* total(pharmacy, query)
        const cut = {
          ascending: query.sort_direction === "asc",
          narrow:
            [query.start_date, query.end_date, query.updated_after].some((one) => one !== undefined) &&
            all <= NARROW_ROWS
        }
        const read =
          query.after === undefined
            ? fromNearerEnd(query, all, ({ reversed, ...window }) =>
                rows(pharmacy, query, { ...cut, ...window, ascending: cut.ascending !== reversed })
              )
            : rows(pharmacy, query, { ...cut, ...windowOf(query) })
        const found = yield* pageOf(query, read, placeIn(query), Effect.succeed(all))
        return paged({ ...found, total: all })
      },
      (listed, _, { search }) => byTextIndex(search)(listed),
      readFromReplica
    )

    /** A part of the statement: rows after a cursor, except those named, which the statement has already. */
    const readPart = (
      pharmacy: PharmacyUid,
      query: PayoutQuery,
      { narrow, movable }: StatementCut,
      limit: number,
      except: ReadonlyArray<string>
    ) => {
      const ascending = query.sort_direction === "asc"
      const key = sql`p.pharmacy_order_uid || ' ' || p.component_type`
      const others = except.length === 0 ? [] : [sql`NOT (${key} = ANY (${[...except]}))`]
      const cut = cutOf(pharmacy, query, sql`p.*`, { ascending, narrow, limit }, others)
      const sort = sql.literal(query.sort_by === "amount" ? "amount" : `date_part('epoch', ${query.sort_by})::bigint`)
      return parts.one(sql`WITH p AS MATERIALIZED
          (SELECT * FROM (${cut}) b ORDER BY ${order("b", query.sort_by, ascending)} LIMIT ${limit})
        SELECT coalesce(string_agg(${lineIn(sql)}, ''), '') AS lines,
          (SELECT coalesce(json_agg(t), '[]') FROM
            (SELECT status, currency, sum(amount) AS amount FROM p GROUP BY 1, 2) t) AS totals,
          coalesce(json_agg(${key}) FILTER (WHERE ${movable}), '[]') AS movable,
          (SELECT json_build_array(${sort}, pharmacy_order_uid, component_type) FROM p OFFSET ${limit - 1}) AS last
        FROM p`)
    }

    /**
     * Every row of the filter in the requested order, part by part, without holding a connection between parts. Rows that can move are
     * noted in `seen`; a part with one that is already there is read again without it.
     */
    const partsOf = (pharmacy: PharmacyUid, query: PayoutQuery, size: number, cut: StatementCut, seen: Set<string>) => {
      const { after: _, ...first } = query
      const partAt = (
        after: PayoutQuery["after"],
        except: ReadonlyArray<string> = []
      ): Effect.Effect<ReadPart, never, CurrentTenant> =>
        Effect.gen(function* () {
          const at = { ...first, ...(after !== undefined && { after }) }
          const part = yield* byTextIndex(query.search)(readPart(pharmacy, at, cut, size - except.length, except))
          const known = [...except, ...part.movable.filter((key) => seen.has(key))]
          if (known.length === size) return { ...part, lines: "", totals: [] }
          if (known.length > except.length) return yield* partAt(after, known)
          for (const key of part.movable) seen.add(key)
          return part
        })
      return Stream.paginateEffect(undefined, (after: PayoutQuery["after"]) =>
        Effect.map(partAt(after), (part) => [part, Option.fromNullable(part.last)] as const)
      )
    }

    /**
     * Streams every row of the filter in the requested order as lines of CSV, `size` per query. A payout that moves during the stream
     * appears once: at its first position, or after all others. Memory holds the keys of payouts that may still change: projected ones
     * and those routed within the last hour. Fails with `Invalid` for more than `most` rows. Rules 10.5.12 and 10.5.13.
     */
    const statement = Effect.fn("PayoutList.statement")(function* (
      pharmacy: PharmacyUid,
      query: PayoutQuery,
      { size = PART_ROWS, most = ANSWER_LIMITS.statementRows } = {}
    ) {
      const all = yield* total(pharmacy, query).pipe(byTextIndex(query.search), readFromReplica)
      if (all > most)
        return yield* invalid(
          "start_date",
          `the statement has ${all} rows, and at most ${most} are sent: shorten its period`
        )
      const recent = (yield* clock.now) - HOUR
      // A new price changes a projected amount, routing sets the date; routed payouts and order dates never change
      const canMove =
        (query.sort_by === "amount" && query.status !== "routed") ||
        (query.sort_by === "routing_created_at" && query.status === undefined)
      const movable = canMove ? sql`status = 'projected' OR updated_at >= to_timestamp(${recent})` : sql`false`
      const seen = new Set<string>()
      // At most 50,000 rows match: those that an index finds are read whole and sorted
      const narrow = query.search === undefined || query.search === "" || hasTrigram(query.search)
      const every = partsOf(pharmacy, query, size, { narrow, movable }, seen)
      const updated_after = Math.max(recent - 1, query.updated_after ?? 0)
      const changed = { ...query, updated_after, sort_by: "pharmacy_order_created_at" } as const
      const late = canMove ? partsOf(pharmacy, changed, size, { narrow: true, movable }, seen) : Stream.empty
      return streamOf({ pharmacy_uid: pharmacy })(Stream.concat(every, late))
    })

    return { list, statement } as const
  })
}) {}
