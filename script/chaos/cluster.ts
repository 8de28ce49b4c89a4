/** PostgreSQL as in `deploy/patroni`, on this machine: three members of etcd, three of Patroni, and HAProxy in front of them. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { eventually } from "../../tests/support/eventually.ts"
import { freePort } from "../../tests/support/ports.ts"
import { type Running, run } from "../../tests/support/processes.ts"

const BINARIES = "/usr/lib/postgresql/15/bin"
const PASSWORD = "chaos"
const MEMBERS = [1, 2, 3] as const

/** Shorter than in production, so that a failover takes seconds and a run with hundreds of faults an hour. */
const shortened = (text: string) =>
  text
    .replace("ttl: 30", "ttl: 10")
    .replace("loop_wait: 5", "loop_wait: 1")
    .replace("retry_timeout: 10", "retry_timeout: 3")
    .replace("max_connections: 200", "max_connections: 120")

/** PostgreSQL and Patroni do not run as root. */
const asPostgres = process.getuid?.() === 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []

/** A program that is restarted whenever it exits. */
export interface Kept {
  readonly name: string
  readonly pid: () => number
  readonly said: () => string
  readonly stop: () => Promise<void>
}

const stopsAtExit = new Set<() => void>()
process.on("exit", () => {
  for (const stop of stopsAtExit) {
    try {
      stop()
    } catch {
      // has exited
    }
  }
})

export const keep = (
  name: string,
  command: ReadonlyArray<string>,
  options: Parameters<typeof run>[1] = {},
  pauseMs = 200
): Kept => {
  let stopping = false
  let running: Running
  stopsAtExit.add(() => {
    stopping = true
    process.kill(running.pid, "SIGKILL")
  })
  let earlier = ""
  const start = () => {
    running = run(command, options)
    // not `ended`: PostgreSQL outlives a killed Patroni, and keeps its output open
    void running.exited.then(async () => {
      earlier = `${earlier}${running.said()}`.slice(-200_000)
      await Bun.sleep(pauseMs)
      if (!stopping) start()
    })
  }
  start()
  return {
    name,
    pid: () => running.pid,
    said: () => earlier + running.said(),
    stop: async () => {
      stopping = true
      process.kill(running.pid, "SIGTERM")
      await running.exited
    }
  }
}

export interface DatabaseCluster {
  /** The port on which HAProxy routes to the primary. */
  readonly port: number
  readonly url: (port: number, host?: string) => string
  readonly members: ReadonlyArray<Kept>
  readonly etcd: ReadonlyArray<Kept>
  readonly proxy: Kept
  /** Index of the current primary. */
  readonly primary: () => Promise<number>
  /** The process of a member's PostgreSQL. */
  readonly postmaster: (index: number) => number
  /** Whether there is a primary, and all other members replicate from it. */
  readonly whole: () => Promise<boolean>
  /** Each member's state and its last log lines. */
  readonly states: () => Promise<string>
  /** Switches over to another member. */
  readonly switchover: () => Promise<void>
  readonly stop: () => Promise<void>
}

const startEtcd = (folder: string) => {
  const ports = MEMBERS.map(() => ({ client: freePort(), peer: freePort() }))
  const initial = ports.map(({ peer }, index) => `etcd${index}=http://127.0.0.1:${peer}`).join(",")
  const members = ports.map(({ client, peer }, index) =>
    keep(`etcd ${index + 1}`, [
      "etcd",
      `--name=etcd${index}`,
      `--data-dir=${join(folder, `etcd${index}`)}`,
      `--listen-client-urls=http://127.0.0.1:${client}`,
      `--advertise-client-urls=http://127.0.0.1:${client}`,
      `--listen-peer-urls=http://127.0.0.1:${peer}`,
      `--initial-advertise-peer-urls=http://127.0.0.1:${peer}`,
      `--initial-cluster=${initial}`,
      "--log-level=error"
    ])
  )
  return { members, hosts: ports.map(({ client }) => `127.0.0.1:${client}`).join(",") }
}

interface MemberState {
  readonly role: string
  readonly state: string
  readonly replication_state?: string
}

