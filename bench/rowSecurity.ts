/**
 * The cost of row-level security in PostgreSQL, in parts: processor time of the connection's process for a statement without it,
 * with only the policy (role and owner set once per session), with only the setting, and with both as the service sends them.
 * Alternating rounds on one connection each. Then the plan with the policy.
 */
import { readFileSync } from "node:fs"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { Client } from "pg"
import { asLogin, onlyOwner } from "../src/services/tenancy/Tenancy.ts"
import { startTestServer } from "../tests/support/postgres.ts"
import { startServer } from "../tests/support/server.ts"
import { inDays, makeWorld } from "../tests/support/world.ts"

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 30)
const EACH = 300

await startTestServer()
const server = await startServer({ ROLE: "http", DATABASE_POOL_SIZE: "1" })
const world = await makeWorld(server, { doctors: 8 })
const owner = { organisation_uid: world.organisation_uid }
for (let index = 0; index < 60; index++) {
  const held = await world.hold(await world.session(`patient${index}`), inDays(1) + index * 1200)
  if (held.status >= 300) throw new Error(`no hold: ${held.status}`)
}
await server.run(Effect.flatMap(SqlClient.SqlClient, (sql) => asLogin(sql`VACUUM ANALYZE`)))

const texts = {
  "one row by key": "SELECT uid, name FROM appointment_types WHERE organisation_uid = $1",
  "50 rows": "SELECT * FROM appointments WHERE organisation_uid = $1 ORDER BY start_date LIMIT 50"
}
const setting = `SELECT num_nulls(set_config('role', $1, true), set_config('sprechstunde.organisation', $2, true),
  set_config('sprechstunde.pharmacy', $3, true), set_config('sprechstunde.request', $4, true))`
const request = JSON.stringify({
  action: "management.appointments.list",
  actor_kind: "api_key",
  actor_uid: "key_0123456789abcdef"
})

const connected = async (policy: boolean) => {
  const client = new Client({ connectionString: server.databaseUrl })
  await client.connect()
  if (policy) {
    await client.query("SELECT set_config('sprechstunde.organisation', $1, false)", [owner.organisation_uid])
    await client.query("SET ROLE sprechstunde_service")
  }
  const { rows } = await client.query("SELECT pg_backend_pid() AS pid")
  return { client, pid: Number(rows[0].pid) }
}
const [plain, under, set] = [await connected(false), await connected(true), await connected(false)]
const pool = await server.run(
  Effect.flatMap(SqlClient.SqlClient, (sql) => onlyOwner(owner)(sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`))
)
const pooled = pool[0]?.pid ?? 0

/** Processor time of the process, microseconds. */
const microsOf = (pid: number) => Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e3
const measured = async (pid: number, work: () => Promise<unknown>) => {
  const before = microsOf(pid)
  for (let index = 0; index < EACH; index++) await work()
  return (microsOf(pid) - before) / EACH
}
const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

const rows: Array<Readonly<Record<string, string | number>>> = []
for (const [name, text] of Object.entries(texts)) {
  const query = ({ client }: typeof plain) => client.query({ name, text, values: [owner.organisation_uid] })
  const service = () =>
    server.run(
      Effect.flatMap(SqlClient.SqlClient, (sql) => onlyOwner(owner)(sql.unsafe(text, [owner.organisation_uid])))
    )
  const ways = {
    without: () => measured(plain.pid, () => query(plain)),
    "policy only": () => measured(under.pid, () => query(under)),
    "setting only": () =>
      measured(set.pid, () =>
        set.client.query({
          name: "set",
          text: setting,
          values: ["sprechstunde_service", owner.organisation_uid, "", request]
        })
      ),
    both: () => measured(pooled, service)
  }
  const taken = new Map<string, Array<number>>(Object.keys(ways).map((way) => [way, []]))
  for (const way of Object.values(ways)) await way()
  for (let round = 0; round < ROUNDS; round++)
    for (const [way, run] of Object.entries(ways)) taken.get(way)?.push(await run())
  rows.push({
    statement: name,
    ...Object.fromEntries([...taken].map(([way, times]) => [`${way} (µs)`, median(times).toFixed(1)]))
  })
}
console.table(rows)

for (const text of Object.values(texts)) {
  const { rows: plan } = await under.client.query(
    `EXPLAIN (ANALYZE, COSTS OFF) ${text.replace("$1", `'${owner.organisation_uid}'`)}`
  )
  console.log(plan.map((row) => row["QUERY PLAN"]).join("\n"))
}
for (const { client } of [plain, under, set]) await client.end()
await server.stop()
process.exit(0)
