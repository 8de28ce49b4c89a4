/**
 * `systemctl` for script/production, whose machine has no init: starts what a unit's file says, as its user, with its environment files
 * read as systemd reads them, stops it, and starts it again, with the units that it requires or wants. `boot` starts what is enabled.
 * Sandboxing options are not applied.
 */
import { appendFileSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs"

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
const stateFileOf = (name: string) => `/run/${name}.state`
const ENABLED = "/run/enabled-units"
/** Whether the process runs. The machine's first process does not collect those that have ended. */
const runs = (pid: number) =>
  existsSync(`/proc/${pid}/status`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))

const unitOf = (name: string) => {
  const [template = "", instance = ""] = name.replace(/\.service$/, "").split("@")
  const file = name.includes("@") ? `${template}@.service` : `${template}.service`
  const text = readFileSync(`/etc/systemd/system/${file}`, "utf8").replaceAll("%i", instance)
  const all = (key: string) => [...text.matchAll(new RegExp(`^${key}=(.*)$`, "gm"))].map(([, value = ""]) => value)
  const one = (key: string, otherwise?: string) => all(key)[0] ?? otherwise ?? fail(`${file} has no ${key}`)
  const units = (key: string) =>
    all(key)
      .flatMap((line) => line.split(" "))
      .filter((unit) => existsSync(`/etc/systemd/system/${unit}`))
      .map((unit) => unit.replace(".service", ""))
  return { all, one, units }
}

/** Starts the process as its user, with its environment. */
const spawnMain = (name: string, { all, one }: ReturnType<typeof unitOf>) => {
  const environment = new Map([
    ["PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
    ...all("Environment").flatMap((line) => settingsIn(line.split(" ").join("\n"))),
    ...all("EnvironmentFile").flatMap((path) => settingsIn(readFileSync(path, "utf8")))
  ])
  const log = openSync(`/var/log/units/${name}.log`, "a")
  return Bun.spawn(
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
}

/** Systemd's defaults: five starts within ten seconds are the last ones. */
const START_LIMIT = { burst: 5, seconds: 10 }

/** What systemd does while a unit runs: a process of its own, which starts the unit's again as its Restart= says. */
const supervise = async (name: string) => {
  const unit = unitOf(name)
  const restarts = unit.one("Restart", "no")
  const isLimited = unit.one("StartLimitIntervalSec", String(START_LIMIT.seconds)) !== "0"
  const setState = (state: string) => writeFileSync(stateFileOf(name), state)
  let main: Bun.Subprocess | undefined
  let isStopped = false
  process.on("SIGTERM", () => {
    isStopped = true
    if (main?.exitCode === null) main.kill("SIGTERM")
    else process.exit(0)
  })
  let starts: ReadonlyArray<number> = []
  for (;;) {
    starts = [...starts.filter((at) => performance.now() - at < START_LIMIT.seconds * 1000), performance.now()]
    if (isLimited && starts.length > START_LIMIT.burst) return setState("failed")
    main = spawnMain(name, unit)
    writeFileSync(`/run/${name}.main`, String(main.pid))
    if (unit.one("Type") !== "oneshot") setState("active")
    const status = await main.exited
    if (isStopped) return
    if (unit.one("Type") === "oneshot" && status === 0) return setState("active")
    setState("failed")
    if (restarts === "no" || (restarts === "on-failure" && status === 0)) return
    await Bun.sleep(Number(unit.one("RestartSec", "0.1")) * 1000)
  }
}

const stateOf = (name: string) => (existsSync(stateFileOf(name)) ? readFileSync(stateFileOf(name), "utf8") : "inactive")
const supervisorOf = (name: string) => (existsSync(pidFileOf(name)) ? Number(readFileSync(pidFileOf(name), "utf8")) : 0)

/** Whether it has started; its Requires= must have, its Wants= need not. */
const startUnit = async (name: string): Promise<boolean> => {
  if (stateOf(name) === "active") return true
  const { units } = unitOf(name)
  for (const wanted of units("Wants")) await startUnit(wanted)
  for (const required of units("Requires"))
    if (!(await startUnit(required))) {
      console.error(`systemctl: dependency failed for ${name}`)
      return false
    }
  const isTried = supervisorOf(name) !== 0 && runs(supervisorOf(name))
  if (!isTried) {
    writeFileSync(stateFileOf(name), "activating")
    const supervisor = Bun.spawn(["setsid", process.execPath, "--no-install", import.meta.path, "supervise", name], {
      stdio: ["ignore", "ignore", "inherit"]
    })
    supervisor.unref()
    writeFileSync(pidFileOf(name), String(supervisor.pid))
  }
  while (stateOf(name) === "activating") await Bun.sleep(50)
  if (stateOf(name) === "active") return true
  console.error(`systemctl: ${name} failed:\n${readFileSync(`/var/log/units/${name}.log`, "utf8").slice(-2_000)}`)
  return false
}

const stopUnit = async (name: string) => {
  const supervisor = supervisorOf(name)
  if (supervisor !== 0 && runs(supervisor)) process.kill(supervisor, "SIGTERM")
  while (supervisor !== 0 && runs(supervisor)) await Bun.sleep(50)
  for (const file of [pidFileOf(name), stateFileOf(name)]) rmSync(file, { force: true })
}

const enabledUnits = () => (existsSync(ENABLED) ? readFileSync(ENABLED, "utf8").split("\n").filter(Boolean) : [])

/** Running units that Requires= ties to this one: they stop, and start again, with it. */
const tiedTo = (name: string) =>
  enabledUnits().filter(
    (unit) => unit !== name && stateOf(unit) === "active" && unitOf(unit).units("Requires").includes(name)
  )

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
  const tied = action === "start" ? [] : tiedTo(name)
  if (action !== "start") for (const unit of [...tied, name]) await stopUnit(unit)
  if (action === "stop") return
  for (const unit of [name, ...tied]) if (!(await startUnit(unit))) process.exitCode = 1
}

const [command = "", ...args] = process.argv.slice(2)
const names = args.filter((argument) => !argument.startsWith("--"))
const action = command === "enable" && args.includes("--now") ? "start" : command
if (command === "enable")
  appendFileSync(
    ENABLED,
    names
      .filter((name) => PACKAGED[name] === undefined)
      .map((name) => `${name}\n`)
      .join("")
  )
if (command === "supervise") await supervise(names[0] ?? "")
else if (command === "boot") await Promise.all(enabledUnits().map((name) => startUnit(name)))
else if (["start", "stop", "restart", "reload"].includes(action)) for (const name of names) await perform(action, name)
else if (!["daemon-reload", "enable"].includes(action)) fail(`${command} is not known here`)
process.exit()
