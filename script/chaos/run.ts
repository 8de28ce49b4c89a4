/** A run: an open load of stories during a sequence of faults; then all faults are removed and the results are compared. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { eventually } from "../../tests/support/eventually.ts"
import { makeCaller, seeded } from "./caller.ts"
import { check, type Findings, outstanding } from "./check.ts"
import { faults } from "./faults.ts"
import { makeStories } from "./stories.ts"
import { type Processes, startWorld } from "./world.ts"

export interface ChaosOptions {
  readonly faults: number
  readonly seed: number
  /** Stories started per second. */
  readonly rate: number
  /** Default: three replicas and two workers. */
  readonly processes?: Processes
  readonly progress?: (line: string) => void
}

export interface Report extends Findings {
  readonly seconds: number
  readonly faults: ReadonlyMap<string, number>
  readonly attempts: ReadonlyMap<number, number>
  /** Attempts answered with 500 or 502, by method and path. */
  readonly broken: ReadonlyArray<string>
  readonly answers: number
  readonly longestMs: number
  readonly untrue: ReadonlyArray<string>
  readonly unanswered: ReadonlyArray<string>
  /** Faults after which the system did not recover within three minutes. */
  readonly unhealed: ReadonlyArray<string>
}

const HEAL_SECONDS = 180
const LONG_WAIT_MS = 40_000

export const runChaos = async ({
  faults: wanted,
  seed,
  rate,
  processes = { replicas: 3, workers: 2 },
  progress = () => {}
}: ChaosOptions): Promise<Report> => {
  const folder = mkdtempSync(join(tmpdir(), "sprechstunde-chaos-"))
  chmodSync(folder, 0o755)
  const random = seeded(seed)
  progress("starting etcd, PostgreSQL under Patroni, HAProxy, nginx, replicas and workers")
  // PostgreSQL outlives a killed Patroni
  process.on("exit", () => void Bun.spawnSync(["pkill", "-KILL", "-f", folder]))
  const world = await startWorld(folder, processes)
  const caller = makeCaller(world.url)
  const { tell, ledger } = makeStories({ caller, shop: world.shop, random: seeded(seed + 1), pay: world.mollie.pay })
  const possible = faults.filter(({ name }) => world.smallDisk || !name.startsWith("the disk"))

  const since = performance.now()
  const stories = new Set<Promise<unknown>>()
  let going = true
  const arrivals = (async () => {
    while (going) {
      const story = tell().catch((cause) => caller.untrue.push(`a story broke off: ${cause}`))
      stories.add(story)
      void story.finally(() => stories.delete(story))
      // arrivals are random and do not wait for responses
      await Bun.sleep((-Math.log(1 - random()) / rate) * 1_000)
    }
  })()

  // The state of the service and the database while a request waits for a long time
  const watching = setInterval(async () => {
    const waiting = caller.waitingFor(LONG_WAIT_MS)
    if (waiting.length > 0) progress(`${waiting.length} wait, ${waiting[0]} first; ${await world.underWay()}`)
  }, 20_000)

  const happened = new Map<string, number>()
  const unrecovered: Array<string> = []
  for (let count = 0; count < wanted; count++) {
    const fault = possible[Math.floor(random() * possible.length)]
    if (fault === undefined) break
    progress(`${count + 1}/${wanted}: ${fault.name}; ${caller.waits.length} answers, ${stories.size} stories under way`)
    await fault.happen(world, random)
    happened.set(fault.name, (happened.get(fault.name) ?? 0) + 1)
    await eventually(world.healthy, (is) => is, HEAL_SECONDS).catch(async () =>
      unrecovered.push(`${count + 1}: ${fault.name}: ${await world.cluster.states()}`)
    )
  }
  going = false
  await arrivals
  progress(`waiting for ${stories.size} stories and for what is still to be delivered`)
  await Promise.all(stories)
  await eventually(
    async () => {
      await caller.ask(
        {
          method: "POST",
          path: "/v1/sandbox/clock",
          headers: { "x-api-key": world.shop.key },
          body: { advance_seconds: 600 }
        },
        [200]
      )
      return outstanding(world)
    },
    (left) => left === 0,
    HEAL_SECONDS
  ).catch(() => undefined)
  clearInterval(watching)
  const findings = await check(world, ledger)
  const seconds = (performance.now() - since) / 1_000
  // The services' log lines about a wrong response, by its trace
  const explained = caller.untrue.map((answer) => {
    const trace = /"trace_id":"([0-9a-f]+)"/.exec(answer)?.[1]
    const lines = world.services.flatMap(({ name, said }) =>
      said()
        .split("\n")
        .filter((line) => trace !== undefined && line.includes(trace))
        .map((line) => `  ${name}: ${line.slice(0, 2_000)}`)
    )
    return [answer, ...lines].join("\n")
  })
  await world.stop()
  rmSync(folder, { recursive: true, force: true })
  return {
    ...findings,
    seconds,
    faults: happened,
    attempts: caller.attempts,
    broken: caller.broken,
    answers: caller.waits.length,
    longestMs: Math.max(0, ...caller.waits),
    untrue: explained,
    unanswered: caller.unanswered,
    unhealed: unrecovered
  }
}
