/**
 * `systemctl` for script/production, whose machine has no init: starts what a unit's file says, as its user, with its environment files
 * read as systemd reads them, and stops it. Sandboxing options are not applied.
 */
import { existsSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs"

const fail = (message: string): never => {
  console.error(`systemctl: ${message}`)
  process.exit(1)
}

const run = (...command: ReadonlyArray<string>) => {
  const { exitCode } = Bun.spawnSync([...command], { stdio: ["ignore", "inherit", "inherit"] })
  if (exitCode !== 0) fail(`${command.join(" ")} ended with ${exitCode}`)
}

const settingsIn = (text: string) =>
  text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)] as const)

const pidFileOf = (name: string) => `/run/${name}.pid`
/** Whether the process runs. The machine's first process does not collect those that have ended. */
const runs = (pid: number) =>
  existsSync(`/proc/${pid}/status`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))

const startUnit = (name: string) => {
  const [template = "", instance = ""] = name.split("@")
  const file = name.includes("@") ? `${template}@.service` : `${name}.service`
  const text = readFileSync(`/etc/systemd/system/${file}`, "utf8").replaceAll("%i", instance)
  const all = (key: string) => [...text.matchAll(new RegExp(`^${key}=(.*)$`, "gm"))].map(([, value = ""]) => value)
  const one = (key: string) => all(key)[0] ?? fail(`${file} has no ${key}`)
  const environment = new Map([
    ["PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
    ...all("Environment").flatMap((line) => settingsIn(line.split(" ").join("\n"))),
    ...all("EnvironmentFile").flatMap((path) => settingsIn(readFileSync(path, "utf8")))
  ])
  const log = openSync(`/var/log/units/${name}.log`, "a")
  const child = Bun.spawn(
    [
      "setsid",
      "setpriv",
      `--reuid=${one("User")}`,
      `--regid=${one("Group")}`,
      "--clear-groups",
      ...one("ExecStart").split(" ")
    ],
    {
      cwd: one("WorkingDirectory"),
      env: Object.fromEntries(environment),
      stdio: ["ignore", log, log]
    }
  )
  if (one("Type") !== "oneshot") {
    writeFileSync(pidFileOf(name), String(child.pid))
    return child.unref()
  }
  return child.exited.then((status) => {
    if (status !== 0) fail(`${name} ended with ${status}:\n${readFileSync(`/var/log/units/${name}.log`, "utf8")}`)
  })
}

const stopUnit = async (name: string) => {
  const file = pidFileOf(name)
  if (!existsSync(file)) return fail(`${name} does not run`)
  const pid = Number(readFileSync(file, "utf8"))
  process.kill(pid, "SIGTERM")
  while (runs(pid)) await Bun.sleep(50)
  rmSync(file)
}

/** What Debian's own units do. */
const PACKAGED: Readonly<Record<string, Partial<Record<string, ReadonlyArray<string>>>>> = {
  postgresql: {
    start: ["pg_ctlcluster", "15", "main", "start"],
    stop: ["pg_ctlcluster", "15", "main", "stop", "--mode", "fast"],
    restart: ["pg_ctlcluster", "15", "main", "restart", "--mode", "fast"]
  },
  nginx: { start: ["nginx"], reload: ["nginx", "-s", "reload"] },
  pgbouncer: {
    restart: [
      "sh",
      "-c",
      "setsid runuser -u postgres -- pgbouncer /etc/pgbouncer/pgbouncer.ini >> /var/log/units/pgbouncer.log 2>&1 &"
    ]
  }
}

const perform = async (action: string, name: string) => {
  const packaged = PACKAGED[name]
  if (packaged !== undefined) return run(...(packaged[action] ?? fail(`${action} ${name} is not known here`)))
  if (action !== "start") await stopUnit(name)
  if (action !== "stop") await startUnit(name)
}

const [command = "", ...args] = process.argv.slice(2)
const names = args.filter((argument) => !argument.startsWith("--"))
const action = command === "enable" && args.includes("--now") ? "start" : command
if (["start", "stop", "restart", "reload"].includes(action)) for (const name of names) await perform(action, name)
else if (!["daemon-reload", "enable"].includes(action)) fail(`${command} is not known here`)
process.exit(0)
