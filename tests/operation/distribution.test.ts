import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { Client } from "pg"
import { freshDatabase } from "../support/postgres.ts"
import { migrated } from "../support/server.ts"

const statements = readFileSync("deploy/citus/distribute.sql", "utf8")
const distributed = new Map(
  [...statements.matchAll(/create_distributed_table\('(\w+)', '(\w+)'/g)].map(([, table = "", column = ""]) => [
    table,
    column
  ])
)
const reference = new Set([...statements.matchAll(/create_reference_table\('(\w+)'/g)].map(([, table = ""]) => table))
/** Stay on the coordinator. */
const local = new Set([
  "audit_chain",
  "audit_entries",
  "audit_heads",
  "audit_sealing",
  "console_sessions",
  "sprechstunde_migrations",
  "provisioned_entries",
  "master_key_canary",
  "sandbox_clock",
  "rate_limit_buckets",
  "replicas"
])

interface Unique {
  readonly name: string
  readonly table: string
  readonly columns: ReadonlyArray<string>
}
interface Foreign {
  readonly name: string
  readonly table: string
  readonly target: string
  readonly columns: ReadonlyArray<string>
}

const ask = async <Row extends object>(text: string): Promise<ReadonlyArray<Row>> => {
  const client = new Client({ connectionString: (await freshDatabase(migrated)).url })
  await client.connect()
  const { rows } = await client.query<Row>(text)
  await client.end()
  return rows
}

const columnsOf = (numbers: string, relation: string) =>
  `array(select attname::text from unnest(${numbers}) with ordinality k(number, place)
     join pg_attribute a on a.attrelid = ${relation} and a.attnum = k.number order by place)`

test("every table has its place: with its tenant, on every node, or on the coordinator", async () => {
  const tables = await ask<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not relispartition`
  )
  const placed = (name: string) => distributed.has(name) || reference.has(name) || local.has(name)
  expect(tables.map(({ name }) => name).filter((name) => !placed(name))).toEqual([])
  const names = new Set(tables.map(({ name }) => name))
  expect([...distributed.keys(), ...reference].filter((name) => !names.has(name))).toEqual([])
})

test("every key and exclusion of a distributed table holds the column that it is distributed by", async () => {
  const uniques = await ask<Unique>(
    `select i.indexrelid::regclass::text as name, c.relname as table, ${columnsOf("i.indkey::int2[]", "c.oid")} as columns
     from pg_index i join pg_class c on c.oid = i.indrelid
     where c.relnamespace = 'public'::regnamespace and (i.indisunique or i.indisexclusion)`
  )
  expect(uniques.length).toBeGreaterThan(20)
  const without = uniques.filter(({ table, columns }) => {
    const column = distributed.get(table)
    return column !== undefined && !columns.includes(column)
  })
  expect(without).toEqual([])
})

test("foreign keys stay within a shard or lead to a table that is on every node", async () => {
  const foreign = await ask<Foreign>(
    `select p.conname as name, c.relname as table, f.relname as target, ${columnsOf("p.conkey", "c.oid")} as columns
     from pg_constraint p join pg_class c on c.oid = p.conrelid join pg_class f on f.oid = p.confrelid
     where p.contype = 'f' and c.relnamespace = 'public'::regnamespace`
  )
  expect(foreign.length).toBeGreaterThan(20)
  const astray = foreign.filter(({ name, table, target, columns }) => {
    if (reference.has(target)) return false
    if (reference.has(table)) return !statements.includes(`DROP CONSTRAINT IF EXISTS ${name};`)
    const column = distributed.get(table)
    return column === undefined || distributed.get(target) !== column || !columns.includes(column)
  })
  expect(astray).toEqual([])
})
