/** Re-encrypts values of earlier keys: column by column, in small batches, while the service serves. */
import { Effect, Schema } from "effect"
import { rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import type { CurrentTenant } from "../../../services/tenancy/Tenancy.ts"

const BATCH = 200

const SealedColumn = Schema.Struct({
  table: Schema.String,
  column: Schema.String,
  /** Columns of the table's primary key, in the key's order, without partition columns. */
  key: Schema.NonEmptyArray(Schema.String)
})

const SealedRow = Schema.Struct({
  ctid: Schema.String,
  row: Schema.NonEmptyArray(Schema.String),
  sealed: Schema.String
})

export interface Resealed {
  /** Suffix of the columns with such values. */
  readonly ending: "_sealed" | "_encrypted"
  /** The current key: values that begin with another id are re-encrypted. */
  readonly key_id: string
  /** Limits the run to one owner: the first column of the primary key. */
  readonly owner?: string
  readonly encryptAgain: (
    place: { readonly table: string; readonly column: string; readonly row: readonly [string, ...Array<string>] },
    sealed: string
  ) => Effect.Effect<string, never, CurrentTenant>
}

export class Resealing extends Effect.Service<Resealing>()("services/Resealing", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const columns = rowsOf(SealedColumn)
    const rows = rowsOf(SealedRow)

    const columnsWith = (ending: string) =>
      columns.all(sql`SELECT c.table_name AS table, c.column_name AS column,
        array_agg(k.column_name::text ORDER BY k.ordinal_position) AS key
      FROM information_schema.columns c
      JOIN information_schema.table_constraints p
        ON p.table_schema = c.table_schema AND p.table_name = c.table_name AND p.constraint_type = 'PRIMARY KEY'
      JOIN information_schema.key_column_usage k
        ON k.constraint_schema = p.constraint_schema AND k.constraint_name = p.constraint_name
          AND k.table_name = p.table_name
      JOIN pg_class t ON t.oid = format('%I.%I', c.table_schema, c.table_name)::regclass AND NOT t.relispartition
      JOIN pg_attribute a ON a.attrelid = t.oid AND a.attname = k.column_name
      LEFT JOIN pg_partitioned_table m ON m.partrelid = t.oid
      WHERE c.table_schema = current_schema() AND right(c.column_name, length(${ending})) = ${ending}
        AND (m.partrelid IS NULL OR a.attnum <> ALL (m.partattrs))
      GROUP BY 1, 2 ORDER BY 1, 2`)

    const outdated = ({ table, column, key }: typeof SealedColumn.Type, { key_id, owner }: Resealed) => {
      const row = sql.csv(key.map((name) => sql`${sql(name)}::text`))
      return rows.all(sql`SELECT ctid::text, ARRAY[${row}] AS row, ${sql(column)} AS sealed FROM ${sql(table)}
        WHERE ${sql(column)} NOT LIKE ${`${key_id}.%`}
          ${owner === undefined ? sql`` : sql`AND ${sql(key[0])} = ${owner}`} LIMIT ${BATCH}`)
    }

    /** Updates the row only if it still holds the value that was read, so that a concurrent change is never undone. */
    const resealRow = Effect.fnUntraced(function* (
      { table, column }: typeof SealedColumn.Type,
      { ctid, row, sealed }: typeof SealedRow.Type,
      { encryptAgain }: Resealed
    ) {
      const value = yield* encryptAgain({ table, column, row: [...row] }, sealed)
      yield* sql`UPDATE ${sql(table)} SET ${sql(column)} = ${value} WHERE ctid = ${ctid}::tid AND ${sql(column)} = ${sealed}`
    })

    const resealColumn = Effect.fn("Resealing.resealColumn")(function* (
      column: typeof SealedColumn.Type,
      wanted: Resealed
    ) {
      let resealed = 0
      for (;;) {
        const found = yield* outdated(column, wanted)
        if (found.length === 0) return resealed
        yield* Effect.forEach(found, (row) => resealRow(column, row, wanted), { discard: true })
        resealed += found.length
      }
    })

    /** Can be interrupted and run again. Returns the number of values. */
    const reseal = Effect.fn("Resealing.reseal")(function* (wanted: Resealed) {
      const counts = yield* Effect.forEach(yield* columnsWith(wanted.ending), (column) => resealColumn(column, wanted))
      return counts.reduce((sum, count) => sum + count, 0)
    }, Effect.orDie)

    return { reseal } as const
  })
}) {}
