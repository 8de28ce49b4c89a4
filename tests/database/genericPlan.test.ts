/** Statements that PostgreSQL plans once per connection, and what row-level security leaves of their indexes. */
import { expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { withGenericPlan } from "../../src/services/database/Database.ts"
import { isSkippedFor } from "../support/citus.ts"
import { genericPlan, withManyRows } from "../support/genericPlan.ts"
import { testServer } from "../support/server.ts"
import { recording } from "../support/statements.ts"
import { transaction } from "../support/transaction.ts"
import { inDays, makeWorld } from "../support/world.ts"

const server = testServer()

const isCluster = isSkippedFor(
  "values decide which node plans a statement, and only a superuser of a single node can set the statistics of a table"
)

test.skipIf(isCluster)("a statement's mode of planning ends with it, or with its transaction", async () => {
  const modes = Effect.flatMap(SqlClient.SqlClient, (sql) => {
    const mode = Effect.map(
      sql<{ mode: string }>`SELECT current_setting('plan_cache_mode') AS mode`,
      ([row]) => row?.mode
    )
    return Effect.all([mode, withGenericPlan(mode), mode])
  })
  const isolated = ["auto", "force_generic_plan", "auto"]
  expect(await server.current.run(modes)).toEqual(isolated)
  expect(await server.current.run(transaction(modes))).toEqual(["auto", "force_generic_plan", "force_generic_plan"])
  expect(await server.current.run(transaction(modes))).toEqual(["auto", "force_generic_plan", "force_generic_plan"])
  expect(await server.current.run(modes)).toEqual(isolated)
})

test.skipIf(isCluster)(
  "a search reads the bookings of its days with an index, however many others a doctor has",
  async () => {
    const world = await makeWorld(server.current)
    await world.booked(inDays(1))
    const { statements } = await recording(() => world.search(), server.current.databaseUrl)
    const [search] = statements.filter(({ text }) => text.includes("FROM claims"))
    if (search === undefined) throw new Error("no calendar was read")
    const plan = await withManyRows(server.current.databaseUrl, ["claims"], (client) => genericPlan(client, search))
    expect(search.role).toBe("service")
    expect(plan).toMatch(/claims_by_subject.*\n *Index Cond: .*start_date < /)
  }
)
