/**
 * Every change of the schema, in order of its name: the `.sql` files of this folder. A migration that has been applied
 * anywhere is never edited; docs/operating.md says how to write the next one.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

export interface Migration {
  readonly name: string
  /**
   * SQL. It runs in one transaction, unless its first line is `-- transaction: none`: then it runs statement by statement
   * outside of one (CREATE INDEX CONCURRENTLY), may stop half-way, and must be able to run again from its first statement.
   */
  readonly text: string
}

/** The migrations in a folder, sorted by name. */
export const migrationsIn = (folder: string): ReadonlyArray<Migration> =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => ({ name: file.slice(0, -".sql".length), text: readFileSync(join(folder, file), "utf8") }))

export const migrations = migrationsIn(import.meta.dir)
