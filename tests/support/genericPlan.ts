import type { Client } from "pg"

/** The plan of a statement whatever its parameters are. `EXPLAIN (GENERIC_PLAN)` exists only from PostgreSQL 16 on. */
export const genericPlan = async (client: Client, text: string): Promise<string> => {
  const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))
  const nulls = Array.from({ length: count }, () => "NULL").join(", ")
  await client.query("SET plan_cache_mode = force_generic_plan")
  await client.query(`PREPARE explained AS ${text}`)
  const { rows } = await client.query(`EXPLAIN EXECUTE explained${count === 0 ? "" : ` (${nulls})`}`)
  await client.query("DEALLOCATE explained")
  return rows.map((row) => row["QUERY PLAN"]).join("\n")
}
