/**
 * Projected and routed payouts in one list (Rules 10.5.10 and 10.5.11), filtered, sorted and paginated by the database. Each status is
 * read from an index in the requested order, the two are merged, and totals come from maintained counts, so that the cost of a page
 * depends on its offset, not on the pharmacy's size.
 */
import { SqlClient, type Statement } from "@effect/sql"
import { Chunk, Effect, Option, Schema, Stream } from "effect"
import { LATEST } from "../../schemas/fields.ts"
import type { PharmacyUid } from "../../schemas/ids.ts"
import { paged } from "../../schemas/paging.ts"
import {
  Payout,
  type PayoutFilter,
  type PayoutQuery,
  type PayoutSort,
  type PayoutStatus
} from "../../schemas/pharmacy/Payout.ts"
import { HOUR } from "../../schemas/seconds.ts"
import { DomainClock } from "../DomainClock.ts"
import { changedSince } from "../database/changedSince.ts"
import { likePattern } from "../database/likePattern.ts"
import { columnsOf, rowsOf } from "../database/rows.ts"
import { readFromReplica } from "../database/staleReads.ts"
import { fromNearerEnd, isShort, pageOf, partialDays, type Range, wholeDays, windowOf } from "../database/totals.ts"
import { byTextIndex, streamOf } from "../tenancy/Tenancy.ts"

/** A range of up to this many rows is read whole and then sorted; a larger one is read in the requested order. */
const NARROW_ROWS_MAX = 500_000

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
const STATEMENT_ROWS = 5_000

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
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock

    const payouts = rowsOf(Payout)
    const counts = rowsOf(Schema.Struct({ total: Schema.Number }))
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

    /**
     * Keys are paged in the indexes; whole rows are fetched only for the page. Each branch is sorted and limited separately: the planner
     * does not push order and limit into a UNION.
     */
    const rows = (pharmacy: PharmacyUid, query: PayoutQuery, { offset, limit, ascending, narrow }: Cut) => {
      const keys = sql`p.pharmacy_order_uid, p.component_type, p.${sql(query.sort_by)}`
      const sorted = (table: "b" | "p") => sql`ORDER BY ${order(table, query.sort_by, ascending)}`
      const source = (status: PayoutStatus) => {
        const matches = sql.and([matching(pharmacy, status, query), ...afterCursor(status, query)])
        const found = sql`SELECT ${keys} FROM payouts p WHERE ${matches}`
        // OFFSET 0 is an optimisation fence: the range is read before it is sorted, since its rows may be far apart in the requested
        // order.
        const needsFence = query.updated_after !== undefined || dateOf[status] !== query.sort_by
        return narrow && needsFence ? sql`SELECT * FROM (${found} OFFSET 0) p` : found
      }
      const cut = union(query, (status) => sql`${source(status)} ${sorted("p")} LIMIT ${offset + limit}`)
      return payouts.all(sql`SELECT ${columns}
        FROM (SELECT * FROM (${cut}) b ${sorted("b")} LIMIT ${limit} OFFSET ${offset}) k
          JOIN payouts p USING (pharmacy_order_uid, component_type)
        WHERE p.pharmacy_uid = ${pharmacy} ${sorted("p")}`)
    }

    const counted = (pharmacy: PharmacyUid, filter: PayoutFilter) =>
      sql`SELECT count(*) AS total
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
        ${sql.join(" ", false)(partialDays(range).map(edge))})::bigint AS total`
    }

    /** Short ranges, searches and filters by change are counted by row; everything else by day. */
    const total = Effect.fn("PayoutList.total")(function* (pharmacy: PharmacyUid, filter: PayoutFilter) {
      const { search, start_date, end_date, updated_after } = filter
      const isFiltered = updated_after !== undefined || (search !== undefined && search !== "")
      const byRow = isFiltered || isShort({ from: start_date, to: end_date })
      return (yield* counts.one((byRow ? counted : summed)(pharmacy, filter))).total
    })

    const list = Effect.fn("PayoutList.list")(
      function* (pharmacy: PharmacyUid, query: PayoutQuery) {
        const all = yield* total(pharmacy, query)
        const cut = {
          ascending: query.sort_direction === "asc",
          narrow:
            [query.start_date, query.end_date, query.updated_after].some((one) => one !== undefined) &&
            all <= NARROW_ROWS_MAX
        }
        const read =
          query.after === undefined
            ? fromNearerEnd(query, all, ({ reversed, ...window }) =>
                rows(pharmacy, query, { ...cut, ...window, ascending: cut.ascending !== reversed })
              )
            : rows(pharmacy, query, { ...cut, ...windowOf(query) })
        const found = yield* pageOf(query, read, placeIn(query), Effect.succeed({ total: all }))
        return paged({ ...found, total: all })
      },
      (listed, _, { search }) => byTextIndex(search)(listed),
      readFromReplica
    )

    /** Every row of the filter in the requested order, page by page, without holding a connection between pages. */
    const pages = (pharmacy: PharmacyUid, query: PayoutQuery, limit: number, narrow = false) => {
      const { after: _, ...first } = query
      const cut: Cut = { offset: 0, limit, ascending: query.sort_direction === "asc", narrow }
      const pageAt = (after: PayoutQuery["after"]) =>
        Effect.map(rows(pharmacy, { ...first, ...(after !== undefined && { after }) }, cut), (found) => {
          const last = found.length < limit ? undefined : found.at(-1)
          return [Chunk.unsafeFromArray(found), Option.map(Option.fromNullable(last), placeIn(query))] as const
        })
      return Stream.paginateChunkEffect(undefined, pageAt)
    }

    /**
     * Streams every row of the filter in the requested order, `limit` per query. A payout that moves during the stream appears once: at
     * its first position, or after all others. Memory holds the keys of payouts that may still change: projected ones and those routed
     * within the last hour.
     */
    const statement = (pharmacy: PharmacyUid, query: PayoutQuery, limit = STATEMENT_ROWS) => {
      const every = pages(pharmacy, query, limit)
      // A new price changes a projected amount, routing sets the date; routed payouts and order dates never change
      const canMove =
        (query.sort_by === "amount" && query.status !== "routed") ||
        (query.sort_by === "routing_created_at" && query.status === undefined)
      const read = canMove
        ? Stream.unwrap(
            Effect.map(clock.now, (now) => {
              const recent = now - HOUR
              const seen = new Set<string>()
              const isNew = ({ status, updated_at, pharmacy_order_uid, component_type }: Payout) => {
                if (status === "routed" && updated_at < recent) return true
                const before = seen.size
                return seen.add(`${pharmacy_order_uid} ${component_type}`).size > before
              }
              const updated_after = Math.max(recent - 1, query.updated_after ?? 0)
              const changed = { ...query, updated_after, sort_by: "pharmacy_order_created_at" } as const
              const late = pages(pharmacy, changed, limit, true)
              return Stream.filter(Stream.concat(every, late), isNew)
            })
          )
        : every
      return streamOf({ pharmacy_uid: pharmacy })(read)
    }

    return { list, statement } as const
  }),
  dependencies: [DomainClock.Default]
}) {}
