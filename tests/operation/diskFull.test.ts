/**
 * The database's own disk is full: changes, and reads of patients' data, are 503 and not 500, other reads are answered, and the process is
 * not ready. Rule 14.3.7.
 */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, statSync, unlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { citusNodes } from "../support/citus.ts"
import { eventually } from "../support/eventually.ts"
import { freshDatabase, startTestServer, using } from "../support/postgres.ts"
import { migrated, startServer, type TestServer } from "../support/server.ts"
import { inDays, makeWorld, random, type World } from "../support/world.ts"

/** Mounting a small disk needs root; on a cluster the tables are elsewhere. */
const isImpossible = process.getuid?.() !== 0 || citusNodes.length > 0

const folder = mkdtempSync(join(tmpdir(), "sprechstunde-small-"))
const ballast = join(folder, "ballast")
const space = random("small")
const name = random("on_small")
let server: TestServer
let world: World
let url: URL

const mount = (...args: ReadonlyArray<string>) => {
  const { exitCode, stderr } = Bun.spawnSync([...args])
  if (exitCode !== 0) throw new Error(String(stderr))
}

/** Writes until the disk is full. */
const fill = () => {
  const { exitCode } = Bun.spawnSync(["dd", "if=/dev/zero", `of=${ballast}`, "bs=64k", "status=none"])
  expect(exitCode).not.toBe(0)
}

beforeAll(async () => {
  if (isImpossible) return
  url = new URL(await startTestServer())
  await (await freshDatabase(migrated)).drop() // makes the template
  mount("mount", "-t", "tmpfs", "-o", "size=96m", "tmpfs", folder)
  const tables = join(folder, "tables")
  mkdirSync(tables)
  const { uid, gid } = statSync(url.searchParams.get("host") ?? "")
  chownSync(tables, uid, gid)
  await using(url.href, async (client) => {
    await client.query(`CREATE TABLESPACE ${space} LOCATION '${tables}'`)
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${migrated.name} TABLESPACE ${space} STRATEGY file_copy`)
  })
  const own = new URL(url)
  own.pathname = `/${name}`
  server = await startServer({ ROLE: "http", DATABASE_POOL_SIZE: "4" }, own.href)
  world = await makeWorld(server)
})
afterAll(async () => {
  await server?.stop()
  if (isImpossible) return rmdirSync(folder)
  await using(url.href, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await client.query(`DROP TABLESPACE IF EXISTS ${space}`)
  })
  mount("umount", folder)
  rmdirSync(folder)
})

let booked = 0
const book = () => {
  const number = booked++
  const times = { doctor_uid: world.doctor, start_date: inDays(1) + number * 1_200 }
  const whose = { shop_customer_id: `customer-${number}`, visit_reason: "Husten ".repeat(100) }
  return world.bookByKey({ ...times, ...whose }, `booking-${number}`)
}

const failures = async (reason: string) => {
  const { body } = await server.api("GET", "/metrics")
  const line = String(body)
    .split("\n")
    .find((one) => one.startsWith(`sprechstunde_database_failures_total{reason="${reason}"}`))
  return Number(line?.split(" ").at(-1))
}

test.skipIf(isImpossible)("a full disk is 503 until it has space again", async () => {
  expect((await server.api("GET", "/readyz")).status).toBe(200)
  const before = await failures("disk_full")
  fill()
  const acknowledged: Array<number> = []
  const refused: Array<unknown> = []
  // Pages in use have room for some rows
  while (refused.length < 20) {
    const { status, headers, body } = await book()
    if (status === 201) acknowledged.push(status)
    else refused.push([status, body.code, headers.get("retry-after") !== null])
    expect(acknowledged.length).toBeLessThan(2_000)
  }
  expect([...new Set(refused.map((answer) => JSON.stringify(answer)))]).toEqual(['[503,"unavailable",true]'])
  expect(await failures("disk_full")).toBeGreaterThan(before)
  const types = await server.api("GET", `/v1/scheduling/appointment-types?shop_uid=${world.shop_uid}`)
  expect(types.status).toBe(200)
  // A read of patients' data has an entry in the audit log
  const read = async (path: string) => (await server.api("GET", `/v1/management/${path}`, { key: world.key })).status
  for (const path of ["scheduling/appointments", "patients", "events"])
    expect([path, await read(path)]).toEqual([path, 503])
  for (const path of ["scheduling/doctors", "scheduling/appointment-types", "organisation"])
    expect([path, await read(path)]).toEqual([path, 200])
  const ready = await server.api("GET", "/readyz")
  expect(ready).toMatchObject({ status: 503, body: { code: "not_ready" } })
  expect(JSON.stringify(ready.body)).toContain("disk is full (53100)")

  unlinkSync(ballast)
  await eventually(
    async () => (await server.api("GET", "/readyz")).status,
    (status) => status === 200
  )
  expect((await book()).status).toBe(201)
  const list = await server.api("GET", "/v1/management/scheduling/appointments?status=confirmed&limit=1", {
    key: world.key
  })
  expect(list.body.totalRegistries).toBe(acknowledged.length + 1)
})

test("the runbook says which reads are answered", () => {
  const text = readFileSync("docs/runbooks/database-failing.md", "utf8").replaceAll(/\s+/g, " ")
  expect(text).toContain("reads of patients' data are 503 as well, since each has an entry in the audit log")
  expect(text).not.toContain("reads are still answered")
})
