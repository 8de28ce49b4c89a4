/** What a practice keeps of one kind until it deletes it: forms, and types of requests. */
import { Effect, Option, type Schema } from "effect"
import { isNothing } from "../../../schemas/fields.ts"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import type { ListQuery } from "../../../schemas/paging.ts"
import type { Invalid } from "../../../schemas/problems.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { changedSince } from "../../../services/database/changedSince.ts"
import { Database } from "../../../services/database/Database.ts"
import { anyOr, columnsOf, rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { timestamp } from "../../../services/database/SqlErrors.ts"
import { ensureBelowLimit } from "../../../services/recordLimits.ts"
import type { CurrentTenant } from "../../../services/tenancy/Tenancy.ts"
import { newUid } from "../../../services/uid.ts"

/** Forms, and types of requests, of an organisation. */
const KEPT_MAX = 500

type Fields = Readonly<Record<string, unknown>>

interface Kind<A extends { readonly uid: string }, I, New, E, E2> {
  readonly table: "forms" | "request_types"
  /** The column of a record's name, which is JSON as its `items` are. */
  readonly named: "title" | "name"
  readonly schema: Schema.Schema<A, I>
  readonly uid: Parameters<typeof newUid<A["uid"]>>[0]
  readonly notFound: () => E
  /** Judges what is sent, and gives what else is stored with it; `before`: null for a new one. */
  readonly judged: (
    owner: OrganisationUid,
    sent: Partial<New>,
    before: A | null
  ) => Effect.Effect<Fields, E2, CurrentTenant>
  /** What follows in the same transaction. */
  readonly stored?: (owner: OrganisationUid, after: A, before: A | null) => Effect.Effect<void, Invalid, CurrentTenant>
}

/** The records of a table. Whatever stores one fails as `judged` and `stored`. */
export const keptIn = <A extends { readonly uid: string }, I, New extends object, E, E2>(
  kind: Kind<A, I, New, E, E2>
) =>
  Effect.gen(function* () {
    const { named, notFound, judged, stored = () => Effect.void } = kind
    const sql = yield* Sql
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const rows = rowsOf(kind.schema)
    const table = sql(kind.table)
    const columns = sql.literal(columnsOf(kind.schema))
    const from = sql`SELECT ${columns} FROM ${table}`
    const all = (owner: OrganisationUid) => sql`organisation_uid = ${owner} AND deleted_at IS NULL`
    const of = (owner: OrganisationUid, uid: A["uid"]) => sql`${all(owner)} AND uid = ${uid}`
    const rowOf = (fields: Fields) =>
      Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [
          name,
          name === named || name === "items" ? JSON.stringify(value) : value
        ])
      )

    /** Every one, in the order in which they were made. */
    const list = (owner: OrganisationUid, query: ListQuery) =>
      rows.all(sql`${from} WHERE ${sql.and([all(owner), ...changedSince(sql, query)])} ORDER BY created_at, uid`)
    const get = (owner: OrganisationUid, uid: A["uid"]) => rows.firstOr(sql`${from} WHERE ${of(owner, uid)}`, notFound)
    /** As `get`, locked until the transaction ends. */
    const findForChange = (owner: OrganisationUid, uid: A["uid"]) =>
      rows.firstOr(sql`${from} WHERE ${of(owner, uid)} FOR NO KEY UPDATE`, notFound)

    const make = Effect.fnUntraced(function* (owner: OrganisationUid, uid: A["uid"], sent: New) {
      const more = yield* judged(owner, sent, null)
      const count = sql`SELECT count(*) AS count FROM ${table} WHERE ${all(owner)}`
      yield* ensureBelowLimit(count, KEPT_MAX, named, kind.table.replace("_", " "))
      const now = timestamp(yield* clock.now)
      const row = { organisation_uid: owner, uid, ...rowOf({ ...sent, ...more }), created_at: now, updated_at: now }
      const made = yield* rows.one(sql`INSERT INTO ${table} ${sql.insert(row)} RETURNING ${columns}`)
      yield* stored(owner, made, null)
      return made
    })

    const change = Effect.fnUntraced(function* (owner: OrganisationUid, before: A, changes: Partial<New>) {
      if (isNothing(changes)) return before
      const more = yield* judged(owner, changes, before)
      const row = { ...rowOf({ ...changes, ...more }), updated_at: timestamp(yield* clock.now) }
      const changed = yield* rows.one(
        sql`UPDATE ${table} SET ${sql.update(row)} WHERE ${of(owner, before.uid)} RETURNING ${columns}`
      )
      yield* stored(owner, changed, before)
      return changed
    })

    /** Fails with `Invalid` at the limit. */
    const create = Effect.fn("forms.create")(function* (owner: OrganisationUid, sent: New) {
      return yield* make(owner, yield* newUid(kind.uid), sent)
    }, transaction)

    /** Only sent fields change. */
    const update = Effect.fn("forms.update")(function* (owner: OrganisationUid, uid: A["uid"], changes: Partial<New>) {
      return yield* change(owner, yield* findForChange(owner, uid), changes)
    }, transaction)

    /** Makes a record, or replaces the one of this uid, also one that was deleted. Fails with `Invalid` at the limit. */
    const provision = Effect.fn("forms.provision")(function* (owner: OrganisationUid, uid: A["uid"], sent: New) {
      const before = yield* rows.first(sql`UPDATE ${table} SET deleted_at = NULL
        WHERE organisation_uid = ${owner} AND uid = ${uid} RETURNING ${columns}`)
      return yield* Option.match(before, {
        onNone: () => make(owner, uid, sent),
        onSome: (found) => change(owner, found, sent)
      })
    }, transaction)

    const remove = Effect.fn("forms.remove")(function* (owner: OrganisationUid, uid: A["uid"]) {
      const now = yield* clock.now
      yield* anyOr(
        sql`UPDATE ${table} SET deleted_at = to_timestamp(${now}) WHERE ${of(owner, uid)} RETURNING uid`,
        notFound
      )
    })

    return { list, get, findForChange, create, update, provision, remove } as const
  })
