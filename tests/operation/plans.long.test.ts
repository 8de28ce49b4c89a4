/** The indexes by which PostgreSQL finds a few of many rows. Each test inserts so many that reading all of them would be dearer. */
import { expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Client } from "pg"
import { Idempotency } from "../../src/services/Idempotency.ts"
import { onlyOwner } from "../../src/services/tenancy/Tenancy.ts"
import { makePharmacy } from "../pharmacy/pharmacyWorld.ts"
import { using } from "../support/postgres.ts"
import { ownServer } from "../support/server.ts"
import { recording, type Statement } from "../support/statements.ts"
import { random } from "../support/world.ts"

const server = ownServer({ ROLE: "http" }) // no worker: only the tests use the tables

const onDatabase = <A>(work: (client: Client) => Promise<A>) => using(server.current.databaseUrl, work)

/** Runs statements without triggers and foreign keys. */
const load = (...statements: ReadonlyArray<string>) =>
  onDatabase(async (client) => {
    await client.query("SET session_replication_role = replica")
    for (const statement of statements) await client.query(statement)
  })

/** The plan of a statement that was sent, in the role in which it ran. */
const planOf = ({ text, values, role }: Statement, pharmacy: string) =>
  onDatabase(async (client) => {
    await client.query("SELECT set_config('sprechstunde.pharmacy', $1, false)", [pharmacy])
    await client.query(`SET ROLE sprechstunde_${role}`)
    const { rows } = await client.query(`EXPLAIN ${text}`, [...values])
    return rows.map((row) => row["QUERY PLAN"]).join("\n")
  })

test("the rows of a statement that match a search are found by the text index, also those after its first part", async () => {
  const { pharmacy_uid, call } = await makePharmacy(server.current)
  await load(
    `INSERT INTO payouts (pharmacy_uid, pharmacy_order_uid, component_type, routing, amount, currency, pharmacy_order_name,
        pharmacy_order_created_at, routing_created_at, routing_description, provider_route_id, updated_at)
      SELECT '${pharmacy_uid}', 'pho_' || md5(n::text), 'shipping', 'routed', n, 'EUR', '#' || n, to_timestamp(n), to_timestamp(n),
        CASE WHEN n <= 10500 THEN 'Special delivery' ELSE '' END, 'crt_' || n, now() FROM generate_series(1, 100000) n`,
    "VACUUM ANALYZE payouts"
  )
  const ask = () => call("GET", "/payouts?search=Special%20delivery", { headers: { accept: "text/csv" } })
  const { result, statements } = await recording(ask, server.current.databaseUrl)
  expect(result.text.split("\r\n")).toHaveLength(1 + 10_500 + 1 + 1)
  const sent = statements.filter(({ text }) => text.includes("search_text"))
  expect(sent.length).toBe(3) // the number of rows, and two parts
  for (const statement of sent) {
    const plan = await planOf(statement, pharmacy_uid)
    expect(plan).toContain("Bitmap Index Scan on payouts_search")
    // none is projected, and so these are not looked for in the text index; another index may only narrow what that one finds
    expect(plan.replace("payouts_by_order on payouts p_1", "")).not.toMatch(
      /Seq Scan|Scan (Backward )?using payouts_(by|pkey)/
    )
  }
})

// Shows: lists, exports and erasures that read all of a tenant's data cheaply for the caller
test("a search that most orders match reads a page in the index of the list, and has the right pages and total", async () => {
  const { pharmacy_uid, organisation_uid, shop_uid, call } = await makePharmacy(server.current)
  const count = 30_000
  await load(
    `INSERT INTO pharmacy_orders (pharmacy_uid, uid, name, status, status_reason, paid, organisation_uid, shop_uid, shipping_price,
        currency, takes_stock, created_at, updated_at)
      SELECT '${pharmacy_uid}', 'pho_' || md5(n::text), '#' || n, 'new', repeat('x', 1500), true, '${organisation_uid}', '${shop_uid}', 0,
        'EUR', true, to_timestamp(n / 10), to_timestamp(n) FROM generate_series(1, ${count}) n`,
    "VACUUM ANALYZE pharmacy_orders"
  )
  const names = ({ data }: { readonly data: ReadonlyArray<{ readonly name: string }> }) => data.map(({ name }) => name)
  const ask = (query: string) => call("GET", `/pharmacy_orders/?limit=3&${query}`)
  // with and without a text that the text index can find
  for (const search of ["pho_", "o"]) {
    const { result, statements } = await recording(() => ask(`search=${search}`), server.current.databaseUrl)
    expect(result.body.totalRegistries).toBe(count)
    const all = (await ask("")).body
    expect(names(result.body)).toEqual(names(all))
    const after = (body: { readonly next: string }) => encodeURIComponent(body.next)
    expect(names((await ask(`search=${search}&after=${after(result.body)}`)).body)).toEqual(
      names((await ask(`after=${after(all)}`)).body)
    )
    for (const page of [count / 3 - 1, 4_000])
      expect(names((await ask(`search=${search}&page=${page}`)).body)).toEqual(names((await ask(`page=${page}`)).body))
    const sent = statements.filter(({ text }) => text.includes("coalesce(o.search_text"))
    expect(sent.length).toBe(2) // the page and the total
    for (const statement of sent) expect(await planOf(statement, pharmacy_uid)).not.toContain("pharmacy_orders_search")
    const [page] = sent.filter(({ text }) => text.includes("pharmacy_order_lines"))
    if (page === undefined) throw new Error("no page was read")
    expect(await planOf(page, pharmacy_uid)).toContain(
      "Index Only Scan Backward using pharmacy_orders_by_age on pharmacy_orders o"
    )
  }
  const shipped = (await ask("search=pho_&status=shipped")).body
  expect([shipped.totalRegistries, shipped.data]).toEqual([0, []])
})

