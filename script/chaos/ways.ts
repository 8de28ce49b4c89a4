/**
 * A service's network path to the database. If the machine permits, it leads through a network namespace, so that a cut drops
 * packets silently and delays are real; otherwise through a proxy, which breaks connections.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { cuttable } from "../../tests/support/cuttable.ts"
import { run } from "../../tests/support/processes.ts"

export interface Way {
  readonly host: string
  readonly port: number
  readonly cut: () => void
  readonly slow: () => void
  readonly mend: () => void
  readonly stop: () => void
}

const PORT = 5432

const did = (...command: ReadonlyArray<string>) => Bun.spawnSync([...command]).success
const must = (...command: ReadonlyArray<string>) => {
  const { success, stderr } = Bun.spawnSync([...command])
  if (!success) throw new Error(`${command.join(" ")}: ${stderr}`)
}

const names = new Set<string>()
process.on("exit", () => {
  for (const name of names) did("ip", "netns", "delete", name)
})

/** Namespaces, veth pairs and an HAProxy in one of them. */
export const hasNamespaces = () => {
  const name = `spr-try-${process.pid}`
  if (process.getuid?.() !== 0 || !did("ip", "netns", "add", name)) return false
  const has = did("ip", "link", "add", `sprt${process.pid}`, "type", "veth", "peer", "name", "eth0", "netns", name)
  did("ip", "netns", "delete", name)
  return has
}

/** Number of this process's ways, for the names of their namespaces. */
let made = 0
/** A network 10.213.N.0/30 that no other way of this machine has. */
const freeNetwork = (): string => {
  const network = `10.213.${Math.floor(Math.random() * 250)}`
  const { stdout } = Bun.spawnSync(["ip", "-oneline", "address", "show", "to", `${network}.0/30`])
  return stdout.length === 0 ? network : freeNetwork()
}

/** A server that listens on all addresses of this machine at `port` is reachable at the path's own address. */
const throughNamespace = (port: number): Way => {
  const network = freeNetwork()
  made += 1
  const name = `spr-${process.pid}-${made}`
  const outside = `spr${process.pid % 100_000}-${made}`
  const [here, there] = [`${network}.1`, `${network}.2`]
  must("ip", "netns", "add", name)
  names.add(name)
  must("ip", "link", "add", outside, "type", "veth", "peer", "name", "eth0", "netns", name)
  must("ip", "address", "add", `${here}/30`, "dev", outside)
  must("ip", "link", "set", outside, "up")
  const inside = (...command: ReadonlyArray<string>) => ["ip", "netns", "exec", name, ...command]
  must(...inside("ip", "address", "add", `${there}/30`, "dev", "eth0"))
  must(...inside("ip", "link", "set", "eth0", "up"))
  const folder = mkdtempSync(join(tmpdir(), "sprechstunde-way-"))
  const configuration = join(folder, "haproxy.cfg")
  writeFileSync(
    configuration,
    `defaults
  mode tcp
  timeout connect 5s
  timeout client 1h
  timeout server 1h
listen way
  bind ${there}:${PORT}
  server database ${here}:${port}
`
  )
  const proxy = run(inside("/usr/sbin/haproxy", "-db", "-f", configuration))
  // Kernels without netem have at least a token bucket filter
  const slowly = (...at: ReadonlyArray<string>) =>
    did(...at, "netem", "delay", "25ms", "10ms") ||
    did(...at, "tbf", "rate", "512kbit", "burst", "16kbit", "latency", "2s")
  const link = (state: "up" | "down") => must(...inside("ip", "link", "set", "eth0", state))
  return {
    host: there,
    port: PORT,
    cut: () => link("down"),
    slow: () => {
      slowly("tc", "qdisc", "replace", "dev", outside, "root")
      slowly(...inside("tc", "qdisc", "replace", "dev", "eth0", "root"))
    },
    mend: () => {
      link("up")
      did("tc", "qdisc", "delete", "dev", outside, "root")
      did(...inside("tc", "qdisc", "delete", "dev", "eth0", "root"))
    },
    stop: () => {
      process.kill(proxy.pid, "SIGKILL")
      did("ip", "netns", "delete", name)
      names.delete(name)
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

const throughProxy = async (port: number): Promise<Way> => {
  const way = await cuttable(port)
  return { ...way, host: "127.0.0.1", slow: () => way.slow(50) }
}

export const wayTo = async (port: number): Promise<Way> =>
  hasNamespaces() ? throughNamespace(port) : await throughProxy(port)
