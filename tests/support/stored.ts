/** All that the service has stored, for byte searches. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { TestServer } from "./server.ts"

/** Rows of every table that the service may read, as text. */
export const rowsByTable = (at: Pick<TestServer, "run">) =>
  at.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tables = yield* sql<{ name: string }>`SELECT relname AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
          AND has_table_privilege(oid, 'SELECT')`
      return yield* Effect.forEach(tables, ({ name }) =>
        Effect.map(sql`SELECT to_jsonb(t)::text AS row FROM ${sql(name)} t`, (rows) => ({
          name,
          text: JSON.stringify(rows)
        }))
      )
    })
  )

export const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