// Shows: lists, exports and erasures that read all of a tenant's data cheaply for the caller
test("the products of a page, and their number, are read without the articles of all SKUs", async () => {
  const { pharmacy_uid, call } = await makePharmacy(server.current, { pharmacy: { hidden_sku_types: ["digital"] } })
  const of = `${pharmacy_uid}_`
  await load(
    `INSERT INTO products SELECT '${of}' || n, '', '' FROM generate_series(1, 30000) n`,
    `INSERT INTO skus (sku_uid, product_uid, display_name, standard_selling_unit, unit, digital, selling_price)
      SELECT '${of}' || n, '${of}' || n, '', 1, 'g', n > 20000, 1 FROM generate_series(1, 30000) n`,
    `INSERT INTO pharmacy_skus (pharmacy_uid, uid, sku_uid, product_uid, digital, external_id, price, stock, created_at, updated_at)
      SELECT '${pharmacy_uid}', sku_uid, sku_uid, product_uid, digital, '', 1, 1, to_timestamp(0), to_timestamp(0)
      FROM skus WHERE sku_uid LIKE '${of}%'`,
    "VACUUM ANALYZE products, skus, pharmacy_skus"
  )
  const ask = () => call("GET", "/pharmacy_products/?limit=5")
  const { result, statements } = await recording(ask, server.current.databaseUrl)
  expect(result.body).toMatchObject({ totalRegistries: 20_001, data: Array.from({ length: 5 }, () => ({})) })
  const sent = statements.filter(({ text }) => text.includes("DISTINCT k.product_uid"))
  expect(sent.length).toBe(2)
  for (const statement of sent) expect(await planOf(statement, pharmacy_uid)).not.toContain("Seq Scan on skus")
  const [page] = sent.filter(({ text }) => text.includes("LIMIT"))
  if (page === undefined) throw new Error("no page was read")
  expect(await planOf(page, pharmacy_uid)).toContain("Index Only Scan using pharmacy_skus_products on pharmacy_skus k")
})

test("stored answers with a uid are found by their index, among all of an owner", async () => {
  const owner_uid = random("org")
  await load(
    `INSERT INTO idempotency_keys (owner_uid, scope, key, body_hash, response_sealed, uid_hashes, created_at)
      SELECT '${owner_uid}', 'api_key:one', n, '', '', ARRAY[n, n + 1000000], now() FROM generate_series(1, 100000) n`,
    "VACUUM ANALYZE idempotency_keys"
  )
  const forget = Effect.flatMap(Idempotency, (one) => one.forget(owner_uid, ["apt_unknown"])).pipe(
    Effect.provide(Idempotency.Default)
  )
  // EXPLAIN does not show what a function does; PostgreSQL counts the scans of a transaction
  const scans = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // more often than PostgreSQL plans anew for each call
    for (let turn = 0; turn < 10; turn++) expect(yield* forget).toBe(0)
    return yield* sql<{
      name: string
      scans: number
    }>`SELECT relname AS name, pg_stat_get_xact_numscans(oid)::int AS scans
      FROM pg_class WHERE oid = 'idempotency_keys'::regclass
        OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'idempotency_keys'::regclass) ORDER BY 1`
  })
  const found = await server.current.run(
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(onlyOwner(owner_uid)(scans)))
  )
  expect(found).toEqual([
    { name: "idempotency_keys", scans: 0 },
    { name: "idempotency_keys_age", scans: 0 },
    { name: "idempotency_keys_pkey", scans: 0 },
    { name: "idempotency_keys_uids", scans: 10 }
  ])
})
