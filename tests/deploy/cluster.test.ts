/** What deploy/cloudnativepg and the migration job of deploy/kubernetes make, with a real server: an owner, three logins, ready processes. */
import { afterAll, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { Effect } from "effect"
import { ensureRunning, openCluster, stop, urlOf } from "../../src/capabilities/postgres/layers/Cluster.ts"
import { commandLine } from "../support/cli.ts"
import { rowsAt } from "../support/postgres.ts"
import { temporaryFolder } from "../support/processes.ts"
import { startServer } from "../support/server.ts"

const folder = temporaryFolder()
// Roles belong to a server: one without those of other tests
const cluster = await Effect.runPromise(openCluster({ folder: folder.path, settings: { fsync: "off" } }))
await Effect.runPromise(ensureRunning(cluster))
afterAll(async () => {
  await Effect.runPromise(stop(cluster))
  folder.remove()
})

const documents = (path: string) =>
  readFileSync(path, "utf8")
    .split(/^---$/m)
    .map((text) => Bun.YAML.parse(text) as never)
const urlFor = (user: string) => {
  const url = new URL(urlOf(cluster, "sprechstunde"))
  url.username = user
  return url.href
}

test("the job's commands make three logins of the operator's database, and a practice is made with the one for commands", async () => {
  const [, database] = documents("deploy/cloudnativepg/cluster.yaml") as ReadonlyArray<{
    spec: { bootstrap: { initdb: { owner: string; database: string; postInitApplicationSQL: ReadonlyArray<string> } } }
  }>
  const { owner = "", database: name = "", postInitApplicationSQL = [] } = database?.spec.bootstrap.initdb ?? {}
  await rowsAt(urlOf(cluster, "postgres"), `CREATE ROLE ${owner} LOGIN`)
  await rowsAt(urlOf(cluster, "postgres"), `CREATE DATABASE ${name} OWNER ${owner}`)
  for (const statement of postInitApplicationSQL) await rowsAt(urlOf(cluster, name), statement)
  interface Command {
    readonly name: string
    readonly args: ReadonlyArray<string>
  }
  const [job] = documents("deploy/kubernetes/jobs/migrate.yaml") as ReadonlyArray<{
    spec: { template: { spec: { initContainers: ReadonlyArray<Command>; containers: ReadonlyArray<Command> } } }
  }>
  const { initContainers = [], containers = [] } = job?.spec.template.spec ?? {}
  const commands = [...initContainers, ...containers].map(({ args }) => args.slice(1))
  expect(commands.map(([command]) => command)).toEqual(["migrate", ...Array(3).fill("database-login")])
  for (const args of [...commands, ...commands]) {
    const login = args[0] === "migrate" ? {} : { DATABASE_LOGIN_PASSWORD: `password of ${args[1]}` }
    const ran = await commandLine({ DATABASE_URL: urlFor(owner), DATA_DIR: folder.path, ...login })(...args)
    expect([args, ran.status, ran.said]).toEqual([args, 0, expect.any(String)])
  }
  for (const [ROLE, login] of [
    ["http", "sprechstunde_http"],
    ["worker", "sprechstunde_jobs"]
  ] as const) {
    const service = await startServer({ ROLE }, urlFor(login))
    expect([ROLE, (await fetch(`${service.url}/readyz`)).status]).toEqual([ROLE, 200])
    await service.stop()
  }
  const practice = ["--name", "Praxis", "--timezone", "Europe/Berlin", "--shop-identifier", "praxis"]
  const made = await commandLine({ DATABASE_URL: urlFor("sprechstunde_app"), DATA_DIR: folder.path })(
    "organisations",
    "create",
    ...practice
  )
  expect([made.status, made.said]).toEqual([0, expect.stringMatching(/^api_key +spr_/m)])
}, 60_000)
