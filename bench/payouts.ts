/**
 * `bun run bench:payouts`: the payout list of a pharmacy with 1,000,000 orders (2,500,000 payouts, nine in ten routed) on
 * an embedded database, page by page as the interface reads it, with the plans.
 */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { Client } from "pg"
import type { PharmacyUid } from "../src/schemas/ids.ts"
import type { PayoutQuery } from "../src/schemas/pharmacy/Payout.ts"
import { PayoutList } from "../src/services/pharmacy/PayoutList.ts"
import { makePharmacy } from "../tests/pharmacy/pharmacyWorld.ts"
import { startServer } from "../tests/support/server.ts"

const ORDERS = Number(process.env.BENCH_ORDERS ?? 1_000_000)
const BATCH = 20_000
const ROUNDS = 51
const FROM = 1_700_000_000
/** Seconds between two orders: two years in all. */
const STEP = (2 * 365 * 86_400) / ORDERS

const server = await startServer({ ROLE: "http" })
const world = await makePharmacy(server)
const pharmacy = world.pharmacy_uid as PharmacyUid

const batch = (from: number, to: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const numbers = sql`generate_series(${from}::int, ${to - 1}::int) i`
    const ordered = sql`to_timestamp(${FROM} + floor(i * ${STEP}::float8))`
    yield* sql`INSERT INTO pharmacy_orders (pharmacy_uid, uid, name, status, paid, organisation_uid, shop_uid,
        shipping_price, currency, takes_stock, created_at, updated_at, paid_at)
      SELECT ${pharmacy}, 'pho_' || md5(i::text), '#' || i, CASE WHEN i % 10 = 0 THEN 'accepted' ELSE 'completed' END,
        true, ${world.organisation_uid}, ${world.shop_uid}, 490, 'EUR', true, ${ordered}, ${ordered}, ${ordered}
      FROM ${numbers}`
    yield* sql`INSERT INTO payouts (pharmacy_uid, pharmacy_order_uid, component_type, routing, amount, currency,
        routing_description, provider_route_id, pharmacy_order_name, pharmacy_order_created_at, routing_created_at,
        updated_at)
      SELECT ${pharmacy}, 'pho_' || md5(i::text), c.type, CASE WHEN i % 10 = 0 THEN 'none' ELSE 'routed' END,
        1 + (i::bigint * 7919 + c.n) % 50000, 'EUR', CASE WHEN i % 10 > 0 THEN '#' || i || ': ' || c.type END,
        CASE WHEN i % 10 > 0 THEN 'crt_' || md5(i || c.type) END, '#' || i, ${ordered},
        CASE WHEN i % 10 > 0 THEN ${ordered} + interval '5 days' END, ${ordered} + interval '5 days'
      FROM ${numbers}, (VALUES (0, 'item_rest'), (1, 'shipping'), (2, 'item_markup')) c(n, type)
      WHERE c.n < 2 OR i % 2 = 0`
  })

/** Creates the indexes after the rows, on a connection without the service's timeouts: only reads are measured. */
const prepared = async (write: () => Promise<unknown>) => {
  const client = new Client({ connectionString: server.databaseUrl })
  await client.connect()
  await client.query("SET statement_timeout = 0")
  const { rows } = await client.query<{ indexname: string; indexdef: string }>(
    "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'payouts' AND indexname <> 'payouts_pkey'"
  )
  for (const { indexname } of rows) await client.query(`DROP INDEX ${indexname}`)
  await write()
  for (const { indexdef } of rows) await client.query(indexdef)
  await client.query("VACUUM ANALYZE payouts")
  await client.query("VACUUM ANALYZE payout_counts")
  await client.end()
}
const fill = Effect.gen(function* () {
  for (let from = 0; from < ORDERS; from += BATCH) yield* batch(from, Math.min(ORDERS, from + BATCH))
})
await prepared(() => server.run(fill))

const defaults: PayoutQuery = {
  page: 0,
  limit: 50,
  sort_by: "pharmacy_order_created_at",
  sort_direction: "desc"
}
const LAST = Math.ceil((ORDERS * 2.5) / 50) - 1
const MONTH = { start_date: FROM + 100 * 86_400 + 77, end_date: FROM + 130 * 86_400 + 99 }
const cases: ReadonlyArray<readonly [string, Partial<PayoutQuery>]> = [
  ["first page", {}],
  ["page 100", { page: 100 }],
  ["page 10,000", { page: 10_000 }],
  ["the last page", { page: LAST }],
  ["first page, projected", { status: "projected" }],
  ["first page, by amount", { sort_by: "amount" }],
  ["first page, by route", { sort_by: "routing_created_at" }],
  ["first page of a month", MONTH],
  ["first page of a month, oldest first", { ...MONTH, sort_direction: "asc" }],
  ["first page of a month, by route", { ...MONTH, sort_by: "routing_created_at" }],
  ["first page of a month, by amount", { ...MONTH, sort_by: "amount" }],
  ["first page of a month, routed", { ...MONTH, status: "routed" }],
  ["first page of a year", { start_date: FROM, end_date: FROM + 365 * 86_400 }],
  ["search for an order", { search: "#765432" }],
  ["search for a route", { search: "crt_c4ca42" }],
  ["search for half of the orders", { search: "#7" }],
  ["search within a month", { ...MONTH, search: "#14" }]
]

const median = (times: ReadonlyArray<number>) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN

const rows = []
for (const [what, over] of cases) {
  const program = Effect.flatMap(PayoutList, ({ list }) => list(pharmacy, { ...defaults, ...over }))
  const times: Array<number> = []
  let total = 0
  for (let i = 0; i < ROUNDS; i += 1) {
    const begun = performance.now()
    total = (await server.run(program)).totalRegistries
    times.push(performance.now() - begun)
  }
  rows.push({
    list: what,
    total,
    "median (ms)": +median(times).toFixed(2),
    "fastest (ms)": +Math.min(...times).toFixed(2)
  })
}
console.table(rows)

const overHttp: Array<number> = []
for (let i = 0; i < ROUNDS; i += 1) {
  const begun = performance.now()
  await world.call("GET", "/payouts")
  overHttp.push(performance.now() - begun)
}
console.log(`first page over HTTP, key and all: median ${median(overHttp).toFixed(2)} ms\n`)

/** The statements of a first page, as `PayoutList` sends them. */
const plans = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const sorted = (table: string) =>
    sql.literal(`ORDER BY ${table}.pharmacy_order_created_at DESC NULLS FIRST, ${table}.pharmacy_order_uid DESC,
      ${table}.component_type DESC`)
  const branch = (status: string) => sql`(SELECT p.pharmacy_order_uid, p.component_type, p.pharmacy_order_created_at
    FROM payouts p WHERE pharmacy_uid = ${pharmacy} AND status = ${status} ${sorted("p")} LIMIT 50)`
  for (const query of [
    sql`SELECT p.* FROM (SELECT * FROM (${branch("projected")} UNION ALL ${branch("routed")}) b ${sorted("b")}
        LIMIT 50) k JOIN payouts p USING (pharmacy_order_uid, component_type)
      WHERE p.pharmacy_uid = ${pharmacy} ${sorted("p")}`,
    sql`SELECT sum(rows) FROM payout_counts WHERE pharmacy_uid = ${pharmacy} AND status IN ('projected', 'routed')`
  ]) {
    const plan = yield* sql<{ "QUERY PLAN": string }>`EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ${query}`
    yield* Effect.sync(() => console.log(plan.map((line) => line["QUERY PLAN"]).join("\n"), "\n"))
  }
})
await server.run(plans)
await server.stop()
process.exit(0)
