/** Statements that select the orders of a list, without their data: for its pages and its total. */
import type { Statement } from "@effect/sql"
import type { PharmacyUid } from "../../schemas/ids.ts"
import type { OrderQuery } from "../../schemas/pharmacy/PharmacyOrder.ts"
import { changedSince } from "../database/changedSince.ts"
import { likePattern } from "../database/likePattern.ts"
import type { Sql } from "../database/Sql.ts"

/** The uids of the orders that match the query and `where`, in the list's order; `LIMIT` or `OFFSET` has to follow. */
export type OrderKeys = (
  pharmacy: PharmacyUid,
  query: OrderQuery,
  direction: "ASC" | "DESC",
  where: Statement.Fragment
) => Statement.Fragment

export const orderKeysWith = (sql: Sql) => {
  const matching = (pharmacy: PharmacyUid, { status, start_date, end_date, updated_after }: OrderQuery) =>
    sql.and([
      sql`o.pharmacy_uid = ${pharmacy}`,
      ...(status === undefined ? [] : [sql`o.status = ${status}`]),
      ...(start_date === undefined ? [] : [sql`o.created_at >= to_timestamp(${start_date})`]),
      ...(end_date === undefined ? [] : [sql`o.created_at <= to_timestamp(${end_date})`]),
      ...changedSince(sql, { updated_after }, "o.updated_at")
    ])
  const isFound = ({ search = "" }: OrderQuery) => sql`o.search_text LIKE ${likePattern(search)}`
  const sortedBy = (direction: "ASC" | "DESC") => sql.literal(`ORDER BY o.created_at ${direction}, o.uid ${direction}`)

  /**
   * From an index in the list's order, which has all that a search needs; the table is ten times as large. With the coalesce PostgreSQL
   * does not use the text index, and assumes that half of the orders match: it cannot estimate how many do.
   */
  const all: OrderKeys = (pharmacy, query, direction, where) => {
    const { search = "" } = query
    const searched = search === "" ? [] : [sql`coalesce(${isFound(query)}, false)`]
    return sql`SELECT o.uid FROM pharmacy_orders o WHERE ${sql.and([matching(pharmacy, query), ...searched, where])}
      ${sortedBy(direction)}`
  }

  /** Those that a search finds by the text index, which are then sorted. */
  const found: OrderKeys = (pharmacy, query, direction, where) =>
    sql`SELECT o.uid FROM pharmacy_orders o WHERE ${sql.and([matching(pharmacy, query), isFound(query), where])}
      ${sortedBy(direction)}`

  /** At most `most` of those that a search finds by the text index, in no order. */
  const someFound = (pharmacy: PharmacyUid, query: OrderQuery, most: number) =>
    sql`SELECT FROM pharmacy_orders o WHERE ${sql.and([matching(pharmacy, query), isFound(query)])} LIMIT ${most}`

  return { all, found, someFound } as const
}
