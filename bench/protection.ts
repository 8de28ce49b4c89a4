/**
 * The cost of row-level security and of the audit log: processor time of a search, a booking and a list, of the service with its
 * caller and of PostgreSQL: without both, with row-level security, and with both. Alternating rounds in one process and one
 * database. "Without" connects as the database's owner, without tenant settings, policies and triggers.
 */
import { readFileSync } from "node:fs"
import { SqlClient } from "@effect/sql"
import { Context, Effect } from "effect"
import { asLogin, type Tenancy, tenancyIn } from "../src/services/tenancy/Tenancy.ts"
import { startTestServer } from "../tests/support/postgres.ts"
import { startServer } from "../tests/support/server.ts"
import { inDays, makeWorld } from "../tests/support/world.ts"

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 12)
const modes = ["without", "rows", "rows and log"] as const
type Mode = (typeof modes)[number]

await startTestServer()
const server = await startServer({ ROLE: "http", DATABASE_POOL_SIZE: "2" })
const world = await makeWorld(server, { doctors: 8 })
const query = (text: string) =>
  server.run(Effect.flatMap(SqlClient.SqlClient, (sql) => asLogin(sql.unsafe<Record<string, string>>(text))))

const triggers = await query(`SELECT tgrelid::regclass::text AS table, tgname AS name FROM pg_trigger
  WHERE tgname IN ('audit_write', 'audit_delete')`)
const [{ recording = "" } = {}] = await query("SELECT pg_get_functiondef('audit_access'::regproc) AS recording")
const nothing = recording.replace(/SELECT audit_insert[\s\S]*NULL\)/, "SELECT NULL::void")
/** The tenant of fibers that start without one. */
const beginning: { -readonly [K in keyof Tenancy]: Tenancy[K] } = tenancyIn(Context.empty())

const become = async (mode: Mode) => {
  beginning.role = mode === "without" ? "login" : "service"
  const logs = mode === "rows and log"
  for (const { table, name } of triggers)
    await query(`ALTER TABLE ${table} ${logs ? "ENABLE" : "DISABLE"} TRIGGER ${name}`)
  await query(logs ? recording : nothing)
}

/** Requests per round: they take about 100 ms. */
const EACH: Readonly<Record<string, number>> = { booking: 16, "appointment types": 240 }

let turn = 0
const works = {
  search: async () => {
    if ((await world.search()).status !== 200) throw new Error("no search")
  },
  "list of 50": async () => {
    const { body } = await server.api("GET", "/v1/management/scheduling/appointments?limit=50", { key: world.key })
    if (body.data.length < 50) throw new Error("too few")
  },
  "appointment types": async () => {
    await server.api("GET", `/v1/scheduling/appointment-types?shop_uid=${world.shop_uid}`)
  },
  booking: async () => {
    const index = turn++
    const code = await world.session(`patient${index}`)
    const { body } = await world.hold(code, inDays(1) + Math.floor(index / 8) * 1200, {
      doctor_uid: world.doctors[index % 8]
    })
    if ((await world.confirm(code, body.hold_uid)).status >= 300) throw new Error("no booking")
  }
}

/** Processor time of this server's connections, nanoseconds. */
const databaseTime = async () => {
  const backends = await query("SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'")
  return backends.reduce((sum, { pid }) => {
    try {
      return sum + Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0])
    } catch {
      return sum // it has already ended
    }
  }, 0)
}

const measured = async (work: () => Promise<void>, each: number) => {
  for (let index = 0; index < 5; index++) await work()
  const [before, own] = [await databaseTime(), process.cpuUsage()]
  for (let index = 0; index < each; index++) await work()
  const { user, system } = process.cpuUsage(own)
  return { service: (user + system) / 1e3 / each, database: ((await databaseTime()) - before) / 1e6 / each }
}

for (let index = 0; index < 80; index++) await works.booking()
const quantile = (values: ReadonlyArray<number>, share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
const rows: Array<Readonly<Record<string, string>>> = []
for (const [name, work] of Object.entries(works)) {
  const taken = new Map<Mode, Array<{ readonly service: number; readonly database: number }>>(
    modes.map((mode) => [mode, []])
  )
  for (let round = 0; round < ROUNDS; round++)
    for (const mode of round % 2 === 0 ? modes : modes.toReversed()) {
      await become(mode)
      taken.get(mode)?.push(await measured(work, EACH[name] ?? 60))
    }
  const of = (mode: Mode) => taken.get(mode) ?? []
  const shown = (mode: Mode) =>
    `${quantile(
      of(mode).map(({ service }) => service),
      0.5
    ).toFixed(2)} + ${quantile(
      of(mode).map(({ database }) => database),
      0.5
    ).toFixed(2)}`
  /** Median and quartiles of the additional time over the other mode in the same round, percent. */
  const more = (mode: Mode, than: Mode) => {
    const others = of(than)
    const ratios = of(mode).map(({ service, database }, round) => {
      const other = others[round]
      return other === undefined ? Number.NaN : 100 * ((service + database) / (other.service + other.database) - 1)
    })
    const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(ratios, share).toFixed(1))
    return `${middle} % (${low} to ${high})`
  }
  rows.push({
    request: name,
    "without (ms)": shown("without"),
    "rows (ms)": shown("rows"),
    "rows and log (ms)": shown("rows and log"),
    "rows more": more("rows", "without"),
    "log more": more("rows and log", "rows")
  })
}
console.table(rows)
await server.stop()
process.exit(0)
