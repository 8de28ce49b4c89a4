/** Keys of the catalogue: an organisation's tables can be distributed by organisation, and tenants cannot collide. */
import { expect, test } from "bun:test"
import { testServer } from "../support/server.ts"

const server = testServer()
const query = <A extends object>(text: string) => server.current.query<A>(text)

interface Key {
  readonly table: string
  readonly name: string
  readonly columns: ReadonlyArray<string>
}

/** Tables that hold one tenant's records: those whose tenant column may not be null. */
const tenantTables = (column: string) =>
  query<{ name: string }>(`SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND a.attname = '${column}' AND a.attnotnull`)

const uniqueKeys = () =>
  query<Key>(`SELECT c.relname AS table, i.relname AS name,
      array(SELECT a.attname::text FROM unnest(x.indkey::int[]) WITH ORDINALITY k(n, o)
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.n ORDER BY k.o) AS columns
    FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
    WHERE (x.indisunique OR x.indisexclusion) AND c.relnamespace = 'public'::regnamespace`)

/** Names by which a record is found before its organisation is known: unique over all organisations. */
const acrossTenants = new Set([
  "shops_uid",
  "shops_identifier",
  "payments_one_organisation",
  "booking_token_secrets_key",
  "fhir_clients_client",
  "organisations_tag"
])

test("a tenant's table has its tenant as the first column of every unique key", async () => {
  const tenants = ["organisation_uid", "pharmacy_uid"]
  const tables = new Set((await Promise.all(tenants.map(tenantTables))).flat().map(({ name }) => name))
  expect(tables.size).toBeGreaterThan(15)
  const keys = (await uniqueKeys()).filter(({ name, table }) => tables.has(table) && !acrossTenants.has(name))
  // An order has both an organisation and its pharmacy: every key of a table uses the same one of the two.
  const firsts = Map.groupBy(keys, ({ table }) => table)
  for (const [table, ofTable] of firsts) {
    const first = ofTable[0]?.columns[0] ?? ""
    expect({ table, first, isTenant: tenants.includes(first) }).toEqual({ table, first, isTenant: true })
    expect(ofTable.filter(({ columns }) => columns[0] !== first)).toEqual([])
  }
})

test("a foreign key between an organisation's tables includes the organisation", async () => {
  const tables = (await tenantTables("organisation_uid")).map(({ name }) => name)
  const references = await query<{ table: string; to: string; name: string; columns: ReadonlyArray<string> }>(
    `SELECT conrelid::regclass::text AS table, confrelid::regclass::text AS to, conname AS name,
      array(SELECT attname::text FROM pg_attribute WHERE attrelid = conrelid AND attnum = ANY (conkey)) AS columns
    FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`
  )
  const between = references.filter(({ table, to }) => tables.includes(table) && tables.includes(to))
  expect(between.length).toBeGreaterThan(10)
  expect(between.filter(({ columns }) => !columns.includes("organisation_uid"))).toEqual([])
})
