/** Sealing again, under today's master key, what was sealed under an earlier one. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { SecretBox } from "../SecretBox.ts"

const BATCH = 200

interface SealedColumn {
  readonly table_name: string
  readonly column_name: string
}

interface SealedRow {
  readonly ctid: string
  readonly sealed: string
}

export class MasterKeyRotation extends Effect.Service<MasterKeyRotation>()("services/MasterKeyRotation", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const box = yield* SecretBox

    /** By convention a column is sealed text exactly when its name says so: none can be forgotten. */
    const sealedColumns = sql<SealedColumn>`SELECT table_name, column_name FROM information_schema.columns
      WHERE table_schema = current_schema() AND column_name LIKE '%\\_sealed' ORDER BY table_name, column_name`

    const outdated = ({ table_name, column_name }: SealedColumn) => sql<SealedRow>`
      SELECT ctid::text, ${sql(column_name)} AS sealed FROM ${sql(table_name)}
      WHERE ${sql(column_name)} NOT LIKE ${`${box.key_id}.%`} LIMIT ${BATCH}`

    /** The row is changed only if it still holds what was read, so a concurrent change is never undone. */
    const reseal = Effect.fnUntraced(function* (column: SealedColumn, { ctid, sealed }: SealedRow) {
      const again = yield* Effect.flatMap(box.open(sealed), box.seal)
      yield* sql`UPDATE ${sql(column.table_name)} SET ${sql(column.column_name)} = ${again}
        WHERE ctid = ${ctid}::tid AND ${sql(column.column_name)} = ${sealed}`
    })

    const resealColumn = Effect.fn("MasterKeyRotation.resealColumn")(function* (column: SealedColumn) {
      let resealed = 0
      for (;;) {
        const rows = yield* outdated(column)
        if (rows.length === 0) return resealed
        yield* Effect.forEach(rows, (row) => reseal(column, row), { discard: true })
        resealed += rows.length
      }
    })

    /**
     * Seals every secret in the database again under the current master key. Needs the earlier keys in
     * `MASTER_KEY_PREVIOUS`; can be stopped and started again, and run while the service serves. Returns how many
     * secrets were sealed again.
     */
    const resealAll = Effect.fn("MasterKeyRotation.resealAll")(function* () {
      const columns = yield* sealedColumns
      const counts = yield* Effect.forEach(columns, resealColumn)
      return counts.reduce((sum, count) => sum + count, 0)
    }, Effect.orDie)

    return { resealAll: resealAll } as const
  })
}) {}
