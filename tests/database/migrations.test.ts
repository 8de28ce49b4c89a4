/** Applying migrations, on fixtures; every other test applies the service's own. */
import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { Client } from "pg"
import { installed } from "../../src/capabilities/index.ts"
import { Capabilities, type Migration } from "../../src/declarations.ts"
import { MigratedLive, migrate } from "../../src/layers/Migrate.ts"
import { migrations } from "../../src/layers/migrations/index.ts"
import { DatabaseSessions } from "../../src/services/database/DatabaseSessions.ts"
import { statementsOf } from "../../src/services/database/scripts.ts"
import { arrived, eventually } from "../support/eventually.ts"
import { freshDatabase } from "../support/postgres.ts"

const database = async (option = "") => {
  const { url, drop } = await freshDatabase()
  // A cluster's URL has no other options
  const withOption = `${url}${url.includes("?") ? "&" : "?"}${option}`
  const pool = PgClient.layer({ url: Redacted.make(withOption), maxConnections: 4 })
  const sessions = Layer.effect(DatabaseSessions, PgClient.PgClient)
  const runtime = ManagedRuntime.make(
    Layer.mergeAll(Layer.provideMerge(sessions, pool), Layer.succeed(Capabilities, { installed, on: [] }))
  )
  const client = new Client({ connectionString: url })
  await client.connect()
  const query = async (text: string) => (await client.query(text)).rows
  return {
    url,
    query,
    start: () => runtime.runPromise(Effect.scoped(Layer.build(MigratedLive))),
    apply: (...migrations: ReadonlyArray<Migration>) => runtime.runPromise(migrate(migrations)),
    [Symbol.asyncDispose]: async () => {
      await client.end()
      await runtime.dispose()
      await drop()
    }
  }
}

const people: Migration = { name: "0001_people", text: "CREATE TABLE people (name text NOT NULL);" }
const index: Migration = {
  name: "0003_index",
  text: `-- transaction: none
    DROP INDEX CONCURRENTLY IF EXISTS people_name;
    CREATE INDEX CONCURRENTLY people_name ON people (name);`
}

test("every file is listed, in order of its number", () => {
  const folder = "src/layers/migrations"
  const files = readdirSync(folder).filter((file) => file.endsWith(".sql"))
  const texts = files.sort().map((file) => ({
    name: file.replace(".sql", ""),
    text: readFileSync(`${folder}/${file}`, "utf8")
  }))
  expect([...migrations]).toEqual(texts)
})

test("statements are split at semicolons outside of strings, comments, names and bodies", () => {
  const body = "CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $x$ BEGIN; END $x$"
  expect(statementsOf(`-- one; two\nSELECT ';', 'it''s; so', "a;b" /* ; */;\n\n${body};\nSELECT 2`)).toEqual([
    `SELECT ';', 'it''s; so', "a;b"`,
    body,
    "SELECT 2"
  ])
})

test("a pending migration is found by its name, even below the highest number", async () => {
  await using db = await database()
  const last: Migration = { name: "0009_last", text: "ALTER TABLE people ADD COLUMN age integer;" }
  const between: Migration = { name: "0005_between", text: "ALTER TABLE people ADD COLUMN city text;" }
  expect(await db.apply(people, last)).toEqual(["0001_people", "0009_last"])
  expect(await db.apply(people, between, last)).toEqual(["0005_between"])
  expect(await db.apply(people, between, last)).toEqual([])
})

test("a migration is atomic, and those before it stay applied", async () => {
  await using db = await database()
  const broken: Migration = { name: "0002_broken", text: "CREATE TABLE half (n integer);\nCREATE TABLE people ();" }
  await expect(db.apply(people, broken)).rejects.toThrow(/Migration 0002_broken: relation "people" already exists/)
  expect(await db.query("SELECT relname FROM pg_class WHERE relname IN ('half', 'people')")).toEqual([
    { relname: "people" }
  ])
})

test("several processes apply each migration once", async () => {
  await using db = await database()
  const applied = await Promise.all([1, 2, 3, 4].map(() => db.apply(people, index)))
  expect(applied.flat().sort()).toEqual(["0001_people", "0003_index"])
})

test("outside a transaction, an index is built concurrently, and rebuilt if it was left invalid", async () => {
  await using db = await database()
  await db.apply(people)
  await db.query("INSERT INTO people VALUES ('Ada'), ('Ada')")
  const unique = { ...index, text: index.text.replace("CREATE INDEX", "CREATE UNIQUE INDEX") }
  await expect(db.apply(people, unique)).rejects.toThrow(/Migration 0003_index: could not create unique index/)
  const state = () => db.query("SELECT indisvalid FROM pg_index WHERE indexrelid = 'people_name'::regclass")
  expect(await state()).toEqual([{ indisvalid: false }])
  expect(await db.apply(people, index)).toEqual(["0003_index"])
  expect(await state()).toEqual([{ indisvalid: true }])
})

test("a migration that waits for a table lock lets others use the table, and continues when the lock is free", async () => {
  await using db = await database()
  await db.apply(people)
  const holder = new Client({ connectionString: db.url })
  await holder.connect()
  await holder.query("BEGIN; LOCK TABLE people IN ACCESS SHARE MODE")
  const altering = db.apply(people, { name: "0002_age", text: "ALTER TABLE people ADD COLUMN age integer;" })
  // Waits behind the migration's lock request, and succeeds when that times out; the lock holder is still active.
  await arrived(() => db.query("SELECT FROM pg_locks WHERE NOT granted"))
  expect(await db.query("SELECT * FROM people")).toEqual([])
  await holder.query("COMMIT")
  await holder.end()
  expect(await altering).toEqual(["0002_age"])
})

test("a migration that changed after it was applied is refused; a changed comment is accepted", async () => {
  await using db = await database()
  await db.apply(people)
  expect(await db.apply({ ...people, text: `-- People.\n${people.text}` })).toEqual([])
  await expect(db.apply({ ...people, text: "CREATE TABLE people (name text);" })).rejects.toThrow(
    /0001_people: its text/
  )
})

test("an older process accepts a database that a newer one has migrated further", async () => {
  await using db = await database()
  await db.apply(people, index)
  expect(await db.apply(people)).toEqual([])
})

test("a process waits for another one that prepares the tables, for longer than a statement may wait for a lock", async () => {
  await using db = await database("options=-c%20lock_timeout%3D100")
  await db.query("SELECT pg_advisory_lock(hashtextextended('sprechstunde/tables', 0))")
  const started = db.start()
  await Promise.race([
    started,
    eventually(
      () =>
        db.query(`SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
          WHERE locktype = 'advisory' AND NOT granted AND clock_timestamp() - state_change > '1 s'`),
      (rows) => rows.length > 0
    )
  ])
  await db.query("SELECT pg_advisory_unlock(hashtextextended('sprechstunde/tables', 0))")
  await started
})
