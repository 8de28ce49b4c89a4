/** The operator's command that divides a table by month. */
import { Effect, Schema } from "effect"
import { addedCommand } from "../../../declarations.ts"
import { monthTables, partitionByMonth } from "./partitions.ts"

export const partitionCommand = addedCommand({
  name: "partition",
  description:
    "Divide a large table by month, so that what is over is dropped and not deleted; run as the owner, the table waits meanwhile",
  args: { TABLE: Schema.Literal(...monthTables) },
  run: ({ TABLE }) =>
    Effect.map(partitionByMonth(TABLE), (divided) =>
      divided ? `${TABLE} is divided by month.` : `${TABLE} was divided by month before.`
    )
})
