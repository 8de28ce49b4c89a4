import type { Client } from "pg"
import { using } from "./postgres.ts"
import type { Statement } from "./statements.ts"

/**
 * The plan of a statement whatever its parameters are, in the role in which it ran: what row-level security adds may keep a condition
 * out of an index. `EXPLAIN (GENERIC_PLAN)` exists only from PostgreSQL 16 on. */
export const genericPlan = async (
  client: Client,
  { text, role }: Pick<Statement, "text" | "role">
): Promise<string> => {
  const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))
  const nulls = Array.from({ length: count }, () => "NULL").join(", ")
  if (role !== "login") await client.query(`SET ROLE sprechstunde_${role}`)
  await client.query("SET plan_cache_mode = force_generic_plan")
  await client.query(`PREPARE explained AS ${text}`)
  const { rows } = await client.query(`EXPLAIN EXECUTE explained${count === 0 ? "" : ` (${nulls})`}`)
  await client.query("DEALLOCATE explained")
  await client.query("RESET ROLE")
  return rows.map((row) => row["QUERY PLAN"]).join("\n")
}

/** Runs with a connection that plans as for a million rows of these tables, since a test's are small; nothing of it is kept. */
export const withManyRows = <A>(url: string, tables: ReadonlyArray<string>, work: (client: Client) => Promise<A>) =>
  using(url, async (client) => {
    await client.query("BEGIN")
    await client.query(
      "UPDATE pg_class SET reltuples = 1000000, relpages = 1 WHERE relname = ANY($1) AND relkind = 'r'",
      [tables]
    )
    // an analysis of the small tables, which may have happened, would say that every index finds one row
    await client.query("DELETE FROM pg_statistic WHERE starelid = ANY($1::regclass[])", [tables])
    return work(client)
  })
