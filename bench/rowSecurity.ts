/**
 * What row-level security costs: the same statements in the database user's own role, without it, and in the service's role
 * with an owner, in alternating rounds of one process and one database.
 */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { Database } from "../src/services/Database.ts"
import { asLogin, onlyOwner } from "../src/services/Tenancy.ts"
import { startTestServer } from "../tests/support/postgres.ts"
import { startServer } from "../tests/support/server.ts"
import { inDays, makeWorld } from "../tests/support/world.ts"

const ROUNDS = 40
const EACH = 100

await startTestServer()
const server = await startServer({ ROLE: "http" })
const world = await makeWorld(server, { doctors: 8 })
const owner = { organisation_uid: world.organisation_uid }
for (let index = 0; index < 40; index++) {
  const held = await world.hold(await world.session(`patient${index}`), inDays(1) + index * 1200)
  if (held.status >= 300) throw new Error(`no hold: ${held.status}`)
}

const statements = (sql: SqlClient.SqlClient) => ({
  list: sql`SELECT * FROM appointments WHERE organisation_uid = ${owner.organisation_uid} ORDER BY start_date LIMIT 50`,
  single: sql`SELECT uid, name FROM appointment_types WHERE organisation_uid = ${owner.organisation_uid}`
})

const measured = Effect.gen(function* () {
  const all = statements(yield* SqlClient.SqlClient)
  const { transaction } = yield* Database
  const works = {
    ...all,
    "transaction of six": transaction(
      Effect.all([all.single, all.single, all.list, all.single, all.single, all.single])
    )
  }
  for (const [name, work] of Object.entries(works)) {
    const times: Record<"without" | "with", Array<number>> = { without: [], with: [] }
    for (let round = 0; round < 2 * ROUNDS; round++) {
      const [kind, tenancy] = round % 2 === 0 ? (["without", asLogin] as const) : (["with", onlyOwner(owner)] as const)
      const start = performance.now()
      yield* tenancy(Effect.replicateEffect(work as Effect.Effect<unknown, unknown>, EACH, { discard: true }))
      times[kind].push((performance.now() - start) / EACH)
    }
    // The fastest round is the one that others on the machine have disturbed least
    const [without, within] = [Math.min(...times.without), Math.min(...times.with)]
    console.log(
      name,
      `${without.toFixed(3)} ms`,
      `${within.toFixed(3)} ms`,
      `${(100 * (within / without - 1)).toFixed(1)} %`
    )
  }
})
await server.run(measured)
await server.stop()
process.exit(0)
