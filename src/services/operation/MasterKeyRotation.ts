/** Exchange of the master key: seals again, under the current one, what was sealed under an earlier one. */
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { rowsOf } from "../rows.ts"
import { type Place, SecretBox } from "../SecretBox.ts"

const BATCH = 200

const SealedColumn = Schema.Struct({
  table: Schema.String,
  column: Schema.TemplateLiteral(Schema.String, "_sealed"),
  /** Columns of the table's primary key, in the key's order. */
  key: Schema.NonEmptyArray(Schema.String)
})
type SealedColumn = typeof SealedColumn.Type

const SealedRow = Schema.Struct({ ctid: Schema.String, row: Schema.Array(Schema.String), sealed: Schema.String })
type SealedRow = typeof SealedRow.Type

export class MasterKeyRotation extends Effect.Service<MasterKeyRotation>()("services/MasterKeyRotation", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const box = yield* SecretBox
    const columns = rowsOf(SealedColumn)
    const rows = rowsOf(SealedRow)

    /** By convention a column holds sealed text exactly when its name ends so. */
    const sealedColumns = columns.all(sql`SELECT c.table_name AS table, c.column_name AS column,
        array_agg(k.column_name::text ORDER BY k.ordinal_position) AS key
      FROM information_schema.columns c
      JOIN information_schema.table_constraints p
        ON p.table_schema = c.table_schema AND p.table_name = c.table_name AND p.constraint_type = 'PRIMARY KEY'
      JOIN information_schema.key_column_usage k
        ON k.constraint_schema = p.constraint_schema AND k.constraint_name = p.constraint_name
          AND k.table_name = p.table_name
      WHERE c.table_schema = current_schema() AND c.column_name LIKE '%\\_sealed'
      GROUP BY 1, 2 ORDER BY 1, 2`)

    const outdated = ({ table, column, key }: SealedColumn) => {
      const row = sql.csv(key.map((name) => sql`${sql(name)}::text`))
      return rows.all(sql`SELECT ctid::text, ARRAY[${row}] AS row, ${sql(column)} AS sealed FROM ${sql(table)}
        WHERE ${sql(column)} NOT LIKE ${`${box.key_id}.%`} LIMIT ${BATCH}`)
    }

    /** The row is changed only if it still holds what was read, so a concurrent change is never undone. */
    const reseal = Effect.fnUntraced(function* ({ table, column }: SealedColumn, { ctid, row, sealed }: SealedRow) {
      const place: Place = { table, column, row }
      const again = yield* box.seal(place, yield* box.open(place, sealed))
      yield* sql`UPDATE ${sql(table)} SET ${sql(column)} = ${again} WHERE ctid = ${ctid}::tid AND ${sql(column)} = ${sealed}`
    })

    const resealColumn = Effect.fn("MasterKeyRotation.resealColumn")(function* (column: SealedColumn) {
      let resealed = 0
      for (;;) {
        const found = yield* outdated(column)
        if (found.length === 0) return resealed
        yield* Effect.forEach(found, (row) => reseal(column, row), { discard: true })
        resealed += found.length
      }
    })

    /**
     * Seals every secret in the database again under the current master key. Needs the earlier keys in
     * `MASTER_KEY_PREVIOUS`; can be stopped and started again, and run while the service serves. Returns how many
     * secrets were sealed again.
     */
    const resealAll = Effect.fn("MasterKeyRotation.resealAll")(function* () {
      const counts = yield* Effect.forEach(yield* sealedColumns, resealColumn)
      return counts.reduce((sum, count) => sum + count, 0)
    }, Effect.orDie)

    return { resealAll } as const
  })
}) {}
