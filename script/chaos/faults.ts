/** The faults. Each begins, lasts for its time and has ended when this returns; recovery is up to the service. */
import { rmSync, statfsSync } from "node:fs"
import { open } from "node:fs/promises"
import { join } from "node:path"
import type { Random } from "./caller.ts"
import type { ChaosWorld } from "./world.ts"

interface Fault {
  readonly name: string
  readonly happen: (world: ChaosWorld, random: Random) => Promise<unknown>
}

const one = <A>(random: Random, of: ReadonlyArray<A>): A => {
  const chosen = of[Math.floor(random() * of.length)]
  if (chosen === undefined) throw new Error("nothing to choose from")
  return chosen
}

const signal = (pid: number, name: NodeJS.Signals) => {
  try {
    process.kill(pid, name)
  } catch {
    // it has just exited by itself
  }
}
const frozen = async (pid: number, ms: number) => {
  signal(pid, "SIGSTOP")
  await Bun.sleep(ms)
  signal(pid, "SIGCONT")
}

/** Fills the file system of the service's files, if it is a small one of its own, for two seconds. */
const fillDisk = async (folder: string) => {
  const path = join(folder, "filler")
  const { bavail, bsize, blocks } = statfsSync(folder)
  if (blocks * bsize > 1 << 30) throw new Error(`${folder} is not on a small file system of its own`)
  const file = await open(path, "w")
  const piece = Buffer.alloc(1 << 20)
  try {
    for (let left = bavail * bsize; left > 0; left -= piece.length) await file.write(piece)
  } catch {
    // full
  }
  await Bun.sleep(2_000)
  await file.close()
  rmSync(path, { force: true })
}

const primaryOf = async ({ cluster }: ChaosWorld) => cluster.postmaster(await cluster.primary())
const standbyOf = async ({ cluster }: ChaosWorld, random: Random) => {
  const primary = await cluster.primary()
  return one(
    random,
    cluster.members.map((_, index) => index).filter((index) => index !== primary)
  )
}

export const faults: ReadonlyArray<Fault> = [
  {
    name: "a replica is killed",
    happen: async (world, random) => signal(one(random, world.replicas).pid(), "SIGKILL")
  },
  {
    name: "a replica is exchanged",
    happen: async (world, random) => signal(one(random, world.replicas).pid(), "SIGTERM")
  },
  { name: "a worker is killed", happen: async (world, random) => signal(one(random, world.workers).pid(), "SIGKILL") },
  {
    name: "a worker is exchanged",
    happen: async (world, random) => signal(one(random, world.workers).pid(), "SIGTERM")
  },
  { name: "a replica hangs", happen: (world, random) => frozen(one(random, world.replicas).pid(), 3_000) },
  { name: "a worker hangs", happen: (world, random) => frozen(one(random, world.workers).pid(), 3_000) },
  { name: "the primary is killed", happen: async (world) => signal(await primaryOf(world), "SIGKILL") },
  { name: "the primary restarts", happen: async (world) => signal(await primaryOf(world), "SIGINT") },
  { name: "the primary is handed over", happen: (world) => world.cluster.switchover() },
  { name: "the primary hangs", happen: async (world) => frozen(await primaryOf(world), 2_000) },
  {
    name: "a standby is killed",
    happen: async (world, random) => signal(world.cluster.postmaster(await standbyOf(world, random)), "SIGKILL")
  },
  {
    name: "Patroni is killed beside the primary",
    happen: async ({ cluster }) => signal(cluster.members[await cluster.primary()]?.pid() ?? 0, "SIGKILL")
  },
  {
    name: "a member of etcd is killed",
    happen: async (world, random) => signal(one(random, world.cluster.etcd).pid(), "SIGKILL")
  },
  { name: "HAProxy is killed", happen: async (world) => signal(world.cluster.proxy.pid(), "SIGKILL") },
  {
    name: "a service is cut from the database",
    happen: async (world, random) => {
      const way = one(random, world.ways)
      way.cut()
      await Bun.sleep(2_000)
      way.mend()
    }
  },
  {
    name: "the network is slow",
    happen: async (world) => {
      for (const way of world.ways) way.slow()
      await Bun.sleep(3_000)
      for (const way of world.ways) way.mend()
    }
  },
  {
    name: "the pool is full",
    happen: (world) =>
      Promise.all(
        Array.from({ length: 300 }, () =>
          fetch(`${world.url}/v1/management/scheduling/appointments?limit=100`, {
            headers: { "x-api-key": world.shop.key },
            signal: AbortSignal.timeout(10_000)
          }).then(
            (answer) => answer.arrayBuffer(),
            () => undefined
          )
        )
      )
  },
  { name: "the disk of the files is full", happen: (world) => fillDisk(world.data) },
  {
    name: "receivers of webhooks fail",
    happen: async ({ receiver }) => {
      receiver.answer((_, response) => response.writeHead(500).end())
      await Bun.sleep(3_000)
      receiver.answer((_, response) => response.writeHead(204).end())
    }
  },
  {
    name: "receivers of webhooks hang",
    happen: async ({ receiver }) => {
      receiver.answer(() => undefined)
      await Bun.sleep(3_000)
      receiver.answer((_, response) => response.writeHead(204).end())
    }
  },
  {
    name: "the payment provider fails",
    happen: async ({ payments }, random) => {
      payments(one(random, ["unavailable", "unavailable_kept", "silent", "silent_kept", "busy"]))
      await Bun.sleep(3_000)
      payments("none")
    }
  },
  {
    name: "the clock jumps",
    happen: (world) =>
      fetch(`${world.url}/v1/sandbox/clock`, {
        method: "POST",
        headers: { "x-api-key": world.shop.key, "content-type": "application/json" },
        body: JSON.stringify({ advance_seconds: 60 }),
        signal: AbortSignal.timeout(60_000)
      }).catch(() => undefined)
  }
]
