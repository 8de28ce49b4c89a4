/**
 * Databases on a Citus cluster, if `CITUS_URLS` names one: the coordinator, then the workers, as superuser, separated by spaces.
 * Tests run there as the user that owns the tables, not as a superuser, so that row-level security applies.
 */
import { randomBytes } from "node:crypto"
import { Client, escapeLiteral } from "pg"

/** The cluster's nodes, the coordinator first; empty if the tests run on plain PostgreSQL. */
export const citusNodes: ReadonlyArray<string> = (process.env.CITUS_URLS ?? "").split(/\s+/).filter((url) => url !== "")

/** Whether to skip tests that need a single node, with the reason. */
export const isSkippedFor = (why: string) => {
  const isCluster = citusNodes.length > 0
  if (isCluster) console.log(`CITUS_URLS, so tests are skipped: ${why}`)
  return isCluster
}

/** A template database: its name, and the function that fills an empty database. `prepare` must leave no connection open. */
export interface Template {
  readonly name: string
  readonly prepare: (url: string) => Promise<void>
}

export interface TestDatabase {
  readonly url: string
  readonly drop: () => Promise<void>
}

const OWNER = "sprechstunde_owner"
const SETTINGS = [
  "multi_shard_modify_mode = 'sequential'",
  "enable_unsafe_triggers = on",
  "propagate_set_commands = 'local'"
]

const to = (node: string, database: string, user?: string) => {
  const address = new URL(node)
  address.pathname = `/${database}`
  if (user !== undefined) address.username = user
  return address.href
}

/** The database with a login that bypasses row-level security; on a single node every test login does. */
export const seeingAll = (url: string): string => {
  const [coordinator = url] = citusNodes
  return to(coordinator, new URL(url).pathname.slice(1))
}

/** The database on each of its nodes, with such a login. */
export const onEveryNode = (url: string): ReadonlyArray<string> =>
  citusNodes.length === 0 ? [url] : citusNodes.map((node) => to(node, new URL(url).pathname.slice(1)))

/** The number of sessions of the database that wait for a lock, on all nodes. The client is one of `seeingAll`. */
export const waitingForLocks = async (client: Client): Promise<number> => {
  const here =
    "SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
  const everywhere = `SELECT sum(result::int)::int AS waiting FROM run_command_on_all_nodes($$${here}$$)`
  const { rows } = await client.query(citusNodes.length > 0 ? everywhere : here)
  return rows[0].waiting
}

const query = async (url: string, ...texts: ReadonlyArray<string>) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    for (const text of texts) await client.query(text)
  } finally {
    await client.end()
  }
}

const onNodes = async (work: (node: string) => Promise<void>) => {
  for (const node of citusNodes) await work(node)
}

/** The superuser's password, which is also the owner's; on nodes that ask for none, null. */
const passwordOf = (node: string) => {
  const { password } = new URL(node)
  return password === "" ? "NULL" : escapeLiteral(decodeURIComponent(password))
}

const makeNode = (name: string) => async (node: string) => {
  await query(
    node,
    `DO $$ BEGIN CREATE ROLE ${OWNER} LOGIN CREATEROLE PASSWORD ${passwordOf(node)}; EXCEPTION WHEN duplicate_object THEN NULL; END $$`
  )
  await query(node, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`, `CREATE DATABASE ${name} OWNER ${OWNER}`)
  await query(to(node, name), "CREATE EXTENSION citus", `GRANT ALL ON SCHEMA public TO ${OWNER}`)
}

const addressOf = (node: string) => {
  const { hostname, port } = new URL(node)
  return `'${hostname}', ${port}`
}

/** An empty database on all nodes; the URL of its owner on the coordinator. */
export const emptyCitusDatabase = async (name: string): Promise<string> => {
  await onNodes(makeNode(name))
  const [coordinator = "", ...workers] = citusNodes
  await query(
    to(coordinator, name),
    `SELECT citus_set_coordinator_host(${addressOf(coordinator)})`,
    ...workers.map((worker) => `SELECT citus_add_node(${addressOf(worker)})`)
  )
  return to(coordinator, name, OWNER)
}

/** Forbids new connections, also those of the cluster's maintenance daemon, so that it can be copied. */
const close = (name: string) => (node: string) =>
  query(
    node,
    `UPDATE pg_database SET datallowconn = false WHERE datname = '${name}'`,
    `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${name}'`
  )

const copy = (name: string, template: string) => (node: string) =>
  query(
    node,
    `CREATE DATABASE ${name} OWNER ${OWNER} TEMPLATE ${template}`,
    ...SETTINGS.map((setting) => `ALTER DATABASE ${name} SET citus.${setting}`)
  )

/** A database's name ends with that of its run, by which it is dropped. */
const inRun = (name: string, run: string) => `${name}_${run}`.toLowerCase().replace(/\W/g, "_")

/** Created once per run, named by `run`; other processes wait for the first. */
const templateOf = async ({ name, prepare }: Template, run: string) => {
  const [coordinator = ""] = citusNodes
  const made = inRun(name, run)
  const client = new Client({ connectionString: coordinator })
  await client.connect()
  try {
    await client.query("SELECT pg_advisory_lock(hashtext($1))", [made])
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1 AND NOT datallowconn", [made])
    if (rowCount === 0) {
      await prepare(await emptyCitusDatabase(made))
      await onNodes(close(made))
    }
  } finally {
    await client.end()
  }
  return made
}

/** A database on all nodes for the caller alone: empty, or a copy of a template. */
export const freshCitusDatabase = async (run: string, template?: Template): Promise<TestDatabase> => {
  const name = inRun(`test_${randomBytes(8).toString("hex")}`, run)
  const [coordinator = ""] = citusNodes
  if (template === undefined) await emptyCitusDatabase(name)
  else {
    const made = await templateOf(template, run)
    await onNodes(copy(name, made))
  }
  return {
    url: to(coordinator, name, OWNER),
    drop: () => onNodes((node) => query(node, `DROP DATABASE ${name} WITH (FORCE)`))
  }
}

/** Drops every database of a run. Each has a process of Citus on every node, of which a node has no more than `max_worker_processes`. */
export const dropCitusDatabases = (run: string): Promise<void> =>
  onNodes(async (node) => {
    const client = new Client({ connectionString: node })
    await client.connect()
    try {
      const { rows } = await client.query("SELECT datname FROM pg_database WHERE right(datname, length($1)) = $1", [
        inRun("", run)
      ])
      for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS "${datname}" WITH (FORCE)`)
    } finally {
      await client.end()
    }
  })
