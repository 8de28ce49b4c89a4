/** systemd accepts the units without a warning, and their commands start. */
import { afterAll, expect, test } from "bun:test"
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../support/processes.ts"
import { ensureTools } from "../support/tools.ts"

ensureTools("systemd-analyze")

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

test("a migration restarts no other unit, and is tried again like the others until the database answers", () => {
  for (const name of units) {
    const text = read(name)
    expect(text).not.toMatch(/^(Requires|BindsTo|PartOf|Requisite)=/m)
    expect(text).toContain("\nStartLimitIntervalSec=0\n")
    expect(text).toMatch(name.includes("@") ? /^Restart=always$/m : /^Restart=on-failure$/m)
    if (name.includes("@")) expect(text).toMatch(/^After=.* sprechstunde-migrate\.service$/m)
  }
})

test("docs/installing.md has systemd start Debian's PostgreSQL again after a crash", () => {
  const [, file = "", unit = ""] =
    /^cat > \/etc\/systemd\/system\/(postgresql@\.service\.d\/\S+) <<'UNIT'\n([\s\S]*?)^UNIT$/m.exec(
      readFileSync("docs/installing.md", "utf8")
    ) ?? []
  mkdirSync(join(folder.path, "postgresql@.service.d"))
  writeFileSync(join(folder.path, file), unit)
  // As Debian's postgresql-common has it, which says on restarts that it leaves them to the administrator
  writeFileSync(
    join(folder.path, "postgresql@15-main.service"),
    "[Unit]\nDescription=PostgreSQL\n[Service]\nType=forking\nExecStart=/bin/true\n"
  )
  const run = Bun.spawnSync(
    ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", join(folder.path, "postgresql@15-main.service")],
    { env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder.path}:` } }
  )
  const said = `${run.stdout}${run.stderr}`.split("\n").filter((line) => line.includes("restart.conf"))
  expect({ code: run.exitCode, said }).toEqual({ code: 0, said: [] })
  expect(unit).toMatch(/^Restart=on-failure$/m)
})

test("docs/installing.md leaves no secret in a file of its own or in arguments, and no page of Debian's on port 80", () => {
  const guide = readFileSync("docs/installing.md", "utf8")
  const commands = [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text).join("\n")
  expect(commands).not.toMatch(/tee |practice\.txt/)
  expect(commands).not.toMatch(/--header "X-[^"]*\$/)
  expect(commands).toMatch(/^rm --force \/etc\/nginx\/sites-enabled\/default\b/m)
})
