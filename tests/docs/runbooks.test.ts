/** The statements of the runbooks run as written, and show what they are for. */
import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { isSkippedFor } from "../support/citus.ts"
import { arrived } from "../support/eventually.ts"
import { using } from "../support/postgres.ts"
import { ownServer } from "../support/server.ts"
import { random } from "../support/world.ts"

const server = ownServer({ ROLE: "all" })

const statementsIn = (name: string) =>
  [...readFileSync(`docs/runbooks/${name}`, "utf8").matchAll(/`(SELECT [^`]+)`/g)].map(([, text = ""]) => text)

test("every statement", async () => {
  const all = readdirSync("docs/runbooks").flatMap(statementsIn)
  expect(all.length).toBeGreaterThan(6)
  await using(server.current.databaseUrl, async (client) => {
    for (const text of all) await client.query(text)
  })
})

test.skipIf(isSkippedFor("roles of a single node"))(
  "a member of pg_monitor sees what runs and what waits for whom; a login of the service does not",
  async () => {
    const [running = "", waiting = ""] = statementsIn("database-pool-exhausted.md")
    const { databaseUrl: url } = server.current
    const monitor = random("monitor")
    const lock = "SELECT pg_advisory_xact_lock(4711)"
    await using(url, (holder) =>
      using(url, (waiter) =>
        using(url, async (client) => {
          await holder.query("BEGIN")
          await holder.query(lock)
          await waiter.query("BEGIN")
          const held = waiter.query(lock)
          await client.query(`CREATE ROLE ${monitor} IN ROLE pg_monitor`)
          const as = async (role: string, text: string) => {
            await client.query(`SET ROLE ${role}`)
            const { rows } = await client.query(text)
            await client.query("RESET ROLE")
            return rows
          }
          const waits = await arrived(() => as(monitor, waiting))
          expect(waits[0].pg_blocking_pids).toHaveLength(1)
          expect(JSON.stringify(await as(monitor, running))).toContain(lock)
          expect(JSON.stringify(await as("sprechstunde_service", running))).not.toContain(lock)
          await holder.query("COMMIT")
          await held
          await waiter.query("COMMIT")
          await client.query(`DROP ROLE ${monitor}`)
        })
      )
    )
  }
)