/** `isShortened`: with short timeouts for a run with many faults; otherwise as shipped. */
export const startDatabaseCluster = async (folder: string, isShortened = true): Promise<DatabaseCluster> => {
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const etcd = startEtcd(folder)
  const configuration = join(folder, "patroni.yml")
  const shipped = readFileSync("deploy/patroni/patroni.yml", "utf8")
  writeFileSync(configuration, isShortened ? shortened(shipped) : shipped)

  const nodes = MEMBERS.map((number) => ({ number, postgres: freePort(), api: freePort() }))
  const data = (index: number) => join(folder, `postgres${index + 1}`, "data")
  const members = nodes.map(({ number, postgres, api }, index) => {
    const own = join(folder, `postgres${number}`)
    mkdirSync(own, { mode: 0o700 })
    if (asPostgres.length > 0) Bun.spawnSync(["chown", "postgres:postgres", own])
    return keep(`patroni ${number}`, [...asPostgres, "patroni", configuration], {
      cwd: own,
      env: {
        PATRONI_NAME: `node${number}`,
        PATRONI_ETCD3_HOSTS: etcd.hosts,
        PATRONI_RESTAPI_LISTEN: `127.0.0.1:${api}`,
        PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${api}`,
        PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${postgres}`,
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${postgres}`,
        PATRONI_POSTGRESQL_DATA_DIR: data(index),
        PATRONI_POSTGRESQL_BIN_DIR: BINARIES,
        PATRONI_POSTGRESQL_PGPASS: join(own, "pgpass"),
        PATRONI_SUPERUSER_PASSWORD: PASSWORD,
        PATRONI_REPLICATION_PASSWORD: PASSWORD,
        PATRONI_LOG_LEVEL: "WARNING",
        PGHOST: "",
        HOME: own
      }
    })
  })

  const port = freePort()
  const addresses = nodes.flatMap(({ number, postgres, api }) => [
    [`NODE${number}`, `127.0.0.1:${postgres}`],
    [`NODE${number}_API`, String(api)]
  ])
  const proxy = keep("haproxy", ["/usr/sbin/haproxy", "-db", "-f", "deploy/patroni/haproxy.cfg"], {
    env: { BIND: `*:${port}`, ...Object.fromEntries(addresses) }
  })

  const stateOf = async (api: number): Promise<MemberState | undefined> => {
    try {
      const answer = await fetch(`http://127.0.0.1:${api}/patroni`, { signal: AbortSignal.timeout(2_000) })
      return await answer.json()
    } catch {
      return undefined
    }
  }
  const states = () => Promise.all(nodes.map(({ api }) => stateOf(api)))
  const isPrimary = (one: MemberState | undefined) =>
    one !== undefined && one.state === "running" && (one.role === "master" || one.role === "primary")
  const follows = (one: MemberState | undefined) =>
    one !== undefined &&
    one.role === "replica" &&
    one.state === "running" &&
    one.replication_state !== "in archive recovery"
  const whole = async () => {
    const all = await states()
    return all.filter(isPrimary).length === 1 && all.filter(follows).length === MEMBERS.length - 1
  }
  const clusterState = async () =>
    JSON.stringify(
      (await states()).map((one) =>
        one === undefined ? "no answer" : `${one.role} ${one.state} ${one.replication_state ?? ""}`
      )
    )
  const primary = () =>
    eventually(
      async () => (await states()).findIndex(isPrimary),
      (index) => index >= 0,
      120
    )
  const postmaster = (index: number) => Number(readFileSync(join(data(index), "postmaster.pid"), "utf8").split("\n")[0])
  const switchover = async () => {
    const index = await primary()
    await fetch(`http://127.0.0.1:${nodes[index]?.api}/switchover`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ leader: `node${index + 1}` })
    })
  }
  const everything = [proxy, ...members, ...etcd.members]
  await eventually(whole, (is) => is, 180).catch((cause) => {
    throw new Error(`${cause}\n${everything.map(({ name, said }) => `${name}: ${said().slice(-2_000)}`).join("\n")}`)
  })
  return {
    port,
    url: (through, host = "127.0.0.1") => `postgres://postgres:${PASSWORD}@${host}:${through}/postgres`,
    members,
    etcd: etcd.members,
    proxy,
    primary,
    postmaster,
    whole,
    states: async () =>
      `${await clusterState()}\n${members.map(({ name, said }) => `${name}: ${said().slice(-1_500)}`).join("\n")}`,
    switchover,
    stop: async () => {
      await proxy.stop()
      await Promise.all(members.map((member) => member.stop()))
      await Promise.all(etcd.members.map((member) => member.stop()))
    }
  }
}
