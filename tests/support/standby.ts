/** A primary and its standby, two PostgreSQL servers from Debian's packages, each on its own port, and their switchover. */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { eventually } from "./eventually.ts"
import { freePort } from "./ports.ts"

const BINARIES = "/usr/lib/postgresql/15/bin"
/** PostgreSQL does not run as root. */
const asPostgres = process.getuid?.() === 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []

const command = (program: string, ...args: ReadonlyArray<string>) => {
  const { exitCode, stderr, stdout } = Bun.spawnSync([...asPostgres, join(BINARIES, program), ...args], { cwd: "/" })
  if (exitCode !== 0) throw new Error(`${program} ${args.join(" ")}: ${stdout}${stderr}`)
}

export const startPrimaryAndStandby = async () => {
  const folder = mkdtempSync(join(tmpdir(), "sprechstunde-standby-"))
  if (asPostgres.length > 0) Bun.spawnSync(["chown", "postgres:postgres", folder])
  const nodes = [0, 1].map((number) => ({ data: join(folder, String(number)), port: freePort() }))
  const [first, second] = nodes as [(typeof nodes)[number], (typeof nodes)[number]] // two, as above
  const control = (action: string, { data }: { readonly data: string }, ...args: ReadonlyArray<string>) =>
    command("pg_ctl", action, "-D", data, "-w", "-s", "-l", join(folder, "log"), ...args)
  const settle = (node: typeof first, primary: typeof first) => {
    appendFileSync(
      join(node.data, "postgresql.conf"),
      `\nport = ${node.port}\nprimary_conninfo = 'host=127.0.0.1 port=${primary.port} user=postgres'\n`
    )
    writeFileSync(join(node.data, "standby.signal"), "")
  }
  command("initdb", "-D", first.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N")
  appendFileSync(
    join(first.data, "postgresql.conf"),
    `port = ${first.port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\nfsync = off\n`
  )
  control("start", first)
  command("pg_basebackup", "-D", second.data, ...`-h 127.0.0.1 -p ${first.port} -U postgres -c fast`.split(" "))
  settle(second, first)
  control("start", second)
  let [primary, standby] = [first, second]
  let stopped: typeof first | undefined
  return {
    /** Connection URL with both, the standby first. */
    url: `postgresql://postgres@127.0.0.1:${second.port},127.0.0.1:${first.port}/postgres?target_session_attrs=read-write`,
    urlOf: (role: "primary" | "standby") =>
      `postgresql://postgres@127.0.0.1:${(role === "primary" ? primary : standby).port}/postgres`,
    /** Promotes the standby, and makes the primary its standby. */
    switchOver: async () => {
      control("stop", primary, "-m", "fast")
      control("promote", standby)
      const former = primary
      primary = standby
      standby = former
      settle(standby, primary)
      await eventually(
        async () => {
          try {
            control("start", standby)
            return true
          } catch {
            return false
          }
        },
        (started) => started
      )
    },
    stopStandby: () => {
      control("stop", standby, "-m", "fast")
      stopped = standby
    },
    stop: () => {
      for (const node of [standby, primary]) if (node !== stopped) control("stop", node, "-m", "immediate")
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
