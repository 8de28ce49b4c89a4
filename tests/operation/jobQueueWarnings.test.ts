/** A backup or another long transaction holds back vacuum: pg-boss would warn of it, the service does not. */
import { expect, test } from "bun:test"
import { Effect, Layer, Logger, Redacted } from "effect"
import { PgBoss } from "pg-boss"
import { bossLive } from "../../src/layers/Boss.ts"
import { single, Topology } from "../../src/services/database/Topology.ts"
import { Boss } from "../../src/services/queue/Jobs.ts"
import { eventually } from "../support/eventually.ts"
import { freshDatabase, using } from "../support/postgres.ts"

test("a long transaction that holds back vacuum is no warning of the job queue", async () => {
  const { drop, url } = await freshDatabase()
  const lines: Array<string> = []
  const logger = Logger.make<unknown, void>(({ message }) => void lines.push(String(message)))
  const watched = Effect.gen(function* () {
    const boss = yield* Boss
    yield* Effect.promise(async () => {
      const warnings: Array<string> = []
      // With pg-boss's own settings, to see that there is something to warn of
      const other = new PgBoss({ connectionString: url, supervise: false, schedule: false, migrate: false })
      other.on("warning", ({ message }) => void warnings.push(message))
      await other.start()
      await using(url, async (backup) => {
        await boss.createQueue("garbage")
        await boss.insert(
          "garbage",
          Array.from({ length: 500 }, () => ({}))
        )
        await backup.query("BEGIN ISOLATION LEVEL REPEATABLE READ")
        await backup.query("SELECT count(*) FROM pgboss.job")
        await boss.deleteAllJobs("garbage")
        // The server counts what was deleted with a delay
        await eventually(
          async () => {
            await using(url, (client) => client.query("VACUUM"))
            await boss.supervise()
            await other.supervise()
            return warnings
          },
          ({ length }) => length > 0
        )
      })
      await other.stop()
      expect(warnings).toEqual([expect.stringContaining("transaction horizon is pinned")])
    })
  })
  const layer = bossLive({ url: Redacted.make(url), works: true }).pipe(
    Layer.provide(Layer.succeed(Topology, single)),
    Layer.provide(Logger.replace(Logger.defaultLogger, logger))
  )
  await Effect.runPromise(Effect.provide(watched, layer))
  expect(lines.filter((line) => line.startsWith("job queue"))).toEqual([])
  await drop()
})
