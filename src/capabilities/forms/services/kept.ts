/** What a practice keeps of one kind until it deletes it: forms, and types of requests. */
import { Effect, type Schema } from "effect"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import type { ListQuery } from "../../../schemas/paging.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { changedSince } from "../../../services/database/changedSince.ts"
import { any, anyOr, columnsOf, rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { timestamp } from "../../../services/database/SqlErrors.ts"
import { ensureBelowLimit } from "../../../services/recordLimits.ts"

/** Forms, and types of requests, of an organisation. */
const KEPT_MAX = 500

type Fields = Readonly<Record<string, unknown>>

/** The records of a table; `named`: the column of a record's name, which is JSON as its `items` are. */
export const keptIn = <A extends { readonly uid: string }, I, E>(
  table: "forms" | "request_types",
  named: "title" | "name",
  schema: Schema.Schema<A, I>,
  notFound: () => E
) =>
  Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const rows = rowsOf(schema)
    const columns = sql.literal(columnsOf(schema))
    const from = sql`SELECT ${columns} FROM ${sql(table)}`
    const all = (owner: OrganisationUid) => sql`organisation_uid = ${owner} AND deleted_at IS NULL`
    const of = (owner: OrganisationUid, uid: A["uid"]) => sql`${all(owner)} AND uid = ${uid}`
    const rowOf = (fields: Fields) =>
      Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [
          name,
          name === named || name === "items" ? JSON.stringify(value) : value
        ])
      )

    /** Fails with `Invalid` at the limit. */
    const make = Effect.fnUntraced(function* (owner: OrganisationUid, uid: A["uid"], fields: Fields) {
      const count = sql`SELECT count(*) AS count FROM ${sql(table)} WHERE ${all(owner)}`
      yield* ensureBelowLimit(count, KEPT_MAX, named, table.replace("_", " "))
      const now = timestamp(yield* clock.now)
      const row = { organisation_uid: owner, uid, ...rowOf(fields), created_at: now, updated_at: now }
      return yield* rows.one(sql`INSERT INTO ${sql(table)} ${sql.insert(row)} RETURNING ${columns}`)
    })

    const change = Effect.fnUntraced(function* (owner: OrganisationUid, uid: A["uid"], fields: Fields) {
      const row = { ...rowOf(fields), updated_at: timestamp(yield* clock.now) }
      return yield* rows.firstOr(
        sql`UPDATE ${sql(table)} SET ${sql.update(row)} WHERE ${of(owner, uid)} RETURNING ${columns}`,
        notFound
      )
    })

    const remove = Effect.fnUntraced(function* (owner: OrganisationUid, uid: A["uid"]) {
      const now = yield* clock.now
      yield* anyOr(
        sql`UPDATE ${sql(table)} SET deleted_at = to_timestamp(${now}) WHERE ${of(owner, uid)} RETURNING uid`,
        notFound
      )
    })

    return {
      make,
      change,
      remove,
      /** Takes back that it was deleted. Returns whether it was. */
      restore: (owner: OrganisationUid, uid: A["uid"]) =>
        any(sql`UPDATE ${sql(table)} SET deleted_at = NULL
          WHERE organisation_uid = ${owner} AND uid = ${uid} AND deleted_at IS NOT NULL RETURNING uid`),
      /** Every one, in the order in which they were made. */
      list: (owner: OrganisationUid, query: ListQuery) =>
        rows.all(sql`${from} WHERE ${sql.and([all(owner), ...changedSince(sql, query)])} ORDER BY created_at, uid`),
      get: (owner: OrganisationUid, uid: A["uid"]) => rows.firstOr(sql`${from} WHERE ${of(owner, uid)}`, notFound),
      /** As `get`, locked until the transaction ends. */
      findForChange: (owner: OrganisationUid, uid: A["uid"]) =>
        rows.firstOr(sql`${from} WHERE ${of(owner, uid)} FOR NO KEY UPDATE`, notFound)
    }
  })
