/**
 * `systemctl` for script/production, whose machine has no init: starts what a unit's file says, as its user, with its environment files
 * read as systemd reads them. Sandboxing options are not applied.
 */
import { openSync, readFileSync } from "node:fs"

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
  if (one("Type") !== "oneshot") return child.unref()
  return child.exited.then((status) => {
    if (status !== 0) fail(`${name} ended with ${status}:\n${readFileSync(`/var/log/units/${name}.log`, "utf8")}`)
  })
}

const start = (name: string) => {
  if (name === "postgresql") return run("pg_ctlcluster", "15", "main", "start")
  if (name === "nginx") return run("nginx")
  return startUnit(name)
}

const [command, ...args] = process.argv.slice(2)
const names = args.filter((argument) => !argument.startsWith("--"))
if (command === "daemon-reload") process.exit(0)
else if (command === "start" || (command === "enable" && args.includes("--now")))
  for (const name of names) await start(name)
else if (command === "reload" && names.join() === "nginx") run("nginx", "-s", "reload")
else fail(`${command} is not known here`)
process.exit(0)
