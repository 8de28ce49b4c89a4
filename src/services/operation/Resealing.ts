/** Sealing again what another key sealed: column by column, in small batches, while the service serves. */
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { rowsOf } from "../database/rows.ts"

const BATCH = 200

const SealedColumn = Schema.Struct({
  table: Schema.String,
  column: Schema.String,
  /** Columns of the table's primary key, in the key's order; what a table is divided by does not belong to it. */
  key: Schema.NonEmptyArray(Schema.String)
})

const SealedRow = Schema.Struct({
  ctid: Schema.String,
  row: Schema.NonEmptyArray(Schema.String),
  sealed: Schema.String
})

export interface Resealed {
  /** What names of columns with such values end in. */
  readonly ending: "_sealed" | "_encrypted"
  /** The key that seals now: what begins with another id is sealed again. */
  readonly key_id: string
  /** Whose values alone: the first column of the primary key. */
  readonly owner?: string
  readonly again: (
    place: { readonly table: string; readonly column: string; readonly row: readonly [string, ...Array<string>] },
    sealed: string
  ) => Effect.Effect<string>
}

export class Resealing extends Effect.Service<Resealing>()("services/Resealing", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
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

    /** The row is changed only if it still holds what was read, so a concurrent change is never undone. */
    const resealRow = Effect.fnUntraced(function* (
      { table, column }: typeof SealedColumn.Type,
      { ctid, row, sealed }: typeof SealedRow.Type,
      { again }: Resealed
    ) {
      const value = yield* again({ table, column, row: [...row] }, sealed)
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

    /** Can be stopped and started again. Returns how many values were sealed again. */
    const reseal = Effect.fn("Resealing.reseal")(function* (wanted: Resealed) {
      const counts = yield* Effect.forEach(yield* columnsWith(wanted.ending), (column) => resealColumn(column, wanted))
      return counts.reduce((sum, count) => sum + count, 0)
    }, Effect.orDie)

    return { reseal } as const
  })
}) {}
