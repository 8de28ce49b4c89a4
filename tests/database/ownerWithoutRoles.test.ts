/** An owner who may not create roles, by the commands of docs/operating.md as written. */
import { afterAll, expect, test } from "bun:test"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { Client } from "pg"
import { ensureRunning, openCluster, stop, urlOf } from "../../src/capabilities/postgres/layers/Cluster.ts"
import { commandLine } from "../support/cli.ts"
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

const [, section = ""] = readFileSync("docs/operating.md", "utf8").split(/^## Database roles$/m)
const fenced = (language: string) =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(section)?.[1] ?? ""

const asAdministrator = async (statements: string) => {
  const client = new Client({ connectionString: urlOf(cluster, "postgres") })
  await client.connect()
  await client.query(statements)
  await client.end()
}

const urlFor = (user: string) => {
  const url = new URL(urlOf(cluster, "sprechstunde"))
  url.username = user
  return url.href
}

test("a password that the server refuses is named with its setting, and what to do", async () => {
  const rules = join(cluster.data, "pg_hba.conf")
  writeFileSync(rules, `local all with_password scram-sha-256\n${readFileSync(rules, "utf8")}`)
  await asAdministrator("CREATE ROLE with_password LOGIN PASSWORD 'right'")
  await asAdministrator("SELECT pg_reload_conf()")
  const url = new URL(urlOf(cluster, "postgres"))
  url.username = "with_password"
  url.password = "wrong"
  const said = await startServer({}, url.href).then(() => "started", String)
  expect(said).toMatch(/DATABASE_URL \(with_password at .*\): the user or the password is refused\. Correct it/)
  expect(said).not.toContain("wrong")
})

test("the SQL and the commands prepare a database whose owner has no CREATEROLE, for each ROLE", async () => {
  await asAdministrator("CREATE ROLE sprechstunde LOGIN")
  await asAdministrator("CREATE DATABASE sprechstunde OWNER sprechstunde")
  await asAdministrator(fenced("sql"))
  const commands = [...fenced("sh").matchAll(/^DATABASE_URL=postgresql:\/\/owner@… script\/cli ([^#\n]+)/gm)]
  expect(commands).toHaveLength(4)
  const asOwner = commandLine({ DATABASE_URL: urlFor("sprechstunde"), DATA_DIR: folder.path })
  for (const [, given = ""] of commands) {
    const { status, said } = await asOwner(...given.trim().split(/ +/))
    expect([given, status, said]).toEqual([given, 0, expect.any(String)])
  }
  for (const [role, login] of [
    ["all", "sprechstunde_app"],
    ["http", "sprechstunde_http"],
    ["worker", "sprechstunde_jobs"]
  ] as const) {
    const service = await startServer({ ROLE: role }, urlFor(login))
    expect([role, (await fetch(`${service.url}/readyz`)).status]).toEqual([role, 200])
    await service.stop()
  }
})
