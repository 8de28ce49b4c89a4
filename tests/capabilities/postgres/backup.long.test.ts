/** `cli backup` and `cli restore`: the server is destroyed under load and restored. Section 15.3. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { Effect } from "effect"
import {
  type Cluster,
  ensureRunning,
  openCluster,
  stop,
  urlOf
} from "../../../src/capabilities/postgres/layers/Cluster.ts"
import { prescriptionWorld } from "../../prescriptions/support/world.ts"
import { commandLine } from "../../support/cli.ts"
import { eventually } from "../../support/eventually.ts"
import { rowsAt } from "../../support/postgres.ts"
import { temporaryFolder } from "../../support/processes.ts"
import { startServer, type TestServer } from "../../support/server.ts"
import { inDays } from "../../support/world.ts"

/** Between bookings: most of the time is spent in pgBackRest. */
const LOAD_PAUSE_MS = 100

const folder = temporaryFolder()
const binaries = "/usr/lib/postgresql/15/bin"
let cluster: Cluster
let of: { readonly repository: string; readonly data: string; readonly socket: string; readonly files: string }
let server: TestServer

const open = (settings: Readonly<Record<string, string>>) =>
  Effect.runPromise(openCluster({ folder: join(folder.path, "database"), binaries, settings }))
const start = () => Effect.runPromise(ensureRunning(cluster))

const query = <Row extends object>(text: string, database = "postgres") =>
  rowsAt<Row & Record<string, unknown>>(urlOf(cluster, database), text)

/** Waits until everything committed is in the archive. */
const archived = async () => {
  const [switched] = await query<{ name: string }>("SELECT pg_walfile_name(pg_switch_wal()) AS name")
  await eventually(
    () => query<{ last: string | null }>("SELECT last_archived_wal AS last FROM pg_stat_archiver"),
    ([row]) => (row?.last ?? "") >= (switched?.name ?? "~"),
    60
  )
}

beforeAll(async () => {
  Bun.spawnSync(["chmod", "755", folder.path])
  const repository = join(folder.path, "backups")
  const data = join(folder.path, "database", "data")
  const printed = await commandLine({})("backup", "--print-settings", "--repository", repository, "--data", data)
  const settings = Object.fromEntries(
    printed.out
      .trim()
      .split("\n")
      .map((line) => line.split(/ = (.*)/).slice(0, 2))
  )
  expect(Object.keys(settings)).toContain("archive_command")
  cluster = await open({ ...settings, fsync: "off" })
  await start()
  await query("CREATE DATABASE sprechstunde")
  server = await startServer({ FILE_ARCHIVE: join(repository, "files") }, urlOf(cluster, "sprechstunde"))
  of = { repository, data: cluster.data, socket: cluster.socket, files: join(server.dataDir, "files") }
})
afterAll(async () => {
  await Effect.runPromise(Effect.ignore(stop(cluster)))
  folder.remove()
})

/** Runs one of the two commands on this server; returns its last line. */
const cli = async (command: "backup" | "restore", ...more: ReadonlyArray<string>) => {
  const { repository, data, socket, files } = of
  const where = ["--repository", repository, "--data", data, "--socket", socket]
  const ran = await commandLine({ FILE_STORE: `file:${files}` })(command, ...where, ...more)
  expect([ran.status, ran.err]).toEqual([0, ""])
  return ran.last
}

/** Kills the postmaster with SIGKILL and deletes its folder. */
const destroy = async () => {
  const pid = Number(readFileSync(join(cluster.data, "postmaster.pid"), "utf8").split("\n")[0])
  process.kill(pid, "SIGKILL")
  await eventually(
    async () => existsSync(`/proc/${pid}`),
    (alive) => !alive
  )
  rmSync(cluster.data, { recursive: true, force: true })
}

const inBackup = () =>
  readdirSync(of.repository, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())

const filesIn = (path: string) =>
  existsSync(path)
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(path, join(entry.parentPath, entry.name)))
        .toSorted()
    : []

