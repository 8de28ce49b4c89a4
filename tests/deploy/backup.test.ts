/** The backups of compose.yaml: its script with a real server, to the end of the log and to a moment. docs/installing-compose.md. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { chownSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { eventually } from "../support/eventually.ts"
import { freePort } from "../support/ports.ts"
import { type Running, run, temporaryFolder } from "../support/processes.ts"
import { ensureTools } from "../support/tools.ts"

const BINARIES = "/usr/lib/postgresql/15/bin"
ensureTools(`${BINARIES}/initdb`)
const folder = temporaryFolder()
const port = freePort()
const place = (name: string) => join(folder.path, name)
const environment = {
  PATH: `${BINARIES}:${process.env.PATH}`,
  PGHOST: folder.path,
  PGPORT: String(port),
  PGUSER: "sprechstunde",
  PGDATABASE: "postgres",
  BACKUPS: place("backups")
}
/** PostgreSQL does not run as root. */
const asUser = process.getuid?.() === 0 ? ["runuser", "-u", "postgres", "--"] : []
const start = (command: ReadonlyArray<string>, more: Readonly<Record<string, string>> = {}) =>
  run([...asUser, ...command], { env: { ...environment, ...more }, cwd: folder.path })
const done = async (...command: ReadonlyArray<string>) => {
  const ran = start(command)
  expect(await ran.ended, `${command.join(" ")}: ${ran.said()}`).toBe(0)
  return ran.said().trim()
}
const backup = join(process.cwd(), "deploy/postgres/backup")
const rows = (statement: string) => done("psql", "--tuples-only", "--no-align", "--command", statement)
const server = (action: string, data: string) =>
  done(
    "pg_ctl",
    action,
    "-w",
    "-D",
    data,
    "-l",
    place("log"),
    "-o",
    `-p ${port} -k ${folder.path} -c listen_addresses=`
  )

let wal: Running
beforeAll(async () => {
  const mine = process.getuid?.() === 0 ? Number(String(Bun.spawnSync(["id", "-u", "postgres"]).stdout)) : undefined
  mkdirSync(place("backups"))
  for (const path of [folder.path, place("backups")]) if (mine !== undefined) chownSync(path, mine, mine)
  await done("initdb", "-D", place("data"), "-U", "sprechstunde", "--auth=trust", "--no-sync")
  await server("start", place("data"))
  wal = start(["sh", backup, "wal"])
}, 60_000)
afterAll(async () => {
  await server("stop", place("restored"))
  folder.remove()
})

test("what was committed until the server was lost is restored; to a moment, what was there then", async () => {
  await rows("CREATE TABLE bookings (number integer)")
  const base = await done("sh", backup, "base")
  expect(base).toMatch(/^\d{8}T\d{6}Z$/)
  await rows("INSERT INTO bookings VALUES (1)")
  const moment = await rows("SELECT clock_timestamp()")
  await rows("INSERT INTO bookings VALUES (2)")
  // The log is received as it is made
  const written = await rows("SELECT pg_current_wal_flush_lsn()")
  await eventually(
    () => rows(`SELECT coalesce(min(flush_lsn) >= '${written}', false) FROM pg_stat_replication`),
    (is) => is === "t"
  )
  await done("pg_ctl", "stop", "-m", "immediate", "-D", place("data"))
  await wal.stop()
  expect(statSync(place("backups/wal")).mode & 0o077).toBe(0)
  const restored = { PGDATA: place("restored") }
  for (const [until, expected] of [
    [[moment], "1"],
    [[], "1\n2"]
  ] as const) {
    const made = start(["sh", backup, "restore", base, ...until], restored)
    expect(await made.ended, made.said()).toBe(0)
    const again = start(["sh", backup, "restore", base], restored)
    expect([await again.ended, again.said()]).toEqual([1, expect.stringContaining("is not empty: nothing was changed")])
    await server("start", restored.PGDATA)
    await eventually(
      () => rows("SELECT pg_is_in_recovery()"),
      (is) => is === "f"
    )
    expect(await rows("SELECT number FROM bookings ORDER BY 1")).toBe(expected)
    if (expected === "1") {
      await server("stop", restored.PGDATA)
      rmSync(restored.PGDATA, { recursive: true })
    }
  }
  const unknown = start(["sh", backup, "restore", "yesterday"], restored)
  expect([await unknown.ended, unknown.said()]).toEqual([1, expect.stringContaining("yesterday is no base backup")])
  const help = start(["sh", backup])
  expect([await help.ended, help.said()]).toEqual([1, expect.stringContaining("backup restore BASE [TIME]")])
}, 120_000)

test("compose.yaml runs this script, with the volume of backups and the server's socket", () => {
  const { services } = Bun.YAML.parse(readFileSync("compose.yaml", "utf8")) as {
    services: Record<
      string,
      { readonly entrypoint?: ReadonlyArray<string>; readonly image: string; readonly volumes: ReadonlyArray<string> }
    >
  }
  for (const name of ["wal", "base-backup", "restore"]) {
    const service = services[name]
    expect(service?.entrypoint?.slice(0, 2)).toEqual(["/bin/sh", "/usr/local/bin/backup"])
    expect(service?.image).toBe(services.postgres?.image ?? "")
  }
  expect(services.postgres?.volumes).toContain("backups:/backups")
})
