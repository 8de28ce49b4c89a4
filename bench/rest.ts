/**
 * `bun run bench:rest [seconds]`: the work of an idle service, by default for 240 seconds: its statements by text, and the
 * processor time of the service and of PostgreSQL. The first minute after the start is not counted.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Client } from "pg"
import { freshDatabase, runFolder, startTestServer, using } from "../tests/support/postgres.ts"
import { startService } from "../tests/support/processes.ts"
import { migrated } from "../tests/support/server.ts"
import { familyProcessorOf, processorOf } from "./harness/measure.ts"

const SECONDS = Number(process.argv[2] ?? 240)

await startTestServer()
const postmaster = Number(readFileSync(join(runFolder(), "data", "postmaster.pid"), "utf8").split("\n")[0])
const { url } = await freshDatabase(migrated)
// in production: no demo, in which a patient waits and doctors work
const production = { NODE_ENV: "production", OIDC_ISSUER: "https://id.example" }
const service = await startService({ ...production, DATABASE_URL: url, DATA_DIR: join(runFolder(), "rest") })
// An installation has no template of tests, which the database server would vacuum as well
await using(process.env.TEST_POSTGRES_URL ?? "", (client) => client.query(`DROP DATABASE ${migrated.name}`))
await Bun.sleep(60_000)

const database = new Client({ connectionString: url })
await database.connect()
await database.query("ALTER SYSTEM SET log_statement = 'all'")
await database.query("ALTER SYSTEM SET log_line_prefix = '%m [%p] %a '")
await database.query("SELECT pg_reload_conf()")
await Bun.sleep(1_000)
const log = join(runFolder(), "log")
const begun = readFileSync(log, "utf8").length
const processor = () => [processorOf(service.pid), familyProcessorOf(postmaster)] as const
const before = processor()
await Bun.sleep(SECONDS * 1_000)
const after = processor()

const statements = [
  ...readFileSync(log, "utf8")
    .slice(begun)
    .matchAll(/ LOG: {2}(?:statement|execute [^:]*): ([\s\S]*?)(?=\n\d{4}-|$)/g)
].map(([, text = ""]) => text.replace(/\s+/g, " ").trim().slice(0, 90))
const counts = Map.groupBy(statements, (text) => text)
for (const [text, all] of [...counts].sort(([, a], [, b]) => b.length - a.length)) console.log(`${all.length}\t${text}`)
const perSecond = (value: number) => (value / SECONDS).toFixed(2)
console.log(
  `${perSecond(statements.length)} statements a second, ${perSecond(after[0] - before[0])} + ${perSecond(after[1] - before[1])} ms of processor time a second (service + PostgreSQL)`
)
await service.stop()
process.exit(0)
