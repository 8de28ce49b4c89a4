import { Effect, Predicate } from "effect"
import type { Envelope } from "../sealing/Envelope.ts"

/** Decrypts the dosages of a prescription's or a sheet's `items`, which include their table's primary key. */
export const openingItems = (envelope: Envelope) => {
  const openItems = envelope.openAll("prescription_items", ["organisation_uid", "prescription_uid", "uid"])
  return <E, R>(statement: Effect.Effect<ReadonlyArray<unknown>, E, R>) =>
    Effect.flatMap(statement, (rows) =>
      Effect.forEach(rows, (row) =>
        Predicate.isRecord(row) && Array.isArray(row.items)
          ? Effect.map(openItems(row.items), (items) => ({ ...row, items }))
          : Effect.succeed(row)
      )
    )
}
