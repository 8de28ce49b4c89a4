/** What a practice keeps of one kind until it deletes it: how rows of either table are found. */
import type { Schema } from "effect"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import type { ListQuery } from "../../../schemas/paging.ts"
import { changedSince } from "../../../services/database/changedSince.ts"
import { columnsOf, rowsOf } from "../../../services/database/rows.ts"
import type { Sql } from "../../../services/database/Sql.ts"

export const keptIn = <A extends { readonly uid: string }, I, E>(
  sql: Sql,
  table: "forms" | "request_types",
  schema: Schema.Schema<A, I>,
  notFound: () => E
) => {
  const rows = rowsOf(schema)
  const columns = sql.literal(columnsOf(schema))
  const from = sql`SELECT ${columns} FROM ${sql(table)}`
  const of = (owner: OrganisationUid, uid: A["uid"]) =>
    sql`organisation_uid = ${owner} AND uid = ${uid} AND deleted_at IS NULL`
  return {
    rows,
    columns,
    of,
    /** Every one, in the order in which they were made. */
    list: (owner: OrganisationUid, query: ListQuery) =>
      rows.all(sql`${from}
        WHERE ${sql.and([sql`organisation_uid = ${owner} AND deleted_at IS NULL`, ...changedSince(sql, query)])}
        ORDER BY created_at, uid`),
    get: (owner: OrganisationUid, uid: A["uid"]) => rows.firstOr(sql`${from} WHERE ${of(owner, uid)}`, notFound),
    /** As `get`, locked until the transaction ends. */
    findForChange: (owner: OrganisationUid, uid: A["uid"]) =>
      rows.firstOr(sql`${from} WHERE ${of(owner, uid)} FOR NO KEY UPDATE`, notFound)
  }
}
