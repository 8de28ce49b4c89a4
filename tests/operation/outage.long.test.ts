/** Log lines when the database fails and recovers, and when the port is in use. */
import { afterAll, expect, test } from "bun:test"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { ensureRunning, openCluster, stop, urlOf } from "../../src/capabilities/postgres/layers/Cluster.ts"
import { eventually } from "../support/eventually.ts"
import { freshDatabase } from "../support/postgres.ts"
import { run, SERVICE, startService, temporaryFolder } from "../support/processes.ts"
import { migrated } from "../support/server.ts"

const folder = temporaryFolder()
afterAll(folder.remove)

test("a port in use is reported in one line, before a database is created", async () => {
  const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })
  const env = { DATA_DIR: join(folder.path, "taken"), HOST: "127.0.0.1", PORT: String(other.port) }
  const second = run(SERVICE, { env })
  expect(await second.ended).not.toBe(0)
  expect(second.said().trim()).toBe(
    `Sprechstunde stopped: Port ${other.port} of 127.0.0.1 is taken by another program: end that one, or set PORT to another port`
  )
  expect(existsSync(env.DATA_DIR)).toBe(false)
  await other.stop(true)
})

test("when the public address differs from the listening one, both are logged", async () => {
  const { url } = await freshDatabase(migrated)
  const service = await startService({
    DATABASE_URL: url,
    DATA_DIR: folder.path,
    LOG_FORMAT: "pretty",
    BASE_URL: "http://localhost:9"
  })
  expect(service.said()).toContain("Interface        http://localhost:9\n")
  expect(service.said()).toContain(`Listens on       ${service.url}\n`)
  await service.stop()
})

test("a database outage is one log line, and its end another", async () => {
  const place = mkdtempSync(join(tmpdir(), "sprechstunde-outage-"))
  const cluster = await Effect.runPromise(openCluster({ folder: place, settings: { fsync: "off" } }))
  await Effect.runPromise(ensureRunning(cluster))
  const service = await startService({ DATABASE_URL: urlOf(cluster, "postgres"), DATA_DIR: folder.path })
  const lines = () => service.said().trim().split("\n")
  const ready = () => fetch(`${service.url}/readyz`).then(({ status }) => status)
  const before = lines().length
  await Effect.runPromise(stop(cluster))
  await eventually(ready, (status) => status === 503)
  // long enough for every worker and tick to fail more than once
  await Bun.sleep(12_000)
  const during = lines().slice(before)
  expect(during).toEqual([expect.stringContaining("The database does not answer")])
  await Effect.runPromise(ensureRunning(cluster))
  await eventually(
    async () =>
      lines()
        .slice(before)
        .filter((line) => line.includes("answers again")).length,
    (count) => count === 1
  )
  expect(await ready()).toBe(200)
  await service.stop()
  await Effect.runPromise(stop(cluster))
  rmSync(place, { recursive: true, force: true })
})
