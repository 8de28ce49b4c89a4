/** systemd accepts the units without a warning, and their commands start. */
import { afterAll, expect, test } from "bun:test"
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../support/processes.ts"

const folder = temporaryFolder()
afterAll(folder.remove)
const units = readdirSync("deploy/systemd").filter((name) => name.endsWith(".service"))
const read = (name: string) => readFileSync(join("deploy/systemd", name), "utf8")

/** Paths of Bun and the documentation on this machine, so that all paths in the units exist. */
const here = (text: string) =>
  text
    .replaceAll("/usr/local/bin/bun", process.execPath)
    .replaceAll("file:///opt/sprechstunde/", `file://${process.cwd()}/`)

test("systemd-analyze reports no fault", () => {
  for (const name of units) writeFileSync(join(folder.path, name), here(read(name)))
  const instances = units.map((name) => {
    const instance = name.replace("@.", "@8080.")
    if (instance !== name) copyFileSync(join(folder.path, name), join(folder.path, instance))
    return join(folder.path, instance)
  })
  const run = Bun.spawnSync(["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", ...instances], {
    env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder.path}:` }
  })
  const warnings = `${run.stdout}${run.stderr}`.split("\n").filter((line) => line.includes("sprechstunde"))
  expect({ code: run.exitCode, said: warnings }).toEqual({ code: 0, said: [] })
})

test("every unit starts an existing file, allows the service's full shutdown time, and may write only its state directory", () => {
  for (const name of units) {
    const text = read(name)
    const [, script = ""] = /^ExecStart=\/usr\/local\/bin\/bun --no-install (\S+)/m.exec(text) ?? []
    expect(readFileSync(script, "utf8").length).toBeGreaterThan(0)
    for (const line of [
      "ProtectSystem=strict",
      "StateDirectory=sprechstunde",
      "NoNewPrivileges=yes",
      "User=sprechstunde"
    ])
      expect(text).toContain(`\n${line}\n`)
    if (name.includes("@")) expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(30)
  }
})
