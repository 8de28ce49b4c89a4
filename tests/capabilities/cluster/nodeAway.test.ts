/**
 * A node of a cluster that does not answer: processes start, the other organisations are served, and the log names the node. Rule 14.3.8.
 * Needs `CITUS_URLS`; tests/database/secondStart.test.ts and tests/telemetry/outages.test.ts have what one node can show.
 */
import { afterAll, expect, test } from "bun:test"
import { citusNodes, onEveryNode } from "../../support/citus.ts"
import { eventually } from "../../support/eventually.ts"
import { freshDatabase, rowsAt } from "../../support/postgres.ts"
import { startService, temporaryFolder } from "../../support/processes.ts"
import { migrated, startServer } from "../../support/server.ts"
import { makeWorld } from "../../support/world.ts"

const folder = temporaryFolder()
afterAll(folder.remove)

/** The database's node refuses every connection, or takes them again. */
const takesConnections = async (node: string, takes: boolean) => {
  const name = new URL(node).pathname.slice(1)
  const elsewhere = new URL(node)
  elsewhere.pathname = "/postgres"
  await rowsAt(elsewhere.href, `UPDATE pg_database SET datallowconn = ${takes} WHERE datname = '${name}'`)
  await rowsAt(
    elsewhere.href,
    `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${name}'`
  )
}

/** Outside of development, with every setting that it then needs. */
const PRODUCTION = {
  NODE_ENV: "production",
  BASE_URL: "https://sprechstunde.example",
  OIDC_ISSUER: "https://id.example",
  SMTP_URL: "smtp://127.0.0.1:9"
}

if (citusNodes.length > 0)
  test("while a node is away, processes start, other organisations are served, and the log has the node's name once", async () => {
    const { url, drop } = await freshDatabase(migrated)
    const before = await startServer({ ROLE: "http" }, url)
    const worlds = await Promise.all(Array.from({ length: 12 }, () => makeWorld(before)))
    await before.stop()
    const away = onEveryNode(url).at(-1) ?? ""
    await takesConnections(away, false)
    const started = await Promise.all(
      (["http", "worker"] as const).map((ROLE) =>
        startService({ ...PRODUCTION, ROLE, DATABASE_URL: url, DATA_DIR: `${folder.path}/${ROLE}` })
      )
    )
    const [http] = started
    if (http === undefined) throw new Error("no process has started")
    const statuses = () =>
      Promise.all(
        worlds.map(({ key }) =>
          fetch(`${http.url}/v1/management/scheduling/appointments?limit=1`, { headers: { "x-api-key": key } }).then(
            ({ status }) => status
          )
        )
      )
    for (let round = 0; round < 4; round++) expect([...new Set(await statuses())].sort()).toEqual([200, 503])
    const { hostname, port } = new URL(away)
    const lines = () =>
      http
        .said()
        .split("\n")
        .filter((line) => /node|refused/.test(line))
    expect(lines()).toEqual([expect.stringContaining(`The database's node ${hostname}:${port} does not answer (08`)])
    await takesConnections(away, true)
    await eventually(
      async () => lines().length,
      (count) => count === 2
    )
    expect(lines()[1]).toContain(`node ${hostname}:${port} answers again`)
    expect([...new Set(await statuses())]).toEqual([200])
    for (const service of started) await service.stop()
    await drop()
  }, 180_000)

test("with citus.multi_task_query_log_level = error for the database, processes start and their declared statements over all nodes run", async () => {
  const { url, drop } = await freshDatabase(migrated)
  const [coordinator = ""] = onEveryNode(url)
  const name = new URL(coordinator).pathname.slice(1)
  await rowsAt(coordinator, `ALTER DATABASE "${name}" SET citus.multi_task_query_log_level = 'error'`)
  for (const ROLE of ["http", "worker"] as const) {
    const service = await startService({
      ...PRODUCTION,
      ROLE,
      DATABASE_URL: url,
      DATA_DIR: `${folder.path}/checked-${ROLE}`
    })
    await service.stop()
  }
  await drop()
}, 180_000)
