/**
 * Ways to run a statement in a tenancy: the service's flight, against the driver's pipeline mode with BEGIN, the settings, the statement
 * and COMMIT as ordinary statements. Processor microseconds of this process and of PostgreSQL a statement, alternating in one run; the
 * ratio is what counts.
 */
import { readFileSync } from "node:fs"
import { Context, Effect } from "effect"
import { Client } from "pg"
import { serviceClient } from "../src/layers/postgres/ServiceClient.ts"
import { settingsOf, valuesOf } from "../src/layers/postgres/tenantSettings.ts"
import { single } from "../src/services/database/Topology.ts"
import { onlyOwner, tenancyIn, withoutOwner } from "../src/services/tenancy/Tenancy.ts"
import { freshDatabase, startTestServer } from "../tests/support/postgres.ts"
import { migrated } from "../tests/support/server.ts"

const [ROUNDS, EACH] = [12, 400]
await startTestServer()
const { url } = await freshDatabase(migrated)
const text = "SELECT uid, name FROM shops WHERE organisation_uid = $1 ORDER BY uid"
const ServiceClient = serviceClient({
  prepareStatements: true,
  silenceMillis: 35_000,
  topology: single,
  nameOf: (statement) => `s_${Bun.hash(statement).toString(36)}`,
  diskFull: () => undefined
})
const service = new ServiceClient({ connectionString: url })
const pipelined = new Client({ connectionString: url, pipeline: true })
await Promise.all([service.connect(), pipelined.connect()])
await service.prepare()

const { given } = settingsOf(single)
const values = valuesOf({ ...tenancyIn(Context.empty()), organisation: "org_a" }, false)
const named = { name: "statement", text, values: ["org_a"] }
const asTenant = <A>(work: () => Promise<A>) =>
  Effect.runPromise(withoutOwner(onlyOwner({ organisation_uid: "org_a" })(Effect.promise(work))))
const opened = () => [pipelined.query("BEGIN"), pipelined.query({ ...given, values }), pipelined.query(named)] as const
const ways = {
  "one statement: flight": () => service.query(text, ["org_a"]),
  "one statement: pipeline": () => Promise.all([...opened(), pipelined.query("COMMIT")]),
  "BEGIN and its first statement: flight": async () => {
    service.query("BEGIN")
    await service.query(text, ["org_a"])
    await service.query("COMMIT")
  },
  "BEGIN and its first statement: pipeline": async () => {
    await Promise.all(opened())
    await pipelined.query("COMMIT")
  }
}

const pidOf = async (client: Client) => Number((await client.query("SELECT pg_backend_pid() AS pid")).rows[0].pid)
const pids = [await pidOf(service), await pidOf(pipelined)]
const database = () =>
  pids.reduce((sum, pid) => sum + Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e3, 0)
const taken = new Map<string, Array<readonly [number, number]>>()
for (let round = 0; round < ROUNDS; round++)
  for (const [name, run] of Object.entries(ways)) {
    const repeated = (times: number) =>
      asTenant(async () => {
        for (let index = 0; index < times; index++) await run()
      })
    await repeated(20)
    const [own, before] = [process.cpuUsage(), database()]
    await repeated(EACH)
    const { user, system } = process.cpuUsage(own)
    taken.set(name, [...(taken.get(name) ?? []), [(user + system) / EACH, (database() - before) / EACH]])
  }
const median = (all: ReadonlyArray<number>) => all.toSorted((a, b) => a - b)[all.length >> 1] ?? Number.NaN
console.table(
  [...taken].map(([way, all]) => ({
    way,
    "this process (µs)": median(all.map(([own]) => own)).toFixed(0),
    "PostgreSQL (µs)": median(all.map(([, other]) => other)).toFixed(0)
  }))
)
await Promise.all([service.end(), pipelined.end()])
process.exit(0)