test("a restore after a disaster under load recovers everything archived, and point-in-time recovery what was deleted later (Rules 15.3.1 to 15.3.6)", async () => {
  const world = await prescriptionWorld(server)
  const store = join(server.dataDir, "files")
  const rendered = async () => {
    const prescription = await world.prescription()
    await world.render(prescription)
    await world.rendered(prescription)
    return prescription
  }
  await rendered()
  const [removed = ""] = filesIn(store)
  expect(await cli("backup", "--full")).toMatch(/\d+ files copied, 0 removed. The master key is not in it.$/)

  // Load: sequential bookings until the server is destroyed
  const acknowledged: Array<string> = []
  let running = true
  let next = 0
  const load = async () => {
    while (running) {
      const answer = await server
        .api("POST", "/v1/management/scheduling/appointments", {
          key: world.key,
          body: {
            shop_uid: world.shop_uid,
            shop_customer_id: `customer-${next}`,
            appointment_type_uid: world.type_uid,
            start_date: inDays(1) + next++ * 1200,
            visit_reason: "kept in the backup"
          }
        })
        .catch(() => undefined)
      if (answer?.status === 201) acknowledged.push(answer.body.uid)
      await Bun.sleep(LOAD_PAUSE_MS)
    }
  }
  const loading = load()
  const booked = (count: number) =>
    eventually(
      async () => acknowledged.length,
      (length) => length >= count,
      60
    )
  await booked(10)
  await cli("backup")
  await booked(20)
  const safe = [...acknowledged]
  // a file after the last backup
  const prescription = await rendered()
  const stored = filesIn(store)
  await archived()
  const [moment] = await query<{ now: string }>("SELECT now()::text AS now")
  await booked(safe.length + 5)
  await query("DELETE FROM published_reminders", "sprechstunde")
  await query("CREATE TABLE made_by_mistake (a integer)", "sprechstunde")
  rmSync(join(store, removed))
  expect(await cli("backup")).toContain(", 1 removed.")
  const before = [...acknowledged]
  await archived()
  await booked(before.length + 3)
  running = false
  await destroy()
  await loading
  await server.stop()
  expect(filesIn(store)).toEqual([])

  const uids = async () =>
    new Set((await query<{ uid: string }>("SELECT uid FROM appointments", "sprechstunde")).map(({ uid }) => uid))
  const recovered = () =>
    eventually(
      () => query<{ waits: boolean }>("SELECT pg_is_in_recovery() AS waits"),
      ([row]) => row?.waits === false,
      60
    )

  // To the end of the archive
  expect(await cli("restore")).toStartWith(`${stored.length - 1} files copied back.`)
  await start()
  await recovered()
  const kept = filesIn(of.files)
  expect(kept).toEqual(stored.filter((name) => name !== removed))
  const found = await uids()
  const lost = acknowledged.filter((uid) => !found.has(uid))
  console.log(
    `backup drill: ${acknowledged.length} acknowledged, ${before.length} of them archived, ${lost.length} lost`
  )
  expect(before.filter((uid) => !found.has(uid))).toEqual([])
  expect(lost.every((uid) => !before.includes(uid))).toBe(true)

  // The service continues with the same master key and opens sealed values; the file is restored too
  server = await startServer({ FILE_STORE: `file:${of.files}` }, urlOf(cluster, "sprechstunde"))
  const shown = await server.api("GET", `/v1/management/scheduling/appointments/${safe[0]}`, { key: world.key })
  expect(shown.body.visit_reason).toBe("kept in the backup")
  const { body } = await server.api("GET", `/v1/management/prescriptions/${prescription}`, { key: world.key })
  expect((await (await fetch(body.file.url)).bytes()).length).toBe(body.file.size)
  await server.stop()

  // To the time before the mistake, on a new timeline
  await destroy()
  const to = new Date(moment?.now ?? "").toISOString()
  const list = join(of.repository, "erasures.ndjson")
  writeFileSync(list, `{"written_at":${Math.floor(Date.now() / 1_000)}}\n`)
  const restored = await cli("restore", "--to", to)
  expect([restored.startsWith("1 files copied back."), restored.includes(`reapply-erasures ${list}`)]).toEqual([
    true,
    true
  ])
  await start()
  await recovered()
  console.log(
    `backup drill: ${stored.length} files at the moment, 1 of them since the last backup, 1 removed after it; ${kept.length} back to the end, ${filesIn(of.files).length} to the moment`
  )
  expect(filesIn(of.files)).toEqual(stored)
  const then = await uids()
  expect(safe.filter((uid) => !then.has(uid))).toEqual([])
  expect(await query("SELECT to_regclass('made_by_mistake')::text AS name", "sprechstunde")).toEqual([{ name: null }])

  const masterKey = Buffer.alloc(32, 7).toString("base64")
  for (const entry of inBackup())
    expect(readFileSync(join(entry.parentPath, entry.name)).includes(masterKey)).toBe(false)
}, 600_000)
