/** Secrets are in no process's arguments, which every user of the machine can read. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createConnection } from "node:net"
import { join } from "node:path"
import { eventually } from "../support/eventually.ts"
import { freePort } from "../support/ports.ts"
import { run, temporaryFolder } from "../support/processes.ts"
import { ensureTools } from "../support/tools.ts"

ensureTools("turnserver")

const folder = temporaryFolder()
afterAll(folder.remove)

const argumentsOfAll = () =>
  [...new Bun.Glob("*/cmdline").scanSync({ cwd: "/proc" })].flatMap((path) => {
    try {
      return [readFileSync(join("/proc", path), "utf8").replaceAll("\0", " ")]
    } catch {
      return [] // it has ended meanwhile
    }
  })

describe("the command line of deploy/systemd", () => {
  const settings = join(folder.path, "settings")
  const program = join(folder.path, "sprechstunde")
  const SECRETS = {
    MASTER_KEY: "master-key-of-the-test",
    S3_SECRET_ACCESS_KEY: "s3-secret of the test $(id) `id` \"quoted\" 'too'",
    DATABASE_URL: "postgresql://sprechstunde_app:password-of-the-test@127.0.0.1/sprechstunde"
  }
  /** Stands for Bun: prints every process's arguments, then its own environment and arguments. */
  const bun = `#!/bin/sh
for PLACE in /proc/[0-9]*; do { tr '\\0' ' ' < $PLACE/cmdline && echo; } 2> /dev/null; done
echo ENVIRONMENT
env
echo "ARGUMENTS $*"
`

  beforeAll(() => {
    chmodSync(folder.path, 0o755)
    mkdirSync(settings)
    const { DATABASE_URL, ...common } = SECRETS
    const lines = (of: object) => Object.entries(of).map(([name, value]) => `${name}=${value}\n`)
    writeFileSync(join(settings, "environment"), ["# common\n", "\n", ...lines(common)].join(""))
    writeFileSync(join(settings, "app"), lines({ DATABASE_URL }).join(""))
    writeFileSync(join(settings, "http"), "DATABASE_URL=postgresql://sprechstunde_http:its-password@127.0.0.1/x\n")
    writeFileSync(join(folder.path, "bun"), bun, { mode: 0o755 })
    const isRoot = process.getuid?.() === 0
    const text = readFileSync("deploy/systemd/sprechstunde", "utf8")
      .replace("FOLDER=/etc/sprechstunde", `FOLDER=${settings}`)
      .replaceAll("/usr/local/bin/bun", join(folder.path, "bun"))
      .replaceAll("cd /opt/sprechstunde", `cd ${folder.path}`)
      .replace("RUN_AS=sprechstunde", "RUN_AS=nobody")
      .replace('runuser -u "$RUN_AS" -- ', isRoot ? "$&" : "")
    writeFileSync(program, text, { mode: 0o755 })
  })

  test("hands settings and a password on in the environment, as they are in the files", async () => {
    const ran = run([program, "app", "database-login", "sprechstunde_http", "--http", "--password-of", "http"])
    expect(await ran.ended, ran.said()).toBe(0)
    const [listed = "", environment = ""] = ran.said().split("ENVIRONMENT\n")
    expect(listed).toContain("database-login sprechstunde_http --http")
    for (const secret of ["master-key-of-the-test", "s3-secret", "password-of-the-test", "its-password"])
      expect([secret, listed.split("\n").filter((line) => line.includes(secret))]).toEqual([secret, []])
    for (const [name, value] of Object.entries(SECRETS)) expect(environment).toContain(`${name}=${value}\n`)
    expect(environment).toContain("DATABASE_LOGIN_PASSWORD=its-password\n")
    expect(environment).toMatch(/^ARGUMENTS .*cli\.js database-login sprechstunde_http --http$/m)
  })

  test("explains itself without a login, and refuses one that has no file", async () => {
    for (const asked of [["--help"], ["-h"]]) {
      const ran = run([program, ...asked])
      expect([await ran.ended, ran.said()]).toEqual([0, expect.stringContaining("sprechstunde LOGIN COMMAND")])
      expect(ran.said()).toMatch(/^ARGUMENTS .*cli\.js --help$/m)
      expect(ran.said()).not.toContain("No such file")
    }
    const unknown = run([program, "nobody", "migrate"])
    expect([await unknown.ended, unknown.said()]).toEqual([
      1,
      expect.stringContaining(`no login nobody: ${settings} has app, http`)
    ])
    const none = run([program])
    expect([await none.ended, none.said()]).toEqual([1, expect.stringContaining("sprechstunde LOGIN COMMAND")])
  })
})

test("the video relay of compose.yaml gets its secret from the environment", async () => {
  const { services } = Bun.YAML.parse(readFileSync("compose.yaml", "utf8")) as {
    services: {
      readonly turn: {
        readonly entrypoint?: ReadonlyArray<string>
        readonly command: ReadonlyArray<string>
        readonly environment?: Readonly<Record<string, string>>
      }
    }
  }
  const { entrypoint = ["turnserver"], command, environment = {} } = services.turn
  expect(JSON.stringify(command)).not.toContain("SECRET")
  expect(environment.TURN_SECRET).toMatch(/^\$\{TURN_SECRET:\?/)
  const port = freePort()
  const here = command
    .filter((option) => !option.startsWith("--external-ip"))
    .map((option) => option.replace(/(?<=--(listening|relay)-ip=).*/, "127.0.0.1"))
  const secret = "relay-secret-of-the-test"
  const relay = run(
    [
      ...entrypoint.map((part) => part.replaceAll("$$", "$")),
      ...here,
      `--listening-port=${port}`,
      "--no-tls",
      "--no-dtls",
      `--pidfile=${folder.path}/pid`,
      "--log-file=stdout",
      `--userdb=${folder.path}/turndb`
    ],
    { env: { TURN_SECRET: secret, TMPDIR: folder.path } }
  )
  const accepts = () =>
    new Promise<boolean>((resolve) => {
      const socket = createConnection(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false))
      socket.on("connect", () => socket.destroy())
    })
  await eventually(accepts, (is) => is, 20)
  expect(argumentsOfAll().filter((line) => line.includes(secret))).toEqual([])
  expect(readFileSync(join(folder.path, "secret.conf"), "utf8")).toBe(`static-auth-secret=${secret}\n`)
  await relay.stop("SIGKILL")
})
