/** Exchange of the master key: seals again, under the current one, what was sealed under an earlier one. */
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { rowsOf } from "../rows.ts"
import { SecretBox } from "../SecretBox.ts"

const BATCH = 200

const SealedColumn = Schema.Struct({ table_name: Schema.String, column_name: Schema.String })
type SealedColumn = typeof SealedColumn.Type

const SealedRow = Schema.Struct({ ctid: Schema.String, sealed: Schema.String })
type SealedRow = typeof SealedRow.Type

export class MasterKeyRotation extends Effect.Service<MasterKeyRotation>()("services/MasterKeyRotation", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const box = yield* SecretBox
    const columns = rowsOf(SealedColumn)
    const rows = rowsOf(SealedRow)

    /** By convention a column holds sealed text exactly when its name ends so. */
    const sealedColumns = columns.all(sql`SELECT table_name, column_name FROM information_schema.columns
      WHERE table_schema = current_schema() AND column_name LIKE '%\\_sealed' ORDER BY table_name, column_name`)

    const outdated = ({ table_name, column_name }: SealedColumn) =>
      rows.all(sql`SELECT ctid::text, ${sql(column_name)} AS sealed FROM ${sql(table_name)}
        WHERE ${sql(column_name)} NOT LIKE ${`${box.key_id}.%`} LIMIT ${BATCH}`)

    /** The row is changed only if it still holds what was read, so a concurrent change is never undone. */
    const reseal = Effect.fnUntraced(function* (column: SealedColumn, { ctid, sealed }: SealedRow) {
      const again = yield* Effect.flatMap(box.open(sealed), box.seal)
      yield* sql`UPDATE ${sql(column.table_name)} SET ${sql(column.column_name)} = ${again}
        WHERE ctid = ${ctid}::tid AND ${sql(column.column_name)} = ${sealed}`
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
