/** Differences of an entry's rows before and after it is written. */
import { Effect, Schema } from "effect"
import { rowsOf } from "../../../../services/database/rows.ts"
import { Sql } from "../../../../services/database/Sql.ts"
import { isSealedColumn } from "../../../../services/sealing/Envelope.ts"
import type { Rows } from "./entry.ts"

export interface Difference {
  /** A column, with its table and row if the entry has several. */
  readonly field: string
  /** JSON. Undefined if there is no such row, and for secrets and personal data, which are not shown. */
  readonly before: string | undefined
  readonly after: string | undefined
}

const Row = Schema.Record({ key: Schema.String, value: Schema.Unknown })
type Row = typeof Row.Type

/** Timestamps of changes, texts for search, which repeat other columns, and encrypted values, which differ with each write. */
const isIgnored = (column: string) =>
  ["created_at", "updated_at", "search_text"].includes(column) || isSealedColumn(column)
const isSecret = (column: string) => column.endsWith("_sealed") || column.endsWith("_hash")
/** Data of a person, of which a comparison states only that it differs. */
const personal = new Set([
  "profile",
  "email",
  "phone",
  "first_name",
  "last_name",
  "date_of_birth",
  "patient",
  "shipping_address"
])

/** The organisation or the pharmacy that a stored row belongs to. */
export const ownerOfRow = ({ organisation_uid, pharmacy_uid }: Row): RowOwner | undefined =>
  typeof organisation_uid === "string"
    ? { organisation_uid }
    : typeof pharmacy_uid === "string"
      ? { pharmacy_uid }
      : undefined
export interface RowOwner {
  readonly organisation_uid?: string
  readonly pharmacy_uid?: string
}

/** The rows of several tables, as JSON. */
export const rowsReader = Effect.gen(function* () {
  const sql = yield* Sql
  const rows = rowsOf(Schema.Struct({ row: Row }))
  return (tables: ReadonlyArray<Rows>) =>
    Effect.forEach(tables, ([table, where]) =>
      Effect.map(
        rows.all(sql`SELECT to_jsonb(t) AS row FROM ${sql(table)} t
          WHERE ${sql.and(Object.entries(where).map(([column, value]) => sql`${sql(column)} = ${value}`))}
          ORDER BY to_jsonb(t)->>'uid', to_jsonb(t)->>'purpose', to_jsonb(t)->>'version'`),
        (found) => found.map(({ row }) => row)
      )
    )
})

const columnsOf = (before: Row = {}, after: Row = {}) =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((column) => !isIgnored(column))

const shown = (column: string, row: Row | undefined) =>
  row === undefined || isSecret(column) || personal.has(column) ? undefined : JSON.stringify(row[column])

const differing = (name: string, before: Row | undefined, after: Row | undefined): ReadonlyArray<Difference> =>
  columnsOf(before, after)
    .filter((column) => JSON.stringify(before?.[column]) !== JSON.stringify(after?.[column]))
    .map((column) => ({ field: name + column, before: shown(column, before), after: shown(column, after) }))

/** Row by row: the first table has at most one, the others any number. */
export const differencesOf = (
  tables: ReadonlyArray<Rows>,
  before: ReadonlyArray<ReadonlyArray<Row>>,
  after: ReadonlyArray<ReadonlyArray<Row>>
): ReadonlyArray<Difference> =>
  tables.flatMap(([table], t) => {
    const [old = [], now = []] = [before[t], after[t]]
    return Array.from({ length: Math.max(old.length, now.length) }).flatMap((_, i) =>
      differing(t === 0 ? "" : `${table}[${i}].`, old[i], now[i])
    )
  })
