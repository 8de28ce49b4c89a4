/** What an operator reads when the database goes away and comes back, and when the port is taken. */
import { afterAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { ensureRunning, openCluster, stop, urlOf } from "../../src/layers/postgres/Cluster.ts"
import { eventually } from "../support/eventually.ts"
import { startService, temporaryFolder } from "../support/processes.ts"

const folder = temporaryFolder()
afterAll(folder.remove)

test("an outage of the database is one line in the log, and its end another", async () => {
  const place = mkdtempSync(join(tmpdir(), "sprechstunde-outage-"))
  const cluster = await Effect.runPromise(openCluster({ folder: place, settings: { fsync: "off" } }))
  await Effect.runPromise(ensureRunning(cluster))
  const service = await startService({ DATABASE_URL: urlOf(cluster, "postgres"), DATA_DIR: folder.path })
  const lines = () => service.said().trim().split("\n")
  const ready = () => fetch(`${service.url}/readyz`).then(({ status }) => status)
  const before = lines().length
  await Effect.runPromise(stop(cluster))
  await eventually(ready, (status) => status === 503)
  // long enough for every worker and tick to have met it more than once
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
