import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { Effect } from "effect"
import { Client, type QueryResultRow } from "pg"
import { ensureRunning, openCluster, urlOf } from "../../src/capabilities/postgres/layers/Cluster.ts"
import { citusNodes, freshCitusDatabase, type Template, type TestDatabase } from "./citus.ts"

/** The URL of this run's database server, set by the process that starts it, so that all processes of the run share it. */
const SERVER = "TEST_POSTGRES_URL"
/** The run's folder, removed with its database server. */
const FOLDER = "TEST_FOLDER"

export const runFolder = () => process.env[FOLDER] ?? tmpdir()

// The test process holds the other end of this process's standard input, so that it ends with the test process
const WATCHDOG = `
cat > /dev/null
pid=$(head -n 1 "$1/data/postmaster.pid")
kill -QUIT "$pid"
while kill -0 "$pid" 2> /dev/null; do sleep 0.1; done
[ -z "$CITUS_URLS" ] || "$3" "$4" "$(basename "$1")"
rm -rf "$1" "$2"
`
const DROP = join(import.meta.dirname, "dropCitusDatabases.ts")

/** A vacuum in the background of every test's database is 4 % of a run; benches leave it on. */
export const TEST_SETTINGS = { autovacuum: "off" }

/**
 * Starts the database server of a test run unless the run has one, and arranges its removal when this process has ended.
 * `TEST_POSTGRES_BINARIES` selects another PostgreSQL, for example `/usr/lib/postgresql/15/bin`.
 */
export const startTestServer = async (more: Readonly<Record<string, string>> = {}): Promise<string> => {
  const given = process.env[SERVER]
  if (given !== undefined) return given
  const folder = mkdtempSync(join(tmpdir(), "sprechstunde-test-"))
  const binaries = process.env.TEST_POSTGRES_BINARIES
  const cluster = await Effect.runPromise(
    openCluster({
      folder,
      ...(binaries === undefined ? {} : { binaries }),
      settings: {
        fsync: "off",
        synchronous_commit: "off",
        full_page_writes: "off",
        max_connections: "1000",
        ...more
      }
    })
  )
  const watchdog = spawn("sh", ["-c", WATCHDOG, "watchdog", folder, cluster.socket, process.execPath, DROP], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"]
  })
  watchdog.unref()
  await Effect.runPromise(ensureRunning(cluster))
  const url = urlOf(cluster, "postgres")
  process.env[SERVER] = url
  process.env[FOLDER] = folder
  return url
}

const withDatabase = (url: string, database: string) => {
  const address = new URL(url)
  address.pathname = `/${database}`
  return address.href
}

/** Runs `body` with a connection of its own. */
export const using = async <A>(url: string, body: (client: Client) => Promise<A>): Promise<A> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await body(client)
  } finally {
    await client.end()
  }
}

/** The rows of one statement on a connection of its own. */
export const rowsAt = <Row extends QueryResultRow>(url: string, text: string, values: ReadonlyArray<unknown> = []) =>
  using(url, async (client) => (await client.query<Row>(text, [...values])).rows)

/** Created once per run, by the first process; the others wait for it. */
const makeTemplate = (server: string, { name, prepare }: Template) =>
  using(server, async (client) => {
    await client.query("select pg_advisory_lock(hashtext($1))", [name])
    const { rowCount } = await client.query("select from pg_database where datname = $1", [name])
    if (rowCount === 1) return
    await client.query(`drop database if exists "${name}_unfinished" with (force)`)
    await client.query(`create database "${name}_unfinished" strategy file_copy`)
    await prepare(withDatabase(server, `${name}_unfinished`))
    await client.query(`alter database "${name}_unfinished" rename to "${name}"`)
  })

/** A database for the caller alone, empty or a copy of a template; removed with the run's server, or earlier by `drop`. */
export const freshDatabase = async (template?: Template): Promise<TestDatabase> => {
  const server = await startTestServer()
  if (citusNodes.length > 0) return freshCitusDatabase(basename(runFolder()), template)
  if (template !== undefined) await makeTemplate(server, template)
  const name = `test_${randomBytes(8).toString("hex")}`
  const from = template === undefined ? "" : ` template "${template.name}"`
  await using(server, (client) => client.query(`create database ${name}${from} strategy file_copy`))
  return {
    url: withDatabase(server, name),
    drop: () => using(server, async (client) => void (await client.query(`drop database ${name} with (force)`)))
  }
}
