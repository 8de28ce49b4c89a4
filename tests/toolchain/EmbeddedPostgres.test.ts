import { afterAll, expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { ROOT } from "../../src/paths.ts"
import { eventually } from "../support/eventually.ts"
import { rowsAt } from "../support/postgres.ts"
import { run, temporaryFolder } from "../support/processes.ts"
import { isLong } from "../support/scale.ts"

const folder = temporaryFolder()
afterAll(folder.remove)

const binaries = process.env.TEST_POSTGRES_BINARIES

/** One file starts faster than its many modules. */
const built = await Bun.build({
  entrypoints: [join(import.meta.dir, "databaseOwner.ts")],
  target: "bun",
  outdir: join(ROOT, "dist/tests")
})
const owner = built.outputs[0]?.path ?? ""

const start = (name: string, env: Readonly<Record<string, string>> = {}) =>
  run([process.execPath, "--no-install", owner], {
    env: { FOLDER: join(folder.path, name), ...(binaries ? { BINARIES: binaries } : {}), ...env }
  })
/** Starts an owner, and waits until its database is open. */
const openIn = async (name: string, env?: Readonly<Record<string, string>>) => {
  const running = start(name, env)
  let hasEnded = false
  void running.ended.then(() => {
    hasEnded = true
  })
  const opened = () => /^open (.*)\n/m.exec(running.said())?.[1]
  await eventually(
    async () => hasEnded || opened() !== undefined,
    (is) => is
  )
  const url = opened()
  if (url === undefined) throw new Error(`It never opened: ${running.said()}`)
  return { ...running, url }
}

const keep = (url: string) => rowsAt(url, "create table kept as select 1 as one")
const expectKept = async (url: string) => expect(await rowsAt(url, "select one from kept")).toEqual([{ one: 1 }])

const postmasterOf = (name: string) =>
  Number(readFileSync(join(folder.path, name, "data", "postmaster.pid"), "utf8").split("\n")[0])

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

// An ended process keeps its pid until its new parent has reaped it
const untilGone = (pid: number) =>
  eventually(
    async () => isAlive(pid),
    (is) => !is
  )

test("the database stops with its owner, and keeps its data", async () => {
  const first = await openIn("stops")
  await keep(first.url)
  const postmaster = postmasterOf("stops")
  await first.stop()
  await untilGone(postmaster)
  const second = await openIn("stops")
  await expectKept(second.url)
  await second.stop()
})

test("a short command does not make a database where there is none", async () => {
  expect(await start("nowhere", { SHARED: "yes" }).ended).not.toBe(0)
  expect(existsSync(join(folder.path, "nowhere"))).toBe(false)
})

if (isLong) {
  test("a killed owner leaves a database that the next one takes over", async () => {
    const first = await openIn("killed")
    await keep(first.url)
    const postmaster = postmasterOf("killed")
    process.kill(first.pid, "SIGKILL")
    await first.exited
    expect(isAlive(postmaster)).toBe(true)
    const second = await openIn("killed")
    await expectKept(second.url)
    expect(postmasterOf("killed")).toBe(postmaster)
    await second.stop()
    await untilGone(postmaster)
  })

  test("after owner and database were killed, the stale pid file and socket do not prevent a start", async () => {
    const first = await openIn("both")
    await keep(first.url)
    process.kill(first.pid, "SIGKILL")
    process.kill(postmasterOf("both"), "SIGKILL")
    await first.exited
    const second = await openIn("both")
    await expectKept(second.url)
    await second.stop()
  })

  test("a database that is killed under its owner restarts at the same address", async () => {
    const { url, stop } = await openIn("revived")
    const killed = postmasterOf("revived")
    process.kill(killed, "SIGKILL")
    const answers = () =>
      rowsAt(url, "select 1").then(
        () => true,
        () => false
      )
    await eventually(answers, (is) => is)
    const restarted = postmasterOf("revived")
    expect(restarted).not.toBe(killed)
    await stop()
    await untilGone(restarted)
  })

  test("a second owner is refused with a message that names the first", async () => {
    const first = await openIn("twice")
    const second = start("twice")
    expect(await second.ended).not.toBe(0)
    expect(second.said()).toContain(`is in use by sprechstunde process ${first.pid}`)
    expect(second.said()).toContain("DATA_DIR")
    await rowsAt(first.url, "select 1")
    await first.stop()
  })

  test("a short command shares a running database, and stops one that it had to start itself", async () => {
    const first = await openIn("shared")
    const guest = await openIn("shared", { SHARED: "yes" })
    expect(guest.url).toBe(first.url)
    await guest.ended
    await rowsAt(first.url, "select 1")
    const postmaster = postmasterOf("shared")
    await first.stop()
    await untilGone(postmaster)
    const alone = start("shared", { SHARED: "yes" })
    expect(await alone.ended).toBe(0)
    expect(alone.said()).toStartWith("open ")
    await eventually(
      async () => existsSync(join(folder.path, "shared/data/postmaster.pid")),
      (is) => !is
    )
  })

  test("a path that is too long for a socket works", async () => {
    const { url, stop } = await openIn(join("long", "a".repeat(80), "b".repeat(80)))
    await rowsAt(url, "select 1")
    await stop()
  })
}
