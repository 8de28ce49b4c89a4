import { afterAll, expect, test } from "bun:test"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "pg"
import { ROOT } from "../../src/paths.ts"
import { isLong } from "../support/scale.ts"

const folder = mkdtempSync(join(tmpdir(), "sprechstunde-embedded-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const binaries = process.env.TEST_POSTGRES_BINARIES

/** One file starts faster than its many modules. */
const built = await Bun.build({
  entrypoints: [join(import.meta.dir, "databaseOwner.ts")],
  target: "bun",
  outdir: join(ROOT, "dist/tests")
})
const owner = built.outputs[0]?.path ?? ""

const openIn = (name: string, env: Record<string, string> = {}) => {
  const child = Bun.spawn([process.execPath, "--no-install", owner], {
    env: { ...process.env, FOLDER: join(folder, name), ...(binaries ? { BINARIES: binaries } : {}), ...env },
    stdout: "pipe",
    stderr: "pipe"
  })
  const address = async () => {
    let said = ""
    for await (const chunk of child.stdout) {
      said += new TextDecoder().decode(chunk)
      const [, url] = /^open (.*)\n/m.exec(said) ?? []
      if (url !== undefined) return url
    }
    throw new Error(`It never opened: ${said} ${await new Response(child.stderr).text()}`)
  }
  return { child, address }
}

const query = async (url: string, text: string) => {
  const client = new Client({ connectionString: url })
  client.on("error", () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const untilAnswered = async <A>(body: () => Promise<A>): Promise<A> => {
  for (;;) {
    try {
      return await body()
    } catch {
      await Bun.sleep(50)
    }
  }
}

const postmasterOf = (name: string) =>
  Number(readFileSync(join(folder, name, "data", "postmaster.pid"), "utf8").split("\n")[0])

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

// An ended process keeps its pid until its new parent has reaped it
const untilGone = async (pid: number) => {
  while (isAlive(pid)) await Bun.sleep(50)
}

const end = async ({ child }: ReturnType<typeof openIn>) => {
  child.kill("SIGTERM")
  await child.exited
}

test("the database stops with its owner, and keeps its data", async () => {
  const first = openIn("stops")
  await query(await first.address(), "create table kept as select 1 as one")
  const postmaster = postmasterOf("stops")
  await end(first)
  await untilGone(postmaster)
  const second = openIn("stops")
  expect(await query(await second.address(), "select one from kept")).toEqual([{ one: 1 }])
  await end(second)
})

if (isLong)
  test("a killed owner leaves a database that the next one takes over", async () => {
    const first = openIn("killed")
    await query(await first.address(), "create table kept as select 1 as one")
    const postmaster = postmasterOf("killed")
    first.child.kill("SIGKILL")
    await first.child.exited
    expect(isAlive(postmaster)).toBe(true)
    const second = openIn("killed")
    expect(await query(await second.address(), "select one from kept")).toEqual([{ one: 1 }])
    expect(postmasterOf("killed")).toBe(postmaster)
    await end(second)
    await untilGone(postmaster)
  })

if (isLong)
  test("after owner and database were killed, the stale pid file and socket do not prevent a start", async () => {
    const first = openIn("both")
    await query(await first.address(), "create table kept as select 1 as one")
    first.child.kill("SIGKILL")
    process.kill(postmasterOf("both"), "SIGKILL")
    await first.child.exited
    const second = openIn("both")
    expect(await query(await second.address(), "select one from kept")).toEqual([{ one: 1 }])
    await end(second)
  })

if (isLong)
  test("a database that is killed under its owner restarts at the same address", async () => {
    const owner = openIn("revived")
    const url = await owner.address()
    const killed = postmasterOf("revived")
    process.kill(killed, "SIGKILL")
    await untilAnswered(() => query(url, "select 1"))
    const restartedPid = postmasterOf("revived")
    expect(restartedPid).not.toBe(killed)
    await end(owner)
    await untilGone(restartedPid)
  })

if (isLong)
  test("a second owner is refused with a message that names the first", async () => {
    const first = openIn("twice")
    const url = await first.address()
    const second = openIn("twice")
    expect(await second.child.exited).not.toBe(0)
    const said = (await new Response(second.child.stdout).text()) + (await new Response(second.child.stderr).text())
    expect(said).toContain(`is in use by sprechstunde process ${first.child.pid}`)
    expect(said).toContain("DATA_DIR")
    expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }])
    await end(first)
  })

if (isLong)
  test("a short command shares a running database, and stops one that it had to start itself", async () => {
    const owner = openIn("shared")
    const url = await owner.address()
    const guest = openIn("shared", { SHARED: "yes" })
    expect(await guest.address()).toBe(url)
    await guest.child.exited
    expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }])
    const postmaster = postmasterOf("shared")
    await end(owner)
    await untilGone(postmaster)
    const alone = openIn("shared", { SHARED: "yes" })
    await alone.address()
    const started = postmasterOf("shared")
    await alone.child.exited
    await untilGone(started)
  })

test("a short command does not make a database where there is none", async () => {
  const guest = openIn("nowhere", { SHARED: "yes" })
  expect(await guest.child.exited).not.toBe(0)
  expect(existsSync(join(folder, "nowhere"))).toBe(false)
})

if (isLong)
  test("a path that is too long for a socket works", async () => {
    const owner = openIn(join("long", "a".repeat(80), "b".repeat(80)))
    expect(await query(await owner.address(), "select 1 as one")).toEqual([{ one: 1 }])
    await end(owner)
  })
