import type { Sql } from "./Sql.ts"

/** WHERE conditions for the filter `updated_after`. Rule 2.5.6. */
export const changedSince = (
  sql: Sql,
  { updated_after }: { readonly updated_after?: number | undefined },
  column = "updated_at"
) => (updated_after === undefined ? [] : [sql`${sql.literal(column)} > to_timestamp(${updated_after})`])
