import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { TestServer } from "../../support/server.ts"
import type { Tenant } from "./tenant.ts"

const OWNERS = ["organisation_uid", "pharmacy_uid", "owner_uid"]

const tablesOf = (sql: SqlClient.SqlClient) => sql<{ table: string; owner: string }>`
  SELECT c.relname AS table, a.attname AS owner FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND ${sql.in("a.attname", OWNERS)}
    AND c.relname NOT LIKE 'audit\\_%' AND c.relname <> 'reminder_watermarks'
  ORDER BY 1, 2`

const known = new WeakMap<TestServer, ReadonlyArray<{ readonly table: string; readonly owner: string }>>()

/** Columns that any request changes: last use of keys and tokens, and positions in the feed. */
const passing = (table: string) => (table === "patients" ? ["updated_at"] : ["last_used_at", "feed_position"])

/**
 * A hash of each table's rows of a tenant, without the columns that any request changes, the audit log,
 * and the marks of the reminder task, which runs concurrently.
 */
export const snapshot = (server: TestServer, { world, named }: Tenant): Promise<Readonly<Record<string, string>>> =>
  server.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const owners = [world.organisation_uid, named.pharmacy_uid ?? ""]
      const tables = known.get(server) ?? (yield* tablesOf(sql))
      known.set(server, tables)
      const parts = tables.map(
        ({ table, owner }) => sql`SELECT ${`${table} by ${owner}`}::text AS what,
          count(*) || ' ' || md5(coalesce(string_agg(row, '' ORDER BY row), '')) AS content
        FROM (SELECT md5((to_jsonb(t) - ${passing(table)}::text[])::text) AS row FROM ${sql(table)} t
          WHERE ${sql.in(owner, owners)}) rows`
      )
      const rows = yield* sql<{ what: string; content: string }>`${sql.join(" UNION ALL ", false)(parts)}`
      return Object.fromEntries(rows.map(({ what, content }) => [what, content]))
    })
  )
